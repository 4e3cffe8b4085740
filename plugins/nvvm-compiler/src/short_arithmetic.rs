//! What NVIDIA's assembler gets wrong: `abs.s16` and `neg.s16`.
//!
//! Both give -32768 for -32768 in 16 bits. The assembler takes it for 32768 where the result is compared or widened (seen on an H100,
//! driver 580). In 32 bits, and cut off to 16 again, the same is right.

/// The instructions, and the same ones of 32 bits.
const INSTRUCTIONS: [(&str, &str); 2] = [("abs.s16", "abs.s32"), ("neg.s16", "neg.s32")];

/// The same PTX without these instructions.
pub(crate) fn replaced(ptx: Vec<u8>) -> Vec<u8> {
    match str::from_utf8(&ptx) {
        Ok(text) if INSTRUCTIONS.iter().any(|(short, _)| text.contains(short)) => {
            let lines = text.split_inclusive('\n');
            lines.map(|line| widened(line).unwrap_or_else(|| line.to_owned())).collect::<String>().into()
        }
        _ => ptx,
    }
}

/// What stands for a line with one of the instructions.
fn widened(line: &str) -> Option<String> {
    let operands_of = |short| line.trim().strip_prefix(short)?.strip_suffix(';')?.split_once(',');
    let (wide, (result, number)) =
        INSTRUCTIONS.iter().find_map(|(short, wide)| Some((wide, operands_of(*short)?)))?;
    let (result, number) = (result.trim(), number.trim());
    Some(format!(
        "{{\n\t.reg .b32 %wide;\n\tcvt.s32.s16 \t%wide, {number};\n\t{wide} \t%wide, %wide;\n\tcvt.u16.u32 \t{result}, %wide;\n\t}}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_values_and_negations_of_16_bits_are_computed_in_32() {
        let ptx = "\tmov.b16 \t%rs1, %h1;\n\tabs.s16 \t%rs3, %rs2;\n\tneg.s16 \t%rs4, %rs3;\n\tabs.s32 \t%r1, %r2;\n";
        let text = String::from_utf8(replaced(ptx.into())).unwrap();
        let in_32 = |instruction: &str, result: &str, number: &str| {
            format!(
                "cvt.s32.s16 \t%wide, {number};\n\t{instruction} \t%wide, %wide;\n\tcvt.u16.u32 \t{result}, %wide;"
            )
        };
        assert!(text.contains(&in_32("abs.s32", "%rs3", "%rs2")), "{text}");
        assert!(text.contains(&in_32("neg.s32", "%rs4", "%rs3")), "{text}");
        assert!(
            text.starts_with("\tmov.b16 \t%rs1, %h1;\n") && text.ends_with("\tabs.s32 \t%r1, %r2;\n"),
            "{text}"
        );
    }

    #[test]
    fn other_code_stays_as_it_is() {
        for ptx in [&b"\tabs.s32 \t%r1, %r2;\n"[..], b"// abs.s16\n", b"neg.s16 \xff;\n"] {
            assert_eq!(replaced(ptx.to_vec()), ptx);
        }
    }
}

//! What NVIDIA's assembler gets wrong: `abs.s16`.
//!
//! It takes the result for positive. That of -32768 is -32768 in 16 bits, but compares and widens as 32768 (seen on an H100, driver 580).
//! The larger of the number and its negation is right.

const INSTRUCTION: &str = "abs.s16";

/// The same PTX without that instruction.
pub(crate) fn replaced(ptx: Vec<u8>) -> Vec<u8> {
    match str::from_utf8(&ptx) {
        Ok(text) if text.contains(INSTRUCTION) => text
            .split_inclusive('\n')
            .map(|line| larger_of_both(line).unwrap_or_else(|| line.to_owned()))
            .collect::<String>()
            .into(),
        _ => ptx,
    }
}

/// What stands for a line with that instruction.
fn larger_of_both(line: &str) -> Option<String> {
    let operands = line.trim().strip_prefix(INSTRUCTION)?.strip_suffix(';')?;
    let (result, number) = operands.split_once(',')?;
    let (result, number) = (result.trim(), number.trim());
    Some(format!(
        "{{\n\t.reg .b16 %negated;\n\tneg.s16 \t%negated, {number};\n\tmax.s16 \t{result}, {number}, %negated;\n\t}}\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_absolute_value_of_16_bits_is_the_larger_of_the_number_and_its_negation() {
        let ptx = "\tmov.b16 \t%rs1, %h1;\n\tabs.s16 \t%rs3, %rs2;\n\tabs.s32 \t%r1, %r2;\n";
        let text = String::from_utf8(replaced(ptx.into())).unwrap();
        assert!(text.contains("neg.s16 \t%negated, %rs2;\n\tmax.s16 \t%rs3, %rs2, %negated;"), "{text}");
        assert!(
            text.starts_with("\tmov.b16 \t%rs1, %h1;\n") && text.ends_with("\tabs.s32 \t%r1, %r2;\n"),
            "{text}"
        );
    }

    #[test]
    fn other_code_stays_as_it_is() {
        for ptx in [&b"\tabs.s32 \t%r1, %r2;\n"[..], b"// abs.s16\n", b"abs.s16 \xff;\n"] {
            assert_eq!(replaced(ptx.to_vec()), ptx);
        }
    }
}

//! Instructions that NVIDIA's assembler gets wrong, written otherwise. Seen on an H100 with driver 580 and CUDA 13.0:
//!
//! - `abs` of the least integer is that integer, but the assembler takes it for positive where it is compared or converted.
//! - `neg.s16` of -32768 is taken for 32768 in the same places.
//! - The greater or the less of two numbers of 16 bits, compared with 0, is found equal to it.

/// The same PTX without these instructions.
pub(crate) fn replaced(ptx: Vec<u8>) -> Vec<u8> {
    match str::from_utf8(&ptx) {
        Ok(text) => {
            let lines = text.split_inclusive('\n');
            lines.map(|line| otherwise(line).unwrap_or_else(|| line.to_owned())).collect::<String>().into()
        }
        Err(_) => ptx,
    }
}

/// What stands for a line with one of the instructions.
fn otherwise(line: &str) -> Option<String> {
    let (instruction, operands) = line.trim().strip_suffix(';')?.split_once(char::is_whitespace)?;
    let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
    match (instruction, operands.as_slice()) {
        ("abs.s32" | "abs.s64", [result, number]) => {
            let ty = instruction.strip_prefix("abs.")?;
            let bits = ty.strip_prefix('s')?;
            Some(format!(
                "{{\n\t.reg .b{bits} %negated;\n\tneg.{ty} \t%negated, {number};\n\tmax.{ty} \t{result}, {number}, %negated;\n\t}}\n"
            ))
        }
        ("abs.s16" | "neg.s16" | "min.s16" | "max.s16" | "min.u16" | "max.u16", [result, numbers @ ..]) => {
            Some(in_32_bits(instruction, result, numbers))
        }
        _ => None,
    }
}

/// An instruction on 16 bits, as the same on 32. A cut makes 16 of the result.
fn in_32_bits(instruction: &str, result: &str, numbers: &[&str]) -> String {
    let wide = instruction.replace("16", "32");
    let sign = if instruction.contains('u') { 'u' } else { 's' };
    let mut text = format!("{{\n\t.reg .b16 %short;\n\t.reg .b32 %wide<{}>;\n", numbers.len());
    let mut operands = String::new();
    for (at, number) in numbers.iter().enumerate() {
        text += &format!("\tmov.b16 \t%short, {number};\n\tcvt.{sign}32.{sign}16 \t%wide{at}, %short;\n");
        operands += &format!(", %wide{at}");
    }
    text + &format!("\t{wide} \t%wide0{operands};\n\tcvt.u16.u32 \t{result}, %wide0;\n\t}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(ptx: &str) -> String {
        String::from_utf8(replaced(ptx.into())).unwrap()
    }

    #[test]
    fn numbers_of_16_bits_are_negated_and_compared_in_32() {
        assert_eq!(
            text("\tmax.s16 \t%rs1, %rs5, 0;\n"),
            "{\n\t.reg .b16 %short;\n\t.reg .b32 %wide<2>;\n\tmov.b16 \t%short, %rs5;\n\tcvt.s32.s16 \t%wide0, %short;\n\
             \tmov.b16 \t%short, 0;\n\tcvt.s32.s16 \t%wide1, %short;\n\tmax.s32 \t%wide0, %wide0, %wide1;\n\
             \tcvt.u16.u32 \t%rs1, %wide0;\n\t}\n"
        );
        let negated = text("\tneg.s16 \t%rs4, %rs3;\n");
        assert!(negated.contains("neg.s32 \t%wide0, %wide0;\n\tcvt.u16.u32 \t%rs4, %wide0;"), "{negated}");
        let least = text("\tmin.u16 \t%rs4, %rs3, %rs2;\n");
        assert!(
            least.contains("cvt.u32.u16 \t%wide1, %short;\n\tmin.u32 \t%wide0, %wide0, %wide1;"),
            "{least}"
        );
    }

    #[test]
    fn an_absolute_value_is_the_greater_of_the_number_and_its_negation() {
        let wide = text("\tabs.s64 \t%rd4, %rd3;\n");
        assert!(wide.contains("neg.s64 \t%negated, %rd3;\n\tmax.s64 \t%rd4, %rd3, %negated;"), "{wide}");
    }

    #[test]
    fn other_code_stays_as_it_is() {
        for ptx in
            ["\tabs.f32 \t%f1, %f2;\n", "// abs.s16\n", "\tmax.s32 \t%r1, %r2, %r3;\n", "\tret;\n", "}\n"]
        {
            assert_eq!(text(ptx), ptx);
        }
        assert_eq!(replaced(b"neg.s16 \xff;\n".to_vec()), b"neg.s16 \xff;\n");
    }
}

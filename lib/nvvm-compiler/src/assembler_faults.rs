//! Instructions that NVIDIA's assembler compiles incorrectly, which are replaced by others. The faults were observed on
//! an H100 with driver 580 and CUDA 13.0; the last one only in the output of the assemblers of CUDA 12.9 and 13.0:
//!
//! - `abs` of the smallest integer is that integer, but the assembler assumes that it is positive when it is compared
//!   or converted.
//! - `neg.s16` of -32768 is assumed to be 32768 in the same places.
//! - The maximum or minimum of two 16-bit numbers, when compared with 0, is found equal to it.
//! - In the maximum or minimum of three signed integers, where one of the first two is negated, the negation is lost.
//! - `float` numbers with bounds known to the assembler, such as absolute values, are assumed to be within them even if
//!   they are NaN.
//! - An addition of `half`, then a selection between its operand and another number, then the same addition to the
//!   selected one: both additions are merged into one, on the selected number. This occurs with any arithmetic on
//!   `half` and bfloat16.
//! - A 32-bit number is split into two 16-bit ones, also by loads of two or four 16-bit numbers. The upper half is read
//!   from a register that was never written, if all work-items of a warp have the same number and use the halves as
//!   integers.
//! - The maximum of 0 and the minimum of 1 and a number is 1 if the number is NaN, but becomes 0.

use std::collections::HashSet;

/// Returns the same PTX with these instructions replaced.
pub(crate) fn replaced(ptx: Vec<u8>) -> Vec<u8> {
    match str::from_utf8(&ptx) {
        Ok(text) => {
            let integers = used_as_integers(text);
            let lines = text.split_inclusive('\n');
            lines
                .map(|line| otherwise(line, &integers).unwrap_or_else(|| line.to_owned()))
                .collect::<String>()
                .into()
        }
        Err(_) => ptx,
    }
}

/// Splits a line into an instruction and its operands.
fn parts(line: &str) -> Option<(&str, Vec<&str>)> {
    let (instruction, operands) = line.trim().strip_suffix(';')?.split_once(char::is_whitespace)?;
    // PTX from a program may contain several instructions in one line.
    (!operands.contains(';')).then(|| (instruction, operands.split(',').map(str::trim).collect()))
}

/// Returns the 16-bit registers that are read or written by anything except arithmetic on `half` and bfloat16.
fn used_as_integers(ptx: &str) -> HashSet<&str> {
    let mut registers = HashSet::new();
    for (instruction, operands) in ptx.lines().filter_map(parts) {
        let of_integers = [".s16", ".u16", ".b16"].iter().any(|ty| instruction.ends_with(ty));
        if of_integers && !operands.iter().any(|operand| operand.contains(['{', '['])) {
            registers.extend(operands);
        }
    }
    registers
}

/// Returns the replacement for a line that contains one of the instructions.
fn otherwise(line: &str, integers: &HashSet<&str>) -> Option<String> {
    let (instruction, operands) = parts(line)?;
    match (instruction, operands.as_slice()) {
        ("mov.b32", [low, high, number]) => {
            let halves = listed(&[low, high], integers)?;
            Some(by_shifts(&halves, &format!("mov.b32 \t%word0, {number}")))
        }
        ("mov.b64", [quarters @ .., number]) if quarters.len() == 4 => {
            let quarters = listed(quarters, integers)?;
            Some(by_shifts(&quarters, &format!("mov.b64 \t{{%word0, %word1}}, {number}")))
        }
        (_, [numbers @ .., address]) if numbers.len() > 1 && instruction.starts_with("ld.") => {
            loaded_whole(instruction, numbers, address, integers)
        }
        ("neg.s16", [result, number]) => Some(block(&negated(16, result, number))),
        ("neg.s32", [result, number]) | ("mul.lo.s32", [result, number, "-1"]) => {
            Some(block(&negated(32, result, number)))
        }
        ("abs.s32" | "abs.s64", [result, number]) => Some(absolute(&instruction[4..], result, number)),
        ("abs.s16" | "min.s16" | "max.s16" | "min.u16" | "max.u16", [result, numbers @ ..]) => {
            Some(in_32_bits(instruction, result, numbers))
        }
        ("selp.b16" | "selp.s16" | "selp.u16", [result, yes, no, condition])
            if yes.starts_with('%') && no.starts_with('%') =>
        {
            Some(by_a_mask(result, yes, no, condition))
        }
        ("min.f32" | "min.ftz.f32" | "min.f64", [result, number, "0f3F800000" | "0d3FF0000000000000"]) => {
            Some(at_most_one(&instruction[4..], result, number))
        }
        ("min.f16", [result, a, b]) => Some(least_half(result, a, b)),
        (_, [result, a, b]) => not_the_opposite(instruction, result, a, b),
        _ => None,
    }
}

/// Wraps lines in a block with its own registers.
fn block(lines: &str) -> String {
    format!("{{\n{lines}\t}}\n")
}

/// Negates in 64 bits. In 32 bits, the assembler merges the negation into the instruction that uses the result, and may
/// lose it there.
fn negated(bits: u32, result: &str, number: &str) -> String {
    format!(
        "\t.reg .b64 %wide;\n\tcvt.s64.s{bits} \t%wide, {number};\n\tneg.s64 \t%wide, %wide;\n\
         \tcvt.u{bits}.u64 \t{result}, %wide;\n"
    )
}

/// Returns the maximum of a number and its negation.
fn absolute(ty: &str, result: &str, number: &str) -> String {
    let negation = match ty {
        "s32" => negated(32, "%negated", number),
        _ => format!("\tneg.{ty} \t%negated, {number};\n"),
    };
    let bits = &ty[1..];
    block(&format!("\t.reg .b{bits} %negated;\n{negation}\tmax.{ty} \t{result}, {number}, %negated;\n"))
}

/// Converts a 16-bit instruction to 32 bits and truncates the result to 16.
fn in_32_bits(instruction: &str, result: &str, numbers: &[&str]) -> String {
    let wide = instruction.replace("16", "32");
    let sign = if instruction.contains('u') { 'u' } else { 's' };
    let mut text = format!("\t.reg .b16 %short;\n\t.reg .b32 %wide<{}>;\n", numbers.len());
    let mut operands = String::new();
    for (at, number) in numbers.iter().enumerate() {
        text += &format!("\tmov.b16 \t%short, {number};\n\tcvt.{sign}32.{sign}16 \t%wide{at}, %short;\n");
        operands += &format!(", %wide{at}");
    }
    block(&(text + &format!("\t{wide} \t%wide0{operands};\n\tcvt.u16.u32 \t{result}, %wide0;\n")))
}

/// Selects between two 16-bit numbers by arithmetic, which the assembler does not recognize as a selection.
fn by_a_mask(result: &str, yes: &str, no: &str, condition: &str) -> String {
    block(&format!(
        "\t.reg .b16 %mask, %bits;\n\tselp.b16 \t%mask, -1, 0, {condition};\n\txor.b16 \t%bits, {yes}, {no};\n\
         \tand.b16 \t%bits, %bits, %mask;\n\txor.b16 \t{result}, %bits, {no};\n"
    ))
}

/// Loads two or four 16-bit numbers as one or two 32-bit ones.
fn loaded_whole(
    instruction: &str,
    numbers: &[&str],
    address: &str,
    integers: &HashSet<&str>,
) -> Option<String> {
    let (load, ty) = instruction.rsplit_once('.')?;
    if !["s16", "u16", "b16"].contains(&ty) {
        return None;
    }
    let numbers = listed(numbers, integers)?;
    let words = match load.strip_suffix(".v2") {
        Some(load) => format!("{load}.b32 \t%word0, {address}"),
        None => format!("{}.v2.b32 \t{{%word0, %word1}}, {address}", load.strip_suffix(".v4")?),
    };
    Some(by_shifts(&numbers, &words))
}

/// Returns the registers of a list in braces, if one of them is used as an integer.
fn listed<'a>(list: &[&'a str], integers: &HashSet<&str>) -> Option<Vec<&'a str>> {
    let ([first, ..], [.., last]) = (list, list) else { return None };
    if !first.starts_with('{') || !last.ends_with('}') {
        return None;
    }
    let registers: Vec<&str> = list.iter().map(|register| register.trim_matches(['{', '}', ' '])).collect();
    registers.iter().any(|register| integers.contains(register)).then_some(registers)
}

/// Extracts the lower and upper halves of the words that an instruction returns by shifts, which the assembler handles
/// correctly.
fn by_shifts(halves: &[&str], words: &str) -> String {
    let mut text = format!("\t.reg .b32 %high, %word<2>;\n\t{words};\n");
    for (at, half) in halves.iter().enumerate().filter(|(_, half)| **half != "_") {
        let word = at / 2;
        text += &match at % 2 {
            0 => format!("\tcvt.u16.u32 \t{half}, %word{word};\n"),
            _ => format!("\tshr.u32 \t%high, %word{word}, 16;\n\tcvt.u16.u32 \t{half}, %high;\n"),
        };
    }
    block(&text)
}

/// Returns the minimum of a number and 1 as the negated maximum of its negation and -1, which the assembler does not
/// recognize.
fn at_most_one(ty: &str, result: &str, number: &str) -> String {
    let (bits, minus_one) = if ty == "f64" { (64, "0dBFF0000000000000") } else { (32, "0fBF800000") };
    block(&format!(
        "\t.reg .f{bits} %negated;\n\tneg.{ty} \t%negated, {number};\n\tmax.{ty} \t%negated, %negated, {minus_one};\n\
         \tneg.{ty} \t{result}, %negated;\n"
    ))
}

/// Returns the minimum of two `half` numbers in the same way, where 1 is also in a register.
fn least_half(result: &str, a: &str, b: &str) -> String {
    block(&format!(
        "\t.reg .b16 %negated<2>;\n\tneg.f16 \t%negated0, {a};\n\tneg.f16 \t%negated1, {b};\n\
         \tmax.f16 \t%negated0, %negated0, %negated1;\n\tneg.f16 \t{result}, %negated0;\n"
    ))
}

/// Rewrites a comparison of `float` numbers that is false for NaN as the negation of one that is true for NaN, which
/// the assembler preserves.
fn not_the_opposite(instruction: &str, result: &str, a: &str, b: &str) -> Option<String> {
    let (comparison, ty) = instruction.strip_prefix("setp.")?.split_once('.')?;
    let opposite = match (comparison, ty) {
        ("lt", "f32" | "ftz.f32") => "geu",
        ("le", "f32" | "ftz.f32") => "gtu",
        ("gt", "f32" | "ftz.f32") => "leu",
        ("ge", "f32" | "ftz.f32") => "ltu",
        _ => return None,
    };
    Some(block(&format!(
        "\t.reg .pred %opposite;\n\tsetp.{opposite}.{ty} \t%opposite, {a}, {b};\n\tnot.pred \t{result}, %opposite;\n"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(ptx: &str) -> String {
        String::from_utf8(replaced(ptx.into())).unwrap()
    }

    #[test]
    fn numbers_of_16_bits_are_compared_in_32() {
        assert_eq!(
            text("\tmax.s16 \t%rs1, %rs5, 0;\n"),
            "{\n\t.reg .b16 %short;\n\t.reg .b32 %wide<2>;\n\tmov.b16 \t%short, %rs5;\n\tcvt.s32.s16 \t%wide0, %short;\n\
             \tmov.b16 \t%short, 0;\n\tcvt.s32.s16 \t%wide1, %short;\n\tmax.s32 \t%wide0, %wide0, %wide1;\n\
             \tcvt.u16.u32 \t%rs1, %wide0;\n\t}\n"
        );
        let least = text("\tmin.u16 \t%rs4, %rs3, %rs2;\n");
        assert!(
            least.contains("cvt.u32.u16 \t%wide1, %short;\n\tmin.u32 \t%wide0, %wide0, %wide1;"),
            "{least}"
        );
    }

    #[test]
    fn an_absolute_value_is_the_greater_of_the_number_and_its_negation() {
        let wide = text("\tabs.s64 \t%rd4, %rd3;\n");
        assert!(wide.contains("\t.reg .b64 %negated;\n"), "{wide}");
        assert!(wide.contains("neg.s64 \t%negated, %rd3;\n\tmax.s64 \t%rd4, %rd3, %negated;"), "{wide}");
    }

    #[test]
    fn integers_are_negated_in_64_bits() {
        for (negation, bits) in
            [("neg.s16 \t%n, %m", 16), ("neg.s32 \t%n, %m", 32), ("mul.lo.s32 \t%n, %m, -1", 32)]
        {
            assert_eq!(
                text(&format!("\t{negation};\n")),
                format!(
                    "{{\n\t.reg .b64 %wide;\n\tcvt.s64.s{bits} \t%wide, %m;\n\tneg.s64 \t%wide, %wide;\n\
                     \tcvt.u{bits}.u64 \t%n, %wide;\n\t}}\n"
                )
            );
        }
        let absolute = text("\tabs.s32 \t%r4, %r3;\n");
        let end = "cvt.u32.u64 \t%negated, %wide;\n\tmax.s32 \t%r4, %r3, %negated;\n\t}\n";
        assert!(absolute.contains("cvt.s64.s32 \t%wide, %r3;") && absolute.ends_with(end), "{absolute}");
    }

    #[test]
    fn a_comparison_of_floats_is_the_opposite_of_one_that_nan_makes_true() {
        for (comparison, opposite) in [("lt", "geu"), ("le", "gtu"), ("gt", "leu"), ("ge", "ltu")] {
            for ty in ["f32", "ftz.f32"] {
                let ptx = text(&format!("\tsetp.{comparison}.{ty} \t%p1, %f2, 0fBF000000;\n"));
                let lines = format!(
                    "setp.{opposite}.{ty} \t%opposite, %f2, 0fBF000000;\n\tnot.pred \t%p1, %opposite;"
                );
                assert!(ptx.contains(&lines), "{ptx}");
            }
        }
    }

    #[test]
    fn numbers_of_16_bits_are_chosen_by_a_mask() {
        assert_eq!(
            text("\tselp.b16 \t%h7, %h1, %h6, %p1;\n"),
            "{\n\t.reg .b16 %mask, %bits;\n\tselp.b16 \t%mask, -1, 0, %p1;\n\txor.b16 \t%bits, %h1, %h6;\n\
             \tand.b16 \t%bits, %bits, %mask;\n\txor.b16 \t%h7, %bits, %h6;\n\t}\n"
        );
    }

    #[test]
    fn the_less_of_1_and_a_number_is_that_of_the_negations() {
        assert_eq!(
            text("\tmin.f32 \t%f2, %f1, 0f3F800000;\n"),
            "{\n\t.reg .f32 %negated;\n\tneg.f32 \t%negated, %f1;\n\tmax.f32 \t%negated, %negated, 0fBF800000;\n\
             \tneg.f32 \t%f2, %negated;\n\t}\n"
        );
        let wide = text("\tmin.f64 \t%fd2, %fd1, 0d3FF0000000000000;\n");
        assert!(wide.contains("max.f64 \t%negated, %negated, 0dBFF0000000000000;"), "{wide}");
        let half = text("\tmin.f16 \t%rs3, %rs1, %rs2;\n");
        assert!(
            half.contains("neg.f16 \t%negated1, %rs2;\n\tmax.f16 \t%negated0, %negated0, %negated1;"),
            "{half}"
        );
    }

    #[test]
    fn halves_that_are_used_as_integers_are_taken_by_shifts() {
        let used = "\txor.b16 \t%rs9, %rs2, -32768;\n";
        let halves = |low: &str, high: &str, word: &str| {
            format!(
                "\tcvt.u16.u32 \t{low}, {word};\n\tshr.u32 \t%high, {word}, 16;\n\tcvt.u16.u32 \t{high}, %high;\n"
            )
        };
        let two = halves("%rs1", "%rs2", "%word0");
        let four = two.clone() + &halves("%rs3", "%rs4", "%word1");
        for (before, after, shifts) in [
            ("mov.b32 \t{%rs1, %rs2}, %r7", "mov.b32 \t%word0, %r7", &two),
            ("ld.global.nc.v2.u16 \t{%rs1, %rs2}, [%rd1+4]", "ld.global.nc.b32 \t%word0, [%rd1+4]", &two),
            ("ld.v4.b16 \t{%rs1, %rs2, %rs3, %rs4}, [%rd1]", "ld.v2.b32 \t{%word0, %word1}, [%rd1]", &four),
            ("mov.b64 \t{%rs1, %rs2, %rs3, %rs4}, %rd1", "mov.b64 \t{%word0, %word1}, %rd1", &four),
        ] {
            let ptx = text(&format!("\t{before};\n{used}"));
            assert_eq!(ptx, format!("{{\n\t.reg .b32 %high, %word<2>;\n\t{after};\n{shifts}\t}}\n{used}"));
        }
        // The lower half is unused.
        let ptx = text(&format!("\tmov.b32 \t{{_, %rs2}}, %r7;\n{used}"));
        assert!(
            ptx.contains("%r7;\n\tshr.u32 \t%high, %word0, 16;\n\tcvt.u16.u32 \t%rs2, %high;\n\t}"),
            "{ptx}"
        );
        // The register is a number of another size elsewhere.
        for other in [
            "\tmov.b64 \t{%rs2, %r2}, %rd1;\n",
            "\tld.global.v2.u32 \t{%rs2, %r2}, [%rd1];\n",
            "\tmov.b32 \t%r1, {%rs1, %rs2};\n",
            "\tst.v2.u16 \t[%rd1], {%rs1, %rs2};\n",
            "\tmov.b32 \t{%rs1, %rs2}, %r7; ret;\n",
        ] {
            let ptx = format!("{other}{used}");
            assert_eq!(text(&ptx), ptx);
        }
    }

    #[test]
    fn halves_that_are_only_added_and_stored_stay() {
        let ptx = "\tmov.b32 \t{%h1, %h2}, %hh1;\n\tadd.f16 \t%h3, %h1, %h2;\n\tcvt.f32.f16 \t%f1, %h2;\n\
            \tst.v2.b16 \t[%rd1], {%h1, %h3};\n";
        assert_eq!(text(ptx), ptx);
        let as_bits = text(&format!("{ptx}\tmov.b16 \t%rs1, %h1;\n"));
        assert!(as_bits.contains("mov.b32 \t%word0, %hh1;\n\tcvt.u16.u32 \t%h1, %word0;"), "{as_bits}");
    }

    #[test]
    fn other_code_stays_as_it_is() {
        for ptx in [
            "\tabs.f32 \t%f1, %f2;\n",
            "// abs.s16\n",
            "\tmax.s32 \t%r1, %r2, %r3;\n",
            "\tmul.lo.s32 \t%r1, %r2, -12;\n",
            "\tsetp.ltu.f32 \t%p1, %f1, %f2;\n",
            "\tsetp.lt.f64 \t%p1, %fd1, %fd2;\n",
            "\tsetp.eq.f32 \t%p1, %f1, %f2;\n",
            "\tselp.b16 \t%rs1, 1, 0, %p1;\n",
            "\tselp.b16 \t%rs1, 1, %rs2, %p1;\n",
            "\tselp.b16 \t%rs1, %rs2, 0, %p1;\n",
            "\tselp.b32 \t%r1, %r2, %r3, %p1;\n",
            "\tmin.f32 \t%f3, %f2, 0f40000000;\n",
            "\tret;\n",
            "}\n",
        ] {
            assert_eq!(text(ptx), ptx);
        }
        assert_eq!(replaced(b"neg.s16 \xff;\n".to_vec()), b"neg.s16 \xff;\n");
    }
}

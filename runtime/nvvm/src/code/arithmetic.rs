//! Arithmetic on integers and floating-point numbers.

use sycl_pi_image::spirv::{Decoration, FPFastMathMode, Op};

use crate::code::body::{Body, emit};
use crate::error::Step;

/// Instructions with two operands of the result's type that LLVM has too.
const BINARY: &[(Op, &str)] = &[
    (Op::IAdd, "add"),
    (Op::ISub, "sub"),
    (Op::IMul, "mul"),
    (Op::UDiv, "udiv"),
    (Op::SDiv, "sdiv"),
    (Op::UMod, "urem"),
    (Op::SRem, "srem"),
    (Op::LogicalOr, "or"),
    (Op::LogicalAnd, "and"),
    (Op::BitwiseOr, "or"),
    (Op::BitwiseXor, "xor"),
    (Op::BitwiseAnd, "and"),
];

/// The same on floating-point numbers.
const FLOAT_BINARY: &[(Op, &str)] =
    &[(Op::FAdd, "fadd"), (Op::FSub, "fsub"), (Op::FMul, "fmul"), (Op::FDiv, "fdiv")];

const SHIFTS: &[(Op, &str)] =
    &[(Op::ShiftRightLogical, "lshr"), (Op::ShiftRightArithmetic, "ashr"), (Op::ShiftLeftLogical, "shl")];

/// What numbers may be taken to be or to do, and LLVM's flags for it.
const FLAGS: &[(FPFastMathMode, &str)] = &[
    (FPFastMathMode::NOT_NAN, " nnan"),
    (FPFastMathMode::NOT_INF, " ninf"),
    (FPFastMathMode::NSZ, " nsz"),
    (FPFastMathMode::ALLOW_RECIP, " arcp"),
    (FPFastMathMode::ALLOW_REASSOC, " reassoc"),
];

/// Finds the row of an instruction.
pub(crate) fn row<T: Copy>(table: &[(Op, T)], opcode: Op) -> Option<T> {
    table.iter().find(|(number, _)| *number == opcode).map(|(_, row)| *row)
}

impl Body<'_, '_> {
    /// Arithmetic. Answers whether the instruction is one.
    pub(crate) fn arithmetic(&mut self) -> Step<bool> {
        let opcode = self.inst.opcode;
        let (a, b) = (self.operand(2), self.operand(3));
        if let Some(name) = row(BINARY, opcode) {
            let (ty, a, b) = self.pair(a, b)?;
            let ty = self.text(ty)?.to_owned();
            self.set(format_args!("{name} {ty} {a}, {b}"));
            return Ok(true);
        }
        if let Some(name) = row(FLOAT_BINARY, opcode) {
            let (ty, a, b) = self.pair(a, b)?;
            self.float_bits(ty)?;
            let (ty, flags) = (self.text(ty)?.to_owned(), self.fast_math());
            self.set(format_args!("{name}{flags} {ty} {a}, {b}"));
            return Ok(true);
        }
        if let Some(name) = row(SHIFTS, opcode) {
            self.shift(name, a, b)?;
            return Ok(true);
        }
        match opcode {
            Op::SNegate => self.negate(a)?,
            Op::FNegate => {
                let ty = self.type_of(a)?;
                let zero = crate::constants::float(self.float_bits(ty)?, 1 << (self.float_bits(ty)? - 1));
                let zero = self.splat(ty, &zero)?;
                let (ty, a, flags) = (self.text(ty)?.to_owned(), self.value(a)?, self.fast_math());
                self.set(format_args!("fsub{flags} {ty} {zero}, {a}"));
            }
            Op::SMod => self.signed_modulo(a, b)?,
            Op::FRem | Op::FMod => self.float_remainder(opcode == Op::FMod)?,
            Op::VectorTimesScalar => self.vector_times_scalar(a, b)?,
            Op::Dot => self.dot(a, b)?,
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                self.extended(opcode, a, b)?
            }
            Op::LogicalNot | Op::Not => {
                let ty = self.type_of(a)?;
                let ones = self.splat(ty, if self.int_bits(ty)? == 1 { "true" } else { "-1" })?;
                let (ty, a) = (self.text(ty)?.to_owned(), self.value(a)?);
                self.set(format_args!("xor {ty} {a}, {ones}"));
            }
            Op::BitReverse | Op::BitCount => {
                let (ty, value) = (self.result_type(), self.type_of(a)?);
                if self.text(ty)? != self.text(value)? {
                    return Err("the operand and the result have different types".into());
                }
                let name = if opcode == Op::BitReverse { "bitreverse" } else { "ctpop" };
                self.lanes(&[a], |body, operands| body.bit_intrinsic(name, ty, operands))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The flags of a floating-point instruction, with a space before each.
    ///
    /// What `ContractionOff` governs is never contracted; the other functions of a program with such a function say that they may
    /// be, because the compiler is told not to.
    pub(crate) fn fast_math(&self) -> String {
        let mode = match self.program.options.fast_relaxed_math {
            true => FPFastMathMode::FAST,
            false => {
                FPFastMathMode::from_bits_retain(self.decorated(Decoration::FPFastMathMode).unwrap_or(0))
            }
        };
        let is_strict = self.program.reach.is_strict(self.span.id);
        let contract = mode.contains(FPFastMathMode::ALLOW_CONTRACT) || self.program.reach.has_strict();
        let mut flags = String::new();
        if mode.contains(FPFastMathMode::FAST) && !is_strict {
            return " fast".to_owned();
        }
        for (allowed, flag) in FLAGS {
            if mode.intersects(*allowed | FPFastMathMode::FAST) {
                flags.push_str(flag);
            }
        }
        if contract && !is_strict {
            flags.push_str(" contract");
        }
        flags
    }

    fn negate(&mut self, a: u32) -> Step {
        let ty = self.type_of(a)?;
        let zero = self.splat(ty, "0")?;
        let (ty, a) = (self.text(ty)?.to_owned(), self.value(a)?);
        self.set(format_args!("sub {ty} {zero}, {a}"));
        Ok(())
    }

    /// The amount of a shift may have another width than what is shifted.
    fn shift(&mut self, name: &str, a: u32, b: u32) -> Step {
        let (ty, amount) = (self.type_of(a)?, self.type_of(b)?);
        let (bits, have) = (self.int_bits(ty)?, self.int_bits(amount)?);
        let (text, from) = (self.text(ty)?.to_owned(), self.text(amount)?.to_owned());
        let (a, mut b) = (self.value(a)?, self.value(b)?);
        if bits != have {
            let cast = if bits > have { "zext" } else { "trunc" };
            b = self.new_value(format_args!("{cast} {from} {b} to {text}"));
        }
        self.set(format_args!("{name} {text} {a}, {b}"));
        Ok(())
    }

    /// The remainder with the divisor's sign.
    fn signed_modulo(&mut self, a: u32, b: u32) -> Step {
        let (ty, a, b) = self.pair(a, b)?;
        let zero = self.splat(ty, "0")?;
        let truth = self.shaped(ty, "i1")?;
        let ty = self.text(ty)?.to_owned();
        let rest = self.new_value(format_args!("srem {ty} {a}, {b}"));
        let signs = self.new_value(format_args!("xor {ty} {rest}, {b}"));
        let differ = self.new_value(format_args!("icmp slt {ty} {signs}, {zero}"));
        let some = self.new_value(format_args!("icmp ne {ty} {rest}, {zero}"));
        let wrong = self.new_value(format_args!("and {truth} {differ}, {some}"));
        let other = self.new_value(format_args!("add {ty} {rest}, {b}"));
        self.set(format_args!("select {truth} {wrong}, {ty} {other}, {ty} {rest}"));
        Ok(())
    }

    fn vector_times_scalar(&mut self, vector: u32, scalar: u32) -> Step {
        let (element, scalar_type) =
            (self.program.types.scalar(self.type_of(vector)?)?.0, self.type_of(scalar)?);
        if self.text(element)? != self.text(scalar_type)? {
            return Err("the scalar and the vector have different types".into());
        }
        let (factor, flags) = (self.typed(scalar)?, self.fast_math());
        self.lanes(&[vector], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            Ok(body.new_value(format_args!("fmul{flags} {factor}, {value}")))
        })
    }

    fn dot(&mut self, a: u32, b: u32) -> Step {
        let (ty, a, b) = self.pair(a, b)?;
        let (element, count) = self.program.types.scalar(ty)?;
        let count = count.ok_or("a vector is expected")?;
        self.float_bits(ty)?;
        let (ty, element, flags) =
            (self.text(ty)?.to_owned(), self.text(element)?.to_owned(), self.fast_math());
        let products = self.new_value(format_args!("fmul{flags} {ty} {a}, {b}"));
        let mut sum = self.new_value(format_args!("extractelement {ty} {products}, i32 0"));
        for lane in 1..count {
            let next = self.new_value(format_args!("extractelement {ty} {products}, i32 {lane}"));
            sum = self.new_value(format_args!("fadd{flags} {element} {sum}, {next}"));
        }
        self.set(format_args!("select i1 true, {element} {sum}, {element} {sum}"));
        Ok(())
    }

    /// Sums with a carry, and products of twice the width: a structure of the low and the high half.
    fn extended(&mut self, opcode: Op, a: u32, b: u32) -> Step {
        let (ty, a, b) = self.pair(a, b)?;
        let bits = self.int_bits(ty)?;
        let wide = self.shaped(ty, &format!("i{}", bits * 2))?;
        let by = self.splat_text(ty, &format!("i{}", bits * 2), &bits.to_string())?;
        let (name, extend) = match opcode {
            Op::IAddCarry => ("add", "zext"),
            Op::ISubBorrow => ("sub", "zext"),
            Op::UMulExtended => ("mul", "zext"),
            _ => ("mul", "sext"),
        };
        let (ty, whole) = (self.text(ty)?.to_owned(), self.text(self.result_type())?.to_owned());
        let wide_a = self.new_value(format_args!("{extend} {ty} {a} to {wide}"));
        let wide_b = self.new_value(format_args!("{extend} {ty} {b} to {wide}"));
        let both = self.new_value(format_args!("{name} {wide} {wide_a}, {wide_b}"));
        let low = self.new_value(format_args!("trunc {wide} {both} to {ty}"));
        let shifted = self.new_value(format_args!("lshr {wide} {both}, {by}"));
        let mut high = self.new_value(format_args!("trunc {wide} {shifted} to {ty}"));
        if opcode == Op::ISubBorrow {
            // The upper half of a negative difference is all ones: a borrow of 1.
            let one = self.splat_text(self.type_of(self.operand(2))?, "", "1")?;
            high = self.new_value(format_args!("and {ty} {high}, {one}"));
        }
        let first = self.new_value(format_args!("insertvalue {whole} undef, {ty} {low}, 0"));
        self.set(format_args!("insertvalue {whole} {first}, {ty} {high}, 1"));
        Ok(())
    }

    /// A constant repeated for each scalar of a type that is like another, with other scalars.
    fn splat_text(&self, like: u32, scalar: &str, constant: &str) -> Step<String> {
        let (element, count) = self.program.types.scalar(like)?;
        let scalar = if scalar.is_empty() { self.text(element)? } else { scalar };
        let Some(count) = count else { return Ok(constant.to_owned()) };
        Ok(format!("<{}>", vec![format!("{scalar} {constant}"); count as usize].join(", ")))
    }

    /// An intrinsic with one operand and a result of the same integer type.
    pub(crate) fn bit_intrinsic(&mut self, name: &str, ty: u32, operands: &[String]) -> Step<String> {
        let [value] = operands else { return Err("an operand is missing".into()) };
        let (element, _) = self.program.types.scalar(ty)?;
        self.int_bits(element)?;
        let element = self.text(element)?.to_owned();
        let function = format!("llvm.{name}.{element}");
        self.helpers.declare(&element, &function, &element, "nounwind readnone");
        Ok(self.new_value(format_args!("call {element} @{function}({element} {value})")))
    }

    /// The remainder of a division, with the dividend's sign, or with the divisor's.
    fn float_remainder(&mut self, sign_of_divisor: bool) -> Step {
        let (a, b) = (self.operand(2), self.operand(3));
        let ty = self.program.types.scalar(self.result_type())?.0;
        self.lanes(&[a, b], |body, operands| {
            let rest = body.library("fmod", ty, operands)?;
            let ([_, b], true) = (operands, sign_of_divisor) else { return Ok(rest) };
            let text = body.text(ty)?.to_owned();
            let zero = crate::constants::float(body.float_bits(ty)?, 0);
            let some = body.new_value(format_args!("fcmp une {text} {rest}, {zero}"));
            let negative = body.new_value(format_args!("fcmp olt {text} {rest}, {zero}"));
            let below = body.new_value(format_args!("fcmp olt {text} {b}, {zero}"));
            let differ = body.new_value(format_args!("xor i1 {negative}, {below}"));
            let wrong = body.new_value(format_args!("and i1 {some}, {differ}"));
            let other = body.new_value(format_args!("fadd {text} {rest}, {b}"));
            Ok(body.new_value(format_args!("select i1 {wrong}, {text} {other}, {text} {rest}")))
        })
    }

    /// A copy of a value under the result's name.
    pub(crate) fn copy(&mut self, ty: u32, value: &str) -> Step {
        let (ty, result) = (self.text(ty)?.to_owned(), self.result());
        emit!(self, "{result} = select i1 true, {ty} {value}, {ty} {value}");
        Ok(())
    }

    /// Whether the result has a decoration, and its first operand.
    pub(crate) fn decorated(&self, which: Decoration) -> Option<u32> {
        self.program.index.decorations(self.inst.operand(1), which).next().map(|note| note.operand(2))
    }

    /// The alignment that the result is decorated with, in bytes.
    pub(crate) fn decorated_alignment(&self) -> Option<u64> {
        self.decorated(Decoration::Alignment).map(u64::from)
    }
}

//! Arithmetic on integers and floating-point numbers.

use sycl_pi_image::spirv::{Decoration, FPFastMathMode};

use crate::code::body::{Body, emit};
use crate::constants::float;
use crate::error::Result;

/// The fast-math modes with LLVM's flags for them.
const FLAGS: &[(FPFastMathMode, &str)] = &[
    (FPFastMathMode::NOT_NAN, " nnan"),
    (FPFastMathMode::NOT_INF, " ninf"),
    (FPFastMathMode::NSZ, " nsz"),
    (FPFastMathMode::ALLOW_RECIP, " arcp"),
    (FPFastMathMode::ALLOW_REASSOC, " reassoc"),
];

/// The lower and the upper half of a result.
struct Halves {
    /// The type of each half.
    ty: u32,
    low: String,
    high: String,
}

impl Body<'_, '_> {
    /// Translates an instruction with two operands of the result's type that LLVM has too.
    pub(crate) fn binary(&mut self, name: &str) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        let ty = self.type_text(ty)?.to_owned();
        self.set_result(format_args!("{name} {ty} {a}, {b}"));
        Ok(())
    }

    /// Translates a binary instruction on floating-point numbers.
    pub(crate) fn float_binary(&mut self, name: &str) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        let flags = self.fast_math();
        if self.is_bfloat16(ty)? {
            return self.in_float(&[self.operand(2), self.operand(3)], |body, values| {
                let [a, b] = values else { return Err("an operand is missing".into()) };
                Ok(body.new_value(format_args!("{name}{flags} float {a}, {b}")))
            });
        }
        self.float_bits(ty)?;
        let ty = self.type_text(ty)?.to_owned();
        self.set_result(format_args!("{name}{flags} {ty} {a}, {b}"));
        Ok(())
    }

    pub(crate) fn float_negate(&mut self) -> Result<()> {
        let a = self.operand(2);
        let ty = self.type_of(a)?;
        if self.is_bfloat16(ty)? {
            let (sign, ty, a) = (self.splat(ty, "-32768")?, self.type_text(ty)?.to_owned(), self.value(a)?);
            self.set_result(format_args!("xor {ty} {a}, {sign}"));
            return Ok(());
        }
        let bits = self.float_bits(ty)?;
        let zero = self.splat(ty, &float(bits, 1 << (bits - 1)))?;
        let (ty, a, flags) = (self.type_text(ty)?.to_owned(), self.value(a)?, self.fast_math());
        self.set_result(format_args!("fsub{flags} {ty} {zero}, {a}"));
        Ok(())
    }

    pub(crate) fn not(&mut self) -> Result<()> {
        let a = self.operand(2);
        let ty = self.type_of(a)?;
        let ones = self.splat(ty, if self.int_bits(ty)? == 1 { "true" } else { "-1" })?;
        let (ty, a) = (self.type_text(ty)?.to_owned(), self.value(a)?);
        self.set_result(format_args!("xor {ty} {a}, {ones}"));
        Ok(())
    }

    /// Translates an instruction on the bits of integers to an intrinsic.
    pub(crate) fn count_or_reverse_bits(&mut self, name: &str) -> Result<()> {
        let a = self.operand(2);
        let (ty, value) = (self.result_type(), self.type_of(a)?);
        if self.type_text(ty)? != self.type_text(value)? {
            return Err("the operand and the result have different types".into());
        }
        self.lanes(&[a], |body, operands| body.bit_intrinsic(name, ty, operands))
    }

    /// Returns the flags of a floating-point instruction, each preceded by a space.
    ///
    /// Instructions under `ContractionOff` are never contracted. If a program has a function with this mode, its other
    /// functions state that contraction is allowed, because the compiler is told to disable it.
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

    pub(crate) fn negate(&mut self) -> Result<()> {
        let a = self.operand(2);
        let ty = self.type_of(a)?;
        let zero = self.splat(ty, "0")?;
        let (ty, a) = (self.type_text(ty)?.to_owned(), self.value(a)?);
        self.set_result(format_args!("sub {ty} {zero}, {a}"));
        Ok(())
    }

    /// Translates a shift. The shift amount may differ in width from the shifted value.
    pub(crate) fn shift(&mut self, name: &str) -> Result<()> {
        let (a, b) = (self.operand(2), self.operand(3));
        let (ty, amount) = (self.type_of(a)?, self.type_of(b)?);
        let (bits, have) = (self.int_bits(ty)?, self.int_bits(amount)?);
        let (text, from) = (self.type_text(ty)?.to_owned(), self.type_text(amount)?.to_owned());
        let (a, mut b) = (self.value(a)?, self.value(b)?);
        if bits != have {
            let cast = if bits > have { "zext" } else { "trunc" };
            b = self.new_value(format_args!("{cast} {from} {b} to {text}"));
        }
        self.set_result(format_args!("{name} {text} {a}, {b}"));
        Ok(())
    }

    /// Translates a remainder that has the divisor's sign.
    pub(crate) fn signed_modulo(&mut self) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        let zero = self.splat(ty, "0")?;
        let truth = self.shaped_like(ty, "i1")?;
        let ty = self.type_text(ty)?.to_owned();
        let rest = self.new_value(format_args!("srem {ty} {a}, {b}"));
        let signs = self.new_value(format_args!("xor {ty} {rest}, {b}"));
        let differ = self.new_value(format_args!("icmp slt {ty} {signs}, {zero}"));
        let some = self.new_value(format_args!("icmp ne {ty} {rest}, {zero}"));
        let wrong = self.new_value(format_args!("and {truth} {differ}, {some}"));
        let other = self.new_value(format_args!("add {ty} {rest}, {b}"));
        self.set_result(format_args!("select {truth} {wrong}, {ty} {other}, {ty} {rest}"));
        Ok(())
    }

    pub(crate) fn vector_times_scalar(&mut self) -> Result<()> {
        let (vector, scalar) = (self.operand(2), self.operand(3));
        let (element, scalar_type) =
            (self.program.types.scalar(self.type_of(vector)?)?.0, self.type_of(scalar)?);
        if self.type_text(element)? != self.type_text(scalar_type)? {
            return Err("the scalar and the vector have different types".into());
        }
        let (factor, flags) = (self.typed(scalar)?, self.fast_math());
        self.lanes(&[vector], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            Ok(body.new_value(format_args!("fmul{flags} {factor}, {value}")))
        })
    }

    pub(crate) fn dot(&mut self) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        let (element, count) = self.program.types.scalar(ty)?;
        let count = count.ok_or("a vector is expected")?;
        self.float_bits(ty)?;
        let (ty, element, flags) =
            (self.type_text(ty)?.to_owned(), self.type_text(element)?.to_owned(), self.fast_math());
        let products = self.new_value(format_args!("fmul{flags} {ty} {a}, {b}"));
        let mut sum = self.new_value(format_args!("extractelement {ty} {products}, i32 0"));
        for lane in 1..count {
            let next = self.new_value(format_args!("extractelement {ty} {products}, i32 {lane}"));
            sum = self.new_value(format_args!("fadd{flags} {element} {sum}, {next}"));
        }
        self.set_result(format_args!("select i1 true, {element} {sum}, {element} {sum}"));
        Ok(())
    }

    /// Translates a sum with its carry, 0 or 1.
    pub(crate) fn add_with_carry(&mut self) -> Result<()> {
        let halves = self.extended("add", "zext")?;
        self.set_halves(&halves)
    }

    /// Translates a difference with its borrow, 0 or 1.
    pub(crate) fn subtract_with_borrow(&mut self) -> Result<()> {
        let mut halves = self.extended("sub", "zext")?;
        // The upper half of a negative difference is all ones.
        let one = self.splat(halves.ty, "1")?;
        let (ty, high) = (self.type_text(halves.ty)?.to_owned(), halves.high);
        halves.high = self.new_value(format_args!("and {ty} {high}, {one}"));
        self.set_halves(&halves)
    }

    /// Translates a product of twice the width.
    pub(crate) fn multiply_extended(&mut self, extend: &str) -> Result<()> {
        let halves = self.extended("mul", extend)?;
        self.set_halves(&halves)
    }

    /// Computes a result at twice the width.
    fn extended(&mut self, name: &str, extend: &str) -> Result<Halves> {
        let (ty, a, b) = self.values_of_one_type(self.operand(2), self.operand(3))?;
        let bits = self.int_bits(ty)?;
        let double = format!("i{}", bits * 2);
        let wide = self.shaped_like(ty, &double)?;
        let distance = match self.program.types.scalar(ty)?.1 {
            Some(count) => format!("<{}>", vec![format!("{double} {bits}"); count as usize].join(", ")),
            None => bits.to_string(),
        };
        // Fails before anything is written if the result has no type.
        self.type_text(self.result_type())?;
        let text = self.type_text(ty)?.to_owned();
        let wide_a = self.new_value(format_args!("{extend} {text} {a} to {wide}"));
        let wide_b = self.new_value(format_args!("{extend} {text} {b} to {wide}"));
        let both = self.new_value(format_args!("{name} {wide} {wide_a}, {wide_b}"));
        let low = self.new_value(format_args!("trunc {wide} {both} to {text}"));
        let shifted = self.new_value(format_args!("lshr {wide} {both}, {distance}"));
        let high = self.new_value(format_args!("trunc {wide} {shifted} to {text}"));
        Ok(Halves { ty, low, high })
    }

    /// Sets the result to a structure of two halves.
    fn set_halves(&mut self, halves: &Halves) -> Result<()> {
        let (whole, ty) =
            (self.type_text(self.result_type())?.to_owned(), self.type_text(halves.ty)?.to_owned());
        let Halves { low, high, .. } = halves;
        let first = self.new_value(format_args!("insertvalue {whole} undef, {ty} {low}, 0"));
        self.set_result(format_args!("insertvalue {whole} {first}, {ty} {high}, 1"));
        Ok(())
    }

    /// Calls an intrinsic with one operand and a result of the same integer type.
    pub(crate) fn bit_intrinsic(&mut self, name: &str, ty: u32, operands: &[String]) -> Result<String> {
        let [value] = operands else { return Err("an operand is missing".into()) };
        let (element, _) = self.program.types.scalar(ty)?;
        self.int_bits(element)?;
        let element = self.type_text(element)?.to_owned();
        let function = format!("llvm.{name}.{element}");
        self.helpers.declare(&element, &function, &element, "nounwind readnone");
        Ok(self.new_value(format_args!("call {element} @{function}({element} {value})")))
    }

    /// Translates the remainder of a division that has the dividend's sign.
    pub(crate) fn float_remainder(&mut self) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let operands = [self.operand(2), self.operand(3)];
        self.lanes(&operands, |body, operands| body.call_libdevice("fmod", ty, operands))
    }

    /// Translates a floating-point remainder that has the divisor's sign.
    pub(crate) fn float_modulo(&mut self) -> Result<()> {
        let ty = self.program.types.scalar(self.result_type())?.0;
        let operands = [self.operand(2), self.operand(3)];
        self.lanes(&operands, |body, operands| {
            let rest = body.call_libdevice("fmod", ty, operands)?;
            let [_, b] = operands else { return Err("an operand is missing".into()) };
            let text = body.type_text(ty)?.to_owned();
            let zero = float(body.float_bits(ty)?, 0);
            let some = body.new_value(format_args!("fcmp une {text} {rest}, {zero}"));
            let negative = body.new_value(format_args!("fcmp olt {text} {rest}, {zero}"));
            let below = body.new_value(format_args!("fcmp olt {text} {b}, {zero}"));
            let differ = body.new_value(format_args!("xor i1 {negative}, {below}"));
            let wrong = body.new_value(format_args!("and i1 {some}, {differ}"));
            let other = body.new_value(format_args!("fadd {text} {rest}, {b}"));
            Ok(body.new_value(format_args!("select i1 {wrong}, {text} {other}, {text} {rest}")))
        })
    }

    /// Copies a value to the result's name.
    pub(crate) fn copy(&mut self, ty: u32, value: &str) -> Result<()> {
        let (ty, result) = (self.type_text(ty)?.to_owned(), self.result());
        emit!(self, "{result} = select i1 true, {ty} {value}, {ty} {value}");
        Ok(())
    }

    /// Returns the first operand of one of the result's decorations, if the result has it.
    pub(crate) fn decorated(&self, which: Decoration) -> Option<u32> {
        self.program.index.decorations(self.inst.operand(1), which).next().map(|note| note.operand(2))
    }

    /// Returns the alignment with which the result is decorated, in bytes.
    pub(crate) fn decorated_alignment(&self) -> Option<u64> {
        self.decorated(Decoration::Alignment).map(u64::from)
    }
}

//! Remainders of doubles, exactly, by division of integers.
//!
//! rusticl computes `x - y * trunc(x / y)` for `OpFRem`, and on a CPU its functions need a `fma` that does not round twice.
//! Where the quotient is large, either gives zero or another number.

use rspirv::spirv::{FunctionControl, Op, OpenclStd100Op as CLOp};

use super::expression::{Expression, Numbers};
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::{Draft, Function};
use crate::spirv::legalize::inline;
use crate::spirv::legalize::line::Line;

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
const NAN: u64 = 0x7ff8_0000_0000_0000;
const MANTISSA_BITS: u64 = 52;
/// A rest has 53 bits, and as many are left in a word.
const STEP: u64 = 11;
/// The bits of the quotient that `remquo` stores.
const QUOTIENT_BITS: u64 = 0x7f;

/// To which integer the quotient is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remainder {
    Truncated,
    Nearest,
}

/// The function that divides, once it is needed. In the end, it is inlined.
#[derive(Default)]
pub(super) struct Remainders {
    function: Option<u32>,
}

/// The types and constants that all of this needs.
struct Scalars {
    doubles: Numbers,
    words: Numbers,
    pair: u32,
    none: u32,
    one: u32,
}

impl Scalars {
    fn new(draft: &mut Draft) -> Result<Self, SpirvError> {
        let word = draft.int(64)?;
        let scalar = |kind| Numbers { kind, bits: 64, lanes: None };
        Ok(Self {
            doubles: scalar(draft.type_of(Op::TypeFloat, &[64])?),
            words: scalar(word),
            pair: draft.type_of(Op::TypeVector, &[word, 2])?,
            none: draft.constant(word, 0)?,
            one: draft.constant(word, 1)?,
        })
    }
}

impl Remainders {
    /// Replaces a function of two doubles, or of vectors of them, of which the first one is the operand with this number.
    /// `remquo` has a pointer after them. Returns false for other numbers.
    pub(super) fn replace(
        &mut self,
        code: &mut Expression<'_>,
        line: &Line,
        first: usize,
        remainder: Remainder,
    ) -> Result<bool, SpirvError> {
        let Some((numbers, x)) = code.float_operand(line, first).filter(|(numbers, _)| numbers.bits == 64)
        else {
            return Ok(false);
        };
        let y = line.operand(first + 1);
        let pointer = line.operands.get(first + 2).copied();
        let scalars = Scalars::new(code.draft)?;
        let function = self.function.map_or_else(|| divide(code.draft, &scalars), Ok)?;
        self.function = Some(function);
        let (mut rests, mut quotients) = (Vec::new(), Vec::new());
        for lane in 0..numbers.lanes.unwrap_or(1) {
            let mut part = |value: u32| match numbers.lanes {
                Some(_) => code.compute(Op::CompositeExtract, scalars.doubles, &[value, lane]),
                None => Ok(value),
            };
            let both = [part(x)?, part(y)?];
            let [rest, quotient] = of_scalars(code, &scalars, function, both, remainder)?;
            rests.push(rest);
            quotients.push(quotient);
        }
        if let Some(pointer) = pointer {
            store(code, &scalars, pointer, &quotients)?;
        }
        let join = if numbers.lanes.is_some() { Op::CompositeConstruct } else { Op::CopyObject };
        code.draft.emit_as(code.code, line.operand(1), join, numbers.kind, &rests)?;
        Ok(true)
    }
}

impl Remainders {
    /// Inlines the function. In some kernels with vectors of doubles, rusticl calls it with wrong arguments on a CPU, and
    /// crashes.
    pub(super) fn finish(self, draft: &mut Draft) -> Result<(), SpirvError> {
        self.function.map_or(Ok(()), |id| inline::inline_one(draft, id))
    }
}

/// Returns the rest and the last bits of the quotient, with its sign.
fn of_scalars(
    code: &mut Expression<'_>,
    scalars: &Scalars,
    function: u32,
    [x, y]: [u32; 2],
    remainder: Remainder,
) -> Result<[u32; 2], SpirvError> {
    let &Scalars { doubles, words, pair, none, one } = scalars;
    let [sign_bit, infinity, nan, size_bits] = [
        code.constant(words, SIGN)?,
        code.constant(words, INFINITY)?,
        code.constant(words, NAN)?,
        code.constant(words, SIGN - 1)?,
    ];
    let x_bits = code.compute(Op::Bitcast, words, &[x])?;
    let y_bits = code.compute(Op::Bitcast, words, &[y])?;
    let x_size = code.compute(Op::BitwiseAnd, words, &[x_bits, size_bits])?;
    let y_size = code.compute(Op::BitwiseAnd, words, &[y_bits, size_bits])?;
    let both = code.draft.emit(code.code, Op::FunctionCall, pair, &[function, x_size, y_size])?;
    let mut rest = code.compute(Op::CompositeExtract, words, &[both, 0])?;
    let mut quotient = code.compute(Op::CompositeExtract, words, &[both, 1])?;
    if remainder == Remainder::Nearest {
        let y_size = code.compute(Op::Bitcast, doubles, &[y_size])?;
        let below = code.compute(Op::Bitcast, doubles, &[rest])?;
        // It is exact if the rest is at least half of y, and otherwise larger than the rest.
        let above = code.compute(Op::FSub, doubles, &[y_size, below])?;
        let is_nearer = code.test(Op::FOrdGreaterThan, doubles, &[below, above])?;
        let is_between = code.test(Op::FOrdEqual, doubles, &[below, above])?;
        let last_bit = code.compute(Op::BitwiseAnd, words, &[quotient, one])?;
        let is_odd = code.test(Op::INotEqual, words, &[last_bit, none])?;
        let is_tie = code.test(Op::LogicalAnd, words, &[is_between, is_odd])?;
        let is_up = code.test(Op::LogicalOr, words, &[is_nearer, is_tie])?;
        let negative = code.compute(Op::FSub, doubles, &[below, y_size])?;
        let nearest = code.select(is_up, doubles, [negative, below])?;
        rest = code.compute(Op::Bitcast, words, &[nearest])?;
        let more = code.compute(Op::IAdd, words, &[quotient, one])?;
        quotient = code.select(is_up, words, [more, quotient])?;
    }
    let x_sign = code.compute(Op::BitwiseAnd, words, &[x_bits, sign_bit])?;
    let rest = code.compute(Op::BitwiseXor, words, &[rest, x_sign])?;
    // x is infinite or no number; or y is zero or no number.
    let is_x_wrong = code.test(Op::UGreaterThanEqual, words, &[x_size, infinity])?;
    let y_below = code.compute(Op::ISub, words, &[y_size, one])?;
    let is_y_wrong = code.test(Op::UGreaterThanEqual, words, &[y_below, infinity])?;
    let is_wrong = code.test(Op::LogicalOr, words, &[is_x_wrong, is_y_wrong])?;
    let rest = code.select(is_wrong, words, [nan, rest])?;
    let rest = code.compute(Op::Bitcast, doubles, &[rest])?;
    let last_bits = code.constant(words, QUOTIENT_BITS)?;
    let last = code.compute(Op::BitwiseAnd, words, &[quotient, last_bits])?;
    let opposite = code.compute(Op::ISub, words, &[none, last])?;
    let signs = code.compute(Op::BitwiseXor, words, &[x_bits, y_bits])?;
    let is_negative = code.test(Op::SLessThan, words, &[signs, none])?;
    let quotient = code.select(is_negative, words, [opposite, last])?;
    let quotient = code.select(is_wrong, words, [none, quotient])?;
    Ok([rest, quotient])
}

/// Stores the quotients through a pointer.
fn store(
    code: &mut Expression<'_>,
    scalars: &Scalars,
    pointer: u32,
    quotients: &[u32],
) -> Result<(), SpirvError> {
    let unknown = || SpirvError::whole("remquo stores its quotient through a pointer of an unknown type");
    let pointee = code.draft.kind(pointer).and_then(|kind| code.draft.definition(kind));
    let pointee = pointee.filter(|kind| kind.opcode() == Op::TypePointer).ok_or_else(unknown)?.operand(2);
    let integers = code.integers(pointee).ok_or_else(unknown)?;
    let element = match integers.lanes {
        Some(_) => code.draft.definition(pointee).map_or(0, |kind| kind.operand(1)),
        None => pointee,
    };
    let element = Numbers { kind: element, bits: integers.bits, lanes: None };
    let mut parts = Vec::new();
    for &quotient in quotients {
        let is_wide = element.bits == scalars.words.bits;
        let opcode = if is_wide { Op::Bitcast } else { Op::UConvert };
        parts.push(code.compute(opcode, element, &[quotient])?);
    }
    let value = match parts.as_slice() {
        &[value] if integers.lanes.is_none() => value,
        parts => code.compute(Op::CompositeConstruct, integers, parts)?,
    };
    code.code.push(Line::new(Op::Store, &[pointer, value]));
    Ok(())
}

/// Creates the function: the rest of the bits of two positive doubles, and the last bits of the quotient.
fn divide(draft: &mut Draft, scalars: &Scalars) -> Result<u32, SpirvError> {
    let &Scalars { words, pair, none, one, .. } = scalars;
    let kind = draft.type_of(Op::TypeFunction, &[pair, words.kind, words.kind])?;
    let id = draft.id()?;
    let mut lines = vec![Line::new(Op::Function, &[pair, id, FunctionControl::NONE.bits(), kind])];
    let mut code = Expression::new(draft, &mut lines);
    let x = code.compute(Op::FunctionParameter, words, &[])?;
    let y = code.compute(Op::FunctionParameter, words, &[])?;
    let mut labels = [0; 6];
    for label in &mut labels {
        *label = code.draft.id()?;
    }
    let [entry, smaller, larger, head, next, done] = labels;
    code.code.push(Line::new(Op::Label, &[entry]));
    let (x_power, x_mantissa) = parts(&mut code, scalars, x)?;
    let (y_power, y_mantissa) = parts(&mut code, scalars, y)?;
    // The result of a division by zero is not used.
    let divisor = code.call(CLOp::u_max, words, &[y_mantissa, one])?;
    let is_smaller = code.test(Op::ULessThan, words, &[x_power, y_power])?;
    code.code.push(Line::new(Op::BranchConditional, &[is_smaller, smaller, larger]));

    code.code.push(Line::new(Op::Label, &[smaller]));
    let all = code.draft.emit(code.code, Op::CompositeConstruct, pair, &[x, none])?;
    code.code.push(Line::new(Op::ReturnValue, &[all]));

    code.code.push(Line::new(Op::Label, &[larger]));
    let first_quotient = code.compute(Op::UDiv, words, &[x_mantissa, divisor])?;
    let first_rest = code.compute(Op::UMod, words, &[x_mantissa, divisor])?;
    let first_left = code.compute(Op::ISub, words, &[x_power, y_power])?;
    let most = code.constant(words, STEP)?;
    code.code.push(Line::new(Op::Branch, &[head]));

    code.code.push(Line::new(Op::Label, &[head]));
    let mut next_values = [0; 3];
    for value in &mut next_values {
        *value = code.draft.id()?;
    }
    let [next_quotient, next_rest, next_left] = next_values;
    let quotient = code.compute(Op::Phi, words, &[first_quotient, larger, next_quotient, next])?;
    let rest = code.compute(Op::Phi, words, &[first_rest, larger, next_rest, next])?;
    let left = code.compute(Op::Phi, words, &[first_left, larger, next_left, next])?;
    let is_more = code.test(Op::INotEqual, words, &[left, none])?;
    code.code.push(Line::new(Op::BranchConditional, &[is_more, next, done]));

    code.code.push(Line::new(Op::Label, &[next]));
    let step = code.call(CLOp::u_min, words, &[left, most])?;
    let shifted = code.compute(Op::ShiftLeftLogical, words, &[rest, step])?;
    let digits = code.compute(Op::UDiv, words, &[shifted, divisor])?;
    let before = code.compute(Op::ShiftLeftLogical, words, &[quotient, step])?;
    code.draft.emit_as(code.code, next_quotient, Op::IAdd, words.kind, &[before, digits])?;
    code.draft.emit_as(code.code, next_rest, Op::UMod, words.kind, &[shifted, divisor])?;
    code.draft.emit_as(code.code, next_left, Op::ISub, words.kind, &[left, step])?;
    code.code.push(Line::new(Op::Branch, &[head]));

    code.code.push(Line::new(Op::Label, &[done]));
    let rest = assembled(&mut code, scalars, rest, y_power)?;
    let both = code.draft.emit(code.code, Op::CompositeConstruct, pair, &[rest, quotient])?;
    code.code.push(Line::new(Op::ReturnValue, &[both]));
    code.code.push(Line::new(Op::FunctionEnd, &[]));
    draft.functions.push(Function { lines });
    Ok(id)
}

/// Returns the exponent and the mantissa of a positive double. A number below the smallest normal one has the exponent of
/// that.
fn parts(code: &mut Expression<'_>, scalars: &Scalars, bits: u32) -> Result<(u32, u32), SpirvError> {
    let &Scalars { words, none, one, .. } = scalars;
    let places = code.constant(words, MANTISSA_BITS)?;
    let mask = code.constant(words, (1 << MANTISSA_BITS) - 1)?;
    let hidden = code.constant(words, 1 << MANTISSA_BITS)?;
    let power = code.compute(Op::ShiftRightLogical, words, &[bits, places])?;
    let fraction = code.compute(Op::BitwiseAnd, words, &[bits, mask])?;
    let whole = code.compute(Op::BitwiseOr, words, &[fraction, hidden])?;
    let is_normal = code.test(Op::INotEqual, words, &[power, none])?;
    let mantissa = code.select(is_normal, words, [whole, fraction])?;
    let power = code.call(CLOp::u_max, words, &[power, one])?;
    Ok((power, mantissa))
}

/// Returns the bits of a double with this exponent and a mantissa of up to 53 bits.
fn assembled(
    code: &mut Expression<'_>,
    scalars: &Scalars,
    mantissa: u32,
    power: u32,
) -> Result<u32, SpirvError> {
    let &Scalars { words, none, one, .. } = scalars;
    let places = code.constant(words, MANTISSA_BITS)?;
    let spare = code.constant(words, 63 - MANTISSA_BITS)?;
    let zeros = code.call(CLOp::clz, words, &[mantissa])?;
    let missing = code.compute(Op::ISub, words, &[zeros, spare])?;
    let most = code.compute(Op::ISub, words, &[power, one])?;
    let shift = code.call(CLOp::u_min, words, &[missing, most])?;
    let shifted = code.compute(Op::ShiftLeftLogical, words, &[mantissa, shift])?;
    // The hidden bit adds one to the exponent.
    let power = code.compute(Op::ISub, words, &[most, shift])?;
    let high = code.compute(Op::ShiftLeftLogical, words, &[power, places])?;
    let bits = code.compute(Op::IAdd, words, &[shifted, high])?;
    let is_zero = code.test(Op::IEqual, words, &[mantissa, none])?;
    code.select(is_zero, words, [none, bits])
}

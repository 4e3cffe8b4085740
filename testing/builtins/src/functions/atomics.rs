//! Tests of atomic operations in global and in local memory. Each operates on memory of a single work-item, and
//! both the returned old value and the stored new one are checked.

use std::rc::Rc;

use dashu_int::IBig;

use super::entry::{Amount, Entry};
use super::integers::cut;
use crate::answer::{Answer, Operands};
use crate::case::{Case, Input, Output};
use crate::expected::Expected;
use crate::inputs::{self, STEP};
use crate::kernel::pointer_id;
use crate::number::{FLOAT, Value, exact};
use crate::types::{FLOATS, Scalar, UINT, integers};

/// The value that an operation stores, computed from the old value, the operand and the comparator.
enum Leaves {
    /// An operation on integers that ignores signs.
    Bits(fn(u64, u64, u64) -> u64),
    /// An operation on signed integers.
    Signed(fn(IBig, IBig) -> IBig),
    /// An operation on floating-point numbers.
    Float(fn(&Operands, u64, u64) -> Expected),
}

struct Row {
    name: &'static str,
    /// The instruction's operands after the pointer, scope and semantics. `V` stands for the operand, `C` for the
    /// comparator.
    operands: &'static str,
    leaves: Leaves,
    /// Whether it takes signed integers.
    signed: bool,
}

const fn row(name: &'static str, operands: &'static str, leaves: Leaves) -> Row {
    Row { name, operands, leaves, signed: false }
}

const ROWS: &[Row] = &[
    row("OpAtomicLoad", "", Leaves::Bits(|old, _, _| old)),
    row("OpAtomicStore", "V", Leaves::Bits(|_, new, _| new)),
    row("OpAtomicExchange", "V", Leaves::Bits(|_, new, _| new)),
    row("OpAtomicCompareExchange", "V C", Leaves::Bits(exchanged)),
    row("OpAtomicCompareExchangeWeak", "V C", Leaves::Bits(exchanged)),
    row("OpAtomicIIncrement", "", Leaves::Bits(|old, _, _| old.wrapping_add(1))),
    row("OpAtomicIDecrement", "", Leaves::Bits(|old, _, _| old.wrapping_sub(1))),
    row("OpAtomicIAdd", "V", Leaves::Bits(|old, new, _| old.wrapping_add(new))),
    row("OpAtomicISub", "V", Leaves::Bits(|old, new, _| old.wrapping_sub(new))),
    row("OpAtomicUMin", "V", Leaves::Bits(|old, new, _| old.min(new))),
    row("OpAtomicUMax", "V", Leaves::Bits(|old, new, _| old.max(new))),
    Row { signed: true, ..row("OpAtomicSMin", "V", Leaves::Signed(IBig::min)) },
    Row { signed: true, ..row("OpAtomicSMax", "V", Leaves::Signed(IBig::max)) },
    row("OpAtomicAnd", "V", Leaves::Bits(|old, new, _| old & new)),
    row("OpAtomicOr", "V", Leaves::Bits(|old, new, _| old | new)),
    row("OpAtomicXor", "V", Leaves::Bits(|old, new, _| old ^ new)),
    row("OpAtomicFlagTestAndSet", "", Leaves::Bits(|_, _, _| 1)),
    row("OpAtomicFlagClear", "", Leaves::Bits(|_, _, _| 0)),
    row("OpAtomicFAddEXT", "V", Leaves::Float(sum)),
    row("OpAtomicFMinEXT", "V", Leaves::Float(|operands, old, new| limit(operands, old, new, false))),
    row("OpAtomicFMaxEXT", "V", Leaves::Float(|operands, old, new| limit(operands, old, new, true))),
];

fn exchanged(old: u64, new: u64, comparator: u64) -> u64 {
    if old == comparator { new } else { old }
}

/// According to NVIDIA's documentation of PTX, `atom.add` of `float` in global memory flushes denormal numbers to
/// zero, which OpenCL allows.
fn sum(operands: &Operands, _: u64, _: u64) -> Expected {
    let format = operands.format;
    let of = |operands: &Operands| {
        let one = format.rounded(&crate::number::whole(1), false, crate::number::Rounding::NearestEven);
        let with_one = [operands.bits[0], one, operands.bits[1]];
        let three = Operands::new(format, &[operands.types[0]; 3], with_one.to_vec());
        super::exact::fma(&three).within(format, 0.0)
    };
    let flushed = |bits: u64| {
        let is_denormal = bits & format.infinity(false) == 0;
        if is_denormal && format == FLOAT { bits & format.zero(true) } else { bits }
    };
    let small =
        Operands::new(format, &operands.types, operands.bits.iter().map(|bits| flushed(*bits)).collect());
    match (of(operands), of(&small)) {
        (Expected::Bits(full), Expected::Bits(small)) => {
            Expected::OneOf(vec![full, small, flushed(full), flushed(small)])
        }
        (full, _) => full,
    }
}

/// According to `SPV_EXT_shader_atomic_float_min_max`, returns the number if the other operand is NaN, and either
/// of two zeros.
fn limit(operands: &Operands, _: u64, _: u64, greatest: bool) -> Expected {
    let of = if greatest { super::exact::fmax } else { super::exact::fmin };
    match of(operands) {
        Answer::OneOf(bits) => Expected::OneOf(bits),
        answer => answer.within(operands.format, 0.0),
    }
}

pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    ROWS.iter().map(|row| Entry::new(row.name, move |amount| cases(row, amount)))
}

fn cases(row: &'static Row, amount: Amount) -> Vec<Case> {
    let is_flag = row.name.contains("Flag");
    let types: Vec<Scalar> = match row.leaves {
        Leaves::Float(_) => {
            FLOATS.into_iter().filter(|ty| ty.bits() > 16 || row.name.contains("Add")).collect()
        }
        _ if is_flag => vec![UINT],
        // Loads, stores and exchanges also take floating-point numbers.
        _ if matches!(row.name, "OpAtomicLoad" | "OpAtomicStore" | "OpAtomicExchange") => integers()
            .filter(|ty| !ty.is_signed())
            .chain(FLOATS.into_iter().filter(|ty| ty.bits() > 16))
            .collect(),
        _ => integers().filter(|ty| ty.is_signed() == row.signed).collect(),
    };
    types.into_iter().flat_map(|ty| [false, true].map(|local| case(row, ty, local, amount))).collect()
}

fn case(row: &Row, ty: Scalar, local: bool, amount: Amount) -> Case {
    let types = [ty; 2];
    let mut columns = inputs::columns(&types, &[], amount.count, amount.seed);
    if row.name.contains("Flag") {
        columns[0].iter_mut().for_each(|bits| *bits &= 1);
    }
    // Half of the comparators equal the old value.
    let comparators: Vec<u64> = columns[0]
        .iter()
        .zip(&columns[1])
        .enumerate()
        .map(|(at, (old, new))| if at % 2 == 0 { *old } else { *new })
        .collect();
    let left = |at: usize| -> Expected {
        let (old, new, comparator) = (columns[0][at], columns[1][at], comparators[at]);
        match &row.leaves {
            Leaves::Bits(of) => Expected::Bits(of(old, new, comparator) & ty.mask()),
            Leaves::Signed(of) => {
                let [old, new] = [old, new].map(|bits| IBig::from(ty.integer(bits)));
                Expected::Bits(cut(&of(old, new), ty.bits()))
            }
            Leaves::Float(of) => match ty.format() {
                Some(format) => of(&Operands::new(format, &types, vec![old, new]), old, new),
                None => Expected::Any,
            },
        }
    };
    let rows = columns[0].len();
    let returned = |at: usize| match row.name {
        "OpAtomicStore" | "OpAtomicFlagClear" => Expected::Bits(columns[0][at]),
        _ => unchanged(ty, columns[0][at]),
    };
    let output =
        |expected: Vec<Expected>, by_code| Output { ty, lanes: 1, expected: Rc::new(expected), by_code };
    let outputs =
        vec![output((0..rows).map(returned).collect(), false), output((0..rows).map(left).collect(), true)];
    let all = [columns[0].clone(), columns[1].clone(), comparators];
    let inputs = all.into_iter().map(|bits| Input { ty, lanes: 1, bits: Rc::new(bits) }).collect();
    let (declarations, code) = code(row, ty, local);
    Case {
        function: format!("{}{}", row.name, if local { " in local memory" } else { "" }),
        ty: ty.name().to_owned(),
        inputs,
        outputs,
        declarations,
        variables: String::new(),
        code,
        group: Some(STEP),
        bound: Some(0.0),
    }
}

/// The returned old value must be unchanged bit for bit, except for NaN.
fn unchanged(ty: Scalar, bits: u64) -> Expected {
    match ty.format().map(|format| format.value(bits)) {
        Some(Value::Nan) => Expected::Nan,
        Some(Value::Finite { real, .. }) if ty.format() == Some(FLOAT) && is_denormal(&real) => {
            Expected::OneOf(vec![bits, bits & FLOAT.zero(true)])
        }
        _ => Expected::Bits(bits),
    }
}

fn is_denormal(real: &crate::number::Real) -> bool {
    use dashu_base::Abs;
    exact(real).abs() < crate::number::power_of_two(1 - FLOAT.greatest_exponent())
}

fn code(row: &Row, ty: Scalar, local: bool) -> (String, String) {
    let id = ty.id();
    let (place, mut declarations, mut code) = match local {
        false => ("%$at1", String::new(), String::new()),
        true => {
            let declarations = format!(
                "%$array = OpTypeArray %{id} %u_{STEP}\n%$pointer = OpTypePointer Workgroup %$array\n\
                 %$memory = OpVariable %$pointer Workgroup\n"
            );
            let pointer = pointer_id("Workgroup", id);
            ("%$place", declarations, format!("%$place = OpInBoundsAccessChain {pointer} %$memory %$l\n"))
        }
    };
    declarations.push('\n');
    code += &format!("OpStore {place} %$v0\n");
    let operands = row.operands.replace('V', "%$v1").replace('C', "%$v2");
    let semantics = if row.name.contains("CompareExchange") { "%i_relaxed %i_relaxed" } else { "%i_relaxed" };
    let operation = format!("{place} %i_device {semantics} {operands}");
    code += &match row.name {
        "OpAtomicStore" | "OpAtomicFlagClear" => {
            format!("{} {operation}\n%$r0 = OpCopyObject %{id} %$v0\n", row.name)
        }
        "OpAtomicFlagTestAndSet" => {
            format!("%$was = {} %bool {operation}\n%$r0 = OpSelect %{id} %$was %u_1 %u_0\n", row.name)
        }
        name => format!("%$r0 = {name} %{id} {operation}\n"),
    };
    if local {
        code += &format!("%$left = OpLoad %{id} {place}\nOpStore %$at1 %$left\n");
    }
    (declarations, code)
}

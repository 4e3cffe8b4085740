//! The kernels whose results a loop on the host can compute, by the function in their name.

use super::names::template;
use super::values::{Number, Type};

/// A kernel's signature, and the number of work-items for `n` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// `(inputs..., result, n)` in groups of 64: tensor functions of dpctl and dpnp.
    CountLast,
    /// `(n, inputs..., result)` in groups of 64: `dpnp_..._c_sg_kernel`, copies, `where`, `clip`.
    CountFirst,
    /// `(input, result, n)` in groups of 64, where the result is the first operand.
    InPlace,
    /// `(result, first, step)`, one work-item for each element.
    Sequence,
    /// `(result, value)`, one work-item for each element.
    Fill,
}

/// A kernel that can be checked.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub(super) shape: Shape,
    /// The function without prefix and suffix, such as `add`.
    pub(super) function: String,
    pub(super) inputs: Vec<Type>,
    pub(super) result: Type,
}

/// Functions of two values, then of one, with dpctl's names.
const TWO: [&str; 24] = [
    "add",
    "subtract",
    "multiply",
    "maximum",
    "minimum",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "bitwise_left_shift",
    "bitwise_right_shift",
    "equal",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "floor_divide",
    "remainder",
    "true_divide",
    "hypot",
    "atan2",
];
const ONE: [&str; 37] = [
    "abs",
    "negative",
    "positive",
    "square",
    "sign",
    "floor",
    "ceil",
    "trunc",
    "round",
    "sqrt",
    "cbrt",
    "rsqrt",
    "reciprocal",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "asin",
    "acos",
    "atan",
    "asinh",
    "atanh",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "logical_not",
    "bitwise_invert",
];

/// Returns what a kernel does, if its name tells it.
pub(super) fn of_kernel(name: &str) -> Option<Checked> {
    if name.contains("disabled_sg_loadstore_wrapper")
        || name.contains("RoundedRangeKernel")
        || name.contains("pf_kernel_wrapper")
    {
        return None;
    }
    let made = |shape, function: &str, inputs: &[Type], result| {
        Some(Checked { shape, function: function.into(), inputs: inputs.to_vec(), result })
    };
    if let Some(found) = template(name, "_contig_kernel") {
        let function = found.name.strip_suffix("_contig_kernel")?;
        return match (function, found.types.as_slice()) {
            ("copy_cast", &[from, to, ..]) => made(Shape::CountFirst, "positive", &[from], to),
            ("where", &[value, condition, ..]) => {
                made(Shape::CountFirst, "where", &[condition, value, value], value)
            }
            ("clip", &[value, ..]) => made(Shape::CountFirst, "clip", &[value; 3], value),
            (one, &[input, result, ..]) if ONE.contains(&one) => {
                made(Shape::CountLast, one, &[input], result)
            }
            (two, &[first, second, result, ..]) if TWO.contains(&two) => {
                made(Shape::CountLast, two, &[first, second], result)
            }
            (in_place, &[other, result, ..]) => {
                let function = in_place.strip_suffix("_inplace").filter(|name| TWO.contains(name))?;
                made(Shape::InPlace, function, &[other], result)
            }
            _ => None,
        };
    }
    if let Some(found) = template(name, "_c_sg_kernel") {
        let function = found.name.strip_prefix("dpnp_")?.strip_suffix("_c_sg_kernel")?;
        let function = if function == "divide" { "true_divide" } else { function };
        let &[result, first, second] = found.types.as_slice() else { return None };
        return TWO
            .contains(&function)
            .then(|| made(Shape::CountFirst, function, &[first, second], result))?;
    }
    if let Some(found) = template(name, "linear_sequence_step_kernel") {
        let &[result] = found.types.as_slice() else { return None };
        return (result != Type::Bool).then(|| made(Shape::Sequence, "arange", &[], result))?;
    }
    let filled = name.strip_prefix("_ZTSZN4sycl3_V17handler4fillI")?.chars().next()?;
    made(Shape::Fill, "fill", &[], Type::of_code(filled)?)
}

/// Returns the value of a function's operand for one element, within its domain.
pub(super) fn operand(function: &str, of: Type, operand: usize, element: usize) -> Number {
    let small = |count: usize| (element % count) as i64;
    if of.is_real() {
        return Number::Real(match (function, operand) {
            ("asin" | "acos" | "atanh", _) => (small(15) - 7) as f64 / 8.0,
            ("sqrt" | "rsqrt" | "reciprocal" | "log" | "log2" | "log10" | "log1p" | "hypot", _) => {
                small(23) as f64 * 0.25 + 0.5
            }
            ("floor_divide" | "remainder" | "true_divide", 1) => small(5) as f64 + 1.0,
            (_, 1) => (small(17) - 8) as f64 * 0.5,
            _ => (small(37) - 18) as f64 * 0.25,
        });
    }
    Number::Integer(match (function, operand) {
        _ if of == Type::Bool => small(3) % 2,
        ("bitwise_left_shift" | "bitwise_right_shift", 1) => small(4),
        ("floor_divide" | "remainder" | "true_divide", 1) => small(7) + 1,
        ("bitwise_left_shift", _) => small(12),
        _ if of.is_signed() => small(12 + operand) - 5,
        _ => small(12 + operand),
    })
}

/// Returns whether the result is rounded at most once.
pub(super) fn is_exact(function: &str) -> bool {
    TWO[..21].contains(&function)
        || ONE[..9].contains(&function)
        || ["where", "clip", "arange", "fill"].contains(&function)
}

/// Returns a function's result before its conversion to the result's type.
pub(super) fn evaluate(function: &str, operands: &[Number]) -> Option<Number> {
    use Number::{Integer, Real};
    let flag = |value: bool| Some(Integer(value.into()));
    let truth = |number: Number| number.real() != 0.0;
    match (function, operands) {
        ("where", &[condition, yes, no]) => return Some(if truth(condition) { yes } else { no }),
        ("clip", &[value, least, most]) => {
            let at_least = if value.real() < least.real() { least } else { value };
            return Some(if at_least.real() > most.real() { most } else { at_least });
        }
        ("equal", &[a, b]) => return flag(a.real() == b.real()),
        ("not_equal", &[a, b]) => return flag(a.real() != b.real()),
        ("less", &[a, b]) => return flag(a.real() < b.real()),
        ("less_equal", &[a, b]) => return flag(a.real() <= b.real()),
        ("greater", &[a, b]) => return flag(a.real() > b.real()),
        ("greater_equal", &[a, b]) => return flag(a.real() >= b.real()),
        ("logical_and", &[a, b]) => return flag(truth(a) && truth(b)),
        ("logical_or", &[a, b]) => return flag(truth(a) || truth(b)),
        ("logical_xor", &[a, b]) => return flag(truth(a) != truth(b)),
        ("logical_not", &[a]) => return flag(!truth(a)),
        ("isnan" | "isinf", &[_]) => return flag(false),
        ("isfinite", &[_]) => return flag(true),
        ("signbit", &[a]) => return flag(a.real() < 0.0),
        _ => {}
    }
    match *operands {
        [Integer(a)] => integer(function, a),
        [Real(a)] => real(function, a).map(Real),
        [Integer(a), Integer(b)] if function != "true_divide" => integers(function, a, b),
        [a, b] => reals(function, a.real(), b.real()).map(Real),
        _ => None,
    }
}

fn integer(function: &str, a: i64) -> Option<Number> {
    Some(Number::Integer(match function {
        "abs" => a.abs(),
        "negative" => -a,
        "positive" | "floor" | "ceil" | "trunc" | "round" => a,
        "square" => a * a,
        "sign" => a.signum(),
        "bitwise_invert" => !a,
        _ => return real(function, a as f64).map(Number::Real),
    }))
}

fn integers(function: &str, a: i64, b: i64) -> Option<Number> {
    Some(Number::Integer(match function {
        "add" => a + b,
        "subtract" => a - b,
        "multiply" => a * b,
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "bitwise_and" => a & b,
        "bitwise_or" => a | b,
        "bitwise_xor" => a ^ b,
        "bitwise_left_shift" => a << b,
        "bitwise_right_shift" => a >> b,
        // Divisors are positive.
        "floor_divide" => a.div_euclid(b),
        "remainder" => a.rem_euclid(b),
        _ => return reals(function, a as f64, b as f64).map(Number::Real),
    }))
}

fn reals(function: &str, a: f64, b: f64) -> Option<f64> {
    Some(match function {
        "add" => a + b,
        "subtract" => a - b,
        "multiply" => a * b,
        "maximum" => a.max(b),
        "minimum" => a.min(b),
        "floor_divide" => (a / b).floor(),
        "remainder" => a.rem_euclid(b),
        "true_divide" => a / b,
        "hypot" => a.hypot(b),
        "atan2" => a.atan2(b),
        _ => return None,
    })
}

fn real(function: &str, a: f64) -> Option<f64> {
    Some(match function {
        "abs" => a.abs(),
        "negative" => -a,
        "positive" => a,
        "square" => a * a,
        "sign" => {
            if a == 0.0 {
                0.0
            } else {
                a.signum()
            }
        }
        "floor" => a.floor(),
        "ceil" => a.ceil(),
        "trunc" => a.trunc(),
        "round" => a.round_ties_even(),
        "sqrt" => a.sqrt(),
        "cbrt" => a.cbrt(),
        "rsqrt" => 1.0 / a.sqrt(),
        "reciprocal" => 1.0 / a,
        "exp" => a.exp(),
        "exp2" => a.exp2(),
        "expm1" => a.exp_m1(),
        "log" => a.ln(),
        "log2" => a.log2(),
        "log10" => a.log10(),
        "log1p" => a.ln_1p(),
        "sin" => a.sin(),
        "cos" => a.cos(),
        "tan" => a.tan(),
        "sinh" => a.sinh(),
        "cosh" => a.cosh(),
        "tanh" => a.tanh(),
        "asin" => a.asin(),
        "acos" => a.acos(),
        "atan" => a.atan(),
        "asinh" => a.asinh(),
        "atanh" => a.atanh(),
        _ => return None,
    })
}

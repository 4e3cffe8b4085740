//! Tests of conversions between all types of numbers, with every rounding, with and without saturation.

use dashu_int::IBig;

use super::entry::{Amount, Entry};
use super::integers::cut;
use crate::case::{Case, Code, Elements};
use crate::expected::Expected;
use crate::inputs;
use crate::number::{Format, Rounding, Value, to_integer, whole};
use crate::types::{FLOATS, Scalar, integers, type_id};

/// OpenCL C's suffixes, SPIR-V's names, and the roundings.
const MODES: [(&str, &str, Rounding); 4] = [
    ("_rte", "RTE", Rounding::NearestEven),
    ("_rtz", "RTZ", Rounding::TowardsZero),
    ("_rtp", "RTP", Rounding::Up),
    ("_rtn", "RTN", Rounding::Down),
];

/// A conversion to a type.
#[derive(Clone, Copy, Debug)]
struct Way {
    to: Scalar,
    is_saturated: bool,
    /// An index into `MODES`.
    mode: Option<usize>,
}

impl Way {
    fn name(self) -> String {
        let saturated = if self.is_saturated { "_sat" } else { "" };
        format!("convert_{}{saturated}{}", self.to.name(), self.mode.map_or("", |mode| MODES[mode].0))
    }
}

pub(crate) fn entries() -> impl Iterator<Item = Entry> {
    integers().chain(FLOATS).flat_map(|to| {
        let saturations: &[bool] = if to.format().is_some() { &[false] } else { &[false, true] };
        saturations.iter().flat_map(move |&is_saturated| {
            let modes = [None].into_iter().chain((0..MODES.len()).map(Some));
            modes.map(move |mode| {
                let way = Way { to, is_saturated, mode };
                Entry::new(way.name(), move |amount| cases(way, amount))
            })
        })
    })
}

fn cases(way: Way, amount: Amount) -> Vec<Case> {
    let sources = integers().chain(FLOATS).filter(|from| is_conversion(*from, way)).enumerate();
    sources.flat_map(|(number, from)| of_type(from, way, amount, &amount.widths(number))).collect()
}

/// Returns whether an instruction converts. Rounding only applies to floating-point numbers.
fn is_conversion(from: Scalar, way: Way) -> bool {
    match (from, way.to) {
        (Scalar::Int { bits, signed }, Scalar::Int { bits: to, signed: to_signed }) => {
            way.mode.is_none() && (bits != to || way.is_saturated && signed != to_signed)
        }
        (Scalar::Float(from), Scalar::Float(to)) => from != to,
        _ => true,
    }
}

fn of_type(from: Scalar, way: Way, amount: Amount, widths: &[usize]) -> Vec<Case> {
    let columns = inputs::columns(&[from], &[], amount.count, amount.seed);
    let expected = columns[0].iter().map(|bits| converted(from, *bits, way)).collect();
    let elements = Elements {
        function: way.name(),
        ty: from.name().to_owned(),
        inputs: vec![(from, columns[0].clone())],
        outputs: vec![(way.to, expected)],
        bound: Some(0.0),
    };
    elements.cases(widths, |lanes| code(from, way, lanes))
}

fn code(from: Scalar, way: Way, lanes: usize) -> Code {
    let (to, mut is_decorated) = (way.to, way.is_saturated);
    let operation = match (from, to) {
        (Scalar::Float(_), Scalar::Float(_)) => "OpFConvert",
        (Scalar::Float(_), Scalar::Int { signed: true, .. }) => "OpConvertFToS",
        (Scalar::Float(_), Scalar::Int { .. }) => "OpConvertFToU",
        (Scalar::Int { signed: true, .. }, Scalar::Float(_)) => "OpConvertSToF",
        (Scalar::Int { .. }, Scalar::Float(_)) => "OpConvertUToF",
        (Scalar::Int { signed, .. }, Scalar::Int { signed: to_signed, .. }) => {
            match (way.is_saturated, signed, to_signed) {
                (true, true, false) => {
                    is_decorated = false;
                    "OpSatConvertSToU"
                }
                (true, false, true) => {
                    is_decorated = false;
                    "OpSatConvertUToS"
                }
                (_, true, _) => "OpSConvert",
                _ => "OpUConvert",
            }
        }
    };
    let mut declarations = String::new();
    if is_decorated {
        declarations += "OpDecorate %$r0 SaturatedConversion\n";
    }
    if let Some(mode) = way.mode {
        declarations += &format!("OpDecorate %$r0 FPRoundingMode {}\n", MODES[mode].1);
    }
    let code = format!("%$r0 = {operation} {} %$v0\n", type_id(to, lanes));
    Code { declarations, code, ..Code::default() }
}

fn converted(from: Scalar, bits: u64, way: Way) -> Expected {
    let mode = way.mode.map(|mode| MODES[mode].2);
    match (from, way.to) {
        (Scalar::Float(from), Scalar::Float(to)) => {
            let mode = mode.unwrap_or(Rounding::NearestEven);
            float_from(&from.value(bits), to, mode)
        }
        (Scalar::Float(from), Scalar::Int { .. }) => {
            integer_from(&from.value(bits), way, mode.unwrap_or(Rounding::TowardsZero))
        }
        (Scalar::Int { .. }, Scalar::Float(to)) => {
            let value = whole(IBig::from(from.integer(bits)));
            Expected::Bits(to.rounded(&value, false, mode.unwrap_or(Rounding::NearestEven)))
        }
        (Scalar::Int { .. }, Scalar::Int { .. }) => {
            let (least, greatest) = way.to.range();
            let value = from.integer(bits);
            let value = if way.is_saturated { value.clamp(least, greatest) } else { value };
            Expected::Bits(cut(&IBig::from(value), way.to.bits()))
        }
    }
}

pub(crate) fn float_from(value: &Value, to: Format, mode: Rounding) -> Expected {
    match value {
        Value::Nan => Expected::Nan,
        Value::Infinite { negative } => Expected::Bits(to.infinity(*negative)),
        Value::Finite { real, negative } => Expected::Bits(to.rounded(real, *negative, mode)),
    }
}

/// Follows the OpenCL C specification, Out-of-Range Behavior and Saturated Conversions. Without saturation, values
/// beyond the type and NaN give any result. With it, they give the nearest number and 0.
fn integer_from(value: &Value, way: Way, mode: Rounding) -> Expected {
    let (least, greatest) = way.to.range();
    let whole = match value {
        _ if !way.is_saturated && value.real().is_none() => return Expected::Any,
        Value::Nan => IBig::ZERO,
        Value::Infinite { negative: true } => least.into(),
        Value::Infinite { .. } => greatest.into(),
        Value::Finite { real, .. } => to_integer(real, mode),
    };
    let inside = whole.clone().clamp(least.into(), greatest.into());
    match whole == inside || way.is_saturated {
        true => Expected::Bits(cut(&inside, way.to.bits())),
        false => Expected::Any,
    }
}

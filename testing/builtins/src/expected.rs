//! Expected results, and whether a number matches them.

use crate::number::{Format, Real, Rounding};
use crate::types::Scalar;

/// The allowed results.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// The specification leaves the result open.
    Any,
    /// NaN, with any bits.
    Nan,
    /// These bits.
    Bits(u64),
    /// Any of these bits.
    OneOf(Vec<u64>),
    /// A value, from which the number may differ by this many units in the last place.
    Near { real: Real, ulps: f64 },
    /// A value, from which the number may differ by an absolute amount.
    Within { real: Real, tolerance: Real },
}

/// The comparison of a number with its expected value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judgement {
    pub(crate) is_right: bool,
    /// The error in units in the last place, or 0 if that is not defined.
    pub(crate) ulps: f64,
}

const RIGHT: Judgement = Judgement { is_right: true, ulps: 0.0 };
const WRONG: Judgement = Judgement { is_right: false, ulps: 0.0 };

impl Expected {
    /// Expects the number to which a value is rounded.
    pub(crate) fn rounded(format: Format, real: &Real, negative_zero: bool) -> Self {
        Self::Bits(format.rounded(real, negative_zero, Rounding::NearestEven))
    }

    pub(crate) fn judge(&self, ty: Scalar, bits: u64) -> Judgement {
        let format = ty.format();
        let is_nan = format.is_some_and(|format| format.is_nan(bits));
        let judged = |is_right: bool| if is_right { RIGHT } else { WRONG };
        match self {
            Self::Any => RIGHT,
            Self::Nan => judged(is_nan),
            Self::Bits(expected) => judged(
                bits == *expected || is_nan && ty.format().is_some_and(|format| format.is_nan(*expected)),
            ),
            Self::OneOf(all) => judged(all.iter().any(|one| Self::Bits(*one).judge(ty, bits).is_right)),
            Self::Near { real, ulps } => {
                let off = format.map_or(f64::INFINITY, |format| format.distance(bits, real));
                Judgement {
                    is_right: off <= *ulps && !(is_nan && ulps.is_finite()),
                    ulps: if is_nan { 0.0 } else { off },
                }
            }
            Self::Within { real, tolerance } => {
                let off = format.and_then(|format| format.value(bits).real().cloned());
                judged(off.is_some_and(|found| {
                    let off = crate::number::exact(&found) - crate::number::exact(real);
                    off <= *tolerance && -off <= *tolerance
                }))
            }
        }
    }

    /// Formats the expectation for messages.
    pub(crate) fn text(&self, ty: Scalar) -> String {
        match self {
            Self::Any => "anything".to_owned(),
            Self::Nan => "no number".to_owned(),
            Self::Bits(bits) => shown(ty, *bits),
            Self::OneOf(all) => all.iter().map(|bits| shown(ty, *bits)).collect::<Vec<_>>().join(" or "),
            Self::Near { real, ulps } => format!("{} within {ulps} ulp", nearest(ty, real)),
            Self::Within { real, tolerance } => {
                format!("{} within {:e}", nearest(ty, real), tolerance.to_f64().value())
            }
        }
    }
}

fn nearest(ty: Scalar, real: &Real) -> String {
    ty.format()
        .map_or_else(String::new, |format| shown(ty, format.rounded(real, false, Rounding::NearestEven)))
}

/// Formats a number for messages, as its bits and their meaning.
pub(crate) fn shown(ty: Scalar, bits: u64) -> String {
    let width = ty.bits() / 4;
    match ty.format() {
        None => format!("{}", ty.integer(bits)),
        Some(format) => {
            let meaning = match format.value(bits) {
                crate::number::Value::Nan => "nan".to_owned(),
                crate::number::Value::Infinite { negative } => {
                    if negative { "-inf" } else { "inf" }.to_owned()
                }
                crate::number::Value::Finite { real, negative } => match real.to_f64().value() {
                    0.0 if negative => "-0".to_owned(),
                    value => format!("{value:e}"),
                },
            };
            format!("{meaning} (0x{bits:0width$x})")
        }
    }
}

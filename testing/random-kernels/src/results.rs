//! A kernel's results as a line of text, and the comparison of two of them.

use std::fmt;
use std::fmt::Write as _;
use std::str::FromStr;

use anyhow::{Context, Error, Result, bail};

use crate::kernel::Approximate;

/// The outcome of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Answer {
    /// It ran.
    Done {
        /// A hash of the exact bytes.
        sum: u64,
        /// The inexact results as hexadecimal digits: a `float` in 8, a `double` in 16.
        near: String,
        /// The bytes themselves, if they were requested.
        exact: Vec<u8>,
    },
    /// It was not built or launched.
    Failed(String),
}

/// The start of the reason if a kernel needs what the device does not have.
pub(crate) const LACKS: &str = "the device lacks ";

impl Answer {
    /// Returns whether the kernel was not run for a reason that the plugin or the device gives beforehand.
    pub(crate) fn is_refused(&self) -> bool {
        matches!(self, Self::Failed(why) if why.contains(LACKS) || why.contains(" is refused: "))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done { sum, near, exact } => {
                write!(f, "{sum:016x}\t{near}")?;
                if !exact.is_empty() {
                    f.write_char('\t')?;
                }
                exact.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            Self::Failed(why) => write!(f, "-\t{why}"),
        }
    }
}

impl FromStr for Answer {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self> {
        let mut fields = line.split('\t');
        match (fields.next(), fields.next()) {
            (Some("-"), Some(why)) => Ok(Self::Failed(why.to_owned())),
            (Some(sum), Some(near)) => {
                let digits = fields.next().unwrap_or_default();
                let bytes = (0..digits.len() / 2).map(|at| {
                    u8::from_str_radix(digits.get(2 * at..2 * at + 2).unwrap_or_default(), 16)
                        .context("digits")
                });
                Ok(Self::Done {
                    sum: u64::from_str_radix(sum, 16).with_context(|| format!("the sum in {line:?}"))?,
                    near: near.to_owned(),
                    exact: bytes.collect::<Result<_>>()?,
                })
            }
            _ => bail!("{line:?} is no answer"),
        }
    }
}

/// Returns a hash of bytes (FNV-1a).
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Formats words with the bits of doubles as digits. A `float` takes half the digits.
pub(crate) fn near(bytes: &[u8], results: &[Approximate], items: usize) -> String {
    let (words, _) = bytes.as_chunks::<8>();
    let mut text = String::new();
    for (result, words) in results.iter().zip(words.chunks(items)) {
        for word in words {
            let value = f64::from_le_bytes(*word);
            let _ = match result.is_float {
                true => write!(text, "{:08x}", (value as f32).to_bits()),
                false => write!(text, "{:016x}", value.to_bits()),
            };
        }
    }
    text
}

/// Describes the difference between two answers. Returns `None` if they agree within what OpenCL allows.
pub(crate) fn difference(
    expected: &Answer,
    got: &Answer,
    results: &[Approximate],
    items: usize,
) -> Option<String> {
    let (Answer::Done { sum, near, .. }, Answer::Done { sum: other_sum, near: other_near, .. }) =
        (expected, got)
    else {
        return None;
    };
    if sum != other_sum {
        return Some("results that are exact".to_owned());
    }
    let (mut left, mut right) = (near.as_str(), other_near.as_str());
    for result in results {
        let digits = if result.is_float { 8 } else { 16 };
        for item in 0..items {
            let (Some((one, rest)), Some((other, other_rest))) =
                (left.split_at_checked(digits), right.split_at_checked(digits))
            else {
                return Some("results are missing".to_owned());
            };
            (left, right) = (rest, other_rest);
            let [one, other] = [one, other].map(|digits| number(digits, result.is_float));
            let distance = distance(one, other, result.is_float);
            // Each of the two may be off by the limit.
            if distance > 2.0 * result.limit {
                return Some(format!(
                    "{} of work-item {item}: {other:e} instead of {one:e}, {distance:.1} units in the last place apart",
                    result.name
                ));
            }
        }
    }
    None
}

fn number(digits: &str, is_float: bool) -> f64 {
    let bits = u64::from_str_radix(digits, 16).unwrap_or_default();
    if is_float { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) }
}

/// Returns how many numbers of the type lie between two. Infinity follows the largest number, and both zeros are equal.
fn distance(one: f64, other: f64, is_float: bool) -> f64 {
    if one.is_nan() || other.is_nan() {
        return if one.is_nan() && other.is_nan() { 0.0 } else { f64::INFINITY };
    }
    let place = |value: f64| {
        let bits = if is_float {
            i64::from((value.abs() as f32).to_bits())
        } else {
            value.abs().to_bits().cast_signed()
        };
        i128::from(if value < 0.0 { -bits } else { bits })
    };
    (place(one) - place(other)).unsigned_abs() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(sum: u64, near: &str) -> Answer {
        Answer::Done { sum, near: near.to_owned(), exact: Vec::new() }
    }

    const EXP: [Approximate; 1] = [Approximate { name: "exp", is_float: true, limit: 3.0 }];

    #[test]
    fn exact_results_have_to_be_equal() {
        assert!(difference(&answer(1, "3f800000"), &answer(1, "3f800000"), &EXP, 1).is_none());
        assert!(difference(&answer(1, "3f800000"), &answer(2, "3f800000"), &EXP, 1).is_some());
    }

    #[test]
    fn other_results_may_be_apart_by_twice_the_limit() {
        assert!(difference(&answer(1, "3f800000"), &answer(1, "3f800006"), &EXP, 1).is_none());
        assert!(difference(&answer(1, "3f800000"), &answer(1, "3f800007"), &EXP, 1).is_some());
    }

    #[test]
    fn what_is_no_number_equals_only_what_is_none() {
        assert!(difference(&answer(1, "7fc00000"), &answer(1, "ffc00001"), &EXP, 1).is_none());
        assert!(difference(&answer(1, "7fc00000"), &answer(1, "7f800000"), &EXP, 1).is_some());
    }

    #[test]
    fn zeros_are_equal_and_infinity_is_behind_the_largest_number() {
        assert!(difference(&answer(1, "80000000"), &answer(1, "00000000"), &EXP, 1).is_none());
        assert!(difference(&answer(1, "7f800000"), &answer(1, "7f7fffff"), &EXP, 1).is_none());
    }

    #[test]
    fn answers_are_read_as_they_are_written() {
        let done = Answer::Done { sum: 77, near: "3f800000".to_owned(), exact: vec![1, 255] };
        for answer in [done, Answer::Failed("no such instruction".to_owned())] {
            assert_eq!(answer.to_string().parse::<Answer>().ok(), Some(answer));
        }
    }
}

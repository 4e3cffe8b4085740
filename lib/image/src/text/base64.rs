//! The encoding of byte arrays in property files. The digits are those of Base64, but the bits are taken lowest first,
//! and the end is not padded.

use crate::room::{OutOfMemory, room};

/// The reason why digits do not encode bytes.
#[derive(Debug, thiserror::Error)]
pub(super) enum DigitsProblem {
    #[error("{0:?} is not a Base64 digit")]
    Digit(char),
    #[error("a single Base64 digit is left at the end")]
    Single,
    #[error("bits are left at the end of the Base64 digits")]
    Bits,
    #[error(transparent)]
    Memory(OutOfMemory),
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Encodes bytes as digits of six bits each.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    let digit = |bits: u32| char::from(DIGITS[bits as usize & 63]);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().rev().fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        for at in 0..=chunk.len() {
            text.push(digit(bits >> (6 * at)));
        }
    }
    text
}

/// Decodes digits; `Err` describes the problem.
pub(super) fn decode(text: &str) -> Result<Vec<u8>, DigitsProblem> {
    let mut bytes = room(text.len() / 4 * 3 + 2).map_err(DigitsProblem::Memory)?;
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0_u32;
        for (at, &digit) in chunk.iter().enumerate() {
            let value = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                other => return Err(DigitsProblem::Digit(char::from(other))),
            };
            bits |= u32::from(value) << (6 * at);
        }
        if chunk.len() == 1 {
            return Err(DigitsProblem::Single);
        }
        let whole = chunk.len() - 1;
        if bits >> (8 * whole) != 0 {
            return Err(DigitsProblem::Bits);
        }
        bytes.extend(bits.to_le_bytes().iter().take(whole));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The byte arrays are from intel/llvm's own test of property files.
    #[test]
    fn as_the_compiler_writes_them() {
        let one = [8, 0, 0, 0, 0, 0, 0, 0, 1];
        let five = [40, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0x7f, 0xff, 0x70];
        assert_eq!(encode(&one), "IAAAAAAAAAQA");
        assert_eq!(encode(&five), "oAAAAAAAAAw///3/wB");
        assert_eq!(decode("IAAAAAAAAAQA").unwrap(), one);
        assert_eq!(decode("oAAAAAAAAAw///3/wB").unwrap(), five);
        assert!(decode("A").is_err() && decode("A=").is_err() && decode("A/").is_err());
    }
}

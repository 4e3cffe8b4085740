//! 128-bit digests (XXH3) for folder names, the pairing of files, and checksums.

use std::fmt;

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// A 128-bit digest. It is displayed as 32 hexadecimal digits, the form of folder names.
///
/// XXH3 detects damage and shortens names. It does not protect against forged files; the check of the owner does. Two
/// keys are never considered equal only because their digests are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(u128);

impl Digest {
    /// The size of a digest in a file, in bytes.
    pub const SIZE: usize = 16;

    /// Returns the digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }

    /// Returns the digest of several pieces as if they were concatenated.
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut state = Xxh3::new();
        parts.iter().for_each(|part| state.update(part));
        Self(state.digest128())
    }

    /// Returns the hexadecimal digits of its name, as ASCII.
    pub(crate) fn digits(self) -> [u8; 2 * Self::SIZE] {
        let mut digits = [0; 2 * Self::SIZE];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0.to_be_bytes()) {
            for (digit, value) in pair.iter_mut().zip([byte >> 4, byte & 15]) {
                *digit = if value < 10 { b'0' + value } else { b'a' + (value - 10) };
            }
        }
        digits
    }

    /// Returns its bytes in a file, in little-endian order.
    pub fn to_bytes(self) -> [u8; Self::SIZE] {
        self.0.to_le_bytes()
    }

    /// Returns whether a folder's name has the form of a digest. Folders of other caches in the same root do not: the
    /// stock libsycl uses decimal numbers of at most 20 digits.
    pub fn is_name(name: &str) -> bool {
        name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::str::from_utf8(&self.digits()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = Digest::of(b"x").to_string();
        assert!(Digest::is_name(&name));
        assert!(!Digest::is_name("18446744073709551615") && !Digest::is_name(&name.to_uppercase()));
        // The value is fixed, because folders written by one build must be found by the next.
        assert_eq!(Digest::of(b"").to_string(), "99aa06d3014798d86001c324468d497f");
    }

    #[test]
    fn parts_are_one_text() {
        assert_eq!(Digest::of_parts(&[b"ab", b"", b"c"]), Digest::of(b"abc"));
    }
}

//! Numbers and byte fields, little-endian, each field prefixed with its length. A reader never trusts a length.

use std::ops::Range;

use sycl_pi_host_process::{OutOfMemory, copy_of, room};

/// Writes fields one after the other.
#[derive(Debug, Default)]
pub(super) struct FieldWriter {
    bytes: Vec<u8>,
}

impl FieldWriter {
    /// Creates a writer with room for this many bytes.
    pub(super) fn with_room(bytes: usize) -> Result<Self, OutOfMemory> {
        Ok(Self { bytes: room(bytes)? })
    }

    /// Writes a field that consists of the fields that `fill` writes. Returns the range of its contents.
    pub(super) fn section(&mut self, fill: impl FnOnce(&mut Self)) -> Range<usize> {
        let place = self.bytes.len();
        self.number(0);
        let start = self.bytes.len();
        fill(self);
        let range = start..self.bytes.len();
        if let Some(length) = self.bytes.get_mut(place..start) {
            length.copy_from_slice(&(range.len() as u64).to_le_bytes());
        }
        range
    }

    pub(super) fn number(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(super) fn field(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads fields back. `None` means that the bytes are not what a [`FieldWriter`] wrote.
#[derive(Debug)]
pub(super) struct FieldReader<'a> {
    rest: &'a [u8],
}

impl<'a> FieldReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(super) fn bytes(&mut self, length: u64) -> Option<&'a [u8]> {
        let (head, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(head)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N as u64)?.try_into().ok()
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.array()?))
    }

    pub(super) fn field(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.bytes(length)
    }

    pub(super) fn text(&mut self) -> Option<String> {
        String::from_utf8(copy_of(self.field()?).ok()?).ok()
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }
}

//! Device images in ELF objects, programs and shared libraries: what a compiler's offload wrapper put there, or
//! [`wrap`](crate::wrap::wrap).
//!
//! Nothing in a linked file says where the descriptors are: their symbols are local and often stripped. But a
//! `pi_device_binary_struct` is easily told by what is in it, once the pointers are known that the loader would write.

mod memory;

use std::borrow::Cow;

use crate::parts::{ImageParts, Property, PropertySet, Value};
use memory::Memory;

/// Why there are no images to be had from a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnwrapError {
    /// It is no ELF file, or a damaged one.
    #[error("{file}: {problem}")]
    Elf {
        /// The file.
        file: String,
        /// The problem.
        problem: String,
    },
    /// There is no image in it.
    #[error("{0}: there is no device image in this ELF file")]
    None(String),
    /// What looks like images overlaps more than images do.
    #[error("{0}: the device images are larger than the file")]
    TooMuch(String),
}

/// Whether these are the first bytes of an ELF file.
pub fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF")
}

/// All images in an ELF file, in the order in which they lie there; `file` is its name for messages and theirs.
pub fn unwrap(file: &str, bytes: &[u8]) -> Result<Vec<ImageParts<'static>>, UnwrapError> {
    let memory = Memory::of(bytes)
        .map_err(|problem| UnwrapError::Elf { file: file.into(), problem: problem.to_string() })?;
    let mut reader = DescriptorReader { memory: &memory, left: bytes.len().saturating_mul(4) };
    let mut images = Vec::new();
    for at in memory.places() {
        if let Some(image) = reader.image(at, &format!("{file} image {}", images.len())) {
            images.push(image);
        }
        if reader.left == 0 {
            return Err(UnwrapError::TooMuch(file.into()));
        }
    }
    if images.is_empty() { Err(UnwrapError::None(file.into())) } else { Ok(images) }
}

struct DescriptorReader<'m, 'd> {
    memory: &'m Memory<'d>,
    /// How many bytes may still be copied out: damaged files name the same bytes again and again.
    left: usize,
}

impl DescriptorReader<'_, '_> {
    /// The `pi_device_binary_struct` at an address, if it is one.
    fn image(&mut self, at: u64, name: &str) -> Option<ImageParts<'static>> {
        const SIZE: u64 = 96;
        const OFFLOAD_KIND_SYCL: u8 = 4;
        let head = self.memory.bytes(at, at.checked_add(SIZE)?)?;
        let [low, 0, OFFLOAD_KIND_SYCL, 0..=3, 0, 0, 0, 0, ..] = *head else { return None };
        if !(1..=3).contains(&low) {
            return None;
        }
        let target = self.text(self.memory.pointer(at + 8)?)?;
        if target.is_empty() || !target.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        let (begin, end) = self.range(at + 48)?;
        let code = self.copy(begin, end)?;
        if code.is_empty() {
            return None;
        }
        let mut image = ImageParts {
            name: name.to_owned().into(),
            target: target.into(),
            compile_options: self.optional_text(at + 16)?.into(),
            link_options: self.optional_text(at + 24)?.into(),
            bytes: code.into(),
            ..ImageParts::default()
        };
        for entry in self.array(at + 64, 32)? {
            image.entries.push(self.text(self.memory.pointer(entry + 8)?)?.into());
        }
        for set in self.array(at + 80, 24)? {
            let name = self.text(self.memory.pointer(set)?)?;
            let mut properties = Vec::new();
            for property in self.array(set + 8, 32)? {
                properties.push(self.property(property)?);
            }
            image.property_sets.push(PropertySet { name: name.into(), properties });
        }
        Some(image)
    }

    /// A `_pi_device_binary_property_struct`.
    fn property(&mut self, at: u64) -> Option<Property<'static>> {
        let name = self.text(self.memory.pointer(at)?)?;
        let value = self.memory.pointer(at + 8)?;
        let kind = u32::from_le_bytes(self.memory.bytes(at + 16, at + 20)?.try_into().ok()?);
        let size = self.memory.number(at + 24)?;
        let mut bytes = || Some(Cow::from(self.copy(value, value.checked_add(size)?)?));
        let value = match (kind, value) {
            // A number is stored in the size field.
            (1, 0) => Value::Uint32(u32::try_from(size).ok()?),
            (1, _) => {
                let bytes = self.memory.bytes(value, value.checked_add(4)?)?;
                Value::Uint32(u32::from_le_bytes(bytes.try_into().ok()?))
            }
            (2, _) => Value::ByteArray(bytes()?),
            (other, _) => Value::Other(other, bytes()?),
        };
        Some(Property { name: name.into(), value })
    }

    /// The addresses of an array's elements; its begin and end are at an address.
    fn array(&self, at: u64, size: u64) -> Option<impl Iterator<Item = u64> + use<>> {
        let (begin, end) = self.range(at)?;
        let all = end - begin;
        if all % size != 0 || (all > 0 && self.memory.bytes(begin, end).is_none()) {
            return None;
        }
        Some((0..all / size).map(move |number| begin + number * size))
    }

    fn range(&self, at: u64) -> Option<(u64, u64)> {
        let (begin, end) = (self.memory.pointer(at)?, self.memory.pointer(at.checked_add(8)?)?);
        (begin <= end).then_some((begin, end))
    }

    fn copy(&mut self, begin: u64, end: u64) -> Option<Vec<u8>> {
        if begin == end {
            return Some(Vec::new());
        }
        let bytes = self.memory.bytes(begin, end)?;
        self.left = self.left.saturating_sub(bytes.len());
        (self.left > 0).then(|| bytes.to_vec())
    }

    fn text(&mut self, at: u64) -> Option<String> {
        let text = self.memory.text(at)?;
        self.left = self.left.saturating_sub(text.len() + 1);
        (self.left > 0).then(|| text.to_owned())
    }

    fn optional_text(&mut self, at: u64) -> Option<String> {
        match self.memory.pointer(at)? {
            0 => Some(String::new()),
            place => self.text(place),
        }
    }
}

//! Reads the structures around images at their addresses.

use std::borrow::Cow;
use std::collections::HashSet;

use super::memory::Memory;
use super::unwrapped::{DamagedImage, Unwrapped};
use crate::aspect;
use crate::compressed::{self, Allowance};
use crate::parts::{ImageParts, Property, PropertySet, Value};

/// The size of a `_pi_offload_entry_struct`, and the offset of its name.
const ENTRY: (u64, u64) = (32, 8);

/// The offsets of the fields of a `pi_device_binary_struct`.
struct BinaryLayout {
    size: u64,
    /// The offset of `BinaryStart`. The code's end, the entries and the property sets follow, two pointers each.
    code: u64,
    /// Whether DPC++ 2026 wrote it, with its own aspect numbers.
    is_2026: bool,
}

impl BinaryLayout {
    /// Returns the layout of an image's version. From version 3 on (DPC++ 2026) there is no manifest.
    fn of_version(version: u8) -> Self {
        match version {
            0..=2 => BinaryLayout { size: 96, code: 48, is_2026: false },
            _ => BinaryLayout { size: 80, code: 32, is_2026: true },
        }
    }
}

/// The part of an image that is being read, for messages.
#[derive(Clone, Copy, Default)]
struct PropertyPlace<'a> {
    set: Option<&'a str>,
    property: Option<&'a str>,
}

impl PropertyPlace<'_> {
    fn wrong(&self, problem: impl AsRef<str>) -> String {
        let mut text = String::new();
        if let Some(set) = self.set {
            text.push_str(&format!("property set \"{set}\""));
        }
        if let Some(property) = self.property {
            text.push_str(&format!(", property \"{property}\""));
        }
        if !text.is_empty() {
            text.push_str(": ");
        }
        text + problem.as_ref()
    }
}

/// How often a byte of the file may be read as part of an image. Compilers and linkers merge equal texts and arrays, so
/// images share some of them; a damaged file can name the same ones for each of thousands of images.
const SHARED: u64 = 16;

/// The least number of bytes that may be read, even from small files.
const AT_LEAST: u64 = 64 << 10;

/// The cost of an image in addition to its structures, for its name, its place in a list, and a message if it is
/// damaged.
const OF_IMAGE: u64 = 256;

/// The longest target name that identifies a structure. Without a limit, every word of a file would be read as the
/// start of a text.
const LONGEST_TARGET: usize = 256;

/// The longest text. Kernel names can have thousands of characters.
const LONGEST_TEXT: usize = 1 << 16;

/// Reads all images of a file.
pub(super) struct Descriptors<'m, 'd> {
    memory: &'m Memory<'d>,
    file: &'m str,
    /// The number of bytes of the file that may still be read.
    left: u64,
    /// The number of bytes to which compressed code may still expand.
    allowance: Allowance,
    /// The image arrays that were read.
    arrays: HashSet<u64>,
}

/// The message for a file whose images claim more than it can hold; reading stops there.
const SPENT: &str = "the images of this file are larger than it can hold; nothing more of it is read";

impl<'m, 'd> Descriptors<'m, 'd> {
    pub(super) fn new(memory: &'m Memory<'d>, file: &'m str, size: usize) -> Self {
        let left = (size as u64).saturating_mul(SHARED).saturating_add(AT_LEAST);
        Self { memory, file, left, allowance: Allowance::of(size), arrays: HashSet::new() }
    }

    pub(super) fn read(mut self) -> Unwrapped<'d> {
        let memory = self.memory;
        let mut found = Unwrapped::default();
        for (at, head) in memory.words() {
            let Some((first, count)) = self.binaries(at, *head) else { continue };
            if self.arrays.insert(first) && !self.images(first, count, &mut found) {
                break;
            }
        }
        found
    }

    /// Recognizes a `pi_device_binaries_struct` at an address. Returns the address of its first image and the number of
    /// images.
    fn binaries(&self, at: u64, head: [u8; 8]) -> Option<(u64, u16)> {
        let [1, 0, low, high, 0, 0, 0, 0] = head else { return None };
        let count = u16::from_le_bytes([low, high]);
        let first = self.memory.pointer(at.checked_add(8)?)?;
        let is_first = count > 0 && first.is_multiple_of(8) && self.version(first).is_some();
        is_first.then_some((first, count))
    }

    /// Returns the version of the SYCL image at an address, if there is one.
    fn version(&self, at: u64) -> Option<u8> {
        const OFFLOAD_KIND_SYCL: u8 = 4;
        let head = self.memory.bytes(at, at.checked_add(8)?)?;
        let [version @ 1..=3, 0, OFFLOAD_KIND_SYCL, 0..=compressed::FORMAT, 0, 0, 0, 0] = *head else {
            return None;
        };
        let target = self.memory.text(self.memory.pointer(at + 8)?, LONGEST_TARGET)?;
        let is_target = !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_graphic());
        is_target.then_some(version)
    }

    /// Reads the images of an array. Returns whether to continue.
    fn images(&mut self, first: u64, count: u16, found: &mut Unwrapped<'d>) -> bool {
        let Some(version) = self.version(first) else { return true };
        let layout = BinaryLayout::of_version(version);
        for number in 0..count {
            let image = format!("{} image {}", self.file, found.images.len() + found.damaged.len());
            let at = first.saturating_add(u64::from(number) * layout.size);
            match self.image(at, &layout, &image) {
                Ok(parts) => found.images.push(parts),
                Err(problem) => {
                    found.damaged.push(DamagedImage { image, problem });
                    if self.left == 0 || self.allowance.is_spent() {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Reads the `pi_device_binary_struct` at an address.
    fn image(&mut self, at: u64, layout: &BinaryLayout, name: &str) -> Result<ImageParts<'d>, String> {
        let place = PropertyPlace::default();
        self.take(layout.size + OF_IMAGE + name.len() as u64)?;
        if self.version(at).is_none() {
            return Err("its descriptor has no known version, kind, format or target".into());
        }
        let memory = self.memory;
        let format = memory.bytes(at + 3, at + 4).and_then(|bytes| bytes.first().copied());
        let code = self.range(at + layout.code, "the code", place)?;
        let code = memory.bytes(code.0, code.1).ok_or("the code is outside the file's sections")?;
        if code.is_empty() {
            return Err("it has no code".into());
        }
        self.take(code.len() as u64)?;
        let bytes = match format {
            Some(compressed::FORMAT) => compressed::decompress(code, &mut self.allowance)?.into(),
            _ => Cow::Borrowed(code),
        };
        let mut image = ImageParts {
            name: name.to_owned().into(),
            target: self.text(at + 8, "the target", place)?.into(),
            compile_options: self.optional_text(at + 16, "the compile options", place)?.into(),
            link_options: self.optional_text(at + 24, "the link options", place)?.into(),
            bytes,
            ..ImageParts::default()
        };
        for entry in self.array(at + layout.code + 16, ENTRY.0, "the entries", place)? {
            image.entries.push(self.text(entry + ENTRY.1, "the name of an entry", place)?.into());
        }
        for set in self.array(at + layout.code + 32, 24, "the property sets", place)? {
            image.property_sets.push(self.set(set)?);
        }
        if layout.is_2026 {
            image.property_sets = aspect::renumbered(image.property_sets, aspect::from_2026);
        }
        Ok(image)
    }

    /// Reads a `_pi_device_binary_property_set_struct`.
    fn set(&mut self, at: u64) -> Result<PropertySet<'d>, String> {
        let name = self.text(at, "the name of a property set", PropertyPlace::default())?;
        let place = PropertyPlace { set: Some(name), property: None };
        let mut set = PropertySet::new(name);
        for property in self.array(at + 8, 32, "its properties", place)? {
            set.properties.push(self.property(property, place)?);
        }
        Ok(set)
    }

    /// Reads a `_pi_device_binary_property_struct`.
    fn property(&mut self, at: u64, place: PropertyPlace<'_>) -> Result<Property<'d>, String> {
        let name = self.text(at, "the name of a property", place)?;
        let place = PropertyPlace { property: Some(name), ..place };
        let memory = self.memory;
        let head = || {
            let kind = memory.bytes(at + 16, at + 20)?.first_chunk::<4>()?;
            Some((u32::from_le_bytes(*kind), memory.pointer(at + 8)?, memory.number(at + 24)?))
        };
        let (kind, value, size) = head().ok_or_else(|| place.wrong("its structure is cut off"))?;
        let mut bytes = |size: u64| {
            let end = value.checked_add(size);
            let bytes = if size == 0 { Some(&[][..]) } else { end.and_then(|end| memory.bytes(value, end)) };
            let outside = || place.wrong(format!("its {size} bytes are outside the file's sections"));
            let bytes = bytes.ok_or_else(outside)?;
            self.take(size).map_err(|problem| place.wrong(problem))?;
            Ok::<_, String>(bytes)
        };
        let value = match (kind, value) {
            // A number is stored in the size field.
            (Value::UINT32, 0) => Value::Uint32(
                u32::try_from(size)
                    .map_err(|_| place.wrong(format!("is a number of 32 bits, but says {size}")))?,
            ),
            (Value::UINT32, _) => {
                let number = bytes(4)?.first_chunk::<4>().copied().unwrap_or_default();
                Value::Uint32(u32::from_le_bytes(number))
            }
            (Value::BYTE_ARRAY, _) => Value::ByteArray(bytes(size)?.into()),
            (other, _) => Value::Other(other, bytes(size)?.into()),
        };
        Ok(Property { name: name.into(), value })
    }

    /// Returns the addresses of an array's elements; `at` is the address of its begin and end pointers.
    fn array(
        &mut self,
        at: u64,
        size: u64,
        what: &str,
        place: PropertyPlace<'_>,
    ) -> Result<impl Iterator<Item = u64> + use<'m, 'd>, String> {
        let (begin, end) = self.range(at, what, place)?;
        let all = end - begin;
        if all % size != 0 {
            return Err(place.wrong(format!("{what} take {all} bytes, which is not a multiple of {size}")));
        }
        if all > 0 && self.memory.bytes(begin, end).is_none() {
            return Err(place.wrong(format!("{what} are outside the file's sections")));
        }
        self.take(all).map_err(|problem| place.wrong(problem))?;
        Ok((0..all / size).map(move |number| begin + number * size))
    }

    fn range(&self, at: u64, what: &str, place: PropertyPlace<'_>) -> Result<(u64, u64), String> {
        let ends = || Some((self.memory.pointer(at)?, self.memory.pointer(at.checked_add(8)?)?));
        let (begin, end) = ends().ok_or_else(|| place.wrong(format!("{what} have no addresses")))?;
        if begin > end {
            return Err(place.wrong(format!("{what} end before they begin")));
        }
        Ok((begin, end))
    }

    /// Counts bytes as read. If they exceed the limit, no more can be read.
    fn take(&mut self, bytes: u64) -> Result<(), &'static str> {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(0);
        if left.is_some() { Ok(()) } else { Err(SPENT) }
    }

    /// Returns the text to which the pointer at an address points.
    fn text(&mut self, at: u64, what: &str, place: PropertyPlace<'_>) -> Result<&'d str, String> {
        let text = self.memory.pointer(at).and_then(|text| self.memory.text(text, LONGEST_TEXT));
        let text = text.ok_or_else(|| place.wrong(format!("{what} is not text in the file's sections")))?;
        self.take(text.len() as u64).map_err(|problem| place.wrong(problem))?;
        Ok(text)
    }

    fn optional_text(&mut self, at: u64, what: &str, place: PropertyPlace<'_>) -> Result<&'d str, String> {
        match self.memory.pointer(at) {
            Some(0) => Ok(""),
            _ => self.text(at, what, place),
        }
    }
}

//! Reads `pi_device_binaries`, the structures that compiled objects register.
//!
//! Null pointers, ends before beginnings, impossible counts and lengths, and unknown versions are errors. The caller
//! promises that every other pointer is valid.
#![expect(unsafe_code, reason = "the tables of device images that C++ compilers make")]

use std::borrow::Cow;
use std::ffi::{CStr, c_char};

use sycl_pi_core::*;
use sycl_pi_image::compressed::{self, Allowance};
use sycl_pi_image::{ImageParts, Property, PropertySet, Value, aspect};

use crate::error::BinaryProblem;
use crate::registry::Format;

/// The most bytes that an array or a value may have.
const LIMIT: usize = 1 << 32;

/// The field that is being read, for messages.
struct FieldPath<'a> {
    image: usize,
    set: Option<&'a str>,
    property: Option<&'a str>,
}

impl FieldPath<'_> {
    fn wrong<T>(&self, problem: impl Into<String>) -> Result<T, BinaryProblem> {
        let mut place = self.set.map(|set| format!(": property set \"{set}\"")).unwrap_or_default();
        if let Some(property) = self.property {
            place.push_str(&format!(", property \"{property}\""));
        }
        Err(BinaryProblem { image: self.image, place, problem: problem.into() })
    }

    /// # Safety
    /// `text` is null, or is zero-terminated and remains valid for `'b`.
    unsafe fn text<'b>(&self, text: *const c_char, what: &str) -> Result<&'b str, BinaryProblem> {
        if text.is_null() {
            return self.wrong(format!("{what} is null"));
        }
        // SAFETY: guaranteed by the caller.
        match unsafe { CStr::from_ptr(text) }.to_str() {
            Ok(text) => Ok(text),
            Err(_) => self.wrong(format!("{what} is not UTF-8")),
        }
    }

    /// # Safety
    /// `begin` to `end` is an array that remains valid for `'b`, unless the checks reject it.
    unsafe fn array<'b, T>(
        &self,
        begin: *const T,
        end: *const T,
        what: &str,
    ) -> Result<&'b [T], BinaryProblem> {
        match (begin.is_null(), end.is_null()) {
            (true, true) => return Ok(&[]),
            (false, false) => {}
            _ => return self.wrong(format!("one end of {what} is null")),
        }
        let Some(bytes) = (end as usize).checked_sub(begin as usize) else {
            return self
                .wrong(format!("malformed device program image descriptor: {what} ends before it begins"));
        };
        if !bytes.is_multiple_of(size_of::<T>()) || bytes > LIMIT || !begin.is_aligned() {
            let each = size_of::<T>();
            return self
                .wrong(format!("{what}: {bytes} bytes at {begin:p} are not an array of {each} bytes each"));
        }
        // SAFETY: the array is aligned, not null, and has the length given by its ends.
        Ok(unsafe { std::slice::from_raw_parts(begin, bytes / size_of::<T>()) })
    }
}

/// Reads the images of a library with their formats, or the problem of each malformed image.
///
/// # Safety
/// `binaries` is null or points to a structure whose pointers are null or valid, and which does not change for `'b`.
#[allow(clippy::type_complexity, reason = "an image or why not")]
pub unsafe fn read_binaries<'b>(
    binaries: *const pi_device_binaries_struct,
) -> Vec<Result<(ImageParts<'b>, Option<Format>), BinaryProblem>> {
    let none = FieldPath { image: 0, set: None, property: None };
    if binaries.is_null() || !binaries.is_aligned() {
        return vec![none.wrong("pi_device_binaries is null or not aligned")];
    }
    // SAFETY: it points to the structure.
    let binaries = unsafe { &*binaries };
    let count = usize::from(binaries.NumDeviceBinaries);
    if count == 0 {
        return Vec::new();
    }
    let images = binaries.DeviceBinaries.cast_const();
    if images.is_null() || !images.is_aligned() {
        return vec![none.wrong("DeviceBinaries is null or not aligned")];
    }
    // SAFETY: every image structure starts with its version.
    let images: Vec<Fields> = if unsafe { images.cast::<u16>().read() } < WITHOUT_MANIFEST {
        // SAFETY: an array of `count` images.
        let images = unsafe { std::slice::from_raw_parts(images, count) };
        images.iter().map(Fields::from_image).collect()
    } else {
        // SAFETY: an array of `count` images of that version.
        let images = unsafe { std::slice::from_raw_parts(images.cast::<ImageWithoutManifest>(), count) };
        images.iter().map(Fields::without_manifest).collect()
    };
    let compressed = images.iter().filter(|image| image.format == compressed::FORMAT);
    let mut allowance = Allowance::of(compressed.map(Fields::code_bytes).sum());
    let read = |(n, image): (usize, &Fields)| {
        // SAFETY: the caller vouches for each image and everything it points to.
        unsafe { read_image(n, image, &mut allowance) }
    };
    images.iter().enumerate().map(read).collect()
}

/// The first version whose structure has no manifest: DPC++ 2026.
const WITHOUT_MANIFEST: u16 = 3;

/// `pi_device_binary_struct` from that version on.
#[repr(C)]
#[allow(non_snake_case, reason = "as in pi_device_binary_struct")]
struct ImageWithoutManifest {
    Version: u16,
    Kind: u8,
    Format: u8,
    DeviceTargetSpec: *const c_char,
    CompileOptions: *const c_char,
    LinkOptions: *const c_char,
    BinaryStart: *const u8,
    BinaryEnd: *const u8,
    EntriesBegin: *const _pi_offload_entry_struct,
    EntriesEnd: *const _pi_offload_entry_struct,
    PropertySetsBegin: *const _pi_device_binary_property_set_struct,
    PropertySetsEnd: *const _pi_device_binary_property_set_struct,
}

/// The fields that both structures have, except the kind.
struct Fields {
    version: u16,
    format: u8,
    target: *const c_char,
    compile_options: *const c_char,
    link_options: *const c_char,
    code: (*const u8, *const u8),
    entries: (*const _pi_offload_entry_struct, *const _pi_offload_entry_struct),
    sets: (*const _pi_device_binary_property_set_struct, *const _pi_device_binary_property_set_struct),
}

macro_rules! fields {
    ($image:expr) => {
        Fields {
            version: $image.Version,
            format: $image.Format,
            target: $image.DeviceTargetSpec,
            compile_options: $image.CompileOptions,
            link_options: $image.LinkOptions,
            code: ($image.BinaryStart, $image.BinaryEnd),
            entries: ($image.EntriesBegin, $image.EntriesEnd),
            sets: ($image.PropertySetsBegin, $image.PropertySetsEnd),
        }
    };
}

impl Fields {
    fn from_image(image: &pi_device_binary_struct) -> Self {
        fields!(image)
    }

    fn without_manifest(image: &ImageWithoutManifest) -> Self {
        fields!(image)
    }

    /// Returns the size of the code in bytes. Invalid ends are reported when the code is read.
    fn code_bytes(&self) -> usize {
        (self.code.1 as usize).saturating_sub(self.code.0 as usize).min(LIMIT)
    }
}

/// # Safety
/// The requirements of [`read_binaries`] apply.
unsafe fn read_image<'b>(
    number: usize,
    image: &Fields,
    allowance: &mut Allowance,
) -> Result<(ImageParts<'b>, Option<Format>), BinaryProblem> {
    let at = FieldPath { image: number, set: None, property: None };
    if ![PI_DEVICE_BINARY_VERSION, WITHOUT_MANIFEST].contains(&image.version) {
        let (with, without) = (PI_DEVICE_BINARY_VERSION, WITHOUT_MANIFEST);
        return at.wrong(format!("has version {}, where {with} and {without} are known", image.version));
    }
    let format = match image.format {
        PI_DEVICE_BINARY_TYPE_NONE | compressed::FORMAT => None,
        PI_DEVICE_BINARY_TYPE_NATIVE => Some(Format::Native),
        PI_DEVICE_BINARY_TYPE_SPIRV => Some(Format::Spirv),
        PI_DEVICE_BINARY_TYPE_LLVMIR_BITCODE => Some(Format::Bitcode),
        other => return at.wrong(format!("has the unknown format {other}")),
    };
    // SAFETY: the caller guarantees that every pointer is null or valid.
    let (target, compile_options, link_options, bytes, entries, sets) = unsafe {
        (
            at.text(image.target, "DeviceTargetSpec")?,
            optional(&at, image.compile_options, "CompileOptions")?,
            optional(&at, image.link_options, "LinkOptions")?,
            at.array(image.code.0, image.code.1, "the binary")?,
            at.array(image.entries.0, image.entries.1, "the entries")?,
            at.array(image.sets.0, image.sets.1, "the property sets")?,
        )
    };
    let bytes: Cow<'b, [u8]> = match image.format {
        compressed::FORMAT => match compressed::decompress(bytes, allowance) {
            Ok(code) => code.into(),
            Err(problem) => return at.wrong(problem),
        },
        _ => bytes.into(),
    };
    let mut names: Vec<Cow<'b, str>> = Vec::with_capacity(entries.len());
    for entry in entries {
        // SAFETY: null or valid.
        names.push(unsafe { at.text(entry.name, "the name of an entry") }?.into());
    }
    let mut property_sets = Vec::with_capacity(sets.len());
    for set in sets {
        // SAFETY: null or valid.
        property_sets.push(unsafe { read_set(number, set) }?);
    }
    if image.version == WITHOUT_MANIFEST {
        property_sets = aspect::renumbered(property_sets, aspect::from_2026);
    }
    let mut parts = ImageParts::new(format!("{number} ({target})"), target, bytes);
    parts.compile_options = compile_options.into();
    parts.link_options = link_options.into();
    parts.entries = names;
    parts.property_sets = property_sets;
    Ok((parts, format))
}

/// # Safety
/// The requirements of [`FieldPath::text`] apply.
unsafe fn optional<'b>(
    at: &FieldPath<'_>,
    text: *const c_char,
    what: &str,
) -> Result<&'b str, BinaryProblem> {
    // SAFETY: guaranteed by the caller.
    if text.is_null() { Ok("") } else { unsafe { at.text(text, what) } }
}

/// # Safety
/// The requirements of [`read_binaries`] apply.
unsafe fn read_set<'b>(
    image: usize,
    set: &_pi_device_binary_property_set_struct,
) -> Result<PropertySet<'b>, BinaryProblem> {
    let at = FieldPath { image, set: None, property: None };
    // SAFETY: null or valid.
    let name: &'b str = unsafe { at.text(set.Name, "the name of a property set") }?;
    let at = FieldPath { set: Some(name), ..at };
    let (begin, end) = (set.PropertiesBegin.cast_const(), set.PropertiesEnd.cast_const());
    // SAFETY: null or valid.
    let properties = unsafe { at.array(begin, end, "its properties") }?;
    let mut found = PropertySet::new(name);
    for property in properties {
        // SAFETY: null or valid.
        let name: &'b str = unsafe { at.text(property.Name, "the name of a property") }?;
        let at = FieldPath { property: Some(name), image, set: at.set };
        let value = match property.Type {
            PI_PROPERTY_TYPE_UINT32 => {
                if !property.ValAddr.is_null() {
                    return at.wrong("is a number, but has an address");
                }
                match u32::try_from(property.ValSize) {
                    Ok(number) => Value::Uint32(number),
                    Err(_) => {
                        return at.wrong(format!("is a number of 32 bits, but says {}", property.ValSize));
                    }
                }
            }
            kind => {
                let size = usize::try_from(property.ValSize).ok().filter(|&size| size <= LIMIT);
                let Some(size) = size else {
                    return at.wrong(format!("says that it has {} bytes", property.ValSize));
                };
                if property.ValAddr.is_null() && size != 0 {
                    return at.wrong(format!("says that it has {size} bytes, but its address is null"));
                }
                let bytes: &'b [u8] = match size {
                    0 => &[],
                    // SAFETY: not null, and valid for `size` bytes.
                    _ => unsafe { std::slice::from_raw_parts(property.ValAddr.cast_const().cast(), size) },
                };
                match kind {
                    PI_PROPERTY_TYPE_BYTE_ARRAY => Value::ByteArray(bytes.into()),
                    other => Value::Other(other, bytes.into()),
                }
            }
        };
        found.properties.push(Property::new(name, value));
    }
    Ok(found)
}

#[cfg(test)]
#[path = "binaries_tests.rs"]
mod tests;

//! Makes ELF objects that hold device images and register them at start, like the design's offload wrapper.
//!
//! The object has a `pi_device_binaries_struct` with its images, entries and property sets, and two unnamed functions:
//! one passes it to `__sycl_register_lib` when the program or library is loaded, the other to `__sycl_unregister_lib`
//! when it is unloaded. Any C++ linker links it.

use object::write::{Object, Relocation, SectionId, Symbol, SymbolId, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, RelocationFlags, SectionKind, SymbolFlags, SymbolKind,
    SymbolScope, elf,
};

use crate::aspect;
use crate::compressed;
use crate::parts::{ImageParts, PropertySet, Value};

/// The reason why images cannot be put into an object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrapError {
    /// There are too many images; the structure counts them with 16 bits.
    #[error("an object holds at most 65535 images, not {0}")]
    TooMany(usize),
    /// A text contains a zero byte, which a C string cannot hold.
    #[error("image {image}: {text:?} has a zero byte in it")]
    ZeroByte {
        /// The image.
        image: String,
        /// The text.
        text: String,
    },
    /// The object could not be written.
    #[error("the object cannot be written: {0}")]
    Object(String),
}

impl From<object::write::Error> for WrapError {
    fn from(error: object::write::Error) -> Self {
        WrapError::Object(error.to_string())
    }
}

/// The version of a `pi_device_binary_struct`, which determines the runtimes that read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageVersion {
    /// Version 1, with a manifest: DPC++ up to 2025, libsycl.so.8 and older.
    #[default]
    WithManifest,
    /// Version 3, without a manifest: DPC++ 2026, libsycl.so.9.
    WithoutManifest,
}

/// Writes an object for x86-64 with these images, for runtimes that read version 1.
///
/// # Errors
/// Returns the errors of [`wrap_as`].
pub fn wrap(images: &[ImageParts<'_>]) -> Result<Vec<u8>, WrapError> {
    wrap_as(images, ImageVersion::WithManifest)
}

/// Writes an object for x86-64 with these images. Marks code that is a Zstandard frame as compressed.
///
/// # Errors
/// Fails if there are too many images, if a text contains a zero byte, or if the object would be too large.
pub fn wrap_as(images: &[ImageParts<'_>], version: ImageVersion) -> Result<Vec<u8>, WrapError> {
    let count = u16::try_from(images.len()).map_err(|_| WrapError::TooMany(images.len()))?;
    let mut wrapper = Wrapper::new();
    let mut structs = Struct::default();
    for image in images {
        wrapper.image(image, version, &mut structs)?;
    }
    let images = wrapper.place(structs)?;
    // pi_device_binaries_struct: Version, NumDeviceBinaries, DeviceBinaries, HostEntriesBegin, HostEntriesEnd
    let mut binaries = Struct::default();
    binaries.bytes.extend(1_u16.to_le_bytes());
    binaries.bytes.extend(count.to_le_bytes());
    binaries.pad(8);
    binaries.pointer(Some((images, 0)));
    binaries.pointer(None);
    binaries.pointer(None);
    let binaries = wrapper.place(binaries)?;
    wrapper.call_at(".init_array", "__sycl_register_lib", binaries)?;
    wrapper.call_at(".fini_array", "__sycl_unregister_lib", binaries)?;
    Ok(wrapper.object.write()?)
}

/// A place in the object: a symbol and an offset from it.
type SymbolOffset = (SymbolId, u64);

/// A structure, or an array of structures, that is being built.
#[derive(Default)]
struct Struct {
    bytes: Vec<u8>,
    pointers: Vec<(u64, SymbolOffset)>,
}

impl Struct {
    fn pad(&mut self, to: usize) {
        self.bytes.resize(self.bytes.len().next_multiple_of(to), 0);
    }

    fn pointer(&mut self, place: Option<SymbolOffset>) {
        self.pointers.extend(place.map(|place| (self.bytes.len() as u64, place)));
        self.bytes.extend([0; 8]);
    }

    /// Adds two pointers: to the begin and to the end.
    fn range(&mut self, place: Option<SymbolId>, size: usize) {
        self.pointer(place.map(|symbol| (symbol, 0)));
        self.pointer(place.map(|symbol| (symbol, size as u64)));
    }
}

struct Wrapper<'o> {
    object: Object<'o>,
    /// Strings and device code.
    constants: SectionId,
    /// Structures with pointers.
    data: SectionId,
    text: SectionId,
}

impl Wrapper<'_> {
    fn new() -> Self {
        let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
        let mut section = |name: &str, kind| object.add_section(Vec::new(), name.into(), kind);
        let constants = section(".rodata.sycl", SectionKind::ReadOnlyData);
        let data = section(".data.rel.ro.sycl", SectionKind::ReadOnlyDataWithRel);
        let text = section(".text", SectionKind::Text);
        // Without this section the linker assumes that the object requires an executable stack.
        section(".note.GNU-stack", SectionKind::Other);
        Self { object, constants, data, text }
    }

    fn local(&mut self, section: SectionId, value: u64, size: u64, kind: SymbolKind) -> SymbolId {
        self.object.add_symbol(Symbol {
            name: Vec::new(),
            value,
            size,
            kind,
            scope: SymbolScope::Compilation,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        })
    }

    fn constant(&mut self, bytes: &[u8], align: u64) -> SymbolId {
        let at = self.object.append_section_data(self.constants, bytes, align);
        self.local(self.constants, at, bytes.len() as u64, SymbolKind::Data)
    }

    /// Adds a C string.
    fn string(&mut self, image: &ImageParts<'_>, text: &str) -> Result<SymbolId, WrapError> {
        if text.contains('\0') {
            return Err(WrapError::ZeroByte { image: image.name.clone().into(), text: text.into() });
        }
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        Ok(self.constant(&bytes, 1))
    }

    fn place(&mut self, data: Struct) -> Result<SymbolId, WrapError> {
        let at = self.object.append_section_data(self.data, &data.bytes, 8);
        for (offset, (symbol, addend)) in data.pointers {
            self.relocate(self.data, at + offset, symbol, elf::R_X86_64_64, addend as i64)?;
        }
        Ok(self.local(self.data, at, data.bytes.len() as u64, SymbolKind::Data))
    }

    fn relocate(
        &mut self,
        section: SectionId,
        offset: u64,
        symbol: SymbolId,
        r_type: u32,
        addend: i64,
    ) -> Result<(), WrapError> {
        let flags = RelocationFlags::Elf { r_type };
        Ok(self.object.add_relocation(section, Relocation { offset, symbol, addend, flags })?)
    }

    /// Adds a `pi_device_binary_struct`: 96 bytes, or 80 without a manifest.
    fn image(
        &mut self,
        image: &ImageParts<'_>,
        version: ImageVersion,
        out: &mut Struct,
    ) -> Result<(), WrapError> {
        const SPIRV: u8 = 2;
        const NONE: u8 = 0;
        const OFFLOAD_KIND_SYCL: u8 = 4;
        let format = match &*image.bytes {
            [3, 2, 0x23, 7, ..] => SPIRV,
            code if compressed::is_compressed(code) => compressed::FORMAT,
            _ => NONE,
        };
        let target = self.string(image, &image.target)?;
        let compile_options = self.string(image, &image.compile_options)?;
        let link_options = self.string(image, &image.link_options)?;
        let code = self.constant(&image.bytes, 8);
        let (entries, entries_size) = self.entries(image)?;
        let (sets, sets_size) = match version {
            ImageVersion::WithManifest => self.property_sets(image, &image.property_sets)?,
            ImageVersion::WithoutManifest => {
                let sets = aspect::renumbered(image.property_sets.clone(), aspect::to_2026);
                self.property_sets(image, &sets)?
            }
        };
        let number = if version == ImageVersion::WithManifest { 1_u16 } else { 3 };
        out.bytes.extend(number.to_le_bytes());
        out.bytes.extend([OFFLOAD_KIND_SYCL, format]);
        out.pad(8);
        out.pointer(Some((target, 0)));
        out.pointer(Some((compile_options, 0)));
        out.pointer(Some((link_options, 0)));
        if version == ImageVersion::WithManifest {
            out.range(None, 0);
        }
        out.range(Some(code), image.bytes.len());
        out.range(entries, entries_size);
        out.range(sets, sets_size);
        Ok(())
    }

    /// Adds the `_pi_offload_entry_struct`s, 32 bytes each.
    fn entries(&mut self, image: &ImageParts<'_>) -> Result<(Option<SymbolId>, usize), WrapError> {
        let mut entries = Struct::default();
        for entry in &image.entries {
            let name = self.string(image, entry)?;
            entries.pointer(None);
            entries.pointer(Some((name, 0)));
            entries.bytes.extend([0; 16]);
        }
        self.place_some(entries)
    }

    /// Adds the `_pi_device_binary_property_set_struct`s, 24 bytes each.
    fn property_sets(
        &mut self,
        image: &ImageParts<'_>,
        all: &[PropertySet<'_>],
    ) -> Result<(Option<SymbolId>, usize), WrapError> {
        let mut sets = Struct::default();
        for set in all {
            let name = self.string(image, &set.name)?;
            let (properties, size) = self.properties(image, set)?;
            sets.pointer(Some((name, 0)));
            sets.range(properties, size);
        }
        self.place_some(sets)
    }

    /// Adds the `_pi_device_binary_property_struct`s, 32 bytes each. A number is stored in the size field.
    fn properties(
        &mut self,
        image: &ImageParts<'_>,
        set: &PropertySet<'_>,
    ) -> Result<(Option<SymbolId>, usize), WrapError> {
        let mut properties = Struct::default();
        for property in &set.properties {
            let name = self.string(image, &property.name)?;
            let (value, size) = match &property.value {
                Value::Uint32(number) => (None, u64::from(*number)),
                Value::ByteArray(bytes) | Value::Other(_, bytes) => {
                    (Some((self.constant(bytes, 8), 0)), bytes.len() as u64)
                }
            };
            properties.pointer(Some((name, 0)));
            properties.pointer(value);
            properties.bytes.extend(property.value.type_number().to_le_bytes());
            properties.pad(8);
            properties.bytes.extend(size.to_le_bytes());
        }
        self.place_some(properties)
    }

    fn place_some(&mut self, data: Struct) -> Result<(Option<SymbolId>, usize), WrapError> {
        let size = data.bytes.len();
        if size == 0 {
            return Ok((None, 0));
        }
        Ok((Some(self.place(data)?), size))
    }

    /// Adds a function that calls another with the binaries, and puts its address into the array that the system reads.
    fn call_at(&mut self, array: &str, callee: &str, binaries: SymbolId) -> Result<(), WrapError> {
        // lea rdi, [rip + binaries]; jmp callee
        let code = [0x48, 0x8d, 0x3d, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0];
        let at = self.object.append_section_data(self.text, &code, 16);
        let function = self.local(self.text, at, code.len() as u64, SymbolKind::Text);
        let callee = self.object.add_symbol(Symbol {
            name: callee.into(),
            value: 0,
            size: 0,
            kind: SymbolKind::Text,
            scope: SymbolScope::Dynamic,
            weak: false,
            section: SymbolSection::Undefined,
            flags: SymbolFlags::None,
        });
        self.relocate(self.text, at + 3, binaries, elf::R_X86_64_PC32, -4)?;
        self.relocate(self.text, at + 8, callee, elf::R_X86_64_PLT32, -4)?;
        let kind = match array {
            ".init_array" => elf::SHT_INIT_ARRAY,
            _ => elf::SHT_FINI_ARRAY,
        };
        let array = self.object.add_section(Vec::new(), array.into(), SectionKind::Elf(kind));
        self.object.section_mut(array).flags =
            object::SectionFlags::Elf { sh_flags: u64::from(elf::SHF_ALLOC | elf::SHF_WRITE) };
        self.object.append_section_data(array, &[0; 8], 8);
        self.relocate(array, 0, function, elf::R_X86_64_64, 0)
    }
}

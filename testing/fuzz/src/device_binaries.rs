//! Registers whole `pi_device_binaries` structures. Pointers are null or valid, as the interface demands. Numbers,
//! texts and the order of ends are arbitrary.

use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};

use arbitrary::{Arbitrary, Result, Unstructured};
use sycl_pi_core::*;
use sycl_pi_image::SetKind;
use sycl_pi_runtime::Registry;
use sycl_pi_runtime::binaries::read_binaries;

/// A property as the fuzzer generates it.
#[derive(Debug)]
struct Property {
    name: Option<CString>,
    kind: u32,
    value: Vec<u8>,
    /// The reported size, if no byte will be read for it.
    reported: Option<u64>,
}

#[derive(Debug)]
struct Set {
    name: Option<CString>,
    properties: Vec<Property>,
    ends: Ends,
}

#[derive(Debug)]
struct Image {
    version: u16,
    format: u8,
    target: Option<CString>,
    options: Option<CString>,
    bytes: Vec<u8>,
    entries: Vec<Option<CString>>,
    sets: Vec<Set>,
    ends: [Ends; 3],
}

/// A change of the two ends of an array.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Ends {
    Right,
    Swapped,
    BeginNull,
    EndNull,
    BothNull,
    EndOdd,
}

impl Ends {
    /// Mostly leaves them right.
    fn any(input: &mut Unstructured<'_>) -> Result<Self> {
        if input.ratio(7, 8)? { Ok(Ends::Right) } else { Ends::arbitrary(input) }
    }

    fn of<T>(self, list: &mut [T]) -> (*mut T, *mut T) {
        let range = list.as_mut_ptr_range();
        match self {
            Ends::Right => (range.start, range.end),
            Ends::Swapped => (range.end, range.start),
            Ends::BeginNull => (null_mut(), range.end),
            Ends::EndNull => (range.start, null_mut()),
            Ends::BothNull => (null_mut(), null_mut()),
            // Less than the list, so that none of its bytes is invalid.
            Ends::EndOdd => (range.start, range.end.wrapping_byte_sub(usize::from(!list.is_empty()))),
        }
    }
}

fn text(input: &mut Unstructured<'_>) -> Result<Option<CString>> {
    if input.ratio(1, 32)? {
        return Ok(None);
    }
    let bytes: Vec<u8> = input.arbitrary()?;
    Ok(CString::new(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).ok())
}

impl<'a> Arbitrary<'a> for Property {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let value: Vec<u8> = input.arbitrary()?;
        // Byte arrays from the compiler start with their length in bits.
        let value = match input.ratio(3, 4)? {
            true => [&(8 * value.len() as u64).to_le_bytes(), value.as_slice()].concat(),
            false => value,
        };
        let reported = if input.ratio(1, 8)? { Some(input.arbitrary()?) } else { None };
        Ok(Self { name: text(input)?, kind: input.int_in_range(0..=4)?, value, reported })
    }
}

impl<'a> Arbitrary<'a> for Set {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let name = match input.ratio(7, 8)? {
            true => CString::new(input.choose(&SetKind::ALL)?.name()).ok(),
            false => text(input)?,
        };
        Ok(Self { name, ends: Ends::any(input)?, properties: input.arbitrary()? })
    }
}

impl<'a> Arbitrary<'a> for Image {
    fn arbitrary(input: &mut Unstructured<'a>) -> Result<Self> {
        let version = if input.ratio(15, 16)? { PI_DEVICE_BINARY_VERSION } else { input.arbitrary()? };
        let entries: u8 = input.int_in_range(0..=3)?;
        Ok(Self {
            version,
            format: input.int_in_range(0..=4)?,
            target: text(input)?,
            options: text(input)?,
            entries: (0..entries).map(|_| text(input)).collect::<Result<_>>()?,
            ends: [Ends::any(input)?, Ends::any(input)?, Ends::any(input)?],
            sets: input.arbitrary()?,
            bytes: input.arbitrary()?,
        })
    }
}

fn start(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(null(), |text| text.as_ptr())
}

/// The data behind a structure's pointers, kept as long as it is used.
#[derive(Default)]
struct Memory {
    properties: Vec<Vec<_pi_device_binary_property_struct>>,
    sets: Vec<Vec<_pi_device_binary_property_set_struct>>,
    entries: Vec<Vec<_pi_offload_entry_struct>>,
}

impl Memory {
    fn properties(&mut self, set: &mut Set) -> _pi_device_binary_property_set_struct {
        let raw = |property: &mut Property| {
            let is_number = property.kind == PI_PROPERTY_TYPE_UINT32;
            let size = property.value.len() as u64;
            let address: *mut u8 = match (is_number, property.reported) {
                // A number has no address. One that has is refused.
                (true, reported) => {
                    if reported.is_some_and(|reported| reported & 1 == 1) {
                        property.value.as_mut_ptr()
                    } else {
                        null_mut()
                    }
                }
                (false, Some(_)) => null_mut(),
                (false, None) => property.value.as_mut_ptr(),
            };
            _pi_device_binary_property_struct {
                Name: start(&property.name).cast_mut(),
                ValAddr: address.cast(),
                Type: property.kind,
                ValSize: property.reported.unwrap_or(size),
            }
        };
        let mut list: Vec<_> = set.properties.iter_mut().map(raw).collect();
        let (begin, end) = set.ends.of(&mut list);
        self.properties.push(list);
        _pi_device_binary_property_set_struct {
            Name: start(&set.name).cast_mut(),
            PropertiesBegin: begin,
            PropertiesEnd: end,
        }
    }

    fn image(&mut self, image: &mut Image) -> pi_device_binary_struct {
        let mut sets: Vec<_> = image.sets.iter_mut().map(|set| self.properties(set)).collect();
        let entry = |name: &Option<CString>| _pi_offload_entry_struct {
            addr: null_mut(),
            name: start(name).cast_mut(),
            size: 0,
            flags: 0,
            reserved: 0,
        };
        let mut entries: Vec<_> = image.entries.iter().map(entry).collect();
        let (bytes_begin, bytes_end) = image.ends[0].of(&mut image.bytes);
        let (entries_begin, entries_end) = image.ends[1].of(&mut entries);
        let (sets_begin, sets_end) = image.ends[2].of(&mut sets);
        self.sets.push(sets);
        self.entries.push(entries);
        pi_device_binary_struct {
            Version: image.version,
            Kind: PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
            Format: image.format,
            DeviceTargetSpec: start(&image.target),
            CompileOptions: start(&image.options),
            LinkOptions: start(&image.options),
            ManifestStart: null(),
            ManifestEnd: null(),
            BinaryStart: bytes_begin,
            BinaryEnd: bytes_end,
            EntriesBegin: entries_begin,
            EntriesEnd: entries_end,
            PropertySetsBegin: sets_begin,
            PropertySetsEnd: sets_end,
        }
    }
}

/// Registers the structure, queries it and removes it. Nothing may be left.
pub(crate) fn run(input: &[u8]) {
    let Ok(mut images) = Vec::<Image>::arbitrary(&mut Unstructured::new(input)) else { return };
    let mut memory = Memory::default();
    let mut raw: Vec<_> = images.iter_mut().map(|image| memory.image(image)).collect();
    let binaries = pi_device_binaries_struct {
        Version: PI_DEVICE_BINARIES_VERSION,
        NumDeviceBinaries: raw.len() as u16,
        DeviceBinaries: raw.as_mut_ptr(),
        HostEntriesBegin: null_mut(),
        HostEntriesEnd: null_mut(),
    };
    // SAFETY: every pointer is null, or one end of a list that `memory` and `images` keep.
    let read = unsafe { read_binaries(&binaries) };
    assert_eq!(read.len(), raw.len());
    let registry = Registry::new();
    // SAFETY: nothing is built or launched of these images.
    let (module, errors) = unsafe { registry.add_module(read.into_iter().flatten()) };
    assert!(errors.iter().all(|error| !error.to_string().is_empty()));
    for name in registry.kernel_names() {
        assert!(!registry.images_with_kernel(&name).is_empty(), "{name}");
    }
    for image in registry.images() {
        let properties = image.properties();
        let _ = properties.encode();
        for constant in properties.spec_constants.iter() {
            let _ = properties.spec_default(constant);
        }
    }
    registry.remove(module);
    assert!(registry.images().is_empty() && registry.kernel_names().is_empty(), "removing really removes");
}

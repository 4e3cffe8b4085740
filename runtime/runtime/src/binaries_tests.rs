//! Invalid structures, as a broken compiler or linker would leave them. Each is reported as an error that names the
//! place.
#![expect(unsafe_code, reason = "the tables of device images that C++ compilers make")]

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use super::*;
use crate::registry::Registry;

fn kept<T>(value: T) -> *mut T {
    Box::leak(Box::new(value))
}

fn property(name: &'static CStr, kind: u32, bytes: &'static [u8]) -> _pi_device_binary_property_struct {
    let address = if bytes.is_empty() { null_mut() } else { bytes.as_ptr().cast_mut().cast::<c_void>() };
    let size = bytes.len() as u64;
    _pi_device_binary_property_struct {
        Name: name.as_ptr().cast_mut(),
        ValAddr: address,
        Type: kind,
        ValSize: size,
    }
}

fn set(
    name: &'static CStr,
    property: _pi_device_binary_property_struct,
) -> _pi_device_binary_property_set_struct {
    let begin = kept(property);
    _pi_device_binary_property_set_struct {
        Name: name.as_ptr().cast_mut(),
        PropertiesBegin: begin,
        PropertiesEnd: begin.wrapping_add(1),
    }
}

const CODE: [u8; 8] = [3, 2, 0x23, 7, 0, 0, 1, 0];

fn image(set: _pi_device_binary_property_set_struct) -> pi_device_binary_struct {
    let (code, sets) = (CODE.as_ptr_range(), kept(set));
    pi_device_binary_struct {
        Version: PI_DEVICE_BINARY_VERSION,
        Kind: PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
        Format: PI_DEVICE_BINARY_TYPE_SPIRV,
        DeviceTargetSpec: c"spir64".as_ptr(),
        CompileOptions: c"".as_ptr(),
        LinkOptions: std::ptr::null(),
        ManifestStart: std::ptr::null(),
        ManifestEnd: std::ptr::null(),
        BinaryStart: code.start,
        BinaryEnd: code.end,
        EntriesBegin: null_mut(),
        EntriesEnd: null_mut(),
        PropertySetsBegin: sets,
        PropertySetsEnd: sets.wrapping_add(1),
    }
}

fn good() -> pi_device_binary_struct {
    image(set(
        c"SYCL/device globals",
        property(c"_Z1G", 2, &[64, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]),
    ))
}

/// Returns the problem with the image, found when it is read or when its properties are decoded.
fn told(image: pi_device_binary_struct) -> String {
    let images = [good(), image];
    let binaries = pi_device_binaries_struct {
        Version: PI_DEVICE_BINARIES_VERSION,
        NumDeviceBinaries: 2,
        DeviceBinaries: images.as_ptr().cast_mut(),
        HostEntriesBegin: null_mut(),
        HostEntriesEnd: null_mut(),
    };
    // SAFETY: two images, whose pointers are null or valid, or are rejected before they are followed.
    let mut read = unsafe { read_binaries(&binaries) };
    assert_eq!(read.len(), 2);
    assert!(read[0].is_ok(), "the other image is taken all the same");
    match read.remove(1) {
        Err(problem) => problem.to_string(),
        Ok((parts, _)) => {
            // SAFETY: the image is never built.
            unsafe { Registry::new().add(parts) }.map_or_else(|error| error.to_string(), |_| String::new())
        }
    }
}

fn globals(property: _pi_device_binary_property_struct) -> String {
    told(image(set(c"SYCL/device globals", property)))
}

#[test]
fn a_good_image_is_taken() {
    assert_eq!(told(good()), "");
}

#[test]
fn null_is_told_with_its_place() {
    // SAFETY: null is allowed.
    let read = unsafe { read_binaries(std::ptr::null()) };
    assert!(read[0].as_ref().unwrap_err().to_string().contains("null"));
    assert_eq!(
        told(pi_device_binary_struct { DeviceTargetSpec: std::ptr::null(), ..good() }),
        "image 1: DeviceTargetSpec is null"
    );
    assert_eq!(
        told(pi_device_binary_struct { BinaryStart: std::ptr::null(), ..good() }),
        "image 1: one end of the binary is null"
    );
    let nameless =
        _pi_device_binary_property_set_struct { Name: null_mut(), ..set(c"", property(c"", 2, &[])) };
    assert_eq!(told(image(nameless)), "image 1: the name of a property set is null");
    let nameless = _pi_device_binary_property_struct { Name: null_mut(), ..property(c"", 2, &[]) };
    assert_eq!(
        globals(nameless),
        "image 1: property set \"SYCL/device globals\": the name of a property is null"
    );
    let no_address = _pi_device_binary_property_struct { ValSize: 16, ..property(c"_Z1G", 2, &[]) };
    assert_eq!(
        globals(no_address),
        "image 1: property set \"SYCL/device globals\", property \"_Z1G\": says that it has 16 bytes, but its address \
         is null"
    );
}

#[test]
fn lengths_that_lie_are_not_followed() {
    let ends = CODE.as_ptr_range();
    let turned = pi_device_binary_struct { BinaryStart: ends.end, BinaryEnd: ends.start, ..good() };
    assert!(told(turned).contains("the binary ends before it begins"));
    let empty = pi_device_binary_struct { BinaryEnd: ends.start, ..good() };
    assert!(told(empty).contains("its size is zero"));
    let begin = good().PropertySetsBegin;
    let odd = pi_device_binary_struct {
        PropertySetsBegin: begin,
        PropertySetsEnd: begin.cast::<u8>().wrapping_add(7).cast(),
        ..good()
    };
    assert!(told(odd).starts_with("image 1: the property sets: 7 bytes at 0x"), "no array of such");
    let odd = pi_device_binary_struct {
        PropertySetsBegin: begin.cast::<u8>().wrapping_add(1).cast(),
        PropertySetsEnd: begin.cast::<u8>().wrapping_add(25).cast(),
        ..good()
    };
    assert!(told(odd).contains("the property sets"), "not aligned");
    let huge = _pi_device_binary_property_struct { ValSize: u64::MAX, ..property(c"_Z1G", 2, &[1]) };
    assert!(globals(huge).contains("\"_Z1G\": says that it has 18446744073709551615 bytes"));
    // The length in bits with which every byte array starts.
    let short = globals(property(c"_Z1G", 2, &[64, 0, 0]));
    assert!(short.contains("\"_Z1G\""), "{short}");
    let beyond = globals(property(c"_Z1G", 2, &[0xff, 0xff, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]));
    assert!(beyond.contains("\"_Z1G\""), "{beyond}");
}

#[test]
fn wrong_types_and_versions_are_told() {
    let number = _pi_device_binary_property_struct { ValSize: 4, ..property(c"_Z1G", 1, &[]) };
    let text = globals(number);
    assert!(text.contains("\"SYCL/device globals\", property \"_Z1G\""), "{text}");
    let number = _pi_device_binary_property_struct { ValSize: 1 << 40, ..property(c"_Z1G", 1, &[]) };
    assert!(globals(number).contains("is a number of 32 bits, but says 1099511627776"));
    assert!(globals(property(c"_Z1G", 1, &[1])).contains("is a number, but has an address"));
    let text = globals(property(c"_Z1G", 77, &[1]));
    assert!(text.contains("_Z1G"), "{text}");
    assert!(told(pi_device_binary_struct { Format: 9, ..good() }).contains("unknown format 9"));
    assert!(told(pi_device_binary_struct { Version: 7, ..good() }).contains("has version 7"));
    let target = pi_device_binary_struct { DeviceTargetSpec: c"\xff\xfe".as_ptr(), ..good() };
    assert_eq!(told(target), "image 1: DeviceTargetSpec is not UTF-8");
}

/// Makes an image as DPC++ 2026 writes it, with this code.
fn without_manifest(format: u8, code: &[u8]) -> ImageWithoutManifest {
    let image = good();
    ImageWithoutManifest {
        Version: 3,
        Kind: PI_DEVICE_BINARY_OFFLOAD_KIND_SYCL,
        Format: format,
        DeviceTargetSpec: image.DeviceTargetSpec,
        CompileOptions: image.CompileOptions,
        LinkOptions: image.LinkOptions,
        BinaryStart: code.as_ptr_range().start,
        BinaryEnd: code.as_ptr_range().end,
        EntriesBegin: null_mut(),
        EntriesEnd: null_mut(),
        PropertySetsBegin: image.PropertySetsBegin,
        PropertySetsEnd: image.PropertySetsEnd,
    }
}

type Read = std::result::Result<(ImageParts<'static>, Option<Format>), BinaryProblem>;

fn read_all(images: &[ImageWithoutManifest]) -> Vec<Read> {
    let binaries = pi_device_binaries_struct {
        Version: PI_DEVICE_BINARIES_VERSION,
        NumDeviceBinaries: images.len() as u16,
        DeviceBinaries: images.as_ptr().cast_mut().cast(),
        HostEntriesBegin: null_mut(),
        HostEntriesEnd: null_mut(),
    };
    // SAFETY: images with valid pointers.
    unsafe { read_binaries(&binaries) }
}

/// DPC++ 2026 uses 80 bytes per image, and may compress the code.
#[test]
fn images_without_a_manifest_are_taken() {
    assert_eq!(size_of::<ImageWithoutManifest>(), 80);
    // A Zstandard frame with one raw block. Its header states 8 bytes, and that the block is the last.
    const FRAME: [u8; 17] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 8, 0x41, 0, 0, 3, 2, 0x23, 7, 0, 0, 1, 0];
    let of = without_manifest;
    let read = read_all(&[of(2, &CODE), of(compressed::FORMAT, &FRAME), of(compressed::FORMAT, &FRAME[..9])]);
    for image in &read[..2] {
        let (parts, _) = image.as_ref().unwrap();
        assert_eq!((&*parts.bytes, &*parts.property_sets[0].name), (&CODE[..], "SYCL/device globals"));
    }
    let problem = read[2].as_ref().unwrap_err().to_string();
    assert!(problem.starts_with("image 2: the compressed code is damaged: "), "{problem}");
}

/// Atomic operations on 64 bits are aspect 27 in DPC++ 2026 and aspect 28 before.
#[test]
fn aspects_of_images_without_a_manifest_are_those_of_2026() {
    let aspects = |number: &'static [u8]| set(c"SYCL/device requirements", property(c"aspects", 2, number));
    let sets = kept(aspects(&[32, 0, 0, 0, 0, 0, 0, 0, 27, 0, 0, 0]));
    let image = ImageWithoutManifest {
        PropertySetsBegin: sets,
        PropertySetsEnd: sets.wrapping_add(1),
        ..without_manifest(2, &CODE)
    };
    let (mut parts, _) = read_all(&[image]).remove(0).unwrap();
    let needed =
        |parts: &ImageParts<'_>| sycl_pi_image::Properties::decode(parts).unwrap().requirements.aspects;
    assert_eq!(needed(&parts), Some(vec![28]));
    // SAFETY: as in `kept`.
    parts.property_sets = vec![unsafe { read_set(0, &*sets) }.unwrap()];
    assert_eq!(needed(&parts), Some(vec![27]));
}

/// Blocks of four bytes expand to 128 KiB of zeros each. One library may expand to 64 MiB, or to 128 times its
/// compressed code.
#[test]
fn compressed_code_of_a_library_has_one_allowance() {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
    frame.extend([2, 0, 16, 0].repeat(255));
    frame.extend([3, 0, 16, 0]);
    let images: Vec<_> = (0..4).map(|_| without_manifest(compressed::FORMAT, &frame)).collect();
    let read = read_all(&images);
    let sizes = read.iter().flatten().map(|(parts, _)| parts.bytes.len());
    assert_eq!(sizes.collect::<Vec<_>>(), [32 << 20, 32 << 20]);
    for (number, image) in read.iter().enumerate().skip(2) {
        let problem = image.as_ref().unwrap_err().to_string();
        assert!(problem.starts_with(&format!("image {number}: its code is too large: ")), "{problem}");
    }
}

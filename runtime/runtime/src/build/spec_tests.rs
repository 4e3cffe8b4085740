//! Tests the design's composite, and resetting values.
#![expect(unsafe_code, reason = "tests with device images of C")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use sycl_pi_image::property::{Leaf, SpecConstantDefaults, SpecConstants};
use sycl_pi_image::{ImageParts, Properties, SetKind};

use super::*;

/// `struct Nested { float a, b; }; struct A { int x; Nested n; };` preceded by an int: ids {0} and {1, 2, 3}, offsets
/// 0, 4 and 8 within A in the layout of descriptors, A at offset 4 of the blob.
fn image() -> Arc<Image> {
    let leaf = |id, offset| Leaf { id, offset, size: 4 };
    let properties = Properties {
        sets: vec![SetKind::SpecConstants, SetKind::SpecDefaults],
        spec_constants: SpecConstants::new([
            ("id_int".to_owned(), vec![leaf(0, 0)]),
            ("id_A".to_owned(), vec![leaf(1, 0), leaf(2, 4), leaf(3, 8)]),
        ]),
        spec_defaults: SpecConstantDefaults { all: Some((0..16).collect()), other: Vec::new() },
        ..Properties::default()
    };
    let mut parts = ImageParts::new("composite", "spir64", vec![3, 2, 0x23, 7]);
    parts.property_sets = properties.encode();
    parts.entries.push("K".into());
    let registry = crate::Registry::new();
    // SAFETY: the image is never built.
    unsafe { registry.add(parts) }.unwrap();
    registry.images().remove(0)
}

#[test]
fn a_composite_is_set_scalar_by_scalar() {
    let image = image();
    let mut values = SpecValues::new();
    let bytes: Vec<u8> = (100..112).collect();
    values.set_bytes("id_A", &bytes).unwrap();
    let set: Vec<(u32, Vec<u8>)> = values.scalars(&image).map(|(id, value)| (id, value.to_vec())).collect();
    let wanted =
        [(1, vec![100, 101, 102, 103]), (2, vec![104, 105, 106, 107]), (3, vec![108, 109, 110, 111])];
    assert_eq!(set, wanted);
    let mut blob: Vec<u8> = (0..4).collect();
    blob.extend(100..112);
    assert_eq!(values.blob(&image).unwrap(), blob);
}

#[test]
fn back_to_the_default_is_really_set() {
    let image = image();
    let mut values = SpecValues::new();
    values.set("id_int", 5_u32);
    values.set_bytes("id_int", &[0, 1, 2, 3]).unwrap();
    assert_eq!(values.scalars(&image).collect::<Vec<_>>(), [(0, [0, 1, 2, 3].as_slice())]);
    assert_eq!(values.blob(&image).unwrap(), (0..16).collect::<Vec<u8>>());
}

#[test]
fn unknown_ids_and_wrong_sizes_are_errors() {
    let images = [image()];
    let error = SpecValues::new().with("id_itn", 1_u32).check(&images).unwrap_err().to_string();
    assert!(error.contains("id_itn; is it id_int"), "{error}");
    for (values, bytes) in
        [(SpecValues::new().with("id_A", 1_u32), 4), (SpecValues::new().with("id_A", [1_u32; 4]), 16)]
    {
        let error = values.check(&images).unwrap_err().to_string();
        assert_eq!(error, format!("specialization constant id_A has 12 bytes, but its value has {bytes}"));
    }
}

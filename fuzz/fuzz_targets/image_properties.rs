//! Property sets of any kind with any bytes: what decodes must encode to the same.
#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::fuzz_target;
use pi_image::{ImageParts, Properties, Property, PropertySet, SetKind, Value};

fuzz_target!(|input: (u8, Vec<(String, Result<u32, Vec<u8>>)>)| {
    let (kind, properties) = input;
    let kind = SetKind::ALL[usize::from(kind) % SetKind::ALL.len()];
    let property = |(name, value): (String, Result<u32, Vec<u8>>)| {
        let value = match value {
            Ok(number) => Value::Uint32(number),
            Err(bytes) => Value::ByteArray(Cow::Owned(bytes)),
        };
        Property::new(name, value)
    };
    let properties = properties.into_iter().map(property).collect();
    let property_sets = vec![PropertySet { name: kind.name().into(), properties }];
    let image = ImageParts { property_sets, ..ImageParts::default() };
    if let Ok(decoded) = Properties::decode(&image) {
        let sorted = |sets: &[PropertySet<'_>]| {
            let mut lines: Vec<String> = sets.iter().flat_map(|set| &set.properties).map(|p| format!("{p:?}")).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&decoded.encode()), sorted(&image.property_sets));
    }
});

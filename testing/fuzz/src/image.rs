//! Device images as data: property sets, SPIR-V, the text files of the compiler's tools.

use std::borrow::Cow;

use arbitrary::{Arbitrary, Unstructured};
use sycl_pi_image::filter::DeviceConfig;
use sycl_pi_image::spirv::{Index, LinkOptions, Module, SplitMode, SplitOptions, link, split};
use sycl_pi_image::text::{FileTable, read_json, read_prop, write_prop};
use sycl_pi_image::{ImageParts, Properties, Property, PropertySet, SetKind, Value};

/// Any bytes as SPIR-V: read, reflected, split and linked. The output must be readable.
pub(crate) fn spirv(bytes: &[u8]) {
    let _ = sycl_pi_image::derive::derive(bytes);
    let Ok(module) = Module::parse(bytes) else { return };
    let Ok(index) = Index::new(&module) else { return };
    let mut options = SplitOptions::new(SplitMode::PerKernel);
    options.dependencies = true;
    for image in split(&index, &options).into_iter().flatten() {
        assert!(Index::new(&image.module).is_ok());
    }
    let _ = link(&[("a", &index), ("b", &index)], LinkOptions::allowing_missing());
}

/// A name with a number, or with bytes.
type Raw = (String, Result<u32, Vec<u8>>);

/// Property sets of any kind with any bytes. Decoding and encoding again must give the same.
pub(crate) fn properties(input: &[u8]) {
    let Ok((kind, properties)) = <(u8, Vec<Raw>)>::arbitrary(&mut Unstructured::new(input)) else { return };
    let kind = SetKind::ALL[usize::from(kind) % SetKind::ALL.len()];
    let property = |(name, value): Raw| {
        let value = match value {
            Ok(number) => Value::Uint32(number),
            Err(bytes) => Value::ByteArray(Cow::Owned(bytes)),
        };
        Property::new(name, value)
    };
    let properties = properties.into_iter().map(property).collect();
    let property_sets = vec![PropertySet { name: kind.name().into(), properties }];
    let mut image = ImageParts::default();
    image.property_sets = property_sets;
    if let Ok(decoded) = Properties::decode(&image) {
        assert_eq!(sorted(&decoded.encode()), sorted(&image.property_sets));
    }
}

fn sorted(sets: &[PropertySet<'_>]) -> Vec<String> {
    let mut lines: Vec<String> =
        sets.iter().flat_map(|set| &set.properties).map(|property| format!("{property:?}")).collect();
    lines.sort();
    lines
}

/// The descriptors of specialization constants, and their default values. The input has one byte for the length of the
/// values, then the values, then the descriptors, with each constant's preceded by a byte for their number. Numbers,
/// sizes and offsets are arbitrary.
pub(crate) fn spec_constants(input: &[u8]) {
    let Some((length, rest)) = input.split_first() else { return };
    let (defaults, mut rest) = rest.split_at(usize::from(*length).min(rest.len()));
    let mut constants = PropertySet::new(SetKind::SpecConstants.name());
    while let Some((leaves, more)) = rest.split_first() {
        // Descriptors have 12 bytes. One or two extra bytes make a truncated one.
        let (bytes, more) = more.split_at((usize::from(*leaves) * 4).min(more.len()));
        let name = format!("c{}", constants.properties.len());
        constants.properties.push(Property::new(name, Value::byte_array(bytes)));
        rest = more;
    }
    let mut values = PropertySet::new(SetKind::SpecDefaults.name());
    values.properties.push(Property::new("all", Value::byte_array(defaults)));
    let mut image = ImageParts::default();
    image.property_sets = vec![constants, values];
    let Ok(decoded) = Properties::decode(&image) else { return };
    for constant in decoded.spec_constants.iter() {
        let _ = decoded.spec_default(constant);
        for (_, scalar) in constant.scalars(defaults) {
            assert!(scalar.len() <= defaults.len());
        }
        assert!(constant.scalars(&[]).all(|(_, scalar)| scalar.is_empty()));
    }
    assert_eq!(sorted(&decoded.encode()), sorted(&image.property_sets));
}

/// Any text as a property file, a file table, an image's JSON, a device configuration.
pub(crate) fn text(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(sets) = read_prop("a.prop", text) {
        let written = write_prop("a.prop", &sets).expect("what was read can be written");
        assert_eq!(read_prop("a.prop", &written).expect("what was written can be read"), sets);
    }
    if let Ok(table) = FileTable::read("a.table", text) {
        let _ = FileTable::read("a.table", &table.write());
    }
    if let Ok(parts) = read_json("a.json", text, &[]) {
        let _ = Properties::decode(&parts);
    }
    let _ = DeviceConfig::read("a.yaml", text);
}

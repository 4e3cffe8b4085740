//! Passes damaged images to everything that reads them: the result is an error, never a panic, and the time is bounded.

use std::collections::{BTreeSet, HashMap};

use proptest::prelude::*;
use sycl_pi_image::filter::{DEFAULT_CONFIG, DeviceConfig};
use sycl_pi_image::spirv::{
    Index, LinkOptions, Module, Reflection, SplitMode, SplitOptions, emulate, link, mismatches, specialize,
    split,
};
use sycl_pi_image::text::{FileTable, read_json, read_prop, write_prop};
use sycl_pi_image::{ImageParts, Properties, Property, PropertySet, SetKind, Value, derive};

use crate::common;

/// A deterministic generator, so that a run can be repeated.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.next(3) {
            let at = self.next(bytes.len());
            match self.next(6) {
                0 => bytes.truncate(at),
                1 if !bytes.is_empty() => bytes[at] ^= 1 << self.next(8),
                2 if !bytes.is_empty() => bytes[at] = self.next(256) as u8,
                3 if bytes.len() >= at + 4 => bytes[at..at + 4].fill(0xff),
                // A whole word, because SPIR-V's lengths, opcodes and ids are words.
                4 if bytes.len() >= 4 => {
                    let word = self.next(bytes.len() / 4) * 4;
                    let value = self.next(64) as u32;
                    bytes[word..word + 4].copy_from_slice(&value.to_le_bytes());
                }
                _ if bytes.len() >= 8 => {
                    let (from, to) = (self.next(bytes.len() / 4) * 4, self.next(bytes.len() / 4) * 4);
                    bytes.copy_within(from..from + 4, to);
                }
                _ => bytes.push(0),
            }
        }
    }
}

fn read_code(bytes: &[u8]) {
    let _ = derive::derive(bytes);
    let Ok(module) = Module::parse(bytes) else { return };
    let Ok(index) = Index::new(&module) else { return };
    for mode in [SplitMode::PerKernel, SplitMode::Auto] {
        let mut options = SplitOptions::new(mode);
        options.dependencies = true;
        for image in split(&index, &options).into_iter().flatten() {
            assert!(Index::new(&image.module).is_ok(), "what is written can be read");
        }
    }
    if let Ok(made) = specialize(&index, &HashMap::new(), true) {
        assert!(Index::new(&made).is_ok(), "what is written can be read");
    }
    if let Ok(derived) = derive::derive(bytes)
        && let Ok(made) = emulate(&index, &derived.properties.spec_constants)
    {
        assert!(Index::new(&made.module).is_ok(), "what is written can be read");
    }
    if let Ok(reflection) = Reflection::of(&index) {
        let nothing =
            reflection.entry_points.iter().map(|entry| (entry.name.clone(), BTreeSet::new())).collect();
        for found in mismatches(&index, &reflection, &nothing) {
            assert!(!found.to_string().is_empty());
        }
    }
    let _ = link(&[("a", &index), ("b", &index)], LinkOptions::allowing_missing());
}

#[test]
fn damaged_code() {
    let images = common::images();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..4000 {
        let mut bytes = images[round % images.len()].bytes.clone();
        random.damage(&mut bytes);
        read_code(&bytes);
    }
}

#[test]
fn damaged_text() {
    let images = common::images();
    let mut random = Random(42);
    for round in 0..3000 {
        let image = &images[round % images.len()];
        let prop = write_prop("a.prop", &image.parts().property_sets).unwrap();
        for text in [prop, image.json.clone()] {
            let mut bytes = text.into_bytes();
            random.damage(&mut bytes);
            let text = String::from_utf8_lossy(&bytes);
            let _ = FileTable::read("a.table", &text);
            let sets = read_prop("a.prop", &text).unwrap_or_default();
            let mut parts = ImageParts::default();
            parts.property_sets = sets;
            let _ = Properties::decode(&parts);
            if let Ok(parts) = read_json("a.json", &text, &[]) {
                let _ = Properties::decode(&parts);
            }
        }
    }
}

#[test]
fn damaged_yaml() {
    let mut random = Random(99);
    let lines: Vec<&str> = DEFAULT_CONFIG.lines().collect();
    let mut errors = 0;
    for round in 0..1500 {
        // Only a few entries of the whole, so that a run is quick.
        let from = (round * 4) % lines.len();
        let mut bytes = lines[from..(from + 12).min(lines.len())].join("\n").into_bytes();
        random.damage(&mut bytes);
        if let Err(error) = DeviceConfig::read("a.yaml", &String::from_utf8_lossy(&bytes)) {
            assert!(error.to_string().starts_with("a.yaml:") && error.line > 0, "{error}");
            errors += 1;
        }
    }
    assert!(errors > 100, "{errors}");
}

/// Damaged values in otherwise valid sets yield an error that names the property, or a decoding that encodes to the
/// same bytes.
#[test]
fn damaged_values() {
    let images = common::images();
    let mut random = Random(7);
    for round in 0..8000 {
        let mut parts = images[round % images.len()].parts();
        let set = random.next(parts.property_sets.len());
        let properties = &mut parts.property_sets[set].properties;
        if properties.is_empty() {
            continue;
        }
        let property = random.next(properties.len());
        match &mut properties[property].value {
            Value::Uint32(number) => *number = random.next(1 << 33) as u32,
            Value::ByteArray(bytes) | Value::Other(_, bytes) => random.damage(bytes.to_mut()),
        }
        match Properties::decode(&parts) {
            Ok(decoded) => assert_eq!(decoded.encode(), parts.property_sets),
            // Constants of another size no longer match their defaults, and that error names the defaults.
            Err(error) if error.set == SetKind::SpecDefaults.name() => {}
            Err(error) => assert_eq!(error.set, parts.property_sets[set].name),
        }
    }
}

fn any_value() -> impl Strategy<Value = Value<'static>> {
    prop_oneof![
        any::<u32>().prop_map(Value::Uint32),
        proptest::collection::vec(any::<u8>(), 0..40).prop_map(|data| Value::byte_array(&data)),
        proptest::collection::vec(any::<u8>(), 0..40).prop_map(|bytes| Value::ByteArray(bytes.into())),
    ]
}

proptest! {
    /// All sets that the format can hold survive writing and reading a property file.
    #[test]
    fn property_files_there_and_back(values in proptest::collection::vec(any_value(), 0..6)) {
        let property = |(at, value): (usize, Value<'static>)| Property::new(format!("p{at}@x|y"), value);
        let properties = values.into_iter().enumerate().map(property).collect();
        let sets = vec![PropertySet { name: "A set/of [some]".into(), properties }];
        let text = write_prop("a.prop", &sets).unwrap();
        prop_assert_eq!(read_prop("a.prop", &text).unwrap(), sets);
    }

    #[test]
    fn tables_there_and_back(rows in proptest::collection::vec(proptest::collection::vec("[a-z./]{1,9}", 3), 0..9)) {
        let mut table = FileTable::new(["Code", "Properties", "Symbols"]);
        rows.iter().for_each(|row| table.push(row.clone()));
        prop_assert_eq!(FileTable::read("a.table", &table.write()).unwrap(), table);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut spirv = vec![3, 2, 0x23, 7, 0, 4, 1, 0, 0, 0, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0];
        spirv.extend(&bytes);
        read_code(&spirv);
        read_code(&bytes);
    }
}

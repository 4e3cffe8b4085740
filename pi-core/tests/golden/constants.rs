//! Names, types and values of constants.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;
use sycl_pi_core::{Version, advice};

use crate::data::{assert_same, enums, list, number, structs, version, word};
use crate::declared::{self, Constant};

fn items(golden: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    list(golden, "groups").iter().flat_map(|group| list(group, "items").iter().map(move |item| (group, item)))
}

fn declared() -> BTreeMap<String, Constant> {
    let constants = declared::constants(source());
    let count = constants.len();
    let by_name: BTreeMap<_, _> =
        constants.into_iter().map(|constant| (constant.name.clone(), constant)).collect();
    assert_eq!(by_name.len(), count, "no name is declared twice");
    by_name
}

fn source() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}

#[test]
fn the_crate_declares_every_constant_and_no_other() {
    let golden = enums();
    let golden: BTreeSet<&str> = items(&golden).map(|(_, item)| word(item, "name")).collect();
    let declared = declared();
    assert_same(&declared.keys().map(String::as_str).collect(), &golden);
}

#[test]
fn every_constant_has_its_value_and_size() {
    let (declared, sizes) = (declared(), declared::sizes(source()));
    let golden = enums();
    for (group, item) in items(&golden) {
        let name = word(item, "name");
        let constant = &declared[name];
        if let Some(text) = item["value"].as_str() {
            assert_eq!((constant.text(), &*constant.ty), (Some(text), "&CStr"), "{name}");
            continue;
        }
        let (size, value) = (sizes[&constant.ty], constant.number().unwrap());
        assert_eq!(size, size_of_group(group), "the type of {name}");
        let bits = if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 };
        let expected =
            item["value"].as_i64().map(i128::from).or(item["value"].as_u64().map(i128::from)).unwrap();
        assert_eq!(value as u64 & bits, expected as u64 & bits, "{name}");
    }
}

/// Floating-point capabilities used to be an enumeration. Since 10.14 they are bits of a `pi_device_fp_config`.
fn size_of_group(group: &Value) -> usize {
    if word(group, "name") == "_pi_fp_capabilities" { 8 } else { number(group, "size") }
}

#[test]
fn every_enumerator_has_its_enumerations_type() {
    let (declared, golden, structs) = (declared(), enums(), structs());
    for (group, item) in items(&golden) {
        let tag = format!("enum {}", word(group, "name"));
        let Some(alias) = list(&structs, "typedefs").iter().find(|alias| word(alias, "type") == tag) else {
            continue;
        };
        assert_eq!(declared[word(item, "name")].ty, word(alias, "name"), "{}", word(item, "name"));
    }
}

#[test]
fn only_advice_had_other_numbers_and_they_are_translated() {
    let (declared, golden) = (declared(), enums());
    for (_, item) in items(&golden) {
        let Some(per_version) = item["value_per_version"].as_object() else { continue };
        let name = word(item, "name");
        for (text, value) in per_version {
            let Some(value) = value.as_u64() else { continue };
            let value = u32::try_from(value).unwrap();
            let now = match version(text) {
                // "Unknown" is 0 in 9.11, which means a reset since 10.12. Both ask for nothing.
                Version::V9_11 if value == 0 => continue,
                version if version <= Version::V14_37 => advice::from_until_14_37(value),
                _ => Some(value),
            };
            assert_eq!(now.map(i128::from), declared[name].number(), "{name} in {text}");
        }
    }
}

#[test]
fn numbers_that_are_no_advice_are_not_translated() {
    for number in [1, 100, 111, 998, 1000, u32::MAX] {
        assert_eq!(advice::from_until_14_37(number), None, "{number}");
    }
    assert_eq!(advice::from_until_14_37(0), Some(sycl_pi_core::PI_MEM_ADVICE_RESET));
}

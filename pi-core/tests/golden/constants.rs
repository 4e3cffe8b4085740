//! Names, types and values of constants.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sycl_pi_core::{Version, advice};

use crate::constants_table::{INTEGERS, TEXTS};
use crate::data::{assert_same, enums, list, number, structs, version, word};

fn items(golden: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    list(golden, "groups").iter().flat_map(|group| list(group, "items").iter().map(move |item| (group, item)))
}

/// The names and types of the constants that the crate's source declares, whatever the table says.
fn declared() -> BTreeMap<String, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/consts");
    let mut declared = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines() {
            if let Some((name, rest)) = line.strip_prefix("pub const ").and_then(|rest| rest.split_once(':'))
            {
                let ty = rest.split('=').next().unwrap().trim();
                let before = declared.insert(name.to_owned(), ty.to_owned());
                assert_eq!(before, None, "{name} is declared twice");
            }
        }
    }
    declared
}

#[test]
fn the_crate_declares_every_constant_and_no_other() {
    let golden = enums();
    let golden: BTreeSet<&str> = items(&golden).map(|(_, item)| word(item, "name")).collect();
    let declared = declared();
    assert_same(&declared.keys().map(String::as_str).collect(), &golden);
}

#[test]
fn the_table_of_this_test_has_every_constant() {
    let declared = declared();
    let declared: BTreeSet<(&str, &str)> =
        declared.iter().map(|(name, ty)| (name.as_str(), ty.as_str())).collect();
    let integers = INTEGERS.iter().map(|(name, ty, ..)| (*name, *ty));
    let table = integers.chain(TEXTS.iter().map(|(name, _)| (*name, "&CStr"))).collect();
    assert_same(&table, &declared);
}

#[test]
fn every_constant_has_its_value_and_size() {
    let integers: BTreeMap<_, _> =
        INTEGERS.iter().map(|(name, _, size, value)| (*name, (*size, *value))).collect();
    let texts: BTreeMap<_, _> = TEXTS.iter().copied().collect();
    let golden = enums();
    for (group, item) in items(&golden) {
        let name = word(item, "name");
        if let Some(text) = item["value"].as_str() {
            assert_eq!(texts[name].to_str(), Ok(text), "{name}");
            continue;
        }
        let (size, value) = integers[name];
        assert_eq!(size, size_of_group(group), "the type of {name}");
        let bits = if size == 8 { u64::MAX } else { (1 << (8 * size)) - 1 };
        let expected =
            item["value"].as_i64().map(i128::from).or(item["value"].as_u64().map(i128::from)).unwrap();
        assert_eq!(value as u64 & bits, expected as u64 & bits, "{name}");
    }
}

/// The floating-point capabilities were an enumeration once; since 10.14 they are bits of a `pi_device_fp_config`.
fn size_of_group(group: &Value) -> usize {
    if word(group, "name") == "_pi_fp_capabilities" { 8 } else { number(group, "size") }
}

#[test]
fn every_enumerator_has_its_enumerations_type() {
    let types: BTreeMap<_, _> = INTEGERS.iter().map(|(name, ty, ..)| (*name, *ty)).collect();
    let (golden, structs) = (enums(), structs());
    for (group, item) in items(&golden) {
        let tag = format!("enum {}", word(group, "name"));
        let Some(alias) = list(&structs, "typedefs").iter().find(|alias| word(alias, "type") == tag) else {
            continue;
        };
        assert_eq!(types[word(item, "name")], word(alias, "name"), "{}", word(item, "name"));
    }
}

#[test]
fn only_advice_had_other_numbers_and_they_are_translated() {
    let integers: BTreeMap<_, _> = INTEGERS.iter().map(|(name, _, _, value)| (*name, *value)).collect();
    let golden = enums();
    for (_, item) in items(&golden) {
        let Some(per_version) = item["value_per_version"].as_object() else { continue };
        let name = word(item, "name");
        for (text, value) in per_version {
            let Some(value) = value.as_u64() else { continue };
            let value = u32::try_from(value).unwrap();
            let now = match version(text) {
                // 9.11's "unknown" is 0, which is a reset since 10.12: the two ask for the same.
                Version::V9_11 if value == 0 => continue,
                version if version <= Version::V14_37 => advice::from_until_14_37(value),
                _ => Some(value),
            };
            assert_eq!(now.map(i128::from), Some(integers[name]), "{name} in {text}");
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

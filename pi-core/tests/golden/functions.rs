//! Names and slots.

use std::collections::{BTreeMap, BTreeSet};

use sycl_pi_core::table::{ALIASES, entry_point, names_by_slot};
use sycl_pi_core::{ENTRY_POINTS, Version};

use crate::data::{assert_same, functions, list, version, word};

#[test]
fn the_list_has_every_function_and_no_other() {
    let golden = functions();
    let golden: BTreeSet<&str> =
        list(&golden, "functions").iter().map(|function| word(function, "name")).collect();
    let ours: BTreeSet<&str> = ENTRY_POINTS.iter().map(|entry| entry.name).collect();
    assert_same(&ours, &golden);
    assert_eq!(ENTRY_POINTS.len(), golden.len(), "no name stands twice in the list");
}

#[test]
fn every_function_has_its_slot_in_every_version() {
    let golden = functions();
    for function in list(&golden, "functions") {
        let name = word(function, "name");
        let entry = entry_point(name).unwrap();
        let slots = function["slots"].as_object().unwrap();
        assert_eq!(slots.len(), Version::ALL.len());
        for (text, slot) in slots {
            let slot = slot.as_u64().map(|slot| u16::try_from(slot).unwrap());
            assert_eq!(entry.slot(version(text)), slot, "{name} in {text}");
        }
    }
}

#[test]
fn every_slot_of_every_table_is_taken_once() {
    for version in Version::ALL {
        let mut taken = BTreeMap::new();
        for (slot, entry) in names_by_slot(version) {
            let before = taken.insert(usize::from(slot), entry.name);
            assert_eq!(before, None, "slot {slot} of {version:?}, again for {}", entry.name);
        }
        let slots: Vec<usize> = taken.into_keys().collect();
        let expected: Vec<usize> = (0..version.offsets().function_count).collect();
        assert_eq!(slots, expected, "{version:?}");
    }
}

#[test]
fn the_second_spellings_are_of_listed_functions_and_new() {
    for (alias, name) in ALIASES {
        assert!(entry_point(name).is_some(), "{name}");
        assert!(entry_point(alias).is_none(), "{alias}");
    }
}

#[test]
fn families_group_the_list() {
    let mut families: Vec<_> = ENTRY_POINTS.iter().map(|entry| entry.family).collect();
    families.dedup();
    let distinct: std::collections::HashSet<_> = families.iter().collect();
    assert_eq!(families.len(), distinct.len(), "a family's functions stand together: {families:?}");
}

//! Slots, second spellings, families and older signatures.

use std::collections::BTreeMap;

use sycl_pi_core::table::{ALIASES, entry_point, names_by_slot};
use sycl_pi_core::{ENTRY_POINTS, Version};

use crate::data::{functions, list, version, word};

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

#[test]
fn older_signatures_are_whole_runs_from_the_first_version_on() {
    let golden = functions();
    for function in list(&golden, "functions") {
        let signatures = list(function, "older_signatures");
        assert!(signatures.len() <= 1, "the list has room for one older form of {}", word(function, "name"));
        for signature in signatures {
            let versions: Vec<Version> =
                list(signature, "versions").iter().map(|text| version(text.as_str().unwrap())).collect();
            assert_eq!(versions, Version::ALL[..versions.len()], "{}", word(function, "name"));
        }
    }
}

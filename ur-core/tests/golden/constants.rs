//! Names and values of constants.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sycl_ur_core::Layout;
use sycl_ur_core::consts::{self, ENUMERATIONS, MASKS, TEXTS};

use crate::data::{assert_same, enums, layout, list, word, words};
use crate::forms::form_in;

/// Returns the values of a golden item in the layouts that have it.
pub(crate) fn values<'a>(item: &'a Value, all: &[&'a str]) -> Vec<(&'a str, &'a Value)> {
    let present = if item["present"].is_array() { words(item, "present") } else { all.to_vec() };
    let value_in = |name: &str| {
        let per_layout = [&item["value_per_layout"], &item["text_per_layout"]];
        let same = [&item["value"], &item["text"]];
        per_layout.into_iter().map(|of| &of[name]).chain(same).find(|value| !value.is_null())
    };
    present.into_iter().map(|name| (name, value_in(name).expect("a value"))).collect()
}

#[test]
fn the_crate_declares_every_enumeration_and_no_other() {
    let golden = enums();
    let names = list(&golden, "enums").iter().map(|of| word(of, "name")).collect();
    let ours: Vec<&str> = ENUMERATIONS.iter().copied().flatten().map(|of| of.name).collect();
    assert_same(&ours.iter().copied().collect(), &names);
    assert_eq!(ours.len(), names.len(), "no enumeration is declared twice");
}

#[test]
fn every_enumerator_has_its_value_in_every_layout_and_there_is_no_other() {
    let golden = enums();
    for of in list(&golden, "enums") {
        let ours: BTreeMap<&str, u32> =
            consts::enumeration(word(of, "name")).unwrap().items.iter().copied().collect();
        let mut used = BTreeSet::new();
        for item in list(of, "items") {
            for (name, value) in values(item, &words(of, "layouts")) {
                let form = form_in(|form| ours.contains_key(form), word(item, "name"), layout(name));
                let declared = ours.get_key_value(form.as_str());
                let (form, ours) = declared.unwrap_or_else(|| panic!("{form} is missing"));
                assert_eq!(u64::from(*ours), value.as_u64().unwrap(), "{form} in {name}");
                used.insert(*form);
            }
        }
        assert_same(&ours.keys().copied().collect(), &used);
    }
}

#[test]
fn every_mask_has_its_value_in_every_layout_and_there_is_no_other() {
    let golden = enums();
    let all = words(&golden, "layouts");
    let ours: BTreeMap<&str, u32> = MASKS.iter().copied().collect();
    let mut used = BTreeSet::new();
    for item in list(&golden, "macros").iter().filter(|item| word(item, "name").ends_with("_MASK")) {
        for (name, value) in values(item, &all) {
            let form = form_in(|form| ours.contains_key(form), word(item, "name"), layout(name));
            let expected = u32::from_str_radix(value.as_str().unwrap().strip_prefix("0x").unwrap(), 16);
            assert_eq!(ours.get(form.as_str()).copied(), expected.ok(), "{form} in {name}");
            used.insert(form);
        }
    }
    assert_same(&ours.keys().map(|name| name.to_string()).collect(), &used);
}

#[test]
fn every_text_is_the_same_as_in_c() {
    let golden = enums();
    let texts = list(&golden, "macros").iter().filter(|item| !word(item, "name").ends_with("_MASK"));
    let texts: BTreeSet<_> = texts.map(|item| (word(item, "name"), word(item, "text").to_owned())).collect();
    let ours = TEXTS.iter().map(|(name, text)| (*name, format!("{:?}", text.to_str().unwrap()))).collect();
    assert_same(&ours, &texts);
}

#[test]
fn an_older_value_differs_from_the_plain_one() {
    let all = ENUMERATIONS.iter().copied().flatten().flat_map(|of| of.items).chain(MASKS);
    let all: BTreeMap<&str, u32> = all.copied().collect();
    let mut older = 0;
    for (name, value) in &all {
        if let Some((plain, _)) = name.split_once("_until_") {
            assert_ne!(Some(value), all.get(plain), "{name}");
            older += 1;
        }
    }
    assert!(older > Layout::ALL.len(), "the rule of the names is met");
}

//! The comments that state in which releases a constant exists.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::constants::values;
use crate::data::{enums, layout, list, word, words};
use crate::forms::form_in;

/// Returns the last comment before each name that the sources of the constants declare.
fn comments() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/consts");
    let mut comments = BTreeMap::new();
    for file in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if file.file_name() == "mod.rs" {
            continue;
        }
        let mut comment = String::new();
        for line in fs::read_to_string(file.path()).unwrap().lines().map(str::trim) {
            if let Some(text) = line.strip_prefix("/// ") {
                text.clone_into(&mut comment);
            } else if let Some(name) =
                line.split([' ', ':']).next().filter(|name| name.to_lowercase().starts_with("ur_"))
            {
                comments.insert(name.to_owned(), std::mem::take(&mut comment));
            }
        }
    }
    comments
}

/// Returns the comment expected for an item that exists in the layouts `present` out of `all`.
fn said(present: &[&str], all: &[&str]) -> String {
    let (first, last) = (present[0], *present.last().unwrap());
    let (since, until) = (first != all[0], Some(&last) != all.last());
    match (since, until) {
        (false, false) => String::new(),
        (true, false) => format!("Since {first}."),
        (false, true) => format!("Until {last}."),
        (true, true) if first == last => format!("Only in {first}."),
        (true, true) => format!("Since {first}, until {last}."),
    }
}

/// Returns the forms of a golden item with the layouts that have each.
fn forms<'a>(
    comments: &BTreeMap<String, String>,
    item: &'a Value,
    all: &[&'a str],
) -> BTreeMap<String, Vec<&'a str>> {
    let mut forms: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, _) in values(item, all) {
        let form = form_in(|form| comments.contains_key(form), word(item, "name"), layout(name));
        forms.entry(form).or_default().push(name);
    }
    forms
}

#[test]
fn the_comments_of_enumerators_name_their_layouts() {
    let (golden, comments) = (enums(), comments());
    for of in list(&golden, "enums") {
        let all = words(of, "layouts");
        for item in list(of, "items") {
            for (form, present) in forms(&comments, item, &all) {
                assert_eq!(comments[&form], said(&present, &all), "{form}");
            }
        }
    }
}

#[test]
fn the_comments_of_enumerations_end_with_their_layouts() {
    let (golden, comments) = (enums(), comments());
    let all = words(&golden, "layouts");
    for of in list(&golden, "enums") {
        let name = word(of, "name");
        let said = said(&words(of, "layouts"), &all);
        let (_, layouts) = comments[name].split_once(". ").unwrap_or((&comments[name], ""));
        assert_eq!(layouts, said, "{name}");
    }
}

#[test]
fn the_comments_of_masks_and_texts_name_their_layouts() {
    let (golden, comments) = (enums(), comments());
    let all = words(&golden, "layouts");
    for item in list(&golden, "macros") {
        for (form, present) in forms(&comments, item, &all) {
            assert_eq!(comments[&form], said(&present, &all), "{form}");
        }
    }
}

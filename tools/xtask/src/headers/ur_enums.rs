//! The golden data of ur-core's constants: `ur-core/golden/enums.json`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::output::golden;

pub(super) const GOLDEN: &str = "ur-core/golden/enums.json";

/// The golden data.
#[derive(Deserialize)]
pub(super) struct Enums {
    pub(super) layouts: Vec<String>,
    pub(super) enums: Vec<Enumeration>,
    pub(super) macros: Vec<Item>,
}

#[derive(Deserialize)]
pub(super) struct Enumeration {
    pub(super) name: String,
    pub(super) layouts: Vec<String>,
    pub(super) items: Vec<Item>,
}

/// An enumerator or a macro. `value` is the value in the layouts that `value_per_layout` leaves out.
#[derive(Deserialize)]
pub(super) struct Item {
    pub(super) name: String,
    #[serde(alias = "text")]
    value: Option<Value>,
    #[serde(default, alias = "text_per_layout")]
    value_per_layout: BTreeMap<String, Value>,
    /// The layouts that have the item. All, if there is no list.
    present: Option<Vec<String>>,
}

/// A number, or the text of a macro.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(untagged)]
pub(super) enum Value {
    Number(u32),
    Text(String),
}

/// Reads the golden data.
pub(super) fn read(root: &Path) -> Result<Enums> {
    golden(root, GOLDEN)
}

impl Item {
    /// Returns the values, oldest first, with the layouts that have each. `all` are those of the enumeration.
    pub(super) fn forms<'a>(&'a self, all: &'a [String]) -> Result<Vec<(&'a Value, Vec<&'a str>)>> {
        let mut forms: Vec<(&Value, Vec<&str>)> = Vec::new();
        for layout in self.present.as_deref().unwrap_or(all) {
            let value = self.value_per_layout.get(layout).or(self.value.as_ref());
            let value = value.with_context(|| format!("no value of {} in {layout}", self.name))?;
            match forms.last_mut() {
                Some((last, layouts)) if *last == value => layouts.push(layout),
                _ => forms.push((value, vec![layout])),
            }
        }
        Ok(forms)
    }
}

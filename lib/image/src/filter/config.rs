//! The device configuration file, which lists what each target supports, in the YAML that the design document shows.

use std::collections::{BTreeMap, BTreeSet};

use crate::architecture;
use crate::aspect;
use crate::error::TextError;

/// The features that a target supports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceEntry {
    /// The target's name.
    pub target: String,
    /// `aspects`, which the file gives by number or enumerator.
    pub aspects: BTreeSet<u32>,
    /// `may_support_other_aspects`
    pub may_support_other_aspects: bool,
    /// `sub-group-sizes`
    pub sub_group_sizes: BTreeSet<u32>,
}

/// A device configuration file: entries by target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceConfig {
    /// The entries.
    pub devices: BTreeMap<String, DeviceEntry>,
}

/// The list to which the following `- item` lines belong.
#[derive(Clone, Copy)]
enum List {
    Aspects,
    SubGroupSizes,
}

impl DeviceConfig {
    /// Reads a configuration; `file` is its name in messages. Accepts the subset of YAML that the design document uses:
    /// targets at the start of a line, keys under them, lists in brackets or as `- item` lines, comments, quotes around
    /// words.
    pub fn read(file: &str, text: &str) -> Result<Self, TextError> {
        let mut config = Self::default();
        let mut current: Option<String> = None;
        let mut list: Option<List> = None;
        for (at, line) in text.lines().enumerate() {
            let error = |problem: String| TextError::new(file, at + 1, problem);
            let line = line.split_once('#').map_or(line, |(before, _)| before).trim_end();
            if line.trim().is_empty() || line == "---" {
                continue;
            }
            if line.contains('\t') {
                return Err(error("YAML is indented with spaces, not tabs".into()));
            }
            if !line.starts_with(' ') && !line.starts_with('-') {
                let name = line.strip_suffix(':').map(unquoted).filter(|name| !name.is_empty());
                let name =
                    name.ok_or_else(|| error(format!("{line:?} is not a target, which is written name:")))?;
                let entry = DeviceEntry { target: name.to_owned(), ..DeviceEntry::default() };
                if config.devices.insert(name.to_owned(), entry).is_some() {
                    return Err(error(format!("target {name} appears twice")));
                }
                (current, list) = (Some(name.to_owned()), None);
                continue;
            }
            let entry = current.as_ref().and_then(|name| config.devices.get_mut(name));
            let entry = entry.ok_or_else(|| error("a key comes before the first target".into()))?;
            let line = line.trim_start();
            if let Some(item) = line.strip_prefix('-') {
                let list = list.ok_or_else(|| error("an item is outside a list".into()))?;
                entry.add(list, item).map_err(error)?;
                continue;
            }
            list = entry.key(line).map_err(error)?;
        }
        Ok(config)
    }
}

impl DeviceEntry {
    /// Reads a `key: value` line, and returns the list that the lines after it continue.
    fn key(&mut self, line: &str) -> Result<Option<List>, String> {
        let (key, value) = line
            .split_once(':')
            .ok_or_else(|| format!("{line:?} is not a key, which is written key: value"))?;
        let list = match unquoted(key) {
            "aspects" => List::Aspects,
            "sub-group-sizes" => List::SubGroupSizes,
            "may_support_other_aspects" => {
                self.may_support_other_aspects = match unquoted(value) {
                    "true" => true,
                    "false" => false,
                    other => {
                        return Err(format!("may_support_other_aspects is true or false, not {other:?}"));
                    }
                };
                return Ok(None);
            }
            other => return Err(format!("{other:?} is not a key of a target")),
        };
        let value = value.trim();
        if value.is_empty() {
            return Ok(Some(list));
        }
        let items = value.strip_prefix('[').and_then(|items| items.strip_suffix(']'));
        let items = items.ok_or_else(|| format!("{value:?} is not a list, which is written [1, 2]"))?;
        for item in items.split(',').filter(|_| !items.trim().is_empty()) {
            self.add(list, item)?;
        }
        Ok(None)
    }

    /// Returns whether devices of this target have an aspect. An architecture counts as an aspect of its devices.
    pub fn has(&self, aspect: u32) -> bool {
        self.aspects.contains(&aspect) || architecture::is_of_target(aspect, &self.target)
    }

    fn add(&mut self, list: List, item: &str) -> Result<(), String> {
        let item = unquoted(item);
        match list {
            List::Aspects => {
                let number = aspect::number(item)
                    .ok_or_else(|| format!("{item:?} is neither an aspect nor a number"))?;
                self.aspects.insert(number);
            }
            List::SubGroupSizes => {
                self.sub_group_sizes
                    .insert(item.parse().map_err(|_| format!("{item:?} is not a sub-group size"))?);
            }
        }
        Ok(())
    }
}

fn unquoted(word: &str) -> &str {
    let word = word.trim();
    let within = |quote: char| word.strip_prefix(quote).and_then(|word| word.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(word)
}

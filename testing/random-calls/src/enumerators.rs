//! The interface's enumerators by their type, from the data with which pi-core's tests compare the constants.

use std::collections::HashMap;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::random::Random;

const ENUMS: &str = include_str!("../../../pi-core/golden/enums.json");

/// Values by the name of the C type without its underscore, such as `pi_device_info`.
pub(crate) struct Enumerators(HashMap<String, Vec<u64>>);

impl Enumerators {
    /// Reads the enumerators.
    pub(crate) fn read() -> Result<Self> {
        let data: Value = serde_json::from_str(ENUMS).context("enums.json")?;
        let groups = data["groups"].as_array().context("enums.json has no groups")?;
        let mut found = HashMap::new();
        for group in groups {
            let name = group["name"].as_str().unwrap_or_default().trim_start_matches('_');
            let items = group["items"].as_array().map(Vec::as_slice).unwrap_or_default();
            let values = items.iter().filter_map(|item| item["value"].as_i64().map(|value| value as u64));
            found.insert(name.to_owned(), values.collect());
        }
        Ok(Self(found))
    }

    /// Returns a value of the type, mostly a known one, otherwise one near a known one or far from any. Sometimes
    /// combines bits of bit sets.
    pub(crate) fn of(&self, ty: &str, bad: bool, random: &mut Random) -> u64 {
        let known = self.0.get(ty).map(Vec::as_slice).unwrap_or_default();
        let value = random.of(known).unwrap_or_else(|| 1 << random.below(16));
        match random.below(12) {
            _ if bad => match random.below(3) {
                0 => value.wrapping_add(0x77),
                1 => 0x7fff_0000 + random.below(0xffff) as u64,
                _ => random.word(),
            },
            0 => value | random.of(known).unwrap_or(0),
            1 => 0,
            _ => value,
        }
    }
}

//! The enumerators of a layout, by name and by type.

use std::collections::HashMap;

use serde_json::Value;
use testing_ur_host::Layout;

const ENUMS: &str = include_str!("../../../../../ur-core/golden/enums.json");

/// The enumerators of a layout.
pub(crate) struct Names {
    by_type: HashMap<String, Vec<(String, u64)>>,
    all: HashMap<String, u64>,
}

impl Names {
    /// Reads the enumerators.
    pub(crate) fn read(layout: Layout) -> Result<Self, String> {
        let data: Value = serde_json::from_str(ENUMS).map_err(|error| error.to_string())?;
        // The data distinguishes 2026.1.0, whose tables are those of 2026.0.
        let own = layout.name();
        let (mut by_type, mut all) = (HashMap::new(), HashMap::new());
        for group in data["enums"].as_array().into_iter().flatten() {
            let mut items = Vec::new();
            for item in group["items"].as_array().into_iter().flatten() {
                let present = item["present"].as_array();
                let here = present.is_none_or(|layouts| layouts.iter().any(|layout| layout == own));
                let value = item["value"].as_u64().or_else(|| item["value_per_layout"][own].as_u64());
                if let (true, Some(name), Some(value)) = (here, item["name"].as_str(), value) {
                    all.insert(name.to_owned(), value);
                    if !name.ends_with("_FORCE_UINT32") {
                        items.push((name.to_owned(), value));
                    }
                }
            }
            by_type.insert(group["name"].as_str().unwrap_or_default().to_owned(), items);
        }
        Ok(Self { by_type, all })
    }

    /// Returns the number of a name.
    pub(crate) fn value(&self, name: &str) -> Option<u64> {
        self.all.get(name).copied()
    }

    /// Returns the enumerators of a type, in the order of the header.
    pub(crate) fn of_type(&self, name: &str) -> &[(String, u64)] {
        self.by_type.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns a result's name without its prefix.
    pub(crate) fn result(&self, code: u32) -> String {
        let known = self.of_type("ur_result_t").iter().find(|(_, value)| *value == u64::from(code));
        let name = known.map_or_else(|| code.to_string(), |(name, _)| name.replace("UR_RESULT_", ""));
        name.replace("ERROR_", "")
    }
}

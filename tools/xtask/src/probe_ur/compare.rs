//! What a loader has told, beside ur-core's list.

use sycl_ur_core::table::{self, function};
use sycl_ur_core::{FUNCTIONS, Layout, TABLES};

use super::probe::Read;

/// A line per difference.
pub(super) fn differences(read: &Read, layout: Layout) -> Vec<String> {
    let mut lines = Vec::new();
    for table in &read.tables {
        match TABLES.iter().find(|known| known.getter_in(layout) == Some(&table.getter)) {
            None => lines.push(format!("new table: {} with {} slots", table.getter, table.slots)),
            Some(known) if known.slots_in(layout).map(usize::from) != Some(table.slots) => {
                let slots = known.slots_in(layout).unwrap_or_default();
                lines.push(format!("{}: {} slots, the list has {slots}", table.getter, table.slots));
            }
            Some(_) => {}
        }
        if table.version != layout.api_version() {
            let known = layout.api_version();
            lines.push(format!("{}: version {:#x}, the list has {known:#x}", table.getter, table.version));
        }
    }
    for table in TABLES {
        if let Some(getter) = table.getter_in(layout)
            && !read.tables.iter().any(|read| read.getter == getter)
        {
            lines.push(format!("the loader does not ask for {getter}"));
        }
    }
    for (name, (getter, slot)) in &read.functions {
        let known = function(name).and_then(|known| Some((known, known.slot(layout)?)));
        let table = known.and_then(|(known, _)| table::table(known.table)?.getter_in(layout));
        match (known, table) {
            (Some((_, known_slot)), Some(known_getter))
                if known_getter == getter && usize::from(known_slot) == *slot => {}
            (Some((_, known_slot)), Some(known_getter)) => {
                lines.push(format!(
                    "{name}: slot {slot} of {getter}, the list has {known_slot} of {known_getter}"
                ));
            }
            _ => lines.push(format!("new function: {name} in slot {slot} of {getter}")),
        }
    }
    for known in FUNCTIONS.iter().filter(|known| known.slot(layout).is_some()) {
        if !read.functions.contains_key(known.name) {
            lines.push(format!("{} is gone", known.name));
        }
    }
    lines
}

//! The names that a plugin exports, for the tests of a built one.

use sycl_pi_core::table::ALIASES;
use sycl_pi_core::{ENTRY_POINTS, Version};

/// Every name that a plugin exports, sorted.
fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = ENTRY_POINTS.iter().map(|entry| entry.name).collect();
    names.extend(ALIASES.map(|(alias, _)| alias));
    names.push("piPluginInit");
    names.sort_unstable();
    names
}

/// `ctests/symbols.txt`: one name a line.
pub(super) fn lines() -> String {
    names().iter().map(|name| format!("{name}\n")).collect()
}

/// `ctests/symbols.h`: the same names as an array, and the names in each version's table by slot.
pub(super) fn header() -> String {
    let mut text = String::from(
        "/* Written by `cargo xtask headers` from the list in pi-core. Do not edit. */\n\
         #ifndef PI_CTESTS_SYMBOLS_H\n#define PI_CTESTS_SYMBOLS_H\n\n\
         /* Every symbol that a plugin exports. */\nstatic const char *const exported_symbols[] = {\n",
    );
    for name in names() {
        text.push_str(&format!("    \"{name}\",\n"));
    }
    text.push_str("};\n");
    for version in Version::ALL {
        let mut slots: Vec<_> = sycl_pi_core::table::names_by_slot(version).collect();
        slots.sort_unstable_by_key(|(slot, _)| *slot);
        let id = super::prototypes::id(version);
        text.push_str(&format!(
            "\n/* The function table of PI {}, by slot. */\nstatic const char *const slots_{id}[] = {{\n",
            version.text()
        ));
        for (_, entry) in slots {
            text.push_str(&format!("    \"{}\",\n", entry.name));
        }
        text.push_str("};\n");
    }
    text.push_str("\n#endif\n");
    text
}

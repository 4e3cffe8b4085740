//! The layouts of `pi_plugin`, as compiled.

use std::collections::BTreeMap;
use std::mem::{align_of, offset_of, size_of};

use sycl_pi_core::*;

use crate::data::{list, number, structs, word};

/// Size, alignment, and the fields with their offsets.
type Layout = (usize, usize, Vec<(&'static str, usize)>);

macro_rules! layouts {
    ($($golden:ident: $ours:ty { $($field:ident)* };)*) => {
        BTreeMap::from([$((
            stringify!($golden),
            (size_of::<$ours>(), align_of::<$ours>(), vec![$((stringify!($field), offset_of!($ours, $field))),*]),
        )),*])
    };
}

fn compiled() -> BTreeMap<&'static str, Layout> {
    layouts! {
        _pi_plugin_9_11: pi_plugin_9_11 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_11_15: pi_plugin_11_15 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_12_21: pi_plugin_12_21 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_12_27: pi_plugin_12_27 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_14_37: pi_plugin_14_37 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_14_39: pi_plugin_14_37 { PiVersion PluginVersion Targets PiFunctionTable };
        _pi_plugin_15_47: pi_plugin_15_47 { PiVersion PluginVersion Targets PiFunctionTable SanitizeType };
    }
}

#[test]
fn pi_plugin_has_its_size_alignment_and_offsets_in_every_version() {
    let (golden, mut ours) = (structs(), compiled());
    for item in list(&golden, "structs").iter().filter(|item| item["name"] == "_pi_plugin") {
        let name = format!("_pi_plugin_{}", word(item, "variant").replace('.', "_"));
        let (size, alignment, fields) =
            ours.remove(name.as_str()).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(size, number(item, "size"), "{name}");
        assert_eq!(alignment, number(item, "alignment"), "{name}");
        let expected: Vec<_> =
            list(item, "fields").iter().map(|field| (word(field, "name"), number(field, "offset"))).collect();
        assert_eq!(fields, expected, "{name}");
    }
    assert!(ours.is_empty(), "not in the golden data: {:?}", ours.keys());
}

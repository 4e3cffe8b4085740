//! The layouts.

use sycl_ur_core::Layout;

use crate::data::{functions, layout, layouts, list, number, words};

#[test]
fn every_layout_of_the_data_is_served_and_no_other() {
    let golden = functions();
    let mut served: Vec<Layout> = layouts(&golden).iter().map(|(name, _)| layout(name)).collect();
    served.dedup();
    assert_eq!(served, Layout::ALL);
}

#[test]
fn every_layout_has_its_version_sizes_and_distance() {
    let golden = functions();
    for (name, of) in layouts(&golden) {
        let layout = layout(name);
        assert_eq!(layout.api_version() as usize, number(of, "api_version"), "{name}");
        assert_eq!(layout.size(), number(of, "size"), "{name}");
        assert_eq!(layout.slot_count(), number(of, "slots"), "{name}");
        assert_eq!(layout.distance(), number(of, "distance"), "{name}");
        assert_eq!(layout.first_table_name(), words(of, "getter_call_order")[0], "{name}");
    }
}

#[test]
fn every_release_is_in_its_layout() {
    let golden = functions();
    for ours in Layout::ALL {
        let releases: Vec<&str> = layouts(&golden)
            .into_iter()
            .filter(|(name, _)| layout(name) == ours)
            .flat_map(|(_, of)| words(of, "releases"))
            .collect();
        assert_eq!(ours.releases(), releases, "{ours:?}");
    }
}

#[test]
fn release_2026_1_0_has_the_tables_and_signatures_of_2026_0() {
    let golden = functions();
    assert_eq!(golden["layouts"]["2026.1.0"]["tables"], golden["layouts"]["2026.0"]["tables"]);
    for function in list(&golden, "functions") {
        for signature in list(function, "signatures") {
            let layouts = words(signature, "layouts");
            assert_eq!(layouts.contains(&"2026.1.0"), layouts.contains(&"2026.0"), "{function}");
        }
    }
}

#[test]
fn a_layout_is_found_by_its_exact_distance_only() {
    for layout in Layout::ALL {
        assert_eq!(Layout::from_distance(layout.distance()), Some(layout));
    }
    for bytes in [0, 8, 264, 271, 273, 1209, 1232, usize::MAX] {
        assert_eq!(Layout::from_distance(bytes), None, "{bytes}");
    }
}

#[test]
fn layouts_are_ordered_as_released() {
    assert!(Layout::ALL.is_sorted());
    assert_eq!(Some(&Layout::NEWEST), Layout::ALL.last());
}

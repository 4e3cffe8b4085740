//! Slots, older forms and families.

use std::collections::HashSet;

use sycl_ur_core::table::functions_of;
use sycl_ur_core::{FUNCTIONS, Layout, TABLES};

#[test]
fn every_slot_of_every_table_is_taken_once_but_one() {
    let mut free = Vec::new();
    for layout in Layout::ALL {
        for table in TABLES {
            let slots = table.slots_in(layout).unwrap_or(0);
            let mut taken = vec![0; usize::from(slots)];
            for (slot, _) in functions_of(table.name, layout) {
                taken[usize::from(slot)] += 1;
            }
            for (slot, times) in taken.into_iter().enumerate().filter(|(_, times)| *times != 1) {
                free.push((layout, table.name, slot, times));
            }
        }
    }
    assert_eq!(free, [(Layout::V2025_3, "EnqueueExp", 6, 0)]);
}

#[test]
fn the_newest_layout_of_a_function_is_a_newer_one_than_that_of_its_older_forms() {
    for function in FUNCTIONS {
        let newest = Layout::ALL.into_iter().rfind(|layout| function.slot(*layout).is_some()).unwrap();
        let oldest = Layout::ALL.into_iter().find(|layout| function.slot(*layout).is_some()).unwrap();
        let until: Vec<Layout> = function.older.iter().map(|older| older.until).collect();
        assert!(until.is_sorted(), "{}: oldest first", function.name);
        for older in function.older {
            assert!(oldest <= older.until && older.until < newest, "{}", older.name);
            assert_eq!(
                older.name,
                format!("{}_until_{}", function.name, older.until.name().replace('.', "_"))
            );
        }
    }
}

#[test]
fn families_group_the_list() {
    let mut families: Vec<_> = FUNCTIONS.iter().map(|function| function.family).collect();
    families.dedup();
    let distinct: HashSet<_> = families.iter().collect();
    assert_eq!(families.len(), distinct.len(), "a family's functions stand together: {families:?}");
}

//! The tables.

use std::collections::BTreeSet;

use sycl_ur_core::{Layout, TABLES, table};

use crate::data::{assert_same, functions, layout, layouts, list, number, table_name, word, words};

#[test]
fn every_table_has_its_getter_length_and_place_in_every_layout() {
    let golden = functions();
    for (name, of) in layouts(&golden) {
        let layout = layout(name);
        let mut seen = BTreeSet::new();
        for golden in list(of, "tables") {
            let table = table::table(table_name(word(golden, "table"))).unwrap();
            assert_eq!(table.getter_in(layout), Some(word(golden, "getter")), "{} in {name}", table.name);
            assert_eq!(
                table.slots_in(layout).map(usize::from),
                Some(number(golden, "slots")),
                "{} in {name}",
                table.name
            );
            assert_eq!(
                table.offset_in(layout).map(usize::from),
                Some(number(golden, "offset")),
                "{} in {name}",
                table.name
            );
            seen.insert(table.name);
        }
        let ours = TABLES.iter().filter(|table| table.slots_in(layout).is_some());
        assert_same(&ours.map(|table| table.name).collect(), &seen);
    }
}

#[test]
fn tables_stand_in_the_order_of_the_calls_in_every_layout() {
    let golden = functions();
    for (name, of) in layouts(&golden) {
        let layout = layout(name);
        let ours = TABLES.iter().filter(|table| table.slots_in(layout).is_some()).map(|table| table.name);
        let order: Vec<&str> = words(of, "getter_call_order").into_iter().map(table_name).collect();
        assert_eq!(ours.collect::<Vec<_>>(), order, "{name}");
    }
}

#[test]
fn tables_fill_a_layout_without_gaps() {
    for layout in Layout::ALL {
        let mut places: Vec<(u16, u16)> = TABLES
            .iter()
            .filter_map(|table| Some((table.offset_in(layout)?, table.slots_in(layout)?)))
            .collect();
        places.sort_unstable();
        let end = places.into_iter().fold(0, |end, (offset, slots)| {
            assert_eq!(offset, end, "{layout:?}");
            offset + 8 * slots
        });
        assert_eq!(usize::from(end), layout.size(), "{layout:?}");
    }
}

#[test]
fn the_distance_is_that_of_the_first_two_tables() {
    for layout in Layout::ALL {
        let mut offsets = TABLES.iter().filter_map(|table| table.offset_in(layout)).map(usize::from);
        let (first, second) = (offsets.next().unwrap(), offsets.next().unwrap());
        assert_eq!(second - first, layout.distance(), "{layout:?}");
    }
}

macro_rules! rows {
    ((first, second) $($table:ident $getter:ident $(until $until:ident)?;)*) => {
        &[$((stringify!($table), stringify!($getter), rows!(@until $($until)?))),*]
    };
    (@until $until:ident) => { Some(Layout::$until) };
    (@until) => { None };
}

#[test]
fn the_macro_of_getters_has_every_getter_once() {
    let rows: &[(&str, &str, Option<Layout>)] = sycl_ur_core::for_each_table!(rows, first, second);
    let newest: Vec<_> = rows.iter().filter(|row| row.2.is_none()).map(|row| (row.0, row.1)).collect();
    let tables: Vec<_> = TABLES.iter().map(|table| (table.name, table.getter)).collect();
    assert_eq!(newest, tables);
    let older: Vec<_> = rows.iter().filter_map(|row| Some((row.0, row.2?, row.1))).collect();
    assert_eq!(older, table::OLDER_GETTERS);
}

//! The layouts of device queries.

use std::collections::BTreeSet;

use sycl_ur_core::{Layout, device_query_layouts};

use super::data::{enums, layout, list, number, word, words};

/// Returns the numbers of all queries in the headers, each with the layouts that have it.
fn golden() -> BTreeSet<(usize, Layout)> {
    let enums = enums();
    let queries = list(&enums, "enums").iter().find(|of| word(of, "name") == "ur_device_info_t").unwrap();
    let mut found = BTreeSet::new();
    for item in list(queries, "items") {
        let present = if item.get("present").is_some() { item } else { queries };
        let key = if item.get("present").is_some() { "present" } else { "layouts" };
        for release in words(present, key) {
            let values = item.get("value_per_layout").filter(|values| values.get(release).is_some());
            let value = values.map_or_else(|| number(item, "value"), |values| number(values, release));
            found.insert((value, layout(release)));
        }
    }
    found
}

#[test]
fn a_query_is_known_in_the_layouts_whose_headers_have_it() {
    let (golden, mut wrong) = (golden(), Vec::new());
    assert!(golden.len() > 900, "{}", golden.len());
    for layout in Layout::ALL {
        for number in 0..0x10000 {
            let is_known =
                device_query_layouts(number).is_some_and(|(first, last)| first <= layout && layout <= last);
            if is_known != golden.contains(&(number as usize, layout)) {
                wrong.push(format!("{number:#x} in {}", layout.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

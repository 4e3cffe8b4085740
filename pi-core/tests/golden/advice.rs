//! The numbers of advice, which other versions number differently.

use sycl_pi_core::{Version, advice};

use crate::data::{enums, list, version};

#[test]
fn only_advice_had_other_numbers_and_they_are_translated() {
    let golden = enums();
    for item in list(&golden, "groups").iter().flat_map(|group| list(group, "items")) {
        let Some(per_version) = item["value_per_version"].as_object() else { continue };
        for (text, value) in per_version {
            let Some(value) = value.as_u64() else { continue };
            let value = u32::try_from(value).unwrap();
            let now = match version(text) {
                // "Unknown" is 0 in 9.11, which means a reset since 10.12. Both ask for nothing.
                Version::V9_11 if value == 0 => continue,
                version if version <= Version::V14_37 => advice::from_until_14_37(value),
                _ => Some(value),
            };
            assert_eq!(now.map(u64::from), item["value"].as_u64(), "{} in {text}", item["name"]);
        }
    }
}

#[test]
fn numbers_that_are_no_advice_are_not_translated() {
    for number in [1, 100, 111, 998, 1000, u32::MAX] {
        assert_eq!(advice::from_until_14_37(number), None, "{number}");
    }
    assert_eq!(advice::from_until_14_37(0), Some(sycl_pi_core::PI_MEM_ADVICE_RESET));
}

//! The name that ends with `_v2`, under which the vendor ships a second adapter for Level Zero.
//!
//! The vendor ships two adapters for Level Zero, of which one serves: `libur_adapter_level_zero.so.0` and
//! `libur_adapter_level_zero_v2.so.0`. Until 2025.2, the loader opens one of them. Since 2025.3, it opens both and asks
//! each whether it serves. If a copy of this library has each name, the second one must give way, because otherwise
//! each device would be listed twice.

use std::path::Path;
use std::sync::LazyLock;

use sycl_ur_core::Layout;

/// Returns whether this copy of the adapter serves a loader.
pub(crate) fn serves(layout: Layout) -> bool {
    static IS_SECOND: LazyLock<bool> =
        LazyLock::new(|| sycl_pi_dynload::own_file().is_some_and(|file| is_second(&file)));
    layout < Layout::V2025_3 || !*IS_SECOND
}

/// Returns whether a file has the second name: `libur_adapter_level_zero_v2.so`, optionally followed by a version.
fn is_second(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.split(".so").next().is_some_and(|stem| stem.ends_with("_v2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_file_name_tells_a_second_name() {
        for file in
            ["libur_adapter_level_zero_v2.so", "/a/libur_adapter_level_zero_v2.so.0", "/a/x_v2.so.0.12.0"]
        {
            assert!(is_second(Path::new(file)), "{file}");
        }
        for file in
            ["libur_adapter_level_zero.so.0", "/a_v2.so/libur_adapter_level_zero.so", "/a_v2/x.so", ""]
        {
            assert!(!is_second(Path::new(file)), "{file}");
        }
    }
}

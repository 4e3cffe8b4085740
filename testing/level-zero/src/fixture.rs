//! The plugin under test at the versions that the tests need, and programs for it.

use std::path::PathBuf;

use sycl_pi_core::*;
use sycl_pi_loader::{Backend, Table};
use testing_support::under_test;

/// SPIR-V of `testing/kernels/level-zero/kernels.cl`.
pub const KERNELS: &[u8] = include_bytes!("../../kernels/level-zero/kernels.spv");
/// SPIR-V of `testing/kernels/basic.cl`.
pub const BASIC: &[u8] = include_bytes!("../../kernels/basic.spv");
/// SPIR-V of `testing/kernels/software-level-zero/spec.spvasm`: a kernel `store` that stores the constant 7.
pub const SPEC: &[u8] = include_bytes!("../../kernels/software-level-zero/spec.spv");
/// A program with a device variable of 64 bytes, `_Z7Counter`, compiled by DPC++.
pub const VARIABLE: &[u8] = include_bytes!("../../../lib/image/tests/images/dg_basic.spv");
/// A kernel `calls` that calls a function of [`CALLEE`].
pub const CALLS: &[u8] = include_bytes!("../../kernels/calls.spv");
/// The function that [`CALLS`] calls.
pub const CALLEE: &[u8] = include_bytes!("../../kernels/callee.spv");

/// The version for comparisons of tables. The vendor's plugin has no newer one.
pub const VERSION: Version = Version::V12_27;

/// Returns the plugin under test at the version of most tests.
pub fn plugin() -> &'static Table {
    under_test(VERSION)
}

/// Returns the plugin under test at the newest runtime's version.
pub fn newest() -> &'static Table {
    under_test(Version::NEWEST)
}

/// Returns whether the environment names a plugin of Level Zero, and a driver for it.
pub fn is_ready() -> bool {
    let plugin = std::env::var_os("PI_TEST_PLUGIN").map(PathBuf::from);
    std::env::var_os("ZE_ENABLE_ALT_DRIVERS").is_some()
        && plugin.is_some_and(|path| Backend::of_file(&path) == Some(Backend::LevelZero))
}

/// Returns whether the software driver reports in-order lists (`PI_SOFT_ZE_API_MINOR`).
pub(crate) fn keeps_order() -> bool {
    let minor = std::env::var("PI_SOFT_ZE_API_MINOR").ok().and_then(|minor| minor.parse::<u32>().ok());
    minor.is_some_and(|minor| minor >= 7)
}

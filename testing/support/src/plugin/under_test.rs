//! The plugin under test, and its first answers.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::OnceLock;

use sycl_pi_core::*;
use sycl_pi_loader::{Plugin, Table};

use crate::{code, ok};

/// Returns the table of any plugin at a runtime's version.
pub fn open(path: &Path, version: Version) -> &'static Table {
    // SAFETY: the file is a plugin that the test names, and trusts.
    let plugin = unsafe { Plugin::open_version(path, version) }.unwrap_or_else(|error| panic!("{error}"));
    Box::leak(Box::new(plugin)).table()
}

/// Returns the file of the plugin under test.
pub fn plugin_file() -> PathBuf {
    std::env::var_os("PI_TEST_PLUGIN").expect("PI_TEST_PLUGIN names the plugin").into()
}

/// Returns the table of the plugin under test at a runtime's version. It is opened once.
pub fn under_test(version: Version) -> &'static Table {
    static TABLES: [OnceLock<&'static Table>; Version::ALL.len()] =
        [const { OnceLock::new() }; Version::ALL.len()];
    TABLES[version as usize].get_or_init(|| open(&plugin_file(), version))
}

/// Returns the text of the thread's last error.
pub fn last_error(pi: &Table) -> String {
    let mut text = null_mut();
    let _ = code!(pi, piPluginGetLastError(&mut text));
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a NUL-terminated text, which belongs to the thread until its next error.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// Returns the only platform.
pub fn platform(pi: &Table) -> pi_platform {
    let (mut platform, mut count) = (null_mut(), 0);
    ok!(pi, piPlatformsGet(1, &mut platform, &mut count));
    assert_eq!(count, 1, "a platform is needed");
    platform
}

/// Returns all root devices.
pub fn devices(pi: &Table) -> Vec<pi_device> {
    // Intel's plugin of 2023.2 reads the previous value.
    let mut count = 0;
    ok!(pi, piDevicesGet(platform(pi), PI_DEVICE_TYPE_GPU, 0, null_mut(), &mut count));
    let mut devices = vec![null_mut(); count as usize];
    ok!(pi, piDevicesGet(platform(pi), PI_DEVICE_TYPE_GPU, count, devices.as_mut_ptr(), null_mut()));
    devices
}

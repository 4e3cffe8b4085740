//! The adapter under test.

use std::path::PathBuf;
use std::sync::Mutex;

use sycl_ur_core::Layout;
pub(crate) use testing_ur_host::{Host, ok};

/// Returns the adapter's file: `PI_TEST_UR_ADAPTER`, or the one next to the plugin under test.
pub(crate) fn path() -> PathBuf {
    match std::env::var_os("PI_TEST_UR_ADAPTER") {
        Some(path) => path.into(),
        None => testing_opencl::plugin_file().with_file_name("libur_adapter_opencl.so"),
    }
}

/// Returns the adapter at the newest layout.
pub(crate) fn newest() -> Host {
    static HOST: Mutex<Option<Host>> = Mutex::new(None);
    let mut host = HOST.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // SAFETY: the test names the file, and trusts it.
    *host.get_or_insert_with(|| unsafe { Host::open(&path(), Layout::NEWEST) })
}

/// Returns the adapter at the last layout with single setters of arguments.
pub(crate) fn with_setters() -> Host {
    static HOST: Mutex<Option<Host>> = Mutex::new(None);
    let mut host = HOST.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // SAFETY: the test names the file, and trusts it.
    *host.get_or_insert_with(|| unsafe { Host::open(&path(), Layout::V2026_1_1) })
}

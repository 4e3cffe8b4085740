//! The adapter under test, at one layout or another.

use std::path::PathBuf;
use std::sync::Mutex;

use sycl_ur_core::Layout;
pub(crate) use testing_ur_host::{Host, ok};

/// The file: `PI_TEST_UR_ADAPTER`, or the one beside the plugin under test.
fn path() -> PathBuf {
    match std::env::var_os("PI_TEST_UR_ADAPTER") {
        Some(path) => path.into(),
        None => testing_opencl::plugin::path().with_file_name("libur_adapter_opencl.so"),
    }
}

/// The adapter at a layout.
pub(crate) fn at(layout: Layout) -> Host {
    static HOSTS: Mutex<Vec<(Layout, Host)>> = Mutex::new(Vec::new());
    let mut hosts = HOSTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, host)) = hosts.iter().find(|(known, _)| *known == layout) {
        return *host;
    }
    // SAFETY: the file that the test names, and trusts.
    let host = unsafe { Host::open(&path(), layout) };
    hosts.push((layout, host));
    host
}

/// The adapter at the newest layout.
pub(crate) fn newest() -> Host {
    at(Layout::ALL[Layout::ALL.len() - 1])
}

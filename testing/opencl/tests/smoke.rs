//! The tests of a device that `pi doctor` runs, at every layout. They have a process of their own, because an adapter
//! serves eight loaders in a process, and there are seven layouts.
#![expect(unsafe_code, reason = "the test opens an adapter")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use sycl_ur_core::Layout;
use testing_ur_host::LoadedAdapter;

#[test]
fn the_first_device_passes_its_tests_with_the_calls_of_every_layout() {
    let path = testing_opencl::plugin_file().with_file_name("libur_adapter_opencl.so");
    for layout in Layout::ALL {
        // SAFETY: the test names the file, and trusts it.
        let adapter = unsafe { LoadedAdapter::open(&path, layout) }.unwrap();
        let device = adapter.platforms().unwrap()[0].devices().unwrap()[0];
        device.smoke_test().unwrap();
        // Some drivers accept no SPIR-V.
        if device.info().il_version.contains("SPIR-V") {
            device.kernel_test().unwrap();
        }
    }
}

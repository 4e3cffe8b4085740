//! The tests of a device that `pi doctor` runs, at every layout.

use sycl_ur_core::Layout;
use testing_ur_host::LoadedAdapter;

use crate::host;

#[test]
fn the_first_device_passes_its_tests_with_the_calls_of_every_layout() {
    for layout in Layout::ALL {
        // SAFETY: the test names the file, and trusts it.
        let adapter = unsafe { LoadedAdapter::open(&host::path(), layout) }.unwrap();
        let device = adapter.platforms().unwrap()[0].devices().unwrap()[0];
        device.smoke_test().unwrap();
        // Some drivers accept no SPIR-V.
        if device.info().il_version.contains("SPIR-V") {
            device.kernel_test().unwrap();
        }
    }
}

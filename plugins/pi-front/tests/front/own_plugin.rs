//! The example of a custom plugin can be loaded at every version, lists its device, and refuses everything else with a
//! message.

use std::path::PathBuf;
use std::ptr::{null, null_mut};

use sycl_pi_core::{PI_ERROR_INVALID_OPERATION, Version};
use sycl_pi_loader::Plugin;

/// Cargo builds examples next to the tests.
fn file() -> PathBuf {
    let deps = std::env::current_exe().unwrap();
    deps.ancestors().nth(2).unwrap().join("examples/libown_plugin.so")
}

#[test]
fn it_lists_its_device_at_every_version() {
    for version in Version::ALL {
        // SAFETY: this is the example of this package.
        let plugin = unsafe { Plugin::open_version(&file(), version) }.unwrap();
        let platforms = plugin.platforms().unwrap();
        assert_eq!(platforms.len(), 1);
        let devices = platforms[0].devices().unwrap();
        assert_eq!(devices.len(), 1);
        assert_eq!(devices[0].info_text(sycl_pi_core::PI_DEVICE_INFO_NAME).unwrap(), "Own device");
    }
}

#[test]
fn it_says_which_backend_does_not_support_a_call() {
    // SAFETY: this is the example of this package.
    let plugin = unsafe { Plugin::open(&file()) }.unwrap();
    let platforms = plugin.platforms().unwrap();
    let device = platforms[0].devices().unwrap()[0].handle();
    let mut context = null_mut();
    let create = plugin.table().piContextCreate.unwrap();
    // SAFETY: the device is live, and the context pointer is writable.
    let code = unsafe { create(null(), 1, &device, None, null_mut(), &mut context) };
    assert_eq!((code, context), (PI_ERROR_INVALID_OPERATION, null_mut()));
    let message = plugin.table().last_error_message().unwrap();
    assert!(message.contains("piContextCreate: not supported by the Own backend"), "{message}");
}

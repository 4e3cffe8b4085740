//! Fake devices for tests.

use sycl_pi_loader::{DeviceInfo, DeviceType};

/// Makes a device that reports nothing but its type.
pub(super) fn silent(kind: DeviceType) -> DeviceInfo {
    DeviceInfo {
        kind,
        name: String::new(),
        vendor: String::new(),
        vendor_id: None,
        version: String::new(),
        driver_version: String::new(),
        global_memory: None,
        local_memory: None,
        ip_version: None,
        compute_units: None,
        max_work_group_size: None,
        sub_group_sizes: Vec::new(),
        il_version: String::new(),
        extensions: Vec::new(),
        aspects: Vec::new(),
    }
}

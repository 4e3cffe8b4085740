//! The tests' own table of the aspects that a device must have, by its type and its extensions. The code under test
//! uses other queries.

use sycl_pi_image::aspect;
use sycl_pi_loader::{DeviceInfo, DeviceType};

/// Returns whether a device has an aspect that an image of the tests can need.
///
/// # Panics
/// Panics if the table has no row for the aspect. Then add one.
pub fn has(device: &DeviceInfo, wanted: u32) -> bool {
    let extension = |name: &str| device.extensions.iter().any(|other| other == name);
    let name = aspect::describe(wanted);
    match name.as_str() {
        "cpu" => device.kind == DeviceType::Cpu,
        "gpu" => device.kind == DeviceType::Gpu,
        "ext_intel_esimd" => device.kind == DeviceType::Gpu && device.vendor_id == Some(0x8086),
        "fp16" => extension("cl_khr_fp16"),
        "fp64" => extension("cl_khr_fp64"),
        "atomic64" => extension("cl_khr_int64_base_atomics") && extension("cl_khr_int64_extended_atomics"),
        // Intel's CPU runtime has shared memory with the system; the software Level Zero driver runs on it.
        "usm_system_allocations" => device.kind == DeviceType::Cpu,
        // GPUs report it. On Level Zero they do so through the tools interface, which the tests enable.
        "ext_intel_free_memory" => device.kind == DeviceType::Gpu,
        _ => panic!("the table of aspects has no row for {name}"),
    }
}

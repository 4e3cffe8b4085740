//! Tests of features that only Unified Runtime asks for. A fake driver has the extensions, which no driver here has.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_opencl::fake::{FakeDriver, query};

use crate::host::{Host, newest, ok};

/// Returns a host with the device of a fake driver.
fn host(driver: &FakeDriver) -> Host {
    let host = newest();
    let (mut adapter, mut device) = (null_mut(), null_mut());
    let native = driver.device.handle::<()>().expose_provenance() as ur_native_handle_t;
    // SAFETY: a native device, which is never freed, and room for the handles.
    unsafe {
        ok(host.calls.urAdapterGet(1, &mut adapter, null_mut()));
        ok(host.calls.urDeviceCreateWithNativeHandle(native, adapter, null(), &mut device));
    }
    Host { device, ..host }
}

const BY_EXTENSION: [(ur_device_info_t, &str); 7] = [
    (UR_DEVICE_INFO_BFLOAT16_CONVERSIONS_NATIVE, "cl_intel_bfloat16_conversions"),
    (UR_DEVICE_INFO_MEM_CHANNEL_SUPPORT, "cl_intel_mem_channel_property"),
    (UR_DEVICE_INFO_USE_NATIVE_ASSERT, "cl_intel_devicelib_assert"),
    (UR_DEVICE_INFO_HOST_PIPE_READ_WRITE_SUPPORT, "cl_intel_program_scope_host_pipe"),
    (UR_DEVICE_INFO_CLOCK_SUB_GROUP_SUPPORT_EXP, "cl_khr_kernel_clock"),
    (UR_DEVICE_INFO_CLOCK_WORK_GROUP_SUPPORT_EXP, "cl_khr_kernel_clock"),
    (UR_DEVICE_INFO_CLOCK_DEVICE_SUPPORT_EXP, "cl_khr_kernel_clock"),
];

#[test]
fn a_device_has_the_features_of_its_extensions() {
    for (_, extension) in BY_EXTENSION {
        let driver = FakeDriver::unknown();
        driver.device.tell_text(query::DEVICE_EXTENSIONS, &format!("cl_khr_fp64 {extension}"));
        let host = host(&driver);
        for (name, needed) in BY_EXTENSION {
            assert_eq!(host.has(name), needed == extension, "query {name:#x} with {extension}");
        }
    }
}

#[test]
fn a_device_runs_host_tasks_if_it_executes_native_kernels() {
    const KERNEL: u64 = 1;
    const NATIVE_KERNEL: u64 = 2;
    for (capabilities, expected) in [(KERNEL, false), (KERNEL | NATIVE_KERNEL, true)] {
        let driver = FakeDriver::unknown();
        driver.device.tell(query::DEVICE_EXECUTION_CAPABILITIES, capabilities);
        let host = host(&driver);
        assert_eq!(host.has(UR_DEVICE_INFO_ENQUEUE_HOST_TASK_SUPPORT_EXP), expected);
        assert!(host.has(UR_DEVICE_INFO_ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP));
    }
}

//! Tests that an adapter's devices are described in the same way through PI and without it. The adapter is made up: it
//! derives each answer from the query's number.

use std::process::Command;

use super::*;

use crate::{Calls, LoadedAdapter, layout_of_name};
use recorded::RecordedCalls;
use sycl_pi_loader::PlatformInventory;

/// The variable that names the layout in a process of its own, because a process has one bridge.
const LAYOUT: &str = "UR_HOST_TEST_LAYOUT";

const FILE: &str = "libur_adapter_level_zero.so";

/// # Safety
/// Both addresses are null or valid.
unsafe fn handles<T>(count: u32, handles: *mut *mut T, found: *mut u32, first: usize, there: u32) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if !handles.is_null() {
            (0..count.min(there) as usize)
                .for_each(|index| handles.add(index).write((first + index) as *mut T));
        }
        if !found.is_null() {
            found.write(there);
        }
    }
}

/// # Safety
/// The requirements of [`handles`] apply.
unsafe extern "C" fn adapter_get(count: u32, list: *mut ur_adapter_handle_t, found: *mut u32) -> ur_result_t {
    // SAFETY: the caller's addresses.
    unsafe { handles(count, list, found, 1, 1) };
    UR_RESULT_SUCCESS
}

/// # Safety
/// The requirements of [`handles`] apply.
unsafe extern "C" fn platform_get(
    _: ur_adapter_handle_t,
    count: u32,
    list: *mut ur_platform_handle_t,
    found: *mut u32,
) -> ur_result_t {
    // SAFETY: the caller's addresses.
    unsafe { handles(count, list, found, 100, 2) };
    UR_RESULT_SUCCESS
}

/// # Safety
/// The requirements of [`handles`] apply.
unsafe extern "C" fn platform_get_until_2025_2(
    _: *mut ur_adapter_handle_t,
    _: u32,
    count: u32,
    list: *mut ur_platform_handle_t,
    found: *mut u32,
) -> ur_result_t {
    // SAFETY: the caller's addresses.
    unsafe { platform_get(std::ptr::null_mut(), count, list, found) }
}

/// Each platform has other devices.
///
/// # Safety
/// The requirements of [`handles`] apply.
unsafe extern "C" fn device_get(
    platform: ur_platform_handle_t,
    _: ur_device_type_t,
    count: u32,
    list: *mut ur_device_handle_t,
    found: *mut u32,
) -> ur_result_t {
    // SAFETY: the caller's addresses.
    unsafe { handles(count, list, found, 10 * platform as usize, 40) };
    UR_RESULT_SUCCESS
}

/// # Safety
/// `value` is null or has `size` bytes, and `needed` is null or valid.
unsafe fn write(bytes: &[u8], size: usize, value: *mut c_void, needed: *mut usize) -> ur_result_t {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if !value.is_null() && size >= bytes.len() {
            value.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        if !needed.is_null() {
            needed.write(bytes.len());
        }
    }
    UR_RESULT_SUCCESS
}

/// # Safety
/// The requirements of [`write`] apply.
unsafe extern "C" fn platform_get_info(
    platform: ur_platform_handle_t,
    name: ur_platform_info_t,
    size: usize,
    value: *mut c_void,
    needed: *mut usize,
) -> ur_result_t {
    let text = format!(" {name} of {}\0", platform as usize);
    // SAFETY: the caller's addresses.
    unsafe { write(text.as_bytes(), size, value, needed) }
}

/// # Safety
/// The requirements of [`write`] apply.
unsafe extern "C" fn device_get_info(
    device: ur_device_handle_t,
    name: ur_device_info_t,
    size: usize,
    value: *mut c_void,
    needed: *mut usize,
) -> ur_result_t {
    // One device in four lacks a query, each another one.
    let mixed = (device as usize as u32).wrapping_add(name).wrapping_mul(0x9e37_79b9) >> 16;
    if mixed.is_multiple_of(4) || name == answer::NEITHER {
        return UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION;
    }
    let bytes = match name {
        UR_DEVICE_INFO_NAME
        | UR_DEVICE_INFO_VENDOR
        | UR_DEVICE_INFO_VERSION
        | UR_DEVICE_INFO_DRIVER_VERSION
        | UR_DEVICE_INFO_IL_VERSION => format!("{name} {mixed}\0").into_bytes(),
        UR_DEVICE_INFO_EXTENSIONS => b"cl_khr_fp16 cl_khr_int64_base_atomics \0".to_vec(),
        UR_DEVICE_INFO_TYPE => (UR_DEVICE_TYPE_GPU + mixed % 6).to_ne_bytes().to_vec(),
        UR_DEVICE_INFO_SUB_GROUP_SIZES_INTEL => {
            [8_u32, 16].iter().flat_map(|size| size.to_ne_bytes()).collect()
        }
        UR_DEVICE_INFO_GLOBAL_MEM_SIZE | UR_DEVICE_INFO_LOCAL_MEM_SIZE => {
            u64::from(mixed).to_ne_bytes().to_vec()
        }
        UR_DEVICE_INFO_VENDOR_ID => 0x8086_u32.to_ne_bytes().to_vec(),
        _ => (mixed / 4 % 4).to_ne_bytes().to_vec(),
    };
    // SAFETY: the caller's addresses.
    unsafe { write(&bytes, size, value, needed) }
}

fn calls(layout: Layout) -> Calls {
    // SAFETY: there are no functions in the block.
    let mut calls = unsafe { Calls::new(layout, &vec![std::ptr::null_mut(); layout.slot_count()]) };
    calls.urAdapterGet = Some(adapter_get);
    calls.urPlatformGet = Some(platform_get);
    calls.urPlatformGet_until_2025_2 = Some(platform_get_until_2025_2);
    calls.urPlatformGetInfo = Some(platform_get_info);
    calls.urDeviceGet = Some(device_get);
    calls.urDeviceGetInfo = Some(device_get_info);
    calls
}

/// Formats each line of a list of platforms and devices.
fn lines<E: std::fmt::Debug>(found: Vec<PlatformInventory<E>>) -> Vec<String> {
    let device = |device| format!("{device:?}");
    let lines = found.into_iter().flat_map(|PlatformInventory { platform, devices }| {
        std::iter::once(format!("{platform:?}")).chain(devices.unwrap().into_iter().map(device))
    });
    lines.collect()
}

#[test]
fn an_adapters_devices_are_described_as_through_pi_in_every_layout() {
    if let Ok(name) = std::env::var(LAYOUT) {
        return compare(layout_of_name(&name).unwrap());
    }
    for layout in Layout::ALL {
        let mut child = Command::new(std::env::current_exe().unwrap());
        let test = "an_adapters_devices_are_described_as_through_pi_in_every_layout";
        let output = child.arg(test).env(LAYOUT, layout.name()).output().unwrap();
        assert!(output.status.success(), "{layout:?}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

fn compare(layout: Layout) {
    let connected = Box::leak(Box::new(calls(layout)));
    let bridge = Bridge { calls: RecordedCalls(connected), adapter: AtomicPtr::default() };
    assert!(BRIDGE.set(bridge).is_ok());
    // SAFETY: the bridge's own function.
    let plugin = unsafe { Plugin::of_init(Path::new(FILE), pi_plugin_init, VERSION) }.unwrap();
    let through_pi = lines(plugin.inventory().unwrap());
    let adapter = LoadedAdapter::of_calls(Path::new(FILE), calls(layout));
    let directly = lines(adapter.inventory().unwrap());
    assert_eq!(directly.len(), 2 + 2 * 40);
    for (direct, pi) in directly.iter().zip(&through_pi) {
        assert_eq!(direct, pi, "{layout:?}");
    }
    assert_eq!(directly.len(), through_pi.len());
}

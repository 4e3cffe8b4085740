//! An adapter that is made up of a few functions.

use std::cell::Cell;
use std::ffi::c_int;

use super::*;

thread_local! {
    /// The number of adapters, and the code of the query for it.
    static ADAPTERS: Cell<(u32, ur_result_t)> = const { Cell::new((1, UR_RESULT_SUCCESS)) };
    /// The code of the query for platforms.
    static PLATFORMS: Cell<ur_result_t> = const { Cell::new(UR_RESULT_SUCCESS) };
    /// The code of the query for devices.
    static DEVICES: Cell<ur_result_t> = const { Cell::new(UR_RESULT_SUCCESS) };
    /// The last message, with the code that its query answers.
    static LAST: Cell<(ur_result_t, &'static CStr)> = const { Cell::new((UR_RESULT_SUCCESS, c"")) };
}

/// # Safety
/// Both addresses are null or valid.
unsafe fn handles<T>(count: u32, handles: *mut *mut T, found: *mut u32, there: u32) {
    // SAFETY: guaranteed by the caller.
    unsafe {
        if !handles.is_null() {
            (0..count.min(there)).for_each(|index| handles.add(index as usize).write(8 as *mut T));
        }
        if !found.is_null() {
            found.write(there);
        }
    }
}

/// # Safety
/// The requirements of [`handles`] apply.
unsafe extern "C" fn adapter_get(
    count: u32,
    adapters: *mut ur_adapter_handle_t,
    found: *mut u32,
) -> ur_result_t {
    let (there, code) = ADAPTERS.get();
    // SAFETY: the caller's addresses.
    unsafe { handles(count, adapters, found, there) };
    code
}

/// # Safety
/// The requirements of [`handles`] apply.
unsafe extern "C" fn platform_get(
    _: ur_adapter_handle_t,
    count: u32,
    platforms: *mut ur_platform_handle_t,
    found: *mut u32,
) -> ur_result_t {
    // SAFETY: the caller's addresses.
    unsafe { handles(count, platforms, found, 1) };
    PLATFORMS.get()
}

/// # Safety
/// The requirements of [`handles`] apply.
unsafe extern "C" fn device_get(
    _: ur_platform_handle_t,
    _: ur_device_type_t,
    count: u32,
    devices: *mut ur_device_handle_t,
    found: *mut u32,
) -> ur_result_t {
    // SAFETY: the caller's addresses.
    unsafe { handles(count, devices, found, 2) };
    DEVICES.get()
}

/// # Safety
/// `message` is valid for writing an address.
unsafe extern "C" fn last_error(
    _: ur_adapter_handle_t,
    message: *mut *const c_char,
    _: *mut c_int,
) -> ur_result_t {
    let (code, text) = LAST.get();
    // SAFETY: the caller's address.
    unsafe { message.write(text.as_ptr()) };
    code
}

fn adapter() -> LoadedAdapter {
    let layout = Layout::NEWEST;
    // SAFETY: there are no functions in the block.
    let mut calls = unsafe { Calls::new(layout, &vec![null_mut(); layout.slot_count()]) };
    calls.urAdapterGet = Some(adapter_get);
    calls.urPlatformGet = Some(platform_get);
    calls.urDeviceGet = Some(device_get);
    calls.urAdapterGetLastError = Some(last_error);
    LoadedAdapter::of_calls(Path::new("libur_adapter_opencl.so"), calls)
}

/// Returns what an adapter reports whose query for platforms fails with `code`.
fn failed(code: ur_result_t, last: (ur_result_t, &'static CStr)) -> String {
    PLATFORMS.set(code);
    LAST.set(last);
    adapter().platforms().err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn devices_are_listed_by_platform() {
    let adapter = adapter();
    let platforms = adapter.platforms().unwrap();
    assert_eq!(platforms.len(), 1);
    assert_eq!(platforms[0].devices().unwrap().len(), 2);
    DEVICES.set(UR_RESULT_ERROR_DEVICE_NOT_FOUND);
    assert_eq!(platforms[0].devices().unwrap().len(), 0);
    DEVICES.set(UR_RESULT_ERROR_DEVICE_LOST);
    let error = platforms[0].devices().unwrap_err();
    assert_eq!((error.function, error.result), ("urDeviceGet", UR_RESULT_ERROR_DEVICE_LOST));
}

#[test]
fn an_adapter_without_its_driver_has_no_platforms_or_says_why() {
    ADAPTERS.set((0, UR_RESULT_SUCCESS));
    LAST.set((UR_RESULT_SUCCESS, c"no adapter has this"));
    assert_eq!(adapter().platforms().unwrap().len(), 0);
    assert_eq!(adapter().last_error_message(), None);
    ADAPTERS.set((0, UR_RESULT_ERROR_UNINITIALIZED));
    let told =
        format!("urAdapterGet failed: UR_RESULT_ERROR_UNINITIALIZED ({UR_RESULT_ERROR_UNINITIALIZED})");
    assert_eq!(adapter().platforms().unwrap_err().to_string(), told);
    ADAPTERS.set((1, UR_RESULT_SUCCESS));
    LAST.set((UR_RESULT_SUCCESS, c" There is no driver.\n"));
    assert_eq!(adapter().last_error_message().as_deref(), Some("There is no driver."));
}

#[test]
fn an_error_has_the_message_of_its_own_call_only() {
    let lost = UR_RESULT_ERROR_DEVICE_LOST;
    let bare = format!("urPlatformGet failed: UR_RESULT_ERROR_DEVICE_LOST ({lost})");
    let with_text = format!("{bare}: it fell off the bus");
    assert_eq!(failed(lost, (lost, c"it fell off the bus\n")), with_text);
    assert_eq!(failed(lost, (UR_RESULT_SUCCESS, c"urPlatformGet: it fell off the bus")), with_text);
    assert_eq!(failed(lost, (UR_RESULT_ERROR_ADAPTER_SPECIFIC, c"it fell off the bus")), with_text);
    assert_eq!(failed(lost, (UR_RESULT_ERROR_INVALID_QUEUE, c"an earlier failure")), bare);
    assert_eq!(failed(lost, (UR_RESULT_SUCCESS, c"urDeviceGet: an earlier failure")), bare);
    assert_eq!(failed(lost, (UR_RESULT_SUCCESS, c"the driver: lost")), format!("{bare}: the driver: lost"));
    assert_eq!(failed(lost, (lost, c" ")), bare);
}

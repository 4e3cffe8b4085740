//! Tests of what a driver is called for about devices, contexts and queues of command buffers, and of functions that
//! older versions of OpenCL do not have, with fake drivers that note it.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use testing_opencl::fake::{Fake, FakeDriver, device_type, pi, query};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "context_calls",
        [
            a_context_tells_the_caller_s_function,
            a_platform_without_devices_of_a_type_has_none,
            timers_are_there_from_opencl_2_1_on,
            the_end_of_a_context_is_told_from_opencl_3_0_on,
            no_handle_is_refused_as_what_it_should_be,
            a_queue_of_another_device_runs_no_command_buffer,
            parts_of_a_device_in_a_list_without_room_are_not_asked_for,
        ]
    );
}

/// # Safety
/// `data` must be a live counter.
unsafe extern "C" fn told(_: *const c_char, _: *const c_void, _: usize, data: *mut c_void) {
    // SAFETY: what the test passes.
    unsafe { &*data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

type Notify = unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void);

/// Tells the caller's function at once.
///
/// # Safety
/// The list must have a device, and `code` must be valid.
unsafe extern "C" fn create_context(
    _: *const c_void,
    count: u32,
    devices: *const &Fake,
    notify: Option<Notify>,
    data: *mut c_void,
    code: *mut i32,
) -> *const Fake {
    assert_eq!(count, 1);
    if let Some(notify) = notify {
        // SAFETY: the function takes its data.
        unsafe { notify(null(), null(), 0, data) };
    }
    // SAFETY: what the caller guarantees.
    unsafe {
        code.write(PI_SUCCESS);
        (*devices).another()
    }
}

extern "C" fn no_devices(platform: &Fake, _: u64, _: u32, _: *const c_void, _: *const u32) -> i32 {
    platform.note("clGetDeviceIDs")
}

/// # Safety
/// The places must be valid.
unsafe extern "C" fn timers(device: &Fake, of_device: *mut u64, of_host: *mut u64) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe {
        of_device.write(7);
        of_host.write(9);
    }
    device.note("clGetDeviceAndHostTimer")
}

/// # Safety
/// `function` must take `data`.
unsafe extern "C" fn set_end(
    context: &Fake,
    function: unsafe extern "C" fn(*const Fake, *mut c_void),
    data: *mut c_void,
) -> i32 {
    // SAFETY: what the caller guarantees.
    unsafe { function(context, data) };
    context.note("clSetContextDestructorCallback")
}

extern "C" fn succeed() -> i32 {
    PI_SUCCESS
}

/// Returns a driver of that version of OpenCL.
fn driver_of(version: &str) -> FakeDriver {
    let functions = [
        (4, create_context as *const c_void),
        (6, succeed as *const c_void), // clRetainContext
        (7, succeed as *const c_void), // clReleaseContext
        (140, timers as *const c_void),
        (148, set_end as *const c_void),
    ];
    let driver = FakeDriver::new("Fake", "Nobody", &functions);
    driver.platform.tell_text(query::PLATFORM_VERSION, &format!("OpenCL {version} fake"));
    driver
}

fn a_context_tells_the_caller_s_function() {
    let (driver, calls) = (driver_of("3.0"), AtomicUsize::new(0));
    let (device, data) = (driver.device.handle(), (&raw const calls).cast_mut().cast());
    for (function, expected) in [(None, 0), (Some(told as Notify), 1)] {
        let _: pi_context = made!(pi(), |out| piContextCreate(null(), 1, &device, function, data, out));
        assert_eq!(calls.load(Ordering::SeqCst), expected);
    }
}

/// Drivers before OpenCL 1.2 do not know custom devices.
fn a_platform_without_devices_of_a_type_has_none() {
    const INVALID_DEVICE_TYPE: i32 = -31;
    for code in [PI_ERROR_DEVICE_NOT_FOUND, INVALID_DEVICE_TYPE] {
        let driver = FakeDriver::new("Fake", "Nobody", &[(2, no_devices as *const c_void)]);
        driver.platform.refuse("clGetDeviceIDs", code);
        let (platform, mut count) = (driver.platform.handle(), 9);
        ok!(pi(), piDevicesGet(platform, device_type::CUSTOM, 0, null_mut(), &mut count));
        assert_eq!(count, 0);
        driver.platform.refuse("clGetDeviceIDs", PI_ERROR_OUT_OF_HOST_MEMORY);
        refused!(
            pi(),
            piDevicesGet(platform, device_type::CUSTOM, 0, null_mut(), &mut count),
            PI_ERROR_OUT_OF_HOST_MEMORY
        );
    }
}

fn timers_are_there_from_opencl_2_1_on() {
    for (version, is_able) in [("1.2", false), ("2.0", false), ("2.1", true), ("3.0", true)] {
        let (driver, mut times) = (driver_of(version), [0; 2]);
        let [of_device, of_host] = &mut times;
        let asked = call!(pi(), piGetDeviceAndHostTimer(driver.device.handle(), of_device, of_host));
        if is_able {
            asked.unwrap();
            assert_eq!(times, [7, 9]);
        } else {
            let text = calls::expect_refusal(asked, &[PI_ERROR_INVALID_OPERATION]);
            assert!(text.contains("older than OpenCL 2.1"), "{text}");
            assert_eq!(driver.device.calls(), [""; 0]);
        }
    }
}

/// # Safety
/// `data` must be a live counter.
unsafe extern "C" fn ended(data: *mut c_void) {
    // SAFETY: what the test passes.
    unsafe { &*data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

fn the_end_of_a_context_is_told_from_opencl_3_0_on() {
    for (version, is_able) in [("2.2", false), ("3.0", true)] {
        let (driver, calls) = (driver_of(version), AtomicUsize::new(0));
        let (context, data) = (driver.context.handle(), (&raw const calls).cast_mut().cast());
        let set = call!(pi(), piextContextSetExtendedDeleter(context, Some(ended), data));
        if is_able {
            set.unwrap();
            assert_eq!(calls.load(Ordering::SeqCst), 1);
        } else {
            let text = calls::expect_refusal(set, &[PI_ERROR_INVALID_OPERATION]);
            assert!(text.contains("older than OpenCL 3.0"), "{text}");
            assert_eq!(driver.context.calls(), [""; 0]);
        }
    }
}

fn no_handle_is_refused_as_what_it_should_be() {
    let (mut device, mut platform) = (null_mut(), null_mut());
    refused!(pi(), piextDeviceCreateWithNativeHandle(0, null_mut(), &mut device), PI_ERROR_INVALID_DEVICE);
    refused!(pi(), piextPlatformCreateWithNativeHandle(0, &mut platform), PI_ERROR_INVALID_PLATFORM);
}

fn a_queue_of_another_device_runs_no_command_buffer() {
    let driver = driver_of("3.0");
    let (first, second) = (driver.device, driver.add_device());
    driver.context.tell(query::CONTEXT_DEVICES, [first, second].map(Fake::handle::<c_void>));
    let desc = pi_ext_command_buffer_desc { stype: 0, pNext: null(), properties: null_mut() };
    let context = driver.context.handle();
    let buffer: pi_ext_command_buffer =
        made!(pi(), |out| piextCommandBufferCreate(context, first.handle(), &desc, out));
    ok!(pi(), piextCommandBufferFinalize(buffer));
    let queues = [first, second].map(|device| {
        let queue = driver.queue().tell(query::QUEUE_DEVICE, device.handle::<c_void>());
        // Its flags.
        queue.tell(0x1093, 0_u64)
    });
    ok!(pi(), piextEnqueueCommandBuffer(buffer, queues[0].handle(), 0, null(), null_mut()));
    refused!(
        pi(),
        piextEnqueueCommandBuffer(buffer, queues[1].handle(), 0, null(), null_mut()),
        PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR
    );
    assert_eq!(queues[1].calls(), [""; 0]);
    ok!(pi(), piextCommandBufferRelease(buffer));
}

/// A runtime asks for the number with a list of no room. Without a place for the number, nothing is asked.
fn parts_of_a_device_in_a_list_without_room_are_not_asked_for() {
    let (driver, mut part, mut count) = (driver_of("3.0"), null_mut(), 9);
    let (device, list) = (driver.device.handle(), [PI_DEVICE_PARTITION_EQUALLY, 1, 0]);
    ok!(pi(), piDevicePartition(device, list.as_ptr(), 0, &mut part, null_mut()));
    assert!(part.is_null());
    // The fake driver has no such function.
    for result in [
        call!(pi(), piDevicePartition(device, list.as_ptr(), 0, &mut part, &mut count)),
        call!(pi(), piDevicePartition(device, list.as_ptr(), 1, &mut part, null_mut())),
    ] {
        calls::expect_refusal(result, &[PI_ERROR_INVALID_OPERATION]);
    }
}

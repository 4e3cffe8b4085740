//! Objects of the driver as objects of the interface: which are taken, and which are refused with which code.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use super::Case;
use super::images::RGBA32;
use crate::fixture::{devices, platform};
use crate::{Fixture, code, fails, ok, software};
use sycl_pi_core::*;
use testing_support::{Gate, under_test};

pub(crate) const CASES: &[Case] = &[
    ("the_only_platform_has_the_native_handle_0", native_platform),
    ("a_device_of_the_driver_has_its_number", native_device),
    ("a_context_of_the_driver_is_destroyed_only_if_it_was_given_away", native_context),
    ("two_devices_tell_the_device_of_a_native_context", context_of_other),
    ("two_devices_tell_the_context_of_a_native_stream", stream_of_other),
    ("objects_of_the_driver_are_freed_only_if_they_were_given_away", owned),
    ("a_native_queue_is_in_order", native_queue),
    ("an_event_without_an_event_of_the_driver_has_no_native_handle", events_without),
    ("the_status_of_a_user_event_is_set_once", set_twice),
    ("a_context_takes_only_properties_that_it_knows", properties),
    ("a_native_kernel_has_no_buffers", native_kernel),
    ("an_array_that_kernels_cannot_write_is_no_image", read_only_array),
];

/// A context of the driver, as programs that use CUDA themselves have it.
struct DriverContext(i32, pi_native_handle);

impl DriverContext {
    fn new(device: i32) -> Self {
        let retain: unsafe extern "C" fn(*mut *mut c_void, i32) -> u32 =
            software::function("cuDevicePrimaryCtxRetain");
        let mut context = null_mut();
        // SAFETY: room for a context, and the driver has that device.
        assert_eq!(unsafe { retain(&mut context, device) }, 0);
        Self(device, context.expose_provenance() as pi_native_handle)
    }
}

impl Drop for DriverContext {
    fn drop(&mut self) {
        let release: unsafe extern "C" fn(i32) -> u32 = software::function("cuDevicePrimaryCtxRelease_v2");
        // SAFETY: releases what was retained.
        assert_eq!(unsafe { release(self.0) }, 0);
    }
}

fn native_platform() {
    let mut native = 7;
    ok!(piextPlatformGetNativeHandle(platform(), &mut native));
    assert_eq!(native, 0);
    let mut same = null_mut();
    ok!(piextPlatformCreateWithNativeHandle(0, &mut same));
    assert_eq!(same, platform());
    fails!(piextPlatformCreateWithNativeHandle(1, &mut same), PI_ERROR_INVALID_PLATFORM);
}

fn native_device() {
    for (number, device) in devices().into_iter().enumerate() {
        let (mut native, mut same) = (77, null_mut());
        ok!(piextDeviceGetNativeHandle(device, &mut native));
        assert_eq!(native, number as pi_native_handle);
        ok!(piextDeviceCreateWithNativeHandle(native, platform(), &mut same));
        assert_eq!(same, device);
        ok!(piDeviceRelease(same));
    }
    let mut none = null_mut();
    for native in [devices().len() as pi_native_handle, 1 << 40] {
        fails!(piextDeviceCreateWithNativeHandle(native, platform(), &mut none), PI_ERROR_INVALID_DEVICE);
    }
}

fn native_context() {
    let (fixture, driver) = (Fixture::new(), DriverContext::new(0));
    for (owned, destroyed) in [(false, 0), (true, 1)] {
        let (mut context, mut native, mut count) = (null_mut(), 0, 0_u32);
        let device = &raw const fixture.device;
        ok!(piextContextCreateWithNativeHandle(driver.1, 1, device, owned.into(), &mut context));
        ok!(piextContextGetNativeHandle(context, &mut native));
        assert_eq!(native, driver.1);
        let room = (&raw mut count).cast();
        ok!(piContextGetInfo(context, PI_CONTEXT_INFO_NUM_DEVICES, 4, room, null_mut()));
        assert_eq!(count, 1);
        software::inject("");
        ok!(piContextRelease(context));
        assert_eq!(software::calls("cuCtxDestroy_v2"), destroyed, "owned: {owned}");
    }
    let mut none = null_mut();
    fails!(piextContextCreateWithNativeHandle(0, 0, null(), 0, &mut none), PI_ERROR_INVALID_VALUE);
}

fn context_of_other() {
    let (devices, second) = (devices(), DriverContext::new(1));
    let mut context = null_mut();
    // One of the listed devices is another one.
    for list in [vec![devices[0]], vec![devices[1], devices[0]]] {
        let (count, list) = (list.len() as u32, list.as_ptr());
        fails!(
            piextContextCreateWithNativeHandle(second.1, count, list, 0, &mut context),
            PI_ERROR_INVALID_DEVICE
        );
    }
    for list in [vec![], vec![devices[1]]] {
        let (count, list) = (list.len() as u32, if list.is_empty() { null() } else { list.as_ptr() });
        ok!(piextContextCreateWithNativeHandle(second.1, count, list, 0, &mut context));
        let mut device: pi_device = null_mut();
        let room = (&raw mut device).cast();
        ok!(piContextGetInfo(context, PI_CONTEXT_INFO_DEVICES, 8, room, null_mut()));
        assert_eq!(device, devices[1]);
        ok!(piContextRelease(context));
    }
}

fn stream_of_other() {
    let (fixture, devices) = (Fixture::new(), devices());
    let mut second = null_mut();
    ok!(piContextCreate(null(), 1, &devices[1], None, null_mut(), &mut second));
    let (mut native, mut kind, mut queue) = (0, 0, null_mut());
    ok!(piextQueueGetNativeHandle(fixture.queue, &mut native, &mut kind));
    // Without a device, that of the stream counts.
    let mut make = |context| {
        code!(piextQueueCreateWithNativeHandle(native, 0, context, null_mut(), 0, null_mut(), &mut queue))
    };
    assert_eq!(make(second), PI_ERROR_INVALID_CONTEXT);
    assert_eq!(make(fixture.context), PI_SUCCESS);
    ok!(piQueueRelease(queue));
    ok!(piContextRelease(second));
}

fn owned() {
    let fixture = Fixture::new();
    let (context, device) = (fixture.context, fixture.device);
    for (owned, freed) in [(0, 0), (1, 1)] {
        let (event_create, alloc): (
            unsafe extern "C" fn(*mut usize, u32) -> u32,
            unsafe extern "C" fn(*mut usize, usize) -> u32,
        ) = (software::function("cuEventCreate"), software::function("cuMemAlloc_v2"));
        let (mut event, mut memory) = (0, 0);
        let _context = Current::new();
        // SAFETY: room for the driver's objects, of which those that are not given away stay.
        unsafe { assert_eq!((event_create(&mut event, 0), alloc(&mut memory, 64)), (0, 0)) };
        let (mut of_event, mut of_memory) = (null_mut(), null_mut());
        ok!(piextEventCreateWithNativeHandle(event, context, owned, &mut of_event));
        ok!(piextMemCreateWithNativeHandle(memory, context, owned, &mut of_memory));
        software::inject("");
        ok!(piEventRelease(of_event));
        ok!(piMemRelease(of_memory));
        let calls = ["cuEventDestroy_v2", "cuMemFree_v2"].map(software::calls);
        assert_eq!(calls, [freed; 2], "owned: {owned}");
    }
    let (mut stream, mut kind) = (0, 0);
    for (owned, freed) in [(0, 0), (1, 1)] {
        let create: unsafe extern "C" fn(*mut usize, u32) -> u32 = software::function("cuStreamCreate");
        let (_context, mut queue) = (Current::new(), null_mut());
        // SAFETY: room for a stream.
        assert_eq!(unsafe { create(&mut stream, 0) }, 0);
        ok!(piextQueueCreateWithNativeHandle(stream, 0, context, device, owned, null_mut(), &mut queue));
        let mut native = 0;
        ok!(piextQueueGetNativeHandle(queue, &mut native, &mut kind));
        assert_eq!(native, stream);
        software::inject("");
        ok!(piQueueRelease(queue));
        assert_eq!(software::calls("cuStreamDestroy_v2"), freed, "owned: {owned}");
    }
}

/// The first device's context, current in this thread.
struct Current(DriverContext);

impl Current {
    fn new() -> Self {
        let context = DriverContext::new(0);
        Self::set(context.1);
        Self(context)
    }

    fn set(context: pi_native_handle) {
        let set: unsafe extern "C" fn(usize) -> u32 = software::function("cuCtxSetCurrent");
        // SAFETY: a live context, or none.
        assert_eq!(unsafe { set(context) }, 0);
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        Self::set(0);
        let Self(_context) = self;
    }
}

/// It has the one stream.
fn native_queue() {
    let (fixture, mut queue, mut flags) = (Fixture::new(), null_mut(), 0_u64);
    let (mut native, mut kind) = (0, 0);
    ok!(piextQueueGetNativeHandle(fixture.queue, &mut native, &mut kind));
    let asked = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE | PI_QUEUE_FLAG_PROFILING_ENABLE;
    let mut properties = [PI_QUEUE_FLAGS, asked, 0];
    let (context, device, list) = (fixture.context, fixture.device, properties.as_mut_ptr());
    ok!(piextQueueCreateWithNativeHandle(native, 0, context, device, 0, list, &mut queue));
    ok!(piQueueGetInfo(queue, PI_QUEUE_INFO_PROPERTIES, 8, (&raw mut flags).cast(), null_mut()));
    assert_eq!(flags, PI_QUEUE_FLAG_PROFILING_ENABLE);
    ok!(piQueueRelease(queue));
}

fn events_without() {
    let fixture = Fixture::new();
    let gate = Gate::new(&fixture);
    let mut native = 0;
    fails!(piextEventGetNativeHandle(gate.0, &mut native), PI_ERROR_INVALID_OPERATION);
    let mut queue: pi_queue = std::ptr::dangling_mut();
    let room = (&raw mut queue).cast();
    ok!(piEventGetInfo(gate.0, PI_EVENT_INFO_COMMAND_QUEUE, 8, room, null_mut()));
    assert!(queue.is_null(), "as in OpenCL, a user event has no queue");
    gate.open();
}

/// The codes are OpenCL's, of `clSetUserEventStatus`.
fn set_twice() {
    let (fixture, old) = (Fixture::new(), under_test(Version::V9_11));
    let set = |event, status| testing_support::code!(old, piEventSetStatus(event, status));
    let gate = Gate::new(&fixture);
    for status in [PI_EVENT_RUNNING, PI_EVENT_SUBMITTED, PI_EVENT_QUEUED] {
        assert_eq!(set(gate.0, status), PI_ERROR_INVALID_VALUE, "{status}");
    }
    assert_eq!(set(gate.0, PI_EVENT_COMPLETE), PI_SUCCESS);
    for status in [PI_EVENT_COMPLETE, -7] {
        assert_eq!(set(gate.0, status), PI_ERROR_INVALID_OPERATION, "{status}");
    }
    ok!(piEventsWait(1, &gate.0));
    ok!(piEventRelease(gate.0));
    let mut command = null_mut();
    ok!(piEnqueueEventsWait(fixture.queue, 0, null(), &mut command));
    assert_eq!(set(command, PI_EVENT_COMPLETE), PI_ERROR_INVALID_EVENT);
    crate::fixture::wait(&[command]);
}

fn properties() {
    /// libsycl's PI_CONTEXT_PROPERTIES_CUDA_PRIMARY.
    const CUDA_PRIMARY: pi_context_properties = 0xff02;
    let (device, platform) = (devices()[0], platform().expose_provenance() as pi_context_properties);
    let create = |list: &[pi_context_properties]| {
        let mut context = null_mut();
        let code = code!(piContextCreate(list.as_ptr(), 1, &device, None, null_mut(), &mut context));
        if code == PI_SUCCESS {
            ok!(piContextRelease(context));
        }
        code
    };
    let of_platform = PI_CONTEXT_INFO_PLATFORM as pi_context_properties;
    assert_eq!(create(&[CUDA_PRIMARY, 1, 0]), PI_SUCCESS);
    assert_eq!(create(&[of_platform, platform, CUDA_PRIMARY, 0, 0]), PI_SUCCESS);
    assert_eq!(create(&[CUDA_PRIMARY, 1, 0xff03, 1, 0]), PI_ERROR_INVALID_PROPERTY);
}

/// # Safety
/// It uses no argument.
unsafe extern "C" fn nothing(_: *mut c_void) {}

fn native_kernel() {
    let fixture = Fixture::new();
    let (buffer, queue) = (fixture.buffer(&mut [0_u8; 8]), fixture.queue);
    let place: *const c_void = null();
    let mut args = [0_usize; 1];
    let start = args.as_mut_ptr().cast();
    let places = &raw const place;
    // Newer versions have no such call.
    let old = under_test(Version::V9_11);
    testing_support::fails!(
        old,
        piEnqueueNativeKernel(queue, Some(nothing), start, 8, 1, &buffer, places, 0, null(), null_mut()),
        PI_ERROR_INVALID_OPERATION
    );
    ok!(piMemRelease(buffer));
}

/// The driver's `CUDA_ARRAY3D_DESCRIPTOR`.
#[repr(C)]
struct ArrayShape {
    sizes: [usize; 3],
    format: u32,
    channels: u32,
    flags: u32,
}

fn read_only_array() {
    const UNSIGNED_INT32: u32 = 3;
    const SURFACE: u32 = 2;
    let create: unsafe extern "C" fn(*mut pi_native_handle, *const ArrayShape) -> u32 =
        software::function("cuArray3DCreate_v2");
    let destroy: unsafe extern "C" fn(pi_native_handle) -> u32 = software::function("cuArrayDestroy");
    let (fixture, _current) = (Fixture::new(), Current::new());
    let desc = testing_support::image_desc(PI_MEM_TYPE_IMAGE2D, [16, 8, 1]);
    for (flags, expected) in [(SURFACE, PI_SUCCESS), (0, PI_ERROR_INVALID_MEM_OBJECT)] {
        let (mut array, mut image) = (0, null_mut());
        let shape = ArrayShape { sizes: [16, 8, 0], format: UNSIGNED_INT32, channels: 4, flags };
        // SAFETY: room for the array, a shape, and a current context.
        assert_eq!(unsafe { create(&mut array, &shape) }, 0);
        let context = fixture.context;
        let code = code!(piextMemImageCreateWithNativeHandle(array, context, 0, &RGBA32, &desc, &mut image));
        assert_eq!(code, expected);
        if code == PI_SUCCESS {
            ok!(piMemRelease(image));
        }
        // SAFETY: the array, which no image uses any more.
        assert_eq!(unsafe { destroy(array) }, 0);
    }
}

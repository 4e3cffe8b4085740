//! Contexts.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "context",
        [
            lists_its_devices,
            takes_a_device_and_its_sub_devices,
            takes_a_list_that_names_a_device_twice,
            is_counted,
            bad_device_lists_are_refused,
            an_unknown_property_is_refused,
            bad_questions_are_refused,
            tells_what_2d_commands_are_native,
            atomic_capabilities_are_bit_fields,
            deleter_runs_once_at_the_end,
            null_deleter_is_refused,
            children_keep_it_alive,
        ]
    );
}

fn lists_its_devices() {
    let f = Fixture::new();
    assert_eq!(get!(f.pi, piContextGetInfo(f.context, PI_CONTEXT_INFO_NUM_DEVICES) as u32), 1);
    assert_eq!(get!(f.pi, piContextGetInfo(f.context, PI_CONTEXT_INFO_DEVICES) as pi_device), f.device);
    assert_eq!(get!(f.pi, piContextGetInfo(f.context, PI_CONTEXT_INFO_PLATFORM) as pi_platform), f.platform);
}

fn takes_a_device_and_its_sub_devices() {
    let f = Fixture::new();
    let properties = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let mut parts: [pi_device; 1] = [null_mut()];
    ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), 1, parts.as_mut_ptr(), null_mut()));
    let all = [f.device, parts[0]];
    let context: pi_context =
        made!(f.pi, |out| piContextCreate(null(), 2, all.as_ptr(), None, null_mut(), out));
    assert_eq!(get!(f.pi, piContextGetInfo(context, PI_CONTEXT_INFO_DEVICES) as [pi_device; 2]), all);
    let queue: pi_queue = made!(f.pi, |out| piQueueCreate(context, parts[0], 0, out));
    assert_eq!(get!(f.pi, piQueueGetInfo(queue, PI_QUEUE_INFO_DEVICE) as pi_device), parts[0]);
    ok!(f.pi, piQueueRelease(queue));
    ok!(f.pi, piContextRelease(context));
    ok!(f.pi, piDeviceRelease(parts[0]));
}

/// OpenCL ignores repetitions; Intel's CPU runtimes end the process over two of a device in front of another.
fn takes_a_list_that_names_a_device_twice() {
    let f = Fixture::new();
    let properties = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let mut parts: [pi_device; 1] = [null_mut()];
    ok!(f.pi, piDevicePartition(f.device, properties.as_ptr(), 1, parts.as_mut_ptr(), null_mut()));
    for list in [[f.device, f.device, parts[0]], [parts[0], parts[0], f.device], [f.device; 3]] {
        let context: pi_context =
            made!(f.pi, |out| piContextCreate(null(), 3, list.as_ptr(), None, null_mut(), out));
        assert!(get!(f.pi, piContextGetInfo(context, PI_CONTEXT_INFO_NUM_DEVICES) as u32) <= 2);
        ok!(f.pi, piContextRelease(context));
    }
    ok!(f.pi, piDeviceRelease(parts[0]));
}

fn is_counted() {
    let f = Fixture::new();
    let context: pi_context = made!(f.pi, |out| piContextCreate(null(), 1, &f.device, None, null_mut(), out));
    let count = || get!(f.pi, piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32);
    assert_eq!(count(), 1);
    ok!(f.pi, piContextRetain(context));
    assert_eq!(count(), 2);
    ok!(f.pi, piContextRelease(context));
    assert_eq!(count(), 1);
    ok!(f.pi, piContextRelease(context));
}

fn bad_device_lists_are_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    let none: [pi_device; 1] = [null_mut()];
    let pi = f.pi;
    refused!(pi, piContextCreate(null(), 1, null(), None, null_mut(), &mut out), PI_ERROR_INVALID_VALUE);
    refused!(pi, piContextCreate(null(), 0, &f.device, None, null_mut(), &mut out), PI_ERROR_INVALID_VALUE);
    refused!(pi, piContextCreate(null(), 1, &f.device, None, null_mut(), null_mut()), PI_ERROR_INVALID_VALUE);
    refused!(
        pi,
        piContextCreate(null(), 1, none.as_ptr(), None, null_mut(), &mut out),
        PI_ERROR_INVALID_DEVICE | PI_ERROR_INVALID_VALUE
    );
    assert!(out.is_null());
}

fn an_unknown_property_is_refused() {
    let f = Fixture::new();
    let mut out = null_mut();
    let list: [pi_context_properties; 3] = [0x7777, 1, 0];
    refused!(
        f.pi,
        piContextCreate(list.as_ptr(), 1, &f.device, None, null_mut(), &mut out),
        PI_ERROR_INVALID_PROPERTY | PI_ERROR_INVALID_VALUE
    );
}

fn bad_questions_are_refused() {
    let f = Fixture::new();
    bad_questions!(f.pi, piContextGetInfo(f.context), PI_CONTEXT_INFO_DEVICES);
    bad_questions!(f.pi, piContextGetInfo(f.context), PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT);
}

fn tells_what_2d_commands_are_native() {
    let f = Fixture::new();
    for (name, expected) in [
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT, 0),
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT, 0),
        (PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT, 1),
    ] {
        assert_eq!(get!(f.pi, piContextGetInfo(f.context, name) as pi_bool), expected, "{name:#x}");
    }
}

fn atomic_capabilities_are_bit_fields() {
    let f = Fixture::new();
    for (of_context, of_device, least) in [
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_ORDER_CAPABILITIES,
            PI_MEMORY_ORDER_RELAXED,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_MEMORY_SCOPE_CAPABILITIES,
            PI_MEMORY_SCOPE_WORK_GROUP,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_FENCE_ORDER_CAPABILITIES,
            PI_MEMORY_ORDER_ACQ_REL,
        ),
        (
            PI_EXT_CONTEXT_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,
            PI_EXT_DEVICE_INFO_ATOMIC_FENCE_SCOPE_CAPABILITIES,
            PI_MEMORY_SCOPE_WORK_GROUP,
        ),
    ] {
        let context = get!(f.pi, piContextGetInfo(f.context, of_context) as pi_bitfield);
        let device = get!(f.pi, piDeviceGetInfo(f.device, of_device) as pi_bitfield);
        assert_eq!(context, device, "one device: the same; {of_context:#x}");
        assert_eq!(context & least, least, "{of_context:#x}");
    }
}

static DELETED: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn deleted(data: *mut c_void) {
    assert!(!data.is_null());
    DELETED.fetch_add(1, Ordering::SeqCst);
}

fn deleter_runs_once_at_the_end() {
    let f = Fixture::new();
    let context: pi_context = made!(f.pi, |out| piContextCreate(null(), 1, &f.device, None, null_mut(), out));
    ok!(f.pi, piextContextSetExtendedDeleter(context, Some(deleted), 0x10 as *mut c_void));
    ok!(f.pi, piContextRetain(context));
    ok!(f.pi, piContextRelease(context));
    assert_eq!(DELETED.load(Ordering::SeqCst), 0, "called while a reference is left");
    ok!(f.pi, piContextRelease(context));
    assert_eq!(DELETED.load(Ordering::SeqCst), 1);
}

fn null_deleter_is_refused() {
    let f = Fixture::new();
    refused!(f.pi, piextContextSetExtendedDeleter(f.context, None, null_mut()), PI_ERROR_INVALID_VALUE);
}

fn children_keep_it_alive() {
    let f = Fixture::new();
    let context: pi_context = made!(f.pi, |out| piContextCreate(null(), 1, &f.device, None, null_mut(), out));
    let queue: pi_queue = made!(f.pi, |out| piQueueCreate(context, f.device, 0, out));
    let flags = PI_MEM_FLAGS_ACCESS_RW;
    let mem: pi_mem = made!(f.pi, |out| piMemBufferCreate(context, flags, 4, null_mut(), out, null()));
    ok!(f.pi, piContextRelease(context));
    let value = 7_u32;
    let start = (&raw const value).cast();
    ok!(f.pi, piEnqueueMemBufferWrite(queue, mem, 1, 0, 4, start, 0, null(), null_mut()));
    let mut back = 0_u32;
    let room = (&raw mut back).cast();
    ok!(f.pi, piEnqueueMemBufferRead(queue, mem, 1, 0, 4, room, 0, null(), null_mut()));
    assert_eq!(back, 7);
    ok!(f.pi, piMemRelease(mem));
    ok!(f.pi, piQueueRelease(queue));
}

//! Contexts of the driver that the caller keeps.

use std::ptr::{null, null_mut};

use sycl_ur_core::*;
use testing_opencl::{Fixture, PI_CONTEXT_INFO_REFERENCE_COUNT, get};

use crate::host::{Host, newest, ok};

/// Returns a handle of a context that stays the caller's.
fn borrowed(host: Host, f: &Fixture) -> ur_context_handle_t {
    let (mut adapter, mut context) = (null_mut(), null_mut());
    // SAFETY: live handles, and room for the results. A context of the plugin is the driver's own.
    unsafe {
        ok(host.calls.urAdapterGet(1, &mut adapter, null_mut()));
        let native = f.context.expose_provenance();
        ok(host.calls.urContextCreateWithNativeHandle(native, adapter, 0, null(), null(), &mut context));
    }
    context
}

/// `libsycl` retains such a context once more than it releases it.
#[test]
fn a_borrowed_context_is_the_caller_s_alone_after_the_second_to_last_release() {
    let (host, f) = (newest(), Fixture::new());
    let calls = host.calls;
    let count = || get!(f.pi, piContextGetInfo(f.context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32);
    let before = count();
    let context = borrowed(host, &f);
    assert_eq!(count(), before + 1);
    for _ in 0..2 {
        // SAFETY: a live handle, which is retained before it is released.
        unsafe {
            ok(calls.urContextRetain(context));
            assert_eq!(
                count(),
                before + 1,
                "the handle has its reference while the caller has two of the handle"
            );
            ok(calls.urContextRelease(context));
        }
        assert_eq!(count(), before, "the handle has given its reference back");
    }
    // The context may be another one now, for which the handle does not stand any more.
    let another = borrowed(host, &f);
    let (mut queue, mut of) = (null_mut(), null_mut::<ur_context_handle_t_>());
    // SAFETY: live handles, and room for the results.
    unsafe {
        ok(calls.urQueueCreate(another, host.device, null(), &mut queue));
        let (room, size) = ((&raw mut of).cast(), size_of_val(&of));
        ok(calls.urQueueGetInfo(queue, UR_QUEUE_INFO_CONTEXT, size, room, null_mut()));
        assert_eq!(of, another);
        ok(calls.urQueueRelease(queue));
        ok(calls.urContextRelease(another));
    }
}

//! An adapter's handles of the driver's objects that all operations use.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use anyhow::{Result, ensure};
use sycl_ur_core::*;
use testing_ur_host::Calls;

use crate::objects::Objects;

/// The handles. None is released, because the process then exits.
pub(super) struct Handles {
    pub(super) device: ur_device_handle_t,
    pub(super) context: ur_context_handle_t,
    pub(super) queue: ur_queue_handle_t,
    pub(super) program: ur_program_handle_t,
    pub(super) kernel: ur_kernel_handle_t,
    pub(super) buffer: ur_mem_handle_t,
    pub(super) other_buffer: ur_mem_handle_t,
    pub(super) event: ur_event_handle_t,
    pub(super) timed_event: ur_event_handle_t,
}

fn native(object: *mut c_void) -> ur_native_handle_t {
    object.expose_provenance() as ur_native_handle_t
}

impl Handles {
    /// Takes the adapter's first device, which is the driver's, and creates handles of the other objects.
    pub(super) fn new(calls: &Calls, objects: &Objects) -> Result<Self> {
        macro_rules! call {
            ($name:ident($($arg:expr),*)) => {
                // Null properties leave the objects to the driver's owner.
                // SAFETY: live handles and objects, and memory for the outputs.
                let code = unsafe { calls.$name($($arg),*) };
                ensure!(code == UR_RESULT_SUCCESS, "{} answers {code}", stringify!($name));
            };
        }
        let (mut adapter, mut platform, mut device) = (null_mut(), null_mut(), null_mut());
        call!(urAdapterGet(1, &mut adapter, null_mut()));
        call!(urPlatformGet(adapter, 1, &mut platform, null_mut()));
        call!(urDeviceGet(platform, UR_DEVICE_TYPE_ALL, 1, &mut device, null_mut()));
        let mut same = 0;
        call!(urDeviceGetNativeHandle(device, &mut same));
        ensure!(same == native(objects.device), "the adapter's first device is another one");
        let (mut context, mut queue) = (null_mut(), null_mut());
        call!(urContextCreateWithNativeHandle(
            native(objects.context),
            adapter,
            1,
            &device,
            null(),
            &mut context
        ));
        call!(urQueueCreateWithNativeHandle(native(objects.queue), context, device, null(), &mut queue));
        let (mut program, mut kernel) = (null_mut(), null_mut());
        call!(urProgramCreateWithNativeHandle(native(objects.program), context, null(), &mut program));
        call!(urKernelCreateWithNativeHandle(native(objects.kernel), context, program, null(), &mut kernel));
        let (mut buffer, mut other_buffer) = (null_mut(), null_mut());
        for (object, handle) in [(objects.buffer, &mut buffer), (objects.other_buffer, &mut other_buffer)] {
            call!(urMemBufferCreateWithNativeHandle(native(object), context, null(), handle));
        }
        let (mut event, mut timed_event) = (null_mut(), null_mut());
        for (object, handle) in [(objects.event, &mut event), (objects.timed_event, &mut timed_event)] {
            call!(urEventCreateWithNativeHandle(native(object), context, null(), handle));
        }
        Ok(Self { device, context, queue, program, kernel, buffer, other_buffer, event, timed_event })
    }
}

//! A loader with a context: what most tests of an adapter stand on.

use std::ffi::c_void;
use std::path::Path;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use crate::{Adapter, Calls};

/// One loader of an adapter, with a context and a queue of its first device. Every object stays for the rest of the process.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The adapter's functions.
    pub calls: &'static Calls,
    /// The first device of the first platform.
    pub device: ur_device_handle_t,
    /// Of that device.
    pub context: ur_context_handle_t,
    /// In order.
    pub queue: ur_queue_handle_t,
}

// SAFETY: handles may be used on every thread.
unsafe impl Send for Host {}

/// Panics unless a call succeeded.
#[track_caller]
pub fn ok(code: ur_result_t) {
    assert_eq!(code, UR_RESULT_SUCCESS);
}

impl Host {
    /// Opens an adapter, at one layout.
    ///
    /// # Safety
    /// The file is trusted like a program.
    #[allow(clippy::expect_used, reason = "a test fails by panicking")]
    pub unsafe fn open(path: &Path, layout: Layout) -> Self {
        // SAFETY: the caller trusts the file.
        let adapter = unsafe { Adapter::open(path) }.expect("the adapter is built");
        let connection = adapter.connect(layout).expect("the adapter knows the layout");
        let calls: &'static Calls = &Box::leak(Box::new(connection)).calls;
        let (mut adapter, mut platform, mut device) = (null_mut(), null_mut(), null_mut());
        let (mut context, mut queue) = (null_mut(), null_mut());
        // SAFETY: places for what is asked for, and handles of this loader.
        unsafe {
            ok(calls.urAdapterGet(1, &mut adapter, null_mut()));
            match calls.urPlatformGet_until_2025_2 {
                Some(_) => {
                    ok(calls.urPlatformGet_until_2025_2(&mut adapter, 1, 1, &mut platform, null_mut()))
                }
                None => ok(calls.urPlatformGet(adapter, 1, &mut platform, null_mut())),
            }
            ok(calls.urDeviceGet(platform, UR_DEVICE_TYPE_ALL, 1, &mut device, null_mut()));
            ok(calls.urContextCreate(1, &device, null(), &mut context));
            ok(calls.urQueueCreate(context, device, null(), &mut queue));
        }
        Self { calls, device, context, queue }
    }

    /// A new queue with flags.
    pub fn queue_with(&self, flags: ur_queue_flags_t) -> ur_queue_handle_t {
        let properties =
            ur_queue_properties_t { stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, pNext: null_mut(), flags };
        let mut queue = null_mut();
        // SAFETY: live handles, and a place for the queue.
        ok(unsafe { self.calls.urQueueCreate(self.context, self.device, &properties, &mut queue) });
        queue
    }

    /// Whether the device says yes.
    pub fn has(&self, query: ur_device_info_t) -> bool {
        let mut answer = 0_u8;
        // SAFETY: room for a truth value.
        ok(unsafe {
            self.calls.urDeviceGetInfo(self.device, query, 1, (&raw mut answer).cast(), null_mut())
        });
        answer != 0
    }

    /// A buffer of so many numbers.
    pub fn buffer(&self, count: usize) -> ur_mem_handle_t {
        let mut buffer = null_mut();
        // SAFETY: a live context, and a place for the buffer.
        ok(unsafe {
            self.calls.urMemBufferCreate(self.context, UR_MEM_FLAG_READ_WRITE, count * 4, null(), &mut buffer)
        });
        buffer
    }

    /// The numbers in a buffer.
    #[allow(clippy::not_unsafe_ptr_arg_deref, reason = "a handle, which only the adapter looks behind")]
    pub fn read(&self, buffer: ur_mem_handle_t, count: usize) -> Vec<u32> {
        let mut numbers = vec![0_u32; count];
        let room: *mut c_void = numbers.as_mut_ptr().cast();
        // SAFETY: live handles, and room for the bytes.
        ok(unsafe {
            self.calls.urEnqueueMemBufferRead(
                self.queue,
                buffer,
                1,
                0,
                count * 4,
                room,
                0,
                null(),
                null_mut(),
            )
        });
        numbers
    }
}

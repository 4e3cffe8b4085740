//! A loader with a context, which most tests of an adapter use.

use std::ffi::{c_int, c_void};
use std::os::fd::{FromRawFd, OwnedFd};
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

use sycl_ur_core::*;

use crate::{Adapter, Calls};

/// Held while a device is opened. If two threads open the first device of PoCL 3.1 at the same time, one of the contexts
/// takes no buffers.
static CREATING: Mutex<()> = Mutex::new(());

/// A loader of an adapter, with a context and a queue of its first device. Objects are kept for the rest of the
/// process.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The adapter's functions.
    pub calls: &'static Calls,
    /// The first device of the first platform.
    pub device: ur_device_handle_t,
    /// That device's context.
    pub context: ur_context_handle_t,
    /// An in-order queue.
    pub queue: ur_queue_handle_t,
}

// SAFETY: handles may be used on every thread.
unsafe impl Send for Host {}

/// Panics unless a call succeeded.
#[track_caller]
pub fn ok(code: ur_result_t) {
    assert_eq!(code, UR_RESULT_SUCCESS);
}

#[allow(
    clippy::not_unsafe_ptr_arg_deref,
    reason = "handles and device memory, which only the adapter looks behind"
)]
impl Host {
    /// Opens an adapter at a layout.
    ///
    /// # Safety
    /// The file must be trusted like a program.
    #[allow(clippy::expect_used, reason = "a test fails by panicking")]
    pub unsafe fn open(path: &Path, layout: Layout) -> Self {
        let _creating = CREATING.lock();
        // SAFETY: the caller trusts the file.
        let adapter = unsafe { Adapter::open(path) }.expect("the adapter is built");
        let connection = adapter.connect(layout).expect("the adapter knows the layout");
        let calls: &'static Calls = &Box::leak(Box::new(connection)).calls;
        let (mut adapter, mut platform, mut device) = (null_mut(), null_mut(), null_mut());
        let (mut context, mut queue) = (null_mut(), null_mut());
        // SAFETY: room for the results, and handles of this loader.
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

    /// Creates another context of the device.
    pub fn another_context(&self) -> ur_context_handle_t {
        let mut context = null_mut();
        let _creating = CREATING.lock();
        // SAFETY: a live device, and room for the context.
        ok(unsafe { self.calls.urContextCreate(1, &self.device, null(), &mut context) });
        context
    }

    /// Creates a queue with flags.
    pub fn queue_with(&self, flags: ur_queue_flags_t) -> ur_queue_handle_t {
        let properties =
            ur_queue_properties_t { stype: UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, pNext: null_mut(), flags };
        let mut queue = null_mut();
        // SAFETY: live handles, and room for the queue.
        ok(unsafe { self.calls.urQueueCreate(self.context, self.device, &properties, &mut queue) });
        queue
    }

    /// Returns whether the device reports that it has the feature.
    pub fn has(&self, query: ur_device_info_t) -> bool {
        let mut answer = 0_u8;
        // SAFETY: room for a boolean.
        ok(unsafe {
            self.calls.urDeviceGetInfo(self.device, query, 1, (&raw mut answer).cast(), null_mut())
        });
        answer != 0
    }

    /// Creates a buffer for this number of numbers.
    pub fn buffer(&self, count: usize) -> ur_mem_handle_t {
        let mut buffer = null_mut();
        // SAFETY: a live context, and room for the buffer.
        ok(unsafe {
            self.calls.urMemBufferCreate(self.context, UR_MEM_FLAG_READ_WRITE, count * 4, null(), &mut buffer)
        });
        buffer
    }

    /// Returns the numbers in a buffer.
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

    /// Allocates device memory that contains the same number `count` times.
    pub fn memory(&self, number: u32, count: usize) -> *mut c_void {
        let mut start = null_mut();
        // SAFETY: live handles, and room for the address.
        ok(unsafe {
            self.calls.urUSMDeviceAlloc(self.context, self.device, null(), null_mut(), count * 4, &mut start)
        });
        self.fill(start, number, count);
        start
    }

    /// Fills unified shared memory.
    pub fn fill(&self, start: *mut c_void, number: u32, count: usize) {
        let pattern = (&raw const number).cast();
        // SAFETY: live handles, and memory of that many numbers.
        unsafe {
            ok(self.calls.urEnqueueUSMFill(self.queue, start, 4, pattern, count * 4, 0, null(), null_mut()));
            ok(self.calls.urQueueFinish(self.queue));
        }
    }

    /// Returns the numbers in unified shared memory.
    pub fn numbers(&self, start: *const c_void, count: usize) -> Vec<u32> {
        let mut numbers = vec![0_u32; count];
        let room = numbers.as_mut_ptr().cast();
        // SAFETY: live handles, and room for the bytes.
        ok(unsafe {
            self.calls.urEnqueueUSMMemcpy(self.queue, 1, room, start, count * 4, 0, null(), null_mut())
        });
        numbers
    }

    /// Allocates memory that can be exported to other processes.
    ///
    /// # Errors
    /// Returns the adapter's error.
    pub fn exportable(&self, alignment: usize, size: usize) -> Result<*mut c_void, ur_result_t> {
        let mut start = null_mut();
        // SAFETY: live handles, and room for the address.
        let code = unsafe {
            self.calls.urMemoryExportAllocExportableMemoryExp(
                self.context,
                self.device,
                alignment,
                size,
                UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD,
                &mut start,
            )
        };
        if code == UR_RESULT_SUCCESS { Ok(start) } else { Err(code) }
    }

    /// Frees memory of [`Host::exportable`].
    pub fn free_exportable(&self, start: *mut c_void) -> ur_result_t {
        // SAFETY: live handles. The adapter looks the address up.
        unsafe { self.calls.urMemoryExportFreeExportableMemoryExp(self.context, self.device, start) }
    }

    /// Returns a descriptor of exportable memory.
    ///
    /// # Errors
    /// Returns the adapter's error.
    pub fn descriptor(&self, start: *mut c_void) -> Result<OwnedFd, ur_result_t> {
        let (kind, mut fd): (_, c_int) = (UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD, -1);
        let (calls, room) = (self.calls, (&raw mut fd).cast());
        // SAFETY: live handles, and room for a number. A new descriptor belongs to the caller.
        unsafe {
            match calls.urMemoryExportExportMemoryHandleExp(self.context, self.device, kind, start, room) {
                UR_RESULT_SUCCESS => Ok(OwnedFd::from_raw_fd(fd)),
                code => Err(code),
            }
        }
    }
}

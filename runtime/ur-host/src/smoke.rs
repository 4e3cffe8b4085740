//! The loader's tests of a device, with the calls of an adapter.
#![expect(unsafe_code, reason = "the functions of an adapter")]

mod kernel;

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_loader::smoke::{SmokeError, sample};
use sycl_ur_core::*;

use crate::{AdapterCallError, AdapterDevice, Calls, LoadedAdapter};

/// The reason why the test of a device failed.
pub type AdapterSmokeError = SmokeError<AdapterCallError>;

impl<'a> AdapterDevice<'a> {
    /// Writes 16 bytes into a buffer on this device and reads them back. A broken driver may end the process here, so
    /// run the test in a separate process.
    ///
    /// # Errors
    /// Returns the first call that failed, or reports wrong bytes.
    pub fn smoke_test(&self) -> Result<(), AdapterSmokeError> {
        let place = self.test_place()?;
        let written = sample::bytes();
        let mut read = [0; sample::BYTES];
        let buffer = place.buffer(written.len())?;
        place.write(&buffer, &written)?;
        place.read(&buffer, &mut read)?;
        place.finish()?;
        if read == written { Ok(()) } else { Err(SmokeError::WrongBytes) }
    }

    /// Creates a context and an in-order queue.
    fn test_place(&self) -> Result<TestPlace<'a>, AdapterCallError> {
        let (adapter, calls) = (self.adapter, &self.adapter.calls);
        let context = ScopedHandle::new(calls, Calls::urContextRelease, |out| {
            // SAFETY: one device, no properties, a valid out pointer.
            adapter.check("urContextCreate", unsafe { calls.urContextCreate(1, &self.handle, null(), out) })
        })?;
        let queue = ScopedHandle::new(calls, Calls::urQueueRelease, |out| {
            // SAFETY: live handles, no properties, a valid out pointer.
            let result = unsafe { calls.urQueueCreate(context.handle, self.handle, null(), out) };
            adapter.check("urQueueCreate", result)
        })?;
        Ok(TestPlace { adapter, queue, context })
    }
}

/// Where a test runs. The queue is released before its context.
struct TestPlace<'a> {
    adapter: &'a LoadedAdapter,
    queue: ScopedHandle<'a, ur_queue_handle_t_>,
    context: ScopedHandle<'a, ur_context_handle_t_>,
}

impl<'a> TestPlace<'a> {
    /// Creates a buffer of `size` bytes.
    fn buffer(&self, size: usize) -> Result<ScopedHandle<'a, ur_mem_handle_t_>, AdapterCallError> {
        let calls = &self.adapter.calls;
        ScopedHandle::new(calls, Calls::urMemRelease, |out| {
            let (context, flags) = (self.context.handle, UR_MEM_FLAG_READ_WRITE);
            // SAFETY: a valid context, no host memory, a valid out pointer.
            let result = unsafe { calls.urMemBufferCreate(context, flags, size, null(), out) };
            self.adapter.check("urMemBufferCreate", result)
        })
    }

    /// Writes to the start of a buffer, and waits.
    fn write<T: Copy>(
        &self,
        buffer: &ScopedHandle<'_, ur_mem_handle_t_>,
        from: &[T],
    ) -> Result<(), AdapterCallError> {
        let (start, size): (*const c_void, _) = (from.as_ptr().cast(), size_of_val(from));
        let (queue, buffer, calls) = (self.queue.handle, buffer.handle, &self.adapter.calls);
        let result =
            // SAFETY: live handles. The call blocks, and the memory has `size` bytes.
            unsafe { calls.urEnqueueMemBufferWrite(queue, buffer, 1, 0, size, start, 0, null(), null_mut()) };
        self.adapter.check("urEnqueueMemBufferWrite", result)
    }

    /// Reads the start of a buffer, and waits.
    fn read<T: Copy>(
        &self,
        buffer: &ScopedHandle<'_, ur_mem_handle_t_>,
        to: &mut [T],
    ) -> Result<(), AdapterCallError> {
        let (start, size): (*mut c_void, _) = (to.as_mut_ptr().cast(), size_of_val(to));
        let (queue, buffer, calls) = (self.queue.handle, buffer.handle, &self.adapter.calls);
        let result =
            // SAFETY: live handles. The call blocks, and the memory has `size` bytes.
            unsafe { calls.urEnqueueMemBufferRead(queue, buffer, 1, 0, size, start, 0, null(), null_mut()) };
        self.adapter.check("urEnqueueMemBufferRead", result)
    }

    /// Waits for the queue.
    fn finish(&self) -> Result<(), AdapterCallError> {
        // SAFETY: a live queue.
        self.adapter.check("urQueueFinish", unsafe { self.adapter.calls.urQueueFinish(self.queue.handle) })
    }
}

type Release<T> = unsafe fn(&Calls, *mut T) -> ur_result_t;

/// A handle that is released with its scope.
struct ScopedHandle<'a, T> {
    calls: &'a Calls,
    handle: *mut T,
    release: Release<T>,
}

impl<'a, T> ScopedHandle<'a, T> {
    fn new(
        calls: &'a Calls,
        release: Release<T>,
        create: impl FnOnce(*mut *mut T) -> Result<(), AdapterCallError>,
    ) -> Result<Self, AdapterCallError> {
        let mut handle = null_mut();
        create(&mut handle)?;
        Ok(Self { calls, handle, release })
    }
}

impl<T> Drop for ScopedHandle<'_, T> {
    fn drop(&mut self) {
        // SAFETY: the handle is ours and is not used again. A failure cannot be reported from a drop.
        let _ = unsafe { (self.release)(self.calls, self.handle) };
    }
}

//! Tests of a device. One writes and reads a buffer, and the other runs a kernel.
#![expect(unsafe_code, reason = "a plugin's functions")]

mod kernel;
pub mod sample;

use std::ffi::c_void;

use sycl_pi_core::*;

use crate::{CallError, PluginDevice, Table};

/// The reason why the test failed. `E` is the error of a failed call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SmokeError<E = CallError> {
    /// A call failed.
    #[error(transparent)]
    Call(#[from] E),
    /// The bytes that were read differ from those that were written.
    #[error("a buffer of 16 bytes was written, and other bytes were read back")]
    WrongBytes,
    /// The kernel was not built.
    #[error("{call}{}{log}", if .log.is_empty() { "" } else { ": " })]
    Build {
        /// The call that failed.
        call: E,
        /// The driver's log.
        log: String,
    },
    /// The kernel computed sums that differ from the host's.
    #[error("the kernel ran, and its sums are wrong")]
    WrongSums,
}

impl PluginDevice<'_> {
    /// Writes 16 bytes into a buffer on this device and reads them back. A broken driver may end the process here, so
    /// run the test in a separate process.
    ///
    /// # Errors
    /// Returns the first call that failed, or reports wrong bytes.
    pub fn smoke_test(&self) -> Result<(), SmokeError> {
        let table = &self.plugin().table;
        let context = self.test_context()?;
        let queue = self.test_queue(&context)?;
        let written = sample::bytes();
        let mut read = [0; sample::BYTES];
        let buffer = self.test_buffer(&context, written.len())?;
        // SAFETY: the calls block, and both arrays have as many bytes.
        unsafe {
            table.write(queue.handle, buffer.handle, written.as_ptr().cast(), written.len())?;
            table.read(queue.handle, buffer.handle, read.as_mut_ptr().cast(), read.len())?;
            table.piQueueFinish(queue.handle)?;
        }
        if read == written { Ok(()) } else { Err(SmokeError::WrongBytes) }
    }

    fn test_context(&self) -> Result<ScopedHandle<'_, _pi_context>, CallError> {
        let (table, device) = (&self.plugin().table, self.handle());
        ScopedHandle::new(table, Table::release_context, |out| {
            // SAFETY: one device, no callback, a valid out pointer.
            unsafe { table.piContextCreate(std::ptr::null(), 1, &device, None, std::ptr::null_mut(), out) }
        })
    }

    fn test_queue(
        &self,
        context: &ScopedHandle<'_, _pi_context>,
    ) -> Result<ScopedHandle<'_, _pi_queue>, CallError> {
        let table = &self.plugin().table;
        ScopedHandle::new(table, Table::release_queue, |out| {
            table.create_queue(context.handle, self.handle(), out)
        })
    }

    /// Creates a buffer of `size` bytes.
    fn test_buffer(
        &self,
        context: &ScopedHandle<'_, _pi_context>,
        size: usize,
    ) -> Result<ScopedHandle<'_, _pi_mem>, CallError> {
        let (table, flags) = (&self.plugin().table, PI_MEM_FLAGS_ACCESS_RW);
        let (no_memory, no_properties) = (std::ptr::null_mut(), std::ptr::null());
        ScopedHandle::new(table, Table::release_mem, |out| {
            // SAFETY: a valid context, no host memory, a valid out pointer.
            unsafe { table.piMemBufferCreate(context.handle, flags, size, no_memory, out, no_properties) }
        })
    }
}

impl Table {
    /// Creates an in-order queue with the call that hosts of this version use.
    fn create_queue(
        &self,
        context: pi_context,
        device: pi_device,
        out: *mut pi_queue,
    ) -> Result<(), CallError> {
        let mut properties: [pi_queue_properties; 3] = [PI_QUEUE_FLAGS, 0, 0];
        let list = properties.as_mut_ptr();
        // SAFETY: valid handles, a list that ends with zero, a valid out pointer.
        unsafe {
            if self.piextQueueCreate2.is_some() {
                self.piextQueueCreate2(context, device, list, out)
            } else if self.piextQueueCreate.is_some() {
                self.piextQueueCreate(context, device, list, out)
            } else {
                self.piQueueCreate(context, device, 0, out)
            }
        }
    }

    /// Writes to the start of a buffer, and waits.
    ///
    /// # Safety
    /// `from` is valid for reading `size` bytes.
    unsafe fn write(
        &self,
        queue: pi_queue,
        buffer: pi_mem,
        from: *const c_void,
        size: usize,
    ) -> Result<(), CallError> {
        let (none, no_event) = (std::ptr::null(), std::ptr::null_mut());
        // SAFETY: the call blocks; the caller vouches for the memory.
        unsafe { self.piEnqueueMemBufferWrite(queue, buffer, PI_TRUE, 0, size, from, 0, none, no_event) }
    }

    /// Reads the start of a buffer, and waits.
    ///
    /// # Safety
    /// `to` is valid for writing `size` bytes.
    unsafe fn read(
        &self,
        queue: pi_queue,
        buffer: pi_mem,
        to: *mut c_void,
        size: usize,
    ) -> Result<(), CallError> {
        let (none, no_event) = (std::ptr::null(), std::ptr::null_mut());
        // SAFETY: the call blocks; the caller vouches for the memory.
        unsafe { self.piEnqueueMemBufferRead(queue, buffer, PI_TRUE, 0, size, to, 0, none, no_event) }
    }

    fn release_context(&self, context: pi_context) {
        // SAFETY: the handle is ours and is not used again. A failure cannot be reported from a drop.
        let _ = unsafe { self.piContextRelease(context) };
    }

    fn release_queue(&self, queue: pi_queue) {
        // SAFETY: the handle is ours and is not used again.
        let _ = unsafe { self.piQueueRelease(queue) };
    }

    fn release_mem(&self, mem: pi_mem) {
        // SAFETY: the handle is ours and is not used again.
        let _ = unsafe { self.piMemRelease(mem) };
    }
}

/// A handle that is released with its scope.
struct ScopedHandle<'t, T> {
    table: &'t Table,
    handle: *mut T,
    release: fn(&Table, *mut T),
}

impl<'t, T> ScopedHandle<'t, T> {
    fn new(
        table: &'t Table,
        release: fn(&Table, *mut T),
        create: impl FnOnce(*mut *mut T) -> Result<(), CallError>,
    ) -> Result<Self, CallError> {
        let mut handle = std::ptr::null_mut();
        create(&mut handle)?;
        Ok(Self { table, handle, release })
    }
}

impl<T> Drop for ScopedHandle<'_, T> {
    fn drop(&mut self) {
        (self.release)(self.table, self.handle);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_handle_is_released_with_its_scope_and_a_failed_creation_releases_nothing() {
        static RELEASED: AtomicUsize = AtomicUsize::new(0);
        fn release(_: &Table, handle: *mut u8) {
            RELEASED.store(handle as usize, Ordering::Relaxed);
        }
        // SAFETY: a table without pointers.
        let table = unsafe { Table::new(Version::NEWEST, &[]) };
        let error = CallError::Missing { function: "piMemBufferCreate", version: Version::NEWEST };
        assert!(ScopedHandle::new(&table, release, |_| Err(error)).is_err());
        assert_eq!(RELEASED.load(Ordering::Relaxed), 0);
        let create = |out: *mut *mut u8| {
            // SAFETY: a valid out pointer.
            unsafe { out.write(7 as *mut u8) };
            Ok(())
        };
        drop(ScopedHandle::new(&table, release, create).unwrap());
        assert_eq!(RELEASED.load(Ordering::Relaxed), 7);
    }
}

//! A smoke test without a kernel: it creates a context and a queue, and writes and reads a buffer.
#![expect(unsafe_code, reason = "a plugin's functions")]

use std::ffi::c_void;

use sycl_pi_core::*;

use crate::{CallError, PluginDevice, Table};

/// The reason why the test failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SmokeError {
    /// A call failed.
    #[error(transparent)]
    Call(#[from] CallError),
    /// The bytes that were read differ from those that were written.
    #[error("a buffer of 16 bytes was written, and other bytes were read back")]
    WrongBytes,
}

impl PluginDevice<'_> {
    /// Writes 16 bytes into a buffer on this device and reads them back. A broken driver may end the process here, so
    /// run the test in a separate process.
    ///
    /// # Errors
    /// Returns the first call that failed, or reports wrong bytes.
    pub fn smoke_test(&self) -> Result<(), SmokeError> {
        let table = &self.plugin().table;
        let device = self.handle();
        let context = ScopedHandle::new(table, Table::release_context, |out| {
            // SAFETY: one device, no callback, a valid out pointer.
            unsafe { table.piContextCreate(std::ptr::null(), 1, &device, None, std::ptr::null_mut(), out) }
        })?;
        let queue = ScopedHandle::new(table, Table::release_queue, |out| {
            table.create_queue(context.handle, device, out)
        })?;
        let written: [u8; SIZE] = std::array::from_fn(|index| index as u8 ^ 0x5a);
        let mut read = [0u8; SIZE];
        let flags = PI_MEM_FLAGS_ACCESS_RW;
        let buffer = ScopedHandle::new(table, Table::release_mem, |out| {
            // SAFETY: a valid context, no host memory, a valid out pointer.
            unsafe {
                table.piMemBufferCreate(
                    context.handle,
                    flags,
                    SIZE,
                    std::ptr::null_mut(),
                    out,
                    std::ptr::null(),
                )
            }
        })?;
        let (none, no_event) = (std::ptr::null(), std::ptr::null_mut());
        let (source, target) = (written.as_ptr().cast::<c_void>(), read.as_mut_ptr().cast::<c_void>());
        // SAFETY: the calls block, and both arrays outlive them.
        unsafe {
            table.piEnqueueMemBufferWrite(
                queue.handle,
                buffer.handle,
                PI_TRUE,
                0,
                SIZE,
                source,
                0,
                none,
                no_event,
            )?;
            table.piEnqueueMemBufferRead(
                queue.handle,
                buffer.handle,
                PI_TRUE,
                0,
                SIZE,
                target,
                0,
                none,
                no_event,
            )?;
            table.piQueueFinish(queue.handle)?;
        }
        if read == written { Ok(()) } else { Err(SmokeError::WrongBytes) }
    }
}

const SIZE: usize = 16;

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

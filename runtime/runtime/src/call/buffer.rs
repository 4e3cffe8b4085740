//! Buffers: memory objects that kernels access through accessors.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sycl_pi_core::*;

use super::event::Event;
use super::handle::Handle;
use super::usm::Element;
use super::{Context, Queue};
use crate::error::{Error, Result, WithObject};

/// A buffer of `len` values, freed when the last owner is dropped and the context's queues are finished.
pub struct Buffer<T: Element> {
    memory: Arc<Memory>,
    element: PhantomData<T>,
}

struct Memory {
    context: Context,
    raw: Handle<_pi_mem>,
    bytes: usize,
}

impl<T: Element> Buffer<T> {
    /// Creates a buffer with these values.
    ///
    /// # Errors
    /// Fails if there are no values, or if the plugin refuses.
    pub fn new(context: &Context, values: &[T]) -> Result<Self> {
        let bytes = size_of_val(values);
        if bytes == 0 {
            return Err(Error::invalid("a buffer has at least one byte"));
        }
        let flags = PI_MEM_FLAGS_ACCESS_RW | PI_MEM_FLAGS_HOST_PTR_COPY;
        let mut raw: pi_mem = std::ptr::null_mut();
        let from = values.as_ptr().cast_mut().cast::<c_void>();
        let table = context.plugin().table();
        let done =
            // SAFETY: the values are copied during the call, and not written.
            unsafe { table.piMemBufferCreate(context.raw(), flags, bytes, from, &mut raw, std::ptr::null()) };
        done.with_object(|| format!("buffer of {bytes} bytes"))?;
        let memory = Memory { context: context.clone(), raw: Handle::new(raw), bytes };
        Ok(Self { memory: Arc::new(memory), element: PhantomData })
    }

    pub(super) fn raw(&self) -> pi_mem {
        self.memory.raw.get()
    }

    /// Returns its context.
    pub fn context(&self) -> &Context {
        &self.memory.context
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.memory.bytes.checked_div(size_of::<T>()).unwrap_or(0)
    }

    /// Returns whether it has no values, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads values starting at index `at`, and waits.
    ///
    /// # Errors
    /// Fails if the values do not fit, if the queue belongs to another context, or if the plugin fails.
    pub fn read(&self, queue: &Queue, at: usize, values: &mut [T]) -> Result<()> {
        let (offset, size) = self.range(queue, at, values.len())?;
        if size == 0 {
            return Ok(());
        }
        let to = values.as_mut_ptr().cast();
        let mut event: pi_event = std::ptr::null_mut();
        let none = std::ptr::null();
        // SAFETY: the range is within the buffer, `to` has space for it, and the call waits.
        let done = queue.submit(|table, raw| unsafe {
            table.piEnqueueMemBufferRead(raw, self.raw(), PI_TRUE, offset, size, to, 0, none, &mut event)
        });
        done.with_object(|| format!("{self:?}"))?;
        Event::new(event, queue).wait()
    }

    /// Writes values starting at index `at`, and waits.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read).
    pub fn write(&self, queue: &Queue, at: usize, values: &[T]) -> Result<()> {
        let (offset, size) = self.range(queue, at, values.len())?;
        if size == 0 {
            return Ok(());
        }
        let from = values.as_ptr().cast();
        let mut event: pi_event = std::ptr::null_mut();
        let none = std::ptr::null();
        // SAFETY: the range is within the buffer, `from` has as many bytes, and the call waits.
        let done = queue.submit(|table, raw| unsafe {
            table.piEnqueueMemBufferWrite(raw, self.raw(), PI_TRUE, offset, size, from, 0, none, &mut event)
        });
        done.with_object(|| format!("{self:?}"))?;
        Event::new(event, queue).wait()
    }

    fn range(&self, queue: &Queue, at: usize, count: usize) -> Result<(usize, usize)> {
        if queue.context() != self.context() {
            return Err(Error::invalid("the buffer belongs to another context than the queue"));
        }
        match at.checked_add(count) {
            Some(end) if end <= self.len() => Ok((at * size_of::<T>(), count * size_of::<T>())),
            _ => Err(Error::invalid(format!(
                "{count} values from index {at} on are beyond the {} of the buffer",
                self.len()
            ))),
        }
    }
}

impl<T: Element> Clone for Buffer<T> {
    /// Returns another owner of the same buffer.
    fn clone(&self) -> Self {
        Self { memory: self.memory.clone(), element: PhantomData }
    }
}

impl<T: Element> fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "buffer of {} bytes", self.memory.bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Plugins differ in whether they keep a buffer alive for the commands that use it.
        if !self.context.finish_queues() {
            // Leaked rather than freed while a command uses it.
            return;
        }
        // SAFETY: the handle belongs to this object, and no queue has unfinished commands.
        let _ = unsafe { self.context.plugin().table().piMemRelease(self.raw.get()) };
    }
}

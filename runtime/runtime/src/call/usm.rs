//! Unified shared memory: typed, owned allocations.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use sycl_pi_core::*;

use super::event::{Event, wait_list};
use super::handle::Handle;
use super::{Context, Device, Queue};
use crate::error::{Error, Result, WithObject};
use crate::host_memory::filled;

/// Plain data: any bytes are a valid value, and a value consists of nothing but its bytes.
///
/// # Safety
/// The type has no padding and no invalid bit patterns.
pub unsafe trait Element: Copy + Send + Sync + 'static {}

macro_rules! elements {
    ($($ty:ty)*) => { $(
        // SAFETY: a number without padding.
        unsafe impl Element for $ty {}
    )* };
}

elements!(u8 i8 u16 i16 u32 i32 u64 i64 usize isize f32 f64);

// SAFETY: an array of such elements has neither padding nor invalid bit patterns.
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

/// Returns the bytes of values.
pub(crate) fn bytes_of<T: Element>(values: &[T]) -> &[u8] {
    // SAFETY: an element consists of nothing but its bytes.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Returns the bytes of values for overwriting.
pub(crate) fn bytes_of_mut<T: Element>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: an element consists of nothing but its bytes, and any bytes are a valid element.
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}

/// The kind of an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsmKind {
    /// Memory of the device.
    Device,
    /// Host memory that both the host and the device access.
    Host,
    /// Memory that migrates between the host and the device.
    Shared,
}

/// An allocation of `len` values, freed when the last owner is dropped and the context's queues are finished.
///
/// Its contents are accessed through a queue. There are no references to memory that a device may write at any time.
pub struct Usm<T: Element> {
    memory: Arc<Memory>,
    element: PhantomData<T>,
}

struct Memory {
    context: Context,
    raw: Handle<c_void>,
    bytes: usize,
    kind: UsmKind,
}

impl<T: Element> Usm<T> {
    /// Allocates `len` values; `device` is one of the context's.
    ///
    /// # Errors
    /// Fails if the size overflows, if the device does not belong to the context, or if the plugin does not support
    /// this kind of memory.
    pub fn new(context: &Context, device: &Device, kind: UsmKind, len: usize) -> Result<Self> {
        if !context.devices().contains(device) {
            return Err(Error::invalid(format!("{device:?} does not belong to the {context:?}")));
        }
        let Some(bytes) = len.checked_mul(size_of::<T>()) else {
            return Err(Error::invalid(format!(
                "{len} values of {} bytes are beyond memory",
                size_of::<T>()
            )));
        };
        let (table, mut pointer) = (context.plugin().table(), std::ptr::null_mut());
        let (none, to) = (std::ptr::null_mut(), &raw mut pointer);
        let align = align_of::<T>().next_power_of_two() as pi_uint32;
        // Drivers treat an allocation of zero bytes differently, so there is always at least one byte.
        let size = bytes.max(1);
        // SAFETY: the handles are the plugin's, `to` is valid, there are no properties.
        let done = unsafe {
            match kind {
                UsmKind::Device => {
                    table.piextUSMDeviceAlloc(to, context.raw(), device.raw(), none, size, align)
                }
                UsmKind::Host => table.piextUSMHostAlloc(to, context.raw(), none, size, align),
                UsmKind::Shared => {
                    table.piextUSMSharedAlloc(to, context.raw(), device.raw(), none, size, align)
                }
            }
        };
        done.with_object(|| format!("{kind:?} memory of {bytes} bytes on {device:?}"))?;
        let memory = Memory { context: context.clone(), raw: Handle::new(pointer), bytes, kind };
        Ok(Self { memory: Arc::new(memory), element: PhantomData })
    }

    /// Creates an allocation with these values, on a queue's device and in its context.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new) and [`write`](Self::write).
    pub fn from_values(queue: &Queue, kind: UsmKind, values: &[T]) -> Result<Self> {
        let usm = Self::new(queue.context(), queue.device(), kind, values.len())?;
        usm.write(queue, 0, values)?;
        Ok(usm)
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.memory.bytes.checked_div(size_of::<T>()).unwrap_or(0)
    }

    /// Returns whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns its kind.
    pub fn kind(&self) -> UsmKind {
        self.memory.kind
    }

    /// Returns its context.
    pub fn context(&self) -> &Context {
        &self.memory.context
    }

    /// Returns its address, as a kernel sees it.
    pub fn address(&self) -> usize {
        self.memory.raw.get() as usize
    }

    /// Writes values starting at index `at`, and waits.
    ///
    /// # Errors
    /// Fails if the values do not fit, if the queue belongs to another context, or if the plugin fails.
    pub fn write(&self, queue: &Queue, at: usize, values: &[T]) -> Result<()> {
        let to = self.range(queue, at, values.len())?;
        copy(queue, true, to, values.as_ptr().cast(), size_of_val(values), &[]).map(drop)
    }

    /// Reads values starting at index `at`, and waits.
    ///
    /// # Errors
    /// Returns the errors of [`write`](Self::write).
    pub fn read(&self, queue: &Queue, at: usize, values: &mut [T]) -> Result<()> {
        let from = self.range(queue, at, values.len())?;
        copy(queue, true, values.as_mut_ptr().cast(), from, size_of_val(values), &[]).map(drop)
    }

    /// Reads all values.
    ///
    /// # Errors
    /// Returns the errors of [`write`](Self::write); also fails if the host has no memory for the values.
    pub fn to_vec(&self, queue: &Queue) -> Result<Vec<T>>
    where
        T: Default,
    {
        let mut values = filled(T::default(), self.len())?;
        self.read(queue, 0, &mut values)?;
        Ok(values)
    }

    /// Copies all values of `from`, after these events.
    ///
    /// # Errors
    /// Fails if the values do not fit, if a context differs, or if the plugin fails.
    pub fn copy_from(&self, queue: &Queue, from: &Usm<T>, after: &[Event]) -> Result<Option<Event>> {
        let to = self.range(queue, 0, from.len())?;
        let source = from.range(queue, 0, from.len())?;
        copy(queue, false, to, source, from.memory.bytes, after)
    }

    /// Copies `count` bytes from offset `source` of `from` to offset `at`, after these events.
    pub(crate) fn copy_bytes_from<U: Element>(
        &self,
        queue: &Queue,
        at: usize,
        from: &Usm<U>,
        source: usize,
        count: usize,
        after: &[Event],
    ) -> Result<Event> {
        let (to, from) = (self.bytes(queue, at, count)?, from.bytes(queue, source, count)?);
        match copy(queue, false, to, from, count, after)? {
            Some(event) => Ok(event),
            None => Event::after(queue, &[]),
        }
    }

    /// Reads all bytes, and waits.
    pub(crate) fn read_bytes(&self, queue: &Queue, bytes: &mut [u8]) -> Result<()> {
        let from = self.bytes(queue, 0, bytes.len())?;
        copy(queue, true, bytes.as_mut_ptr().cast(), from, bytes.len(), &[]).map(drop)
    }

    /// Writes bytes starting at the beginning, and waits.
    pub(crate) fn write_bytes(&self, queue: &Queue, bytes: &[u8]) -> Result<()> {
        let to = self.bytes(queue, 0, bytes.len())?;
        copy(queue, true, to, bytes.as_ptr().cast(), bytes.len(), &[]).map(drop)
    }

    fn bytes(&self, queue: &Queue, at: usize, count: usize) -> Result<*mut c_void> {
        let bytes = Usm::<u8> { memory: self.memory.clone(), element: PhantomData };
        bytes.range(queue, at, count)
    }

    /// Sets every byte, and waits.
    ///
    /// # Errors
    /// Fails if the queue belongs to another context, or if the plugin fails.
    pub fn fill(&self, queue: &Queue, byte: u8) -> Result<()> {
        let to = self.range(queue, 0, self.len())?;
        if self.memory.bytes == 0 {
            return Ok(());
        }
        let mut event: pi_event = std::ptr::null_mut();
        let (value, count) = (pi_int32::from(byte), self.memory.bytes);
        // SAFETY: the allocation has this many bytes; there are no events to wait for.
        let done = queue.submit(|table, raw| unsafe {
            table.piextUSMEnqueueMemset(raw, to, value, count, 0, std::ptr::null(), &mut event)
        });
        done.with_object(|| format!("memory of {count} bytes on {queue:?}"))?;
        Event::new(event, queue).wait()
    }

    fn range(&self, queue: &Queue, at: usize, count: usize) -> Result<*mut c_void> {
        if queue.context() != self.context() {
            return Err(Error::invalid("the memory belongs to another context than the queue"));
        }
        match at.checked_add(count) {
            Some(end) if end <= self.len() => {
                Ok(self.memory.raw.get().cast::<u8>().wrapping_add(at * size_of::<T>()).cast())
            }
            _ => Err(Error::invalid(format!(
                "{count} values from index {at} on are beyond the {} of the memory",
                self.len()
            ))),
        }
    }
}

fn copy(
    queue: &Queue,
    blocking: bool,
    to: *mut c_void,
    from: *const c_void,
    bytes: usize,
    after: &[Event],
) -> Result<Option<Event>> {
    if bytes == 0 {
        after.iter().try_for_each(Event::wait)?;
        return Ok(None);
    }
    let list = wait_list(queue, after)?;
    let pointer = if list.is_empty() { std::ptr::null() } else { list.as_ptr() };
    let (count, blocking) = (list.len() as pi_uint32, blocking.into());
    let mut event: pi_event = std::ptr::null_mut();
    // SAFETY: both ends were checked to have this many bytes; host memory is used only in blocking copies.
    let done = queue.submit(|table, raw| unsafe {
        table.piextUSMEnqueueMemcpy(raw, blocking, to, from, bytes, count, pointer, &mut event)
    });
    done.with_object(|| format!("memory of {bytes} bytes on {queue:?}"))?;
    Ok(Some(Event::new(event, queue)))
}

impl<T: Element> Clone for Usm<T> {
    /// Returns another owner of the same memory.
    fn clone(&self) -> Self {
        Self { memory: self.memory.clone(), element: PhantomData }
    }
}

impl<T: Element> fmt::Debug for Usm<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} memory of {} bytes", self.memory.kind, self.memory.bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if !self.context.finish_queues() {
            // Leaked rather than freed while a command uses it.
            return;
        }
        // SAFETY: the allocation belongs to this object, and no queue has unfinished commands.
        let _ = unsafe { self.context.plugin().table().piextUSMFree(self.context.raw(), self.raw.get()) };
    }
}

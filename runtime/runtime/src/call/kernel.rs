//! Kernels. Their arguments are state, so they are set and launched under one lock.

use std::ffi::c_void;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use sycl_pi_core::*;

use super::event::{Event, wait_list};
use super::handle::Handle;
use super::program::RawProgram;
use super::queue::Queue;
use super::select::c_text;
use super::usm::Element;
use super::{Buffer, Context};
use crate::error::{Result, WithObject};

/// A kernel of a built program.
pub(crate) struct RawKernel {
    context: Context,
    raw: Handle<_pi_kernel>,
    name: Arc<str>,
    setting: Mutex<()>,
}

/// A kernel whose arguments are being set.
pub(crate) struct Setting<'k> {
    kernel: &'k RawKernel,
    _lock: MutexGuard<'k, ()>,
}

/// A buffer, independent of its element type.
#[derive(Clone, Copy)]
pub(crate) struct BufferHandle<'b> {
    raw: Handle<_pi_mem>,
    pub(crate) context: &'b Context,
}

impl<'b> BufferHandle<'b> {
    pub(crate) fn new<T: Element>(buffer: &'b Buffer<T>) -> Self {
        Self { raw: Handle::new(buffer.raw()), context: buffer.context() }
    }
}

impl RawKernel {
    pub(crate) fn new(program: &RawProgram, name: &Arc<str>) -> Result<Self> {
        let (text, table) = (c_text(name)?, program.context().plugin().table());
        let mut raw: pi_kernel = std::ptr::null_mut();
        // SAFETY: the program is alive.
        let done = unsafe { table.piKernelCreate(program.raw(), text.as_ptr(), &mut raw) };
        done.with_object(|| format!("kernel {name}"))?;
        let (context, name) = (program.context().clone(), name.clone());
        let kernel = Self { context, raw: Handle::new(raw), name, setting: Mutex::new(()) };
        let (yes, size) = (PI_TRUE, size_of::<pi_bool>());
        let value = (&raw const yes).cast::<c_void>();
        // SAFETY: a boolean of this size. A driver that lacks indirect access does not need the call.
        let _ = unsafe { table.piKernelSetExecInfo(raw, PI_USM_INDIRECT_ACCESS, size, value) };
        Ok(kernel)
    }

    /// Returns the number of arguments in the code, if the driver reports it.
    pub(crate) fn argument_count(&self) -> Option<usize> {
        let mut count: pi_uint32 = 0;
        let to = (&raw mut count).cast::<c_void>();
        let table = self.context.plugin().table();
        let none = std::ptr::null_mut();
        // SAFETY: `to` has 4 bytes.
        let result = unsafe { table.piKernelGetInfo(self.raw.get(), PI_KERNEL_INFO_NUM_ARGS, 4, to, none) };
        result.ok().map(|()| count as usize)
    }

    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Locks the kernel to set its arguments.
    pub(crate) fn set(&self) -> Setting<'_> {
        Setting { kernel: self, _lock: self.setting.lock() }
    }
}

impl Setting<'_> {
    fn table(&self) -> &'static sycl_pi_loader::Table {
        self.kernel.context.plugin().table()
    }

    fn done(&self, index: u32, done: std::result::Result<(), sycl_pi_loader::CallError>) -> Result<()> {
        done.with_object(|| format!("argument {index} of kernel {}", self.kernel.name))
    }

    /// Sets an argument to a value.
    pub(crate) fn value(&self, index: u32, bytes: &[u8]) -> Result<()> {
        let from = bytes.as_ptr().cast();
        // SAFETY: the bytes are copied during the call.
        let done = unsafe { self.table().piKernelSetArg(self.kernel.raw.get(), index, bytes.len(), from) };
        self.done(index, done)
    }

    /// Sets an argument to work-group memory of this many bytes.
    pub(crate) fn local(&self, index: u32, bytes: usize) -> Result<()> {
        let done =
            // SAFETY: memory without a value, of this size.
            unsafe { self.table().piKernelSetArg(self.kernel.raw.get(), index, bytes, std::ptr::null()) };
        self.done(index, done)
    }

    /// Sets an argument to an address of shared memory.
    pub(crate) fn pointer(&self, index: u32, address: usize) -> Result<()> {
        let from = (&raw const address).cast();
        let size = size_of::<usize>();
        // SAFETY: the address is copied during the call.
        let done = unsafe { self.table().piextKernelSetArgPointer(self.kernel.raw.get(), index, size, from) };
        self.done(index, done)
    }

    /// Sets an argument to a buffer, or to none.
    pub(crate) fn buffer(&self, index: u32, buffer: Option<BufferHandle<'_>>) -> Result<()> {
        let (table, kernel) = (self.table(), self.kernel.raw.get());
        let mem: pi_mem = buffer.map_or(std::ptr::null_mut(), |buffer| buffer.raw.get());
        let done = if table.piextKernelSetArgMemObj.is_some() {
            let properties = pi_mem_obj_property {
                type_: PI_KERNEL_ARG_MEM_OBJ_ACCESS,
                pNext: std::ptr::null_mut(),
                mem_access: PI_ACCESS_READ_WRITE,
            };
            // SAFETY: the buffer is alive, or null, and the properties are a list of one.
            unsafe { table.piextKernelSetArgMemObj(kernel, index, &properties, &mem) }
        } else {
            // SAFETY: the buffer is alive, or null.
            unsafe { table.piextKernelSetArgMemObj_until_12_27(kernel, index, &mem) }
        };
        self.done(index, done)
    }

    /// Submits the kernel. Sizes are in the driver's order, fastest dimension first.
    ///
    /// # Safety
    /// The requirements of [`Kernel::launch`](crate::Kernel::launch) apply.
    pub(crate) unsafe fn launch(
        &self,
        queue: &Queue,
        dimensions: usize,
        global: &[usize; 3],
        local: Option<&[usize; 3]>,
        offset: Option<&[usize; 3]>,
        after: &[Event],
    ) -> Result<Event> {
        let list;
        let (count, waits) = if after.is_empty() {
            (0, std::ptr::null())
        } else {
            list = wait_list(queue, after)?;
            (list.len() as pi_uint32, list.as_ptr())
        };
        let dimensions = dimensions.clamp(1, 3) as pi_uint32;
        let pointer = |sizes: Option<&[usize; 3]>| sizes.map_or(std::ptr::null(), |sizes| sizes.as_ptr());
        let mut event: pi_event = std::ptr::null_mut();
        // The caller of this function vouches for the kernel's code.
        // SAFETY: each pointer is null or has three sizes, of which `dimensions` are read, and the events are alive.
        let done = queue.submit(|table, raw| unsafe {
            table.piEnqueueKernelLaunch(
                raw,
                self.kernel.raw.get(),
                dimensions,
                pointer(offset),
                global.as_ptr(),
                pointer(local),
                count,
                waits,
                &mut event,
            )
        });
        done.with_object(|| format!("kernel {}", self.kernel.name))?;
        Ok(Event::new(event, queue))
    }
}

impl Drop for RawKernel {
    fn drop(&mut self) {
        // SAFETY: the handle is this object's own.
        let _ = unsafe { self.context.plugin().table().piKernelRelease(self.raw.get()) };
    }
}

//! cl_khr_command_buffer: the driver's own command buffers.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_pi_backend::{NdRange, New, Rect, Result};
use sycl_pi_backend::types::SyncPoint;

use super::driver::Rooted;
use super::functions::{CommandBufferKhr, Ext};
use super::{Device, Event, Kernel, Mem, Queue, Wrap, cl};

/// `CL_COMMAND_BUFFER_FLAGS_KHR`.
const FLAGS: u64 = 0x1293;
/// `CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR`.
const SIMULTANEOUS_USE: u64 = 1 << 0;
/// `CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR`.
const CAPABILITIES: cl_device_info = 0x12A9;
/// `CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR`.
const CAN_SIMULTANEOUS_USE: u64 = 1 << 2;

/// `cl_name_version`.
#[repr(C)]
#[derive(Clone, Copy)]
struct NameVersion {
    version: u32,
    name: [c_char; 64],
}

/// The version of cl_khr_command_buffer that the device has: (0, 9, 4). None without the extension, or where the driver
/// is too old to tell.
pub(crate) fn command_buffer_version(device: &Device) -> Option<(u32, u32, u32)> {
    if device.driver().ok()?.version < (3, 0) {
        return None;
    }
    let (cl, param) = (cl(), CL_DEVICE_EXTENSIONS_WITH_VERSION);
    let mut bytes = 0;
    cl.clGetDeviceInfo(device.cl(), param, 0, null_mut(), &mut bytes).ok()?;
    let mut list = vec![NameVersion { version: 0, name: [0; 64] }; bytes / size_of::<NameVersion>()];
    cl.clGetDeviceInfo(device.cl(), param, size_of_val(&*list), list.as_mut_ptr().cast(), null_mut()).ok()?;
    let wanted = b"cl_khr_command_buffer\0";
    let found =
        list.iter().find(|entry| entry.name.iter().zip(wanted).all(|(have, want)| *have as u8 == *want))?;
    let version = found.version;
    Some((version >> 22, version >> 12 & 0x3ff, version & 0xfff))
}

/// The driver's object; opaque.
#[repr(C)]
struct Handle {
    _opaque: [u8; 0],
}

/// A driver's command buffer, as versions 0.9.0 to 0.9.4 of the extension have it; released when dropped.
pub(crate) struct NativeBuffer {
    handle: &'static Handle,
    ext: &'static Ext,
}

impl NativeBuffer {
    /// An empty command buffer for queues like this one, with as many runs at a time as the driver can.
    pub(crate) fn create(queue: &Queue, device: &Device) -> Result<Self> {
        let mut capabilities: u64 = 0;
        let room = (&raw mut capabilities).cast();
        cl().clGetDeviceInfo(device.cl(), CAPABILITIES, size_of_val(&capabilities), room, null_mut())?;
        let ext = &queue.driver()?.ext;
        let many = capabilities & CAN_SIMULTANEOUS_USE != 0;
        let properties = if many { [FLAGS, SIMULTANEOUS_USE, 0] } else { [0; 3] };
        let buffer = ext.clCreateCommandBufferKHR(1, &queue.cl(), properties.as_ptr())?;
        // SAFETY: null or the driver's object, which is zero-sized here and never read.
        let handle = unsafe { buffer.cast::<Handle>().as_ref() };
        let handle =
            handle.ok_or_else(|| super::driver_error("clCreateCommandBufferKHR", CL_INVALID_OPERATION))?;
        Ok(Self { handle, ext })
    }

    fn cl(&self) -> CommandBufferKhr {
        core::ptr::from_ref(self.handle).cast_mut().cast()
    }

    /// Records a launch.
    pub(crate) fn kernel(&self, kernel: &Kernel, range: NdRange<'_>, dependencies: NativeOrder<'_>) -> Result<()> {
        let pointer = |list: Option<&[usize]>| list.map_or(null(), <[usize]>::as_ptr);
        let (n, waits, point) = dependencies.raw_parts();
        self.ext.clCommandNDRangeKernelKHR(
            self.cl(),
            null_mut(),
            null(),
            kernel.cl(),
            range.dims(),
            pointer(range.offset),
            range.global.as_ptr(),
            pointer(range.local),
            n,
            waits,
            point,
            null_mut(),
        )
    }

    /// Records a copy between buffers.
    pub(crate) fn copy(
        &self,
        (src, src_offset): (&Mem, usize),
        (dst, dst_offset): (&Mem, usize),
        size: usize,
        dependencies: NativeOrder<'_>,
    ) -> Result<()> {
        let (n, waits, point) = dependencies.raw_parts();
        let (src, dst) = (src.cl(), dst.cl());
        self.ext.clCommandCopyBufferKHR(
            self.cl(),
            null_mut(),
            src,
            dst,
            src_offset,
            dst_offset,
            size,
            n,
            waits,
            point,
            null_mut(),
        )
    }

    /// Records a copy of a box between buffers.
    pub(crate) fn copy_rect(
        &self,
        src: &Mem,
        dst: &Mem,
        rect: Rect<'_>,
        dependencies: NativeOrder<'_>,
    ) -> Result<()> {
        let (n, waits, point) = dependencies.raw_parts();
        self.ext.clCommandCopyBufferRectKHR(
            self.cl(),
            null_mut(),
            src.cl(),
            dst.cl(),
            rect.first_origin.as_ptr(),
            rect.second_origin.as_ptr(),
            rect.region.as_ptr(),
            rect.first_row_pitch,
            rect.first_slice_pitch,
            rect.second_row_pitch,
            rect.second_slice_pitch,
            n,
            waits,
            point,
            null_mut(),
        )
    }

    /// Records a fill of a buffer.
    pub(crate) fn fill(
        &self,
        mem: &Mem,
        pattern: &[u8],
        offset: usize,
        size: usize,
        dependencies: NativeOrder<'_>,
    ) -> Result<()> {
        let (n, waits, point) = dependencies.raw_parts();
        let (start, len) = (pattern.as_ptr().cast::<c_void>(), pattern.len());
        self.ext.clCommandFillBufferKHR(
            self.cl(),
            null_mut(),
            mem.cl(),
            start,
            len,
            offset,
            size,
            n,
            waits,
            point,
            null_mut(),
        )
    }

    /// Ends recording.
    pub(crate) fn finalize(&self) -> Result<()> {
        self.ext.clFinalizeCommandBufferKHR(self.cl())
    }

    /// Runs it. The event is always asked for: PoCL 3.1 writes it without looking whether there is room.
    pub(crate) fn enqueue(&self, queue: &Queue, waits: &[&Event]) -> Result<New<Event>> {
        let mut event: cl_event = null_mut();
        let list = if waits.is_empty() { null() } else { waits.as_ptr().cast() };
        let mut queue = queue.cl();
        self.ext.clEnqueueCommandBufferKHR(1, &mut queue, self.cl(), waits.len() as u32, list, &mut event)?;
        event.wrap()
    }
}

impl Drop for NativeBuffer {
    fn drop(&mut self) {
        // Nobody is left to hear of an error.
        let _ = self.ext.clReleaseCommandBufferKHR(self.cl());
    }
}

/// The driver's sync points around a command.
pub(crate) struct NativeOrder<'a> {
    /// Sync points to wait for.
    pub(crate) waits: &'a [SyncPoint],
    /// Where the command's own goes.
    pub(crate) point: &'a mut SyncPoint,
}

impl NativeOrder<'_> {
    fn raw_parts(self) -> (cl_uint, *const cl_uint, *mut cl_uint) {
        let list = if self.waits.is_empty() { null() } else { self.waits.as_ptr() };
        (self.waits.len() as cl_uint, list, self.point)
    }
}

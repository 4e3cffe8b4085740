//! cl_khr_command_buffer: the driver's own command buffers.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use opencl_sys::*;
use sycl_pi_backend::types::SyncPoint;
use sycl_pi_backend::{NdRange, New, Rect, Result};

use super::driver::HasPlatform;
use super::error::{create_raw, driver_error, new_reference};
use super::extensions::{CommandBufferKhr, ExtensionFunctions};
use super::handles::{Device, Event, Kernel, Mem, Queue};
use super::library::cl;
use super::query::Queried;

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
    let name = CL_DEVICE_EXTENSIONS_WITH_VERSION;
    let bytes = device.size(name).ok()?;
    let mut list = vec![NameVersion { version: 0, name: [0; 64] }; bytes / size_of::<NameVersion>()];
    cl().clGetDeviceInfo(device.cl(), name, size_of_val(&*list), list.as_mut_ptr().cast(), null_mut())
        .ok()?;
    let wanted = b"cl_khr_command_buffer\0";
    let found =
        list.iter().find(|entry| entry.name.iter().zip(wanted).all(|(have, want)| *have as u8 == *want))?;
    let version = found.version;
    Some((version >> 22, version >> 12 & 0x3ff, version & 0xfff))
}

/// A driver's command buffer, as versions 0.9.0 to 0.9.4 of the extension have it; released when dropped.
pub(crate) struct KhrCommandBuffer {
    handle: CommandBufferKhr,
    extensions: &'static ExtensionFunctions,
}

// SAFETY: the driver's object, which any thread may use.
unsafe impl Send for KhrCommandBuffer {}
// SAFETY: as above. It is only changed before others see it.
unsafe impl Sync for KhrCommandBuffer {}

impl KhrCommandBuffer {
    /// An empty command buffer for queues like this one, with as many runs at a time as the driver can.
    pub(crate) fn create(queue: &Queue, device: &Device) -> Result<Self> {
        let can_overlap = device.value(CAPABILITIES, 0_u64)? & CAN_SIMULTANEOUS_USE != 0;
        let properties = if can_overlap { [FLAGS, SIMULTANEOUS_USE, 0] } else { [0; 3] };
        let extensions = &queue.driver()?.extensions;
        let queues = [queue.cl()];
        let handle = create_raw(|code| {
            extensions.clCreateCommandBufferKHR(1, queues.as_ptr(), properties.as_ptr(), code)
        })?;
        if handle.is_null() {
            return Err(driver_error("clCreateCommandBufferKHR", CL_INVALID_OPERATION));
        }
        Ok(Self { handle, extensions })
    }

    /// Records a launch.
    pub(crate) fn kernel(
        &self,
        kernel: &Kernel,
        range: NdRange<'_>,
        dependencies: KhrSyncPoints<'_>,
    ) -> Result<()> {
        let pointer = |list: Option<&[usize]>| list.map_or(null(), <[usize]>::as_ptr);
        let (n, waits, point) = dependencies.raw_parts();
        self.extensions.clCommandNDRangeKernelKHR(
            self.handle,
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
        dependencies: KhrSyncPoints<'_>,
    ) -> Result<()> {
        let (n, waits, point) = dependencies.raw_parts();
        let (src, dst) = (src.cl(), dst.cl());
        self.extensions.clCommandCopyBufferKHR(
            self.handle,
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
        dependencies: KhrSyncPoints<'_>,
    ) -> Result<()> {
        let (n, waits, point) = dependencies.raw_parts();
        self.extensions.clCommandCopyBufferRectKHR(
            self.handle,
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
        dependencies: KhrSyncPoints<'_>,
    ) -> Result<()> {
        let (n, waits, point) = dependencies.raw_parts();
        let (start, len) = (pattern.as_ptr().cast::<c_void>(), pattern.len());
        self.extensions.clCommandFillBufferKHR(
            self.handle,
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
        self.extensions.clFinalizeCommandBufferKHR(self.handle)
    }

    /// Runs it. The event is always asked for: PoCL 3.1 writes it even to null.
    pub(crate) fn enqueue(&self, queue: &Queue, waits: &[&Event]) -> Result<New<Event>> {
        let mut event: cl_event = null_mut();
        let list = if waits.is_empty() { null() } else { waits.as_ptr().cast() };
        let mut queue = queue.cl();
        self.extensions.clEnqueueCommandBufferKHR(
            1,
            &mut queue,
            self.handle,
            waits.len() as u32,
            list,
            &mut event,
        )?;
        new_reference(event)
    }
}

impl Drop for KhrCommandBuffer {
    fn drop(&mut self) {
        // No caller is left to hear of an error.
        let _ = self.extensions.clReleaseCommandBufferKHR(self.handle);
    }
}

/// The sync points that a command waits for, and its own.
pub(crate) struct KhrSyncPoints<'a> {
    /// Sync points to wait for.
    pub(crate) waits: &'a [SyncPoint],
    /// Where the command's own goes.
    pub(crate) point: &'a mut SyncPoint,
}

impl KhrSyncPoints<'_> {
    fn raw_parts(self) -> (cl_uint, *const cl_uint, *mut cl_uint) {
        let list = if self.waits.is_empty() { null() } else { self.waits.as_ptr() };
        (self.waits.len() as cl_uint, list, self.point)
    }
}

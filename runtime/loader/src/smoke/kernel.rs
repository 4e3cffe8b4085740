//! The test of a device with a kernel, which adds two vectors.
#![expect(unsafe_code, reason = "a plugin's functions")]

use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use super::sample::{self, ADD, COUNT};
use super::{ScopedHandle, SmokeError};
use crate::{CallError, PluginDevice, Table};

/// The size of a vector in bytes.
const SIZE: usize = COUNT * size_of::<i32>();

impl PluginDevice<'_> {
    /// Builds a kernel from SPIR-V, adds two vectors of 64 numbers with it, and compares the sums with the host's. The
    /// device has to accept SPIR-V: see [`DeviceInfo::il_version`](crate::DeviceInfo::il_version). A broken driver may
    /// end the process here, so run the test in a separate process.
    ///
    /// # Errors
    /// Returns the first call that failed, with the driver's log if it is the build, or reports wrong sums.
    pub fn kernel_test(&self) -> Result<(), SmokeError> {
        let table = &self.plugin().table;
        let context = self.test_context()?;
        let queue = self.test_queue(&context)?;
        let program = ScopedHandle::new(table, Table::release_program, |out| {
            // SAFETY: the code is read during the call, and the out pointer is valid.
            unsafe { table.piProgramCreate(context.handle, ADD.as_ptr().cast(), ADD.len(), out) }
        })?;
        let device = self.handle();
        // SAFETY: a live program, one device, options that end with NUL, no callback.
        unsafe { table.piProgramBuild(program.handle, 1, &device, c"".as_ptr(), None, null_mut()) }
            .map_err(|call| SmokeError::Build { call, log: table.build_log(program.handle, device) })?;
        let kernel = ScopedHandle::new(table, Table::release_kernel, |out| {
            // SAFETY: a built program, a name that ends with NUL, a valid out pointer.
            unsafe { table.piKernelCreate(program.handle, c"add".as_ptr(), out) }
        })?;
        let mut buffers = Vec::new();
        for (index, vector) in (0..).zip(&sample::vectors()) {
            let buffer = self.test_buffer(&context, SIZE)?;
            // SAFETY: the call blocks, and the vector has as many bytes.
            unsafe { table.write(queue.handle, buffer.handle, vector.as_ptr().cast(), SIZE) }?;
            table.set_buffer(kernel.handle, index, buffer.handle)?;
            buffers.push(buffer);
        }
        let mut event: pi_event = null_mut();
        // The kernel reads and writes COUNT numbers of each buffer.
        // SAFETY: live handles, sizes of one dimension, no wait list, a valid out pointer.
        unsafe {
            let (offset, global) = ([0; 3], [COUNT, 1, 1]);
            let (offset, global) = (offset.as_ptr(), global.as_ptr());
            table.piEnqueueKernelLaunch(
                queue.handle,
                kernel.handle,
                1,
                offset,
                global,
                null(),
                0,
                null(),
                &mut event,
            )?;
            table.piEventRelease(event)?;
        }
        let mut sums = [0i32; COUNT];
        if let Some(buffer) = buffers.last() {
            // SAFETY: the call blocks, and the sums have as many bytes.
            unsafe { table.read(queue.handle, buffer.handle, sums.as_mut_ptr().cast(), SIZE) }?;
        }
        // SAFETY: a live queue.
        unsafe { table.piQueueFinish(queue.handle) }?;
        if sums == sample::sums() { Ok(()) } else { Err(SmokeError::WrongSums) }
    }
}

impl Table {
    /// Passes a buffer to a kernel with the call that hosts of this version use.
    fn set_buffer(&self, kernel: pi_kernel, index: u32, buffer: pi_mem) -> Result<(), CallError> {
        let properties = pi_mem_obj_property {
            type_: PI_KERNEL_ARG_MEM_OBJ_ACCESS,
            pNext: null_mut(),
            mem_access: PI_ACCESS_READ_WRITE,
        };
        // SAFETY: live handles, and a list of one property.
        unsafe {
            if self.piextKernelSetArgMemObj.is_some() {
                self.piextKernelSetArgMemObj(kernel, index, &properties, &buffer)
            } else {
                self.piextKernelSetArgMemObj_until_12_27(kernel, index, &buffer)
            }
        }
    }

    /// Returns the driver's log of a build, or an empty text if there is none.
    fn build_log(&self, program: pi_program, device: pi_device) -> String {
        let mut bytes = [0u8; 4096];
        let log = bytes.as_mut_ptr().cast::<c_void>();
        let mut size = 0;
        // SAFETY: live handles, and memory of the given size.
        let done = unsafe {
            self.piProgramGetBuildInfo(
                program,
                device,
                PI_PROGRAM_BUILD_INFO_LOG,
                bytes.len(),
                log,
                &mut size,
            )
        };
        let log = CStr::from_bytes_until_nul(&bytes).ok().filter(|_| done.is_ok());
        log.map(|log| log.to_string_lossy().trim().to_owned()).unwrap_or_default()
    }

    fn release_program(&self, program: pi_program) {
        // SAFETY: the handle is ours and is not used again.
        let _ = unsafe { self.piProgramRelease(program) };
    }

    fn release_kernel(&self, kernel: pi_kernel) {
        // SAFETY: the handle is ours and is not used again.
        let _ = unsafe { self.piKernelRelease(kernel) };
    }
}

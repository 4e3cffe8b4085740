//! The test of a device with a kernel, which adds two vectors.
#![expect(unsafe_code, reason = "the functions of an adapter")]

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use sycl_pi_loader::smoke::SmokeError;
use sycl_pi_loader::smoke::sample::{self, ADD, COUNT};
use sycl_ur_core::*;

use super::{AdapterSmokeError, ScopedHandle, TestPlace};
use crate::{AdapterCallError, AdapterDevice, Calls};

impl AdapterDevice<'_> {
    /// Builds a kernel from SPIR-V, adds two vectors of 64 numbers with it, and compares the sums with the host's. The
    /// device has to accept SPIR-V. A broken driver may end the process here, so run the test in a separate process.
    ///
    /// # Errors
    /// Returns the first call that failed, with the driver's log if it is the build, or reports wrong sums.
    pub fn kernel_test(&self) -> Result<(), AdapterSmokeError> {
        let (adapter, calls) = (self.adapter, &self.adapter.calls);
        let place = self.test_place()?;
        let program = ScopedHandle::new(calls, Calls::urProgramRelease, |out| {
            let (context, code) = (place.context.handle, ADD.as_ptr().cast());
            // SAFETY: the code is read during the call, and the out pointer is valid.
            let result = unsafe { calls.urProgramCreateWithIL(context, code, ADD.len(), null(), out) };
            adapter.check("urProgramCreateWithIL", result)
        })?;
        self.build(&place, program.handle)
            .map_err(|call| SmokeError::Build { call, log: self.build_log(program.handle) })?;
        let kernel = ScopedHandle::new(calls, Calls::urKernelRelease, |out| {
            // SAFETY: a built program, a name that ends with NUL, a valid out pointer.
            let result = unsafe { calls.urKernelCreate(program.handle, c"add".as_ptr(), out) };
            adapter.check("urKernelCreate", result)
        })?;
        let filled = |vector: &[i32; COUNT]| {
            let buffer = place.buffer(size_of_val(vector))?;
            place.write(&buffer, vector).map(|()| buffer)
        };
        let [left, right, mut sums] = sample::vectors();
        let (left, right, result) = (filled(&left)?, filled(&right)?, filled(&sums)?);
        self.launch(&place, kernel.handle, [left.handle, right.handle, result.handle])?;
        place.read(&result, &mut sums)?;
        place.finish()?;
        if sums == sample::sums() { Ok(()) } else { Err(SmokeError::WrongSums) }
    }

    /// Builds a program like the runtime: for the device, or for its context if the adapter lacks the former.
    fn build(&self, place: &TestPlace<'_>, program: ur_program_handle_t) -> Result<(), AdapterCallError> {
        let (calls, options) = (&self.adapter.calls, c"".as_ptr());
        let mut device = self.handle;
        // SAFETY: a live program, one device, options that end with NUL.
        let result = unsafe {
            if calls.layout() <= Layout::V2025_3 {
                calls.urProgramBuildExp_until_2025_3(program, 1, &mut device, options)
            } else {
                calls.urProgramBuildExp(program, 1, &mut device, 0, options)
            }
        };
        if result != UR_RESULT_ERROR_UNSUPPORTED_FEATURE {
            return self.adapter.check("urProgramBuildExp", result);
        }
        // SAFETY: live handles, options that end with NUL.
        let result = unsafe { calls.urProgramBuild(place.context.handle, program, options) };
        self.adapter.check("urProgramBuild", result)
    }

    /// Returns the driver's log of a build, or an empty text if there is none.
    fn build_log(&self, program: ur_program_handle_t) -> String {
        let (mut bytes, mut size) = ([0u8; 4096], 0);
        let (log, name) = (bytes.as_mut_ptr().cast(), UR_PROGRAM_BUILD_INFO_LOG);
        let calls = &self.adapter.calls;
        let result =
            // SAFETY: live handles, and memory of the given size.
            unsafe { calls.urProgramGetBuildInfo(program, self.handle, name, bytes.len(), log, &mut size) };
        let log = CStr::from_bytes_until_nul(&bytes).ok().filter(|_| result == UR_RESULT_SUCCESS);
        log.map(|log| log.to_string_lossy().trim().to_owned()).unwrap_or_default()
    }

    /// Runs the kernel on three buffers of `COUNT` numbers, with the calls of the layout's runtime: from 2026.1.1 on it
    /// passes the arguments with the launch.
    fn launch(
        &self,
        place: &TestPlace<'_>,
        kernel: ur_kernel_handle_t,
        buffers: [ur_mem_handle_t; 3],
    ) -> Result<(), AdapterCallError> {
        let (adapter, calls, queue) = (self.adapter, &self.adapter.calls, place.queue.handle);
        let layout = calls.layout();
        let with_arguments = layout >= Layout::V2026_1_1;
        for (index, buffer) in (0..).zip(buffers).filter(|_| !with_arguments) {
            // SAFETY: live handles, and no properties.
            let result = unsafe { calls.urKernelSetArgMemObj(kernel, index, null(), buffer) };
            adapter.check("urKernelSetArgMemObj", result)?;
        }
        let arguments: [_; 3] = std::array::from_fn(|index| argument(index as u32, buffers[index]));
        let (offset, global, local) = ([0; 3], [COUNT, 1, 1], null());
        let (offset, global) = (offset.as_ptr(), global.as_ptr());
        let mut event: ur_event_handle_t = null_mut();
        let out = &raw mut event;
        // The kernel reads and writes COUNT numbers of each buffer.
        // SAFETY: live handles, sizes of one dimension, no wait list, a valid out pointer.
        let (function, result) = unsafe {
            match layout {
                Layout::V2025_0 | Layout::V2025_1 | Layout::V2025_2 => (
                    "urEnqueueKernelLaunch",
                    calls.urEnqueueKernelLaunch_until_2025_2(
                        queue,
                        kernel,
                        1,
                        offset,
                        global,
                        local,
                        0,
                        null(),
                        out,
                    ),
                ),
                Layout::V2025_3 => (
                    "urEnqueueKernelLaunch",
                    calls.urEnqueueKernelLaunch_until_2025_3(
                        queue,
                        kernel,
                        1,
                        offset,
                        global,
                        local,
                        0,
                        null(),
                        0,
                        null(),
                        out,
                    ),
                ),
                _ if with_arguments => (
                    "urEnqueueKernelLaunchWithArgsExp",
                    calls.urEnqueueKernelLaunchWithArgsExp(
                        queue,
                        kernel,
                        1,
                        offset,
                        global,
                        local,
                        3,
                        arguments.as_ptr(),
                        null(),
                        0,
                        null(),
                        out,
                    ),
                ),
                _ => (
                    "urEnqueueKernelLaunch",
                    calls.urEnqueueKernelLaunch(
                        queue,
                        kernel,
                        1,
                        offset,
                        global,
                        local,
                        null(),
                        0,
                        null(),
                        out,
                    ),
                ),
            }
        };
        adapter.check(function, result)?;
        // SAFETY: the launch's event, which is not used again.
        adapter.check("urEventRelease", unsafe { calls.urEventRelease(event) })
    }
}

/// A buffer as an argument of a launch.
fn argument(index: u32, buffer: ur_mem_handle_t) -> ur_exp_kernel_arg_properties_t {
    let tuple = ur_exp_kernel_arg_mem_obj_tuple_t { hMem: buffer, flags: UR_MEM_FLAG_READ_WRITE };
    ur_exp_kernel_arg_properties_t {
        stype: UR_STRUCTURE_TYPE_EXP_KERNEL_ARG_PROPERTIES,
        pNext: null_mut(),
        type_: UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ,
        index,
        size: size_of::<ur_mem_handle_t>(),
        value: ur_exp_kernel_arg_value_t { memObjTuple: tuple },
    }
}

//! Changes of recorded kernels, which Unified Runtime supports. The newest layout is enough here.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_loader::CallError;
use sycl_ur_core::*;
use testing_ur_host::{Calls, Layout, structures};

use crate::commands::End;
use crate::program::{Command, Recorded, Way};
use crate::recorded::Buffer;
use crate::shape::PLACE;
use crate::world::World;

/// Converts an error of Unified Runtime to PI's form.
fn failed(function: &'static str, code: ur_result_t) -> CallError {
    CallError::Failed { function, code: -1000 - code as i32, text: None }
}

fn well(function: &'static str, code: ur_result_t) -> Result<(), CallError> {
    if code == UR_RESULT_SUCCESS { Ok(()) } else { Err(failed(function, code)) }
}

impl World {
    /// Returns the adapter's functions, if it is one of the newest layout.
    fn newest(&self) -> Option<&'static Calls> {
        let calls = &self.behind?.connection.calls;
        (calls.layout() == Layout::NEWEST).then_some(calls)
    }

    /// Returns whether recorded kernels can be changed.
    pub(crate) fn can_update(&self) -> bool {
        let Some(calls) = self.newest() else { return false };
        let (device, mut can) = (self.contexts[0].devices[0].cast(), 0_u32);
        let name = UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP;
        // SAFETY: room for the flags.
        let code = unsafe { calls.urDeviceGetInfo(device, name, 4, (&raw mut can).cast(), null_mut()) };
        code == UR_RESULT_SUCCESS
            && can & UR_DEVICE_COMMAND_BUFFER_UPDATE_CAPABILITY_FLAG_KERNEL_ARGUMENTS != 0
    }

    /// Like [`record`](World::record), with handles of the kernels. Returns `None` if there are none.
    pub(crate) fn record_updatable(
        &self,
        context: usize,
        device: usize,
        commands: &[Recorded],
    ) -> Option<Result<Buffer, CallError>> {
        let calls = self.newest().filter(|_| self.shape.can.updates)?;
        let (own, mut handle) = (&self.contexts[context], null_mut());
        let desc = structures::UPDATABLE;
        // SAFETY: live handles, and room for the command buffer.
        let code = unsafe {
            calls.urCommandBufferCreateExp(own.handle.cast(), own.devices[device].cast(), &desc, &mut handle)
        };
        if let Err(error) = well("urCommandBufferCreateExp", code) {
            return Some(Err(error));
        }
        let mut buffer = Buffer { handle: handle.cast(), commands: Vec::new() };
        let mut points: Vec<u32> = Vec::new();
        for Recorded { command, after } in commands {
            let after: Vec<u32> = after.iter().map(|earlier| points[*earlier]).collect();
            let ends = self.ends(context, *command).filter(|(_, _, way)| *way == Way::Kernel);
            let appended = match ends {
                Some((to, from, _)) => self.append_kernel(calls, context, handle, [from, to], &after),
                None => {
                    self.append(context, buffer.handle, *command, &after).map(|point| (point, null_mut()))
                }
            };
            match appended {
                Ok((point, command)) => {
                    points.push(point);
                    buffer.commands.push(command);
                }
                Err(error) => {
                    self.release(&buffer);
                    return Some(Err(error));
                }
            }
        }
        // SAFETY: a live command buffer.
        let code = unsafe { calls.urCommandBufferFinalizeExp(handle) };
        Some(well("urCommandBufferFinalizeExp", code).map(|()| buffer))
    }

    fn append_kernel(
        &self,
        calls: &Calls,
        context: usize,
        buffer: ur_exp_command_buffer_handle_t,
        ends: [End; 2],
        after: &[u32],
    ) -> Result<(u32, *mut c_void), CallError> {
        let arg = |index, end: End| {
            let (type_, value) = match end {
                End::Buffer(mem) => {
                    let tuple = ur_exp_kernel_arg_mem_obj_tuple_t { hMem: mem.cast(), flags: 0 };
                    (UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ, ur_exp_kernel_arg_value_t { memObjTuple: tuple })
                }
                End::Address(pointer) => {
                    (UR_EXP_KERNEL_ARG_TYPE_POINTER, ur_exp_kernel_arg_value_t { pointer })
                }
            };
            let stype = UR_STRUCTURE_TYPE_EXP_KERNEL_ARG_PROPERTIES;
            ur_exp_kernel_arg_properties_t { stype, pNext: null_mut(), type_, index, size: 8, value }
        };
        let args = [arg(0, ends[0]), arg(1, ends[1])];
        let (kernel, size, mut point, mut command) = (self.contexts[context].copy, PLACE, 0, null_mut());
        let list = if after.is_empty() { null() } else { after.as_ptr() };
        // SAFETY: live handles, lists of that length, and room for the results.
        let code = unsafe {
            calls.urCommandBufferAppendKernelLaunchWithArgsExp(
                buffer,
                kernel.cast(),
                1,
                &0,
                &size,
                null(),
                2,
                args.as_ptr(),
                0,
                null_mut(),
                after.len() as u32,
                list,
                0,
                null(),
                &mut point,
                null_mut(),
                &mut command,
            )
        };
        well("urCommandBufferAppendKernelLaunchWithArgsExp", code)?;
        Ok((point, command.cast()))
    }

    /// Changes a recorded kernel to other places.
    pub(crate) fn update(
        &self,
        context: usize,
        buffer: &Buffer,
        number: usize,
        command: Command,
    ) -> Result<(), CallError> {
        const CALL: &str = "urCommandBufferUpdateKernelLaunchExp";
        let (Some(calls), Some((End::Address(to), End::Address(from), _))) =
            (self.newest(), self.ends(context, command))
        else {
            return Err(failed(CALL, UR_RESULT_ERROR_UNSUPPORTED_FEATURE));
        };
        let places: [*const c_void; 2] = [from, to];
        let pointer = |index: u32| ur_exp_command_buffer_update_pointer_arg_desc_t {
            stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_POINTER_ARG_DESC,
            pNext: null(),
            argIndex: index,
            pProperties: null(),
            pNewPointerArg: (&raw const places[index as usize]).cast(),
        };
        let pointers = [pointer(0), pointer(1)];
        let change = ur_exp_command_buffer_update_kernel_launch_desc_t {
            hCommand: buffer.commands[number].cast(),
            hNewKernel: self.contexts[context].copy.cast(),
            numNewPointerArgs: 2,
            pNewPointerArgList: pointers.as_ptr(),
            ..structures::UPDATE
        };
        // SAFETY: live handles, and a description that outlives the call.
        let code = unsafe { calls.urCommandBufferUpdateKernelLaunchExp(buffer.handle.cast(), 1, &change) };
        well(CALL, code)
    }
}

//! Changes of recorded launches, in the form of each layout.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::{pi_kernel, pi_mem};
use sycl_ur_core::*;
use testing_ur_host::{Layout, structures};

use super::handles::calls;
use super::kernel_args::kernel_args;
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Failure, Verdict, same, same_code};
use crate::skip;

pub(super) const CASES: &[Case] = &[case("UR-39", "urCommandBufferUpdateKernelLaunchExp", changed_launch)];

const COUNT: usize = 64;

/// A change: another number and another index space, and perhaps another buffer and another kernel.
#[derive(Clone, Copy)]
struct Change {
    kernel: Option<pi_kernel>,
    mem: Option<pi_mem>,
    number: i32,
    count: usize,
}

/// Creates a command buffer whose launches can be changed.
fn updatable(f: &Env) -> Verdict<ur_exp_command_buffer_handle_t> {
    let (calls, mut buffer, mut can) = (calls(f)?, null_mut(), [0_u8; 4]);
    let query = UR_DEVICE_INFO_COMMAND_BUFFER_UPDATE_CAPABILITIES_EXP;
    // Flags, except in the first layout, which has a Boolean.
    let size = if calls.layout() == Layout::V2025_0 { 1 } else { 4 };
    let desc = structures::UPDATABLE;
    // SAFETY: live handles, and room for the results.
    let code = unsafe {
        calls.urDeviceGetInfo(f.device.cast(), query, size, can.as_mut_ptr().cast(), null_mut());
        calls.urCommandBufferCreateExp(f.context()?.cast(), f.device.cast(), &desc, &mut buffer)
    };
    if can == [0; 4] {
        same_code(
            "urCommandBufferCreateExp of a device without changes",
            UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
            code,
        )?;
        return Err(Failure::skip(skip::NO_FEATURE));
    }
    same_code("urCommandBufferCreateExp", UR_RESULT_SUCCESS, code)?;
    Ok(buffer)
}

/// Records a launch of `add_value` or `mul_value` and returns its handle.
fn record(
    f: &Env,
    buffer: ur_exp_command_buffer_handle_t,
    kernel: pi_kernel,
    mem: pi_mem,
    number: i32,
) -> Verdict<ur_exp_command_buffer_command_handle_t> {
    let (calls, mut command, handle) = (calls(f)?, null_mut(), kernel.cast());
    let (offset, count, value): (usize, usize, *const c_void) = (0, COUNT, (&raw const number).cast());
    // SAFETY: live handles, and memory that lives as long as the call.
    let code = unsafe {
        if calls.layout() == Layout::V2026_2 {
            let args = kernel_args(mem, &number);
            calls.urCommandBufferAppendKernelLaunchWithArgsExp(
                buffer,
                handle,
                1,
                &offset,
                &count,
                null(),
                2,
                args.as_ptr(),
                0,
                null_mut(),
                0,
                null(),
                0,
                null(),
                null_mut(),
                null_mut(),
                &mut command,
            )
        } else {
            same_code("mem", UR_RESULT_SUCCESS, calls.urKernelSetArgMemObj(handle, 0, null(), mem.cast()))?;
            same_code("value", UR_RESULT_SUCCESS, calls.urKernelSetArgValue(handle, 1, 4, null(), value))?;
            if calls.layout() == Layout::V2025_0 {
                calls.urCommandBufferAppendKernelLaunchExp_until_2025_0(
                    buffer,
                    handle,
                    1,
                    &offset,
                    &count,
                    null(),
                    0,
                    null(),
                    null_mut(),
                    &mut command,
                )
            } else {
                calls.urCommandBufferAppendKernelLaunchExp(
                    buffer,
                    handle,
                    1,
                    &offset,
                    &count,
                    null(),
                    0,
                    null_mut(),
                    0,
                    null(),
                    0,
                    null(),
                    null_mut(),
                    null_mut(),
                    &mut command,
                )
            }
        }
    };
    same_code("recording a launch", UR_RESULT_SUCCESS, code)?;
    Ok(command)
}

/// Fills a description of any layout, which have these members in common.
macro_rules! describe {
    ($desc:ident { $($own:tt)* } $values:ident, $mems:ident, $mem:ident, $count:ident) => {
        $desc {
            stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_KERNEL_LAUNCH_DESC,
            pNext: null(),
            numNewMemObjArgs: $mems,
            numNewPointerArgs: 0,
            numNewValueArgs: 1,
            newWorkDim: 1,
            pNewMemObjArgList: &$mem,
            pNewPointerArgList: null(),
            pNewValueArgList: &$values,
            pNewGlobalWorkOffset: null_mut(),
            pNewGlobalWorkSize: &mut $count,
            pNewLocalWorkSize: null_mut(),
            $($own)*
        }
    };
}

fn change(
    f: &Env,
    buffer: ur_exp_command_buffer_handle_t,
    command: ur_exp_command_buffer_command_handle_t,
    to: Change,
) -> Verdict<ur_result_t> {
    let calls = calls(f)?;
    let (mut count, number, mems) = (to.count, to.number, u32::from(to.mem.is_some()));
    let (kernel, place): (_, *const c_void) =
        (to.kernel.map_or(null_mut(), |kernel| kernel.cast()), (&raw const number).cast());
    let mem = ur_exp_command_buffer_update_memobj_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_MEMOBJ_ARG_DESC,
        pNext: null(),
        argIndex: 0,
        pProperties: null(),
        hNewMemObjArg: to.mem.map_or(null_mut(), |mem| mem.cast()),
    };
    let value = ur_exp_command_buffer_update_value_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_VALUE_ARG_DESC,
        pNext: null(),
        argIndex: 1,
        argSize: 4,
        pProperties: null(),
        pNewValueArg: place,
    };
    // SAFETY: live handles, and memory that lives as long as the calls.
    Ok(unsafe {
        match calls.layout() {
            Layout::V2025_0 => {
                let value = ur_exp_command_buffer_update_value_arg_desc_t_until_2025_0 {
                    stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_VALUE_ARG_DESC,
                    pNext: null(),
                    argIndex: 1,
                    argSize: 4,
                    pProperties: null(),
                    pNewValueArg: place,
                };
                let desc = describe!(ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_0 {} value, mems, mem, count);
                calls.urCommandBufferUpdateKernelLaunchExp_until_2025_0(command, &desc)
            }
            Layout::V2025_1 => {
                let desc = describe!(ur_exp_command_buffer_update_kernel_launch_desc_t_until_2025_1 { hNewKernel: kernel } value, mems, mem, count);
                calls.urCommandBufferUpdateKernelLaunchExp_until_2025_1(command, &desc)
            }
            _ => {
                let desc = describe!(ur_exp_command_buffer_update_kernel_launch_desc_t { hCommand: command, hNewKernel: kernel } value, mems, mem, count);
                calls.urCommandBufferUpdateKernelLaunchExp(buffer, 1, &desc)
            }
        }
    })
}

fn run(f: &Env, buffer: ur_exp_command_buffer_handle_t) -> Verdict {
    let (calls, queue, mut event) = (calls(f)?, f.queue()?.cast(), null_mut());
    // SAFETY: live handles, no wait list, room for the event.
    let code = unsafe {
        if calls.layout() <= Layout::V2025_1 {
            calls.urCommandBufferEnqueueExp(buffer, queue, 0, null(), &mut event)
        } else {
            calls.urEnqueueCommandBufferExp(queue, buffer, 0, null(), &mut event)
        }
    };
    same_code("a run", UR_RESULT_SUCCESS, code)?;
    let event = f.own_event(event.cast());
    ok!(f, piEventsWait(1, &*event));
    Ok(())
}

/// The next runs have the change, the previous ones do not, and the kernel keeps its own arguments.
fn changed_launch(f: &Env) -> Verdict {
    let buffer = updatable(f)?;
    let (one, two) = (f.buffer(&[0_i32; COUNT])?, f.buffer(&[0_i32; COUNT])?);
    let kernel = f.kernel(c"add_value")?;
    f.set_mem(*kernel, 0, *one)?;
    f.set_arg(*kernel, 1, 5)?;
    let command = record(f, buffer, *kernel, *one, 5)?;
    let calls = calls(f)?;
    // SAFETY: a live command buffer.
    same_code("finalize", UR_RESULT_SUCCESS, unsafe { calls.urCommandBufferFinalizeExp(buffer) })?;
    run(f, buffer)?;
    run(f, buffer)?;
    same("before the change", vec![10; COUNT], f.read::<i32>(*one, COUNT)?)?;
    let half = Change { kernel: None, mem: Some(*two), number: 7, count: COUNT / 2 };
    same_code("a change", UR_RESULT_SUCCESS, change(f, buffer, command, half)?)?;
    run(f, buffer)?;
    run(f, buffer)?;
    same("untouched by the change", vec![10; COUNT], f.read::<i32>(*one, COUNT)?)?;
    let expected = [[14; COUNT / 2], [0; COUNT / 2]].concat();
    same("after the change", expected, f.read::<i32>(*two, COUNT)?)?;
    let number = Change { mem: None, number: 8, ..half };
    same_code("a change after a change", UR_RESULT_SUCCESS, change(f, buffer, command, number)?)?;
    run(f, buffer)?;
    let expected = [[22; COUNT / 2], [0; COUNT / 2]].concat();
    same("the first change stays", expected, f.read::<i32>(*two, COUNT)?)?;
    f.launch(*kernel, COUNT)?;
    same("a launch of the kernel itself", vec![15; COUNT], f.read::<i32>(*one, COUNT)?)?;
    if calls.layout() > Layout::V2025_0 {
        let multiply = f.kernel(c"mul_value")?;
        let other = Change { kernel: Some(*multiply), mem: Some(*one), number: 2, count: COUNT };
        f.set_mem(*multiply, 0, *two)?;
        f.set_arg(*multiply, 1, 1)?;
        same_code("another kernel", UR_RESULT_SUCCESS, change(f, buffer, command, other)?)?;
        // The kernel is the caller's again. Its arguments are as before, and setting them changes no recorded launch.
        f.set_arg(*multiply, 1, 3)?;
        f.launch(*multiply, COUNT)?;
        run(f, buffer)?;
        let expected = [[66; COUNT / 2], [0; COUNT / 2]].concat();
        same("a launch of the new kernel itself", expected, f.read::<i32>(*two, COUNT)?)?;
        same("after the change of the kernel", vec![30; COUNT], f.read::<i32>(*one, COUNT)?)?;
    }
    changed_together(f)?;
    let null_mem = Change { kernel: None, mem: Some(*two), number: 1, count: COUNT };
    // A null command is invalid.
    let code = change(f, buffer, null_mut(), null_mem)?;
    same_code("a change of no command", UR_RESULT_ERROR_INVALID_NULL_HANDLE, code)?;
    if calls.layout() > Layout::V2025_1 {
        let another = updatable(f)?;
        let code = change(f, another, command, null_mem)?;
        same_code("of another command buffer", UR_RESULT_ERROR_INVALID_COMMAND_BUFFER_EXP, code)?;
        // SAFETY: this case owns the reference.
        let code = unsafe { calls.urCommandBufferReleaseExp(another) };
        same_code("release of the other one", UR_RESULT_SUCCESS, code)?;
    }
    // SAFETY: this case owns the references. Until 2025.1 a command has one too.
    unsafe {
        if calls.layout() <= Layout::V2025_1 {
            same_code("command", UR_RESULT_SUCCESS, calls.urCommandBufferReleaseCommandExp(command))?;
        }
        same_code("release", UR_RESULT_SUCCESS, calls.urCommandBufferReleaseExp(buffer))
    }
}

/// Newer layouts change several launches with one call.
fn changed_together(f: &Env) -> Verdict {
    let calls = calls(f)?;
    if calls.layout() <= Layout::V2025_1 {
        return Ok(());
    }
    let (buffer, kernel) = (updatable(f)?, f.kernel(c"add_value")?);
    let (one, two) = (f.buffer(&[0_i32; COUNT])?, f.buffer(&[0_i32; COUNT])?);
    let commands = [record(f, buffer, *kernel, *one, 5)?, record(f, buffer, *kernel, *two, 6)?];
    // SAFETY: a live command buffer.
    same_code("finalize", UR_RESULT_SUCCESS, unsafe { calls.urCommandBufferFinalizeExp(buffer) })?;
    let (numbers, mut count) = ([70_i32, 80], COUNT / 2);
    let values = [0, 1].map(|index| ur_exp_command_buffer_update_value_arg_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_VALUE_ARG_DESC,
        pNext: null(),
        argIndex: 1,
        argSize: 4,
        pProperties: null(),
        pNewValueArg: (&raw const numbers[index]).cast(),
    });
    let descs = [0, 1].map(|index| ur_exp_command_buffer_update_kernel_launch_desc_t {
        stype: UR_STRUCTURE_TYPE_EXP_COMMAND_BUFFER_UPDATE_KERNEL_LAUNCH_DESC,
        pNext: null(),
        hCommand: commands[index],
        hNewKernel: null_mut(),
        numNewMemObjArgs: 0,
        numNewPointerArgs: 0,
        numNewValueArgs: 1,
        // The second one keeps its index space.
        newWorkDim: 1 - index as u32,
        pNewMemObjArgList: null(),
        pNewPointerArgList: null(),
        pNewValueArgList: &values[index],
        pNewGlobalWorkOffset: null_mut(),
        pNewGlobalWorkSize: if index == 0 { &mut count } else { null_mut() },
        pNewLocalWorkSize: null_mut(),
    });
    // SAFETY: live handles, and memory that lives as long as the call.
    let code = unsafe { calls.urCommandBufferUpdateKernelLaunchExp(buffer, 2, descs.as_ptr()) };
    same_code("a change of two launches", UR_RESULT_SUCCESS, code)?;
    run(f, buffer)?;
    let expected = [[70; COUNT / 2], [0; COUNT / 2]].concat();
    same("the first launch", expected, f.read::<i32>(*one, COUNT)?)?;
    same("the second launch", vec![80; COUNT], f.read::<i32>(*two, COUNT)?)?;
    // SAFETY: this case owns the reference.
    let code = unsafe { calls.urCommandBufferReleaseExp(buffer) };
    same_code("release", UR_RESULT_SUCCESS, code)
}

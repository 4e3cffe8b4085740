//! Properties of launches, in the form of each layout.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::{pi_kernel, pi_mem};
use sycl_ur_core::*;
use testing_ur_host::Layout;

use super::handles::calls;
use super::kernel_args::kernel_args;
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Verdict, check, same, same_code};
use crate::values::ur_name;

pub(super) const CASES: &[Case] = &[case("UR-47", "urEnqueueKernelLaunch", properties)];

/// The numbers of work-items, in total and in a work-group.
const COUNT: usize = 64;
const LOCAL: usize = 16;

/// One property of a launch.
#[derive(Clone, Copy)]
enum Asked {
    Nothing,
    /// A number of work-groups in one dimension.
    Cluster(u32),
    /// A number of bytes.
    LocalMemory(usize),
    /// A property that no release has.
    Unknown,
    /// A flag that no release has, in the last layouts.
    UnknownFlag,
}

/// A number that no property or structure has.
const UNKNOWN: u32 = 0x7777;

/// Launches the kernel that adds a number to a buffer's. Returns the code.
fn launch(f: &Env, kernel: pi_kernel, mem: pi_mem, number: i32, asked: Asked) -> Verdict<ur_result_t> {
    let calls = calls(f)?;
    if calls.layout() < Layout::V2026_2 {
        let value: *const c_void = (&raw const number).cast();
        // SAFETY: live handles, and a number that stays during the call.
        unsafe {
            let handle = kernel.cast();
            same_code("mem", UR_RESULT_SUCCESS, calls.urKernelSetArgMemObj(handle, 0, null(), mem.cast()))?;
            same_code("value", UR_RESULT_SUCCESS, calls.urKernelSetArgValue(handle, 1, 4, null(), value))?;
        }
    }
    if calls.layout() <= Layout::V2025_3 {
        listed(f, kernel, asked)
    } else {
        chained(f, kernel, mem, number, asked)
    }
}

/// Passes a list of properties, in a form that changed twice.
fn listed(f: &Env, kernel: pi_kernel, asked: Asked) -> Verdict<ur_result_t> {
    let (calls, queue, kernel) = (calls(f)?, f.queue()?.cast(), kernel.cast());
    let (id, words) = match asked {
        Asked::Nothing => (UR_KERNEL_LAUNCH_PROPERTY_ID_IGNORE, [0; 3]),
        Asked::Cluster(size) => (UR_KERNEL_LAUNCH_PROPERTY_ID_CLUSTER_DIMENSION, [size, 1, 1]),
        Asked::LocalMemory(size) => (UR_KERNEL_LAUNCH_PROPERTY_ID_WORK_GROUP_MEMORY, [size as u32, 0, 0]),
        Asked::Unknown | Asked::UnknownFlag => (UNKNOWN, [0; 3]),
    };
    let (global, local, none) = (&COUNT, &LOCAL, null());
    // SAFETY: live handles, lists of one entry, no events.
    Ok(unsafe {
        match calls.layout() {
            Layout::V2025_0 => {
                let value = ur_exp_launch_property_value_t_until_2025_0 { clusterDim: words };
                let list = ur_exp_launch_property_t_until_2025_0 { id, value };
                calls.urEnqueueKernelLaunchCustomExp_until_2025_0(
                    queue,
                    kernel,
                    1,
                    global,
                    local,
                    1,
                    &list,
                    0,
                    null(),
                    null_mut(),
                )
            }
            Layout::V2025_3 => {
                let value = ur_kernel_launch_property_value_t { clusterDim: words };
                let list = ur_kernel_launch_property_t { id, value };
                calls.urEnqueueKernelLaunch_until_2025_3(
                    queue,
                    kernel,
                    1,
                    none,
                    global,
                    local,
                    1,
                    &list,
                    0,
                    null(),
                    null_mut(),
                )
            }
            _ => {
                let value = ur_exp_launch_property_value_t { clusterDim: words };
                let list = ur_exp_launch_property_t { id, value };
                calls.urEnqueueKernelLaunchCustomExp(
                    queue,
                    kernel,
                    1,
                    none,
                    global,
                    local,
                    1,
                    &list,
                    0,
                    null(),
                    null_mut(),
                )
            }
        }
    })
}

/// Passes a structure that is chained to the properties.
fn chained(f: &Env, kernel: pi_kernel, mem: pi_mem, number: i32, asked: Asked) -> Verdict<ur_result_t> {
    let (calls, queue, kernel) = (calls(f)?, f.queue()?.cast(), kernel.cast());
    let mut cluster = ur_kernel_launch_cluster_property_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_CLUSTER_PROPERTY,
        pNext: null_mut(),
        clusterDim: [1; 3],
    };
    let mut memory = ur_kernel_launch_workgroup_property_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_WORKGROUP_PROPERTY,
        pNext: null_mut(),
        workgroup_mem_size: 0,
    };
    let next: *mut c_void = match asked {
        Asked::Nothing | Asked::UnknownFlag => null_mut(),
        Asked::Cluster(size) => {
            cluster.clusterDim[0] = size;
            (&raw mut cluster).cast()
        }
        Asked::LocalMemory(size) => {
            memory.workgroup_mem_size = size;
            (&raw mut memory).cast()
        }
        Asked::Unknown => {
            cluster.stype = UNKNOWN;
            (&raw mut cluster).cast()
        }
    };
    let properties = ur_kernel_launch_ext_properties_t {
        stype: UR_STRUCTURE_TYPE_KERNEL_LAUNCH_EXT_PROPERTIES,
        pNext: next,
        flags: if matches!(asked, Asked::UnknownFlag) { 1 << 31 } else { 0 },
    };
    let args = kernel_args(mem, &number);
    let (global, local, none) = (&COUNT, &LOCAL, null());
    // SAFETY: live handles, two arguments, structures that stay during the call.
    Ok(unsafe {
        calls.urEnqueueKernelLaunchWithArgsExp(
            queue,
            kernel,
            1,
            none,
            global,
            local,
            2,
            args.as_ptr(),
            &properties,
            0,
            null(),
            null_mut(),
        )
    })
}

/// Returns whether the device supports clusters and memory of launches, or `None` if the layout has no query for
/// it.
fn has(f: &Env) -> Verdict<[Option<bool>; 2]> {
    let (calls, mut flags) = (calls(f)?, [0_u8; 4]);
    let mut ask = |query, size| {
        // SAFETY: a live device, and room for the answer.
        let code = unsafe {
            calls.urDeviceGetInfo(f.device.cast(), query, size, flags.as_mut_ptr().cast(), null_mut())
        };
        if code == UR_RESULT_SUCCESS { u32::from_ne_bytes(flags) } else { 0 }
    };
    if calls.layout() <= Layout::V2025_2 {
        return Ok([Some(ask(UR_DEVICE_INFO_CLUSTER_LAUNCH_EXP, 1) != 0), None]);
    }
    let flags = ask(UR_DEVICE_INFO_KERNEL_LAUNCH_CAPABILITIES, 4);
    let has = |flag: u32| Some(flags & flag != 0);
    Ok([
        has(UR_KERNEL_LAUNCH_PROPERTIES_FLAG_CLUSTER_DIMENSION),
        has(UR_KERNEL_LAUNCH_PROPERTIES_FLAG_WORK_GROUP_MEMORY),
    ])
}

/// Supported properties work, and unsupported ones return "unsupported" without a launch.
fn properties(f: &Env) -> Verdict {
    let (kernel, mem) = (f.kernel(c"add_value")?, f.buffer(&[0_i32; COUNT])?);
    let [clusters, local_memory] = has(f)?;
    let mut sum = 0;
    let mut one = |asked, number, has: Option<bool>, what| {
        let code = launch(f, *kernel, *mem, number, asked)?;
        match has {
            Some(true) => same_code(what, UR_RESULT_SUCCESS, code)?,
            Some(false) => same_code(what, UR_RESULT_ERROR_UNSUPPORTED_FEATURE, code)?,
            None => {
                let known = [UR_RESULT_SUCCESS, UR_RESULT_ERROR_UNSUPPORTED_FEATURE].contains(&code);
                check(
                    what,
                    known,
                    "UR_RESULT_SUCCESS or UR_RESULT_ERROR_UNSUPPORTED_FEATURE",
                    ur_name(code),
                )?;
            }
        }
        if code == UR_RESULT_SUCCESS {
            sum += number;
        }
        same(what, vec![sum; COUNT], f.read::<i32>(*mem, COUNT)?)
    };
    one(Asked::Nothing, 1, Some(true), "a launch that asks for nothing")?;
    one(Asked::Cluster(2), 10, clusters, "clusters of two work-groups")?;
    // The first layout has no such property.
    if calls(f)?.layout() > Layout::V2025_0 {
        one(Asked::LocalMemory(256), 100, local_memory, "256 bytes for each work-group")?;
    }
    let before = f.read::<i32>(*mem, COUNT)?;
    for (asked, what) in [
        (Asked::Cluster(3), "clusters of 3 of 4 work-groups"),
        (Asked::Cluster(0), "clusters of no work-group"),
        (Asked::Unknown, "an unknown property"),
        (Asked::UnknownFlag, "an unknown flag"),
    ] {
        let code = launch(f, *kernel, *mem, 1000, asked)?;
        check(what, code != UR_RESULT_SUCCESS, "an error", ur_name(code))?;
    }
    same("after what was refused", before, f.read::<i32>(*mem, COUNT)?)
}

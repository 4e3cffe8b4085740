//! Functions that PI does not have: what the device does not report returns "unsupported", and what it reports
//! works.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::pi_queue;
use sycl_pi_loader::Backend;
use sycl_ur_core::*;
use testing_ur_host::{Layout, each_function};

use super::filling::{Ask, rules};
use super::handles::calls;
use super::objects::Objects;
use crate::case::{Case, alone, case};
use crate::cases::all_well::all_well;
use crate::env::{BASIC, Env, ramp};
use crate::outcome::{Failure, Verdict, check, same, same_code};
use crate::skip;
use crate::values::ur_name;
use crate::values::{InWords, UrResult};

pub(super) const CASES: &[Case] = &[
    alone("UR-30", "urUSMPoolCreate", what_is_missing),
    case("UR-31", "urKernelGetSuggestedLocalWorkSize", suggested_size),
    case("UR-32", "urEnqueueTimestampRecordingExp", timestamps),
    case("UR-33", "urEnqueueNativeCommandExp", native_command),
    case("UR-34", "urUSMContextMemcpyExp", context_memcpy),
    case("UR-35", "urProgramGetInfo", intermediate_language),
    case("UR-36", "urSamplerGetNativeHandle", sampler_again),
    case("UR-37", "urUSMPoolCreate", pools),
    case("UR-38", "urDeviceWaitExp", device_wait),
    case("UR-44", "urDeviceCreateWithNativeHandle", device_not_owned),
    case("UR-76", "urDeviceCreateWithNativeHandle", device_wrapped_twice),
];

/// Returns the query for whether the device supports a function, and the first layout with that query.
fn feature(function: &Function) -> Option<(u32, Layout)> {
    use Layout::*;
    let always = |number| Some((number, V2025_0));
    match (function.family, function.name) {
        (Family::CommandBuffer, _) => always(UR_DEVICE_INFO_COMMAND_BUFFER_SUPPORT_EXP),
        (Family::Bindless, _) => always(UR_DEVICE_INFO_BINDLESS_IMAGES_SUPPORT_EXP),
        (Family::VirtualMem | Family::PhysicalMem, _) => always(UR_DEVICE_INFO_VIRTUAL_MEMORY_SUPPORT),
        (Family::Peer, name) if !name.contains("GetInfo") => {
            Some((UR_DEVICE_INFO_USM_P2P_SUPPORT_EXP, V2025_2))
        }
        (Family::Graph, _) => Some((UR_DEVICE_INFO_GRAPH_RECORD_AND_REPLAY_SUPPORT_EXP, V2026_0)),
        (Family::MemoryExport, _) => Some((UR_DEVICE_INFO_MEMORY_EXPORT_EXPORTABLE_DEVICE_MEM_EXP, V2025_3)),
        (Family::Ipc, name) if name.contains("Mem") && !name.contains("Phys") => {
            Some((UR_DEVICE_INFO_IPC_MEMORY_SUPPORT_EXP, V2026_0))
        }
        (Family::Ipc, name) if name.contains("PhysMem") => {
            Some((UR_DEVICE_INFO_IPC_PHYSICAL_MEMORY_SUPPORT_EXP, V2026_2))
        }
        (Family::Ipc, name) if name.contains("Event") => {
            Some((UR_DEVICE_INFO_IPC_EVENT_SUPPORT_EXP, V2026_2))
        }
        (_, "urEventCreateExp") => Some((UR_DEVICE_INFO_REUSABLE_EVENTS_SUPPORT_EXP, V2026_2)),
        (_, "urEnqueueHostTaskExp") => Some((UR_DEVICE_INFO_ENQUEUE_HOST_TASK_SUPPORT_EXP, V2026_0)),
        (_, "urEnqueueNativeCommandExp") => always(UR_DEVICE_INFO_ENQUEUE_NATIVE_COMMAND_SUPPORT_EXP),
        (_, "urEnqueueTimestampRecordingExp") => always(UR_DEVICE_INFO_TIMESTAMP_RECORDING_SUPPORT_EXP),
        (_, "urUSMContextMemcpyExp") => Some((UR_DEVICE_INFO_USM_CONTEXT_MEMCPY_SUPPORT_EXP, V2025_3)),
        (_, "urUSMHostAllocRegisterExp" | "urUSMHostAllocUnregisterExp") => {
            Some((UR_DEVICE_INFO_USM_HOST_ALLOC_REGISTER_SUPPORT_EXP, V2026_2))
        }
        (_, "urDeviceWaitExp") => Some((UR_DEVICE_INFO_DEVICE_WAIT_SUPPORT_EXP, V2026_0)),
        (_, "urProgramDynamicLinkExp") => Some((UR_DEVICE_INFO_DYNAMIC_LINK_SUPPORT_EXP, V2026_0)),
        (_, name) if name.starts_with("urUSMPool") && !name.ends_with("Exp") => {
            Some((UR_DEVICE_INFO_USM_POOL_SUPPORT, V2025_1))
        }
        (_, name) if name.starts_with("urEnqueueUSM") && name.ends_with("Exp") => {
            Some((UR_DEVICE_INFO_ASYNC_USM_ALLOCATIONS_SUPPORT_EXP, V2025_2))
        }
        _ => None,
    }
}

/// Returns whether the device reports a feature, or `None` if the layout has no query for it.
fn has(f: &Env, (number, since): (u32, Layout)) -> Verdict<Option<bool>> {
    let (calls, mut value) = (calls(f)?, 0_u8);
    if calls.layout() < since {
        return Ok(None);
    }
    let place = (&raw mut value).cast();
    // SAFETY: a live device and room for one byte.
    let code = unsafe { calls.urDeviceGetInfo(f.device.cast(), number, 1, place, null_mut()) };
    Ok(Some(code == UR_RESULT_SUCCESS && value == 1))
}

/// Skips the case unless the device supports the function.
pub(super) fn need(f: &Env, function: &str) -> Verdict {
    let function =
        table::function(function).ok_or_else(|| Failure::fail(function, "a function of the list", "none"))?;
    if function.slot(calls(f)?.layout()).is_none() {
        return Err(Failure::skip(skip::NOT_IN_LAYOUT));
    }
    match feature(function) {
        Some(feature) if has(f, feature)? == Some(false) => Err(Failure::skip(skip::NO_FEATURE)),
        _ => Ok(()),
    }
}

fn what_is_missing(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let objects = Objects::new(f)?;
    let mut lacking = Vec::new();
    for function in FUNCTIONS {
        if let Some(feature) = feature(function)
            && has(f, feature)? == Some(false)
        {
            lacking.push(function.name);
        }
    }
    let mut wrong = Vec::new();
    let mut visit = |function: &'static Function,
                     _: table::Params,
                     call: &dyn Fn(&dyn testing_ur_host::Filling) -> ur_result_t| {
        if lacking.contains(&function.name) {
            // The last line of a worker that crashes says where.
            eprintln!("{}", function.name);
            let rules = rules(function.name);
            let ask =
                Ask { objects: &objects, rules: &rules, layout: calls.layout(), tried: (usize::MAX, 0) };
            let code = call(&ask);
            let asks = function.name.contains("Support");
            // A handle of a kind that the device does not support can only be null, and no image description is
            // valid.
            let well = match function.family {
                // Nor is there a valid number for every query.
                _ if function.name.ends_with("GetInfo") => code != UR_RESULT_SUCCESS,
                Family::Bindless => asks || code != UR_RESULT_SUCCESS,
                // A queue that is not captured says so, and has no graph.
                Family::Graph if function.name == "urQueueIsGraphCaptureEnabledExp" => true,
                Family::Graph
                    if ["urQueueEndGraphCaptureExp", "urQueueGetGraphExp"].contains(&function.name) =>
                {
                    code != UR_RESULT_SUCCESS
                }
                _ => {
                    [UR_RESULT_ERROR_UNSUPPORTED_FEATURE, UR_RESULT_ERROR_INVALID_NULL_HANDLE].contains(&code)
                }
            };
            if !well {
                wrong.push(format!("{}: {}", function.name, ur_name(code)));
            }
        }
    };
    // SAFETY: live handles and large enough memory.
    unsafe { each_function(calls, &mut visit) };
    all_well("UR_RESULT_ERROR_UNSUPPORTED_FEATURE from what the device says that it lacks", &wrong)
}

fn suggested_size(f: &Env) -> Verdict {
    let (calls, kernel, queue) = (calls(f)?, f.kernel(c"nothing")?, f.queue()?);
    let (offset, global, mut local) = ([0_usize; 3], [64_usize, 6, 1], [0_usize; 3]);
    // SAFETY: live handles and three numbers each.
    let code = unsafe {
        calls.urKernelGetSuggestedLocalWorkSize(
            (*kernel).cast(),
            queue.cast(),
            3,
            offset.as_ptr(),
            global.as_ptr(),
            local.as_mut_ptr(),
        )
    };
    if code == UR_RESULT_ERROR_UNSUPPORTED_FEATURE {
        return Err(Failure::skip(skip::NO_FEATURE));
    }
    same_code("urKernelGetSuggestedLocalWorkSize", UR_RESULT_SUCCESS, code)?;
    let divides = global.iter().zip(local).all(|(global, local)| local != 0 && global % local == 0);
    check("", divides, "sizes that divide the global ones", local.in_words())
}

/// In any queue: a device with timestamps does not need profiling for them.
fn timestamps(f: &Env) -> Verdict {
    need(f, "urEnqueueTimestampRecordingExp")?;
    timestamp(f, *f.profiling()?)?;
    timestamp(f, f.queue()?)
}

fn timestamp(f: &Env, queue: pi_queue) -> Verdict {
    let (calls, mut event, mut end) = (calls(f)?, null_mut(), 0_u64);
    // SAFETY: a live queue, no wait list, room for the event.
    let code = unsafe { calls.urEnqueueTimestampRecordingExp(queue.cast(), 1, 0, null(), &mut event) };
    same_code("urEnqueueTimestampRecordingExp", UR_RESULT_SUCCESS, code)?;
    let event = f.own_event(event.cast());
    let place = (&raw mut end).cast();
    // SAFETY: a live event and room for a number.
    let code = unsafe {
        calls.urEventGetProfilingInfo((*event).cast(), UR_PROFILING_INFO_COMMAND_END, 8, place, null_mut())
    };
    same_code("urEventGetProfilingInfo", UR_RESULT_SUCCESS, code)?;
    check("", end > 0, "a time", end)
}

/// # Safety
/// `data` points to a number that nothing else uses during the call.
unsafe extern "C" fn note(_queue: ur_queue_handle_t, data: *mut c_void) {
    // SAFETY: the case passes a flag that lives long enough.
    unsafe { data.cast::<u32>().write(7) };
}

fn native_command(f: &Env) -> Verdict {
    need(f, "urEnqueueNativeCommandExp")?;
    let (calls, queue, mut called) = (calls(f)?, f.queue()?, Box::new(0_u32));
    let data = (&raw mut *called).cast();
    let mut event = null_mut();
    // SAFETY: a live queue, a callback that fits, no lists.
    let code = unsafe {
        calls.urEnqueueNativeCommandExp(
            queue.cast(),
            Some(note),
            data,
            0,
            null(),
            null(),
            0,
            null(),
            &mut event,
        )
    };
    same_code("urEnqueueNativeCommandExp", UR_RESULT_SUCCESS, code)?;
    f.wait(event.cast())?;
    same("what the callback wrote", 7, *called)
}

fn context_memcpy(f: &Env) -> Verdict {
    need(f, "urUSMContextMemcpyExp")?;
    let (calls, usm, from) = (calls(f)?, f.shared(64)?, ramp(64));
    // SAFETY: a live context and 64 bytes each.
    let code = unsafe { calls.urUSMContextMemcpyExp(f.context()?.cast(), usm.ptr, from.as_ptr().cast(), 64) };
    same_code("urUSMContextMemcpyExp", UR_RESULT_SUCCESS, code)?;
    same("bytes", from, f.take(usm.ptr, 64)?)
}

fn intermediate_language(f: &Env) -> Verdict {
    let calls = calls(f)?;
    if calls.layout() < Layout::V2025_1 {
        return Err(Failure::skip(skip::NOT_IN_LAYOUT));
    }
    if !f.takes_spirv() {
        return Err(Failure::skip(skip::NO_SPIRV));
    }
    // The harness has PTX for CUDA. Here SPIR-V is needed.
    let (start, length) = (BASIC.spirv.as_ptr().cast(), BASIC.spirv.len());
    let (context, mut size) = (f.context()?, 0);
    let program = f.own_program(made!(f, |out| piProgramCreate(context, start, length, out)));
    let handle = (*program).cast();
    // SAFETY: a live program, and room as large as the adapter says.
    unsafe {
        let code = calls.urProgramGetInfo(handle, UR_PROGRAM_INFO_IL, 0, null_mut(), &mut size);
        same("code and size", (UrResult(UR_RESULT_SUCCESS), BASIC.spirv.len()), (UrResult(code), size))?;
        let mut bytes = vec![0_u8; size];
        let code =
            calls.urProgramGetInfo(handle, UR_PROGRAM_INFO_IL, size, bytes.as_mut_ptr().cast(), null_mut());
        same_code("code", UR_RESULT_SUCCESS, code)?;
        check("", bytes == BASIC.spirv, "the SPIR-V that the program was made of", "other bytes")
    }
}

fn sampler_again(f: &Env) -> Verdict {
    let (calls, objects) = (calls(f)?, Objects::new(f)?);
    let sampler = objects.of("ur_sampler_handle_t") as ur_sampler_handle_t;
    if sampler.is_null() {
        return Err(Failure::skip(skip::NO_IMAGES));
    }
    let (mut native, mut again) = (0, null_mut());
    let not_owned = ur_sampler_native_properties_t {
        stype: UR_STRUCTURE_TYPE_SAMPLER_NATIVE_PROPERTIES,
        pNext: null_mut(),
        isNativeHandleOwned: 0,
    };
    // SAFETY: a live sampler and context, and room for the results.
    unsafe {
        let code = calls.urSamplerGetNativeHandle(sampler, &mut native);
        if f.backend == Backend::Cuda && code == UR_RESULT_ERROR_UNSUPPORTED_FEATURE {
            return Err(Failure::skip(skip::NO_NATIVE_SAMPLER));
        }
        same_code("urSamplerGetNativeHandle", UR_RESULT_SUCCESS, code)?;
        let context = f.context()?.cast();
        let code = calls.urSamplerCreateWithNativeHandle(native, context, &not_owned, &mut again);
        same_code("urSamplerCreateWithNativeHandle", UR_RESULT_SUCCESS, code)?;
        same_code("urSamplerRelease", UR_RESULT_SUCCESS, calls.urSamplerRelease(again))?;
        let mut count = 0_u32;
        let place = (&raw mut count).cast();
        let code = calls.urSamplerGetInfo(sampler, UR_SAMPLER_INFO_REFERENCE_COUNT, 4, place, null_mut());
        same("code and references of the first", (UrResult(UR_RESULT_SUCCESS), 1), (UrResult(code), count))
    }
}

/// A sub-device whose ownership is not transferred survives the release of the second handle. Drivers count its
/// references.
fn device_not_owned(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let parts = f.parts(&f.splitting()?)?;
    let Some(part) = parts.first() else { return Err(Failure::skip(skip::NO_PARTS)) };
    let (device, mut adapter, mut native, mut again, mut kind) =
        ((**part).cast(), null_mut(), 0, null_mut(), 0_u32);
    // SAFETY: live handles and room for the results.
    unsafe {
        same_code("urAdapterGet", UR_RESULT_SUCCESS, calls.urAdapterGet(1, &mut adapter, null_mut()))?;
        let code = calls.urDeviceGetNativeHandle(device, &mut native);
        if f.backend == Backend::Cuda && code == UR_RESULT_ERROR_UNSUPPORTED_FEATURE {
            return Err(Failure::skip(skip::NO_FEATURE));
        }
        same_code("urDeviceGetNativeHandle", UR_RESULT_SUCCESS, code)?;
        for _ in 0..8 {
            let code = calls.urDeviceCreateWithNativeHandle(native, adapter, null(), &mut again);
            same_code("urDeviceCreateWithNativeHandle", UR_RESULT_SUCCESS, code)?;
            same_code("urDeviceRelease", UR_RESULT_SUCCESS, calls.urDeviceRelease(again))?;
        }
        let place = (&raw mut kind).cast();
        let code = calls.urDeviceGetInfo(device, UR_DEVICE_INFO_TYPE, 4, place, null_mut());
        same_code("urDeviceGetInfo of the first handle", UR_RESULT_SUCCESS, code)?;
        same_code("urAdapterRelease", UR_RESULT_SUCCESS, calls.urAdapterRelease(adapter))
    }
}

/// Each wrap transfers a reference, so that the handle survives all releases except the last.
fn device_wrapped_twice(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let parts = f.parts(&f.splitting()?)?;
    let Some(part) = parts.first() else { return Err(Failure::skip(skip::NO_PARTS)) };
    let (device, mut adapter, mut native) = ((**part).cast(), null_mut(), 0);
    let count = || -> Verdict<u32> {
        let mut count = 0_u32;
        let (name, place) = (UR_DEVICE_INFO_REFERENCE_COUNT, (&raw mut count).cast());
        // SAFETY: a live device, and room for a number.
        let code = unsafe { calls.urDeviceGetInfo(device, name, 4, place, null_mut()) };
        same_code("urDeviceGetInfo", UR_RESULT_SUCCESS, code)?;
        Ok(count)
    };
    // SAFETY: live handles and room for the results.
    unsafe {
        same_code("urAdapterGet", UR_RESULT_SUCCESS, calls.urAdapterGet(1, &mut adapter, null_mut()))?;
        let code = calls.urDeviceGetNativeHandle(device, &mut native);
        if f.backend == Backend::Cuda && code == UR_RESULT_ERROR_UNSUPPORTED_FEATURE {
            return Err(Failure::skip(skip::NO_FEATURE));
        }
        same_code("urDeviceGetNativeHandle", UR_RESULT_SUCCESS, code)?;
        same("reference count", 1, count()?)?;
        for wraps in [2, 3] {
            let mut again = null_mut();
            let code = calls.urDeviceCreateWithNativeHandle(native, adapter, null(), &mut again);
            same_code("urDeviceCreateWithNativeHandle", UR_RESULT_SUCCESS, code)?;
            same("handle", device, again)?;
            same("reference count after a wrap", wraps, count()?)?;
        }
        for left in [2, 1] {
            same_code("urDeviceRelease", UR_RESULT_SUCCESS, calls.urDeviceRelease(device))?;
            same("reference count after a release", left, count()?)?;
        }
        same_code("urAdapterRelease", UR_RESULT_SUCCESS, calls.urAdapterRelease(adapter))
    }
}

fn pools(f: &Env) -> Verdict {
    need(f, "urUSMPoolCreate")?;
    let (calls, context, mut pool, mut start) = (calls(f)?, f.context()?.cast(), null_mut(), null_mut());
    let mut desc = ur_usm_pool_desc_t { stype: UR_STRUCTURE_TYPE_USM_POOL_DESC, pNext: null(), flags: 0 };
    // SAFETY: live handles and room for the results.
    unsafe {
        let code = calls.urUSMPoolCreate(context, &mut desc, &mut pool);
        if code == UR_RESULT_ERROR_UNSUPPORTED_FEATURE && calls.layout() < Layout::V2025_1 {
            // The layout has no query for it.
            return Err(Failure::skip(skip::NO_FEATURE));
        }
        same_code("urUSMPoolCreate", UR_RESULT_SUCCESS, code)?;
        same_code(
            "urUSMHostAlloc",
            UR_RESULT_SUCCESS,
            calls.urUSMHostAlloc(context, null(), pool, 256, &mut start),
        )?;
        start.cast::<u8>().write_bytes(5, 256);
        same_code("urUSMFree", UR_RESULT_SUCCESS, calls.urUSMFree(context, start))?;
        same_code("urUSMPoolRetain", UR_RESULT_SUCCESS, calls.urUSMPoolRetain(pool))?;
        same_code("urUSMPoolRelease", UR_RESULT_SUCCESS, calls.urUSMPoolRelease(pool))?;
        same_code("urUSMPoolRelease", UR_RESULT_SUCCESS, calls.urUSMPoolRelease(pool))
    }
}

fn device_wait(f: &Env) -> Verdict {
    need(f, "urDeviceWaitExp")?;
    let (calls, queue, data) = (calls(f)?, f.queue()?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 10_000_000)?;
    let event = f.own_event(f.launch_on(queue, *kernel, 1)?);
    // SAFETY: a live device.
    same_code("urDeviceWaitExp", UR_RESULT_SUCCESS, unsafe { calls.urDeviceWaitExp(f.device.cast()) })?;
    same("status afterwards", sycl_pi_core::PI_EVENT_COMPLETE, f.status(*event)?)
}

//! Queries: every number of every kind of object.

use std::ffi::c_void;
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use super::list::enumeration;
use crate::case::{Case, case};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::env::commands::there;
use crate::info::UNTOUCHED;
use crate::outcome::{Failure, Verdict, answer, check};
use crate::skip;

pub(super) const CASES: &[Case] = &[case("ENU-01", "piDeviceGetInfo", every_query)];

type Ask<'a> = Box<dyn Fn(u32, usize, *mut c_void, *mut usize) -> Result<(), CallError> + 'a>;

/// The size of an answer.
#[derive(Clone, Copy)]
enum Answer {
    /// That many bytes.
    Bytes(usize),
    /// Any number of entries of that size.
    ListOf(usize),
    /// A string with a NUL at its end.
    Text,
    /// Another case checks it.
    Any,
}

use Answer::*;

/// Answers by the names of enumerators. Those of devices are in `cases/device/info_table.rs`.
const ANSWERS: &[(&str, Answer)] = &[
    ("PI_EXT_PLATFORM_INFO_BACKEND", Bytes(4)),
    ("PI_PLATFORM_INFO_", Text),
    ("PI_CONTEXT_INFO_DEVICES", ListOf(8)),
    ("PI_CONTEXT_INFO_PROPERTIES", ListOf(8)),
    ("PI_CONTEXT_INFO_PLATFORM", Bytes(8)),
    ("PI_CONTEXT_INFO_", Bytes(4)),
    ("PI_EXT_CONTEXT_INFO_ATOMIC_", Bytes(8)),
    ("PI_EXT_ONEAPI_CONTEXT_INFO_USM_", Bytes(4)),
    ("PI_QUEUE_INFO_REFERENCE_COUNT", Bytes(4)),
    ("PI_QUEUE_INFO_SIZE", Bytes(4)),
    ("PI_EXT_ONEAPI_QUEUE_INFO_EMPTY", Bytes(4)),
    ("PI_QUEUE_INFO_", Bytes(8)),
    ("PI_MEM_", Bytes(8)),
    ("PI_IMAGE_INFO_", Bytes(8)),
    ("PI_SAMPLER_INFO_CONTEXT", Bytes(8)),
    ("PI_SAMPLER_INFO_", Bytes(4)),
    ("PI_PROGRAM_INFO_CONTEXT", Bytes(8)),
    ("PI_PROGRAM_INFO_NUM_KERNELS", Bytes(8)),
    ("PI_PROGRAM_INFO_DEVICES", ListOf(8)),
    ("PI_PROGRAM_INFO_BINAR", ListOf(8)),
    ("PI_PROGRAM_INFO_SOURCE", Any),
    ("PI_PROGRAM_INFO_KERNEL_NAMES", Text),
    ("PI_PROGRAM_INFO_", Bytes(4)),
    ("PI_PROGRAM_BUILD_INFO_OPTIONS", Text),
    ("PI_PROGRAM_BUILD_INFO_LOG", Text),
    ("PI_PROGRAM_BUILD_INFO_", Bytes(4)),
    ("PI_KERNEL_INFO_FUNCTION_NAME", Text),
    ("PI_KERNEL_INFO_ATTRIBUTES", Text),
    ("PI_KERNEL_INFO_CONTEXT", Bytes(8)),
    ("PI_KERNEL_INFO_PROGRAM", Bytes(8)),
    ("PI_KERNEL_INFO_", Bytes(4)),
    ("PI_EXT_ONEAPI_KERNEL_INFO_", ListOf(4)),
    ("PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE", Bytes(24)),
    ("PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE", Bytes(24)),
    ("PI_KERNEL_GROUP_INFO_NUM_REGS", Bytes(4)),
    ("PI_KERNEL_GROUP_INFO_", Bytes(8)),
    ("PI_KERNEL_", Bytes(4)),
    ("PI_EVENT_INFO_COMMAND_QUEUE", Bytes(8)),
    ("PI_EVENT_INFO_CONTEXT", Bytes(8)),
    ("PI_EVENT_INFO_", Bytes(4)),
    ("PI_PROFILING_INFO_", Bytes(8)),
    ("PI_PEER_", Bytes(4)),
];

/// Codes for numbers that an object has no answer to.
const REFUSALS: [pi_result; 6] = [
    PI_ERROR_INVALID_VALUE,
    PI_ERROR_INVALID_OPERATION,
    PI_ERROR_UNSUPPORTED_FEATURE,
    PI_ERROR_INVALID_QUEUE,
    PI_ERROR_INVALID_PROGRAM_EXECUTABLE,
    PI_ERROR_PROFILING_INFO_NOT_AVAILABLE,
];

impl Answer {
    fn of(name: &str) -> Self {
        let known = ANSWERS.iter().find(|(start, _)| name.starts_with(start));
        if name == "PI_MEM_ALLOC_TYPE" { Bytes(4) } else { known.map_or(Any, |(_, answer)| *answer) }
    }

    /// Returns what is wrong with an answer.
    fn fault(self, bytes: &[u8]) -> Option<String> {
        let size = bytes.len();
        match self {
            Bytes(expected) => (size != expected).then(|| format!("{size} bytes, not {expected}")),
            ListOf(entry) => {
                (!size.is_multiple_of(entry)).then(|| format!("{size} bytes, entries of {entry}"))
            }
            Text => (bytes.last() != Some(&0)).then(|| format!("a text of {size} bytes without a NUL")),
            Any => None,
        }
    }
}

/// Returns what is wrong with the answers to one number.
fn fault(name: &str, number: u32, known: bool, ask: &Ask<'_>) -> Option<String> {
    let mut size = 0;
    match ask(number, 0, null_mut(), &mut size) {
        Ok(()) if !known => return Some(format!("an answer of {size} bytes")),
        Ok(()) => {}
        Err(CallError::Failed { code, .. }) if known && REFUSALS.contains(&code) => return None,
        Err(CallError::Failed { code: PI_ERROR_INVALID_VALUE, .. }) if !known => return None,
        Err(error) => return Some(answer(error)),
    }
    // The places of binaries are read, and null means that a binary is not wanted.
    let untouched = if name == "PI_PROGRAM_INFO_BINARIES" { 0 } else { UNTOUCHED };
    let (mut room, mut reported) = (vec![untouched; size + 8], 0);
    let place = room.as_mut_ptr().cast();
    if let Err(error) = ask(number, size, place, &mut reported) {
        // An empty answer has no place.
        return (size != 0).then(|| format!("{size} bytes, and then {}", answer(error)));
    }
    if reported != size {
        return Some(format!("{size} bytes, and then {reported}"));
    }
    if room[size..].iter().any(|byte| *byte != untouched) {
        return Some(format!("more than {size} bytes written"));
    }
    if let Some(fault) = Answer::of(name).fault(&room[..size]) {
        return Some(fault);
    }
    let short = size.checked_sub(1)?;
    room.fill(untouched);
    match ask(number, short, room.as_mut_ptr().cast(), null_mut()) {
        Ok(()) => return Some(format!("an answer in {short} of {size} bytes")),
        Err(CallError::Failed { code: PI_ERROR_INVALID_VALUE | PI_ERROR_INVALID_BUFFER_SIZE, .. }) => {}
        Err(error) => return Some(format!("{short} of {size} bytes: {}", answer(error))),
    }
    room[short..].iter().any(|byte| *byte != untouched).then(|| format!("more than {short} bytes written"))
}

fn every_query(f: &Env) -> Verdict {
    if skip::is_through_ur() {
        // The bridge knows the numbers that it converts. UR-80 and UR-81 try an adapter's.
        return Err(Failure::skip(skip::NO_COUNTERPART));
    }
    let (context, queue, device) = (f.context()?, f.queue()?, f.device);
    let mem = f.blank(64)?;
    let profiling = there(f.profiling())?;
    let of_event = profiling.as_ref().map_or(queue, |queue| **queue);
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(of_event, 0, std::ptr::null(), out)));
    ok!(f, piEventsWait(1, &*event));
    let image = there(super::structures::image(f))?;
    let sampler = there(super::structures::sampler(f))?;
    let kernel = there(f.kernel(c"slow"))?;
    let usm = there(f.on_device(64))?;
    let mut queries: Vec<(&str, Ask<'_>)> = Vec::new();
    macro_rules! query {
        ($group:literal, $name:ident($($object:expr),*)) => {
            if f.pi.$name.is_some() {
                queries.push((
                    $group,
                    Box::new(move |number, size, value, ret| call!(f, $name($($object,)* number, size, value, ret))),
                ));
            }
        };
    }
    query!("_pi_platform_info", piPlatformGetInfo(f.platform));
    query!("_pi_device_info", piDeviceGetInfo(device));
    query!("_pi_context_info", piContextGetInfo(context));
    query!("_pi_queue_info", piQueueGetInfo(queue));
    let raw = *mem;
    query!("_pi_mem_info", piMemGetInfo(raw));
    let raw = *event;
    query!("_pi_event_info", piEventGetInfo(raw));
    query!("_pi_profiling_info", piEventGetProfilingInfo(raw));
    query!("_pi_peer_attr", piextPeerAccessGetInfo(device, device));
    if let Some(image) = &image {
        let raw = **image;
        query!("_pi_image_info", piMemImageGetInfo(raw));
    }
    if let Some(sampler) = &sampler {
        let raw = **sampler;
        query!("_pi_sampler_info", piSamplerGetInfo(raw));
    }
    if let Some(kernel) = &kernel {
        let (raw, program) = (**kernel, f.program()?);
        query!("_pi_program_info", piProgramGetInfo(program));
        query!("_pi_program_build_info", piProgramGetBuildInfo(program, device));
        query!("_pi_kernel_info", piKernelGetInfo(raw));
        query!("_pi_kernel_group_info", piKernelGetGroupInfo(raw, device));
        queries.push((
            "_pi_kernel_sub_group_info",
            Box::new(move |number, size, value, ret| {
                let local = [8_usize, 1, 1];
                let (given, start) = (size_of_val(&local), local.as_ptr().cast());
                call!(f, piKernelGetSubGroupInfo(raw, device, number, given, start, size, value, ret))
            }),
        ));
    }
    if let Some(usm) = &usm {
        let start: *const c_void = usm.ptr;
        query!("_pi_mem_alloc_info", piextUSMGetMemAllocInfo(context, start));
    }
    let (mut wrong, mut tried) = (Vec::new(), 0);
    for (group, ask) in &queries {
        for ((name, number), known) in enumeration(f, group)?.all() {
            // The last line of a worker that crashes says where.
            eprintln!("{name}");
            tried += 1;
            wrong.extend(fault(name, *number as u32, known, ask).map(|fault| format!("{name}: {fault}")));
        }
    }
    check("", tried > 150, "more than 150 numbers", tried)?;
    all_well("each number answered or refused", &wrong)
}

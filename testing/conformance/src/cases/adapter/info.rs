//! Info queries: UR's rules about sizes, codes and numbers.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr::{null, null_mut};

use sycl_pi_core::{PI_QUEUE_FLAG_PROFILING_ENABLE, pi_event};
use sycl_ur_core::*;

use super::handles::{adapter, calls};
use super::objects::Objects;
use crate::case::{Case, case};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::outcome::{Verdict, check, same};
use crate::values::{UrResult, ur_name};

pub(super) const CASES: &[Case] = &[
    case("UR-15", "urDeviceGetInfo", codes_of_bad_questions),
    case("UR-16", "urDeviceGetInfo", sizes_of_device_info),
    case("UR-17", "urDeviceGetInfo", numbers_without_meaning),
    case("UR-18", "urDeviceGetInfo", what_may_not_be_lacking),
    case("UR-85", "urDeviceGetInfo", what_follows_from_other_answers),
];

/// A query: name, size, value, and room for the size.
type Ask<'a> = &'a dyn Fn(u32, usize, *mut c_void, *mut usize) -> ur_result_t;

const UNKNOWN: [ur_result_t; 2] =
    [UR_RESULT_ERROR_INVALID_ENUMERATION, UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION];

/// Returns the code for a query with a size of zero. The header specifies another one for times.
fn no_room(name: &str) -> &'static [ur_result_t] {
    match name {
        "urEventGetProfilingInfo" => &[UR_RESULT_ERROR_INVALID_VALUE],
        _ => &[UR_RESULT_ERROR_INVALID_SIZE],
    }
}

fn badly(name: &str, good: u32, ask: Ask<'_>, wrong: &mut Vec<String>) {
    let mut size = 0;
    let code = ask(good, 0, null_mut(), &mut size);
    if code != UR_RESULT_SUCCESS {
        wrong.push(format!("{name}: a good question gives {}", ur_name(code)));
        return;
    }
    let mut room = vec![0_u64; size / 8 + 2];
    let place = room.as_mut_ptr().cast();
    let tries = [
        ("size 0 with a value", ask(good, 0, place, null_mut()), no_room(name)),
        ("one byte short", ask(good, size - 1, place, null_mut()), &[UR_RESULT_ERROR_INVALID_SIZE][..]),
        (
            "neither value nor size",
            ask(good, 0, null_mut(), null_mut()),
            &[UR_RESULT_ERROR_INVALID_NULL_POINTER],
        ),
        (
            "a size and no value",
            ask(good, size, null_mut(), null_mut()),
            &[UR_RESULT_ERROR_INVALID_NULL_POINTER],
        ),
        ("unknown number", ask(0x7fff_fff0, 64, place, &mut size), &UNKNOWN),
    ];
    for (what, code, expected) in tries {
        if !expected.contains(&code) {
            let expected: Vec<String> = expected.iter().map(|code| ur_name(*code)).collect();
            wrong.push(format!("{name}, {what}: {}, not {}", ur_name(code), expected.join(" or ")));
        }
    }
}

fn codes_of_bad_questions(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let objects = Objects::new(f)?;
    let queue = f.queue_in(f.context()?, f.device, PI_QUEUE_FLAG_PROFILING_ENABLE)?;
    let timed: pi_event = made!(f, |out| piEnqueueEventsWait(*queue, 0, null(), out));
    ok!(f, piEventsWait(1, &timed));
    let timed = f.own_event(timed);
    let adapter = adapter(calls)?;
    let of = |kind: &str| objects.of(kind);
    let mut wrong = Vec::new();
    macro_rules! ask {
        ($call:ident($($object:expr),*), $good:ident) => {
            // SAFETY: live objects, and enough room or a query that is refused.
            badly(stringify!($call), $good, &|name, size, value, place| unsafe {
                calls.$call($($object,)* name, size, value, place)
            }, &mut wrong)
        };
    }
    let (device, program, kernel) =
        (f.device.cast(), of("ur_program_handle_t") as _, of("ur_kernel_handle_t") as _);
    ask!(urAdapterGetInfo(adapter), UR_ADAPTER_INFO_BACKEND);
    ask!(urPlatformGetInfo(f.platform.cast()), UR_PLATFORM_INFO_NAME);
    ask!(urDeviceGetInfo(device), UR_DEVICE_INFO_TYPE);
    ask!(urContextGetInfo(of("ur_context_handle_t") as _), UR_CONTEXT_INFO_NUM_DEVICES);
    ask!(urQueueGetInfo(of("ur_queue_handle_t") as _), UR_QUEUE_INFO_CONTEXT);
    ask!(urMemGetInfo(of("ur_mem_handle_t") as _), UR_MEM_INFO_SIZE);
    ask!(urProgramGetInfo(program), UR_PROGRAM_INFO_NUM_DEVICES);
    ask!(urProgramGetBuildInfo(program, device), UR_PROGRAM_BUILD_INFO_STATUS);
    ask!(urKernelGetInfo(kernel), UR_KERNEL_INFO_FUNCTION_NAME);
    ask!(urKernelGetGroupInfo(kernel, device), UR_KERNEL_GROUP_INFO_WORK_GROUP_SIZE);
    ask!(urEventGetInfo(of("ur_event_handle_t") as _), UR_EVENT_INFO_CONTEXT);
    ask!(urEventGetProfilingInfo((*timed).cast()), UR_PROFILING_INFO_COMMAND_END);
    if of("ur_sampler_handle_t") != 0 {
        ask!(urSamplerGetInfo(of("ur_sampler_handle_t") as _), UR_SAMPLER_INFO_FILTER_MODE);
    }
    if let Ok(usm) = f.shared(64) {
        let (context, start) = (of("ur_context_handle_t") as _, usm.ptr.cast_const());
        ask!(urUSMGetMemAllocInfo(context, start), UR_USM_ALLOC_INFO_TYPE);
    }
    all_well("48, 49, 53 or 54", &wrong)
}

struct Row {
    number: u32,
    name: &'static str,
    encoding: &'static str,
    optional: bool,
}

/// Returns the queries in the layout's header.
fn rows(f: &Env) -> Verdict<Vec<Row>> {
    let layout = calls(f)?.layout().name();
    Ok(queries()
        .filter_map(|(row, layouts)| layouts.split_whitespace().any(|word| word == layout).then_some(row))
        .collect())
}

/// Returns the queries of all headers, each with its layouts.
fn queries() -> impl Iterator<Item = (Row, &'static str)> {
    let lines = include_str!("../../../device_info.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut words = line.splitn(5, ' ');
        let number = u32::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok()?;
        let (name, encoding, optional) = (words.next()?, words.next()?, words.next()? == "optional");
        Some((Row { number, name, encoding, optional }, words.next()?))
    })
}

fn ask(f: &Env, number: u32) -> Verdict<Result<Vec<u8>, ur_result_t>> {
    let (calls, device, mut size) = (calls(f)?, f.device.cast(), 0);
    // SAFETY: a live device, and as much room as the adapter reports.
    unsafe {
        let code = calls.urDeviceGetInfo(device, number, 0, null_mut(), &mut size);
        if code != UR_RESULT_SUCCESS {
            return Ok(Err(code));
        }
        let mut bytes = vec![0xa5_u8; size + 16];
        let code = calls.urDeviceGetInfo(device, number, size, bytes.as_mut_ptr().cast(), null_mut());
        let clean = bytes.iter().skip(size).all(|byte| *byte == 0xa5);
        check(&format!("number {number:#x}"), clean, "nothing past the answer", "bytes changed")?;
        bytes.truncate(size);
        Ok(if code == UR_RESULT_SUCCESS { Ok(bytes) } else { Err(code) })
    }
}

fn sizes_of_device_info(f: &Env) -> Verdict {
    let mut wrong = Vec::new();
    for Row { number, name, encoding, .. } in rows(f)? {
        match ask(f, number)? {
            Err(code) if UNKNOWN.contains(&code) => {}
            Err(code) => wrong.push(format!("{name}: {}", ur_name(code))),
            Ok(bytes) => {
                let (size, last) = (bytes.len(), bytes.last().copied());
                let well = match encoding {
                    "bool" => matches!(bytes[..], [0 | 1]),
                    "bytes4" => size == 4,
                    "bytes8" => size == 8,
                    "bytes24" => size == 24,
                    "list4" => size % 4 == 0,
                    "list8" => size % 8 == 0,
                    "text" => last == Some(0) && !bytes[..size - 1].contains(&0),
                    _ => true,
                };
                if !well {
                    wrong.push(format!("{name} ({number:#x}): {size} bytes, which is no {encoding}"));
                }
            }
        }
    }
    all_well("the encoding that the layout's header has", &wrong)
}

/// Numbers that a layout may have, with some around them.
const RANGES: [Range<u32>; 11] = [
    0..256,
    0x1000..0x1010,
    0x1110..0x1114,
    0x2000..0x20b0,
    0x3000..0x3004,
    0x4000..0x4004,
    0x5000..0x5004,
    0x6000..0x6008,
    0x7000..0x7004,
    0x8000..0x8004,
    0x9000..0x9004,
];

fn numbers_without_meaning(f: &Env) -> Verdict {
    let rows = rows(f)?;
    let mut wrong = Vec::new();
    for number in RANGES.into_iter().flatten().filter(|number| rows.iter().all(|row| row.number != *number)) {
        match ask(f, number)? {
            Err(code) if UNKNOWN.contains(&code) => {}
            Err(code) => wrong.push(format!("{number:#x}: {}", ur_name(code))),
            Ok(bytes) => wrong.push(format!("{number:#x}: an answer of {} bytes", bytes.len())),
        }
    }
    all_well(
        "UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION or UR_RESULT_ERROR_INVALID_ENUMERATION for a number that the layout does not have",
        &wrong,
    )
}

fn what_may_not_be_lacking(f: &Env) -> Verdict {
    let mut wrong = Vec::new();
    for row in rows(f)?.iter().filter(|row| !row.optional && !row.name.ends_with("_EXP")) {
        if let Err(code) = ask(f, row.number)? {
            wrong.push(format!("{} ({:#x}): {}", row.name, row.number, ur_name(code)));
        }
    }
    all_well("an answer to what is not marked as optional", &wrong)
}

/// Returns the answer to a query as a number, if the layout has the query and the device answers it.
fn number(f: &Env, number: u32) -> Verdict<Option<u64>> {
    if rows(f)?.iter().all(|row| row.number != number) {
        return Ok(None);
    }
    let mut word = [0; 8];
    Ok(ask(f, number)?.ok().and_then(|bytes| {
        word.get_mut(..bytes.len())?.copy_from_slice(&bytes);
        Some(u64::from_ne_bytes(word))
    }))
}

fn what_follows_from_other_answers(f: &Env) -> Verdict {
    let units = match [UR_DEVICE_INFO_GPU_EU_SLICES, UR_DEVICE_INFO_GPU_SUBSLICES_PER_SLICE]
        .map(|query| number(f, query))
    {
        [Ok(Some(slices)), Ok(Some(of_each))] => Some(slices * of_each),
        _ => number(f, UR_DEVICE_INFO_MAX_COMPUTE_UNITS)?,
    };
    if let Some(counted) = number(f, UR_DEVICE_INFO_NUM_COMPUTE_UNITS)? {
        same("compute units", units, Some(counted))?;
    }
    let is_gpu = number(f, UR_DEVICE_INFO_TYPE)? == Some(UR_DEVICE_TYPE_GPU.into());
    let is_of_host = number(f, UR_DEVICE_INFO_HOST_UNIFIED_MEMORY)? == Some(1);
    if let Some(is_integrated) = number(f, UR_DEVICE_INFO_IS_INTEGRATED_GPU)? {
        same("an integrated GPU", is_gpu && is_of_host, is_integrated == 1)?;
    }
    importable_handles(f)
}

/// On Linux, memory is imported by a file descriptor, and not by a handle of Windows.
fn importable_handles(f: &Env) -> Verdict {
    let can_import = number(f, UR_DEVICE_INFO_EXTERNAL_MEMORY_IMPORT_SUPPORT_EXP)? == Some(1);
    for (kind, expected) in
        [(UR_EXP_EXTERNAL_MEM_TYPE_OPAQUE_FD, can_import), (UR_EXP_EXTERNAL_MEM_TYPE_WIN32_NT, false)]
    {
        let (calls, mut answer) = (calls(f)?, 7);
        if calls.urBindlessImagesSupportsImportingHandleTypeExp.is_none() {
            return Ok(());
        }
        // SAFETY: a live device, and room for a truth value.
        let code = unsafe {
            calls.urBindlessImagesSupportsImportingHandleTypeExp(f.device.cast(), kind, &mut answer)
        };
        same(
            "code, and whether it is imported",
            (UrResult(0), u8::from(expected)),
            (UrResult(code), answer),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise an adapter that answers the number in other layouts would pass.
    #[test]
    fn ur_17_tries_every_number_that_some_layout_has() {
        let has_range = |number| RANGES.iter().any(|range| range.contains(&number));
        let without: Vec<_> =
            queries().filter(|(row, _)| !has_range(row.number)).map(|(row, _)| row.name).collect();
        assert!(queries().count() > 200 && without.is_empty(), "{without:?}");
    }
}

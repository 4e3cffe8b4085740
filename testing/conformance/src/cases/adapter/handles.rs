//! The adapter's own handle, the first words of handles, and the message of the last failure.

use std::ffi::CStr;
use std::ptr::{null, null_mut};
use std::sync::OnceLock;

use sycl_ur_core::*;
use testing_ur_host::{Calls, Layout};

use super::objects::Objects;
use crate::case::{Case, case};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check, same, same_code};
use crate::skip;
use crate::values::ur_name;
use crate::values::{InWords, UrResult};

pub(super) const CASES: &[Case] = &[
    case("UR-07", "urAdapterGet", adapters),
    case("UR-08", "urAdapterGetInfo", adapter_info),
    case("UR-09", "urAdapterRetain", adapter_counts),
    case("UR-10", "urQueueCreate", first_words),
    case("UR-11", "urAdapterGetLastError", texts),
    case("UR-12", "urAdapterGetLastError", texts_of_threads),
    case("UR-13", "urPlatformGetApiVersion", api_version),
    case("UR-14", "urQueueCreate", structure_types),
];

pub(super) fn calls(f: &Env) -> Verdict<&'static Calls> {
    Ok(&f.ur()?.connection.calls)
}

/// Returns the adapter's handle, with a reference that is never released.
pub(super) fn adapter(calls: &Calls) -> Verdict<ur_adapter_handle_t> {
    let mut handle = null_mut();
    // SAFETY: room for one handle.
    let code = unsafe { calls.urAdapterGet(1, &mut handle, null_mut()) };
    same_code("urAdapterGet", UR_RESULT_SUCCESS, code)?;
    Ok(handle)
}

/// Returns the message of this thread's last failure.
pub(super) fn last_text(f: &Env) -> Verdict<String> {
    static ADAPTER: OnceLock<usize> = OnceLock::new();
    let calls = calls(f)?;
    let adapter = match ADAPTER.get() {
        Some(adapter) => *adapter,
        None => *ADAPTER.get_or_init(|| adapter(calls).map_or(0, |adapter| adapter as usize)),
    };
    let (mut message, mut error) = (null(), 0);
    // SAFETY: room for a text and a number.
    let code = unsafe { calls.urAdapterGetLastError(adapter as _, &mut message, &mut error) };
    let is_answer = [UR_RESULT_SUCCESS, UR_RESULT_ERROR_ADAPTER_SPECIFIC].contains(&code);
    if !is_answer || message.is_null() {
        return Ok(String::new());
    }
    // SAFETY: the adapter's string, which is valid until this thread's next call.
    Ok(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
}

fn adapters(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let (mut count, mut handles) = (0, [null_mut(); 3]);
    // SAFETY: room for a number and handles, or none.
    unsafe {
        same_code("(0, null, &n)", UR_RESULT_SUCCESS, calls.urAdapterGet(0, null_mut(), &mut count))?;
        same("adapters", 1, count)?;
        count = 0;
        // As the loader asks if there are several adapters.
        same_code("(1, null, &n)", UR_RESULT_SUCCESS, calls.urAdapterGet(1, null_mut(), &mut count))?;
        same("adapters", 1, count)?;
        count = 0;
        let code = calls.urAdapterGet(3, handles.as_mut_ptr(), &mut count);
        same("(3, array, &n)", (UrResult(UR_RESULT_SUCCESS), 1), (UrResult(code), count))?;
        check(
            "(3, array, &n)",
            !handles[0].is_null() && handles[1].is_null(),
            "one handle",
            handles.in_words(),
        )?;
        same_code(
            "(1, array, null)",
            UR_RESULT_SUCCESS,
            calls.urAdapterGet(1, handles.as_mut_ptr(), null_mut()),
        )?;
        same_code(
            "(0, array, null)",
            UR_RESULT_ERROR_INVALID_SIZE,
            calls.urAdapterGet(0, handles.as_mut_ptr(), null_mut()),
        )?;
    }
    Ok(())
}

fn adapter_info(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let (adapter, mut value, mut size) = (adapter(calls)?, 0_u32, 0);
    let since = [
        (UR_ADAPTER_INFO_BACKEND, Layout::V2025_0),
        (UR_ADAPTER_INFO_REFERENCE_COUNT, Layout::V2025_0),
        (UR_ADAPTER_INFO_VERSION, Layout::V2025_1),
    ];
    for (name, since) in since {
        // SAFETY: room for a number of 32 bits.
        let code = unsafe { calls.urAdapterGetInfo(adapter, name, 4, (&raw mut value).cast(), &mut size) };
        if calls.layout() < since {
            let unknown = [UR_RESULT_ERROR_INVALID_ENUMERATION, UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION];
            check(
                &format!("number {name}"),
                unknown.contains(&code),
                "UR_RESULT_ERROR_INVALID_ENUMERATION or UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION before its layout",
                ur_name(code),
            )?;
        } else {
            same(
                &format!("number {name}: code, size"),
                (UrResult(UR_RESULT_SUCCESS), 4),
                (UrResult(code), size),
            )?;
        }
        if name == UR_ADAPTER_INFO_BACKEND {
            let names = [(1, "level_zero"), (2, "opencl"), (3, "cuda")];
            let named = names.iter().find(|(number, _)| *number == value).map_or("", |(_, name)| name);
            same("backend", f.backend.name(), named)?;
        }
    }
    Ok(())
}

fn adapter_counts(f: &Env) -> Verdict {
    let calls = calls(f)?;
    let adapter = adapter(calls)?;
    let count = || -> Verdict<u32> {
        let mut value = 0_u32;
        let place = (&raw mut value).cast();
        let code =
            // SAFETY: room for a number of 32 bits.
            unsafe { calls.urAdapterGetInfo(adapter, UR_ADAPTER_INFO_REFERENCE_COUNT, 4, place, null_mut()) };
        same_code("urAdapterGetInfo(REFERENCE_COUNT)", UR_RESULT_SUCCESS, code)?;
        Ok(value)
    };
    let before = count()?;
    // SAFETY: a live adapter.
    same_code("urAdapterRetain", UR_RESULT_SUCCESS, unsafe { calls.urAdapterRetain(adapter) })?;
    same("count after urAdapterRetain", before + 1, count()?)?;
    let again = self::adapter(calls)?;
    same("handle", adapter, again)?;
    same("count after urAdapterGet", before + 2, count()?)?;
    for _ in 0..2 {
        // SAFETY: the case owns the references.
        same_code("urAdapterRelease", UR_RESULT_SUCCESS, unsafe { calls.urAdapterRelease(adapter) })?;
    }
    same("count after two releases", before, count()?)
}

/// From 2025.3 on the loader of several adapters reads its own tables from the first word of each handle.
fn first_words(f: &Env) -> Verdict {
    let ur = f.ur()?;
    if ur.connection.calls.layout() < Layout::V2025_3 {
        return Err(Failure::skip(skip::NOT_IN_LAYOUT));
    }
    let (objects, block) = (Objects::new(f)?, ur.connection.block.as_ptr() as usize);
    let mut wrong = Vec::new();
    for (kind, handle) in objects.all() {
        // SAFETY: a live handle, of which the loader reads one word, too.
        let first = unsafe { *(*handle as *const usize) };
        if first != block {
            wrong.push(format!("{kind}: {first:#x}"));
        }
    }
    all_well(&format!("the loader's tables, {block:#x}, as the first word"), &wrong)
}

fn texts(f: &Env) -> Verdict {
    let calls = calls(f)?;
    // SAFETY: a null handle, which is refused.
    let code = unsafe { calls.urQueueFinish(null_mut()) };
    same_code("urQueueFinish(null)", UR_RESULT_ERROR_INVALID_NULL_HANDLE, code)?;
    let text = last_text(f)?;
    check("", text.contains("urQueueFinish"), "a text that names urQueueFinish", &text)?;
    // SAFETY: the same as above.
    unsafe { calls.urContextRetain(null_mut()) };
    let text = last_text(f)?;
    check("", text.contains("urContextRetain"), "a text that names urContextRetain", &text)
}

fn texts_of_threads(f: &Env) -> Verdict {
    let calls = calls(f)?;
    // SAFETY: a null handle, which is refused.
    unsafe { calls.urQueueFinish(null_mut()) };
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            // SAFETY: the same as above.
            unsafe { calls.urContextRetain(null_mut()) };
        });
        // A panic in the thread would leave no message to compare.
        let _ = other.join();
    });
    let text = last_text(f)?;
    check("", text.contains("urQueueFinish"), "this thread's own text", text)
}

fn api_version(f: &Env) -> Verdict {
    let (calls, mut version) = (calls(f)?, 0);
    // SAFETY: a live platform and room for a number.
    let code = unsafe { calls.urPlatformGetApiVersion(f.platform.cast(), &mut version) };
    let expected = (UR_RESULT_SUCCESS, calls.layout().api_version());
    same("code and version", expected, (code, version))
}

/// Runtimes leave `stype` at 0, or at another structure's number.
fn structure_types(f: &Env) -> Verdict {
    let (calls, context) = (calls(f)?, f.context()?.cast());
    for stype in [0, UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, UR_STRUCTURE_TYPE_USM_DESC] {
        let properties = ur_queue_properties_t { stype, pNext: null_mut(), flags: 0 };
        let mut queue = null_mut();
        // SAFETY: live handles and a complete structure.
        let code = unsafe { calls.urQueueCreate(context, f.device.cast(), &properties, &mut queue) };
        same_code(&format!("urQueueCreate, stype {stype}"), UR_RESULT_SUCCESS, code)?;
        // SAFETY: the queue that was just created.
        unsafe { calls.urQueueRelease(queue) };
        let desc = ur_usm_desc_t { stype, pNext: null(), hints: 0, align: 0 };
        let mut start = null_mut();
        // SAFETY: the same as above.
        let code = unsafe { calls.urUSMHostAlloc(context, &desc, null_mut(), 64, &mut start) };
        if code != UR_RESULT_ERROR_UNSUPPORTED_FEATURE {
            same_code(&format!("urUSMHostAlloc, stype {stype}"), UR_RESULT_SUCCESS, code)?;
            // SAFETY: the allocation that was just created.
            unsafe { calls.urUSMFree(context, start) };
        }
        let (mut device, mut made) = (f.device.cast(), null_mut());
        let properties = ur_context_properties_t { stype, pNext: null_mut(), flags: 0 };
        // SAFETY: the same as above.
        let code = unsafe { calls.urContextCreate(1, &raw mut device, &properties, &mut made) };
        same_code(&format!("urContextCreate, stype {stype}"), UR_RESULT_SUCCESS, code)?;
        // SAFETY: the context that was just created.
        unsafe { calls.urContextRelease(made) };
    }
    let mut queue = null_mut();
    // SAFETY: live handles, without properties.
    let code = unsafe { calls.urQueueCreate(context, f.device.cast(), null(), &mut queue) };
    same_code("urQueueCreate without properties", UR_RESULT_SUCCESS, code)?;
    // SAFETY: the queue that was just created.
    unsafe { calls.urQueueRelease(queue) };
    Ok(())
}

//! What a client asks of the loader itself. Intel's adapters from 2025.2 on bring a part of the loader along that works with
//! loader 1.15.17 and later, which Debian 12 has not. For them this library takes the loader's place: under the name
//! `libze_loader.so.1`, with all its functions under their own names. With one driver a loader passes each call on as it is.

use std::ffi::{c_char, c_void};

use level_zero_sys::*;

use crate::caller::{put_name, write};
use crate::config::config;

/// `zel_component_version_t`: a part of the loader, the specification that it knows, and its version.
#[repr(C)]
pub(crate) struct Component {
    name: [c_char; 64],
    spec: ze_api_version_t,
    major: i32,
    minor: i32,
    patch: i32,
}

/// The loader's version that clients are told; the major number is 1.
const MINOR: i32 = 20;

fn result(answer: crate::entry::Answer) -> ze_result_t {
    answer.err().unwrap_or(ZE_RESULT_SUCCESS)
}

/// Loads drivers: there is the one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zeLoaderInit() -> ze_result_t {
    ZE_RESULT_SUCCESS
}

/// The library that traces calls: there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zeLoaderGetTracingHandle() -> *mut c_void {
    std::ptr::null_mut()
}

/// The loader's parts.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zelLoaderGetVersionsInternal(
    num_elems: *mut usize,
    versions: *mut Component,
) -> ze_result_t {
    if versions.is_null() {
        return result(write(num_elems, 1));
    }
    let spec = ze_api_version_t(1 << 16 | config().api_minor & 0xffff);
    let mut loader = Component { name: [0; 64], spec, major: 1, minor: MINOR, patch: 0 };
    put_name(&mut loader.name, "loader");
    result(write(versions, loader).and_then(|()| write(num_elems, 1)))
}

/// Leaves out drivers of kinds that are not wanted: the one stays.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zelLoaderDriverCheck() -> ze_result_t {
    ZE_RESULT_SUCCESS
}

/// Functions that set up tracing: none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zelGetTracerApiProcAddrTable() -> ze_result_t {
    ZE_RESULT_SUCCESS
}

/// The driver's handle for a handle of the loader's: the same.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zelLoaderTranslateHandleInternal(
    _kind: u32,
    handle: *mut c_void,
    translated: *mut *mut c_void,
) -> ze_result_t {
    result(write(translated, handle))
}

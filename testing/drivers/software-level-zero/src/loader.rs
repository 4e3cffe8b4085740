//! The loader's own functions. Intel's adapters from 2025.2 on contain a part of the loader that needs loader
//! 1.15.17 or later, which Debian 12 does not have. For them this library replaces the loader: with the name
//! `libze_loader.so.1`, and all its functions under their own names. With a single driver a loader passes each call on
//! unchanged.

use std::ffi::{c_char, c_void};

use level_zero_sys::*;

use crate::caller::{put_name, write};
use crate::config::config;

/// `zel_component_version_t`: a part of the loader, the specification that it supports, and its version.
#[repr(C)]
pub(crate) struct Component {
    name: [c_char; 64],
    spec: ze_api_version_t,
    major: i32,
    minor: i32,
    patch: i32,
}

/// The reported minor version of the loader. The major version is 1.
const MINOR: i32 = 20;

fn result(answer: crate::entry::Answer) -> ze_result_t {
    answer.err().unwrap_or(ZE_RESULT_SUCCESS)
}

/// Loads drivers. There is only this one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zeLoaderInit() -> ze_result_t {
    ZE_RESULT_SUCCESS
}

/// Returns the library that traces calls. There is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zeLoaderGetTracingHandle() -> *mut c_void {
    std::ptr::null_mut()
}

/// Returns the loader's parts.
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

/// Removes drivers of unwanted kinds. The only driver remains.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zelLoaderDriverCheck() -> ze_result_t {
    ZE_RESULT_SUCCESS
}

/// Returns the functions that set up tracing. There are none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zelGetTracerApiProcAddrTable() -> ze_result_t {
    ZE_RESULT_SUCCESS
}

/// Translates a handle of the loader to the driver's, which is the same.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn zelLoaderTranslateHandleInternal(
    _kind: u32,
    handle: *mut c_void,
    translated: *mut *mut c_void,
) -> ze_result_t {
    result(write(translated, handle))
}

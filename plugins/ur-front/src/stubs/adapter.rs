//! The adapter itself, one object per loader.

use sycl_pi_backend::fence;

use super::prelude::*;
use crate::adapter::{self, Adapter};
use crate::logs;

#[entry]
pub unsafe extern "C" fn urAdapterGet<B: Backend>(
    NumEntries: u32, phAdapters: *mut ur_adapter_handle_t, pNumAdapters: *mut u32,
) -> Result<()> {
    // SAFETY: the list has room for as many entries as the caller states.
    unsafe { adapter::write(0, NumEntries, phAdapters, pNumAdapters) }
}

#[entry]
pub unsafe extern "C" fn urAdapterRetain<B: Backend>(hAdapter: ur_adapter_handle_t) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    adapter::retain(unsafe { adapter(hAdapter)? });
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urAdapterGetInfo<B: Backend>(
    hAdapter: ur_adapter_handle_t, propName: ur_adapter_info_t, propSize: usize, pPropValue: *mut c_void,
    pPropSizeRet: *mut usize,
) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    let adapter = unsafe { adapter(hAdapter)? };
    // SAFETY: the answer's buffer has the size that the caller states.
    let answer = unsafe { Answer::new(propSize, pPropValue, pPropSizeRet)? };
    match propName {
        UR_ADAPTER_INFO_BACKEND => answer.value(crate::encode::backend(B::interface())),
        UR_ADAPTER_INFO_REFERENCE_COUNT => answer.value(Adapter::reference_count(adapter)),
        UR_ADAPTER_INFO_VERSION if adapter.origin.layout >= Layout::V2025_1 => answer.value(1_u32),
        _ => Err(unknown_query(propName, false)),
    }
}

#[entry]
pub unsafe extern "C" fn urAdapterSetLoggerCallback<B: Backend>(
    hAdapter: ur_adapter_handle_t, pfnLoggerCallback: ur_logger_callback_t, pUserData: *mut c_void,
    level: ur_logger_level_t,
) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    let adapter = unsafe { adapter(hAdapter)? };
    let function = pfnLoggerCallback.ok_or_else(|| null_pointer("pfnLoggerCallback"))?;
    logs::set_callback(adapter.origin.word, function, pUserData, logs::level_filter(level)?);
    Ok(())
}

#[entry]
pub unsafe extern "C" fn urAdapterSetLoggerCallbackLevel<B: Backend>(
    hAdapter: ur_adapter_handle_t, level: ur_logger_level_t,
) -> Result<()> {
    // SAFETY: `hAdapter` is null or a live handle.
    logs::set_callback_level(unsafe { adapter(hAdapter)? }.origin.word, logs::level_filter(level)?);
    Ok(())
}

/// The C function of the same name.
///
/// After a call that returned `UR_RESULT_ERROR_ADAPTER_SPECIFIC`, it returns the same code, because libsycl of 2025.0.5
/// treats a success as a warning and ignores the failure.
///
/// # Safety
///
/// Pointers must be null or point to what their parameters name.
pub unsafe extern "C" fn urAdapterGetLastError<B: Backend>(
    hAdapter: ur_adapter_handle_t, ppMessage: *mut *const c_char, pError: *mut i32,
) -> ur_result_t {
    const NAME: &str = "urAdapterGetLastError";
    let (code, text) = sycl_pi_backend::last_error::get();
    let asked = fence::call(NAME, crate::parameters::named, || {
        // SAFETY: the caller of a C function guarantees its pointers.
        unsafe {
            adapter(hAdapter)?;
            address(pError, "pError")?;
            put(ppMessage, "ppMessage", || Ok(text))?;
            put(pError, "pError", || Ok(code.0))
        }
    });
    match convert::result(code) {
        UR_RESULT_ERROR_ADAPTER_SPECIFIC if asked == ErrorCode::SUCCESS => UR_RESULT_ERROR_ADAPTER_SPECIFIC,
        _ => convert::result(asked),
    }
}

/// The C function of the same name. It may also be called after the last release, and then returns an error.
///
/// # Safety
///
/// `adapter_handle` must be null or a handle from an adapter.
pub unsafe extern "C" fn urAdapterRelease<B: Backend>(adapter_handle: ur_adapter_handle_t) -> ur_result_t {
    convert::result(fence::call_at_any_time("urAdapterRelease", || {
        // SAFETY: the caller of a C function guarantees its pointers.
        adapter::release::<B>(unsafe { adapter(adapter_handle)? })
    }))
}

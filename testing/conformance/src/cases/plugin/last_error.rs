//! `piPluginGetLastError`.

use std::ffi::{CStr, c_char};
use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::CallError;

use crate::case::{Case, alone, case};
use crate::env::Env;
use crate::outcome::{Failure, VALUE, Verdict, check};

pub(super) const CASES: &[Case] = &[
    // After a query for a message, later messages may be stored in another way.
    alone("LD-08", "piPluginGetLastError", text_of_a_failure),
    case("LD-09", "piPluginGetLastError", null_out),
    case("LD-11", "piPluginGetLastError", no_exception_leaves),
];

/// Returns the current message, or `None` if the plugin answers that there is none.
fn text(f: &Env) -> Verdict<Option<String>> {
    let mut message: *mut c_char = null_mut();
    match call!(f, piPluginGetLastError(&mut message)) {
        Err(error @ CallError::Missing { .. }) => return Err(Failure::from(error)),
        _ if message.is_null() => return Ok(None),
        _ => {}
    }
    // SAFETY: the plugin's string, which is not null.
    Ok(Some(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()))
}

fn text_of_a_failure(f: &Env) -> Verdict {
    let failed = call!(f, piQueueFinish(null_mut()));
    check("piQueueFinish", failed.is_err(), "an error", "PI_SUCCESS")?;
    let plugin_specific = failed.is_err_and(|error| error.code() == Some(PI_ERROR_PLUGIN_SPECIFIC_ERROR));
    let text = text(f)?;
    if f.strict {
        let reported = text.unwrap_or_default();
        check("", reported.contains("QueueFinish"), "a text that names the call", reported)
    } else {
        check("", !plugin_specific || text.is_some(), "a text", "none")
    }
}

fn null_out(f: &Env) -> Verdict {
    // Its own answer has no message, so that only the code matters.
    match call!(f, piPluginGetLastError(null_mut())) {
        Ok(()) => Err(Failure::fail("", "PI_ERROR_INVALID_VALUE", "PI_SUCCESS")),
        Err(CallError::Failed { code: PI_ERROR_INVALID_VALUE, .. }) => Ok(()),
        Err(error) => Err(Failure::from(error)),
    }
}

/// Sizes that no allocation inside a plugin can hold are reported as codes.
fn no_exception_leaves(f: &Env) -> Verdict {
    let context = f.context()?;
    let devices = [f.device; 1];
    let mut out = null_mut();
    let huge = call!(
        f,
        piMemBufferCreate(
            context,
            PI_MEM_FLAGS_ACCESS_RW,
            usize::MAX - 4096,
            null_mut(),
            &mut out,
            std::ptr::null()
        )
    );
    check("piMemBufferCreate", huge.is_err(), "a refusal of SIZE_MAX bytes", "PI_SUCCESS")?;
    let mut created = null_mut();
    refused!(
        f,
        piContextCreate(std::ptr::null(), 0, devices.as_ptr(), None, null_mut(), &mut created),
        VALUE
    );
    Ok(())
}

//! The fence around every entry point: no panic leaves, no call reaches a driver after tear-down.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use sycl_pi_core::*;

use crate::api::Objects;
use crate::{Error, Result, last_error};

/// Set by the last `piTearDown`, cleared by the next `piPluginInit`.
static TORN_DOWN: AtomicBool = AtomicBool::new(false);
/// Runtimes in this process that initialised the plugin and have not torn it down: one process may hold several.
static RUNTIMES: AtomicU32 = AtomicU32::new(0);

/// Runs the body of the entry point `name`; errors and panics become codes with a last-error text.
#[inline(always)]
pub fn call<B: Objects>(name: &'static str, body: impl FnOnce() -> Result<()>) -> pi_result {
    if !B::REFUSES_AFTER_TEAR_DOWN && is_torn_down() {
        return after_tear_down(name);
    }
    guard(name, body)
}

/// Whether the last runtime has torn the plugin down, and none has initialised it since.
#[inline(always)]
pub fn is_torn_down() -> bool {
    TORN_DOWN.load(Ordering::SeqCst)
}

/// The error of a call after tear-down.
#[cold]
pub fn torn_down() -> Error {
    Error::new(PI_ERROR_UNINITIALIZED, "called after piTearDown: the plugin has let go of its driver")
}

/// Runs `piPluginInit`, which may also follow a tear-down; on success this runtime counts as attached.
pub fn init(name: &'static str, body: impl FnOnce() -> Result<()>) -> pi_result {
    let result = guard(name, body);
    if result == PI_SUCCESS {
        RUNTIMES.fetch_add(1, Ordering::Relaxed);
        TORN_DOWN.store(false, Ordering::SeqCst);
    }
    result
}

#[inline(always)]
fn guard(name: &'static str, body: impl FnOnce() -> Result<()>) -> pi_result {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => PI_SUCCESS,
        Ok(Err(error)) => failed(name, error),
        Err(panic) => panicked(name, panic),
    }
}

/// As C functions these let no panic out of a stub, which then needs no landing pad.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this library only")]
extern "C" fn failed(name: &'static str, error: Error) -> pi_result {
    let code = error.code();
    let record = move || {
        // Objects that outlive the plugin (statics of the program, say) are let go quietly.
        if code == PI_ERROR_UNINITIALIZED && is_torn_down() && lets_go(name) {
            return PI_SUCCESS;
        }
        last_error::record(name, &error);
        code
    };
    catch_unwind(AssertUnwindSafe(record)).unwrap_or_else(|panic| {
        std::mem::forget(panic);
        code
    })
}

#[cold]
#[inline(never)]
fn panicked(name: &'static str, panic: Box<dyn Any + Send>) -> pi_result {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => *text,
        (_, Some(text)) => text.as_str(),
        _ => "no text",
    };
    let error =
        Error::new(PI_ERROR_UNKNOWN, format!("internal error of the plugin, please report it: {text}"));
    last_error::record(name, &error);
    // The payload's own destructor may panic too; it is not worth a process.
    std::mem::forget(panic);
    PI_ERROR_UNKNOWN
}

/// Whether a call may follow tear-down: it only takes leave.
fn lets_go(name: &str) -> bool {
    ["Release", "Retain", "Free", "piTearDown", "piPluginGetLastError"].iter().any(|end| name.ends_with(end))
}

/// Anything but taking leave is an error.
#[cold]
#[inline(never)]
#[allow(improper_ctypes_definitions, reason = "called from this library only")]
extern "C" fn after_tear_down(name: &'static str) -> pi_result {
    failed(name, torn_down())
}

/// A runtime is done with the plugin. True for the last one, after which no call reaches the driver.
pub fn detach() -> bool {
    let left =
        RUNTIMES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |runtimes| runtimes.checked_sub(1));
    let last = matches!(left, Ok(1) | Err(_));
    if last {
        TORN_DOWN.store(true, Ordering::SeqCst);
    }
    last
}

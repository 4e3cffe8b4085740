//! The fence around every entry point: no panic leaves, no call runs after tear-down.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use pi_core::*;

use crate::{Error, Result, last_error};

/// Set by the last `piTearDown`, cleared by the next `piPluginInit`.
static TORN_DOWN: AtomicBool = AtomicBool::new(false);
/// Runtimes in this process that initialised the plugin and have not torn it down: one process may hold several.
static RUNTIMES: AtomicU32 = AtomicU32::new(0);

/// Runs the body of the entry point `name`; errors and panics become codes with a last-error text.
#[inline(always)]
pub fn call(name: &'static str, body: impl FnOnce() -> Result<()>) -> pi_result {
    if TORN_DOWN.load(Ordering::Relaxed) {
        return after_tear_down(name);
    }
    guard(name, body)
}

/// Runs `piPluginInit`, which may also follow a tear-down; on success this runtime counts as attached.
pub fn init(name: &'static str, body: impl FnOnce() -> Result<()>) -> pi_result {
    let result = guard(name, body);
    if result == PI_SUCCESS {
        RUNTIMES.fetch_add(1, Ordering::Relaxed);
        TORN_DOWN.store(false, Ordering::Relaxed);
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

#[cold]
#[inline(never)]
fn failed(name: &'static str, error: Error) -> pi_result {
    last_error::record(name, &error);
    error.code()
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

/// Objects that outlive the plugin (statics of the program, say) are let go quietly; anything else is an error.
#[cold]
#[inline(never)]
fn after_tear_down(name: &'static str) -> pi_result {
    if ["Release", "Retain", "Free", "piTearDown", "piPluginGetLastError"]
        .iter()
        .any(|end| name.ends_with(end))
    {
        return PI_SUCCESS;
    }
    failed(
        name,
        Error::new(PI_ERROR_UNINITIALIZED, "called after piTearDown: the plugin has let go of its driver"),
    )
}

/// A runtime is done with the plugin. True for the last one, after which no call reaches the driver.
pub fn detach() -> bool {
    let left =
        RUNTIMES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |runtimes| runtimes.checked_sub(1));
    let last = matches!(left, Ok(1) | Err(_));
    if last {
        TORN_DOWN.store(true, Ordering::Relaxed);
    }
    last
}

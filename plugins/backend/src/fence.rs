//! The panic fence around every entry point: no panic leaves it, and no call reaches a driver after tear-down.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::types::ErrorCode;
use crate::{Error, Result, last_error};

/// Set when the last runtime tears the library down, cleared when the next one initialises it.
static TORN_DOWN: AtomicBool = AtomicBool::new(false);
/// Runtimes in this process that initialised the library and have not torn it down: one process may hold several.
static RUNTIMES: AtomicU32 = AtomicU32::new(0);

/// Runs the body of the entry point `name`; errors and panics become codes with a last-error text.
#[inline(always)]
pub fn call(name: &'static str, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    if is_torn_down() {
        return after_tear_down(name);
    }
    guard(name, body)
}

/// As [`call`], for what may also run before a runtime is attached and after the last one is done.
pub fn call_at_any_time(name: &'static str, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    guard(name, body)
}

/// Whether the last runtime has torn the library down, and none has initialised it since.
#[inline(always)]
pub fn is_torn_down() -> bool {
    TORN_DOWN.load(Ordering::SeqCst)
}

/// The error of a call after tear-down.
#[cold]
pub fn torn_down() -> Error {
    Error::new(ErrorCode::UNINITIALIZED, "called after tear-down: the library has closed its driver")
}

/// Runs an initialisation, which may also follow a tear-down. On success this runtime counts as attached.
pub fn init(name: &'static str, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    let result = guard(name, body);
    if result == ErrorCode::SUCCESS {
        RUNTIMES.fetch_add(1, Ordering::Relaxed);
        TORN_DOWN.store(false, Ordering::SeqCst);
    }
    result
}

#[inline(always)]
fn guard(name: &'static str, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => ErrorCode::SUCCESS,
        Ok(Err(error)) => failed(name, error),
        Err(panic) => panicked(name, panic),
    }
}

#[cold]
#[inline(never)]
fn failed(name: &'static str, error: Error) -> ErrorCode {
    let code = error.code();
    let record = move || {
        // Objects that outlive the library, such as statics of the program, are released quietly.
        if code == ErrorCode::UNINITIALIZED && is_torn_down() && releases(name) {
            return ErrorCode::SUCCESS;
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
fn panicked(name: &'static str, panic: Box<dyn Any + Send>) -> ErrorCode {
    let text = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => *text,
        (_, Some(text)) => text.as_str(),
        _ => "no text",
    };
    let error =
        Error::new(ErrorCode::UNKNOWN, format!("internal error of the library, please report it: {text}"));
    last_error::record(name, &error);
    // The payload's own destructor may panic too; it is not worth a process.
    std::mem::forget(panic);
    ErrorCode::UNKNOWN
}

/// Whether a call may follow tear-down: it only gives something back.
fn releases(name: &str) -> bool {
    let name = name.trim_end_matches("Exp");
    ["Release", "Retain", "Free", "TearDown", "GetLastError"].iter().any(|end| name.ends_with(end))
}

#[cold]
#[inline(never)]
fn after_tear_down(name: &'static str) -> ErrorCode {
    failed(name, torn_down())
}

/// A runtime is done with the library. True for the last one, after which no call reaches the driver.
pub fn detach() -> bool {
    let left =
        RUNTIMES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |runtimes| runtimes.checked_sub(1));
    let last = matches!(left, Ok(1) | Err(_));
    if last {
        TORN_DOWN.store(true, Ordering::SeqCst);
    }
    last
}

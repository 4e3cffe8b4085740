//! The panic fence around every entry point. No panic crosses it, no call reaches the driver after tear-down, and a
//! fork waits for calls.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::call_kind::CallKind;
use crate::types::ErrorCode;
use crate::{Error, Result, last_error};

/// Set when the last runtime tears the library down, cleared when the next one initializes it.
static TORN_DOWN: AtomicBool = AtomicBool::new(false);
/// The number of runtimes in this process that initialized the library and have not torn it down. One process may
/// contain several.
static RUNTIMES: AtomicU32 = AtomicU32::new(0);

/// Rewrites an error in the words of the front, using its parameter names.
pub type Naming = fn(Error, &'static str) -> Error;

/// Runs the body of the entry point `name`. Errors and panics become codes with a last-error message in the front's
/// words.
#[inline(always)]
pub fn call(name: &'static str, naming: Naming, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    if is_torn_down() {
        return after_tear_down(name);
    }
    guard(name, naming, body)
}

/// Runs a body like [`call`] does, but also before the first runtime attaches and after the last one detaches.
pub fn call_at_any_time(name: &'static str, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    guard(name, unchanged, body)
}

fn unchanged(error: Error, _: &'static str) -> Error {
    error
}

/// Returns whether the last runtime has torn the library down and none has initialized it since.
#[inline(always)]
pub fn is_torn_down() -> bool {
    TORN_DOWN.load(Ordering::SeqCst)
}

/// Returns the error of a call after tear-down.
#[cold]
pub fn torn_down() -> Error {
    Error::new(ErrorCode::UNINITIALIZED, "called after tear-down: the library has closed its driver")
}

/// Runs an initialization, which may also follow a tear-down. On success, the runtime counts as attached.
pub fn init(name: &'static str, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    let result = guard(name, unchanged, body);
    if result == ErrorCode::SUCCESS {
        // The count saturates.
        let more = |runtimes: u32| runtimes.checked_add(1);
        let _ = RUNTIMES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        TORN_DOWN.store(false, Ordering::SeqCst);
    }
    result
}

#[inline(always)]
fn guard(name: &'static str, naming: Naming, body: impl FnOnce() -> Result<()>) -> ErrorCode {
    let starts = |name| CallKind::of(name) == CallKind::Starts;
    let Some(_inside) = sycl_pi_host_process::enter(name, starts) else {
        return failed(name, unchanged, refused());
    };
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => ErrorCode::SUCCESS,
        Ok(Err(error)) => failed(name, naming, error),
        Err(panic) => panicked(name, panic),
    }
}

/// Returns the error of a call that starts work in a process that is exiting, or of any call in a child process whose
/// parent forked while another thread was in a call.
#[cold]
fn refused() -> Error {
    let text = if sycl_pi_host_process::has_ended() {
        "the process is exiting, and its driver may be gone: stop and join threads before the main function returns"
    } else {
        "this process was forked while another thread was in a call that took long, so the library cannot be used here: fork \
         before such a call, or after it"
    };
    Error::new(ErrorCode::UNINITIALIZED, text)
}

#[cold]
#[inline(never)]
fn failed(name: &'static str, naming: Naming, error: Error) -> ErrorCode {
    let code = error.code();
    let record = move || {
        // Objects that outlive the library, such as statics of the program, are released without an error.
        let is_over = is_torn_down() || sycl_pi_host_process::is_refused();
        if code == ErrorCode::UNINITIALIZED && is_over && CallKind::of(name) == CallKind::Releases {
            return ErrorCode::SUCCESS;
        }
        last_error::record(name, &naming(error, name));
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
    let place = PLACE.try_with(|place| place.take()).unwrap_or_default();
    let text = format!("internal error of the library, please report it: {text}{place}");
    last_error::record(name, &Error::new(ErrorCode::UNKNOWN, text));
    // The payload's destructor may panic too, which is not worth crashing the process.
    std::mem::forget(panic);
    ErrorCode::UNKNOWN
}

thread_local! {
    /// The location of the thread's last panic, for the message of the call.
    static PLACE: Cell<String> = const { Cell::new(String::new()) };
}

/// Keeps panics off standard error. Each panic becomes the message of its call instead, including its location.
///
/// Use this only in a shared library with a C interface. Such a library has its own copy of the standard library, so
/// nothing changes for the program or for other libraries.
pub fn keep_panics_silent() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(|place| format!(" (at {place})")).unwrap_or_default();
            let _ = PLACE.try_with(|last| last.set(place));
        }));
    });
}

#[cold]
#[inline(never)]
fn after_tear_down(name: &'static str) -> ErrorCode {
    failed(name, unchanged, torn_down())
}

/// Detaches a runtime from the library. Returns true for the last one, after which no call reaches the driver.
pub fn detach() -> bool {
    let left =
        RUNTIMES.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |runtimes| runtimes.checked_sub(1));
    let last = matches!(left, Ok(1) | Err(_));
    if last {
        TORN_DOWN.store(true, Ordering::SeqCst);
    }
    last
}

#[cfg(test)]
#[expect(unsafe_code, reason = "the text of the last error is a C string")]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
    use super::*;

    /// Makes a run of this test program panic inside the fence.
    const PANIC: &str = "SYCL_PI_TEST_PANIC";

    #[test]
    fn a_panic_is_an_error_with_its_place_and_prints_nothing() {
        if std::env::var_os(PANIC).is_some() {
            keep_panics_silent();
            assert_eq!(call_at_any_time("piTest", || panic!("not on paper")), ErrorCode::UNKNOWN);
            let (code, text) = last_error::get();
            // SAFETY: the text is NUL-terminated.
            let text = unsafe { std::ffi::CStr::from_ptr(text) }.to_str().unwrap().to_owned();
            assert_eq!(code, ErrorCode::UNKNOWN);
            assert!(
                text.contains("please report it: not on paper (at ") && text.contains("fence.rs"),
                "{text}"
            );
            return;
        }
        let name = "fence::tests::a_panic_is_an_error_with_its_place_and_prints_nothing";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args([name, "--exact", "--nocapture"]).env(PANIC, "1").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

//! The answers of oneDNN's functions.

use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// `dnnl_status_t`.
pub(crate) type Status = c_int;

pub(crate) const SUCCESS: Status = 0;
pub(crate) const OUT_OF_MEMORY: Status = 1;
pub(crate) const INVALID_ARGUMENTS: Status = 2;
pub(crate) const UNIMPLEMENTED: Status = 3;
pub(crate) const LAST_IMPLEMENTATION_REACHED: Status = 4;
pub(crate) const RUNTIME_ERROR: Status = 5;

/// The result of a call, whose error is never [`SUCCESS`].
pub(crate) type Result<T> = std::result::Result<T, Status>;

/// Runs a call from C.
pub(crate) fn answer(work: impl FnOnce() -> Result<()>) -> Status {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => SUCCESS,
        Ok(Err(status)) => status,
        Err(_) => RUNTIME_ERROR,
    }
}

/// Turns the status of a function that was called into a result.
pub(crate) fn check(status: Status) -> Result<()> {
    if status == SUCCESS { Ok(()) } else { Err(status) }
}

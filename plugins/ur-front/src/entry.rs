//! What `#[entry]` puts around the body of a C function.

use sycl_pi_backend::api::Objects;
use sycl_pi_backend::{Backend, Error, Result, fence};
pub(crate) use sycl_pi_entry::entry;

use crate::{convert, parameters};

/// The return type of the C functions.
pub(crate) type Code = sycl_ur_core::ur_result_t;

/// Runs the body of the C function `name` inside the panic fence.
#[inline(always)]
pub(crate) fn fenced(name: &'static str, body: impl FnOnce() -> Result<()>) -> Code {
    convert::result_in_call(name, fence::call(name, parameters::named, body))
}

/// The result of a function that no backend has.
pub(crate) fn no_such_function<B: Backend>() -> Result<()> {
    Err(Error::unsupported(format!("the {} backend has no such function", <B as Objects>::BACKEND)))
}

//! What `#[entry]` puts around the body of a C function.

use sycl_pi_backend::{Result, fence};
pub(crate) use sycl_pi_entry::entry;

use crate::{convert, parameters};

/// The return type of the C functions.
pub(crate) type Code = sycl_pi_core::pi_result;

/// Runs the body of the C function `name` inside the panic fence.
#[inline(always)]
pub(crate) fn fenced(name: &'static str, body: impl FnOnce() -> Result<()>) -> Code {
    convert::result(fence::call(name, parameters::named, body))
}

//! Contexts that are made of a driver's context which the caller keeps.
//!
//! libsycl makes such a context (`sycl::make_context`), retains it once more, and releases it once. So its handle is never gone, and
//! the driver's context would have one reference too many for ever. Where handles are the driver's own objects, that reference
//! goes back with the last release but one: from then on the context is the caller's alone.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use sycl_pi_backend::{Backend, Object, Result};

use crate::handle::{ByCaller, Handle};

/// One reference more. A context that the caller kept alone has one of the driver's again.
pub(crate) fn retain<B: Backend>(context: &Handle<B::Context>) -> Result<()> {
    if !context.kept().has_reference() {
        Object::retain(&***context)?;
        context.kept().take_again();
    }
    context.retain_by_caller()
}

/// One reference less.
///
/// # Safety
///
/// As for [`Object::release`].
pub(crate) unsafe fn release<B: Backend>(context: &Handle<B::Context>) -> Result<()> {
    const LAST_BUT_ONE: u32 = 2;
    if B::HANDLES_ARE_NATIVE && context.reference_count() == LAST_BUT_ONE && context.kept().give_back() {
        // The driver may have another context at this address later.
        context.forget();
        // SAFETY: the reference of the handle, given back once.
        unsafe { Object::release(&***context) }?;
    }
    // SAFETY: the caller's contract is the same.
    unsafe { context.release_by_caller() }
}

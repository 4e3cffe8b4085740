//! Contexts that are created from a driver's context which the caller keeps.
//!
//! libsycl creates such a context (`sycl::make_context`), retains it once more, and releases it only once. Its handle
//! is therefore never destroyed, and the driver's context would keep one reference too many forever. If handles are the
//! driver's own objects, that reference is released together with the second to last reference of the handle. From then
//! on, only the caller owns the context.
#![expect(unsafe_code, reason = "the caller's pointers and handles")]

use sycl_pi_backend::{Backend, Object, Result};

use crate::handle::{ByCaller, Handle};

/// Adds a reference. If the caller was the only owner of the context, the handle takes a driver reference again.
pub(crate) fn retain<B: Backend>(context: &Handle<B::Context>) -> Result<()> {
    if !context.kept().has_reference() {
        Object::retain(&***context)?;
        context.kept().take_again();
    }
    context.retain_by_caller()
}

/// Releases a reference.
///
/// # Safety
///
/// Same as for [`Object::release`].
pub(crate) unsafe fn release<B: Backend>(context: &Handle<B::Context>) -> Result<()> {
    const LAST_BUT_ONE: u32 = 2;
    if B::HANDLES_ARE_NATIVE && context.reference_count() == LAST_BUT_ONE && context.kept().give_back() {
        // The driver may later have another context at this address.
        context.forget();
        // SAFETY: this is the reference of the handle, which is released only once.
        unsafe { Object::release(&***context) }?;
    }
    // SAFETY: the caller has the same contract.
    unsafe { context.release_by_caller() }
}

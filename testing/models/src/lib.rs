//! Our sources with loom's atomics in place of the standard library's: the counts of handles (`plugins/backend/src/counted.rs`) and
//! the turns of waits (`plugins/opencl/src/sys/turns.rs`). `tests` goes through the orders.
#![allow(
    missing_docs,
    unreachable_pub,
    dead_code,
    reason = "the source of another crate, and what it needs of that crate"
)]

#[path = "../../../plugins/backend/src/counted.rs"]
pub mod counted;
#[path = "../../../plugins/backend/src/exclusive.rs"]
pub mod exclusive;
pub mod opencl;
mod sync;

use std::ptr::NonNull;

/// As in pi-plugin: what a handle may point to.
///
/// # Safety
///
/// `is_live` accepts live objects of this kind only.
pub unsafe trait Object {
    type Raw;
    const INVALID: sycl_pi_core::pi_result;
    const NAME: &'static str;
    /// # Safety
    ///
    /// `raw` is a handle that the plugin gave out.
    unsafe fn is_live(raw: NonNull<Self::Raw>) -> bool;
}

/// As in pi-plugin: a handle on its way to the caller.
pub struct New<T: Object>(NonNull<T::Raw>);

impl<T: Object> New<T> {
    pub fn into_raw(self) -> *mut T::Raw {
        self.0.as_ptr()
    }
}

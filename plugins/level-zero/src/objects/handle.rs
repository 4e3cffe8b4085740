//! Callers' handles.

use sycl_pi_backend::{Counted, CountedKind};

/// Returns the handle of a live object.
pub(crate) fn raw_handle<T: CountedKind>(object: &Counted<T>) -> *mut T::Raw {
    std::ptr::from_ref(object).cast_mut().cast()
}

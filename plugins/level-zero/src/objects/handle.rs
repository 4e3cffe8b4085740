//! The handles that callers hold.

use sycl_pi_backend::{Counted, CountedKind};

/// The handle of a live object.
pub(crate) fn raw_handle<T: CountedKind>(object: &Counted<T>) -> *mut T::Raw {
    std::ptr::from_ref(object).cast_mut().cast()
}

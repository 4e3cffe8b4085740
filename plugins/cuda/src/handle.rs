//! Handles of objects that the backend keeps itself.

use sycl_pi_backend::{Counted, CountedKind};

/// The handle of an object, without a reference of its own.
pub(crate) fn handle<T: CountedKind>(object: &Counted<T>) -> *mut T::Raw {
    object.handle()
}

//! Bytes that a caller has until it puts them back: what names memory and events in other processes.

use core::ffi::c_void;
use std::collections::HashMap;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};

/// What was given out and not put back, by its address, each with what keeps it valid.
pub(crate) struct GivenOut<T>(Mutex<Option<ByAddress<T>>>);

type ByAddress<T> = HashMap<usize, (Box<[u8]>, T)>;

impl<T> GivenOut<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Keeps the bytes, and gives their address and size.
    pub(crate) fn give(&self, data: Box<[u8]>, keeps_valid: T) -> (*mut c_void, usize) {
        let (start, size) = (data.as_ptr().cast_mut().cast::<c_void>(), data.len());
        self.0.lock().get_or_insert_default().insert(start.expose_provenance(), (data, keeps_valid));
        (start, size)
    }

    /// Takes the bytes at an address back. `name` is the caller's parameter.
    pub(crate) fn put_back(&self, start: *const c_void, name: &'static str) -> Result<Box<[u8]>> {
        let put_back = self.0.lock().get_or_insert_default().remove(&start.addr());
        let unknown = || Error::invalid_value(format!("{name} was not given out, or was put back already"));
        put_back.map(|(data, _)| data).ok_or_else(unknown)
    }
}

//! IPC handle data, which identifies memory and events in other processes and which a caller holds until it is put
//! back.

use core::ffi::c_void;
use std::collections::HashMap;

use parking_lot::Mutex;
use sycl_pi_backend::{Error, Result};

/// The data that callers hold, by its address, each with the object that keeps it valid.
pub(crate) struct IpcHandles<T>(Mutex<Option<ByAddress<T>>>);

type ByAddress<T> = HashMap<usize, (Box<[u8]>, T)>;

impl<T> IpcHandles<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Stores the data, and returns its address and size.
    pub(crate) fn insert(&self, data: Box<[u8]>, keeps_valid: T) -> (*mut c_void, usize) {
        let (start, size) = (data.as_ptr().cast_mut().cast::<c_void>(), data.len());
        self.0.lock().get_or_insert_default().insert(start.expose_provenance(), (data, keeps_valid));
        (start, size)
    }

    /// Takes back the data at an address. `name` is the caller's parameter.
    pub(crate) fn remove(&self, start: *const c_void, name: &'static str) -> Result<Box<[u8]>> {
        let removed = self.0.lock().get_or_insert_default().remove(&start.addr());
        let unknown = || Error::invalid_value(format!("{name} was not given out, or was put back already"));
        removed.map(|(data, _)| data).ok_or_else(unknown)
    }
}

//! The driver's handles, which threads may share.

/// A driver handle, which is never dereferenced here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct DriverHandle<T>(T);

// SAFETY: the driver's handles may be used from any thread, and are not dereferenced here.
unsafe impl<T> Send for DriverHandle<*mut T> {}
// SAFETY: same as above.
unsafe impl<T> Sync for DriverHandle<*mut T> {}

impl<T> DriverHandle<*mut T> {
    /// Wraps a handle.
    pub(crate) const fn new(handle: *mut T) -> Self {
        Self(handle)
    }

    /// Returns the handle, for a call.
    #[inline]
    pub(crate) const fn get(self) -> *mut T {
        self.0
    }

    /// Returns the handle as an interop handle.
    pub(crate) fn addr(self) -> usize {
        self.0.expose_provenance()
    }
}

/// Returns a driver handle from an interop handle.
pub(crate) fn from_native<T>(native: usize) -> DriverHandle<*mut T> {
    DriverHandle(std::ptr::with_exposed_provenance_mut(native))
}

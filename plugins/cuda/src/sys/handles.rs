//! The driver's handles, which threads may share.

/// A handle of the driver's. It is never read through here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct DriverHandle<T>(T);

// SAFETY: the driver's handles may be used from any thread; nothing is read through them here.
unsafe impl<T> Send for DriverHandle<*mut T> {}
// SAFETY: same as above.
unsafe impl<T> Sync for DriverHandle<*mut T> {}

impl<T> DriverHandle<*mut T> {
    /// Keeps a handle.
    pub(crate) const fn new(handle: *mut T) -> Self {
        Self(handle)
    }

    /// The handle, for a call.
    #[inline]
    pub(crate) const fn get(self) -> *mut T {
        self.0
    }

    /// As an interop handle.
    pub(crate) fn addr(self) -> usize {
        self.0.expose_provenance()
    }
}

/// A driver's handle out of an interop handle.
pub(crate) fn from_native<T>(native: usize) -> DriverHandle<*mut T> {
    DriverHandle(std::ptr::with_exposed_provenance_mut(native))
}

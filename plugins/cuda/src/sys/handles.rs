//! The driver's handles, as values that threads may share.

/// A handle of the driver's: an address or a number that means nothing here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub(crate) struct Raw<T>(T);

// SAFETY: the driver's handles may be used from any thread; nothing is read through them here.
unsafe impl<T> Send for Raw<*mut T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Raw<*mut T> {}

impl<T> Raw<*mut T> {
    /// Keeps a handle.
    pub(crate) const fn new(handle: *mut T) -> Self {
        Self(handle)
    }

    /// The handle, for a call.
    #[inline(always)]
    pub(crate) const fn get(self) -> *mut T {
        self.0
    }

    /// As an interop handle.
    pub(crate) fn addr(self) -> usize {
        self.0.expose_provenance()
    }
}

/// A driver's handle out of an interop handle.
pub(crate) fn from_native<T>(native: usize) -> Raw<*mut T> {
    Raw(std::ptr::with_exposed_provenance_mut(native))
}

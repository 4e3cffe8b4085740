//! Handles, and their conversion to references that backends work with and back.
#![expect(unsafe_code, reason = "handles of objects")]

use std::fmt;
use std::ptr::NonNull;

use crate::Result;
use crate::types::ErrorCode;

/// An object behind a handle.
///
/// # Safety
///
/// `&Self` must be valid for every non-null `*mut Self::Raw` that [`Object::is_live`] accepts, cast to `*const Self`.
/// This holds if `Self` is an opaque zero-sized type for a driver's object, or if every handle that the backend returns
/// points to a live `Self`.
pub unsafe trait Object: Sized + 'static {
    /// The opaque type that the handle points to in the interface, for example `RawQueue`.
    type Raw;
    /// The error code of a call that expects this object but gets something else.
    const INVALID: ErrorCode;
    /// The name of the object in error messages.
    const NAME: &'static str;

    /// Adds a reference.
    ///
    /// # Errors
    ///
    /// The driver counts the references and returns an error.
    #[doc(alias = "piDeviceRetain")]
    #[doc(alias = "piContextRetain")]
    #[doc(alias = "piQueueRetain")]
    #[doc(alias = "piMemRetain")]
    #[doc(alias = "piProgramRetain")]
    #[doc(alias = "piKernelRetain")]
    #[doc(alias = "piEventRetain")]
    #[doc(alias = "piSamplerRetain")]
    #[doc(alias = "piextCommandBufferRetain")]
    #[doc(alias = "urDeviceRetain")]
    #[doc(alias = "urContextRetain")]
    #[doc(alias = "urQueueRetain")]
    #[doc(alias = "urMemRetain")]
    #[doc(alias = "urProgramRetain")]
    #[doc(alias = "urKernelRetain")]
    #[doc(alias = "urEventRetain")]
    #[doc(alias = "urSamplerRetain")]
    #[doc(alias = "urCommandBufferRetainExp")]
    fn retain(&self) -> Result<()> {
        Ok(())
    }

    /// Releases a reference. The object is destroyed with its last reference.
    ///
    /// # Safety
    ///
    /// The caller must own the reference and must not use `self` afterwards.
    ///
    /// # Errors
    ///
    /// The driver counts the references and returns an error.
    #[doc(alias = "piDeviceRelease")]
    #[doc(alias = "piContextRelease")]
    #[doc(alias = "piQueueRelease")]
    #[doc(alias = "piMemRelease")]
    #[doc(alias = "piProgramRelease")]
    #[doc(alias = "piKernelRelease")]
    #[doc(alias = "piEventRelease")]
    #[doc(alias = "piSamplerRelease")]
    #[doc(alias = "piextCommandBufferRelease")]
    #[doc(alias = "urDeviceRelease")]
    #[doc(alias = "urContextRelease")]
    #[doc(alias = "urQueueRelease")]
    #[doc(alias = "urMemRelease")]
    #[doc(alias = "urProgramRelease")]
    #[doc(alias = "urKernelRelease")]
    #[doc(alias = "urEventRelease")]
    #[doc(alias = "urSamplerRelease")]
    #[doc(alias = "urCommandBufferReleaseExp")]
    unsafe fn release(&self) -> Result<()> {
        Ok(())
    }

    /// Returns whether a non-null handle belongs to this library and is alive. A driver's own handles cannot be checked
    /// and are accepted.
    ///
    /// # Safety
    ///
    /// `raw` must be non-null.
    #[inline(always)]
    unsafe fn is_live(_raw: NonNull<Self::Raw>) -> bool {
        true
    }
}

/// A new reference to an object, which will be returned to the caller, who releases it.
pub struct New<T: Object>(pub(crate) NonNull<T::Raw>);

impl<T: Object> fmt::Debug for New<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("New").field(&self.0).finish()
    }
}

impl<T: Object> New<T> {
    /// Takes over one reference. Returns `None` for null.
    ///
    /// # Safety
    ///
    /// A non-null `raw` must be a handle of a live object, and the caller must own one reference to it.
    #[inline(always)]
    pub unsafe fn from_raw(raw: *mut T::Raw) -> Option<Self> {
        NonNull::new(raw).map(Self)
    }

    /// Returns the handle, which the caller has yet to receive.
    pub fn handle(&self) -> *mut T::Raw {
        self.0.as_ptr()
    }

    /// Returns the address of the object as a number.
    #[inline]
    pub fn addr(&self) -> usize {
        self.0.as_ptr().addr()
    }

    /// Returns the handle for the caller.
    #[inline(always)]
    pub fn into_raw(self) -> *mut T::Raw {
        self.0.as_ptr()
    }
}

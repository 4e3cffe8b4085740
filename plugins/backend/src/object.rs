//! Handles: how a caller's pointer becomes a reference that backends work with, and back.
#![expect(unsafe_code, reason = "handles of objects")]

use std::fmt;
use std::ptr::NonNull;

use crate::Result;
use crate::types::ErrorCode;

/// An object behind a handle.
///
/// # Safety
///
/// `&Self` must be valid for every non-null `*mut Self::Raw` that [`Object::is_live`] accepts, cast to `*const Self`:
/// either `Self` is an opaque zero-sized type for a driver's object, or every handle that the backend gives
/// out points to a live `Self`.
pub unsafe trait Object: Sized + 'static {
    /// The opaque type that the handle points to in the interface, `RawQueue` for instance.
    type Raw;
    /// What a call answers when this object is expected and something else is given.
    const INVALID: ErrorCode;
    /// The object's name in error texts.
    const NAME: &'static str;

    /// One reference more.
    ///
    /// # Errors
    ///
    /// The driver counts the references and refuses.
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

    /// One reference less. The object goes with its last reference.
    ///
    /// # Safety
    ///
    /// The reference is the caller's to give back, and `self` is not used after it.
    ///
    /// # Errors
    ///
    /// The driver counts the references and refuses.
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

    /// Whether a non-null handle is one of ours and alive. A driver's own handles cannot be checked; they are accepted.
    ///
    /// # Safety
    ///
    /// `raw` is non-null.
    #[inline(always)]
    unsafe fn is_live(_raw: NonNull<Self::Raw>) -> bool {
        true
    }
}

/// A new reference to an object, on its way to the caller, who will release it.
pub struct New<T: Object>(pub(crate) NonNull<T::Raw>);

impl<T: Object> fmt::Debug for New<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("New").field(&self.0).finish()
    }
}

impl<T: Object> New<T> {
    /// Takes over one reference. None for null.
    ///
    /// # Safety
    ///
    /// A non-null `raw` is a handle of a live object, and one reference to it is the caller's to give away.
    #[inline(always)]
    pub unsafe fn from_raw(raw: *mut T::Raw) -> Option<Self> {
        NonNull::new(raw).map(Self)
    }

    /// The handle, which the caller is still to get.
    pub fn handle(&self) -> *mut T::Raw {
        self.0.as_ptr()
    }

    /// The object's address, as a number.
    #[inline]
    pub fn addr(&self) -> usize {
        self.0.as_ptr().addr()
    }

    /// The handle, for the caller.
    #[inline(always)]
    pub fn into_raw(self) -> *mut T::Raw {
        self.0.as_ptr()
    }
}

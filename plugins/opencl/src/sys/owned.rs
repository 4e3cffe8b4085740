//! References to driver objects.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ops::Deref;

use sycl_pi_backend::types::{ErrorCode, NativeHandle};
use sycl_pi_backend::{Error, New, Object, Result};

use super::error::{new_reference, no_object};
use super::handles::{DriverObject, opaque};

/// One reference that the backend holds to a driver's object. It is released on drop.
#[repr(transparent)]
pub(crate) struct Owned<T: Object + DriverObject>(&'static T);

impl<T: Object + DriverObject> Owned<T> {
    /// Adds a reference to an object that belongs to another owner.
    pub(crate) fn retain(object: &T) -> Result<Self> {
        object.retain()?;
        Self::adopt(core::ptr::from_ref(object).cast_mut().cast())
    }

    /// Takes over a reference that the driver returned.
    pub(crate) fn adopt(object: *mut c_void) -> Result<Self> {
        opaque(object).map(Self).ok_or_else(|| no_object(ErrorCode::UNKNOWN, T::NAME))
    }
}

impl<T: Object + DriverObject> From<New<T>> for Owned<T> {
    fn from(object: New<T>) -> Self {
        // SAFETY: the pointer is not null and refers to a driver's object, which is zero-sized here and never read.
        Self(unsafe { &*object.into_raw().cast::<T>() })
    }
}

impl<T: Object + DriverObject> Owned<T> {
    /// Gives the reference away.
    pub(crate) fn into_raw(self) -> *mut c_void {
        core::ptr::from_ref(ManuallyDrop::new(self).0).cast_mut().cast()
    }
}

impl<T: Object + DriverObject> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T: Object + DriverObject> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: this object owns the reference. An error cannot be reported to any caller.
        let _ = unsafe { self.0.release() };
    }
}

/// Returns the driver's handle, for interop code.
pub(crate) fn native_handle(object: &impl DriverObject) -> NativeHandle {
    core::ptr::from_ref(object).expose_provenance()
}

/// Returns a reference to the object of a native handle. Unless the caller gives its own reference away, another one is
/// taken.
pub(crate) fn from_native<T: Object + DriverObject>(
    native: NativeHandle,
    gives_reference: bool,
) -> Result<New<T>> {
    let object = std::ptr::with_exposed_provenance_mut::<c_void>(native);
    match opaque::<T>(object) {
        Some(of_driver) if !gives_reference => of_driver.retain()?,
        Some(_) => {}
        None => return Err(Error::no_native_handle(T::INVALID, T::NAME)),
    }
    new_reference(object)
}

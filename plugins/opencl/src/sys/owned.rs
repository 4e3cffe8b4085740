//! References to driver objects that the plugin itself holds.

use std::ffi::c_void;
use std::ops::Deref;

use sycl_pi_backend::{Error, New, Object, Result};
use sycl_pi_backend::types::ErrorCode;

use super::{Context, Device, Event, Kernel, Mem, Queue, cl, opaque};

/// Objects that the driver counts references to.
pub(crate) trait Retained: Object {
    /// One reference more.
    fn retain(&self) -> Result<()>;
    /// One reference less.
    fn release(&self) -> Result<()>;
}

macro_rules! retained {
    ($($object:ident $retain:ident $release:ident;)*) => { $(
        impl Retained for $object {
            fn retain(&self) -> Result<()> {
                cl().$retain(self.cl())
            }

            fn release(&self) -> Result<()> {
                cl().$release(self.cl())
            }
        }
    )* };
}

retained! {
    Device clRetainDevice clReleaseDevice;
    Context clRetainContext clReleaseContext;
    Queue clRetainCommandQueue clReleaseCommandQueue;
    Mem clRetainMemObject clReleaseMemObject;
    Kernel clRetainKernel clReleaseKernel;
    Event clRetainEvent clReleaseEvent;
}

/// One reference to a driver's object, given back when it is dropped.
pub(crate) struct Owned<T: Retained>(&'static T);

impl<T: Retained> Owned<T> {
    /// One more reference to an object that is somebody else's.
    pub(crate) fn retain(object: &T) -> Result<Self> {
        object.retain()?;
        Self::adopt(core::ptr::from_ref(object).cast_mut().cast())
    }

    /// Takes over a reference that the driver gave.
    pub(crate) fn adopt(object: *mut c_void) -> Result<Self> {
        opaque(object).map(Self).ok_or_else(|| {
            Error::new(ErrorCode::UNKNOWN, format!("the driver reported success but gave no {}", T::NAME))
        })
    }
}

impl<T: Retained> From<New<T>> for Owned<T> {
    fn from(object: New<T>) -> Self {
        // SAFETY: not null, and a driver's object, which is zero-sized here and never read.
        Self(unsafe { &*object.into_raw().cast::<T>() })
    }
}

impl<T: Retained> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0
    }
}

impl<T: Retained> Drop for Owned<T> {
    fn drop(&mut self) {
        // Nobody is left to hear of an error.
        let _ = self.0.release();
    }
}

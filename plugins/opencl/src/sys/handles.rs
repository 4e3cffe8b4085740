//! OpenCL's objects. A caller's handle is the driver's own object, and nothing is wrapped.

use std::ffi::c_void;

use opencl_sys::*;

/// A stand-in for a driver's object, which is zero-sized, opaque and never read.
pub(crate) trait DriverObject: Sized + 'static {}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident $cl:ident;)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _opaque: [u8; 0],
        }

        impl DriverObject for $name {}

        impl $name {
            /// Returns the driver's handle.
            #[inline]
            pub(crate) fn cl(&self) -> $cl {
                core::ptr::from_ref(self).cast_mut().cast()
            }
        }
    )* };
}

handles! {
    /// `cl_platform_id`.
    Platform cl_platform_id;
    /// `cl_device_id`.
    Device cl_device_id;
    /// `cl_context`.
    Context cl_context;
    /// `cl_command_queue`.
    Queue cl_command_queue;
    /// `cl_mem`.
    Mem cl_mem;
    /// `cl_program`.
    Program cl_program;
    /// `cl_kernel`.
    Kernel cl_kernel;
    /// `cl_event`.
    Event cl_event;
    /// `cl_sampler`.
    Sampler cl_sampler;
}

/// Returns the object behind a driver's pointer, or `None` for null.
pub(crate) fn opaque<'a, T: DriverObject>(object: *mut c_void) -> Option<&'a T> {
    const { assert!(size_of::<T>() == 0) };
    // SAFETY: this is a zero-sized stand-in for the driver's object, which is never read.
    unsafe { object.cast::<T>().as_ref() }
}

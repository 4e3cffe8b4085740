//! OpenCL's objects, which are PI's objects.

use opencl_sys::*;
use sycl_pi_backend::{Error, New, Object, Result, cold_error};
use sycl_pi_core::*;

/// From a driver's pointer to a new reference for the caller.
pub(crate) trait Wrap<T: Object> {
    /// An error for null: a driver that says "success" and gives nothing.
    fn wrap(self) -> Result<New<T>>;
}

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident $cl:ident $raw:ident $invalid:ident $label:literal;)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        pub struct $name {
            _opaque: [u8; 0],
        }

        // SAFETY: zero-sized and opaque, so a reference to it is valid for any non-null address; it is never read.
        unsafe impl Object for $name {
            type Raw = $raw;
            const INVALID: pi_result = $invalid;
            const NAME: &'static str = $label;
        }

        impl $name {
            /// The driver's handle.
            #[inline(always)]
            pub(crate) fn cl(&self) -> $cl {
                core::ptr::from_ref(self).cast_mut().cast()
            }
        }

        impl Wrap<$name> for $cl {
            #[inline(always)]
            fn wrap(self) -> Result<New<$name>> {
                New::from_raw(self.cast()).ok_or_else(|| cold_error(|| {
                    Error::new($invalid, concat!("the driver reported success but gave no ", $label))
                }))
            }
        }
    )* };
}

handles! {
    /// `cl_platform_id`.
    Platform cl_platform_id _pi_platform PI_ERROR_INVALID_PLATFORM "pi_platform";
    /// `cl_device_id`.
    Device cl_device_id _pi_device PI_ERROR_INVALID_DEVICE "pi_device";
    /// `cl_context`.
    Context cl_context _pi_context PI_ERROR_INVALID_CONTEXT "pi_context";
    /// `cl_command_queue`.
    Queue cl_command_queue _pi_queue PI_ERROR_INVALID_QUEUE "pi_queue";
    /// `cl_mem`.
    Mem cl_mem _pi_mem PI_ERROR_INVALID_MEM_OBJECT "pi_mem";
    /// `cl_program`.
    Program cl_program _pi_program PI_ERROR_INVALID_PROGRAM "pi_program";
    /// `cl_kernel`.
    Kernel cl_kernel _pi_kernel PI_ERROR_INVALID_KERNEL "pi_kernel";
    /// `cl_event`.
    Event cl_event _pi_event PI_ERROR_INVALID_EVENT "pi_event";
    /// `cl_sampler`.
    Sampler cl_sampler _pi_sampler PI_ERROR_INVALID_SAMPLER "pi_sampler";
}

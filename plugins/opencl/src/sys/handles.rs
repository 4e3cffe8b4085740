//! OpenCL's objects, which are PI's objects.

use opencl_sys::*;
use sycl_pi_backend::{Error, New, Object, Result, cold_error};
use sycl_pi_backend::types::*;

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
            const INVALID: ErrorCode = $invalid;
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
    Platform cl_platform_id RawPlatform ErrorCode::INVALID_PLATFORM "*mut RawPlatform";
    /// `cl_device_id`.
    Device cl_device_id RawDevice ErrorCode::INVALID_DEVICE "*mut RawDevice";
    /// `cl_context`.
    Context cl_context RawContext ErrorCode::INVALID_CONTEXT "*mut RawContext";
    /// `cl_command_queue`.
    Queue cl_command_queue RawQueue ErrorCode::INVALID_QUEUE "*mut RawQueue";
    /// `cl_mem`.
    Mem cl_mem RawMem ErrorCode::INVALID_MEM_OBJECT "*mut RawMem";
    /// `cl_program`.
    Program cl_program RawProgram ErrorCode::INVALID_PROGRAM "*mut RawProgram";
    /// `cl_kernel`.
    Kernel cl_kernel RawKernel ErrorCode::INVALID_KERNEL "*mut RawKernel";
    /// `cl_event`.
    Event cl_event RawEvent ErrorCode::INVALID_EVENT "*mut RawEvent";
    /// `cl_sampler`.
    Sampler cl_sampler RawSampler ErrorCode::INVALID_SAMPLER "*mut RawSampler";
}

//! OpenCL's retain functions, for the adapter of Unified Runtime.
//!
//! Since 2025.3, `libsycl` looks up OpenCL's retain functions in the adapter's file, because `sycl::get_native` gives
//! away a reference. The vendor's adapter gets them from the OpenCL library that it is linked against. This backend
//! opens that library at run time, so the adapter exports these functions itself.
#![expect(unsafe_code, reason = "handles of the caller")]

/// Exports OpenCL's retain functions under their own names. Use it once per cdylib.
#[macro_export]
macro_rules! export_retains {
    () => {
        $crate::export_retains! { clRetainDevice clRetainContext clRetainCommandQueue clRetainMemObject clRetainProgram
            clRetainKernel clRetainEvent }
    };
    ($($name:ident)*) => { $(
        /// OpenCL's function of the same name.
        ///
        /// # Safety
        ///
        /// The object must be null or a live one of its kind.
        #[allow(non_snake_case)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(object: *mut core::ffi::c_void) -> i32 {
            // SAFETY: guaranteed by the caller.
            unsafe { $crate::retain::$name(object) }
        }
    )* };
}

macro_rules! retains {
    ($($name:ident $object:ident;)*) => { $(
        /// Calls OpenCL's function of the same name in the OpenCL library that the backend uses. Returns OpenCL's code.
        ///
        /// # Safety
        ///
        /// `object` must be null or a live object of that kind.
        #[allow(non_snake_case)]
        pub unsafe fn $name(object: *mut core::ffi::c_void) -> i32 {
            sycl_pi_backend::fence::call_at_any_time(stringify!($name), || {
                // SAFETY: guaranteed by the caller.
                let object = unsafe { sycl_pi_backend::view::object::<crate::sys::$object>(object.cast(), "object")? };
                sycl_pi_backend::Object::retain(object)
            })
            .0
        }
    )* };
}

retains! {
    clRetainDevice Device;
    clRetainContext Context;
    clRetainCommandQueue Queue;
    clRetainMemObject Mem;
    clRetainProgram Program;
    clRetainKernel Kernel;
    clRetainEvent Event;
}

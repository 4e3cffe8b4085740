//! OpenCL's retains, for the adapter of Unified Runtime.
//!
//! `libsycl` from 2025.3 on looks in the adapter's file for OpenCL's retains: `sycl::get_native` gives a reference away. The
//! vendor's adapter has them from the OpenCL library that it is linked against. This backend opens that library at run time,
//! so the adapter exports these functions itself.
#![expect(unsafe_code, reason = "handles of the caller")]

/// Exports OpenCL's retains under their own names. Use it once per cdylib.
#[macro_export]
macro_rules! export_retains {
    () => {
        $crate::export_retains! { clRetainDevice clRetainContext clRetainCommandQueue clRetainMemObject clRetainProgram
            clRetainKernel clRetainEvent }
    };
    ($($name:ident)*) => { $(
        /// OpenCL's function of that name.
        ///
        /// # Safety
        ///
        /// The object is null or a live one of its kind.
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
        /// OpenCL's function of that name, by the OpenCL library that the backend uses. Answers OpenCL's code.
        ///
        /// # Safety
        ///
        /// `object` is null or a live object of that kind.
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

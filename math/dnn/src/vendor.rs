//! The vendor's library, which is next to this one.
#![expect(unsafe_code, reason = "the vendor's functions, and C functions of our own")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use sycl_pi_dynload::{DriverLibrary, FromDriver, driver_functions, own_file};

use crate::status::{Status, UNIMPLEMENTED};

/// The name under which `pi install` keeps the vendor's file.
const FILE: &str = "libdnnl.so.3.vendor";

driver_functions! {
    /// Functions that our objects need, and that are the same for all engines.
    pub(crate) struct Vendor {
        fn dnnl_memory_desc_clone(copy: *mut *mut c_void, description: *const c_void) -> c_int;
        fn dnnl_memory_desc_create_with_strides(description: *mut *mut c_void, dimensions: c_int, lengths: *const i64,
            data_type: c_int, strides: *const i64) -> c_int;
        fn dnnl_memory_desc_create_with_tag(description: *mut *mut c_void, dimensions: c_int, lengths: *const i64,
            data_type: c_int, tag: c_int) -> c_int;
        fn dnnl_memory_desc_destroy(description: *mut c_void) -> c_int;
        fn dnnl_memory_desc_get_size(description: *const c_void) -> usize;
        fn dnnl_memory_desc_query(description: *const c_void, what: c_int, answer: *mut c_void) -> c_int;
        fn dnnl_post_ops_len(operations: *const c_void) -> c_int;
        fn dnnl_primitive_attr_clone(copy: *mut *mut c_void, attributes: *const c_void) -> c_int;
        fn dnnl_primitive_attr_create(attributes: *mut *mut c_void) -> c_int;
        fn dnnl_primitive_attr_destroy(attributes: *mut c_void) -> c_int;
        fn dnnl_primitive_attr_get_accumulation_mode(attributes: *const c_void, mode: *mut c_int) -> c_int;
        fn dnnl_primitive_attr_get_fpmath_mode(attributes: *const c_void, mode: *mut c_int) -> c_int;
        fn dnnl_primitive_attr_get_post_ops(attributes: *const c_void, operations: *mut *const c_void) -> c_int;
    }
}

impl FromDriver<Vendor> for c_int {
    type Answer = Self;

    fn answer(_: &'static str, returned: Self) -> Self {
        returned
    }

    fn missing(_: &'static str) -> Self {
        UNIMPLEMENTED
    }
}

impl FromDriver<Vendor> for usize {
    type Answer = Self;

    fn answer(_: &'static str, returned: Self) -> Self {
        returned
    }

    fn missing(_: &'static str) -> Self {
        0
    }
}

fn library() -> Option<&'static DriverLibrary> {
    static LIBRARY: OnceLock<Option<DriverLibrary>> = OnceLock::new();
    let open = || {
        let file = own_file()?.with_file_name(FILE);
        // SAFETY: the drop-in needs the file too, so it is loaded already.
        unsafe { DriverLibrary::open_first([file]) }.ok()
    };
    LIBRARY.get_or_init(open).as_ref()
}

/// Returns the functions that our objects need.
pub(crate) fn vendor() -> &'static Vendor {
    static VENDOR: OnceLock<Vendor> = OnceLock::new();
    VENDOR.get_or_init(|| {
        // SAFETY: oneDNN's functions have the types of the rows.
        unsafe { Vendor::resolve(function) }
    })
}

/// Returns a function of the vendor, or null.
pub(crate) fn function(name: &CStr) -> *const c_void {
    library().map_or(std::ptr::null(), |library| library.function(name))
}

/// Returns a function of the vendor to the drop-in, or null.
///
/// # Safety
/// `name` is a C string.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pi_dnn_vendor(name: *const c_char) -> *const c_void {
    // SAFETY: guaranteed by the caller.
    function(unsafe { CStr::from_ptr(name) })
}

/// The value that a function returns if the vendor's release lacks it.
pub(crate) trait Lacking {
    /// The value.
    const LACKING: Self;
}

impl Lacking for Status {
    const LACKING: Self = UNIMPLEMENTED;
}

impl Lacking for *const c_void {
    const LACKING: Self = std::ptr::null();
}

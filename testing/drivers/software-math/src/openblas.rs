//! OpenBLAS with 64-bit integers, as in numpy's and scipy's wheels.

use std::ffi::{CString, c_void};
use std::sync::{Once, OnceLock};

use sycl_pi_dynload::{DriverLibrary, find_loaded};

/// Returns a function such as `cblas_dgemm` or `dgetrf_`.
pub(crate) fn function(name: &str) -> *const c_void {
    static ALONE: Once = Once::new();
    ALONE.call_once(|| {
        // SAFETY: the function's type. With threads, its LU needs more stack than a stream's thread has.
        unsafe {
            let set = std::mem::transmute::<*const c_void, unsafe extern "C" fn(i32)>(find(
                "openblas_set_num_threads",
            ));
            set(1);
        }
    });
    find(name)
}

fn find(name: &str) -> *const c_void {
    static NAMED: OnceLock<Option<DriverLibrary>> = OnceLock::new();
    let named = NAMED.get_or_init(|| {
        let file = std::env::var_os("PI_TEST_OPENBLAS")?;
        // SAFETY: OpenBLAS may be opened at any time.
        unsafe { DriverLibrary::open_first([file]) }.ok()
    });
    let symbol = CString::new(format!("scipy_{name}64_")).unwrap();
    let found = match named {
        Some(library) => library.function(&symbol),
        None => find_loaded(&symbol, |path| path.to_string_lossy().contains("openblas"))
            .map_or(std::ptr::null(), |address| address.as_ptr().cast_const()),
    };
    assert!(!found.is_null(), "no OpenBLAS with {symbol:?}: import numpy first, or set PI_TEST_OPENBLAS");
    found
}

/// Calls `$name` of OpenBLAS with arguments of these types.
macro_rules! openblas {
    ($name:expr, $($value:expr => $type:ty),* ; $ret:ty) => {{
        // SAFETY: the function's type. The caller of NVIDIA's function guarantees that the memory is valid.
        unsafe {
            let function = std::mem::transmute::<*const std::ffi::c_void, unsafe extern "C" fn($($type),*) -> $ret>(
                $crate::openblas::function($name)
            );
            function($($value),*)
        }
    }};
}
pub(crate) use openblas;

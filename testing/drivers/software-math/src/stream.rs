//! Host code in a stream's order.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

use sycl_pi_dynload::DriverLibrary;

type Launch = unsafe extern "C" fn(*mut c_void, unsafe extern "C" fn(*mut c_void), *mut c_void) -> c_int;
type Work = Box<dyn FnOnce() + Send>;

/// Puts `work` into a stream. Returns the driver's code.
pub(crate) fn later(stream: usize, work: impl FnOnce() + Send + 'static) -> c_int {
    static LAUNCH: OnceLock<(DriverLibrary, Launch)> = OnceLock::new();
    let (_, launch) = LAUNCH.get_or_init(|| {
        // SAFETY: the software driver may be opened at any time.
        let library = unsafe { DriverLibrary::open_first(["libcuda.so.1"]) }.unwrap();
        let launch =
            // SAFETY: the driver's function has this type.
            unsafe { std::mem::transmute::<*const c_void, Launch>(library.function(c"cuLaunchHostFunc")) };
        (library, launch)
    });
    let boxed: Box<Work> = Box::new(Box::new(work));
    // SAFETY: `run` takes ownership of the box once.
    unsafe { launch(std::ptr::with_exposed_provenance_mut(stream), run, Box::into_raw(boxed).cast()) }
}

unsafe extern "C" fn run(work: *mut c_void) {
    // SAFETY: the box of `later`.
    let work: Box<Work> = unsafe { Box::from_raw(work.cast()) };
    work();
}

/// Returns the memory at an address of the software device.
pub(crate) fn at<T>(address: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(address as usize)
}

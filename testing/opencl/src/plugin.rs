//! The plugin under test.

use std::ffi::CString;

use libloading::os::unix::Library;
use sycl_pi_core::Version;
use testing_support::{plugin_file, under_test};

/// Returns the address of an exported symbol of the plugin under test.
pub fn symbol(name: &str) -> Option<*const std::ffi::c_void> {
    under_test(Version::NEWEST);
    // SAFETY: the library is already loaded. This only finds it again.
    let library = unsafe { Library::new(plugin_file()) }.expect("the plugin is loaded");
    let name = CString::new(name).expect("a C name");
    // SAFETY: only takes the address.
    let symbol = unsafe { library.get::<*const std::ffi::c_void>(name.as_bytes_with_nul()) };
    let address = symbol.ok().map(|symbol| *symbol);
    std::mem::forget(library);
    address
}

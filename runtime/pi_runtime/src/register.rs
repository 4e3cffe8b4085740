//! The functions that objects compiled by DPC++ call from their static constructors and destructors.
#![expect(unsafe_code, reason = "C functions: the caller vouches for its pointers")]

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use parking_lot::Mutex;
use sycl_pi_core::pi_device_binaries_struct;

use sycl_pi_runtime::binaries::read_binaries;
use sycl_pi_runtime::{Error, ImageError, ModuleId, Registry};

use crate::fail::{fenced, text};

/// Returns the module that each descriptor registered.
fn modules() -> &'static Mutex<HashMap<usize, ModuleId>> {
    static MODULES: OnceLock<Mutex<HashMap<usize, ModuleId>>> = OnceLock::new();
    MODULES.get_or_init(Mutex::default)
}

/// Registers the images of a library in the registry of the process. Malformed images are skipped, and their errors
/// become this thread's last error.
///
/// # Safety
/// `binaries` is null or valid until `__sycl_unregister_lib`, and a compiler made its images.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sycl_register_lib(binaries: *const pi_device_binaries_struct) {
    fenced(|| {
        let mut problems = Vec::new();
        let mut images = Vec::new();
        // SAFETY: guaranteed by the caller.
        for read in unsafe { read_binaries(binaries) } {
            match read {
                Ok(image) => images.push(image),
                Err(problem) => problems.push(ImageError::from(problem)),
            }
        }
        // SAFETY: the images are those of a compiler.
        let (module, errors) = unsafe { Registry::process().add_module(images) };
        problems.extend(errors);
        if let Some(before) = modules().lock().insert(binaries as usize, module) {
            Registry::process().remove(before);
        }
        if problems.is_empty() { Ok(()) } else { Err(ImageError::Several(problems).into()) }
    });
}

/// Removes the images of a library from the registry.
///
/// # Safety
/// Every address is allowed, because the descriptor is not read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sycl_unregister_lib(binaries: *const pi_device_binaries_struct) {
    fenced(|| {
        if let Some(module) = modules().lock().remove(&(binaries as usize)) {
            Registry::process().remove(module);
        }
        Ok(())
    });
}

/// Registers the host variable at `host` as the device global `unique_id`, like `sycl::detail::device_global_map::add`.
/// It may be called before or after the images that contain the variable are registered.
///
/// # Safety
/// `unique_id` is null or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_add_device_global(host: *const c_void, unique_id: *const c_char) {
    fenced(|| {
        if unique_id.is_null() {
            return Err(Error::Invalid("the unique id of a device global is null".into()));
        }
        // SAFETY: it ends with a zero byte.
        let id = unsafe { CStr::from_ptr(unique_id) };
        Registry::process().add_device_global(host as usize, &id.to_string_lossy());
        Ok(())
    });
}

/// Registers a host variable with its size in bytes and its scope: image scope if `image_scope` is not 0. Copies are
/// then checked, and the memory exists, before an image contains the variable.
///
/// # Safety
/// `unique_id` is null or ends with a zero byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pi_runtime_register_device_global(
    host: *const c_void,
    unique_id: *const c_char,
    size: usize,
    image_scope: i32,
) -> i32 {
    fenced(|| {
        // SAFETY: guaranteed by the caller.
        let id = unsafe { text(unique_id, "the unique id") }?;
        Registry::process().add_device_global_of(host as usize, id, size, image_scope != 0)
    })
}

/// Implements `sycl::detail::device_global_map::add(const void *, const char *)`, which objects of DPC++ call for each
/// device global.
///
/// # Safety
/// The requirements of [`pi_runtime_add_device_global`] apply.
#[unsafe(export_name = "_ZN4sycl3_V16detail17device_global_map3addEPKvPKc")]
pub unsafe extern "C" fn device_global_map_add(host: *const c_void, unique_id: *const c_char) {
    // SAFETY: the caller's contract is the same.
    unsafe { pi_runtime_add_device_global(host, unique_id) }
}

/// Implements the same function for objects of DPC++ 2022, whose namespace is `cl::sycl`.
///
/// # Safety
/// The requirements of [`pi_runtime_add_device_global`] apply.
#[unsafe(export_name = "_ZN2cl4sycl6detail17device_global_map3addEPKvPKc")]
pub unsafe extern "C" fn device_global_map_add_2022(host: *const c_void, unique_id: *const c_char) {
    // SAFETY: the caller's contract is the same.
    unsafe { pi_runtime_add_device_global(host, unique_id) }
}

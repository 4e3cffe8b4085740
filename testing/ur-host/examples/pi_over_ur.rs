//! `libpi_over_ur.so` is a PI plugin that calls a UR adapter, for programs that only support plugins.
//!
//! `PI_OVER_UR_ADAPTER` is the adapter's file. The plugin's own name contains the layout and the backend, so that a
//! process can have several: copy it to `libpi_over_ur-2026.2-opencl.so`, for example.
#![expect(unsafe_code, reason = "a plugin is C functions")]

use std::ffi::{CStr, OsStr, c_void};
use std::path::Path;
use std::sync::OnceLock;

use testing_ur_host::{bridge, layout_of_name};

/// `PI_ERROR_INVALID_OPERATION`, as for an unsupported version.
const REFUSED: i32 = -59;

/// Connects to the adapter once, and fills the table.
///
/// # Safety
/// As `piPluginInit` requires, there must be room for a `pi_plugin` of PI 15.47 that starts with the caller's version.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "PI's name")]
pub unsafe extern "C" fn piPluginInit(plugin: *mut c_void) -> i32 {
    static CONNECTED: OnceLock<bool> = OnceLock::new();
    if plugin.is_null() || !*CONNECTED.get_or_init(connect) {
        return REFUSED;
    }
    // SAFETY: the caller's structure starts with its NUL-terminated version.
    let asked = unsafe { CStr::from_ptr(plugin.cast()) };
    if asked.to_bytes() != bridge::VERSION.text().as_bytes() {
        return REFUSED;
    }
    // SAFETY: the caller's structure has that version.
    unsafe { bridge::pi_plugin_init(plugin) }
}

/// Connects to the adapter that the environment names, at the layout in this file's name.
fn connect() -> bool {
    let Some(adapter) = std::env::var_os("PI_OVER_UR_ADAPTER") else { return false };
    let own = own_name().unwrap_or_default();
    let Some(layout) = own.split('-').find_map(layout_of_name) else { return false };
    // SAFETY: the user who sets the variable trusts the file.
    unsafe { bridge::connect(Path::new(&adapter), layout) }.is_ok()
}

/// Returns the name of this file.
fn own_name() -> Option<String> {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // SAFETY: an address of this library, and a valid structure.
    let found = unsafe { libc::dladdr(piPluginInit as *const c_void, &mut info) };
    if found == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name is NUL-terminated and valid as long as the library is loaded.
    let path = unsafe { CStr::from_ptr(info.dli_fname) }.to_string_lossy().into_owned();
    Path::new(&path).file_name().and_then(OsStr::to_str).map(str::to_owned)
}

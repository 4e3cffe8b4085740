//! The loader's entry points: tables of functions, one for each kind of object.

mod core;
mod tools;

/// Declares exported functions that fill tables. `_` leaves a slot unchanged.
macro_rules! tables {
    ($($getter:ident { $($slot:tt $(:: $name:ident)?,)* } $(+ { $($later:tt $(:: $later_name:ident)?,)* })?)*) => {$(
        /// Fills the table of this name.
        ///
        /// # Safety
        ///
        /// `table` is the loader's table of this name, with the length of its `version`.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $getter(
            version: level_zero_sys::ze_api_version_t,
            table: *mut *const std::ffi::c_void,
        ) -> level_zero_sys::ze_result_t {
            let slots: &[*const std::ffi::c_void] = &[$(super::slot!($slot $(:: $name)?),)*];
            let newer: &[*const std::ffi::c_void] = &[$($(super::slot!($later $(:: $later_name)?),)*)?];
            // SAFETY: guaranteed by the caller.
            unsafe { super::fill(version, table, slots, newer) }
        }
    )*};
}
use tables;

/// Returns a slot's address.
macro_rules! slot {
    (_) => {
        std::ptr::null()
    };
    ($module:ident :: $name:ident) => {
        $module::$name as *const std::ffi::c_void
    };
}
use slot;

/// # Safety
///
/// `table` has a slot for each of `slots` and, from version 1.9 on, of `newer`.
unsafe fn fill(
    version: level_zero_sys::ze_api_version_t,
    table: *mut *const std::ffi::c_void,
    slots: &[*const std::ffi::c_void],
    newer: &[*const std::ffi::c_void],
) -> level_zero_sys::ze_result_t {
    if table.is_null() {
        return level_zero_sys::ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    }
    if version.0 >> 16 != 1 {
        return level_zero_sys::ZE_RESULT_ERROR_UNSUPPORTED_VERSION;
    }
    let newer = if version.0 & 0xffff >= 9 { newer } else { &[] };
    for (index, slot) in slots.iter().chain(newer).enumerate().filter(|(_, slot)| !slot.is_null()) {
        // SAFETY: guaranteed by the caller.
        unsafe { table.add(index).write(*slot) };
    }
    level_zero_sys::ZE_RESULT_SUCCESS
}

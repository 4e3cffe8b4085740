//! Generates a shared library from the list: the exported functions that fill a loader's tables.

/// Makes an adapter from a backend. Exports the `urGet...ProcAddrTable` functions of every layout. Use it once per
/// cdylib: `export_adapter!(OpenCl, start_log);`. Each function calls the second argument, which starts the library's log.
#[macro_export]
macro_rules! export_adapter {
    ($backend:ty, $start_log:ident) => {
        $crate::__core::for_each_function!($crate::__entries, $backend);
        $crate::__core::for_each_table!($crate::__getters, $start_log);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __entries {
    (($backend:ty) $([$family:ident] $name:ident $table:ident [$($slot:tt)*] ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))*;)*) => {
        /// Every function of the list, including those of older layouts.
        #[doc(hidden)]
        fn entries() -> &'static [$crate::tables::Entry] {
            use core::ffi::{c_char, c_int, c_void};
            use $crate::__core::*;
            static ENTRIES: std::sync::OnceLock<Vec<$crate::tables::Entry>> = std::sync::OnceLock::new();
            ENTRIES.get_or_init(|| vec![$($crate::tables::Entry {
                table: stringify!($table),
                slots: [$($crate::__core::slot!($slot)),*],
                function: $crate::tables::Function($crate::stubs::$name::<$backend>
                    as unsafe extern "C" fn($($ty),*) -> ur_result_t as *const c_void),
                older: vec![$((Layout::$until, $crate::tables::Function($crate::stubs::$old::<$backend>
                    as unsafe extern "C" fn($($old_ty),*) -> ur_result_t as *const c_void))),*],
            }),*])
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __getters {
    (($start_log:ident) $($table:ident $getter:ident $(until $until:ident)?;)*) => {
        /// The exported symbols.
        #[allow(non_snake_case, clippy::missing_safety_doc, missing_docs)]
        mod adapter_exports {
            use super::{$start_log, entries};
            use $crate::__core::{ur_api_version_t, ur_result_t};

            $(
                #[unsafe(no_mangle)]
                pub unsafe extern "C" fn $getter(version: ur_api_version_t, pDdiTable: *mut core::ffi::c_void)
                    -> ur_result_t {
                    $crate::__backend::fence::keep_panics_silent();
                    $start_log();
                    // SAFETY: the caller guarantees that its table is valid.
                    unsafe {
                        $crate::tables::get_table(stringify!($getter), stringify!($table), version,
                            pDdiTable, entries())
                    }
                }
            )*
        }
    };
}

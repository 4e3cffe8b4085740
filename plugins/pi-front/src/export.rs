//! Generates a shared library from the list: the exported symbols, and the tables of every version.

/// Makes a plugin from a backend. Exports every entry point of the list under its C name, both spellings of the
/// device-variable pair, and `piPluginInit`. Use it once per cdylib: `export_plugin!(OpenCl, start_log);`. `piPluginInit`
/// calls the second argument, which starts the library's log.
///
/// Tables contain the stubs themselves, not the exported symbols. Otherwise a second plugin in the process that exports
/// the same names could replace this one's functions.
#[macro_export]
macro_rules! export_plugin {
    ($backend:ty, $start_log:ident) => {
        $crate::__core::for_each_entry_point!($crate::__export_all, $backend, $start_log);
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __export_all {
    (($backend:ty, $start_log:ident) $([$family:ident] $name:ident [$($slot:tt)*] ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))?;)*) => {
        #[doc(hidden)]
        type PluginBackend = $backend;

        /// The exported symbols, as of PI 15.47.
        #[allow(non_snake_case, clippy::missing_safety_doc, missing_docs)]
        mod plugin_exports {
            use super::{PluginBackend, $start_log};
            use $crate::__core::plugin::pi_plugin;
            use $crate::__core::*;
            #[allow(unused_imports)]
            use core::ffi::{c_char, c_int, c_uint, c_void};

            $(
                #[unsafe(no_mangle)]
                pub unsafe extern "C" fn $name($($arg: $ty),*) -> pi_result {
                    // SAFETY: guaranteed by the caller.
                    unsafe { $crate::stubs::$name::<PluginBackend>($($arg),*) }
                }
            )*

            /// The spelling of `piextEnqueueDeviceGlobalVariableRead` in the design document.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn piextEnqueueDeviceVariableRead(queue: pi_queue, program: pi_program,
                name: *const c_char, blocking: pi_bool, count: usize, offset: usize, dst: *mut c_void,
                num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) -> pi_result {
                // SAFETY: guaranteed by the caller.
                unsafe { piextEnqueueDeviceGlobalVariableRead(queue, program, name, blocking, count, offset, dst,
                    num_events, events, event) }
            }

            /// The spelling of `piextEnqueueDeviceGlobalVariableWrite` in the design document.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn piextEnqueueDeviceVariableWrite(queue: pi_queue, program: pi_program,
                name: *const c_char, blocking: pi_bool, count: usize, offset: usize, src: *const c_void,
                num_events: pi_uint32, events: *const pi_event, event: *mut pi_event) -> pi_result {
                // SAFETY: guaranteed by the caller.
                unsafe { piextEnqueueDeviceGlobalVariableWrite(queue, program, name, blocking, count, offset, src,
                    num_events, events, event) }
            }

            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn piPluginInit(plugin_info: *mut pi_plugin) -> pi_result {
                $crate::__backend::fence::keep_panics_silent();
                $start_log();
                $crate::convert::result($crate::__backend::fence::init("piPluginInit", || {
                    let older_forms = $crate::stubs::older_forms::<PluginBackend>();
                    // SAFETY: the caller guarantees that `plugin_info` is valid.
                    unsafe { $crate::init::fill(plugin_info, &entries(), &older_forms) }.map(|_| ())
                }))
            }

            fn entries() -> [$crate::init::Entry; 0 $(+ { let _ = stringify!($name); 1 })*] {
                [$($crate::init::Entry {
                    slots: [$($crate::__core::slot!($slot)),*],
                    function: $crate::stubs::$name::<PluginBackend>
                        as unsafe extern "C" fn($($ty),*) -> pi_result as *const c_void,
                    older: $crate::__export_all!(@older $( $until $old ($($old_ty),*))?),
                }),*]
            }
        }
    };
    (@older $until:ident $old:ident ($($ty:ty),*)) => {
        Some((Version::$until, $crate::stubs::$old::<PluginBackend>
            as unsafe extern "C" fn($($ty),*) -> pi_result as *const c_void))
    };
    (@older) => { None };
}

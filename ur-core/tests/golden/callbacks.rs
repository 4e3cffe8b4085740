//! Parameters and results of callbacks.

use core::ffi::{c_char, c_void};
use std::collections::BTreeMap;

use sycl_ur_core::*;

use crate::data::{list, structs, word};

/// Fails to compile if a callback has another type.
macro_rules! callbacks {
    ($($name:ident ($($ty:ty),*) $(-> $result:ty)?;)*) => {
        $(const _: fn($name) -> Option<unsafe extern "C" fn($($ty),*) $(-> $result)?> = |same| same;)*

        const CALLBACKS: &[(&str, &[&str], &[&str])] =
            &[$((stringify!($name), &[$(stringify!($ty)),*], &[$(stringify!($result))?])),*];
    };
}

callbacks! {
    ur_code_location_callback_t (*mut c_void) -> ur_code_location_t;
    ur_context_extended_deleter_t (*mut c_void);
    ur_event_callback_t (ur_event_handle_t, ur_execution_info_t, *mut c_void);
    ur_exp_command_buffer_native_command_function_t (*mut c_void);
    ur_exp_enqueue_native_command_function_t (ur_queue_handle_t, *mut c_void);
    ur_exp_graph_destruction_callback_t (*mut c_void);
    ur_exp_host_task_function_t (*mut c_void);
    ur_logger_callback_t (ur_logger_level_t, *const c_char, *mut c_void);
}

/// Returns the Rust type for the C type of a parameter or a result.
fn rust_type(c: &str) -> String {
    match c {
        "void*" => "*mut c_void".to_owned(),
        "const char*" => "*const c_char".to_owned(),
        name => name.to_owned(),
    }
}

#[test]
fn every_callback_has_its_parameters_and_result() {
    let golden = structs();
    let golden = list(&golden, "typedefs").iter().filter_map(|of| {
        let (result, params) = word(of, "type").strip_suffix(')')?.split_once(" (*)(")?;
        let rust = |c: &str| rust_type(c.trim());
        let result: Vec<_> = (result != "void").then(|| rust(result)).into_iter().collect();
        Some((word(of, "name").to_owned(), (params.split(',').map(rust).collect::<Vec<_>>(), result)))
    });
    let ours = CALLBACKS.iter().map(|(name, params, result)| {
        let spaced = |types: &[&str]| types.iter().map(|ty| ty.replace("* ", "*")).collect::<Vec<_>>();
        (name.to_string(), (spaced(params), spaced(result)))
    });
    assert_eq!(ours.collect::<BTreeMap<_, _>>(), golden.collect());
}

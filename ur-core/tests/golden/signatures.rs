//! Parameters.

use core::ffi::{c_char, c_int, c_void};

use serde_json::Value;
use sycl_ur_core::table::function;
use sycl_ur_core::*;

use crate::c_types::{one_spacing, rust_type};
use crate::data::{functions, layout, list, word, words};

fn golden_parameters(params: &[Value], layout: Layout) -> Vec<(String, String)> {
    params
        .iter()
        .map(|param| (word(param, "name").to_owned(), rust_type(word(param, "type"), layout)))
        .collect()
}

fn our_parameters(params: &[(&str, &str)]) -> Vec<(String, String)> {
    params.iter().map(|(name, ty)| (name.to_string(), one_spacing(ty))).collect()
}

#[test]
fn every_function_has_its_parameters_in_every_layout() {
    let golden = functions();
    for of in list(&golden, "functions") {
        let name = word(of, "name");
        for signature in list(of, "signatures") {
            for layout in words(signature, "layouts").into_iter().map(layout) {
                let ours = our_parameters(function(name).unwrap().params_in(layout));
                assert_eq!(
                    ours,
                    golden_parameters(list(signature, "params"), layout),
                    "{name} in {layout:?}"
                );
            }
        }
    }
}

#[test]
fn every_layout_that_has_a_function_has_its_parameters_in_the_data() {
    let golden = functions();
    for of in list(&golden, "functions") {
        let mut signed: Vec<Layout> = list(of, "signatures")
            .iter()
            .flat_map(|signature| words(signature, "layouts"))
            .map(layout)
            .collect();
        signed.sort_unstable();
        signed.dedup();
        let ours = function(word(of, "name")).unwrap();
        let with_slot = Layout::ALL.into_iter().filter(|layout| ours.slot(*layout).is_some());
        assert_eq!(signed, with_slot.collect::<Vec<_>>(), "{}", ours.name);
    }
}

#[test]
fn every_older_form_differs_from_the_next() {
    for function in FUNCTIONS {
        let newer = function.older.iter().skip(1).map(|older| older.params).chain([function.params]);
        for (older, newer) in function.older.iter().zip(newer) {
            assert_ne!(our_parameters(older.params), our_parameters(newer), "{}", older.name);
        }
    }
}

macro_rules! pointers {
    ((first, second) $([$family:ident] $name:ident $table:ident [$($slot:tt)*] ($($arg:ident: $ty:ty),*)
        $(until $until:ident => $old:ident ($($old_arg:ident: $old_ty:ty),*))*;)*) => {
        [$(
            size_of::<unsafe extern "C" fn($($arg: $ty),*) -> ur_result_t>(),
            $(size_of::<unsafe extern "C" fn($($old_arg: $old_ty),*) -> ur_result_t>(),)*
        )*]
    };
}

#[test]
fn every_signature_is_of_types_that_the_crate_has() {
    let sizes = sycl_ur_core::for_each_function!(pointers, first, second);
    let forms: usize = FUNCTIONS.iter().map(|function| 1 + function.older.len()).sum();
    assert_eq!(sizes.len(), forms);
}

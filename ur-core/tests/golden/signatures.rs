//! Parameters.

use core::ffi::{c_char, c_int, c_void};

use sycl_ur_core::table::function;
use sycl_ur_core::*;

use crate::data::{functions, layout, list, word, words};

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

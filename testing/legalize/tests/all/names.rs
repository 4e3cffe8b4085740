//! Names of functions.

use sycl_pi_image::spirv::{Needs, Op};

use crate::common::{made, of, program};

fn needs() -> Needs {
    Needs { no_hints: true, whole_interfaces: true, named_functions: true, ..Needs::default() }
}

#[test]
fn each_function_without_a_name_gets_one_of_its_own() {
    let after = made(&program("nameless"), &needs());
    let functions = of(&after, Op::Function);
    let names = of(&after, Op::Name);
    let mut texts: Vec<&[u32]> = functions
        .iter()
        .map(|function| &names.iter().find(|name| name[0] == function[1]).unwrap()[1..])
        .collect();
    texts.sort_unstable();
    texts.dedup();
    assert_eq!(texts.len(), 2);
}

#[test]
fn a_function_with_a_name_keeps_it() {
    let once = made(&program("nameless"), &needs());
    let again = made(&once.to_bytes().unwrap(), &needs());
    assert_eq!(of(&again, Op::Name), of(&once, Op::Name));
}

//! Compares property sets derived from the code of every image with the compiler's.

use std::collections::BTreeSet;

use sycl_pi_image::Properties;
use sycl_pi_image::derive::{SetDifference, carry, compare, derive};
use sycl_pi_image::property::LocalArg;
use sycl_pi_image::spirv::{Decoration, Op, StorageClass};

use crate::assembler::Assembler;
use crate::common;

/// Sets that the code does not show; lib/image/tests/images/derived.md gives the reason for each.
const NOT_DERIVABLE: [&str; 15] = [
    "feat_has.0 SYCL/device requirements",
    "feat_has.1 SYCL/device requirements",
    "feat_has.2 SYCL/device requirements",
    "feat_wgmax.0 SYCL/program metadata",
    "misc_local SYCL/kernel param opt",
    "misc_scratch SYCL/kernel param opt",
    "misc_virtual.0 SYCL/exported symbols",
    "misc_virtual.0 SYCL/virtual functions",
    "misc_virtual.1 SYCL/virtual functions",
    "registered SYCL/registered kernels",
    "spec_one_default SYCL/kernel param opt",
    "spec_one_default SYCL/misc properties",
    "spec_struct_default SYCL/kernel param opt",
    "spec_struct_default SYCL/misc properties",
    "vadd_acc SYCL/kernel param opt",
];

#[test]
fn beside_the_compilers() {
    let mut differ: BTreeSet<String> = BTreeSet::new();
    let mut but: BTreeSet<&str> = BTreeSet::new();
    for image in common::images() {
        for comparison in compare(&image.parts()).unwrap() {
            match comparison.outcome {
                SetDifference::Equal => {}
                SetDifference::EqualBut(what) => {
                    but.insert(what);
                }
                SetDifference::Differs(_) => {
                    differ.insert(format!("{} {}", image.name, comparison.set));
                }
            }
        }
    }
    assert_eq!(differ.iter().map(String::as_str).collect::<Vec<_>>(), NOT_DERIVABLE);
    assert_eq!(
        but,
        BTreeSet::from(["symbolic names, which are the source's: the code has the numbers only"])
    );
}

/// "Device code dynamic linking": "each declared but not defined symbol", including variables. Symbols that the device
/// provides are not imports, and device globals are found by their unique ids.
/// Each variable's name in its source, which the code does not have.
#[test]
fn what_a_file_says_of_a_variable_stays_with_the_code_that_has_it() {
    let parts = common::image("dg_init");
    let file = Properties::decode(&parts.parts()).unwrap();
    assert_eq!(file.metadata.entries.len(), 2);
    let code = || derive(&parts.bytes).unwrap();
    let originals = [(file, code().properties)];
    assert_eq!(carry(&originals, code()).metadata, originals[0].0.metadata);
    let other = derive(&common::image("vadd").bytes).unwrap();
    assert!(carry(&originals, other).metadata.entries.is_empty(), "the other code has neither");
}

/// The code shows such arguments too, but the compiler decides.
#[test]
fn what_a_file_says_of_implicit_arguments_stays() {
    let says = |image: &common::TestImage| {
        let file = Properties::decode(&image.parts()).unwrap();
        (!file.implicit_local_args.kernels.is_empty()).then_some(file)
    };
    let (image, mut file) =
        common::images().into_iter().find_map(|image| says(&image).map(|file| (image, file))).unwrap();
    let code = || derive(&image.bytes).unwrap();
    assert_eq!(code().properties.implicit_local_args, file.implicit_local_args);
    for (_, argument) in &mut file.implicit_local_args.kernels {
        *argument = LocalArg::Argument(7);
    }
    let wanted = file.implicit_local_args.clone();
    assert_eq!(carry(&[(file, code().properties)], code()).implicit_local_args, wanted);
}

#[test]
fn imported_and_exported_variables() {
    let mut module = Assembler::new();
    module.entry(10, "k");
    for (id, name, kind) in
        [(20, "table", 1), (21, "counter", 0), (22, "__spirv_BuiltInGlobalSize", 1), (23, "seen", 0)]
    {
        module.linkage(id, name, kind);
    }
    module.push(Op::Decorate, &[22, Decoration::BuiltIn as u32, 31]);
    module.push_text(Op::Decorate, &[23, Decoration::HostAccessINTEL as u32, 2], "uid", &[]);
    module.push(Op::TypeInt, &[1, 32, 0]);
    module.push(Op::TypeVoid, &[2]);
    module.push(Op::TypeFunction, &[3, 2]);
    module.push(Op::TypePointer, &[4, StorageClass::CrossWorkgroup as u32, 1]);
    for id in 20..24 {
        module.push(Op::Variable, &[4, id, StorageClass::CrossWorkgroup as u32]);
    }
    module.function([2, 3, 10], &[], 11, &[]);
    let derived = sycl_pi_image::derive::derive(&module.bytes()).unwrap();
    assert_eq!(derived.properties.imports.iter().collect::<Vec<_>>(), ["table"]);
    assert_eq!(derived.properties.exports.iter().collect::<Vec<_>>(), ["counter"]);
    assert_eq!(derived.entries, ["k"], "a variable is no entry");
}

/// A property set has each name only once, even if there are two declarations of a function or two variables with the
/// same unique id.
#[test]
fn a_name_that_code_has_twice_is_one_property() {
    let mut module = Assembler::new();
    module.entry(10, "k");
    for id in [20, 21] {
        module.linkage(id, "helper", 1);
    }
    for id in [22, 23] {
        module.push_text(Op::Decorate, &[id, Decoration::HostAccessINTEL as u32, 2], "uid", &[]);
    }
    module.push(Op::TypeInt, &[1, 32, 0]);
    module.push(Op::TypeVoid, &[2]);
    module.push(Op::TypeFunction, &[3, 2]);
    module.push(Op::TypePointer, &[4, StorageClass::CrossWorkgroup as u32, 1]);
    for id in [22, 23] {
        module.push(Op::Variable, &[4, id, StorageClass::CrossWorkgroup as u32]);
    }
    for id in [20, 21] {
        module.function([2, 3, id], &[], 0, &[]);
    }
    let calls: [&[u32]; 2] = [&[2, 12, 20], &[2, 13, 21]];
    module.function([2, 3, 10], &[], 11, &calls.map(|call| (Op::FunctionCall, call)));
    let bytes = module.bytes();
    let image = sycl_pi_image::derive::image("twice", &bytes).unwrap();
    let properties = sycl_pi_image::Properties::decode(&image).unwrap();
    assert_eq!(properties.imports.iter().collect::<Vec<_>>(), ["helper"]);
    assert_eq!(properties.device_globals.globals.len(), 1);
}

/// clang since LLVM 21 puts the body of an OpenCL kernel into a separate function.
#[test]
fn the_body_of_a_kernel_is_no_export() {
    let mut module = Assembler::new();
    module.entry(10, "add");
    module.linkage(11, "__clang_ocl_kern_imp_add", 0);
    module.linkage(12, "helper", 0);
    module.push(Op::TypeVoid, &[1]);
    module.push(Op::TypeFunction, &[2, 1]);
    for id in [10, 11, 12] {
        module.function([1, 2, id], &[], 20 + id, &[]);
    }
    let derived = sycl_pi_image::derive::derive(&module.bytes()).unwrap();
    assert_eq!(derived.entries, ["add", "helper"]);
    let exports: Vec<&str> = derived.properties.exports.iter().collect();
    assert_eq!(exports, ["helper"]);
}

//! Compares property sets derived from the code of every image with the compiler's.

use std::collections::BTreeSet;

use sycl_pi_image::Properties;
use sycl_pi_image::derive::{SetDifference, carry, compare, derive, is_library_function};
use sycl_pi_image::property::LocalArg;
use sycl_pi_image::spirv::{Decoration, ExecutionMode, Op, StorageClass};

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
    assert_eq!(but, BTreeSet::from(["symbolic names, which are in the source only"]));
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

/// Makes kernels, each with the operands of one execution mode and the text of an attribute, if it has any.
fn with_modes(kernels: &[(&[u32], &str)]) -> Properties {
    let mut module = Assembler::new();
    for (id, _) in (10..).zip(kernels) {
        module.entry(id, &format!("k{id}"));
    }
    for (id, (mode, _)) in (10..).zip(kernels).filter(|(_, (mode, _))| !mode.is_empty()) {
        let by_ids = mode[0] == ExecutionMode::LocalSizeId as u32;
        let opcode = if by_ids { Op::ExecutionModeId } else { Op::ExecutionMode };
        module.push(opcode, &[&[id], *mode].concat());
    }
    for (id, (_, text)) in (10..).zip(kernels).filter(|(_, (_, text))| !text.is_empty()) {
        module.push_text(Op::Decorate, &[id, Decoration::UserSemantic as u32], text, &[]);
    }
    module.push(Op::TypeVoid, &[1]);
    module.push(Op::TypeFunction, &[2, 1]);
    module.push(Op::TypeInt, &[3, 32, 0]);
    for number in 1..5 {
        module.push(Op::Constant, &[3, 50 + number, number]);
    }
    for (id, _) in (10..).zip(kernels) {
        module.function([1, 2, id], &[], 100 + id, &[]);
    }
    derive(&module.bytes()).unwrap().properties
}

const SIZE: u32 = ExecutionMode::LocalSize as u32;

/// A size tells the dimensions, however it is given. Trailing dimensions of 1 are none.
#[test]
fn sizes_tell_the_dimensions() {
    let by_ids = [ExecutionMode::LocalSizeId as u32, 52, 53, 51];
    let most = [ExecutionMode::MaxWorkgroupSizeINTEL as u32, 1, 1, 4];
    let hint = [ExecutionMode::LocalSizeHint as u32, 4, 2, 1];
    let cases: [(&[u32], u32); 5] =
        [(&by_ids, 2), (&[SIZE, 1, 1, 1], 1), (&[SIZE, 1, 4, 1], 2), (&most, 3), (&hint, 2)];
    for (mode, dimensions) in cases {
        let found = with_modes(&[(mode, "")]);
        assert_eq!(found.requirements.work_group_num_dim, Some(dimensions), "{mode:?}");
        let required = found.requirements.work_group_sizes.map(|sizes| sizes[0].dimensions.clone());
        let wanted = match mode[0] {
            SIZE => Some(mode[1..].iter().map(|&size| size.into()).collect()),
            mode if mode == by_ids[0] => Some(vec![2, 3, 1]),
            _ => None,
        };
        assert_eq!(required, wanted, "{mode:?}");
    }
}

/// An image is for one size only if each of its kernels requires it.
#[test]
fn what_one_kernel_requires_is_no_requirement_of_all() {
    let sub_group = [ExecutionMode::SubgroupSize as u32, 16];
    let both = with_modes(&[(&sub_group, ""), (&sub_group, "")]);
    assert_eq!(both.requirements.sub_group_sizes, Some(vec![16]));
    let size = [SIZE, 4, 1, 1];
    for kernels in [[(&sub_group[..], ""), (&[][..], "")], [(&[], ""), (&size, "")], [(&size, ""), (&[], "")]]
    {
        let found = with_modes(&kernels).requirements;
        assert_eq!((found.sub_group_sizes, found.work_group_sizes), (None, None), "{kernels:?}");
        // But the dimensions are those of whichever has some.
        let has_size = kernels.iter().any(|(mode, _)| mode.first() == Some(&SIZE));
        assert_eq!(found.work_group_num_dim, has_size.then_some(1), "{kernels:?}");
    }
}

/// A unit of Intel's GPUs has registers for 8 threads with 128 each, or 4 with 256; the driver chooses for 0.
#[test]
fn threads_of_a_unit_tell_the_registers() {
    for (threads, registers) in [("8", Some(128)), ("4", Some(256)), ("0", Some(0)), ("5", None), ("x", None)]
    {
        let found = with_modes(&[(&[], &format!("num-thread-per-eu {threads}"))]);
        assert_eq!(found.misc.grf_size(), registers, "{threads}");
    }
}

/// Names of functions that begin with two underscores are the compiler's, in classes and namespaces as well.
#[test]
fn functions_of_the_devices_libraries_are_known_by_their_names() {
    for name in ["_Z5__abcv", "_ZN5__abc3defEv", "_ZNK5__abcEv", "_ZL5__abcv", "sinf", "fmaf", "printf"] {
        assert!(is_library_function(name), "{name}");
    }
    for name in ["_Z3abcv", "_ZNK3abcEv", "_ZN3abc5__defEv", "sind", "half", "f", "_Z"] {
        assert!(!is_library_function(name), "{name}");
    }
}

/// The size of local memory is not known when a kernel without arguments is compiled, so nothing tells it.
#[test]
fn local_memory_of_a_kernel_without_arguments_is_static() {
    let name = "__sycl_dynamicLocalMemoryPlaceholder";
    let mut module = Assembler::new();
    module.entry(10, "k");
    module.push_text(Op::Name, &[20], name, &[]);
    module.push(Op::TypeInt, &[1, 32, 0]);
    module.push(Op::TypeVoid, &[2]);
    module.push(Op::TypeFunction, &[3, 2]);
    module.push(Op::TypePointer, &[4, StorageClass::Workgroup as u32, 1]);
    module.push(Op::Constant, &[1, 5, 7]);
    module.push(Op::Variable, &[4, 20, StorageClass::Workgroup as u32]);
    module.function([2, 3, 10], &[], 11, &[(Op::Store, &[20, 5])]);
    let found = derive(&module.bytes()).unwrap().properties.implicit_local_args;
    assert_eq!(found.kernels, [("k".to_owned(), LocalArg::Static)]);
}

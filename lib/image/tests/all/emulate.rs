//! Emulation: specialization constants become loads from a buffer.

use sycl_pi_image::Properties;
use sycl_pi_image::emulate::emulate;
use sycl_pi_image::property::{Leaf, SpecConstants};
use sycl_pi_image::spirv::{
    BUFFER_ARGUMENT, Decoration, Index, Module, Op, Reflection, emulate as emulate_module,
};

use crate::assembler::Assembler;
use crate::common;

/// Every image loses its constants and stays valid, and each kernel that used them has an additional argument.
#[test]
fn no_constant_is_left() {
    let mut with_constants = 0;
    for image in common::images() {
        let parts = image.parts();
        let before = Properties::decode(&parts).unwrap();
        let made = emulate(&parts).unwrap();
        let module = Module::parse(&made.image.bytes).unwrap();
        let reflection = Reflection::of(&Index::new(&module).unwrap()).unwrap();
        assert!(reflection.spec_scalars.is_empty() && reflection.spec_constants.is_empty(), "{}", image.name);
        common::validate_like(&image.name, &image.bytes, &made.image.bytes);
        if before.spec_constants.is_empty() {
            assert_eq!(made.image.bytes, image.bytes, "{}: nothing was to be done", image.name);
            continue;
        }
        with_constants += 1;
        let after = Properties::decode(&made.image).unwrap();
        assert_eq!(before.spec_constants, after.spec_constants, "{}: the layout stays", image.name);
        assert_eq!(before.spec_defaults, after.spec_defaults, "{}", image.name);
        for entry in reflection.entry_points.iter().filter(|entry| made.kernels.contains(&entry.name)) {
            let last = entry.arguments.last().unwrap();
            assert_eq!(last.name.as_deref(), Some(BUFFER_ARGUMENT));
            let mask = after.param_opt.get(&entry.name).unwrap();
            assert_eq!(mask.kept(), entry.arguments.len() as u64, "{}", image.name);
            assert!(!mask.is_removed(mask.arguments - 1));
        }
    }
    assert_eq!(with_constants, 10);
}

/// "Specialization constants", 2.2: constants are consecutive, and every load's offset is that of a constant.
#[test]
fn loads_are_where_the_layout_says() {
    for name in ["spec_struct", "spec_padded", "spec_scalar", "spec_array"] {
        let image = common::image(name);
        let properties = Properties::decode(&image.parts()).unwrap();
        let made = emulate(&image.parts()).unwrap();
        let module = Module::parse(&made.image.bytes).unwrap();
        let index = Index::new(&module).unwrap();
        let types = sycl_pi_image::spirv::Types::new(&index);
        let chain = Op::InBoundsPtrAccessChain;
        let buffers: Vec<u32> = index
            .functions
            .iter()
            .flat_map(|function| module.range(function.first, function.end))
            .filter(|inst| inst.opcode == Op::FunctionParameter)
            .map(|inst| inst.operand(1))
            .filter(|&id| index.name(id).as_deref() == Some(BUFFER_ARGUMENT))
            .collect();
        let mut loaded: Vec<u64> = module
            .instructions()
            .filter(|inst| inst.opcode == chain && buffers.contains(&inst.operand(2)))
            .map(|inst| types.number(inst.operand(3)).unwrap())
            .collect();
        loaded.sort_unstable();
        loaded.dedup();
        let mut wanted: Vec<u64> = properties
            .spec_constants
            .iter()
            .flat_map(|constant| constant.leaves.iter().map(move |leaf| (constant.blob_offset, leaf)))
            .filter(|(_, leaf)| leaf.id != sycl_pi_image::property::PADDING)
            .map(|(start, leaf)| start + u64::from(leaf.offset))
            .collect();
        wanted.sort_unstable();
        assert_eq!(loaded, wanted, "{name}");
    }
}

#[test]
fn what_cannot_be_emulated() {
    let image = common::image("spec_one");
    let module = Module::parse(&image.bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let nowhere = sycl_pi_image::property::SpecConstants::default();
    let error = emulate_module(&index, &nowhere).unwrap_err().to_string();
    assert!(
        error.ends_with("specialization constant 0 is not in the property set SYCL/specialization constants"),
        "{error}"
    );
}

/// An `OpSpecConstantOp` of a type instruction: as a separate instruction it would define its operand a second time.
#[test]
fn an_operation_that_computes_nothing_is_refused() {
    const HEADER: usize = 5;
    let image = common::image("spec_padded");
    let properties = Properties::decode(&image.parts()).unwrap();
    let words = image.bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    let mut words: Vec<u32> = words.collect();
    let mut at = HEADER;
    while words[at] & 0xffff != Op::SpecConstantComposite as u32 {
        at += (words[at] >> 16) as usize;
    }
    words[at] += Op::SpecConstantOp as u32 - Op::SpecConstantComposite as u32;
    words[at + 3] = Op::TypeFunction as u32;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let module = Module::parse(&bytes).unwrap();
    let index = Index::new(&module).unwrap();
    let error = emulate_module(&index, &properties.spec_constants).unwrap_err().to_string();
    assert!(error.ends_with("OpSpecConstantOp has an operation that computes nothing: 33"), "{error}");
}

/// A kernel without constants calls a function with one, so the kernel takes the buffer and passes it on.
#[test]
fn a_kernel_hands_the_buffer_to_what_it_calls() {
    let (void, kind, int) = (1, 2, 3);
    let mut code = Assembler::new();
    code.entry(10, "kernel");
    code.push(Op::Decorate, &[5, Decoration::SpecId as u32, 0]);
    code.push(Op::TypeVoid, &[void]);
    code.push(Op::TypeFunction, &[kind, void]);
    code.push(Op::TypeInt, &[int, 32, 0]);
    code.push(Op::SpecConstant, &[int, 5, 7]);
    code.function([void, kind, 10], &[], 11, &[(Op::FunctionCall, &[1, 12, 20])]);
    code.function([void, kind, 20], &[], 21, &[(Op::Bitcast, &[3, 22, 5])]);
    let module = code.module();
    let layout = SpecConstants::new([("c".to_owned(), vec![Leaf { id: 0, offset: 0, size: 4 }])]);
    let made = emulate_module(&Index::new(&module).unwrap(), &layout).unwrap();
    assert_eq!(made.kernels, ["kernel"]);
    let buffers: Vec<u32> = made
        .module
        .instructions()
        .filter(|inst| inst.opcode == Op::FunctionParameter)
        .map(|inst| inst.operand(1))
        .collect();
    let calls: Vec<Vec<u32>> = made
        .module
        .instructions()
        .filter(|inst| inst.opcode == Op::FunctionCall)
        .map(|inst| inst.operands.to_vec())
        .collect();
    let [of_kernel, of_function] = buffers[..] else { panic!("{buffers:?}") };
    assert_eq!(calls, [[1, 12, 20, of_kernel]]);
    assert_ne!(of_kernel, of_function);
    common::validate_like("a call", &code.bytes(), &made.module.to_bytes().unwrap());
}

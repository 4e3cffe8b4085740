//! Emulation: specialization constants become loads from a buffer.

use sycl_pi_image::Properties;
use sycl_pi_image::emulate::emulate;
use sycl_pi_image::property::{Leaf, SpecConstants};
use sycl_pi_image::spirv::{
    BUFFER_ARGUMENT, Decoration, Index, Module, Op, Reflection, StorageClass, emulate as emulate_module,
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

const INT: u32 = 3;
const CONSTANT: u32 = 5;
const COMPUTED: u32 = 6;
const SEVEN: u32 = 7;
const POINTER: u32 = 8;
const BOOL: u32 = 9;

/// Makes a kernel with these constants and instructions.
fn kernel(globals: &[(Op, &[u32])], body: &[(Op, &[u32])]) -> Assembler {
    let (void, kind) = (1, 2);
    let mut code = Assembler::new();
    code.entry(10, "kernel");
    code.push(Op::Decorate, &[CONSTANT, Decoration::SpecId as u32, 0]);
    code.push(Op::TypeVoid, &[void]);
    code.push(Op::TypeFunction, &[kind, void]);
    code.push(Op::TypeInt, &[INT, 32, 0]);
    code.push(Op::TypeBool, &[BOOL]);
    code.push(Op::TypePointer, &[POINTER, StorageClass::Function as u32, INT]);
    code.push(Op::Constant, &[INT, SEVEN, 7]);
    for (opcode, operands) in globals {
        code.push(*opcode, operands);
    }
    code.function([void, kind, 10], &[], 11, body);
    code
}

/// Emulates constant 0, which has `size` bytes at an offset.
fn emulated(code: &Assembler, offset: u32, size: u32) -> Result<Module, String> {
    let module = code.module();
    let layout = SpecConstants::new([("c".to_owned(), vec![Leaf { id: 0, offset, size }])]);
    let made = emulate_module(&Index::new(&module).unwrap(), &layout).map_err(|error| error.to_string())?;
    common::validate_like("constants", &code.bytes(), &made.module.to_bytes().unwrap());
    Ok(made.module)
}

/// Returns the operands of the module's only instruction of this kind.
fn only(module: &Module, opcode: Op) -> Vec<u32> {
    let mut all = module.instructions().filter(|inst| inst.opcode == opcode);
    let found = all.next().unwrap().operands.to_vec();
    assert!(all.next().is_none(), "{opcode:?}");
    found
}

/// A truth has one byte in the buffer, which any value but 0 makes true.
#[test]
fn a_truth_is_a_byte_that_is_not_zero() {
    for opcode in [Op::SpecConstantTrue, Op::SpecConstantFalse] {
        let code = kernel(&[(opcode, &[BOOL, CONSTANT])], &[(Op::LogicalNot, &[BOOL, 20, CONSTANT])]);
        let made = emulated(&code, 0, 1).unwrap();
        let index = Index::new(&made).unwrap();
        let load = only(&made, Op::Load);
        let byte = index.definition(load[0]).unwrap();
        assert_eq!((byte.opcode, &byte.operands[1..]), (Op::TypeInt, &[8, 0][..]));
        let compared = only(&made, Op::INotEqual);
        assert_eq!((compared[0], compared[2]), (BOOL, load[1]));
        let zero = index.definition(compared[3]).unwrap();
        assert_eq!((zero.operand(0), zero.operand(2)), (load[0], 0));
        assert_eq!(only(&made, Op::LogicalNot), [BOOL, 20, compared[1]]);
    }
}

/// A function's variable may start with a constant, which is known only when the function runs.
#[test]
fn a_variable_that_starts_with_a_constant_is_stored_to() {
    let variable: (Op, &[u32]) = (Op::Variable, &[POINTER, 30, StorageClass::Function as u32, CONSTANT]);
    let code = kernel(&[(Op::SpecConstant, &[INT, CONSTANT, 1])], &[variable]);
    let made = emulated(&code, 0, 4).unwrap();
    assert_eq!(only(&made, Op::Variable), [POINTER, 30, StorageClass::Function as u32]);
    assert_eq!(only(&made, Op::Store), [30, only(&made, Op::Load)[1]]);
}

#[test]
fn an_operation_on_a_constant_is_computed_when_the_code_runs() {
    let operation = [INT, COMPUTED, Op::IAdd as u32, CONSTANT, SEVEN];
    let globals: [(Op, &[u32]); 2] =
        [(Op::SpecConstant, &[INT, CONSTANT, 1]), (Op::SpecConstantOp, &operation)];
    let code = kernel(&globals, &[(Op::Bitcast, &[INT, 20, COMPUTED])]);
    let made = emulated(&code, 0, 4).unwrap();
    let sum = only(&made, Op::IAdd);
    assert_eq!((sum[0], &sum[2..]), (INT, &[only(&made, Op::Load)[1], SEVEN][..]));
    let used = made.instructions().filter(|inst| inst.opcode == Op::Bitcast).last().unwrap();
    assert_eq!(used.operands, [INT, 20, sum[1]]);
}

#[test]
fn constants_that_the_buffer_cannot_replace_are_refused() {
    let constant: (Op, &[u32]) = (Op::SpecConstant, &[INT, CONSTANT, 1]);
    let plain = kernel(&[constant], &[(Op::Bitcast, &[INT, 20, CONSTANT])]);
    let refused = |code: &Assembler, offset, size, wanted: &str| {
        let error = emulated(code, offset, size).unwrap_err();
        assert!(error.ends_with(wanted), "{error}");
    };
    assert!(emulated(&plain, 0x7fff_fffc, 4).is_ok());
    refused(&plain, 0x8000_0000, 4, "specialization constant c is beyond 2 GiB");
    refused(&plain, 0, 8, "specialization constant 0 has type i32, not 8 bytes");
    let array = kernel(&[constant, (Op::TypeArray, &[40, INT, CONSTANT])], &[]);
    let early =
        "specialization constant %5 cannot be emulated: OpTypeArray needs its value before the code runs";
    refused(&array, 0, 4, early);
    let pointers = StorageClass::CodeSectionINTEL as u32;
    let taken: [(Op, &[u32]); 3] =
        [constant, (Op::TypePointer, &[40, pointers, 2]), (Op::ConstantFunctionPointerINTEL, &[40, 41, 10])];
    let address = "function %10 uses specialization constants and its address is taken: a call through a pointer would \
                   not give it the buffer";
    refused(&kernel(&taken, &[(Op::Bitcast, &[INT, 20, CONSTANT])]), 0, 4, address);
    // Kernels are exported, too, but only the host calls them.
    for (name, wanted) in
        [("kernel", None), ("helper", Some("function helper uses specialization constants and is exported"))]
    {
        let mut code = Assembler::new();
        code.entry(10, "kernel");
        code.linkage(10, name, 0);
        code.push(Op::Decorate, &[CONSTANT, Decoration::SpecId as u32, 0]);
        code.push(Op::TypeVoid, &[1]);
        code.push(Op::TypeFunction, &[2, 1]);
        code.push(Op::TypeInt, &[INT, 32, 0]);
        code.push(Op::SpecConstant, &[INT, CONSTANT, 1]);
        code.function([1, 2, 10], &[], 11, &[(Op::Bitcast, &[INT, 20, CONSTANT])]);
        let error = emulated(&code, 0, 4).err();
        assert_eq!(error.as_deref().map(|error| error.split(':').next().unwrap()), wanted, "{name}");
    }
}

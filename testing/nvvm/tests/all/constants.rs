//! Specialization constants, constants of every kind, linking, variables that a host can name.

use sycl_pi_nvvm::{Global, Options, translate};
use testing_nvvm::{assemble, bytes, elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch, compute_with};

fn with_values(values: &[(u32, Vec<u8>)]) -> Options {
    let mut options = Options::default();
    options.specialization = vec![values.iter().cloned().collect()];
    options
}

#[test]
#[ignore = "needs LLVM 14"]
fn specialization_constants_take_given_values_and_keep_the_others() {
    let declarations = "
        %a = OpSpecConstant %uint 10
        %b = OpSpecConstant %ulong 20
        %c = OpSpecConstant %float 0.5
        %d = OpSpecConstantTrue %bool
        %e = OpSpecConstant %uchar 3
        OpDecorate %a SpecId 7
        OpDecorate %b SpecId 8
        OpDecorate %c SpecId 9
        OpDecorate %d SpecId 10
        OpDecorate %e SpecId 11";
    let code = "
        %b32 = OpUConvert %uint %b
        %e32 = OpUConvert %uint %e
        %c2 = OpFMul %float %c %v1
        %c32 = OpConvertFToU %uint %c2
        %ab = OpIAdd %uint %a %b32
        %abc = OpIAdd %uint %ab %c32
        %abce = OpIAdd %uint %abc %e32
        %r = OpSelect %uint %d %abce %v0";
    let module = elementwise(declarations, &["%uint", "%float"], "%uint", code).unwrap();
    let run = |options: &Options| {
        compute_with::<u32>(&module, options, &[bytes(&[99_u32]), bytes(&[1000_f32])], 1).unwrap()[0]
    };
    assert_eq!(run(&Options::default()), 10 + 20 + 500 + 3);
    let some = with_values(&[(7, bytes(&[1_u32])), (9, bytes(&[0.25_f32])), (11, vec![200]), (77, vec![1])]);
    assert_eq!(run(&some), 1 + 20 + 250 + 200);
    assert_eq!(run(&with_values(&[(10, vec![0])])), 99);
    let wrong = translate(&[&module], &with_values(&[(7, vec![1, 2])])).unwrap_err().to_string();
    assert!(
        wrong.starts_with("OpSpecConstant %") && wrong.ends_with("the constant has 4 bytes, not 2"),
        "{wrong}"
    );
}

#[test]
#[ignore = "needs LLVM 14"]
fn operations_on_specialization_constants() {
    // The instruction, its type, and its result for 200 and 7 as a number of 64 bits.
    let cases: [(&str, &str, u64); 48] = [
        ("IAdd %a %b", "%uint", 207),
        ("ISub %b %a", "%uint", u64::from(7_u32.wrapping_sub(200))),
        ("IMul %a %b", "%uint", 1400),
        ("UDiv %a %b", "%uint", 28),
        ("SDiv %minus %b", "%uint", u64::from((-200_i32 / 7) as u32)),
        ("UMod %a %b", "%uint", 4),
        ("SRem %minus %b", "%uint", u64::from((-200_i32 % 7) as u32)),
        ("SMod %minus %b", "%uint", 3),
        ("SMod %b %minus", "%uint", u64::from((-193_i32) as u32)),
        ("SMod %a %minus", "%uint", 0),
        ("SNegate %a", "%uint", u64::from((-200_i32) as u32)),
        ("Not %a", "%uint", u64::from(!200_u32)),
        ("ShiftLeftLogical %a %b", "%uint", 25600),
        ("ShiftRightLogical %minus %b", "%uint", u64::from((-200_i32) as u32 >> 7)),
        ("ShiftRightArithmetic %minus %b", "%uint", u64::from((-200_i32 >> 7) as u32)),
        ("BitwiseAnd %a %b", "%uint", 0),
        ("BitwiseOr %a %b", "%uint", 207),
        ("BitwiseXor %a %a", "%uint", 0),
        ("UConvert %a", "%uchar", 200),
        ("SConvert %small", "%uint", u64::from((-56_i32) as u32)),
        ("SLessThan %minus %b", "%bool", 1),
        ("ULessThan %minus %b", "%bool", 0),
        ("SLessThan %b %b", "%bool", 0),
        ("ULessThan %b %b", "%bool", 0),
        ("ULessThan %b %minus", "%bool", 1),
        ("SLessThanEqual %b %b", "%bool", 1),
        ("SLessThanEqual %b %minus", "%bool", 0),
        ("ULessThanEqual %b %b", "%bool", 1),
        ("ULessThanEqual %minus %b", "%bool", 0),
        ("SGreaterThan %b %minus", "%bool", 1),
        ("SGreaterThan %b %b", "%bool", 0),
        ("UGreaterThan %minus %b", "%bool", 1),
        ("UGreaterThan %b %b", "%bool", 0),
        ("SGreaterThanEqual %b %b", "%bool", 1),
        ("SGreaterThanEqual %minus %b", "%bool", 0),
        ("UGreaterThanEqual %b %b", "%bool", 1),
        ("UGreaterThanEqual %b %minus", "%bool", 0),
        ("IEqual %a %b", "%bool", 0),
        ("IEqual %b %b", "%bool", 1),
        ("INotEqual %a %b", "%bool", 1),
        ("LogicalNot %yes", "%bool", 0),
        ("LogicalEqual %no %no", "%bool", 1),
        ("LogicalNotEqual %no %no", "%bool", 0),
        ("LogicalAnd %yes %no", "%bool", 0),
        ("LogicalOr %yes %no", "%bool", 1),
        ("LogicalOr %yes %yes", "%bool", 1),
        ("Select %yes %a %b", "%uint", 200),
        ("CompositeExtract %pair 1", "%uint", 7),
    ];
    for (operation, ty, expected) in cases {
        let declarations = format!(
            "%a = OpSpecConstant %uint 1
             %b = OpSpecConstant %uint 7
             %small = OpSpecConstant %uchar 200
             %yes = OpSpecConstantTrue %bool
             %no = OpSpecConstantFalse %bool
             %minus = OpSpecConstantOp %uint 126 %a
             %pair = OpSpecConstantComposite %v2uint %a %b
             %value = OpSpecConstantOp {ty} {}
             OpDecorate %a SpecId 1",
            numbered(operation)
        );
        let code = match ty {
            "%bool" => "%r = OpSelect %ulong %value %l_1 %l_0",
            _ => "%r = OpUConvert %ulong %value",
        };
        let module = elementwise(&declarations, &["%uint"], "%ulong", code).unwrap();
        let found =
            compute_with::<u64>(&module, &with_values(&[(1, bytes(&[200_u32]))]), &[bytes(&[0_u32])], 1);
        assert_eq!(found.unwrap(), [expected], "{operation}");
    }
}

/// Replaces the operation's name by its number, which the assembler requires there.
fn numbered(operation: &str) -> String {
    let (name, operands) = operation.split_once(' ').unwrap();
    let numbers = [
        ("IAdd", 128),
        ("ISub", 130),
        ("IMul", 132),
        ("UDiv", 134),
        ("SDiv", 135),
        ("UMod", 137),
        ("SRem", 138),
        ("SMod", 139),
        ("SNegate", 126),
        ("Not", 200),
        ("ShiftLeftLogical", 196),
        ("ShiftRightLogical", 194),
        ("ShiftRightArithmetic", 195),
        ("BitwiseAnd", 199),
        ("BitwiseOr", 197),
        ("BitwiseXor", 198),
        ("UConvert", 113),
        ("SConvert", 114),
        ("LogicalEqual", 164),
        ("LogicalNotEqual", 165),
        ("LogicalOr", 166),
        ("LogicalAnd", 167),
        ("LogicalNot", 168),
        ("IEqual", 170),
        ("INotEqual", 171),
        ("UGreaterThan", 172),
        ("SGreaterThan", 173),
        ("UGreaterThanEqual", 174),
        ("SGreaterThanEqual", 175),
        ("ULessThan", 176),
        ("SLessThan", 177),
        ("ULessThanEqual", 178),
        ("SLessThanEqual", 179),
        ("Select", 169),
        ("CompositeExtract", 81),
    ];
    let number = numbers.iter().find(|(known, _)| *known == name).unwrap().1;
    format!("{number} {operands}")
}

/// SPIR-V specification, OpSpecConstantOp: operations on numbers also accept vectors.
#[test]
#[ignore = "needs LLVM 14"]
fn operations_on_vectors_of_specialization_constants() {
    // The instruction after the type, and its result for [200, 7, 0, 3] and [7, 7, 7, 7].
    let cases = [
        ("128 %p %q", [207, 14, 7, 10]),
        ("130 %p %q", [193, 0, 7_u32.wrapping_neg(), 4_u32.wrapping_neg()]),
        ("126 %p", [200_u32.wrapping_neg(), 7_u32.wrapping_neg(), 0, 3_u32.wrapping_neg()]),
        ("137 %p %q", [4, 0, 0, 3]),
        ("128 %null %q", [7, 7, 7, 7]),
        ("169 %less %p %q", [7, 7, 0, 3]),
        ("113 %small", [200, 7, 0, 3]),
        ("79 %p %q 0 4 4294967295 3", [200, 7, 0, 3]),
        ("82 %a %null 2", [0, 0, 200, 0]),
    ];
    for (operation, expected) in cases {
        let declarations = format!(
            "%a = OpSpecConstant %uint 1
             OpDecorate %a SpecId 1
             %v4uchar = OpTypeVector %uchar 4
             %v4bool = OpTypeVector %bool 4
             %null = OpConstantNull %v4uint
             %p = OpSpecConstantComposite %v4uint %a %u_7 %u_0 %u_3
             %q = OpConstantComposite %v4uint %u_7 %u_7 %u_7 %u_7
             %small = OpSpecConstantOp %v4uchar 113 %p
             %less = OpSpecConstantOp %v4bool 176 %p %q
             %value = OpSpecConstantOp %v4uint {operation}
             %s0 = OpSpecConstantOp %uint 81 %value 0
             %s1 = OpSpecConstantOp %uint 81 %value 1
             %s3 = OpSpecConstantOp %uint 81 %value 3"
        );
        let code = "%two = OpCompositeExtract %uint %value 2
             %r = OpCompositeConstruct %v4uint %s0 %s1 %two %s3";
        let module = elementwise(&declarations, &["%uint"], "%v4uint", code).unwrap();
        let gpu = HostGpu::new(&[&module], &with_values(&[(1, bytes(&[200_u32]))])).unwrap();
        let out = gpu.run(Launch::group(1), &[Arg::Buffer(vec![0; 16]), Arg::Buffer(vec![0; 4])]).unwrap();
        let mut found = numbers::<u32>(&out[0]);
        if operation.contains("4294967295") {
            // Any value is possible.
            found[2] = 0;
        }
        assert_eq!(found, expected, "{operation}");
    }
}

/// Two kernels, one of which uses a constant without a value.
#[test]
fn a_constant_without_a_value_refuses_the_kernels_that_use_it() {
    let cases = [
        ("%value = OpSpecConstantOp %uint 134 %u_7 %zero", "a constant is divided by zero"),
        ("%value = OpSpecConstantOp %uint 135 %u_7 %zero", "a constant is divided by zero"),
        ("%value = OpSpecConstantOp %uint 137 %u_7 %zero", "a constant is divided by zero"),
        ("%value = OpSpecConstantOp %uint 138 %u_7 %zero", "a constant is divided by zero"),
        ("%value = OpSpecConstantOp %uint 139 %u_7 %zero", "a constant is divided by zero"),
        (
            "%h = OpSpecConstant %float 0.5\n%sum = OpSpecConstantOp %float 129 %h %h\n\
             %value = OpSpecConstantOp %uint 110 %sum",
            "OpFAdd on floating-point specialization constants is not supported",
        ),
    ];
    for (constant, reason) in cases {
        let declarations = format!(
            "OpEntryPoint Kernel %other \"other\"
             %other.type = OpTypeFunction %void %p_uint
             %zero = OpSpecConstant %uint 0
             {constant}"
        );
        let code = "
            OpStore %out %value
            OpReturn
            OpFunctionEnd
            %other = OpFunction %void None %other.type
            %other.out = OpFunctionParameter %p_uint
            %other.entry = OpLabel
            OpStore %other.out %u_7
            OpReturn
            OpFunctionEnd";
        let module = kernel(&declarations, "%p_uint %out", code).unwrap();
        let translation = translate(&[&module], &Options::default()).unwrap();
        let refused: Vec<_> = translation.kernels.iter().map(|kernel| kernel.refused.as_deref()).collect();
        let [Some(why), None] = refused[..] else { panic!("{refused:?}") };
        assert!(why.starts_with("kernel k, instruction OpStore: OpSpecConstantOp %"), "{why}");
        assert!(why.ends_with(reason), "{why}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn tables_of_constants_hold_numbers_nulls_and_addresses() {
    let declarations = "
        %array = OpTypeArray %uint %u_4
        %pair = OpTypeStruct %array %float
        %c_pair = OpTypePointer UniformConstant %pair
        %c_uint = OpTypePointer UniformConstant %uint
        %c_c_uint = OpTypePointer UniformConstant %c_uint
        %half_of = OpConstant %float 0.5
        %numbers = OpConstantComposite %array %u_7 %u_31 %u_100 %u_0
        %both = OpConstantComposite %pair %numbers %half_of
        %table = OpVariable %c_pair UniformConstant %both
        %place = OpSpecConstantOp %c_uint 66 %table %u_0 %u_1
        %pointer = OpVariable %c_c_uint UniformConstant %place";
    let code = "
        %at = OpInBoundsAccessChain %c_uint %table %u_0 %v0
        %a = OpLoad %uint %at
        %there = OpLoad %c_uint %pointer
        %b = OpLoad %uint %there
        %r = OpIAdd %uint %a %b";
    let module = elementwise(declarations, &["%uint"], "%uint", code).unwrap();
    let found = compute_with::<u32>(&module, &Options::default(), &[bytes(&[0_u32, 1, 2, 3])], 4).unwrap();
    assert_eq!(found, [38, 62, 131, 31]);
}

/// The address of a variable as a number and back, as another type, in the generic space, and behind an element.
#[test]
#[ignore = "needs LLVM 14"]
fn addresses_are_converted_in_constants() {
    let declarations = "
        %array = OpTypeArray %uint %u_4
        %p_array = OpTypePointer CrossWorkgroup %array
        %numbers = OpConstantComposite %array %u_7 %u_31 %u_100 %u_0
        %table = OpVariable %p_array CrossWorkgroup %numbers
        %first = OpSpecConstantOp %p_uint 66 %table %u_0
        %number = OpSpecConstantOp %ulong 117 %first
        %back = OpSpecConstantOp %p_uint 120 %number
        %bytes = OpSpecConstantOp %p_uchar 124 %first
        %generic = OpSpecConstantOp %g_uint 121 %first
        %third = OpSpecConstantOp %p_uint 67 %first %u_2
        %same = OpSpecConstantOp %p_uint 70 %first %u_1";
    // Each line gives one of 7, 7, 7, 100 and 31, of which the byte has a place of its own.
    let code = "
        %a = OpLoad %uint %back
        %byte = OpLoad %uchar %bytes
        %b = OpUConvert %uint %byte
        %c = OpLoad %uint %generic
        %d = OpLoad %uint %third
        %e = OpLoad %uint %same
        %two = OpIMul %uint %b %u_100
        %ab = OpIAdd %uint %a %two
        %cd = OpISub %uint %d %c
        %abcd = OpIAdd %uint %ab %cd
        %r = OpIAdd %uint %abcd %e";
    let module = elementwise(declarations, &["%uint"], "%uint", code).unwrap();
    let found = compute_with::<u32>(&module, &Options::default(), &[bytes(&[0_u32])], 1).unwrap();
    assert_eq!(found, [7 + 700 + 100 - 7 + 31]);
}

/// Returns a module with a function that another one imports.
fn library(body: &str) -> Vec<u8> {
    library_with(body, "", "OpConstant")
}

/// Returns a module as `library` does, with a decoration, and 2 as a constant of this kind.
fn library_with(body: &str, decoration: &str, two: &str) -> Vec<u8> {
    assemble(&format!(
        "OpCapability Addresses\nOpCapability Linkage\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL
         OpDecorate %f LinkageAttributes \"twice\" Export
         {decoration}
         %uint = OpTypeInt 32 0
         %two = {two} %uint 2
         %type = OpTypeFunction %uint %uint
         %f = OpFunction %uint None %type
         %a = OpFunctionParameter %uint
         %entry = OpLabel
         {body}
         OpFunctionEnd"
    ))
    .unwrap()
}

const IMPORTING: &str = "
    %r = OpFunctionCall %uint %twice %x
    %at = OpPtrAccessChain %p_uint %out %l
    OpStore %at %r
    OpReturn
    OpFunctionEnd
    %twice = OpFunction %uint None %twice.type
    %twice.a = OpFunctionParameter %uint
    OpFunctionEnd";
const IMPORT: &str =
    "%twice.type = OpTypeFunction %uint %uint\nOpDecorate %twice LinkageAttributes \"twice\" Import";

#[test]
#[ignore = "needs LLVM 14"]
fn imports_are_bound_to_exports_in_any_order() {
    let program = kernel(IMPORT, "%p_uint %out", IMPORTING).unwrap();
    let library = library("%r = OpIMul %uint %a %two\nOpReturnValue %r");
    for modules in [[&program[..], &library], [&library[..], &program]] {
        let gpu = HostGpu::new(&modules, &Options::default()).unwrap();
        let out = gpu.run(Launch::group(5), &[Arg::Buffer(vec![0; 20])]).unwrap();
        assert_eq!(numbers::<u32>(&out[0]), [0, 2, 4, 6, 8]);
    }
}

#[test]
fn an_export_that_two_modules_have_is_an_error() {
    let program = kernel(IMPORT, "%p_uint %out", IMPORTING).unwrap();
    let library = library("OpReturnValue %a");
    let error = translate(&[&program, &library, &library], &Options::default()).unwrap_err().to_string();
    assert!(error.starts_with("the modules cannot be linked: ") && error.contains("twice"), "{error}");
}

/// Ids of specialization constants are separate for each module: setting one does not affect the others.
#[test]
#[ignore = "needs LLVM 14"]
fn modules_with_constants_of_one_id_keep_them_apart() {
    let program = kernel(
        &format!("{IMPORT}\n%own = OpSpecConstant %uint 3\nOpDecorate %own SpecId 0"),
        "%p_uint %out",
        &IMPORTING.replace("%twice %x", "%twice %own"),
    )
    .unwrap();
    let library = library_with(
        "%r = OpIAdd %uint %a %two\nOpReturnValue %r",
        "OpDecorate %two SpecId 0",
        "OpSpecConstant",
    );
    let run = |own: Option<u32>, two: Option<u32>| {
        let values = |value: Option<u32>| value.map(|value| (0, bytes(&[value]))).into_iter().collect();
        let mut options = Options::default();
        options.specialization = vec![values(own), values(two)];
        let gpu = HostGpu::new(&[&program, &library], &options).unwrap();
        let out = gpu.run(Launch::group(1), &[Arg::Buffer(vec![0; 4])]).unwrap();
        numbers::<u32>(&out[0])[0]
    };
    assert_eq!(run(None, None), 3 + 2);
    assert_eq!(run(Some(50), None), 50 + 2);
    assert_eq!(run(None, Some(700)), 3 + 700);
    assert_eq!(run(Some(50), Some(700)), 50 + 700);
}

#[test]
fn a_value_for_a_constant_that_its_module_lacks_reaches_no_other_module() {
    let program = kernel(IMPORT, "%p_uint %out", IMPORTING).unwrap();
    let library = library_with("OpReturnValue %two", "OpDecorate %two SpecId 4", "OpSpecConstant");
    let ir = |own: Option<u32>, two: Option<u32>| {
        let values = |value: Option<u32>| value.map(|value| (4, bytes(&[value]))).into_iter().collect();
        let mut options = Options::default();
        options.specialization = vec![values(own), values(two)];
        translate(&[&program, &library], &options).unwrap().ir
    };
    assert_eq!(ir(Some(700), None), ir(None, None));
    assert!(!ir(Some(700), None).contains("700"));
    assert!(ir(None, Some(700)).contains("ret i32 700"), "{}", ir(None, Some(700)));
}

/// "Identifiers" and "Predefined Identifiers" of the PTX manual.
#[test]
fn kernels_whose_names_ptx_refuses_get_another_symbol() {
    let symbol = |name: &str| {
        let text = String::from(
            "OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n",
        ) + &format!("OpEntryPoint Kernel %k \"{name}\"\n")
            + "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%k = OpFunction %void None %type\n%entry = OpLabel\nOpReturn\nOpFunctionEnd";
        let translation = translate(&[&assemble(&text).unwrap()], &Options::default()).unwrap();
        assert_eq!(translation.kernels[0].name, name);
        translation.kernels[0].symbol.clone()
    };
    for name in ["a", "_a", "$a", "__", "$$", "add", "WARP_SZE", "warp_sz", "f1x"] {
        assert_eq!(symbol(name), name);
    }
    for name in ["_", "$", "%", "1a", "WARP_SZ", "a.b", "a b", "f1", "vprintf"] {
        assert_eq!(symbol(name), "k0", "{name}");
    }
}

#[test]
fn libraries_keep_the_names_of_their_functions() {
    let mut options = Options::default();
    options.exports = true;
    let translation = translate(&[&library("OpReturnValue %a")], &options).unwrap();
    assert!(translation.ir.contains("define i32 @twice(i32 "), "{}", translation.ir);
    let without = translate(&[&library("OpReturnValue %a")], &Options::default()).unwrap();
    assert!(!without.ir.contains("define"), "nobody calls it");
}

#[test]
fn a_variable_that_is_decorated_as_constant_is_one_unless_the_host_names_it() {
    let declarations = "
        %own = OpVariable %p_uint CrossWorkgroup %u_7
        OpDecorate %own Constant
        %named = OpVariable %p_uint CrossWorkgroup %u_7
        OpDecorate %named Constant
        OpDecorate %named LinkageAttributes \"named\" Export";
    let code = "%a = OpLoad %uint %own\nOpStore %out %a\n%b = OpLoad %uint %named\nOpStore %out %b";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    let constants: Vec<&str> =
        translation.ir.lines().filter(|line| line.contains(" constant i32 7")).collect();
    assert!(matches!(constants[..], [line] if line.contains("internal addrspace(1)")), "{constants:?}");
    assert!(translation.ir.contains("@named = addrspace(1) externally_initialized global i32 7"));
}

/// A value computed from such a constant is refused, too.
#[test]
fn a_vector_of_a_constant_without_a_value_refuses_the_kernels_that_use_it() {
    let declarations = "
        OpEntryPoint Kernel %other \"other\"
        %other.type = OpTypeFunction %void
        %zero = OpSpecConstant %uint 0
        %value = OpSpecConstantOp %uint 134 %u_7 %zero
        %both = OpSpecConstantComposite %v2uint %value %u_7";
    let code = "
        %first = OpCompositeExtract %uint %both 0
        OpStore %out %first
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %other.type
        %other.entry = OpLabel
        OpReturn
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    let refused: Vec<bool> = translation.kernels.iter().map(|kernel| kernel.refused.is_some()).collect();
    assert_eq!(refused, [true, false]);
}

#[test]
fn a_composite_with_too_few_members_is_an_error() {
    let declarations = "%pair = OpConstantComposite %v2uint %u_1";
    let code = "%first = OpCompositeExtract %uint %pair 0\nOpStore %out %first";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let error = translate(&[&module], &Options::default()).unwrap_err().to_string();
    assert!(error.ends_with("the constant has 1 members, its type 2"), "{error}");
}

/// A program may set a constant that the optimizer removed.
#[test]
fn values_of_constants_that_a_module_lacks_are_left_out() {
    let declarations = "%c = OpSpecConstant %uint 3\nOpDecorate %c SpecId 0";
    let module = kernel(declarations, "%p_uint %out", "OpStore %out %c").unwrap();
    let values = with_values(&[(99, bytes(&[5_u32]))]);
    let translation = translate(&[&module], &values).unwrap();
    assert_eq!(translation.kernels[0].refused, None);
}

#[test]
fn a_value_for_a_constant_has_exactly_the_size_of_its_type() {
    let declarations = "%c = OpSpecConstant %uint 3\nOpDecorate %c SpecId 0";
    let module = kernel(declarations, "%p_uint %out", "OpStore %out %c").unwrap();
    let with = |size: usize| translate(&[&module], &with_values(&[(0, vec![1; size])]));
    assert_eq!(with(4).unwrap().kernels[0].refused, None);
    for size in [0, 3, 5, 8] {
        let error = with(size).unwrap_err().to_string();
        assert!(error.ends_with(&format!("the constant has 4 bytes, not {size}")), "{error}");
    }
}

/// Tables in constant memory and variables with an empty name.
#[test]
fn variables_that_no_host_writes_are_none_of_its_globals() {
    let declarations = "
        %c_uint = OpTypePointer UniformConstant %uint
        %table = OpVariable %c_uint UniformConstant %u_7
        OpDecorate %table LinkageAttributes \"table\" Export
        %other = OpVariable %p_uint CrossWorkgroup %u_7
        OpDecorate %other HostAccessINTEL 2 \"\"";
    let code = "%a = OpLoad %uint %table\nOpStore %other %a";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    assert_eq!(translation.globals.len(), 0);
    assert!(translation.ir.contains(" constant i32 7"), "{}", translation.ir);
}

#[test]
fn a_translation_tells_whether_the_address_of_a_function_is_taken() {
    let pointer = "
        %twice.type = OpTypeFunction %uint %uint
        %p_twice = OpTypePointer 5605 %twice.type
        %pointer = OpConstantFunctionPointerINTEL %p_twice %twice";
    let code = |call: &str| {
        format!(
            "%sum = {call} %x\nOpStore %out %sum\nOpReturn\nOpFunctionEnd
            %twice = OpFunction %uint None %twice.type
            %of = OpFunctionParameter %uint
            %twice.entry = OpLabel
            %all = OpIAdd %uint %of %of
            OpReturnValue %all
            OpFunctionEnd"
        )
    };
    let by_name = ("%twice.type = OpTypeFunction %uint %uint", "OpFunctionCall %uint %twice");
    let by_address = (pointer, "OpFunctionPointerCallINTEL %uint %pointer");
    for ((declarations, call), expected) in [(by_name, false), (by_address, true)] {
        let module = kernel(declarations, "%p_uint %out", &code(call)).unwrap();
        let translation = translate(&[&module], &Options::default()).unwrap();
        assert_eq!(translation.function_pointers, expected, "{call}");
    }
}

#[test]
fn device_globals_are_found_by_unique_id_or_exported_name() {
    let declarations = "
        %array = OpTypeArray %ulong %u_4
        %p_array = OpTypePointer CrossWorkgroup %array
        %one = OpVariable %p_array CrossWorkgroup
        %two = OpVariable %p_uint CrossWorkgroup %u_7
        %three = OpVariable %p_uint CrossWorkgroup %u_7
        OpDecorate %one HostAccessINTEL 2 \"a unique id\"
        OpDecorate %one LinkageAttributes \"mangled.name\" Export
        OpDecorate %two LinkageAttributes \"plain_name\" Export
        %four = OpVariable %p_uint CrossWorkgroup %u_7
        OpDecorate %four 6188 2 \"another id\"";
    let code = "%a = OpLoad %uint %two\nOpStore %three %a";
    let translation =
        translate(&[&kernel(declarations, "%p_uint %out", code).unwrap()], &Options::default()).unwrap();
    let find =
        |name: &str| -> Option<&Global> { translation.globals.iter().find(|global| global.name == name) };
    let (one, two) = (find("a unique id").unwrap(), find("plain_name").unwrap());
    assert_eq!((one.size, two.size, two.symbol.as_str()), (32, 4, "plain_name"));
    assert!(!one.symbol.contains('.'), "PTX takes no dots: {}", one.symbol);
    assert!(find("another id").is_some());
    assert_eq!(translation.globals.len(), 3, "a variable without a name is nobody's");
    // Loads must not be folded to the initial value, because the host may write it.
    for global in [one, two] {
        let line =
            translation.ir.lines().find(|line| line.starts_with(&format!("@{} = ", global.symbol))).unwrap();
        assert!(line.contains(" externally_initialized global ") && !line.contains("internal"), "{line}");
    }
}

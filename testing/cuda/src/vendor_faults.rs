//! Tests of code that NVIDIA's compilers would miscompile or refuse if the translator wrote it directly.
//! `pi-cuda-spirv` runs these on a GPU.
//!
//! Random kernels found all of these faults on an H100.

use testing_nvvm::{elementwise, kernel};

use crate::Fixture;

/// The tests with their names.
pub const CASES: [(&str, fn()); 12] = [
    ("spirv_tables_of_vectors_of_three_keep_the_room_of_the_fourth", tables),
    ("spirv_the_absolute_value_of_the_least_short_is_itself", least_short),
    ("spirv_the_negation_of_the_least_short_is_itself", negated_short),
    ("spirv_the_absolute_value_of_the_least_integer_is_not_negative_as_unsigned", least_integer),
    ("spirv_the_greater_of_a_short_and_zero_is_compared_with_zero", greater_short),
    ("spirv_the_greatest_of_three_numbers_keeps_the_negation_of_one", negated_of_three),
    ("spirv_an_absolute_value_that_is_nan_is_not_greater_than_anything", nan_and_bounds),
    ("spirv_a_half_and_a_choice_between_it_and_another_are_added_to_apart", chosen_half),
    ("spirv_the_greater_of_0_and_the_less_of_1_and_nan_is_1", clamped_nan),
    ("spirv_shorts_that_all_work_items_load_at_one_address_stay_apart", common_shorts),
    ("spirv_a_division_of_constants_that_is_nan_is_not_equal_to_itself", constant_nan),
    ("spirv_eight_halves_in_a_row_are_stored", halves),
];

/// Vectors of three components in an array, and in structures before a number.
fn tables() {
    let declarations = "
        %v3 = OpTypeVector %ushort 3
        %record = OpTypeStruct %v3 %ushort
        %vectors = OpTypeArray %v3 %u_4
        %records = OpTypeArray %record %u_4
        %p_vectors = OpTypePointer UniformConstant %vectors
        %p_records = OpTypePointer UniformConstant %records
        %p_v3 = OpTypePointer UniformConstant %v3
        %p_c_ushort = OpTypePointer UniformConstant %ushort
        %s1 = OpConstant %ushort 1
        %s2 = OpConstant %ushort 2
        %s3 = OpConstant %ushort 3
        %s4 = OpConstant %ushort 4
        %a = OpConstantComposite %v3 %s1 %s2 %s3
        %b = OpConstantComposite %v3 %s4 %s1 %s2
        %c = OpConstantNull %v3
        %ra = OpConstantComposite %record %a %s4
        %rb = OpConstantComposite %record %b %s3
        %rc = OpConstantNull %record
        %all = OpConstantComposite %vectors %a %b %c %a
        %all_records = OpConstantComposite %records %ra %rb %rc %ra
        %table = OpVariable %p_vectors UniformConstant %all
        %record_table = OpVariable %p_records UniformConstant %all_records";
    let code = "
        %at = OpBitwiseAnd %uint %x %u_3
        %vector.p = OpInBoundsAccessChain %p_v3 %table %at
        %vector = OpLoad %v3 %vector.p Aligned 8
        %last = OpCompositeExtract %ushort %vector 2
        %inner.p = OpInBoundsAccessChain %p_v3 %record_table %at %u_0
        %inner = OpLoad %v3 %inner.p Aligned 8
        %middle = OpCompositeExtract %ushort %inner 1
        %number.p = OpInBoundsAccessChain %p_c_ushort %record_table %at %u_1
        %number = OpLoad %ushort %number.p
        %first.p = OpPtrAccessChain %p_ushort %out %l
        OpStore %first.p %last
        %second.p = OpPtrAccessChain %p_ushort %middles %l
        OpStore %second.p %middle
        %third.p = OpPtrAccessChain %p_ushort %numbers %l
        OpStore %third.p %number";
    let module =
        kernel(declarations, "%p_ushort %out, %p_ushort %middles, %p_ushort %numbers", code).unwrap();
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&module));
    let kernel = program.kernel("k");
    let memories = [(); 3].map(|()| fixture.device_memory(16));
    for (index, memory) in memories.iter().enumerate() {
        kernel.pointer(index as u32, memory.start);
    }
    fixture.launch(kernel.raw, &[4], None);
    fixture.finish();
    let read = memories.each_ref().map(|memory| fixture.read::<u16>(memory, 4));
    assert_eq!(read, [[3, 2, 0, 3], [2, 1, 0, 2], [4, 3, 0, 4]]);
}

/// Compares in 16 bits, and widens to 32.
fn least_short() {
    let results = of_shorts("%result = OpExtInst %ushort %cl s_abs %v0");
    assert_eq!(results, [i32::from(i16::MIN) + 100, 32767, 5, 107]);
}

fn negated_short() {
    let results = of_shorts("%result = OpSNegate %ushort %v0");
    assert_eq!(results, [i32::from(i16::MIN) + 100, 32767, 5, -7]);
}

/// The result must be 2^31, which has the same bits as the least integer.
fn least_integer() {
    let code = "
        %absolute = OpExtInst %uint %cl s_abs %v0
        %r = OpConvertUToF %float %absolute";
    let results: Vec<f32> =
        of_numbers(&elementwise("", &["%uint"], "%float", code).unwrap(), &[i32::MIN, i32::MIN + 1, -5, 7]);
    assert_eq!(results, [2_147_483_648.0, 2_147_483_648.0, 5.0, 7.0]);
}

/// The number is an 8-bit argument, so the assembler keeps both operands in registers that all work-items share.
fn greater_short() {
    let code = "
        %number = OpSConvert %ushort %argument
        %greater = OpExtInst %ushort %cl s_max %number %none
        %zeros = OpExtInst %ushort %cl ctz %greater
        %to = OpPtrAccessChain %p_ushort %out %l
        OpStore %to %zeros";
    let declarations = "%none = OpConstant %ushort 0";
    let fixture = Fixture::new();
    let module = kernel(declarations, "%p_ushort %out, %uchar %argument", code).unwrap();
    let program = fixture.build(fixture.unbuilt(&module));
    let (kernel, out) = (program.kernel("k"), fixture.device_memory(16));
    kernel.pointer(0, out.start);
    for (argument, expected) in [(4_u8, 2_u16), (1, 0), (0, 16), (0x84, 16)] {
        kernel.set(1, argument);
        fixture.launch(kernel.raw, &[1], None);
        fixture.finish();
        assert_eq!(fixture.read::<u16>(&out, 1), [expected], "{argument:#x}");
    }
}

/// Returns a result for each of four 16-bit numbers, with 100 added if it equals the number.
fn of_shorts(result: &str) -> Vec<i32> {
    let code = format!(
        "{result}
        %same = OpIEqual %bool %result %v0
        %same.n = OpSelect %uint %same %u_100 %u_0
        %wide = OpSConvert %uint %result
        %r = OpIAdd %uint %wide %same.n"
    );
    let module = elementwise("", &["%ushort"], "%uint", &code).unwrap();
    of_numbers(&module, &[i16::MIN, i16::MIN + 1, -5, 7])
}

/// Returns what a kernel writes to its first argument, one number for each number of the second.
fn of_numbers<N: Copy, R: Copy + Default>(module: &[u8], numbers: &[N]) -> Vec<R> {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(module));
    let kernel = program.kernel("k");
    let out = fixture.device_memory(numbers.len() * size_of::<R>());
    let memory = fixture.device_memory(size_of_val(numbers));
    fixture.write(&memory, numbers);
    kernel.pointer(0, out.start);
    kernel.pointer(1, memory.start);
    fixture.launch(kernel.raw, &[numbers.len()], None);
    fixture.finish();
    fixture.read(&out, numbers.len())
}

/// The work-items' numbers are less than the negations, and greater than the least.
fn negated_of_three() {
    let code = "
        %negated = OpSNegate %uint %v0
        %greater = OpExtInst %uint %cl s_max %x %negated
        %greatest = OpExtInst %uint %cl s_max %greater %v0
        %less = OpExtInst %uint %cl s_min %x %negated
        %least = OpExtInst %uint %cl s_min %less %v0
        %absolute = OpExtInst %uint %cl s_abs %v0
        %again = OpExtInst %uint %cl s_max %absolute %v0
        %range = OpISub %uint %greatest %least
        %r = OpIAdd %uint %range %again";
    let results: Vec<i32> =
        of_numbers(&elementwise("", &["%uint"], "%uint", code).unwrap(), &[-5, 7, -100, 4]);
    assert_eq!(results, [15, 21, 300, 12]);
}

/// No comparison may be assumed to hold if it is false for NaN, even if it is true for all numbers.
fn nan_and_bounds() {
    let declarations = "
        %f_0 = OpConstant %float 0
        %f_2 = OpConstant %float 2
        %f_less = OpConstant %float -0.5";
    let code = "
        %absolute = OpExtInst %float %cl fabs %v0
        %square = OpFMul %float %v0 %v0
        %minus = OpFNegate %float %absolute
        %a = OpFOrdGreaterThan %bool %absolute %f_less
        %b = OpFOrdGreaterThanEqual %bool %square %f_0
        %c = OpFOrdLessThan %bool %minus %f_2
        %a.n = OpSelect %uint %a %u_1 %u_0
        %b.n = OpSelect %uint %b %u_2 %u_0
        %c.n = OpSelect %uint %c %u_4 %u_0
        %ab = OpIAdd %uint %a.n %b.n
        %r = OpIAdd %uint %ab %c.n";
    let module = elementwise(declarations, &["%float"], "%uint", code).unwrap();
    let results: Vec<u32> = of_numbers(&module, &[f32::NAN, -f32::NAN, -3.0, 0.0]);
    assert_eq!(results, [0, 0, 7, 7]);
}

/// Adds 2 to a number, and to either the number or its double, which is computed from its bits. Both sums are kept
/// in one word.
fn chosen_half() {
    let declarations = "
        %exponent = OpConstant %ushort 0x400
        %h_0 = OpConstant %half 0x0
        %h_2 = OpConstant %half 0x4000";
    let code = "
        %first = OpFAdd %half %v0 %h_2
        %bits = OpBitcast %ushort %v0
        %double.bits = OpIAdd %ushort %bits %exponent
        %double.h = OpBitcast %half %double.bits
        %negative = OpFOrdLessThan %bool %v0 %h_0
        %chosen = OpSelect %half %negative %v0 %double.h
        %second = OpFAdd %half %chosen %h_2
        %first.s = OpBitcast %ushort %first
        %second.s = OpBitcast %ushort %second
        %first.w = OpUConvert %uint %first.s
        %second.w = OpUConvert %uint %second.s
        %high = OpShiftLeftLogical %uint %second.w %u_16
        %r = OpBitwiseOr %uint %high %first.w";
    let module = elementwise(declarations, &["%half"], "%uint", code).unwrap();
    // 4, -4, 2, -2.
    let results: Vec<u32> = of_numbers(&module, &[0x4400_u16, 0xc400, 0x4000, 0xc000]);
    assert_eq!(results, [0x4900_4600, 0xc000_c000, 0x4600_4400, 0]);
}

/// Tests numbers of each size.
fn clamped_nan() {
    let clamped = |ty: &str, one: &str, zero: &str| {
        let declarations = format!("%one = OpConstant {ty} {one}\n%zero = OpConstant {ty} {zero}");
        let code =
            format!("%less = OpExtInst {ty} %cl fmin %v0 %one\n%r = OpExtInst {ty} %cl fmax %less %zero");
        elementwise(&declarations, &[ty], ty, &code).unwrap()
    };
    let numbers = [f32::NAN, -3.0, 0.25, 4.0];
    assert_eq!(of_numbers::<f32, f32>(&clamped("%float", "1", "0"), &numbers), [1.0, 0.0, 0.25, 1.0]);
    let results: Vec<f64> = of_numbers(&clamped("%double", "1", "0"), &numbers.map(f64::from));
    assert_eq!(results, [1.0, 0.0, 0.25, 1.0]);
    let results: Vec<u16> =
        of_numbers(&clamped("%half", "0x3c00", "0x0"), &[0x7e00_u16, 0xc200, 0x3400, 0x4400]);
    assert_eq!(results, [0x3c00, 0, 0x3400, 0x3c00]);
}

/// Negates eight shorts at an address that all work-items share, next to values that differ by work-item: 16
/// numbers, and four that are arguments. The assembler would take the fourth short from the sixth number.
fn common_shorts() {
    let declarations = "
        OpCapability Vector16
        %v8 = OpTypeVector %ushort 8
        %p_v8 = OpTypePointer CrossWorkgroup %v8
        %v16 = OpTypeVector %float 16
        %p_v16 = OpTypePointer CrossWorkgroup %v16
        %factor = OpConstant %ulong 0x9e3779b97f4a7c15
        %sign = OpConstant %ushort 0x8000
        %signs = OpConstantComposite %v8 %sign %sign %sign %sign %sign %sign %sign %sign
        %nan = OpConstant %uint 0x7fc00000";
    let mut code = "
        %numbers.p = OpPtrAccessChain %p_v16 %in %l
        %numbers = OpLoad %v16 %numbers.p Aligned 64
        %shorts.p = OpBitcast %p_v8 %in
        %shorts = OpLoad %v8 %shorts.p Aligned 16
        %changed = OpExtInst %v8 %cl s_abs_diff %signs %shorts
        %arguments.0 = OpCopyObject %ulong %l_0
        %sum.0 = OpCopyObject %ulong %l_0
        %mixed.0 = OpCopyObject %ulong %l_0\n"
        .to_owned();
    for at in 0..4 {
        code += &format!(
            "%argument{at} = OpCompositeExtract %float %four {at}\n%is_nan{at} = OpIsNan %bool %argument{at}\n\
             %argument{at}.bits = OpBitcast %uint %argument{at}\n\
             %argument{at}.one = OpSelect %uint %is_nan{at} %nan %argument{at}.bits\n\
             %argument{at}.wide = OpUConvert %ulong %argument{at}.one\n\
             %arguments{at}.m = OpIMul %ulong %arguments.{at} %factor\n\
             %arguments.{} = OpIAdd %ulong %arguments{at}.m %argument{at}.wide\n",
            at + 1
        );
    }
    code +=
        "%arguments.to = OpInBoundsPtrAccessChain %p_ulong %out %l_2\nOpStore %arguments.to %arguments.4\n";
    for at in 0..16 {
        code += &format!(
            "%number{at} = OpCompositeExtract %float %numbers {at}\n%number{at}.bits = OpBitcast %uint %number{at}\n\
             %number{at}.wide = OpUConvert %ulong %number{at}.bits\n\
             %sum.{} = OpIAdd %ulong %sum.{at} %number{at}.wide\n",
            at + 1
        );
    }
    code += "%sum.to = OpInBoundsPtrAccessChain %p_ulong %out %l\nOpStore %sum.to %sum.16\n";
    for at in 0..8 {
        code += &format!(
            "%short{at} = OpCompositeExtract %ushort %changed {at}\n%short{at}.wide = OpUConvert %ulong %short{at}\n\
             %mixed{at}.m = OpIMul %ulong %mixed.{at} %factor\n\
             %mixed.{} = OpIAdd %ulong %mixed{at}.m %short{at}.wide\n",
            at + 1
        );
    }
    code += "OpStore %out %mixed.8";
    let module = kernel(declarations, "%p_ulong %out, %p_v16 %in, %v4float %four", &code).unwrap();
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&module));
    let (kernel, out, memory) = (program.kernel("k"), fixture.device_memory(32), fixture.device_memory(64));
    let shorts: [u16; 32] = std::array::from_fn(|at| 0x1111 + 0x0731 * at as u16);
    fixture.write(&memory, &shorts);
    kernel.pointer(0, out.start);
    kernel.pointer(1, memory.start);
    kernel.set(2, [1.0_f32, -2.0, f32::NAN, 0.5]);
    fixture.launch(kernel.raw, &[1], None);
    fixture.finish();
    let mixed = |words: &mut dyn Iterator<Item = u64>| {
        words.fold(0_u64, |all, word| all.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(word))
    };
    let [changed, _, arguments] = fixture.read::<u64>(&out, 3)[..] else { panic!("three words") };
    assert_eq!(changed, mixed(&mut shorts[..8].iter().map(|short| u64::from(short ^ 0x8000))));
    assert_eq!(arguments, mixed(&mut [0x3f80_0000, 0xc000_0000, 0x7fc0_0000, 0x3f00_0000].into_iter()));
}

/// Queries about 0/0 with one result bit each, and whether they are true. 1/0 is a number, and ordered.
fn constant_nan() {
    let questions = [
        ("OpIsNan %bool %nan", true),
        ("OpFOrdEqual %bool %nan %nan", false),
        ("OpFUnordNotEqual %bool %nan %nan", true),
        ("OpFOrdEqual %bool %nan %again", false),
        ("OpFOrdLessThanEqual %bool %nan %again", false),
        ("OpFUnordNotEqual %bool %nan %again", true),
        ("OpFUnordGreaterThan %bool %nan %again", true),
        ("OpOrdered %bool %nan %again", false),
        ("OpUnordered %bool %nan %again", true),
        ("OpOrdered %bool %infinite %infinite", true),
        ("OpFOrdGreaterThanEqual %bool %infinite %infinite", true),
        ("OpFOrdEqual %bool %sign %zero", true),
    ];
    let expected: u32 = questions.iter().enumerate().map(|(at, (_, truth))| u32::from(*truth) << at).sum();
    for (ty, zero, one) in [("%float", "0", "1"), ("%double", "0", "1"), ("%half", "0x0", "0x3c00")] {
        let mut declarations = format!("%zero = OpConstant {ty} {zero}\n%one = OpConstant {ty} {one}\n");
        let mut code = format!(
            "%nan = OpFDiv {ty} %zero %zero\n%again = OpFDiv {ty} %zero %zero\n%infinite = OpFDiv {ty} %one %zero\n\
             %sign = OpExtInst {ty} %cl sign %nan\n%r0 = OpCopyObject %uint %v0\n"
        );
        for (at, (question, _)) in questions.iter().enumerate() {
            declarations += &format!("%bit{at} = OpConstant %uint {}\n", 1 << at);
            code += &format!(
                "%is{at} = {question}\n%n{at} = OpSelect %uint %is{at} %bit{at} %u_0\n\
                 %r{} = OpBitwiseOr %uint %r{at} %n{at}\n",
                at + 1
            );
        }
        code += &format!("%r = OpCopyObject %uint %r{}\n", questions.len());
        let module = elementwise(&declarations, &["%uint"], "%uint", &code).unwrap();
        assert_eq!(of_numbers::<u32, u32>(&module, &[0; 4]), [expected; 4], "{ty}");
    }
}

/// Halves in private memory, selected by an index.
fn halves() {
    let declarations = "
        %u_8 = OpConstant %uint 8
        %array = OpTypeArray %half %u_8
        %f_array = OpTypePointer Function %array
        %f_half = OpTypePointer Function %half
        %u_5 = OpConstant %uint 5
        %u_6 = OpConstant %uint 6";
    let mut code = "
        %room = OpVariable %f_array Function
        %from = OpPtrAccessChain %p_half %in %l
        %number = OpLoad %half %from\n"
        .to_owned();
    for at in 0..8 {
        code += &format!("%to{at} = OpInBoundsAccessChain %f_half %room %u_{at}\nOpStore %to{at} %number\n");
    }
    code += "
        %at = OpBitwiseAnd %uint %x %u_7
        %read.p = OpInBoundsAccessChain %f_half %room %at
        %read = OpLoad %half %read.p
        %to = OpPtrAccessChain %p_half %out %l
        OpStore %to %read";
    let module = kernel(declarations, "%p_half %out, %p_half %in", &code).unwrap();
    let numbers: [u16; 16] = std::array::from_fn(|at| 0x3c00 + at as u16);
    assert_eq!(of_numbers::<u16, u16>(&module, &numbers), numbers);
}

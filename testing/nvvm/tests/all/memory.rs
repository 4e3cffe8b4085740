//! Memory: shared variables, pointers in memory, structures by value, generic pointers.

use sycl_pi_nvvm::{Argument, Options, translate};
use testing_nvvm::{bytes, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

fn run(module: &[u8], launch: Launch, args: &[Arg]) -> Vec<u32> {
    let gpu = HostGpu::new(&[module], &Options::default()).unwrap();
    numbers(&gpu.run(launch, args).unwrap()[0])
}

/// OpenCL C's `get_fence`: the bits of memory semantics for the target of a generic pointer.
#[test]
#[ignore = "needs LLVM 14"]
fn a_generic_pointer_tells_the_semantics_of_its_memory() {
    let declarations = "
        %s_var = OpVariable %s_uint Workgroup
        %v = OpTypeFunction %uint";
    let code = "
        %own = OpVariable %f_uint Function
        %g0 = OpPtrCastToGeneric %g_uint %out
        %g1 = OpPtrCastToGeneric %g_uint %s_var
        %g2 = OpPtrCastToGeneric %g_uint %own
        %m0 = OpGenericPtrMemSemantics %uint %g0
        %m1 = OpGenericPtrMemSemantics %uint %g1
        %m2 = OpGenericPtrMemSemantics %uint %g2
        OpStore %out %m0
        %at1 = OpPtrAccessChain %p_uint %out %l_1
        OpStore %at1 %m1
        %at2 = OpPtrAccessChain %p_uint %out %l_2
        OpStore %at2 %m2";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let out = run(&module, Launch::group(1), &[Arg::Buffer(vec![0; 12])]);
    // CrossWorkgroupMemory, WorkgroupMemory, and none for private memory.
    assert_eq!(out, [0x200, 0x100, 0]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_pointer_is_a_number_and_a_number_a_pointer() {
    let code = "
        %first = OpConvertPtrToU %ulong %out
        %step = OpIMul %ulong %l %l_4
        %own = OpIAdd %ulong %first %step
        %at = OpConvertUToPtr %p_uint %own
        %n = OpIAdd %uint %x %u_7
        OpStore %at %n";
    let module = kernel("%l_4 = OpConstant %ulong 4", "%p_uint %out", code).unwrap();
    let out = run(&module, Launch::group(4), &[Arg::Buffer(vec![0; 16])]);
    assert_eq!(out, [7, 8, 9, 10]);
}

/// A program may wait in a loop until another work-item or the host writes what it loads.
#[test]
fn volatile_loads_and_stores_stay_volatile() {
    let code = "
        %plain = OpLoad %uint %in
        %own = OpLoad %uint %in 1
        %aligned = OpLoad %uint %in 3 4
        %sum = OpIAdd %uint %plain %own
        %all = OpIAdd %uint %sum %aligned
        OpStore %out %all 1
        OpStore %out %all";
    let module = kernel("", "%p_uint %out, %p_uint %in", code).unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    let count = |text: &str| translation.ir.matches(text).count();
    let counts = ["load i32,", "load volatile i32,", "store i32 ", "store volatile i32 "].map(count);
    assert_eq!(counts, [1, 2, 1, 1], "{}", translation.ir);
}

/// glibc's fortified headers call these if a program calls memcpy, memmove and memset.
#[test]
#[ignore = "needs LLVM 14"]
fn functions_of_c_on_memory_do_what_they_do_in_c() {
    let declarations = "
        %g_uchar = OpTypePointer Generic %uchar
        %of_copy = OpTypeFunction %g_uchar %g_uchar %g_uchar %ulong %ulong
        %of_plain = OpTypeFunction %g_uchar %g_uchar %g_uchar %ulong
        %of_fill = OpTypeFunction %g_uchar %g_uchar %uint %ulong %ulong
        %four = OpConstant %ulong 4
        %many = OpConstant %ulong 100
        %letter = OpConstant %uint 0x4141
        OpDecorate %copy LinkageAttributes \"__memcpy_chk\" Import
        OpDecorate %move LinkageAttributes \"__memmove_chk\" Import
        OpDecorate %fill LinkageAttributes \"__memset_chk\" Import
        OpDecorate %plain LinkageAttributes \"memcpy\" Import";
    let code = "
        %to = OpPtrCastToGeneric %g_uint %out
        %to.bytes = OpBitcast %g_uchar %to
        %from = OpPtrCastToGeneric %g_uint %in
        %from.bytes = OpBitcast %g_uchar %from
        %r0 = OpFunctionCall %g_uchar %copy %to.bytes %from.bytes %four %many
        %to1 = OpPtrAccessChain %g_uchar %r0 %four
        %from1 = OpPtrAccessChain %g_uchar %from.bytes %four
        %r1 = OpFunctionCall %g_uchar %move %to1 %from1 %four %many
        %to2 = OpPtrAccessChain %g_uchar %r1 %four
        %r2 = OpFunctionCall %g_uchar %fill %to2 %letter %four %many
        %to3 = OpPtrAccessChain %g_uchar %r2 %four
        %r3 = OpFunctionCall %g_uchar %plain %to3 %from.bytes %four
        OpReturn
        OpFunctionEnd
        %copy = OpFunction %g_uchar None %of_copy
        %c0 = OpFunctionParameter %g_uchar
        %c1 = OpFunctionParameter %g_uchar
        %c2 = OpFunctionParameter %ulong
        %c3 = OpFunctionParameter %ulong
        OpFunctionEnd
        %move = OpFunction %g_uchar None %of_copy
        %d0 = OpFunctionParameter %g_uchar
        %d1 = OpFunctionParameter %g_uchar
        %d2 = OpFunctionParameter %ulong
        %d3 = OpFunctionParameter %ulong
        OpFunctionEnd
        %fill = OpFunction %g_uchar None %of_fill
        %e0 = OpFunctionParameter %g_uchar
        %e1 = OpFunctionParameter %uint
        %e2 = OpFunctionParameter %ulong
        %e3 = OpFunctionParameter %ulong
        OpFunctionEnd
        %plain = OpFunction %g_uchar None %of_plain
        %p0 = OpFunctionParameter %g_uchar
        %p1 = OpFunctionParameter %g_uchar
        %p2 = OpFunctionParameter %ulong
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out, %p_uint %in", code).unwrap();
    let input = bytes(&[0x0403_0201_u32, 0x0807_0605]);
    let out = run(&module, Launch::group(1), &[Arg::Buffer(vec![0; 20]), Arg::Buffer(input)]);
    assert_eq!(out, [0x0403_0201, 0x0807_0605, 0x4141_4141, 0x0403_0201, 0]);
}

/// libnvvm's verifier refuses a variable that is itself a pointer to shared memory (see `libnvvm.rs`).
#[test]
#[ignore = "needs LLVM 14"]
fn a_shared_variable_holds_a_pointer_to_shared_memory() {
    let declarations = "
        %array = OpTypeArray %uint %u_32
        %s_array = OpTypePointer Workgroup %array
        %s_s_uint = OpTypePointer Workgroup %s_uint
        %values = OpVariable %s_array Workgroup
        %pointer = OpVariable %s_s_uint Workgroup";
    let code = "
        %own = OpInBoundsAccessChain %s_uint %values %l
        %square = OpIMul %uint %x %x
        OpStore %own %square Aligned 4
        %first = OpIEqual %bool %x %u_3
        OpSelectionMerge %meet None
        OpBranchConditional %first %put %meet
        %put = OpLabel
        OpStore %pointer %own Aligned 8
        OpBranch %meet
        %meet = OpLabel
        OpControlBarrier %group %group %acq_rel
        %theirs = OpLoad %s_uint %pointer Aligned 8
        %seen = OpLoad %uint %theirs Aligned 4
        %sum = OpIAdd %uint %seen %x
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %sum Aligned 4";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let out = run(&module, Launch::group(32), &[Arg::Buffer(vec![0; 128])]);
    assert_eq!(out, (0..32).map(|id| 9 + id).collect::<Vec<_>>());
}

#[test]
#[ignore = "needs LLVM 14"]
fn local_memory_arguments_are_offsets_into_the_launchs_shared_memory() {
    let code = "
        %own = OpPtrAccessChain %s_uint %local %l
        OpStore %own %x Aligned 4
        OpControlBarrier %group %group %acq_rel
        %turned = OpISub %uint %u_31 %x
        %other.at = OpPtrAccessChain %s_uint %local %turned
        %other = OpLoad %uint %other.at Aligned 4
        %second = OpLoad %uint %more Aligned 4
        %sum = OpIAdd %uint %other %second
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %sum Aligned 4";
    let module = kernel("", "%p_uint %out, %s_uint %local, %s_uint %more", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let arguments = &gpu.translation.kernels[0].arguments;
    assert!(matches!(
        arguments[..],
        [Argument::Pointer, Argument::Local { align: 16 }, Argument::Local { .. }]
    ));
    // The second block begins 16 bytes before the end of the first, and shows element 28.
    let value = |offset: u32| Arg::Value(bytes(&[offset]));
    let args = [Arg::Buffer(vec![0; 128]), value(64), value(64 + 28 * 4)];
    let out = numbers::<u32>(&gpu.run(Launch::group(32), &args).unwrap()[0]);
    assert_eq!(out, (0..32).map(|id| 31 - id + 28).collect::<Vec<_>>());
}

/// The least alignment is 16; an argument may be decorated with more.
#[test]
fn local_memory_is_aligned_as_its_argument_says() {
    // 8 is the greatest power of two that divides 24.
    let declarations = "OpDecorate %wide Alignment 64\nOpDecorate %odd Alignment 24";
    let module = kernel(declarations, "%s_uint %wide, %s_uint %plain, %s_uint %odd", "").unwrap();
    let translation = translate(&[&module], &Options::default()).unwrap();
    let aligned = [64, 16, 16].map(|align| Argument::Local { align });
    assert_eq!(translation.kernels[0].arguments, aligned);
}

#[test]
fn variables_are_aligned_as_their_decorations_say() {
    let declarations = "
        %own = OpVariable %p_uint CrossWorkgroup %u_7
        %shared = OpVariable %s_uint Workgroup
        OpDecorate %own Alignment 64
        OpDecorate %shared Alignment 128
        OpDecorate %shared LinkageAttributes \"named\" Export";
    let code = "%a = OpLoad %uint %own\nOpStore %shared %a\n%b = OpLoad %uint %shared\nOpStore %out %b";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let ir = translate(&[&module], &Options::default()).unwrap().ir;
    let line = |text: &str| ir.lines().find(|line| line.starts_with('@') && line.contains(text)).unwrap();
    assert!(line("addrspace(1)").contains("align 64"), "{ir}");
    let shared = line("addrspace(3)");
    assert!(shared.ends_with("align 128") && !shared.starts_with("@named "), "{shared}");
}

#[test]
fn private_variables_are_aligned_as_their_decorations_say() {
    let code =
        "%own = OpVariable %f_uint Function\nOpStore %own %u_7\n%a = OpLoad %uint %own\nOpStore %out %a";
    for (decoration, align) in [("", 4), ("OpDecorate %own Alignment 64", 64)] {
        let module = kernel(decoration, "%p_uint %out", code).unwrap();
        let ir = translate(&[&module], &Options::default()).unwrap().ir;
        assert!(ir.contains(&format!(" = alloca i32, align {align}\n")), "{ir}");
    }
}

/// A function changes its copy, of few and of many numbers, and the caller's structure stays.
#[test]
#[ignore = "needs LLVM 14"]
fn a_structure_that_a_function_gets_by_value_is_its_own() {
    for count in [2, 200] {
        let declarations = format!(
            "%count = OpConstant %uint {count}
             %array = OpTypeArray %uint %count
             %data = OpTypeStruct %array
             %f_data = OpTypePointer Function %data
             %change.type = OpTypeFunction %uint %f_data
             OpDecorate %given FuncParamAttr ByVal"
        );
        let code = "
            %own = OpVariable %f_data Function
            %second = OpInBoundsAccessChain %f_uint %own %u_0 %u_1
            OpStore %second %u_7
            %sum = OpFunctionCall %uint %change %own
            %after = OpLoad %uint %second
            OpStore %out %sum
            %out.1 = OpPtrAccessChain %p_uint %out %l_1
            OpStore %out.1 %after
            OpReturn
            OpFunctionEnd
            %change = OpFunction %uint None %change.type
            %given = OpFunctionParameter %f_data
            %change.entry = OpLabel
            %at = OpInBoundsAccessChain %f_uint %given %u_0 %u_1
            %old = OpLoad %uint %at
            OpStore %at %u_31
            %new = OpLoad %uint %at
            %both = OpIAdd %uint %old %new
            OpReturnValue %both
            OpFunctionEnd";
        let module = kernel(&declarations, "%p_uint %out", code).unwrap();
        assert_eq!(run(&module, Launch::group(1), &[Arg::Buffer(vec![0; 8])]), [38, 7], "{count}");
        // LLVM's language reference: the attribute is at the call, too.
        let ir = translate(&[&module], &Options::default()).unwrap().ir;
        let call = ir.lines().find(|line| line.contains(" = call i32 @f"));
        assert!(count < 200 || call.is_some_and(|call| call.contains(" byval")), "{ir}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_private_variable_begins_with_its_value() {
    let code = "%own = OpVariable %f_uint Function %u_7\n%a = OpLoad %uint %own\nOpStore %out %a";
    let module = kernel("", "%p_uint %out", code).unwrap();
    assert_eq!(run(&module, Launch::group(1), &[Arg::Buffer(vec![0; 4])]), [7]);
}

/// Without a mask nothing is known of the alignment. The first bit of a mask is that of volatile accesses.
#[test]
fn copies_are_aligned_and_volatile_as_they_say() {
    for (mask, align, volatile) in [("", 1, false), ("1", 1, true), ("2 8", 8, false), ("3 4", 4, true)] {
        for copy in ["OpCopyMemory %out %in", "OpCopyMemorySized %out %in %l_2"] {
            let module = kernel("", "%p_uint %out, %p_uint %in", &format!("{copy} {mask}")).unwrap();
            let ir = translate(&[&module], &Options::default()).unwrap().ir;
            let call = ir.lines().find(|line| line.contains("call void @llvm.memcpy")).unwrap();
            assert_eq!(call.matches(&format!(" align {align} ")).count(), 2, "{mask}: {call}");
            assert!(call.ends_with(&format!("i1 {volatile})")), "{mask}: {call}");
        }
    }
}

/// A packed structure is loaded byte by byte, so it comes as words if its size is a multiple of theirs.
#[test]
fn a_packed_structure_comes_in_words_that_fill_it() {
    for (members, words) in [("%uint %ulong %uint", Some("[2 x i64]")), ("%uint %ulong", None)] {
        let declarations = format!(
            "%packed = OpTypeStruct {members}
             OpDecorate %packed CPacked
             %f_packed = OpTypePointer Function %packed
             OpDecorate %data FuncParamAttr ByVal
             OpDecorate %data Alignment 8"
        );
        let code = "
            %first.at = OpInBoundsAccessChain %f_uint %data %u_0
            %first = OpLoad %uint %first.at Aligned 4
            OpStore %out %first Aligned 4";
        let module = kernel(&declarations, "%p_uint %out, %f_packed %data", code).unwrap();
        let ir = translate(&[&module], &Options::default()).unwrap().ir;
        let head = ir.lines().find(|line| line.starts_with("define void @k(")).unwrap();
        match words {
            Some(words) => assert!(head.contains(words), "{head}"),
            None => assert!(!head.contains(" x i"), "{head}"),
        }
    }
}

#[test]
fn a_copy_of_a_structure_is_aligned_as_the_argument_says() {
    let declarations = "
        %pair = OpTypeStruct %uint %uint
        %f_pair = OpTypePointer Function %pair
        OpDecorate %data FuncParamAttr ByVal
        OpDecorate %data Alignment 32";
    let code = "
        %first.at = OpInBoundsAccessChain %f_uint %data %u_0
        %first = OpLoad %uint %first.at Aligned 4
        OpStore %out %first Aligned 4";
    let module = kernel(declarations, "%p_uint %out, %f_pair %data", code).unwrap();
    let ir = translate(&[&module], &Options::default()).unwrap().ir;
    assert!(ir.lines().any(|line| line.contains(" = alloca ") && line.ends_with("align 32")), "{ir}");
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_structure_by_value_is_a_copy_that_the_kernel_may_change() {
    let declarations = "
        %pair = OpTypeStruct %uchar %ulong %uint
        %f_pair = OpTypePointer Function %pair
        %f_ulong = OpTypePointer Function %ulong
        %f_uchar = OpTypePointer Function %uchar
        OpDecorate %data FuncParamAttr ByVal
        OpDecorate %data Alignment 8";
    let code = "
        %small.at = OpInBoundsAccessChain %f_uchar %data %u_0
        %small = OpLoad %uchar %small.at Aligned 1
        %wide.at = OpInBoundsAccessChain %f_ulong %data %u_1
        %wide = OpLoad %ulong %wide.at Aligned 8
        %last.at = OpInBoundsAccessChain %f_uint %data %u_2
        %last = OpLoad %uint %last.at Aligned 4
        OpStore %last.at %x Aligned 4
        %again = OpLoad %uint %last.at Aligned 4
        %a = OpUConvert %uint %small
        %b = OpUConvert %uint %wide
        %ab = OpIAdd %uint %a %b
        %abc = OpIAdd %uint %ab %last
        %all = OpIAdd %uint %abc %again
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %all Aligned 4";
    let module = kernel(declarations, "%p_uint %out, %f_pair %data", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    assert_eq!(gpu.translation.kernels[0].arguments[1], Argument::Value { size: 24, align: 8 });
    let mut pair = vec![0; 24];
    pair[0] = 3;
    pair[8..16].copy_from_slice(&500_u64.to_le_bytes());
    pair[16..20].copy_from_slice(&70_000_u32.to_le_bytes());
    let out = gpu.run(Launch::group(4), &[Arg::Buffer(vec![0; 16]), Arg::Value(pair)]).unwrap();
    assert_eq!(numbers::<u32>(&out[0]), [70_503, 70_504, 70_505, 70_506]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn generic_pointers_reach_any_memory_and_say_which() {
    let declarations = "%shared = OpVariable %s_uint Workgroup";
    let code = "
        %own = OpVariable %f_uint Function
        OpStore %own %u_7 Aligned 4
        OpStore %shared %u_31 Aligned 4
        %g.global = OpPtrCastToGeneric %g_uint %in
        %g.shared = OpPtrCastToGeneric %g_uint %shared
        %g.own = OpPtrCastToGeneric %g_uint %own
        %a = OpLoad %uint %g.global Aligned 4
        %b = OpLoad %uint %g.shared Aligned 4
        %c = OpLoad %uint %g.own Aligned 4
        %is.global = OpGenericCastToPtrExplicit %p_uint %g.global CrossWorkgroup
        %not.global = OpGenericCastToPtrExplicit %p_uint %g.own CrossWorkgroup
        %is.shared = OpGenericCastToPtrExplicit %s_uint %g.shared Workgroup
        %not.shared = OpGenericCastToPtrExplicit %s_uint %g.global Workgroup
        %is.own = OpGenericCastToPtrExplicit %f_uint %g.own Function
        %not.own = OpGenericCastToPtrExplicit %f_uint %g.shared Function
        %n1 = OpConvertPtrToU %ulong %is.global
        %n2 = OpConvertPtrToU %ulong %not.global
        %n3 = OpConvertPtrToU %ulong %is.shared
        %n4 = OpConvertPtrToU %ulong %not.shared
        %n5 = OpConvertPtrToU %ulong %is.own
        %n6 = OpConvertPtrToU %ulong %not.own
        %z1 = OpINotEqual %bool %n1 %l_0
        %z2 = OpIEqual %bool %n2 %l_0
        %z3 = OpINotEqual %bool %n3 %l_0
        %z4 = OpIEqual %bool %n4 %l_0
        %z5 = OpINotEqual %bool %n5 %l_0
        %z6 = OpIEqual %bool %n6 %l_0
        %z12 = OpLogicalAnd %bool %z1 %z2
        %z34 = OpLogicalAnd %bool %z3 %z4
        %z56 = OpLogicalAnd %bool %z5 %z6
        %z1234 = OpLogicalAnd %bool %z12 %z34
        %zz = OpLogicalAnd %bool %z1234 %z56
        %right = OpSelect %uint %zz %u_1 %u_0
        %at0 = OpPtrAccessChain %p_uint %out %l_0
        OpStore %at0 %a Aligned 4
        %at1 = OpPtrAccessChain %p_uint %out %l_1
        OpStore %at1 %b Aligned 4
        %at2 = OpPtrAccessChain %p_uint %out %l_2
        OpStore %at2 %c Aligned 4
        %at3 = OpPtrAccessChain %p_uint %out %u_3
        OpStore %at3 %right Aligned 4";
    let module = kernel(declarations, "%p_uint %out, %p_uint %in", code).unwrap();
    let out = run(&module, Launch::group(1), &[Arg::Buffer(vec![0; 16]), Arg::Buffer(bytes(&[5_u32]))]);
    assert_eq!(out, [5, 31, 7, 1]);
}

#[test]
fn a_copy_of_llvm_is_volatile_where_it_says_so() {
    for (value, expected) in [("OpConstantTrue", "i1 true)"), ("OpConstantFalse", "i1 false)")] {
        let declarations = format!(
            "%truth = OpTypeBool
             %how = {value} %truth
             %four = OpConstant %ulong 4
             %nothing = OpTypeVoid
             %of_copy = OpTypeFunction %nothing %p_uchar %p_uchar %ulong %truth
             OpDecorate %copy LinkageAttributes \"llvm.memcpy.p1.p1.i64\" Import"
        );
        let code = "
            %r = OpFunctionCall %nothing %copy %out %in %four %how
            OpReturn
            OpFunctionEnd
            %copy = OpFunction %nothing None %of_copy
            %c0 = OpFunctionParameter %p_uchar
            %c1 = OpFunctionParameter %p_uchar
            %c2 = OpFunctionParameter %ulong
            %c3 = OpFunctionParameter %truth
            OpFunctionEnd";
        let module = kernel(&declarations, "%p_uchar %out, %p_uchar %in", code).unwrap();
        let ir = translate(&[&module], &Options::default()).unwrap().ir;
        let call = ir.lines().find(|line| line.contains("call void @llvm.memcpy")).unwrap();
        assert!(call.ends_with(expected), "{call}");
    }
}

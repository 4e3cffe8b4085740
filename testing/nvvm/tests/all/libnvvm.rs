//! Tests that libnvvm's verifier and compiler accept the translator's output. `PI_NVVM` names libnvvm,
//! `PI_NVVM_COMPILER` the program `pi-nvvm`.

use sycl_pi_nvvm::{Dialect, Options, Variant, translate};
use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmOptions};
use testing_nvvm::functions::{ONE, ONE_INTEGER, THREE, THREE_INTEGERS, TWO, TWO_INTEGERS, WITH_INTEGER};
use testing_nvvm::{elementwise, kernel, parted};

/// Translates a module, and verifies and compiles it with libnvvm for a GPU of each dialect. Returns the PTX of the
/// first.
pub(crate) fn compiled(what: &str, module: &[u8]) -> String {
    compiled_as(what, module, None)
}

/// Compiles a module as `compiled` does, for a variant of a kernel.
fn compiled_as(what: &str, module: &[u8], variant: Option<&Variant>) -> String {
    let compiler = NvvmCompiler::of_process().unwrap();
    let mut texts = Vec::new();
    for (capability, dialect) in [(75, Dialect::Llvm7), (120, Dialect::Modern)] {
        let mut options = Options::default();
        options.dialect = dialect;
        options.variant = variant.cloned();
        let translation = translate(&[module], &options).unwrap_or_else(|error| panic!("{what}: {error}"));
        let refused: Vec<_> =
            translation.kernels.iter().filter_map(|kernel| kernel.refused.as_ref()).collect();
        assert!(refused.is_empty(), "{what}: {refused:?}");
        let target = compiler.target(capability).unwrap();
        assert_eq!(target.modern, dialect == Dialect::Modern);
        let mut options = NvvmOptions::default();
        options.verify = true;
        let compiled = compiler.compile(&target, &translation.ir, &options);
        let compiled = compiled.unwrap_or_else(|error| panic!("{what}: {error}\n{}", translation.ir));
        let ptx = String::from_utf8(compiled.ptx).unwrap();
        // Functions that libnvvm does not know become calls of undefined functions.
        assert!(!ptx.contains(".extern .func") || ptx.contains("vprintf"), "{what}: {ptx}");
        texts.push(ptx);
    }
    texts.remove(0)
}

/// Assembles one kernel that calls each of these functions of OpenCL.std with `%v0`, `%v1`, `%v2`, and adds the
/// results.
fn sum_of(ty: &str, inputs: &[&str], functions: &[&str]) -> Vec<u8> {
    let add = if ty == "%float" || ty == "%double" || ty == "%half" { "OpFAdd" } else { "OpIAdd" };
    let operands: Vec<String> = (0..inputs.len()).map(|at| format!("%v{at}")).collect();
    let mut text = format!("%sum0 = OpCopyObject {ty} %v0\n");
    for (at, function) in functions.iter().enumerate() {
        let next = at + 1;
        text += &format!("%e{at} = OpExtInst {ty} %cl {function} {}\n", operands.join(" "));
        text += &format!("%sum{next} = {add} {ty} %sum{at} %e{at}\n");
    }
    text += &format!("%r = OpCopyObject {ty} %sum{}\n", functions.len());
    elementwise("", inputs, ty, &text).unwrap()
}

#[test]
#[ignore = "needs libnvvm"]
fn every_function_of_floating_point_numbers_is_verified_and_compiled() {
    for ty in ["%float", "%double", "%half"] {
        // A few at a time, because libnvvm needs seconds for a kernel of all of them.
        for functions in ONE.chunks(8) {
            compiled(&format!("{ty} {functions:?}"), &sum_of(ty, &[ty], functions));
        }
        for functions in TWO.chunks(8) {
            compiled(&format!("{ty} {functions:?}"), &sum_of(ty, &[ty, ty], functions));
        }
        compiled(&format!("{ty} {THREE:?}"), &sum_of(ty, &[ty, ty, ty], THREE));
        compiled(&format!("{ty} with an integer"), &sum_of(ty, &[ty, "%uint"], WITH_INTEGER));
    }
}

#[test]
#[ignore = "needs libnvvm"]
fn every_function_of_integers_is_verified_and_compiled() {
    for ty in ["%uchar", "%ushort", "%uint", "%ulong"] {
        compiled(&format!("{ty} {ONE_INTEGER:?}"), &sum_of(ty, &[ty], ONE_INTEGER));
        compiled(&format!("{ty} {TWO_INTEGERS:?}"), &sum_of(ty, &[ty, ty], TWO_INTEGERS));
        compiled(&format!("{ty} {THREE_INTEGERS:?}"), &sum_of(ty, &[ty, ty, ty], THREE_INTEGERS));
    }
}

#[test]
#[ignore = "needs libnvvm"]
fn shared_variables_that_are_pointers_are_verified_and_compiled() {
    let declarations = "
        %s_s_uint = OpTypePointer Workgroup %s_uint
        %p_s_uint = OpTypePointer CrossWorkgroup %s_uint
        %null = OpConstantNull %s_uint
        %place = OpVariable %s_uint Workgroup
        %pointer = OpVariable %s_s_uint Workgroup
        %global = OpVariable %p_s_uint CrossWorkgroup %null";
    let code = "
        OpStore %pointer %place Aligned 8
        %back = OpLoad %s_uint %pointer Aligned 8
        OpStore %global %back Aligned 8
        OpStore %back %x Aligned 4";
    compiled("shared pointer", &kernel(declarations, "%p_uint %out", code).unwrap());
}

#[test]
#[ignore = "needs libnvvm"]
fn a_phi_with_several_edges_is_verified_and_compiled() {
    let code = "
        OpSwitch %v0 %other 1 %same 2 %same
        %other = OpLabel
        OpBranch %same
        %same = OpLabel
        %r = OpPhi %uint %u_7 %entry %u_31 %other";
    compiled("phi", &elementwise("", &["%uint"], "%uint", code).unwrap());
}

/// Atomics of every width, memory, scope and order that PTX supports become its instructions. Small ones become
/// loops.
#[test]
#[ignore = "needs libnvvm"]
fn atomics_of_every_width_scope_and_order_are_verified_and_compiled() {
    let integers = ["Exchange", "IAdd", "ISub", "SMin", "UMin", "SMax", "UMax", "And", "Or", "Xor"];
    for (ty, value) in [("%uchar", "%c"), ("%ushort", "%s"), ("%uint", "%x"), ("%ulong", "%l")] {
        let declarations = format!(
            "%cross = OpConstant %uint 0
             %acquire = OpConstant %uint 2
             %release = OpConstant %uint 4
             %w_ty = OpTypePointer Workgroup {ty}
             %g_ty = OpTypePointer Generic {ty}
             %shared = OpVariable %w_ty Workgroup"
        );
        let mut code = "%c = OpUConvert %uchar %l\n%s = OpUConvert %ushort %l\n%generic = OpPtrCastToGeneric %g_ty %out\n".to_owned();
        let mut number = 0;
        for pointer in ["%out", "%shared", "%generic"] {
            for (scope, semantics) in
                [("%cross", "%seq_cst"), ("%device", "%relaxed"), ("%group", "%acq_rel")]
            {
                for name in integers {
                    code +=
                        &format!("%a{number} = OpAtomic{name} {ty} {pointer} {scope} {semantics} {value}\n");
                    number += 1;
                }
                code += &format!(
                    "%a{number} = OpAtomicCompareExchange {ty} {pointer} {scope} {semantics} %relaxed {value} %a{}\n",
                    number - 1
                );
                number += 1;
            }
            code += &format!("%ld{number} = OpAtomicLoad {ty} {pointer} %device %acquire\n");
            code += &format!("OpAtomicStore {pointer} %device %release %ld{number}\n");
        }
        let module = kernel(&declarations, &format!("{} %out", ty.replacen('%', "%p_", 1)), &code).unwrap();
        let ptx = compiled(ty, &module);
        if ty == "%uint" {
            for instruction in [
                "fence.sc.sys",
                "atom.acq_rel.sys.global.add.u32",
                "atom.relaxed.gpu.shared.min.s32",
                "atom.acq_rel.cta.cas.b32",
                "ld.acquire.gpu.global.u32",
                "st.release.gpu.shared.u32",
            ] {
                assert!(ptx.contains(instruction), "{instruction}");
            }
        }
    }
}

#[test]
#[ignore = "needs libnvvm"]
fn masks_of_those_that_part_are_verified_and_compiled() {
    for parted in [parted::CALL_A_FUNCTION, parted::COME_ON_SEVERAL_WAYS, parted::GO_ROUND_ON_SEVERAL_WAYS] {
        compiled("masks", &parted.module(16).unwrap());
    }
}

/// If sub-groups are parts of a warp, no instruction uses lanes outside of its own part.
#[test]
#[ignore = "needs libnvvm"]
fn sub_groups_of_every_size_are_verified_and_compiled() {
    let code = "
        %a = OpGroupIAdd %uint %subgroup Reduce %v0
        %b = OpGroupFMin %float %subgroup ExclusiveScan %v1
        %c = OpSubgroupShuffleXorINTEL %uint %a %u_1
        %d = OpSubgroupShuffleDownINTEL %uint %c %a %u_2
        %odd = OpBitwiseAnd %uint %d %u_1
        %is.odd = OpIEqual %bool %odd %u_1
        %any = OpGroupAny %bool %subgroup %is.odd
        OpControlBarrier %subgroup %subgroup %acq_rel
        OpSelectionMerge %end None
        OpBranchConditional %is.odd %few %end
        %few = OpLabel
        %ballot = OpGroupNonUniformBallot %v4uint %subgroup %any
        %count = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce %ballot
        %e = OpGroupNonUniformUMax %uint %subgroup ClusteredReduce %count %u_4
        %f = OpGroupNonUniformRotateKHR %uint %subgroup %e %u_3
        %same = OpGroupNonUniformAllEqual %bool %subgroup %f
        %g = OpSelect %uint %same %u_1 %f
        OpBranch %end
        %end = OpLabel
        %h = OpPhi %uint %d %entry %g %few
        %whole = OpGroupIAdd %uint %group InclusiveScan %h
        %i = OpConvertFToU %uint %b
        %r = OpIAdd %uint %whole %i";
    for size in [8, 16, 32] {
        let declarations = format!("OpExecutionMode %k SubgroupSizeMode {size}");
        let module = elementwise(&declarations, &["%uint", "%float"], "%uint", code).unwrap();
        let ptx = compiled(&format!("sub-groups of {size}"), &module);
        // The last operand of a shuffle: bits 8 to 12 are the bits of a lane's number that are not changed.
        let clamp = format!(", {}, ", (32 - size) << 8 | 31);
        let shuffles: Vec<&str> = ptx.lines().filter(|line| line.contains("shfl.sync.bfly")).collect();
        assert!(!shuffles.is_empty() && shuffles.iter().any(|line| line.contains(&clamp)), "{shuffles:#?}");
    }
}

#[test]
#[ignore = "needs libnvvm"]
fn clocks_and_bfloat16_are_verified_and_compiled() {
    let code = "
        %a = OpReadClockKHR %ulong %device
        %b = OpReadClockKHR %ulong %subgroup
        %s = OpConvertFToBF16INTEL %ushort %v0
        %w = OpUConvert %ulong %s
        %sum = OpIAdd %ulong %a %b
        %r = OpIAdd %ulong %sum %w";
    let ptx = compiled("clocks", &elementwise("", &["%float"], "%ulong", code).unwrap());
    assert!(ptx.contains("%globaltimer") && ptx.contains("%clock64"), "{ptx}");
}

#[test]
#[ignore = "needs libnvvm"]
fn textures_of_every_dimension_are_verified_and_compiled() {
    for (dimensions, instruction) in [(1, "tex.1d.v4.f32"), (2, "tex.2d.v4.f32"), (3, "tex.3d.v4.f32")] {
        let declarations = format!(
            "%image = OpTypeImage %void {} 0 0 0 0 0 0
             %sampled = OpTypeSampledImage %image
             %zero = OpConstant %float 0",
            dimensions - 1
        );
        let code = "
            %from = OpConvertHandleToSampledImageINTEL %sampled %v1
            %a = OpImageSampleExplicitLod %v4float %from %v0 2 %zero
            %level = OpCompositeExtract %float %a 3
            %b = OpImageSampleExplicitLod %v4float %from %a 2 %level
            %c = OpImageSampleExplicitLod %v4float %from %b 4 %a %b
            %place = OpConvertFToS %v4uint %c
            %r = OpImageFetch %v4float %from %place";
        let module = elementwise(&declarations, &["%v4float", "%ulong"], "%v4float", code).unwrap();
        let ptx = compiled(instruction, &module);
        for suffix in [".f32", ".s32"] {
            assert!(ptx.contains(&format!("{instruction}{suffix}")), "{instruction}{suffix}: {ptx}");
        }
        assert!(ptx.contains("tex.level.") && ptx.contains("tex.grad."), "{ptx}");
    }
}

#[test]
#[ignore = "needs libnvvm"]
fn cooperative_matrices_are_verified_and_compiled() {
    let declarations = "
        OpExecutionMode %k SubgroupSizeMode 16
        %n_0 = OpConstant %uint 0
        %n_8 = OpConstant %uint 8
        %stride = OpConstant %ulong 16
        %a = OpTypeCooperativeMatrixKHR %half %subgroup %n_8 %u_16 %n_0
        %b = OpTypeCooperativeMatrixKHR %half %subgroup %u_16 %u_16 %u_1
        %c = OpTypeCooperativeMatrixKHR %float %subgroup %n_8 %u_16 %u_2";
    let code = "
        %va = OpCooperativeMatrixLoadKHR %a %in %n_0 %stride 0
        %vb = OpCooperativeMatrixLoadKHR %b %in %u_2 %stride 0
        %vc = OpCooperativeMatrixLoadKHR %c %out %u_1 %stride 0
        %vd = OpCooperativeMatrixMulAddKHR %c %va %vb %vc 0
        OpCooperativeMatrixStoreKHR %out %vd %n_0 %stride 0";
    let ptx = compiled("matrices", &kernel(declarations, "%p_float %out, %p_half %in", code).unwrap());
    assert!(ptx.contains("shfl.sync.idx") && ptx.contains("fma.rn.f32"), "{ptx}");
}

/// libnvvm reports "unsupported operation" if the copy claims an alignment of 16.
#[test]
#[ignore = "needs libnvvm"]
fn aligned_copies_of_halves_to_private_memory_are_compiled() {
    let declarations = "
        %count = OpConstant %uint 8
        %size = OpConstant %ulong 16
        %halves = OpTypeArray %half %count
        %p_halves = OpTypePointer CrossWorkgroup %halves
        %f_halves = OpTypePointer Function %halves
        %f_half = OpTypePointer Function %half";
    let indices: String = (0..8).map(|at| format!("%at{at} = OpConstant %uint {at}\n")).collect();
    let mut code = "%room = OpVariable %f_halves Function
        OpCopyMemorySized %room %in %size Aligned 16\n"
        .to_owned();
    for at in 0..8 {
        code += &format!(
            "%own{at} = OpInBoundsAccessChain %f_half %room %at{at}
            %half{at} = OpLoad %half %own{at} Aligned 2
            %float{at} = OpFConvert %float %half{at}
            %to{at} = OpPtrAccessChain %p_float %out %at{at}
            OpStore %to{at} %float{at} Aligned 4\n"
        );
    }
    let module =
        kernel(&(declarations.to_owned() + "\n" + &indices), "%p_float %out, %p_halves %in", &code).unwrap();
    compiled("a copy of halves", &module);
}

#[test]
#[ignore = "needs libnvvm"]
fn printf_is_verified_and_compiled() {
    let declarations = "
        %text = OpTypeArray %uchar %u_3
        %c_text = OpTypePointer UniformConstant %text
        %b0 = OpConstant %uchar 37
        %b1 = OpConstant %uchar 102
        %b2 = OpConstant %uchar 0
        %value = OpConstantComposite %text %b0 %b1 %b2
        %format = OpVariable %c_text UniformConstant %value
        %c_uchar = OpTypePointer UniformConstant %uchar";
    let code = "%f = OpInBoundsAccessChain %c_uchar %format %u_0 %u_0
        %v = OpConvertUToF %float %x
        %r = OpExtInst %uint %cl printf %f %v %x %l";
    let code = code.replace("%format %u_0 %u_0", "%format %u_0");
    let ptx = compiled("printf", &kernel(declarations, "%p_uint %out", &code).unwrap());
    assert!(ptx.contains("vprintf"), "{ptx}");
}

#[test]
#[ignore = "needs libnvvm"]
fn geometry_is_verified_and_compiled() {
    for name in ["cross", "normalize", "fast_normalize", "length", "distance", "fast_length", "fast_distance"]
    {
        let (ty, two) = match name {
            "cross" => ("%v4float", " %v1"),
            "normalize" | "fast_normalize" => ("%v4float", ""),
            "distance" | "fast_distance" => ("%float", " %v1"),
            _ => ("%float", ""),
        };
        let code = format!("%r = OpExtInst {ty} %cl {name} %v0{two}");
        compiled(name, &elementwise("", &["%v4float", "%v4float"], ty, &code).unwrap());
    }
}

#[test]
#[ignore = "needs libnvvm"]
fn a_folded_grid_is_verified_and_compiled() {
    let names = ["NumWorkgroups", "WorkgroupId", "GlobalInvocationId", "GlobalSize"];
    let (mut declarations, mut code) = (String::new(), "%sum0 = OpLoad %v3ulong %id\n".to_owned());
    for (at, name) in names.into_iter().enumerate() {
        let next = at + 1;
        declarations +=
            &format!("%builtin{at} = OpVariable %p_v3ulong Input\nOpDecorate %builtin{at} BuiltIn {name}\n");
        code += &format!(
            "%value{at} = OpLoad %v3ulong %builtin{at}\n%sum{next} = OpIAdd %v3ulong %sum{at} %value{at}\n"
        );
    }
    code += "%y.sum = OpCompositeExtract %ulong %sum4 1\nOpStore %out %y.sum";
    let module = kernel(&declarations, "%p_ulong %out", &code).unwrap();
    let variant = Variant { kernel: "k".to_owned(), folded: true, ..Variant::default() };
    let ptx = compiled_as("folded", &module, Some(&variant));
    assert!(ptx.contains("%ctaid.x") && !ptx.contains("%ctaid.y") && !ptx.contains("%nctaid"), "{ptx}");
}

#[test]
#[ignore = "needs libnvvm"]
fn accesses_that_null_arguments_leave_out_are_verified_and_compiled() {
    let declarations = "
        OpCapability SubgroupBufferBlockIOINTEL
        %l_16 = OpConstant %ulong 16
        %pair = OpTypeStruct %uint %ulong
        %p_pair = OpTypePointer CrossWorkgroup %pair
        %f_1 = OpConstant %float 1";
    let code = "
        %at = OpInBoundsPtrAccessChain %p_uint %none %l
        %wide = OpBitcast %p_ulong %at
        %small = OpBitcast %p_uchar %at
        %float.at = OpBitcast %p_float %at
        %vector.at = OpBitcast %p_v4uint %at
        %pair.at = OpBitcast %p_pair %at
        %generic = OpPtrCastToGeneric %g_uint %at
        %vector = OpLoad %v4uint %vector.at Aligned 16
        %pair.value = OpLoad %pair %pair.at Volatile
        %word = OpLoad %uint %generic Aligned 4
        %eight = OpUConvert %uchar %word
        OpStore %vector.at %vector Aligned 16
        OpStore %pair.at %pair.value Aligned 8
        OpStore %generic %word Volatile
        OpCopyMemorySized %at %out %l_16 Aligned 4
        OpCopyMemorySized %out %at %l_16 Aligned 4
        %block = OpSubgroupBlockReadINTEL %v4uint %at
        OpSubgroupBlockWriteINTEL %at %block
        %several = OpExtInst %v4uint %cl vloadn %l %at 4
        %stored = OpExtInst %void %cl vstoren %several %l %at
        %a = OpAtomicIAdd %ulong %wide %device %relaxed %l
        %b = OpAtomicXor %uchar %small %device %acq_rel %eight
        %c = OpAtomicFMaxEXT %float %float.at %device %relaxed %f_1
        %d = OpAtomicCompareExchange %uint %generic %device %seq_cst %relaxed %word %u_7
        %sum.a = OpUConvert %uint %a
        %sum.b = OpUConvert %uint %b
        %sum.c = OpBitcast %uint %c
        %ab = OpIAdd %uint %sum.a %sum.b
        %cd = OpIAdd %uint %sum.c %d
        %sum = OpIAdd %uint %ab %cd
        OpStore %out %sum Aligned 4";
    let module = kernel(declarations, "%p_uint %none, %p_uint %out", code).unwrap();
    let variant = Variant { kernel: "k".to_owned(), folded: false, null_arguments: [0].into() };
    compiled_as("null arguments", &module, Some(&variant));
}

#[test]
#[ignore = "needs libnvvm"]
fn a_table_of_vectors_of_three_has_the_room_of_the_fourth() {
    let declarations = "
        %v3 = OpTypeVector %uchar 3
        %vectors = OpTypeArray %v3 %u_2
        %p_vectors = OpTypePointer UniformConstant %vectors
        %p_v3 = OpTypePointer UniformConstant %v3
        %c1 = OpConstant %uchar 1
        %c2 = OpConstant %uchar 2
        %c3 = OpConstant %uchar 3
        %c4 = OpConstant %uchar 4
        %a = OpConstantComposite %v3 %c1 %c2 %c3
        %b = OpConstantComposite %v3 %c4 %c4 %c4
        %all = OpConstantComposite %vectors %a %b
        %table = OpVariable %p_vectors UniformConstant %all";
    let code = "
        %at = OpBitwiseAnd %uint %x %u_1
        %vector.p = OpInBoundsAccessChain %p_v3 %table %at
        %vector = OpLoad %v3 %vector.p Aligned 4
        %last = OpCompositeExtract %uchar %vector 2
        %to = OpPtrAccessChain %p_uchar %out %l
        OpStore %to %last";
    let ptx = compiled("a table", &kernel(declarations, "%p_uchar %out", code).unwrap());
    assert!(ptx.contains("[8] = {1, 2, 3, 0, 4, 4, 4};"), "{ptx}");
}

/// Returns the result of a comparison as an integer.
fn comparison(inputs: &[&str], code: &str) -> String {
    let code = format!("{code}\n%r = OpSelect %uint %is %u_1 %u_0");
    compiled("a comparison", &elementwise("%f_0 = OpConstant %float 0", inputs, "%uint", &code).unwrap())
}

#[test]
#[ignore = "needs libnvvm"]
fn a_division_of_constants_that_is_nan_is_compared_by_the_gpu() {
    let divisions = "%a = OpFDiv %float %f_0 %f_0\n%b = OpFDiv %float %f_0 %f_0";
    for (question, instruction) in [
        ("OpIsNan %bool %a", "setp.nan.f32"),
        ("OpUnordered %bool %a %b", "setp.nan.f32"),
        ("OpOrdered %bool %a %b", "setp.num.f32"),
        ("OpFOrdEqual %bool %a %a", "setp.num.f32"),
        ("OpFOrdLessThanEqual %bool %a %b", "setp.num.f32"),
        ("OpFUnordNotEqual %bool %a %b", "setp.nan.f32"),
    ] {
        let ptx = comparison(&["%float"], &format!("{divisions}\n%is = {question}"));
        assert!(ptx.contains(instruction), "{question}: {ptx}");
    }
}

#[test]
#[ignore = "needs libnvvm"]
fn a_comparison_of_numbers_is_one_instruction() {
    for (question, instruction) in [
        ("OpUnordered", "nan"),
        ("OpOrdered", "num"),
        ("OpFOrdEqual", "eq"),
        ("OpFOrdGreaterThanEqual", "ge"),
        ("OpFUnordNotEqual", "neu"),
        ("OpFUnordLessThan", "ltu"),
    ] {
        let ptx = comparison(&["%double", "%double"], &format!("%is = {question} %bool %v0 %v1"));
        assert!(ptx.contains(&format!("setp.{instruction}.f64")), "{question}: {ptx}");
        assert_eq!(ptx.matches("setp.").count(), 1, "{question}: {ptx}");
    }
}

//! Refused modules, and the messages.

use sycl_pi_nvvm::{Options, Translation, translate};
use testing_nvvm::kernel;

fn translated(module: &[u8]) -> Result<Translation, String> {
    translate(&[module], &Options::default()).map_err(|error| error.to_string())
}

/// Returns why the only kernel is refused.
fn refusal(declarations: &str, parameters: &str, code: &str) -> String {
    let mut translation = translated(&kernel(declarations, parameters, code).unwrap()).unwrap();
    assert!(!translation.ir.contains("@k("), "a kernel that cannot run has no code");
    translation.kernels.remove(0).refused.unwrap()
}

#[test]
fn a_kernel_with_another_sub_group_size_is_refused_alone() {
    let declarations = "
        OpEntryPoint Kernel %other \"other\"
        OpExecutionMode %other SubgroupSizeMode 64
        OpEntryPoint Kernel %third \"third\"
        OpExecutionMode %third SubgroupSizeMode 32
        %other.type = OpTypeFunction %void";
    let code = "
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %other.type
        %other.entry = OpLabel
        OpReturn
        OpFunctionEnd
        %third = OpFunction %void None %other.type
        %third.entry = OpLabel
        OpReturn
        OpFunctionEnd";
    let translation = translated(&kernel(declarations, "%p_uint %out", code).unwrap()).unwrap();
    let refused = |name: &str| {
        let kernel = translation.kernels.iter().find(|kernel| kernel.name == name).unwrap();
        kernel.refused.clone()
    };
    assert_eq!(refused("k"), None);
    assert_eq!(refused("third"), None);
    assert_eq!(
        refused("other").unwrap(),
        "kernel other requires sub-groups of 64 work-items, and sub-groups have 8, 16 or 32 on CUDA"
    );
    assert!(translation.ir.contains("@k(") && translation.ir.contains("@third("));
    assert!(!translation.ir.contains("@other("), "a kernel that cannot run has no code");
}

#[test]
fn an_instruction_that_is_not_known_is_named_with_its_function() {
    let error = refusal("%image = OpTypeImage %void 1 0 0 0 0 0 0", "%p_uint %out, %image %i", "");
    assert!(
        error.contains("of images, only the handles of bindless sampled images can be read on CUDA"),
        "{error}"
    );
    let error = refusal("", "%p_uint %out", "%r = OpGetKernelWorkGroupSize %uint %k %x %x %x");
    let expected = "kernel k, instruction OpGetKernelWorkGroupSize %";
    assert!(
        error.starts_with(expected) && error.ends_with("the instruction is not supported on CUDA"),
        "{error}"
    );
}

/// Three kernels: `k` and `third` call a function that cannot be translated, `other` does not.
#[test]
fn an_instruction_refuses_the_kernels_that_reach_it() {
    let declarations = "
        OpEntryPoint Kernel %other \"other\"
        OpEntryPoint Kernel %third \"third\"
        OpExecutionMode %third SubgroupSizeMode 16
        OpName %deep \"deep\"
        %plain = OpTypeFunction %void
        %get = OpTypeFunction %uint";
    let code = "
        %got = OpFunctionCall %uint %middle
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %plain
        %other.entry = OpLabel
        %other.got = OpFunctionCall %uint %fine
        OpReturn
        OpFunctionEnd
        %third = OpFunction %void None %plain
        %third.entry = OpLabel
        %third.got = OpFunctionCall %uint %deep
        OpReturn
        OpFunctionEnd
        %middle = OpFunction %uint None %get
        %middle.entry = OpLabel
        %middle.got = OpFunctionCall %uint %deep
        OpReturnValue %middle.got
        OpFunctionEnd
        %deep = OpFunction %uint None %get
        %deep.entry = OpLabel
        %r = OpGetKernelWorkGroupSize %uint %k %u_1 %u_1 %u_1
        OpReturnValue %r
        OpFunctionEnd
        %fine = OpFunction %uint None %get
        %fine.entry = OpLabel
        OpReturnValue %u_7
        OpFunctionEnd";
    let translation = translated(&kernel(declarations, "%p_uint %out", code).unwrap()).unwrap();
    let reasons: Vec<Option<&str>> =
        translation.kernels.iter().map(|kernel| kernel.refused.as_deref()).collect();
    let [Some(first), None, Some(third)] = reasons[..] else { panic!("{reasons:?}") };
    for (name, reason) in [("k", first), ("third", third)] {
        let start = format!("kernel {name}: function deep, instruction OpGetKernelWorkGroupSize %");
        assert!(reason.starts_with(&start), "{reason}");
        assert!(reason.ends_with(": the instruction is not supported on CUDA"), "{reason}");
    }
    let ir = translation.ir;
    assert!(ir.contains("@other(") && !ir.contains("@k(") && !ir.contains("@third("), "{ir}");
    // Functions that only refused kernels call are removed too: the entry, and the function that returns 7.
    assert_eq!(ir.matches("define internal i32 @f").count(), 1, "{ir}");
}

/// A declaration that is not used refuses no kernel.
#[test]
fn what_only_other_gpus_have_is_named_where_it_is_used() {
    let declarations = "
        %matrix = OpTypeCooperativeMatrixKHR %float %group %u_16 %u_16 %u_2
        %holder = OpTypeStruct %matrix
        %p_holder = OpTypePointer Workgroup %holder
        %null = OpConstantNull %matrix
        %room = OpVariable %p_holder Workgroup
        %far = OpVariable %p_uint CrossWorkgroup
        OpDecorate %far LinkageAttributes \"far_away\" Import
        OpEntryPoint Kernel %other \"other\"
        %plain = OpTypeFunction %void";
    let uses = [
        (
            "%copy = OpCopyObject %matrix %null",
            "OpConstantNull %",
            "cooperative matrices belong to a sub-group on CUDA",
        ),
        (
            "%copy = OpCopyObject %p_holder %room",
            "OpVariable %",
            "cooperative matrices belong to a sub-group on CUDA",
        ),
        (
            "%copy = OpLoad %uint %far",
            "OpVariable %",
            "variable far_away is imported, and no module defines it",
        ),
    ];
    for (code, what, why) in uses {
        let code = format!(
            "{code}\nOpReturn\nOpFunctionEnd
            %other = OpFunction %void None %plain
            %other.entry = OpLabel\nOpReturn\nOpFunctionEnd"
        );
        let translation = translated(&kernel(declarations, "%p_uint %out", &code).unwrap()).unwrap();
        let [k, other] = &translation.kernels[..] else { panic!("two kernels") };
        let reason = k.refused.as_ref().unwrap();
        assert!(reason.starts_with("kernel k, instruction Op"), "{reason}");
        assert!(reason.contains(what) && reason.contains(why), "{reason}");
        assert_eq!(other.refused, None);
    }
}

#[test]
fn esimd_and_ray_queries_are_called_by_their_names() {
    let declarations = "
        OpDecorate %k VectorComputeFunctionINTEL
        OpExecutionMode %k SubgroupSizeMode 1";
    assert_eq!(
        refusal(declarations, "%p_uint %out", ""),
        "kernel k: ESIMD, code for the vector units of Intel's GPUs, is not supported on CUDA"
    );
    for (name, why) in [
        ("_Z26__esimd_svm_gather", "ESIMD, code for the vector units of Intel's GPUs,"),
        ("__builtin_IB_subgroup_createBlock", "functions of Intel's compiler for its GPUs"),
        ("_Z20intel_ray_query_init", "ray tracing with Intel's GPUs (Embree's ray queries)"),
    ] {
        let declarations = format!(
            "%far.type = OpTypeFunction %uint %uint\nOpDecorate %far LinkageAttributes \"{name}\" Import"
        );
        let code = "
            %r = OpFunctionCall %uint %far %x
            OpReturn
            OpFunctionEnd
            %far = OpFunction %uint None %far.type
            %far.x = OpFunctionParameter %uint
            OpFunctionEnd";
        let error = refusal(&declarations, "%p_uint %out", code);
        assert!(
            error.contains(&format!("function {name}: {why}")) && error.ends_with(" not supported on CUDA"),
            "{error}"
        );
    }
}

#[test]
fn a_reduction_of_clusters_beyond_the_sub_group_is_refused() {
    let code = "%r = OpGroupNonUniformIAdd %uint %subgroup 3 %x %u_16";
    let error = refusal("OpExecutionMode %k SubgroupSizeMode 8", "%p_uint %out", code);
    assert!(error.ends_with("sub-groups of 8 work-items have no clusters of 16"), "{error}");
    // SPIR-V specification, OpGroupNonUniformIAdd: the size is a power of 2.
    let code = "%r = OpGroupNonUniformIAdd %uint %subgroup 3 %x %u_7";
    let error = refusal("OpExecutionMode %k SubgroupSizeMode 8", "%p_uint %out", code);
    assert!(error.ends_with("sub-groups of 8 work-items have no clusters of 7"), "{error}");
}

#[test]
fn printf_of_a_vector_is_refused() {
    let declarations = "
        %text = OpTypeArray %uchar %u_1
        %c_text = OpTypePointer UniformConstant %text
        %zero = OpConstant %uchar 0
        %value = OpConstantComposite %text %zero
        %format = OpVariable %c_text UniformConstant %value
        %c_uchar = OpTypePointer UniformConstant %uchar
        %vector = OpConstantComposite %v2uint %u_1 %u_2";
    let code = "%f = OpInBoundsAccessChain %c_uchar %format %u_0
        %r = OpExtInst %uint %cl printf %f %vector";
    let error = refusal(declarations, "%p_uint %out", code);
    assert!(error.contains("printf takes integers, floating-point numbers and pointers"), "{error}");
}

#[test]
fn a_function_that_no_module_has_is_named() {
    let declarations = "
        %far.type = OpTypeFunction %uint %uint
        OpDecorate %far LinkageAttributes \"far_away\" Import";
    let code = "
        %r = OpFunctionCall %uint %far %x
        OpReturn
        OpFunctionEnd
        %far = OpFunction %uint None %far.type
        %far.x = OpFunctionParameter %uint
        OpFunctionEnd";
    let error = refusal(declarations, "%p_uint %out", code);
    assert!(error.ends_with("function far_away is imported, and no module defines it"), "{error}");
}

#[test]
fn atomic_operations_on_128_bits_are_refused() {
    let declarations = "
        %wide = OpTypeInt 128 0
        %p_wide = OpTypePointer CrossWorkgroup %wide
        %one = OpConstantNull %wide";
    let code = "%r = OpAtomicIAdd %wide %out %device %relaxed %one";
    let error = refusal(declarations, "%p_wide %out", code);
    assert!(error.ends_with("atomic operations on 128 bits are not supported on CUDA"), "{error}");
}

/// Structures that contain themselves have no size. Nested structures of two empty ones have no scalar at all.
#[test]
fn structures_without_end_are_refused_or_passed_in_time() {
    let own = "
        OpTypeForwardPointer %own CrossWorkgroup
        %own = OpTypeStruct %uint %own
        %p_own = OpTypePointer Function %own
        OpDecorate %data FuncParamAttr ByVal";
    let module = kernel(own, "%p_uint %out, %p_own %data", "").unwrap();
    let error = translated(&module).unwrap_err();
    assert!(error.contains("is declared in advance and is not a pointer"), "{error}");
    let mut empty = "%s0 = OpTypeStruct\n".to_owned();
    for at in 1..60 {
        empty += &format!("%s{at} = OpTypeStruct %s{0} %s{0}\n", at - 1);
    }
    empty += "%p_empty = OpTypePointer Function %s59\nOpDecorate %data FuncParamAttr ByVal";
    let start = std::time::Instant::now();
    translated(&kernel(&empty, "%p_uint %out, %p_empty %data", "").unwrap()).unwrap();
    assert!(start.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn a_rounding_mode_that_is_not_known_is_refused() {
    let code = "%f = OpConvertUToF %float %x\n%r = OpConvertFToU %uint %f";
    let error = refusal("OpDecorate %r FPRoundingMode 20", "%p_uint %out", code);
    assert!(error.ends_with("rounding mode 20 is not known"), "{error}");
}

#[test]
fn a_built_in_variable_that_is_refused_is_named() {
    let declarations = "%instance = OpVariable %p_in_uint Input\nOpDecorate %instance BuiltIn InstanceId";
    let error = refusal(declarations, "%p_uint %out", "%r = OpLoad %uint %instance");
    assert!(error.ends_with("built-in variable InstanceId is not supported on CUDA"), "{error}");
}

#[test]
fn two_kernels_of_one_name_are_refused() {
    let declarations = "OpEntryPoint Kernel %other \"k\"\n%other.type = OpTypeFunction %void";
    let code = "
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %other.type
        %other.entry = OpLabel
        OpReturn
        OpFunctionEnd";
    let error = translated(&kernel(declarations, "%p_uint %out", code).unwrap()).unwrap_err();
    assert!(error.ends_with("there are two kernels k"), "{error}");
}

/// Such a variable has no memory: an index may choose one of its numbers, and no more.
#[test]
fn an_address_in_a_built_in_variable_has_to_be_clear() {
    let declarations = "
        %p_in_ulong = OpTypePointer Input %ulong
        %p_in_uchar = OpTypePointer Input %uchar";
    let chosen = "%at = OpAccessChain %p_in_ulong %id %x\n";
    let loaded = "%n = OpLoad %ulong %at";
    let fine = kernel(declarations, "%p_uint %out", &format!("{chosen}{loaded}")).unwrap();
    assert_eq!(translated(&fine).unwrap().kernels[0].refused, None);
    let beyond = format!("%at = OpAccessChain %p_in_ulong %id %u_3\n{loaded}");
    let reason = refusal(declarations, "%p_uint %out", &beyond);
    assert!(reason.ends_with("built-in variable LocalInvocationId has 3 numbers"), "{reason}");
    for unclear in [
        "%second = OpAccessChain %p_in_ulong %id %u_1\n%at = OpPtrAccessChain %p_in_ulong %second %x",
        "%chosen = OpAccessChain %p_in_ulong %id %x\n%at = OpPtrAccessChain %p_in_ulong %chosen %u_1",
        "%bytes = OpBitcast %p_in_uchar %id\n%at = OpPtrAccessChain %p_in_uchar %bytes %x",
        "%at = OpPtrAccessChain %p_in_uint %lane %x %u_0",
    ] {
        let reason = refusal(declarations, "%p_uint %out", unclear);
        assert!(reason.ends_with("the address in a built-in variable is not clear"), "{unclear}: {reason}");
    }
}

#[test]
fn a_pointer_is_not_cast_to_another_storage_class() {
    for (from, to) in [("%s_uint %from", "%p_uint"), ("%p_uint %from", "%s_uint")] {
        let reason = refusal("", from, &format!("%cast = OpBitcast {to} %from"));
        assert!(reason.ends_with("a pointer cannot be cast from one storage class to another"), "{reason}");
    }
}

/// Another module could define it; here none does.
#[test]
fn the_address_of_an_imported_function_is_refused() {
    let declarations = "
        %get.type = OpTypeFunction %uint
        %p_get = OpTypePointer 5605 %get.type
        %pointer = OpConstantFunctionPointerINTEL %p_get %get
        OpDecorate %get LinkageAttributes \"elsewhere\" Import";
    let code = "
        %got = OpFunctionPointerCallINTEL %uint %pointer
        OpStore %out %got
        OpReturn
        OpFunctionEnd
        %get = OpFunction %uint None %get.type
        OpFunctionEnd";
    let reason = refusal(declarations, "%p_uint %out", code);
    assert!(reason.ends_with("function elsewhere is imported, and no module defines it"), "{reason}");
}

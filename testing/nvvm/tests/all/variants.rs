//! Variants of kernels for some launches: with null pointers as arguments, as the only kernel of their program.
//! `work_items.rs` tests those whose grid is folded into one dimension.

use sycl_pi_nvvm::{Options, Variant, translate};
use testing_nvvm::{bytes, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

/// Returns options for the kernel `k` alone, launched with these arguments null.
fn with_null(arguments: &[u32]) -> Options {
    let null_arguments = arguments.iter().copied().collect();
    let mut options = Options::default();
    options.variant = Some(Variant { kernel: "k".to_owned(), folded: false, null_arguments });
    options
}

fn null() -> Arg {
    Arg::Value(vec![0; 8])
}

/// Returns what the kernel writes to `%out`, a buffer of `count` words, with a null pointer as `%none`. The code
/// can use `%mine`, the address of the work-item's word in `%out`, and `%nowhere`, that in `%none`.
fn words(declarations: &str, code: &str, count: usize) -> Vec<u32> {
    let code = format!(
        "%mine = OpInBoundsPtrAccessChain %p_uint %out %l
         %nowhere = OpInBoundsPtrAccessChain %p_uint %none %l
         {code}"
    );
    let module = kernel(declarations, "%p_uint %none, %p_uint %out", &code).unwrap();
    let gpu = HostGpu::new(&[&module], &with_null(&[0])).unwrap();
    let nines = Arg::Buffer(bytes(&vec![9_u32; count]));
    numbers(&gpu.run(Launch::group(4), &[null(), nines]).unwrap()[0])
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_store_through_a_null_argument_is_left_out_and_others_happen() {
    let code = "
        OpStore %nowhere %u_7 Aligned 4
        OpStore %mine %x Aligned 4";
    assert_eq!(words("", code, 4), [0, 1, 2, 3]);
}

/// 100,000 words are more than a page, like the sums of wide tables.
#[test]
#[ignore = "needs LLVM 14"]
fn a_store_far_behind_a_null_argument_is_left_out() {
    let code = "
        %far = OpPtrAccessChain %p_uint %nowhere %u_many
        OpStore %far %u_7 Aligned 4
        OpStore %mine %x Aligned 4";
    assert_eq!(words("%u_many = OpConstant %uint 100000", code, 4), [0, 1, 2, 3]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn loads_through_a_null_argument_give_zero() {
    let code = "
        %nothing = OpLoad %uint %nowhere Aligned 4
        %vector.at = OpBitcast %p_v4uint %nowhere
        %vector = OpLoad %v4uint %vector.at Aligned 16
        %w = OpCompositeExtract %uint %vector 3
        %generic = OpPtrCastToGeneric %g_uint %nowhere
        %again = OpLoad %uint %generic Volatile
        %parts = OpExtInst %v4uint %cl vloadn %l_1 %nowhere 4
        %part = OpCompositeExtract %uint %parts 2
        %a = OpIAdd %uint %nothing %w
        %b = OpIAdd %uint %a %again
        %c = OpIAdd %uint %b %part
        %sum = OpIAdd %uint %c %x
        OpStore %mine %sum Aligned 4";
    assert_eq!(words("", code, 4), [0, 1, 2, 3]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn atomic_operations_through_a_null_argument_give_zero() {
    let declarations = "
        OpCapability Int8
        %f_1 = OpConstant %float 1";
    let code = "
        %a = OpAtomicIAdd %uint %nowhere %device %relaxed %u_7
        %b = OpAtomicExchange %uint %nowhere %device %acq_rel %u_7
        %c = OpAtomicCompareExchange %uint %nowhere %device %relaxed %relaxed %u_7 %u_0
        %d = OpAtomicLoad %uint %nowhere %device %relaxed
        OpAtomicStore %nowhere %device %relaxed %u_7
        %small.at = OpBitcast %p_uchar %nowhere
        %eight = OpUConvert %uchar %x
        %small = OpAtomicIAdd %uchar %small.at %device %relaxed %eight
        %e = OpUConvert %uint %small
        %float.at = OpBitcast %p_float %nowhere
        %most = OpAtomicFMaxEXT %float %float.at %device %relaxed %f_1
        %f = OpBitcast %uint %most
        %ab = OpIAdd %uint %a %b
        %cd = OpIAdd %uint %c %d
        %ef = OpIAdd %uint %e %f
        %abcd = OpIAdd %uint %ab %cd
        %all = OpIAdd %uint %abcd %ef
        %old = OpAtomicIAdd %uint %mine %device %relaxed %all
        %sum = OpAtomicIAdd %uint %mine %device %relaxed %x";
    assert_eq!(words(declarations, code, 4), [9, 10, 11, 12]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn copies_through_a_null_argument_write_nothing_and_read_zeros() {
    let declarations = "%l_4 = OpConstant %ulong 4";
    let code = "
        OpCopyMemorySized %nowhere %mine %l_4 Aligned 4
        %next = OpInBoundsPtrAccessChain %p_uint %mine %u_4
        OpCopyMemorySized %next %nowhere %l_4 Aligned 4
        OpCopyMemorySized %nowhere %nowhere %l_4 Aligned 4
        OpCopyMemory %mine %next Aligned 4
        %third = OpInBoundsPtrAccessChain %p_uint %next %u_4
        OpStore %third %x Aligned 4";
    assert_eq!(words(declarations, code, 16), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 9, 9, 9, 9]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_called_function_stores_nothing_through_a_null_argument() {
    let declarations = "%put.type = OpTypeFunction %void %p_uint %uint";
    let code = "
        %put.none = OpFunctionCall %void %put %nowhere %u_7
        %put.mine = OpFunctionCall %void %put %mine %x
        OpReturn
        OpFunctionEnd
        %put = OpFunction %void None %put.type
        %to = OpFunctionParameter %p_uint
        %value = OpFunctionParameter %uint
        %put.entry = OpLabel
        OpStore %to %value Aligned 4
        OpReturn
        OpFunctionEnd";
    assert_eq!(words(declarations, code, 4), [0, 1, 2, 3]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn sub_groups_read_zeros_and_write_nothing_through_a_null_argument() {
    let code = "
        %block = OpSubgroupBlockReadINTEL %uint %nowhere
        OpSubgroupBlockWriteINTEL %nowhere %u_7
        %sum = OpIAdd %uint %block %x
        OpStore %mine %sum Aligned 4";
    assert_eq!(words("OpCapability SubgroupBufferBlockIOINTEL", code, 4), [0, 1, 2, 3]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn asynchronous_copies_read_zeros_through_a_null_argument() {
    let declarations = "
        %event = OpTypeEvent
        %no_event = OpConstantNull %event
        %l_4 = OpConstant %ulong 4
        %array = OpTypeArray %uint %u_4
        %s_array = OpTypePointer Workgroup %array
        %room = OpVariable %s_array Workgroup";
    let code = "
        %first = OpInBoundsAccessChain %s_uint %room %u_0
        %own = OpInBoundsAccessChain %s_uint %room %l
        OpStore %own %u_7 Aligned 4
        OpControlBarrier %group %group %acq_rel
        %out.event = OpGroupAsyncCopy %event %group %none %first %l_4 %l_1 %no_event
        %in.event = OpGroupAsyncCopy %event %group %first %none %l_4 %l_1 %out.event
        OpControlBarrier %group %group %acq_rel
        %seen = OpLoad %uint %own Aligned 4
        %sum = OpIAdd %uint %seen %x
        OpStore %mine %sum Aligned 4";
    assert_eq!(words(declarations, code, 4), [0, 1, 2, 3]);
}

/// A loop whose pointer advances from the argument, and one that is selected from two.
#[test]
#[ignore = "needs LLVM 14"]
fn addresses_that_are_chosen_or_counted_from_a_null_argument_are_looked_at() {
    let code = "
        %even = OpBitwiseAnd %uint %x %u_1
        %is_even = OpIEqual %bool %even %u_0
        %chosen = OpSelect %p_uint %is_even %mine %nowhere
        OpStore %chosen %x Aligned 4
        OpBranch %loop
        %loop = OpLabel
        %at = OpPhi %p_uint FROM
        %count = OpPhi %uint %u_0 %entry %more %loop
        OpStore %at %u_7 Aligned 4
        %next = OpInBoundsPtrAccessChain %p_uint %at %u_1
        %more = OpIAdd %uint %count %u_1
        %again = OpULessThan %bool %more %u_4
        OpBranchConditional %again %loop %done
        %done = OpLabel";
    for from in ["%nowhere %entry %next %loop", "%next %loop %nowhere %entry"] {
        assert_eq!(words("", &code.replace("FROM", from), 4), [0, 9, 2, 9], "{from}");
    }
}

const TWO_POINTERS: &str = "
    %in = OpInBoundsPtrAccessChain %p_uint %first %l
    %to = OpInBoundsPtrAccessChain %p_uint %second %l
    %value = OpLoad %uint %in Aligned 4
    OpStore %to %value Aligned 4";

#[test]
fn only_accesses_that_may_come_from_a_null_argument_are_looked_at() {
    let module = kernel("", "%p_uint %first, %p_uint %second", TWO_POINTERS).unwrap();
    let guards = |options: &Options| {
        let ir = translate(&[&module], options).unwrap().ir;
        // A guarded access is in a helper, whose operands have other names.
        let is_plain = |access: &str| ir.lines().any(|line| line.contains(access) && line.contains("* %v"));
        (!is_plain(" = load i32, "), !is_plain("  store i32 "))
    };
    assert_eq!(guards(&Options::default()), (false, false));
    assert_eq!(guards(&with_null(&[0])), (true, false));
    assert_eq!(guards(&with_null(&[1])), (false, true));
    assert_eq!(guards(&with_null(&[0, 1])), (true, true));
}

#[test]
fn a_variant_without_null_arguments_is_the_kernel_itself() {
    let module = kernel("", "%p_uint %first, %p_uint %second", TWO_POINTERS).unwrap();
    let plain = translate(&[&module], &Options::default()).unwrap();
    assert_eq!(translate(&[&module], &with_null(&[])).unwrap(), plain);
}

#[test]
fn a_variant_has_one_kernel_of_its_program() {
    let declarations = "
        OpEntryPoint Kernel %other \"other\"
        %other.type = OpTypeFunction %void";
    let code = "
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %other.type
        %other.entry = OpLabel
        OpReturn
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    for name in ["k", "other"] {
        let mut options = with_null(&[]);
        options.variant.as_mut().unwrap().kernel = name.to_owned();
        let translation = translate(&[&module], &options).unwrap();
        let names: Vec<&str> = translation.kernels.iter().map(|kernel| &*kernel.name).collect();
        assert_eq!(names, [name]);
        assert_eq!(translation.ir.matches("define void @").count(), 1, "{}", translation.ir);
    }
    let mut options = with_null(&[]);
    options.variant.as_mut().unwrap().kernel = "missing".to_owned();
    assert!(translate(&[&module], &options).unwrap().kernels.is_empty());
}

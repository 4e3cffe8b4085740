//! Tests of kernels that the plugin translates again for some launches, on a GPU: launches with more work-groups
//! than CUDA allows in a dimension, and launches with null pointers as arguments. `pi-cuda-spirv` runs these.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use testing_nvvm::kernel;
use testing_support::{Kernel, Program, Usm};

use crate::fixture::{is_software, program_binary};
use crate::{Fixture, fails, ok, software};

/// The tests with their names.
pub const CASES: [(&str, fn()); 8] = [
    ("spirv_more_work_groups_in_y_than_cuda_has", many_groups),
    ("spirv_more_work_groups_in_y_and_z_with_local_memory_and_barriers", barriers),
    ("spirv_more_work_groups_than_a_grid_has_in_all_are_refused", too_many_groups),
    ("spirv_a_binary_keeps_what_its_kernels_need_to_be_translated_again", binary),
    ("spirv_a_store_through_a_null_argument_is_left_out", null_store),
    ("spirv_loads_and_atomics_through_a_null_argument_give_zero", null_load),
    ("spirv_a_command_buffer_with_many_work_groups_and_a_null_argument", recorded),
    ("spirv_a_kernel_with_variables_is_not_translated_again", variables),
];

/// The number of words that a work-item of `places` writes.
const WORDS: usize = 6;

/// Returns a module whose work-items write their positions at the index of their linear id.
fn places() -> Vec<u8> {
    let declarations = "
        OpDecorate %of_group BuiltIn WorkgroupId
        OpDecorate %count BuiltIn NumWorkgroups
        OpDecorate %global BuiltIn GlobalInvocationId
        OpDecorate %size BuiltIn GlobalSize
        OpDecorate %linear BuiltIn GlobalLinearId
        %of_group = OpVariable %p_v3ulong Input
        %count = OpVariable %p_v3ulong Input
        %global = OpVariable %p_v3ulong Input
        %size = OpVariable %p_v3ulong Input
        %p_in_ulong = OpTypePointer Input %ulong
        %linear = OpVariable %p_in_ulong Input
        %l_6 = OpConstant %ulong 6
        %l_3 = OpConstant %ulong 3
        %l_4 = OpConstant %ulong 4
        %l_5 = OpConstant %ulong 5";
    let mut code = "
        %place = OpLoad %ulong %linear
        %groups = OpLoad %v3ulong %of_group
        %counts = OpLoad %v3ulong %count
        %id.all = OpLoad %v3ulong %global
        %sizes = OpLoad %v3ulong %size
        %word0 = OpCompositeExtract %ulong %groups 1
        %word1 = OpCompositeExtract %ulong %groups 2
        %word2 = OpCompositeExtract %ulong %counts 1
        %word3 = OpCompositeExtract %ulong %id.all 0
        %word4 = OpCompositeExtract %ulong %id.all 1
        %word5 = OpCompositeExtract %ulong %sizes 1
        %first = OpIMul %ulong %place %l_6\n"
        .to_owned();
    for at in 0..WORDS {
        code += &format!(
            "%place{at} = OpIAdd %ulong %first %l_{at}
             %at{at} = OpPtrAccessChain %p_ulong %out %place{at}
             OpStore %at{at} %word{at}\n"
        );
    }
    kernel(declarations, "%p_ulong %out", &code).unwrap()
}

/// Returns the expected output of `places` for a launch of work-groups of two work-items in x.
fn expected_places(global: [usize; 3], offset: [usize; 3]) -> Vec<u64> {
    let [width, height, depth] = global;
    let mut all = Vec::with_capacity(width * height * depth * WORDS);
    for z in 0..depth {
        for y in 0..height {
            for x in 0..width {
                all.extend([y, z, height, x + offset[0], y + offset[1], height].map(|word| word as u64));
            }
        }
    }
    all
}

/// Launches `places` over a range, and checks its output.
fn check_places(fixture: &Fixture, kernel: &Kernel, global: &[usize], offset: &[usize]) {
    let three = |given: &[usize], other| std::array::from_fn(|at| given.get(at).copied().unwrap_or(other));
    let items: usize = global.iter().product();
    let out = fixture.device_memory(items * WORDS * 8);
    kernel.pointer(0, out.start);
    let (dims, local) = (global.len() as u32, [2_usize, 1, 1]);
    let [global_at, offset_at, local_at] = [global.as_ptr(), offset.as_ptr(), local.as_ptr()];
    let (queue, none) = (fixture.queue, null_mut());
    ok!(piEnqueueKernelLaunch(queue, kernel.raw, dims, offset_at, global_at, local_at, 0, null(), none));
    fixture.finish();
    let found = fixture.read::<u64>(&out, items * WORDS);
    let expected = expected_places(three(global, 1), three(offset, 0));
    let differ = found.iter().zip(&expected).position(|(found, expected)| found != expected);
    assert_eq!(differ, None, "{global:?} {offset:?}");
}

fn many_groups() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&places()));
    let kernel = program.kernel("k");
    check_places(&fixture, &kernel, &[200_000], &[5]);
    check_places(&fixture, &kernel, &[4, 70_000, 3], &[1000, 1 << 33, 7]);
    check_places(&fixture, &kernel, &[2, 3, 65_536], &[0, 0, 0]);
    check_places(&fixture, &kernel, &[2, 65_535, 1], &[0, 0, 0]);
    check_places(&fixture, &kernel, &[200_000], &[0]);
}

/// The work-items of a work-group exchange their numbers through local memory.
fn barriers() {
    let declarations = "
        OpDecorate %linear BuiltIn GlobalLinearId
        %p_in_ulong = OpTypePointer Input %ulong
        %linear = OpVariable %p_in_ulong Input";
    let code = "
        %place = OpLoad %ulong %linear
        %own = OpPtrAccessChain %s_uint %room %l
        %number = OpUConvert %uint %place
        OpStore %own %number Aligned 4
        OpControlBarrier %group %group %acq_rel
        %turned = OpISub %uint %u_3 %x
        %other.at = OpPtrAccessChain %s_uint %room %turned
        %other = OpLoad %uint %other.at Aligned 4
        %to = OpPtrAccessChain %p_uint %out %place
        OpStore %to %other Aligned 4";
    let fixture = Fixture::new();
    let module = kernel(declarations, "%p_uint %out, %s_uint %room", code).unwrap();
    let program = fixture.build(fixture.unbuilt(&module));
    const ITEMS: usize = 4 * 66_000;
    let (kernel, out) = (program.kernel("k"), fixture.device_memory(ITEMS * 4));
    kernel.pointer(0, out.start).local(1, 16);
    fixture.launch(kernel.raw, &[4, 66_000, 1], Some(&[4, 1, 1]));
    fixture.finish();
    let expected: Vec<u32> = (0..ITEMS as u32).map(|at| at / 4 * 4 + 3 - at % 4).collect();
    assert!(fixture.read::<u32>(&out, ITEMS) == expected);
}

fn too_many_groups() {
    let fixture = Fixture::new();
    let program = fixture.build(fixture.unbuilt(&places()));
    let (kernel, out) = (program.kernel("k"), fixture.device_memory(8));
    kernel.pointer(0, out.start);
    let (global, local) = ([1_usize, 70_000, 70_000], [1_usize; 3]);
    let (queue, raw, global, local) = (fixture.queue, kernel.raw, global.as_ptr(), local.as_ptr());
    let why = fails!(
        piEnqueueKernelLaunch(queue, raw, 3, null(), global, local, 0, null(), null_mut()),
        PI_ERROR_INVALID_GLOBAL_WORK_SIZE
    );
    assert!(why.contains("2147483647 work-groups in all"), "{why}");
}

fn binary() {
    let fixture = Fixture::new();
    let bytes = program_binary(&fixture.build(fixture.unbuilt(&places())));
    let program = fixture.build(fixture.binary(&bytes, &[]));
    check_places(&fixture, &program.kernel("k"), &[2, 70_000], &[0, 3]);
    let again = fixture.build(fixture.binary(&program_binary(&program), &[]));
    check_places(&fixture, &again.kernel("k"), &[2, 70_000], &[0, 3]);
}

/// Like oneDAL's `merge_blocks`, writes sums and variances, whether sums are wanted or not.
const BOTH: &str = "
    %sum.at = OpInBoundsPtrAccessChain %p_uint %sums %l
    OpStore %sum.at %u_7 Aligned 4
    %variance.at = OpInBoundsPtrAccessChain %p_uint %variances %l
    OpStore %variance.at %x Aligned 4";

const ITEMS: usize = 64;

/// Returns a program with a kernel `k`, and a buffer of nines.
fn with_nines(fixture: &Fixture, module: &[u8]) -> (Program, Usm) {
    let memory = fixture.device_memory(ITEMS * 4);
    fixture.write(&memory, &[9_u32; ITEMS]);
    (fixture.build(fixture.unbuilt(module)), memory)
}

fn null_store() {
    let fixture = Fixture::new();
    let module = kernel("", "%p_uint %sums, %p_uint %variances", BOTH).unwrap();
    let (program, variances) = with_nines(&fixture, &module);
    let (kernel, sums) = (program.kernel("k"), fixture.device_memory(ITEMS * 4));
    let numbers: Vec<u32> = (0..ITEMS as u32).collect();
    // Without a sum, with one, and without one again.
    for with_sum in [false, true, false] {
        fixture.write(&sums, &[9_u32; ITEMS]);
        fixture.write(&variances, &[9_u32; ITEMS]);
        kernel
            .pointer(0, if with_sum { sums.start.cast_const() } else { null() })
            .pointer(1, variances.start);
        fixture.launch(kernel.raw, &[ITEMS], Some(&[ITEMS]));
        fixture.finish();
        assert_eq!(fixture.read::<u32>(&variances, ITEMS), numbers, "{with_sum}");
        assert_eq!(fixture.read::<u32>(&sums, ITEMS), [if with_sum { 7 } else { 9 }; ITEMS]);
    }
    // First the other argument is null, then both are.
    kernel.pointer(0, sums.start).pointer(1, null());
    fixture.launch(kernel.raw, &[ITEMS], Some(&[ITEMS]));
    fixture.finish();
    assert_eq!(fixture.read::<u32>(&sums, ITEMS), [7; ITEMS]);
    kernel.pointer(0, null());
    fixture.launch(kernel.raw, &[ITEMS], Some(&[ITEMS]));
    fixture.finish();
}

/// Counts loaded modules, so it needs a process of its own.
pub(crate) fn shared() {
    let fixture = Fixture::new();
    let module = kernel("", "%p_uint %sums, %p_uint %variances", BOTH).unwrap();
    let (program, variances) = with_nines(&fixture, &module);
    let numbers: Vec<u32> = (0..ITEMS as u32).collect();
    for loads in [1, 0] {
        let kernel = program.kernel("k");
        fixture.write(&variances, &[9_u32; ITEMS]);
        kernel.pointer(0, null()).pointer(1, variances.start);
        if is_software() {
            software::inject("");
        }
        fixture.launch(kernel.raw, &[ITEMS], Some(&[ITEMS]));
        fixture.finish();
        if is_software() {
            assert_eq!(software::calls("cuModuleLoadDataEx"), loads);
        }
        assert_eq!(fixture.read::<u32>(&variances, ITEMS), numbers);
    }
}

fn null_load() {
    let code = "
        %mine = OpInBoundsPtrAccessChain %p_uint %out %l
        %nowhere = OpInBoundsPtrAccessChain %p_uint %none %l
        %loaded = OpLoad %uint %nowhere Aligned 4
        %generic = OpPtrCastToGeneric %g_uint %nowhere
        %again = OpLoad %uint %generic Aligned 4
        %added = OpAtomicIAdd %uint %nowhere %device %relaxed %u_7
        %changed = OpAtomicCompareExchange %uint %nowhere %device %relaxed %relaxed %u_7 %u_0
        %a = OpIAdd %uint %loaded %again
        %b = OpIAdd %uint %added %changed
        %ab = OpIAdd %uint %a %b
        %sum = OpIAdd %uint %ab %x
        OpStore %mine %sum Aligned 4";
    let fixture = Fixture::new();
    let module = kernel("", "%p_uint %none, %p_uint %out", code).unwrap();
    let (program, out) = with_nines(&fixture, &module);
    let kernel = program.kernel("k");
    kernel.pointer(0, null()).pointer(1, out.start);
    fixture.launch(kernel.raw, &[ITEMS], Some(&[ITEMS]));
    fixture.finish();
    assert_eq!(fixture.read::<u32>(&out, ITEMS), (0..ITEMS as u32).collect::<Vec<_>>());
}

fn recorded() {
    let fixture = Fixture::new();
    let code = format!(
        "{BOTH}
        %place = OpLoad %ulong %linear
        %count.at = OpInBoundsPtrAccessChain %p_uint %counts %l_0
        %before = OpAtomicIAdd %uint %count.at %device %relaxed %u_1"
    );
    let declarations = "
        OpDecorate %linear BuiltIn GlobalLinearId
        %p_in_ulong = OpTypePointer Input %ulong
        %linear = OpVariable %p_in_ulong Input";
    let parameters = "%p_uint %sums, %p_uint %variances, %p_uint %counts";
    let module = kernel(declarations, parameters, &code).unwrap();
    let (program, variances) = with_nines(&fixture, &module);
    let (kernel, counts) = (program.kernel("k"), fixture.device_memory(4));
    fixture.write(&counts, &[0_u32]);
    kernel.pointer(0, null()).pointer(1, variances.start).pointer(2, counts.start);
    let mut buffer = null_mut();
    ok!(piextCommandBufferCreate(fixture.context, fixture.device, null(), &mut buffer));
    let (global, local, mut point) = ([2_usize, 66_000], [2_usize, 1], 0);
    let (global, local, none) = (global.as_ptr(), local.as_ptr(), null());
    ok!(piextCommandBufferNDRangeKernel(buffer, kernel.raw, 2, null(), global, local, 0, none, &mut point));
    ok!(piextCommandBufferFinalize(buffer));
    for _ in 0..2 {
        ok!(piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
    }
    fixture.finish();
    assert_eq!(fixture.read::<u32>(&variances, 3), [0, 1, 9]);
    assert_eq!(fixture.read::<u32>(&counts, 1), [2 * 2 * 66_000]);
    ok!(piextCommandBufferRelease(buffer));
}

/// A second module would have its own variables. So launches with null pointers use the kernel unchanged.
fn variables() {
    let declarations = "
        OpDecorate %linear BuiltIn GlobalLinearId
        %p_in_ulong = OpTypePointer Input %ulong
        %linear = OpVariable %p_in_ulong Input
        %counter = OpVariable %p_uint CrossWorkgroup %u_7";
    let code = "
        %place = OpLoad %ulong %linear
        %before = OpAtomicIAdd %uint %counter %device %relaxed %u_1
        %at = OpInBoundsPtrAccessChain %p_uint %out %place
        OpStore %at %before Aligned 4";
    let fixture = Fixture::new();
    let module = kernel(declarations, "%p_uint %out, %p_uint %none", code).unwrap();
    let (program, out) = with_nines(&fixture, &module);
    let kernel = program.kernel("k");
    kernel.pointer(0, out.start).pointer(1, null());
    fixture.launch(kernel.raw, &[1], Some(&[1]));
    fixture.launch(kernel.raw, &[2], Some(&[1]));
    fixture.finish();
    let mut seen = fixture.read::<u32>(&out, 2);
    seen.sort_unstable();
    assert_eq!(seen, [8, 9]);
    let (global, local) = ([1_usize, 70_000], [1_usize; 2]);
    let (queue, raw, global, local) = (fixture.queue, kernel.raw, global.as_ptr(), local.as_ptr());
    let why = fails!(
        piEnqueueKernelLaunch(queue, raw, 2, null(), global, local, 0, null(), null_mut()),
        PI_ERROR_INVALID_OPERATION
    );
    assert!(why.contains("kernel \"k\"") && why.contains("the program has variables"), "{why}");
}

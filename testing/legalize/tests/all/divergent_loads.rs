//! Loads that may not be made.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, SubGroups, legalize};

use crate::common::{count, kernel, made, of, program};

fn needs() -> Needs {
    Needs { no_hints: true, whole_interfaces: true, divergent_loads: true, ..Needs::default() }
}

/// The number of `SubgroupLocalInvocationId`.
const LANE: u32 = 41;

/// Returns the pointers that were computed by adding zero, and the result of each such computation.
fn moved(module: &Module) -> Vec<(u32, u32)> {
    let zeros: Vec<u32> = of(module, Op::BitwiseAnd).iter().map(|and| and[1]).collect();
    let chains = of(module, Op::InBoundsPtrAccessChain).into_iter();
    chains
        .filter(|chain| chain.len() == 4 && zeros.contains(&chain[3]))
        .map(|chain| (chain[2], chain[1]))
        .collect()
}

#[test]
fn a_load_in_a_loop_has_an_address_computed_from_the_lane() {
    let after = made(&program("list"), &needs());
    let [decoration] = of(&after, Op::Decorate)
        .into_iter()
        .filter(|words| words[1..] == [11, LANE])
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let loads = of(&after, Op::Load);
    let lane = loads.iter().find(|load| load[2] == decoration[0]).unwrap();
    let [square] = of(&after, Op::IMul).try_into().unwrap();
    assert_eq!(square[2..], [lane[1], lane[1]]);
    let [and] = of(&after, Op::BitwiseAnd).try_into().unwrap();
    let sum = of(&after, Op::IAdd).into_iter().find(|sum| sum[1] == and[2]).unwrap();
    assert_eq!(sum[2..], [square[1], lane[1]]);
    let [(node, address)] = moved(&after).try_into().unwrap();
    assert!(of(&after, Op::Phi).iter().any(|phi| phi[1] == node));
    assert!(loads.iter().any(|load| load[2] == address));
    let [entry] = of(&after, Op::EntryPoint).try_into().unwrap();
    assert!(entry[3..].contains(&decoration[0]));
}

/// Checks how many of the loads in a block that may not run have other addresses.
#[track_caller]
fn check(declarations: &str, code: &str, changed: usize) {
    let declarations = format!("{declarations}\n%w_uint = OpTypePointer Workgroup %uint");
    let code = format!(
        "%some = OpULessThan %bool %x %u_7
         OpBranchConditional %some %then %end
         %then = OpLabel
         {code}
         OpBranch %end
         %end = OpLabel"
    );
    let module = kernel(&declarations, &code);
    let after = legalize(&module, &needs()).unwrap().module;
    let after = Module::parse(&after).unwrap();
    assert_eq!(moved(&after).len(), changed);
}

#[test]
fn loads_of_memory_that_all_work_items_share_change() {
    check("", "%value = OpLoad %uint %in Aligned 4", 1);
    check("", "%value = OpAtomicLoad %uint %in %device %u_0", 1);
    check("", "%value = OpExtInst %v4uint %cl vloadn %l %in 4", 1);
    check("%l_4 = OpConstant %ulong 4", "OpCopyMemorySized %in %out %l_4 Aligned 4", 1);
    check("", "%generic = OpPtrCastToGeneric %g_uint %in\n%value = OpLoad %uint %generic Aligned 4", 1);
    let table = "%table.type = OpTypeArray %uint %u_3
                 %table.value = OpConstantComposite %table.type %u_7 %u_16 %u_31
                 %p_table = OpTypePointer UniformConstant %table.type
                 %c_uint = OpTypePointer UniformConstant %uint
                 %table = OpVariable %p_table UniformConstant %table.value";
    let code = "%place = OpInBoundsPtrAccessChain %c_uint %table %u_0 %x
                %value = OpLoad %uint %place Aligned 4";
    check(table, code, 1);
}

#[test]
fn other_loads_stay() {
    check("%shared = OpVariable %w_uint Workgroup", "%value = OpLoad %uint %shared Aligned 4", 0);
    check("", "%value = OpLoad %v3ulong %id Aligned 32", 0);
    check("", "OpStore %in %u_7 Aligned 4", 0);
    // DPC++ declares built-ins in global memory.
    let built_in = "%p_v3 = OpTypePointer CrossWorkgroup %v3ulong
                    %p_ulong = OpTypePointer CrossWorkgroup %ulong
                    %size = OpVariable %p_v3 CrossWorkgroup
                    OpDecorate %size BuiltIn GlobalSize";
    let code = "%part = OpInBoundsAccessChain %p_ulong %size %u_0
                %value = OpLoad %ulong %part Aligned 8";
    check(built_in, code, 0);
    let image = "%image.type = OpTypeImage %void 1 0 0 0 0 0 0
                 %p_image = OpTypePointer UniformConstant %image.type
                 %image = OpVariable %p_image UniformConstant";
    check(image, "%value = OpLoad %image.type %image", 0);
}

/// The first block of a kernel always runs.
#[test]
fn a_load_that_is_always_made_stays() {
    let module = kernel("", "%value = OpLoad %uint %in Aligned 4");
    let after = made(&module, &needs());
    assert_eq!((moved(&after), count(&after, Op::BitwiseAnd)), (vec![], 0));
}

/// The kernel may call it in a loop.
#[test]
fn a_load_in_the_first_block_of_another_function_changes() {
    let code = "%value = OpFunctionCall %uint %helper %in
                OpReturn
                OpFunctionEnd
                %helper = OpFunction %uint None %helper.type
                %pointer = OpFunctionParameter %p_uint
                %h.entry = OpLabel
                %slot = OpVariable %f_uint Function
                %loaded = OpLoad %uint %pointer Aligned 4
                OpReturnValue %loaded
                OpFunctionEnd";
    let declarations = "%helper.type = OpTypeFunction %uint %p_uint\n%f_uint = OpTypePointer Function %uint";
    let after = made(&kernel(declarations, code), &needs());
    assert_eq!((moved(&after).len(), count(&after, Op::BitwiseAnd)), (1, 1));
}

/// Making each work-item a sub-group replaces the lane in other variables.
#[test]
fn the_lane_is_no_sub_group_of_the_program() {
    let once = made(&program("list"), &needs()).to_bytes().unwrap();
    let needs = Needs { sub_groups: SubGroups::One, ..needs() };
    assert!(matches!(legalize(&once, &needs).unwrap().module, Cow::Borrowed(_)));
}

//! Hints, and merges that are out of place.

use sycl_pi_image::spirv::{Capability, Decoration, Module, Needs, Op, SubGroups};

use crate::common::{NONE, count, kernel, made, of, program};

const NO_HINTS: Needs = Needs { no_hints: true, whole_interfaces: true, ..NONE };

#[test]
fn aliasing_is_dropped_and_alignment_stays() {
    let module = program("hints");
    let before = Module::parse(&module).unwrap();
    assert_eq!(count(&before, Op::AliasDomainDeclINTEL), 1);
    let after = made(&module, &NO_HINTS);
    let aliasing =
        [Op::AliasDomainDeclINTEL, Op::AliasScopeDeclINTEL, Op::AliasScopeListDeclINTEL, Op::Extension];
    assert_eq!(aliasing.map(|opcode| count(&after, opcode)), [0; 4]);
    let loads: Vec<Vec<u32>> = of(&after, Op::Load).into_iter().map(|load| load[3..].to_vec()).collect();
    assert_eq!(loads, [vec![2, 32], vec![2, 4], vec![2, 4]]);
}

/// Some capabilities imply another one, which no instruction of a module need declare.
#[test]
fn a_capability_that_a_dropped_one_implies_stays() {
    let own = |module: &[u8]| {
        let mut words: Vec<u32> =
            module.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect();
        let kernel = [2 << 16 | Op::Capability as u32, Capability::Kernel as u32];
        let at = words.windows(2).position(|pair| pair == kernel).unwrap();
        words.drain(at..at + 2);
        words.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
    };
    let sub_groups = Needs { sub_groups: SubGroups::One, ..NO_HINTS };
    for (capability, needs) in [
        ("FPFastMathModeINTEL\nOpExtension \"SPV_INTEL_fp_fast_math_mode\"", NO_HINTS),
        ("SubgroupDispatch", sub_groups),
        ("SubgroupDispatch\nOpCapability Kernel", sub_groups),
    ] {
        let module = own(&kernel(&format!("OpCapability {capability}"), ""));
        let capabilities = of(&made(&module, &needs), Op::Capability);
        let kernels = capabilities.iter().filter(|words| words[0] == Capability::Kernel as u32);
        assert_eq!(kernels.count(), 1, "{capability}");
    }
}

/// Each access keeps what stands beside the aliasing: its alignment, and the mask of a copy's second access.
#[test]
fn every_access_loses_its_aliasing_alone() {
    let declarations = r#"OpCapability MemoryAccessAliasingINTEL
                          OpExtension "SPV_INTEL_memory_access_aliasing"
                          %domain = OpAliasDomainDeclINTEL
                          %scope = OpAliasScopeDeclINTEL %domain
                          %scopes = OpAliasScopeListDeclINTEL %scope"#;
    let code = "%one = OpLoad %uint %in 0x10002 4 %scopes
                %two = OpLoad %uint %in 0x30003 4 %scopes %scopes
                OpStore %out %one 0x20002 4 %scopes
                OpStore %out %two 0x10000 %scopes
                OpStore %out %two Aligned 4
                OpStore %out %two
                OpCopyMemory %out %in 0x10002 4 %scopes 0x20002 8 %scopes
                OpCopyMemory %out %in 1 0x30002 8 %scopes %scopes
                OpCopyMemorySized %out %in %u_16 0x30002 16 %scopes %scopes";
    let after = made(&kernel(declarations, code), &NO_HINTS);
    let rest = |opcode: Op, first: usize| -> Vec<Vec<u32>> {
        of(&after, opcode).into_iter().map(|access| access[first..].to_vec()).collect()
    };
    // The first load is that of the work-item's id.
    assert_eq!(rest(Op::Load, 3)[1..], [vec![2, 4], vec![3, 4]]);
    assert_eq!(rest(Op::Store, 2), [vec![2, 4], vec![0], vec![2, 4], vec![]]);
    assert_eq!(rest(Op::CopyMemory, 2), [vec![2, 4, 2, 8], vec![1, 2, 8]]);
    assert_eq!(rest(Op::CopyMemorySized, 3), [[2, 16]]);
}

#[test]
fn a_merge_stays_where_it_belongs() {
    let code = "OpLoopMerge %end %entry None\nOpBranch %end\n%end = OpLabel";
    assert_eq!(of(&made(&kernel("", code), &NO_HINTS), Op::LoopMerge).len(), 1);
    assert_eq!(count(&made(&program("hints"), &NO_HINTS), Op::LoopMerge), 0);
}

/// An initiation interval of 4, beside a request not to unroll and a smallest number of iterations.
#[test]
fn controls_for_fpgas_are_dropped_and_the_others_stay() {
    let declarations = "OpCapability FPGALoopControlsALTERA\nOpExtension \"SPV_INTEL_fpga_loop_controls\"";
    let code = "OpLoopMerge %end %entry 0x10012 9 4\nOpBranch %end\n%end = OpLabel";
    let after = made(&kernel(declarations, code), &NO_HINTS);
    let [merge] = of(&after, Op::LoopMerge).try_into().unwrap();
    assert_eq!(merge[2..], [0x12, 9]);
    // Six of them have an operand. The order is that of the controls' bits.
    let code = "OpLoopMerge %end %entry 0x101fd 1 2 3 4 5 6 7\nOpBranch %end\n%end = OpLabel";
    let [all] = of(&made(&kernel(declarations, code), &NO_HINTS), Op::LoopMerge).try_into().unwrap();
    assert_eq!(all[2..], [0x1fd, 1, 2, 3, 4, 5, 6]);
    // Without one for FPGAs, all stay: a length of 5 for independent iterations, 2 to peel and 3 to unroll.
    let code = "OpLoopMerge %end %entry 0x188 5 2 3\nOpBranch %end\n%end = OpLabel";
    let [others] = of(&made(&kernel(declarations, code), &NO_HINTS), Op::LoopMerge).try_into().unwrap();
    assert_eq!(others[2..], [0x188, 5, 2, 3]);
    let fpga = |words: &&Vec<u32>| words[0] == Capability::FPGALoopControlsALTERA as u32;
    assert_eq!(of(&after, Op::Capability).iter().filter(fpga).count(), 0);
    assert_eq!(count(&after, Op::Extension), 0);
}

#[test]
fn cache_controls_are_dropped() {
    let declarations = "OpCapability CacheControlsINTEL\nOpExtension \"SPV_INTEL_cache_controls\"\n\
                        OpDecorate %in CacheControlLoadINTEL 0 1";
    let module = kernel(declarations, "");
    let count_of = |module: &Module| count(module, Op::Decorate) + count(module, Op::Capability);
    assert_eq!(count_of(&made(&module, &NO_HINTS)), count_of(&Module::parse(&module).unwrap()) - 2);
}

#[test]
fn a_decoration_that_repeats_another_is_dropped() {
    let decorated = |module: &Module| {
        let decorations = of(module, Op::Decorate).into_iter();
        decorations.filter(|words| words[1] == Decoration::NoUnsignedWrap as u32).count()
    };
    let module = program("repeated");
    assert_eq!(decorated(&Module::parse(&module).unwrap()), 2);
    assert_eq!(decorated(&made(&module, &NO_HINTS)), 1);
}

#[test]
fn a_loop_has_no_controls_if_the_driver_follows_them_too_far() {
    let needs = Needs { no_loop_controls: true, ..Needs::default() };
    assert_eq!(count(&Module::parse(&program("unrolled")).unwrap(), Op::LoopMerge), 1);
    assert_eq!(count(&made(&program("unrolled"), &needs), Op::LoopMerge), 0);
}

/// Controls 1 ask for unrolling, controls 2 forbid it.
#[test]
fn a_request_not_to_unroll_stays() {
    let needs = Needs { no_loop_controls: true, ..Needs::default() };
    let declarations = "OpCapability UnstructuredLoopControlsINTEL
                        OpExtension \"SPV_INTEL_unstructured_loop_controls\"";
    let merge = |controls: u32| {
        let code = format!("OpLoopMerge %end %entry {controls}\nOpBranch %end\n%end = OpLabel");
        count(&made(&kernel("", &code), &needs), Op::LoopMerge)
    };
    assert_eq!([merge(0), merge(1), merge(2)], [0, 0, 1]);
    let unstructured = |controls: u32| {
        let code = format!("OpLoopControlINTEL {controls}\nOpBranch %end\n%end = OpLabel");
        let after = made(&kernel(declarations, &code), &needs);
        (count(&after, Op::LoopControlINTEL), count(&after, Op::Extension))
    };
    assert_eq!([unstructured(1), unstructured(2)], [(0, 0), (1, 1)]);
}

#[test]
fn permissions_for_floats_that_need_an_extension_are_dropped() {
    let declarations = "OpCapability FPFastMathModeINTEL\nOpExtension \"SPV_INTEL_fp_fast_math_mode\"
                        OpDecorate %sum FPFastMathMode 0x3001f
                        %f = OpConstant %float 2";
    let after = made(&kernel(declarations, "%sum = OpFAdd %float %f %f"), &NO_HINTS);
    assert_eq!(count(&after, Op::Extension), 0);
    let modes =
        of(&after, Op::Decorate).into_iter().filter(|words| words[1] == Decoration::FPFastMathMode as u32);
    assert_eq!(modes.map(|words| words[2]).collect::<Vec<u32>>(), [0x1f]);
}

//! Sub-groups of one work-item.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Capability, Module, Needs, Op, SubGroups, legalize};

use crate::common::{NONE, count, kernel, made, of, program};

const OF_ONE: Needs = Needs {
    no_hints: true,
    ordered_blocks: true,
    whole_interfaces: true,
    sub_groups: SubGroups::One,
    ..NONE
};

#[test]
fn nothing_of_sub_groups_is_left() {
    let after = made(&program("sub_groups"), &OF_ONE);
    let gone = [
        Op::GroupIAdd,
        Op::GroupNonUniformBallot,
        Op::SubgroupShuffleINTEL,
        Op::SubgroupBlockReadINTEL,
        Op::ControlBarrier,
        Op::Extension,
    ];
    assert_eq!(gone.map(|opcode| count(&after, opcode)), [0; 6]);
    let capabilities: Vec<u32> = of(&after, Op::Capability).iter().map(|words| words[0]).collect();
    let kept = [
        Capability::Addresses,
        Capability::Linkage,
        Capability::Kernel,
        Capability::Int8,
        Capability::Int64,
        Capability::GenericPointer,
    ];
    assert_eq!(capabilities, kept.map(|capability| capability as u32));
}

#[test]
fn votes_of_sub_groups_leave_no_declaration() {
    let declarations = "OpCapability SubgroupVoteKHR\nOpExtension \"SPV_KHR_subgroup_vote\"";
    let code = "%all = OpSubgroupAllKHR %bool %true
                %any = OpSubgroupAnyKHR %bool %true
                %equal = OpSubgroupAllEqualKHR %bool %true";
    let after = made(&kernel(declarations, code), &OF_ONE);
    let vote = |words: &&Vec<u32>| words[0] == Capability::SubgroupVoteKHR as u32;
    assert_eq!(of(&after, Op::Capability).iter().filter(vote).count(), 0);
    let gone = [Op::Extension, Op::SubgroupAllKHR, Op::SubgroupAnyKHR, Op::SubgroupAllEqualKHR];
    assert_eq!(gone.map(|opcode| count(&after, opcode)), [0; 4]);
}

/// The host may make a sub-group of what is a work-group by default.
#[test]
fn an_operation_whose_scope_is_specialized_is_refused() {
    let declarations = "OpCapability Groups\n%scope = OpSpecConstant %uint 2\nOpDecorate %scope SpecId 0";
    for (code, name) in [
        ("%sum = OpGroupIAdd %uint %scope Reduce %x", "OpGroupIAdd"),
        ("OpControlBarrier %scope %group %seq_cst", "OpControlBarrier"),
    ] {
        let error = legalize(&kernel(declarations, code), &OF_ONE).unwrap_err().to_string();
        let text = "has a scope that is not a constant of the module, so that it cannot be rewritten for this driver";
        assert_eq!(error, format!("kernel k is refused: {name} {text}"));
    }
}

/// The driver decides about the memory semantics of such a barrier.
#[test]
fn a_barrier_whose_semantics_are_specialized_keeps_them() {
    let declarations = "%semantics = OpSpecConstant %uint 0x310\nOpDecorate %semantics SpecId 0";
    let after = made(&kernel(declarations, "OpControlBarrier %subgroup %device %semantics"), &OF_ONE);
    let [barrier] = of(&after, Op::MemoryBarrier).try_into().unwrap();
    let [semantics] = of(&after, Op::SpecConstant).try_into().unwrap();
    assert_eq!(barrier[1], semantics[1]);
}

#[test]
fn a_kernel_that_requires_another_size_is_refused_by_name() {
    let module = kernel("OpCapability SubgroupDispatch\nOpExecutionMode %k SubgroupSizeMode 16", "");
    let error = legalize(&module, &OF_ONE).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernel k is refused: it requires sub-groups of 16 work-items, and on this driver each work-item is a sub-group \
         of its own"
    );
    let module = kernel("OpCapability SubgroupDispatch\nOpExecutionMode %k SubgroupSizeMode 1", "");
    assert_eq!(count(&made(&module, &OF_ONE), Op::ExecutionMode), 0);
}

/// PoCL 6.0 has the size that a kernel requires, and a kernel that requires none gets a sub-group of each work-item.
#[test]
fn a_kernel_keeps_the_size_that_it_requires_where_the_driver_has_it() {
    let needs = Needs { sub_groups: SubGroups::OneUnlessRequired, ..OF_ONE };
    let code = "OpControlBarrier %subgroup %subgroup %seq_cst";
    let required = |size: &str| {
        let mode = format!("OpCapability SubgroupDispatch\nOpExecutionMode %k SubgroupSizeMode {size}");
        let after = made(&kernel(&mode, code), &needs);
        (count(&after, Op::ExecutionMode), count(&after, Op::ControlBarrier))
    };
    assert_eq!((required("16"), required("1")), ((1, 1), (0, 0)));
    assert_eq!(count(&made(&kernel("", code), &needs), Op::ControlBarrier), 0);
}

/// A barrier of a sub-group may order memory that others see.
#[test]
fn a_barrier_keeps_the_order_of_memory_that_others_see() {
    let after = made(&kernel("", "OpControlBarrier %subgroup %device %seq_cst"), &OF_ONE);
    assert_eq!((count(&after, Op::ControlBarrier), count(&after, Op::MemoryBarrier)), (0, 1));
    let after = made(&kernel("", "OpControlBarrier %group %group %seq_cst"), &OF_ONE);
    assert_eq!(count(&after, Op::ControlBarrier), 1);
}

/// A sub-group of one needs no barrier of its own memory, and none that orders nothing.
#[test]
fn a_barrier_that_only_a_sub_group_sees_is_dropped() {
    let barriers = |code: &str| {
        let after = made(&kernel("%null = OpConstantNull %uint", code), &OF_ONE);
        (count(&after, Op::ControlBarrier), count(&after, Op::MemoryBarrier))
    };
    assert_eq!(barriers("OpControlBarrier %subgroup %subgroup %seq_cst"), (0, 0));
    assert_eq!(barriers("OpControlBarrier %subgroup %device %u_0"), (0, 0));
    assert_eq!(barriers("OpControlBarrier %subgroup %device %null"), (0, 0));
    assert_eq!(barriers("OpMemoryBarrier %subgroup %seq_cst"), (0, 0));
    assert_eq!(barriers("OpMemoryBarrier %group %seq_cst"), (0, 1));
}

/// The names of a variable, its decorations, and its places in interfaces go with it. So does how many sub-groups a
/// work-group has.
#[test]
fn nothing_of_a_built_in_is_left() {
    let declarations = "OpCapability SubgroupDispatch
                        OpExecutionMode %k SubgroupsPerWorkgroup 2
                        %lane = OpVariable %p_in_uint Input
                        OpName %lane \"lane\"
                        OpDecorate %lane BuiltIn SubgroupLocalInvocationId
                        OpDecorate %lane Constant
                        OpName %id \"id\"
                        OpDecorate %id Constant";
    let module = kernel(declarations, "%own = OpLoad %uint %lane");
    let listed = legalize(&module, &Needs { whole_interfaces: true, ..NONE }).unwrap().module;
    let entry = |module: &Module| of(module, Op::EntryPoint)[0][3..].to_vec();
    let [id, lane] = entry(&Module::parse(&listed).unwrap()).try_into().unwrap();
    let after = made(&listed, &OF_ONE);
    assert_eq!(entry(&after), [id]);
    assert_eq!(of(&after, Op::Variable).iter().map(|words| words[1]).collect::<Vec<u32>>(), [id]);
    for opcode in [Op::Name, Op::Decorate] {
        assert!(of(&after, opcode).iter().all(|words| words[0] != lane), "{opcode:?}");
        assert!(of(&after, opcode).iter().any(|words| words[0] == id), "{opcode:?}");
    }
    assert_eq!(count(&after, Op::ExecutionMode), 0);
}

/// Its entry point may list a variable that it does not reach.
#[test]
fn a_module_without_sub_groups_stays_the_same_bytes() {
    let text = "OpCapability Addresses
                OpCapability Kernel
                OpMemoryModel Physical64 OpenCL
                OpEntryPoint Kernel %k \"k\" %unused
                OpDecorate %unused BuiltIn LocalInvocationIndex
                %void = OpTypeVoid
                %ulong = OpTypeInt 64 0
                %p_ulong = OpTypePointer Input %ulong
                %unused = OpVariable %p_ulong Input
                %k.type = OpTypeFunction %void
                %k = OpFunction %void None %k.type
                %entry = OpLabel
                OpReturn
                OpFunctionEnd";
    let module = testing_nvvm::assemble(text).unwrap();
    assert!(matches!(legalize(&module, &OF_ONE).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn blocks_of_images_are_refused_by_name() {
    for (name, code) in [
        ("OpSubgroupImageBlockReadINTEL", "%r = OpSubgroupImageBlockReadINTEL %uint %x %x"),
        ("OpSubgroupImageBlockWriteINTEL", "OpSubgroupImageBlockWriteINTEL %x %x %x"),
        ("OpSubgroupImageMediaBlockReadINTEL", "%r = OpSubgroupImageMediaBlockReadINTEL %uint %x %x %x %x"),
        ("OpSubgroupImageMediaBlockWriteINTEL", "OpSubgroupImageMediaBlockWriteINTEL %x %x %x %x %x"),
    ] {
        let error = legalize(&kernel("", code), &OF_ONE).unwrap_err().to_string();
        assert_eq!(error, format!("kernel k is refused: {name} is not known on a driver without sub-groups"));
    }
}

#[test]
fn a_shuffle_between_two_values_selects_by_its_distance() {
    let declarations = "OpCapability SubgroupShuffleINTEL\nOpExtension \"SPV_INTEL_subgroups\"";
    let code = "%down = OpSubgroupShuffleDownINTEL %uint %x %y %u_1
                %up = OpSubgroupShuffleUpINTEL %uint %x %y %u_1";
    let after = made(&kernel(declarations, code), &OF_ONE);
    let [down, up] = of(&after, Op::Select).try_into().unwrap();
    // At a distance of 0 the shuffle down returns the first value, and the shuffle up the second one.
    assert_eq!((down[3], down[4]), (up[4], up[3]));
}

/// Before SPIR-V 1.4, the condition of `OpSelect` has a component for each of the objects.
#[test]
fn a_shuffle_between_two_vectors_selects_by_a_vector() {
    let declarations = "OpCapability SubgroupShuffleINTEL\nOpExtension \"SPV_INTEL_subgroups\"
                        %v4bool = OpTypeVector %bool 4
                        %vector = OpConstantComposite %v4uint %u_1 %u_3 %u_4 %u_7";
    let code = "%down = OpSubgroupShuffleDownINTEL %v4uint %vector %vector %x";
    let after = made(&kernel(declarations, code), &OF_ONE);
    let [select] = of(&after, Op::Select).try_into().unwrap();
    let [vector] = of(&after, Op::CompositeConstruct).try_into().unwrap();
    let [equal] = of(&after, Op::IEqual).try_into().unwrap();
    let booleans = of(&after, Op::TypeVector).into_iter().find(|words| words[1] == equal[0]).unwrap();
    assert_eq!((vector[0], vector[1], booleans[2]), (booleans[0], select[2], 4));
    assert_eq!(vector[2..], [equal[1]; 4]);
}

#[test]
fn a_block_of_several_elements_is_read_and_written_one_by_one() {
    let declarations = "OpCapability SubgroupBufferBlockIOINTEL\nOpExtension \"SPV_INTEL_subgroups\"";
    let code = "%block = OpSubgroupBlockReadINTEL %v4uint %in\nOpSubgroupBlockWriteINTEL %out %block";
    let module = kernel(declarations, code);
    let after = made(&module, &OF_ONE);
    let loads = |module: &Module| count(module, Op::Load);
    assert_eq!(loads(&after), loads(&Module::parse(&module).unwrap()) + 4);
    assert_eq!(count(&after, Op::Store), 4);
    // Each at its own place, with the alignment of one.
    let constants = of(&after, Op::Constant);
    let value = |id: u32| constants.iter().find(|words| words[1] == id).map(|words| words[2]);
    let places = of(&after, Op::PtrAccessChain);
    assert_eq!(
        places.iter().map(|place| value(place[3])).collect::<Vec<_>>(),
        [0, 1, 2, 3, 0, 1, 2, 3].map(Some)
    );
    for (at, store) in of(&after, Op::Store).iter().enumerate() {
        assert_eq!((store[0], &store[2..]), (places[4 + at][1], &[2, 4][..]));
    }
    for (at, load) in of(&after, Op::Load).iter().rev().take(4).rev().enumerate() {
        assert_eq!((load[2], &load[3..]), (places[at][1], &[2, 4][..]));
    }
    for (at, part) in of(&after, Op::CompositeInsert).iter().enumerate() {
        assert_eq!(part[4], at as u32);
    }
}

#[test]
fn a_block_of_one_element_is_read_and_written_as_it_is() {
    let declarations = "OpCapability SubgroupBufferBlockIOINTEL\nOpExtension \"SPV_INTEL_subgroups\"
                        %p_uchar = OpTypePointer CrossWorkgroup %uchar
                        %bytes = OpConstantNull %p_uchar";
    let code = "%block = OpSubgroupBlockReadINTEL %uchar %bytes\nOpSubgroupBlockWriteINTEL %bytes %block";
    let after = made(&kernel(declarations, code), &OF_ONE);
    let [store] = of(&after, Op::Store).try_into().unwrap();
    let load = of(&after, Op::Load).into_iter().find(|load| load[1] == store[1]).unwrap();
    assert_eq!((load[2], &load[3..], &store[2..]), (store[0], &[2, 1][..], &[2, 1][..]));
    assert_eq!(count(&after, Op::PtrAccessChain), 0);
}

/// The identities that SPIR-V gives, as the words of a constant. A half of 1 is 0x3c00, and an infinite one 0x7c00.
#[test]
fn an_exclusive_scan_of_one_is_the_identity() {
    let declarations = "OpCapability Groups\nOpCapability Float16\nOpCapability GroupUniformArithmeticKHR
                        OpExtension \"SPV_KHR_uniform_group_instructions\"
                        %half = OpTypeFloat 16
                        %h = OpConstant %half 0x4000
                        %b = OpConstant %uchar 5";
    for (operation, words) in [
        ("OpGroupUMin %uint %subgroup ExclusiveScan %x", &[u32::MAX][..]),
        ("OpGroupUMin %uchar %subgroup ExclusiveScan %b", &[0xff]),
        ("OpGroupSMin %uint %subgroup ExclusiveScan %x", &[0x7fff_ffff]),
        ("OpGroupSMax %uint %subgroup ExclusiveScan %x", &[0x8000_0000]),
        ("OpGroupSMin %ulong %subgroup ExclusiveScan %l", &[u32::MAX, 0x7fff_ffff]),
        ("OpGroupSMax %ulong %subgroup ExclusiveScan %l", &[0, 0x8000_0000]),
        ("OpGroupIMulKHR %ulong %subgroup ExclusiveScan %l", &[1, 0]),
        ("OpGroupFAdd %half %subgroup ExclusiveScan %h", &[0]),
        ("OpGroupFMulKHR %half %subgroup ExclusiveScan %h", &[0x3c00]),
        ("OpGroupFMin %half %subgroup ExclusiveScan %h", &[0x7c00]),
        ("OpGroupFMax %half %subgroup ExclusiveScan %h", &[0xfc00]),
    ] {
        let after = made(&kernel(declarations, &format!("%r = {operation}")), &OF_ONE);
        let [copy] = of(&after, Op::CopyObject).try_into().unwrap();
        let constant = of(&after, Op::Constant).into_iter().find(|words| words[1] == copy[2]).unwrap();
        assert_eq!(constant[2..], *words, "{operation}");
    }
}

#[test]
fn an_exclusive_scan_of_a_vector_is_a_vector_of_identities() {
    let code = "%least = OpGroupUMin %v4uint %subgroup ExclusiveScan %vector";
    let declarations = "OpCapability Groups\n%vector = OpConstantComposite %v4uint %u_1 %u_3 %u_4 %u_7";
    let after = made(&kernel(declarations, code), &OF_ONE);
    let [copy] = of(&after, Op::CopyObject).try_into().unwrap();
    let vector = of(&after, Op::ConstantComposite).into_iter().find(|words| words[1] == copy[2]).unwrap();
    let part = of(&after, Op::Constant).into_iter().find(|words| words[1] == vector[2]).unwrap();
    assert_eq!((&vector[2..], part[2]), (&[part[1]; 4][..], u32::MAX));
}

/// Of four words, the first has the bit of the only work-item if the mask includes its own.
#[test]
fn a_mask_has_at_most_the_bit_of_the_only_work_item() {
    for (name, first) in [
        ("SubgroupEqMask", 1),
        ("SubgroupGeMask", 1),
        ("SubgroupLeMask", 1),
        ("SubgroupGtMask", 0),
        ("SubgroupLtMask", 0),
    ] {
        let declarations = format!(
            "OpCapability GroupNonUniformBallot
             %p_in_v4uint = OpTypePointer Input %v4uint
             %mask = OpVariable %p_in_v4uint Input
             OpDecorate %mask BuiltIn {name}"
        );
        let after = made(&kernel(&declarations, "%words = OpLoad %v4uint %mask"), &OF_ONE);
        let [mask] = of(&after, Op::ConstantComposite).try_into().unwrap();
        let constants = of(&after, Op::Constant);
        let value = |id: &u32| constants.iter().find(|words| words[1] == *id).map(|words| words[2]);
        let words: Vec<Option<u32>> = mask[2..].iter().map(value).collect();
        assert_eq!(words, [first, 0, 0, 0].map(Some), "{name}");
    }
}

#[test]
fn another_use_of_a_built_in_is_refused() {
    let declarations =
        "%lane = OpVariable %p_in_uint Input\nOpDecorate %lane BuiltIn SubgroupLocalInvocationId";
    let code = "%address = OpConvertPtrToU %ulong %lane";
    let error = legalize(&kernel(declarations, code), &OF_ONE).unwrap_err().to_string();
    assert!(
        error.starts_with("kernel k is refused: OpConvertPtrToU uses a built-in variable of sub-groups"),
        "{error}"
    );
}

/// A validator accepts it, and no compiler writes it.
#[test]
fn a_built_in_of_a_wrong_type_is_refused() {
    for (name, kind) in [
        ("SubgroupId", "v3ulong"),
        ("SubgroupSize", "float"),
        ("SubgroupEqMask", "v3ulong"),
        ("SubgroupLtMask", "uint"),
    ] {
        let declarations = format!(
            "OpCapability SubgroupDispatch
             OpCapability GroupNonUniformBallot
             %p_in = OpTypePointer Input %{kind}
             %wrong = OpVariable %p_in Input
             OpDecorate %wrong BuiltIn {name}"
        );
        let module = kernel(&declarations, &format!("%value = OpLoad %{kind} %wrong"));
        let error = legalize(&module, &OF_ONE).unwrap_err().to_string();
        let text = "kernel k is refused: it loads a built-in variable of sub-groups that has a wrong type";
        assert_eq!(error, text, "{name}");
    }
}

#[test]
fn a_literal_that_looks_like_a_built_in_is_no_use_of_it() {
    let declarations = "%debug = OpExtInstImport \"OpenCL.DebugInfo.100\"
                        %file = OpString \"file.cpp\"
                        %lane = OpVariable %p_in_uint Input
                        OpDecorate %lane BuiltIn SubgroupLocalInvocationId";
    let codes = [
        "OpLine %file 12345 12345",
        "%whole = OpCompositeConstruct %v4uint %x %x %x %x\n%part = OpCompositeExtract %uint %whole 12345",
        "%pairs = OpExtInst %v4uint %cl vloadn %l %in 12345",
        // The selector has 64 bits. The upper word is 12345.
        "OpSwitch %l %end 0 12345 %end\n%end = OpLabel",
        "%line = OpExtInst %void %debug 12345 12345",
    ];
    for code in codes {
        let module = kernel(declarations, code);
        let variables = of(&Module::parse(&module).unwrap(), Op::Variable);
        // All words of 12345 are literals. They become the id of the last variable.
        let lane = variables.last().unwrap()[1].to_le_bytes();
        let literal = 12345_u32.to_le_bytes();
        let words =
            module.chunks(4).map(|word| if *word == literal { lane } else { word.try_into().unwrap() });
        let module: Vec<u8> = words.flatten().collect();
        assert!(legalize(&module, &OF_ONE).is_ok(), "{code}");
    }
}

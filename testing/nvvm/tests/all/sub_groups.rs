//! Sub-groups of 8, 16 and 32 work-items: identifiers, shuffles, blocks, ballots, clusters, and branches.
//! `divergence.rs` tests divergence and reconvergence.

use sycl_pi_nvvm::Options;
use testing_nvvm::{bytes, elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};

use crate::groups::{WIDTHS, each, mixed, on_sizes, scanned, sized};

/// Runs an elementwise module on a column of one work-group.
fn run(module: &[u8], column: &[u32]) -> Vec<u32> {
    let gpu = HostGpu::new(&[module], &Options::default()).unwrap();
    let args = [Arg::Buffer(vec![0; column.len() * 4]), Arg::Buffer(bytes(column))];
    numbers(&gpu.run(Launch::group(column.len() as u64), &args).unwrap()[0])
}

/// The values of the built-in variables, with full and partial last sub-groups.
#[test]
#[ignore = "needs LLVM 14"]
fn identifiers_and_masks_count_in_the_sub_group() {
    for width in WIDTHS {
        let all = (1_u64 << width) - 1;
        let of = |name: &str, at: usize, items: usize| {
            let (lane, bit) = ((at % width) as u64, 1_u64 << (at % width));
            match name {
                "SubgroupSize" => (items - at / width * width).min(width) as u64,
                "SubgroupMaxSize" => width as u64,
                "NumSubgroups" => items.div_ceil(width) as u64,
                "SubgroupId" => (at / width) as u64,
                "SubgroupLocalInvocationId" => lane,
                "SubgroupEqMask" => bit,
                "SubgroupLtMask" => bit - 1,
                "SubgroupLeMask" => (bit - 1) | bit,
                "SubgroupGeMask" => all & !(bit - 1),
                _ => all & !((bit - 1) | bit),
            }
        };
        for name in [
            "SubgroupSize",
            "SubgroupMaxSize",
            "NumSubgroups",
            "SubgroupId",
            "SubgroupLocalInvocationId",
            "SubgroupEqMask",
            "SubgroupLtMask",
            "SubgroupLeMask",
            "SubgroupGeMask",
            "SubgroupGtMask",
        ] {
            // The first of the four words has all bits.
            let words = "
                %m = OpLoad %v4uint %what
                %m0 = OpCompositeExtract %uint %m 0
                %m1 = OpCompositeExtract %uint %m 1
                %m2 = OpCompositeExtract %uint %m 2
                %m3 = OpCompositeExtract %uint %m 3
                %m12 = OpBitwiseOr %uint %m1 %m2
                %m123 = OpBitwiseOr %uint %m12 %m3
                %r = OpBitwiseXor %uint %m0 %m123";
            let (ty, load) = match name.ends_with("Mask") {
                true => ("%v4uint", words),
                false => ("%uint", "%r = OpLoad %uint %what"),
            };
            let declarations = format!(
                "{}\n%p_what = OpTypePointer Input {ty}\n%what = OpVariable %p_what Input\nOpDecorate %what BuiltIn {name}",
                sized(width)
            );
            let module = elementwise(&declarations, &["%uint"], "%uint", load).unwrap();
            on_sizes(&module, mixed, |column| {
                (0..column.len()).map(|at| of(name, at, column.len()) as u32).collect()
            });
        }
    }
}

/// Sub-groups follow the linear local id, even if rows are shorter than a sub-group.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_in_three_dimensions_stand_in_line() {
    for width in WIDTHS {
        let declarations = format!(
            "{}\n%sg = OpVariable %p_in_uint Input\nOpDecorate %sg BuiltIn SubgroupId
             %linear = OpVariable %p_in_uint Input\nOpDecorate %linear BuiltIn LocalInvocationIndex",
            sized(width)
        );
        let code = "
            %own.lane = OpLoad %uint %lane
            %own.group = OpLoad %uint %sg
            %own = OpLoad %uint %linear
            %far = OpIMul %uint %own.group %u_100
            %both = OpIAdd %uint %far %own.lane
            %at = OpPtrAccessChain %p_uint %out %own
            OpStore %at %both";
        let module = kernel(&declarations, "%p_uint %out", code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let launch = Launch { groups: [1; 3], items: [5, 3, 3] };
        let out = numbers::<u32>(&gpu.run(launch, &[Arg::Buffer(vec![0; 180])]).unwrap()[0]);
        let expected = (0..45).map(|at| (at / width * 100 + at % width) as u32);
        assert_eq!(out, expected.collect::<Vec<_>>(), "{width}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn sub_groups_shuffle() {
    type From = fn(u32, u32) -> u32;
    let cases: [(&str, From); 14] = [
        ("OpSubgroupShuffleINTEL %uint %v0 %turned", |lane, width| width - 1 - lane),
        ("OpSubgroupShuffleXorINTEL %uint %v0 %u_7", |lane, _| lane ^ 7),
        ("OpGroupNonUniformShuffle %uint %subgroup %v0 %turned", |lane, width| width - 1 - lane),
        ("OpGroupNonUniformShuffleXor %uint %subgroup %v0 %u_4", |lane, _| lane ^ 4),
        ("OpGroupNonUniformShuffleUp %uint %subgroup %v0 %u_3", |lane, _| lane.wrapping_sub(3)),
        ("OpGroupNonUniformShuffleDown %uint %subgroup %v0 %u_2", |lane, _| lane + 2),
        ("OpGroupNonUniformBroadcast %uint %subgroup %v0 %u_7", |_, _| 7),
        ("OpGroupNonUniformBroadcastFirst %uint %subgroup %v0", |_, _| 0),
        ("OpGroupBroadcast %uint %subgroup %v0 %u_3", |_, _| 3),
        ("OpGroupNonUniformRotateKHR %uint %subgroup %v0 %u_3", |lane, width| (lane + 3) % width),
        ("OpGroupNonUniformRotateKHR %uint %subgroup %v0 %u_7 %u_4", |lane, _| lane / 4 * 4 + (lane + 7) % 4),
        ("OpGroupNonUniformQuadBroadcast %uint %subgroup %v0 %u_2", |lane, _| lane / 4 * 4 + 2),
        ("OpGroupNonUniformQuadSwap %uint %subgroup %v0 %u_0", |lane, _| lane ^ 1),
        ("OpGroupNonUniformQuadSwap %uint %subgroup %v0 %u_2", |lane, _| lane ^ 3),
    ];
    for width in WIDTHS {
        for (instruction, from) in cases {
            let declarations = format!("{}\n%last = OpConstant %uint {}", sized(width), width - 1);
            let code = format!(
                "%own.lane = OpLoad %uint %lane\n%turned = OpISub %uint %last %own.lane\n%r = {instruction}"
            );
            let module = elementwise(&declarations, &["%uint"], "%uint", &code).unwrap();
            let column = mixed(64);
            let expected = each(&column, width, |group, lane| {
                let taken = from(lane as u32, width as u32) as usize;
                // The own value, if there is no such lane.
                *group.get(taken).unwrap_or(&group[lane])
            });
            assert_eq!(run(&module, &column), expected, "{instruction} in sub-groups of {width}");
        }
    }
}

/// Up and down shuffle from two adjacent values, as if the second followed the first.
#[test]
#[ignore = "needs LLVM 14"]
fn intels_shuffles_go_along_two_values() {
    for width in WIDTHS {
        for (name, down) in [("Down", true), ("Up", false)] {
            let code = format!(
                "%other = OpIAdd %uint %v0 %u_100\n%r = OpSubgroupShuffle{name}INTEL %uint %v0 %other %u_3"
            );
            let module = elementwise(&sized(width), &["%uint"], "%uint", &code).unwrap();
            let column: Vec<u32> = (0..64).collect();
            let expected = each(&column, width, |group, lane| {
                let both: Vec<u32> =
                    group.iter().copied().chain(group.iter().map(|value| value + 100)).collect();
                if down { both[lane + 3] } else { both[lane + width - 3] }
            });
            assert_eq!(run(&module, &column), expected, "{name} in sub-groups of {width}");
        }
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn shuffles_carry_every_width() {
    for ty in ["%uchar", "%ushort", "%ulong", "%half", "%float", "%double"] {
        let (size, code) = (
            match ty {
                "%uchar" => 1,
                "%ushort" | "%half" => 2,
                "%float" => 4,
                _ => 8,
            },
            format!("%r = OpSubgroupShuffleXorINTEL {ty} %v0 %u_1"),
        );
        let module = elementwise("", &[ty], ty, &code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let column: Vec<u8> = (0..32 * size as u32).map(|at| (at * 7 + 1) as u8 & 0x3f).collect();
        let args = [Arg::Buffer(vec![0; column.len()]), Arg::Buffer(column.clone())];
        let out = gpu.run(Launch::group(32), &args).unwrap();
        let expected: Vec<u8> =
            column.chunks(size * 2).flat_map(|pair| [&pair[size..], &pair[..size]].concat()).collect();
        assert_eq!(out[0], expected, "{ty}");
    }
}

/// Each sub-group has a separate block of memory. The element of each lane is visible in what it writes alone.
#[test]
#[ignore = "needs LLVM 14"]
fn blocks_are_read_and_written_side_by_side() {
    for width in WIDTHS {
        let declarations = format!(
            "{}\n%sg = OpVariable %p_in_uint Input\nOpDecorate %sg BuiltIn SubgroupId\n%block.size = OpConstant %uint {}",
            sized(width),
            width * 4
        );
        let read = "
            %own.group = OpLoad %uint %sg
            %first = OpIMul %uint %own.group %block.size
            %from = OpPtrAccessChain %p_uint %in %first
            %block = OpSubgroupBlockReadINTEL %v4uint %from";
        let whole = format!(
            "{read}
            %twice = OpIAdd %v4uint %block %block
            %to = OpPtrAccessChain %p_uint %out %first
            OpSubgroupBlockWriteINTEL %to %twice"
        );
        let part = format!(
            "{read}
            %second = OpCompositeExtract %uint %block 1
            %at = OpPtrAccessChain %p_uint %out %l
            OpStore %at %second"
        );
        let column: Vec<u32> = (0..256).collect();
        let out = |code: &str, items: usize| {
            let module = kernel(&declarations, "%p_uint %out, %p_uint %in", code).unwrap();
            let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
            let args = [Arg::Buffer(vec![0; items * 4]), Arg::Buffer(bytes(&column))];
            numbers::<u32>(&gpu.run(Launch::group(64), &args).unwrap()[0])
        };
        assert_eq!(out(&whole, 256), column.iter().map(|value| value * 2).collect::<Vec<_>>());
        let expected = (0..64).map(|at| (at / width * width * 4 + width + at % width) as u32);
        assert_eq!(out(&part, 64), expected.collect::<Vec<_>>(), "{width}");
    }
}

/// Only active work-items of the same sub-group take part.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_in_a_branch_ask_and_reduce_among_themselves() {
    let code = "
        %own.lane = OpLoad %uint %lane
        %low = OpULessThan %bool %own.lane %u_3
        OpSelectionMerge %end None
        OpBranchConditional %low %few %many
        %few = OpLabel
        %few.sum = OpGroupNonUniformIAdd %uint %subgroup InclusiveScan %v0
        OpBranch %end
        %many = OpLabel
        %odd = OpBitwiseAnd %uint %x %u_1
        %is.odd = OpIEqual %bool %odd %u_1
        %ballot = OpGroupNonUniformBallot %v4uint %subgroup %is.odd
        %bits = OpCompositeExtract %uint %ballot 0
        %elected = OpGroupNonUniformElect %bool %subgroup
        %flag = OpSelect %uint %elected %u_1 %u_0
        %many.sum = OpIAdd %uint %bits %flag
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %few.sum %few %many.sum %many";
    for width in WIDTHS {
        let module = elementwise(&sized(width), &["%uint"], "%uint", code).unwrap();
        on_sizes(&module, mixed, |column| {
            each(column, width, |group, lane| match lane {
                0..3 => group[..=lane].iter().fold(0, |sum: u32, value| sum.wrapping_add(*value)),
                _ => {
                    let there = ((1_u64 << group.len()) - 1) as u32;
                    0xaaaa_aaaa & !7 & there | u32::from(lane == 3)
                }
            })
        });
    }
}

/// Half of the sub-groups of each warp take another branch, and only meet each other there: in a barrier, a scan, a
/// shuffle, a vote and a loop of another length.
#[test]
#[ignore = "needs LLVM 14"]
fn sub_groups_of_a_warp_stand_in_different_branches() {
    let code = "
        %own.group = OpLoad %uint %sg
        %parity = OpBitwiseAnd %uint %own.group %u_1
        %odd = OpIEqual %bool %parity %u_1
        OpSelectionMerge %end None
        OpBranchConditional %odd %there %here
        %there = OpLabel
        %scanned = OpGroupIAdd %uint %subgroup InclusiveScan %v0
        OpControlBarrier %subgroup %subgroup %acq_rel
        %first = OpSubgroupShuffleINTEL %uint %scanned %u_0
        %there.sum = OpIAdd %uint %scanned %first
        OpBranch %end
        %here = OpLabel
        OpBranch %loop
        %loop = OpLabel
        %i = OpPhi %uint %u_0 %here %next %loop
        %value = OpPhi %uint %v0 %here %turned %loop
        %most = OpGroupUMax %uint %subgroup Reduce %value
        %turned = OpISub %uint %most %value
        %next = OpIAdd %uint %i %u_1
        %more = OpULessThan %bool %i %own.group
        OpLoopMerge %after %loop None
        OpBranchConditional %more %loop %after
        %after = OpLabel
        %big = OpUGreaterThan %bool %turned %u_100
        %any = OpGroupAny %bool %subgroup %big
        %all = OpGroupAll %bool %subgroup %big
        %any.bit = OpSelect %uint %any %u_1 %u_0
        %all.bit = OpSelect %uint %all %u_2 %u_0
        %bits = OpBitwiseOr %uint %any.bit %all.bit
        %here.sum = OpIAdd %uint %turned %bits
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %there.sum %there %here.sum %after";
    for width in WIDTHS {
        let declarations =
            sized(width) + "\n%sg = OpVariable %p_in_uint Input\nOpDecorate %sg BuiltIn SubgroupId";
        let module = elementwise(&declarations, &["%uint"], "%uint", code).unwrap();
        let small = |size: u64| mixed(size).iter().map(|value| value % 1000).collect();
        on_sizes(&module, small, |column| {
            let of = |(number, group): (usize, &[u32])| {
                if number % 2 == 1 {
                    let sums = scanned(group, width, "InclusiveScan", 0, u32::wrapping_add);
                    return sums.iter().map(|sum| sum + sums[0]).collect::<Vec<u32>>();
                }
                let mut values = group.to_vec();
                for _ in 0..=number {
                    let most = *values.iter().max().unwrap();
                    values.iter_mut().for_each(|value| *value = most - *value);
                }
                let big = |value: &u32| *value > 100;
                let bits = u32::from(values.iter().any(big)) | u32::from(values.iter().all(big)) << 1;
                values.iter().map(|value| value + bits).collect()
            };
            column.chunks(width).enumerate().flat_map(of).collect()
        });
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn ballots_are_asked_for_bits() {
    let questions = [
        "%b = OpGroupNonUniformInverseBallot %bool %subgroup %v0.v\n%r = OpSelect %uint %b %u_1 %u_0",
        "%b = OpGroupNonUniformBallotBitExtract %bool %subgroup %v0.v %u_7\n%r = OpSelect %uint %b %u_1 %u_0",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup Reduce %v0.v",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup InclusiveScan %v0.v",
        "%r = OpGroupNonUniformBallotBitCount %uint %subgroup ExclusiveScan %v0.v",
        "%r = OpGroupNonUniformBallotFindLSB %uint %subgroup %v0.v",
        "%r = OpGroupNonUniformBallotFindMSB %uint %subgroup %v0.v",
    ];
    for (width, (number, question)) in
        WIDTHS.into_iter().flat_map(|width| questions.iter().enumerate().map(move |one| (width, one)))
    {
        let code = format!("%v0.v = OpCompositeConstruct %v4uint %v0 %u_0 %u_0 %u_0\n{question}");
        let module = elementwise(&sized(width), &["%uint"], "%uint", &code).unwrap();
        let column: Vec<u32> = mixed(32).iter().map(|value| value | 0x80).collect();
        let expected = each(&column, width, |group, lane| {
            // Bits of lanes that no sub-group has are ignored.
            let bits: Vec<usize> = (0..width).filter(|bit| group[lane] >> bit & 1 == 1).collect();
            let below = bits.iter().filter(|bit| **bit < lane).count();
            let answer = match number {
                0 => usize::from(bits.contains(&lane)),
                1 => usize::from(bits.contains(&7)),
                2 => bits.len(),
                3 => below + usize::from(bits.contains(&lane)),
                4 => below,
                5 => bits[0],
                _ => bits[bits.len() - 1],
            };
            answer as u32
        });
        assert_eq!(run(&module, &column), expected, "{question} in sub-groups of {width}");
    }
}

#[test]
#[ignore = "needs LLVM 14"]
fn clusters_reduce_and_equal_values_are_seen() {
    let clusters =
        |size: usize| format!("%r = OpGroupNonUniformIAdd %uint %subgroup ClusteredReduce %v0 %u_{size}");
    for width in WIDTHS {
        for size in [1, 2, 4, 8] {
            let declarations = sized(width) + "\n%u_8 = OpConstant %uint 8";
            let module = elementwise(&declarations, &["%uint"], "%uint", &clusters(size)).unwrap();
            on_sizes(&module, mixed, |column| scanned(column, size, "Reduce", 0, u32::wrapping_add));
        }
        let code = "%e = OpGroupNonUniformAllEqual %bool %subgroup %v0\n%r = OpSelect %uint %e %u_1 %u_0";
        let module = elementwise(&sized(width), &["%uint"], "%uint", code).unwrap();
        let column = |size: u64| (0..size as u32).map(|at| u32::from(at == 13)).collect();
        on_sizes(&module, column, |column| {
            each(column, width, |group, _| u32::from(group.iter().all(|value| *value == group[0])))
        });
        // Zeros of both signs are equal as numbers.
        let zeros = format!("%f = OpBitcast %float %v0\n{}", code.replace("%v0", "%f"));
        let module = elementwise(&sized(width), &["%uint"], "%uint", &zeros).unwrap();
        let column = |size: u64| (0..size as u32).map(|at| u32::from(at == 13) << 31).collect();
        on_sizes(&module, column, |column| vec![1; column.len()]);
    }
}

/// Two kernels call one function. In each it uses the kernel's own sub-groups.
#[test]
#[ignore = "needs LLVM 14"]
fn a_function_works_on_the_sub_groups_of_the_kernel_that_calls_it() {
    for (own, other) in [(8, 32), (32, 16), (16, 8)] {
        let declarations = format!(
            "{}
            OpEntryPoint Kernel %other \"other\"
            OpExecutionMode %other SubgroupSizeMode {other}
            %add.type = OpTypeFunction %uint %uint
            %other.type = OpTypeFunction %void %p_uint",
            sized(own)
        );
        let code = "
            %sum = OpFunctionCall %uint %add %x
            %at = OpPtrAccessChain %p_uint %out %l
            OpStore %at %sum
            OpReturn
            OpFunctionEnd
            %other = OpFunction %void None %other.type
            %to = OpFunctionParameter %p_uint
            %other.entry = OpLabel
            %unused = OpFunctionCall %uint %add %u_1
            OpReturn
            OpFunctionEnd
            %add = OpFunction %uint None %add.type
            %of = OpFunctionParameter %uint
            %add.entry = OpLabel
            %all = OpGroupIAdd %uint %subgroup Reduce %of
            OpReturnValue %all
            OpFunctionEnd";
        let module = kernel(&declarations, "%p_uint %out", code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let sizes: Vec<(u32, Option<u32>)> = gpu
            .translation
            .kernels
            .iter()
            .map(|kernel| (kernel.sub_group_size, kernel.required_sub_group_size))
            .collect();
        assert_eq!(sizes, [own as u32, other].map(|size| (size, Some(size))));
        let out = numbers::<u32>(&gpu.run(Launch::group(64), &[Arg::Buffer(vec![0; 256])]).unwrap()[0]);
        let column: Vec<u32> = (0..64).collect();
        assert_eq!(out, scanned(&column, own, "Reduce", 0, u32::wrapping_add), "{own} beside {other}");
    }
}

/// A pointer does not determine the sub-groups of the caller. Such functions work for one size, and refuse callers
/// with another.
#[test]
#[ignore = "needs LLVM 14"]
fn a_function_that_is_called_by_address_works_on_the_sub_groups_of_its_callers() {
    let declarations = "
        OpExecutionMode %k SubgroupSizeMode 8
        OpEntryPoint Kernel %other \"other\"
        OpExecutionMode %other SubgroupSizeMode 16
        OpEntryPoint Kernel %third \"third\"
        OpExecutionMode %third SubgroupSizeMode 16
        %add.type = OpTypeFunction %uint %uint
        %p_add = OpTypePointer 5605 %add.type
        %pointer = OpConstantFunctionPointerINTEL %p_add %add
        %plain = OpTypeFunction %void";
    let code = "
        %sum = OpFunctionPointerCallINTEL %uint %pointer %x
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %sum
        OpReturn
        OpFunctionEnd
        %other = OpFunction %void None %plain
        %other.entry = OpLabel
        %unused = OpFunctionPointerCallINTEL %uint %pointer %u_1
        OpReturn
        OpFunctionEnd
        %third = OpFunction %void None %plain
        %third.entry = OpLabel
        OpReturn
        OpFunctionEnd
        %add = OpFunction %uint None %add.type
        %of = OpFunctionParameter %uint
        %add.entry = OpLabel
        %all = OpGroupIAdd %uint %subgroup Reduce %of
        OpReturnValue %all
        OpFunctionEnd";
    let module = kernel(declarations, "%p_uint %out", code).unwrap();
    let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
    let out = numbers::<u32>(&gpu.run(Launch::group(64), &[Arg::Buffer(vec![0; 256])]).unwrap()[0]);
    let column: Vec<u32> = (0..64).collect();
    assert_eq!(out, scanned(&column, 8, "Reduce", 0, u32::wrapping_add));
    let [_, other, third] = &gpu.translation.kernels[..] else { panic!("three kernels") };
    let reason = other.refused.as_ref().unwrap();
    assert!(reason.starts_with("kernel other calls functions by address with sub-groups of 16"), "{reason}");
    assert_eq!(third.refused, None);
}

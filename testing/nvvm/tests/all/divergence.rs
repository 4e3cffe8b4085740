//! Group operations where work-items of a sub-group part, and meet again.

use sycl_pi_nvvm::Options;
use testing_nvvm::{elementwise, kernel, numbers};

use crate::gpu::{Arg, HostGpu, Launch};
use crate::groups::{WIDTHS, each, mixed, on_sizes, scanned, sized};

/// A sum of the whole sub-group, and one of those that are there.
const OPERATIONS: [&str; 2] = ["OpGroupIAdd", "OpGroupNonUniformIAdd"];

/// The first, the third and so on of the work-items end the kernel.
const EVERY_SECOND_ENDS: &str = "
        %odd.bit = OpBitwiseAnd %uint %x %u_1
        %stays = OpIEqual %bool %odd.bit %u_1
        OpSelectionMerge %go.on None
        OpBranchConditional %stays %go.on %ends
        %ends = OpLabel
        OpReturn
        %go.on = OpLabel";

/// The GPU is never asked who runs together: on a real one, those that ran ahead would be missing.
fn asks_no_gpu_who_is_there(module: &[u8]) -> bool {
    let translation = sycl_pi_nvvm::translate(&[module], &Options::default()).unwrap();
    !translation.ir.contains("activemask")
}

/// How many work-items go round a loop so many times, where each goes as often as its number's last two bits say.
fn still_there(group: &[u32], round: u32) -> u32 {
    group.iter().filter(|value| **value & 3 > round).count() as u32
}

/// As on Intel's GPUs, on whose behaviour oneDAL's sort relies: those that have ended neither count nor keep others waiting.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_have_ended_take_no_part() {
    let code = "
        %all = OpGroupAll %bool %subgroup %stays
        %one = OpSelect %uint %all %u_1 %u_0
        %chosen = OpGroupNonUniformElect %bool %subgroup
        %two = OpSelect %uint %chosen %u_2 %u_0
        %first = OpGroupNonUniformBroadcastFirst %uint %subgroup %v0
        %sum = OPERATION %uint %subgroup PART %v0
        %with.one = OpIAdd %uint %sum %one
        %with.two = OpIAdd %uint %with.one %two
        %r = OpIAdd %uint %with.two %first";
    for (width, operation) in WIDTHS.into_iter().flat_map(|width| OPERATIONS.map(|name| (width, name))) {
        for part in ["Reduce", "InclusiveScan", "ExclusiveScan"] {
            let code =
                EVERY_SECOND_ENDS.to_owned() + &code.replace("PART", part).replace("OPERATION", operation);
            let module = elementwise(&sized(width), &["%uint"], "%uint", &code).unwrap();
            on_sizes(&module, mixed, |column| {
                let stay: Vec<u32> = column.iter().copied().skip(1).step_by(2).collect();
                let sums = scanned(&stay, width / 2, part, 0, u32::wrapping_add);
                let at = |item: usize| match (item / 2, item / 2 % (width / 2)) {
                    _ if item.is_multiple_of(2) => 0,
                    (at, 0) => sums[at].wrapping_add(3).wrapping_add(stay[at]),
                    (at, lane) => sums[at].wrapping_add(1).wrapping_add(stay[at - lane]),
                };
                (0..column.len()).map(at).collect()
            });
        }
    }
}

/// Those that have ended are not counted among those that go either way of a branch.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_have_ended_go_no_way() {
    let code = "
        %own.lane = OpLoad %uint %lane
        %low = OpULessThan %bool %own.lane %u_3
        OpSelectionMerge %end None
        OpBranchConditional %low %end %high
        %high = OpLabel
        %first = OpGroupNonUniformBroadcastFirst %uint %subgroup %v0
        %sum = OpGroupIAdd %uint %subgroup Reduce %v0
        %both = OpIAdd %uint %first %sum
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %u_1 %go.on %both %high";
    let code = &(EVERY_SECOND_ENDS.to_owned() + code);
    for width in WIDTHS {
        let module = elementwise(&sized(width), &["%uint"], "%uint", code).unwrap();
        on_sizes(&module, mixed, |column| {
            each(column, width, |group, lane| match lane {
                1 => 1,
                _ if lane.is_multiple_of(2) => 0,
                _ => group.iter().skip(3).step_by(2).fold(group[3], |sum, value| sum.wrapping_add(*value)),
            })
        });
    }
}

/// Who returns early from a function goes on in its caller, and is not waited for.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_have_returned_from_a_function_are_not_waited_for() {
    let code = "
        %sum = OpFunctionCall %uint %add %x
        %again = OpGroupIAdd %uint %subgroup Reduce %sum
        %at = OpPtrAccessChain %p_uint %out %l
        OpStore %at %again
        OpReturn
        OpFunctionEnd
        %add = OpFunction %uint None %add.type
        %of = OpFunctionParameter %uint
        %add.entry = OpLabel
        %own.lane = OpLoad %uint %lane
        %few = OpULessThan %bool %own.lane %u_3
        OpSelectionMerge %more None
        OpBranchConditional %few %done %more
        %done = OpLabel
        OpReturnValue %of
        %more = OpLabel
        %all = OpGroupIAdd %uint %subgroup Reduce %of
        OpReturnValue %all
        OpFunctionEnd";
    for width in WIDTHS {
        let declarations = format!("{}\n%add.type = OpTypeFunction %uint %uint", sized(width));
        let module = kernel(&declarations, "%p_uint %out", code).unwrap();
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let out = numbers::<u32>(&gpu.run(Launch::group(64), &[Arg::Buffer(vec![0; 256])]).unwrap()[0]);
        let column: Vec<u32> = (0..64).collect();
        let sum = |group: &[u32]| {
            let (few, rest) = group.split_at(3);
            few.iter().sum::<u32>() + rest.iter().sum::<u32>() * rest.len() as u32
        };
        assert_eq!(out, each(&column, width, |group, _| sum(group)), "{width}");
    }
}

/// As oneDAL finds the greatest number: a few work-items of a sub-group reduce, the others wait for the work-group.
#[test]
#[ignore = "needs LLVM 14"]
fn some_work_items_reduce_while_others_wait_for_the_work_group() {
    let code = "
        %own.lane = OpLoad %uint %lane
        %few = OpULessThan %bool %own.lane %u_3
        OpSelectionMerge %end None
        OpBranchConditional %few %work %end
        %work = OpLabel
        %sum = OpGroupIAdd %uint %subgroup Reduce %v0
        %first = OpGroupBroadcast %uint %subgroup %v0 %u_0
        %both = OpIAdd %uint %sum %first
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %u_0 %entry %both %work
        OpControlBarrier %u_2 %u_2 %u_272";
    for width in WIDTHS {
        let module = elementwise(&sized(width), &["%uint"], "%uint", code).unwrap();
        on_sizes(&module, mixed, |column| {
            each(column, width, |group, lane| match lane {
                0..3 => group.iter().take(3).fold(group[0], |sum, value| sum.wrapping_add(*value)),
                _ => 0,
            })
        });
    }
}

/// As oneDAL sorts: a work-item goes round a loop as often as its number says, and reduces there.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_leave_a_loop_one_after_the_other() {
    let code = "
        %rounds = OpBitwiseAnd %uint %v0 %u_3
        OpBranch %head
        %head = OpLabel
        %at = OpPhi %uint %u_0 %entry %at.next %body
        %sum = OpPhi %uint %u_0 %entry %sum.next %body
        %more = OpULessThan %bool %at %rounds
        OpLoopMerge %end %body None
        OpBranchConditional %more %body %end
        %body = OpLabel
        %together = OpGroupIAdd %uint %subgroup Reduce %u_1
        %sum.next = OpIAdd %uint %sum %together
        %at.next = OpIAdd %uint %at %u_1
        OpBranch %head
        %end = OpLabel
        OpControlBarrier %u_2 %u_2 %u_272
        %r = OpCopyObject %uint %sum";
    for width in WIDTHS {
        let module = elementwise(&sized(width), &["%uint"], "%uint", code).unwrap();
        assert!(asks_no_gpu_who_is_there(&module), "{width}");
        on_sizes(&module, mixed, |column| {
            each(column, width, |group, lane| {
                (0..group[lane] & 3).map(|round| still_there(group, round)).sum()
            })
        });
    }
}

/// As oneDAL sorts rows into the nodes of trees: work-items leave an inner loop one after the other, meet behind it, and go round again.
/// The number of rounds is the same for all, which the translator cannot see.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_leave_an_inner_loop_wait_for_the_others() {
    let code = "
        %own.lane = OpLoad %uint %lane
        %zero = OpBitwiseAnd %uint %own.lane %u_0
        %all.rounds = OpIAdd %uint %zero %u_3
        %bits = OpBitwiseAnd %uint %v0 %u_3
        OpBranch %head
        %head = OpLabel
        %round = OpPhi %uint %u_0 %entry %round.next %meet
        %total = OpPhi %uint %u_0 %entry %total.next %meet
        %again = OpULessThan %bool %round %all.rounds
        OpLoopMerge %end %meet None
        OpBranchConditional %again %inner %end
        %inner = OpLabel
        %at = OpPhi %uint %u_0 %head %at.next %body
        %sum = OpPhi %uint %total %head %sum.next %body
        %more = OpULessThan %bool %at %bits
        OpLoopMerge %meet %body None
        OpBranchConditional %more %body %meet
        %body = OpLabel
        %together = OpGroupIAdd %uint %subgroup Reduce %u_1
        %sum.next = OpIAdd %uint %sum %together
        %at.next = OpIAdd %uint %at %u_1
        OpBranch %inner
        %meet = OpLabel
        %first = OpGroupBroadcast %uint %subgroup %sum %u_0
        %total.next = OpIAdd %uint %sum %first
        %round.next = OpIAdd %uint %round %u_1
        OpBranch %head
        %end = OpLabel
        %r = OpCopyObject %uint %total";
    for width in WIDTHS {
        let module = elementwise(&sized(width), &["%uint"], "%uint", code).unwrap();
        assert!(asks_no_gpu_who_is_there(&module), "{width}");
        on_sizes(&module, mixed, |column| {
            each(column, width, |group, lane| {
                let inner =
                    |lane: usize| (0..group[lane] & 3).map(|round| still_there(group, round)).sum::<u32>();
                let (mut own, mut first) = (0, 0);
                for _ in 0..3 {
                    (own, first) = (own + inner(lane), first + inner(0));
                    (own, first) = (own + first, first + first);
                }
                own
            })
        });
    }
}

/// Work-items that have left a loop one after the other call a function. Its sum is of all that call it, and of no others.
#[test]
#[ignore = "needs LLVM 14"]
fn a_function_sums_over_those_that_it_is_called_for() {
    let code = "
        %own.lane = OpLoad %uint %lane
        %some = OpULessThan %bool %u_2 %own.lane
        %rounds = OpBitwiseAnd %uint %x %u_3
        OpSelectionMerge %end None
        OpBranchConditional %some %head %end
        %head = OpLabel
        %at = OpPhi %uint %u_0 %entry %at.next %body
        %more = OpULessThan %bool %at %rounds
        OpLoopMerge %work %body None
        OpBranchConditional %more %body %work
        %body = OpLabel
        %at.next = OpIAdd %uint %at %u_1
        OpBranch %head
        %work = OpLabel
        %sum = OpFunctionCall %uint %add %x
        OpBranch %end
        %end = OpLabel
        %both = OpPhi %uint %u_0 %entry %sum %work
        %own = OpPtrAccessChain %p_uint %out %l
        OpStore %own %both
        OpReturn
        OpFunctionEnd
        %add = OpFunction %uint None %add.type
        %of = OpFunctionParameter %uint
        %add.entry = OpLabel
        %once = OpGroupIAdd %uint %subgroup Reduce %of
        %twice = OpGroupIAdd %uint %subgroup Reduce %once
        OpReturnValue %twice
        OpFunctionEnd";
    for width in WIDTHS {
        let declarations = format!("{}\n%add.type = OpTypeFunction %uint %uint", sized(width));
        let module = kernel(&declarations, "%p_uint %out", code).unwrap();
        assert!(asks_no_gpu_who_is_there(&module), "{width}");
        let gpu = HostGpu::new(&[&module], &Options::default()).unwrap();
        let out = numbers::<u32>(&gpu.run(Launch::group(64), &[Arg::Buffer(vec![0; 256])]).unwrap()[0]);
        let column: Vec<u32> = (0..64).collect();
        let sums = each(&column, width, |group, lane| match lane {
            0..3 => 0,
            _ => group.iter().skip(3).sum::<u32>() * (group.len() - 3) as u32,
        });
        assert_eq!(out, sums, "{width}");
    }
}

/// As assertions are compiled: a way that no work-item ever takes keeps nobody from meeting behind it.
#[test]
#[ignore = "needs LLVM 14"]
fn work_items_meet_behind_ways_that_nobody_takes() {
    let code = "
        %own.lane = OpLoad %uint %lane
        %some = OpULessThan %bool %u_2 %own.lane
        %odd.bit = OpBitwiseAnd %uint %own.lane %u_1
        %odd = OpIEqual %bool %odd.bit %u_1
        %never = OpULessThan %bool %v0 %u_0
        OpSelectionMerge %end None
        OpBranchConditional %some %work %end
        %work = OpLabel
        OpBranchConditional %odd %one %other
        %one = OpLabel
        OpBranchConditional %never %fails %meet
        %other = OpLabel
        OpBranchConditional %never %fails %meet
        %fails = OpLabel
        OpUnreachable
        %meet = OpLabel
        %sum = OpGroupIAdd %uint %subgroup Reduce %v0
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %u_0 %entry %sum %meet";
    for width in WIDTHS {
        let module = elementwise(&sized(width), &["%uint"], "%uint", code).unwrap();
        assert!(asks_no_gpu_who_is_there(&module), "{width}");
        on_sizes(&module, mixed, |column| {
            each(column, width, |group, lane| match lane {
                0..3 => 0,
                _ => group.iter().skip(3).fold(0, |sum, value| sum.wrapping_add(*value)),
            })
        });
    }
}

/// Only where work-items may have parted does a group operation ask who is there.
#[test]
fn group_operations_wait_for_all_where_all_come() {
    let asks_by = |operation: &str, condition: &str, inside: bool| {
        let sum = format!("%sum = {operation} %uint %subgroup Reduce %v0");
        let code = format!(
            "%own.lane = OpLoad %uint %lane
             %own.group = OpLoad %uint %sg
             {condition}
             OpSelectionMerge %end None
             OpBranchConditional %chosen %work %end
             %work = OpLabel
             {}
             OpBranch %end
             %end = OpLabel
             {}
             %r = OpCopyObject %uint %v0",
            if inside { &sum } else { "" },
            if inside { "" } else { &sum },
        );
        let declarations = "%sg = OpVariable %p_in_uint Input\nOpDecorate %sg BuiltIn SubgroupId";
        let module = elementwise(declarations, &["%uint"], "%uint", &code).unwrap();
        assert!(asks_no_gpu_who_is_there(&module), "{operation}: {condition}");
        let translation = sycl_pi_nvvm::translate(&[&module], &Options::default()).unwrap();
        translation.ir.contains("load i32, i32* %m")
    };
    let asks = |condition, inside| {
        let [all, there] = OPERATIONS.map(|name| asks_by(name, condition, inside));
        assert_eq!(all, there, "{condition}");
        all
    };
    let (by_lane, by_group) =
        ("%chosen = OpULessThan %bool %own.lane %u_3", "%chosen = OpULessThan %bool %own.group %u_3");
    let by_vote = "%some = OpULessThan %bool %own.lane %u_3\n%chosen = OpGroupAny %bool %subgroup %some";
    assert!(asks(by_lane, true), "in a branch that a few work-items take");
    assert!(!asks(by_lane, false), "behind it");
    assert!(!asks(by_group, true), "in a branch by the sub-group's number");
    assert!(!asks(by_vote, true), "in a branch by a vote");
}

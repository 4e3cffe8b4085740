//! Group operations while work-items of a sub-group diverge, and reconvergence.

use sycl_pi_nvvm::Options;
use testing_nvvm::elementwise;
use testing_nvvm::parted::{self, Parted};

use crate::groups::{WIDTHS, each, mixed, on_sizes, scanned, sized};

/// A sum of the whole sub-group, and one of the active work-items.
const OPERATIONS: [&str; 2] = ["OpGroupIAdd", "OpGroupNonUniformIAdd"];

/// The first, third and so on of the work-items end the kernel.
const EVERY_SECOND_ENDS: &str = "
        %odd.bit = OpBitwiseAnd %uint %x %u_1
        %stays = OpIEqual %bool %odd.bit %u_1
        OpSelectionMerge %go.on None
        OpBranchConditional %stays %go.on %ends
        %ends = OpLabel
        OpReturn
        %go.on = OpLabel";

/// The GPU is never asked for the active work-items, because on a real one those that ran ahead would be missing.
fn asks_no_gpu_who_is_there(module: &[u8]) -> bool {
    let translation = sycl_pi_nvvm::translate(&[module], &Options::default()).unwrap();
    !translation.ir.contains("activemask")
}

/// Runs a kernel for each size of sub-groups and work-groups.
fn check(parted: &Parted) {
    for width in WIDTHS {
        let module = parted.module(width).unwrap();
        assert!(asks_no_gpu_who_is_there(&module), "{width}");
        on_sizes(&module, mixed, |column| parted.expected(column, width));
    }
}

/// As on Intel's GPUs, on whose behaviour oneDAL's sorting relies: work-items that have ended neither count nor
/// block others.
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

/// Work-items that have ended are not counted on either side of a branch.
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

#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_have_returned_from_a_function_are_not_waited_for() {
    check(&parted::RETURN_EARLY);
}

#[test]
#[ignore = "needs LLVM 14"]
fn some_work_items_reduce_while_others_wait_for_the_work_group() {
    check(&parted::A_FEW_REDUCE);
}

#[test]
#[ignore = "needs LLVM 14"]
fn work_items_leave_a_loop_one_after_the_other() {
    check(&parted::LEAVE_A_LOOP);
}

#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_leave_an_inner_loop_wait_for_the_others() {
    check(&parted::LEAVE_AN_INNER_LOOP);
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_function_sums_over_those_that_it_is_called_for() {
    check(&parted::CALL_A_FUNCTION);
}

#[test]
#[ignore = "needs LLVM 14"]
fn work_items_meet_behind_ways_that_nobody_takes() {
    check(&parted::NOBODY_TAKES_A_WAY);
}

#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_come_on_several_ways_meet() {
    check(&parted::COME_ON_SEVERAL_WAYS);
}

#[test]
#[ignore = "needs LLVM 14"]
fn work_items_that_go_round_on_several_ways_meet() {
    check(&parted::GO_ROUND_ON_SEVERAL_WAYS);
}

/// A group operation only determines the active work-items if work-items may have diverged.
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

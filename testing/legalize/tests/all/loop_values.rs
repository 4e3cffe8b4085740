//! Values that loops compute and code behind them uses.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of};

const NEEDS: Needs = Needs { no_hints: true, varying_loop_values: true, whole_interfaces: true, ..NONE };

/// A loop that computes a truth value, a sum, a vector and a pointer, and this code behind it.
fn behind(code: &str) -> Vec<u8> {
    let code = format!(
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry %i_next %last
         %is_end = OpIEqual %bool %i %x
         OpBranchConditional %is_end %done %last
         %last = OpLabel
         %i_next = OpIAdd %uint %i %u_1
         %pair = OpCompositeConstruct %v2uint %i %i_next
         %at = OpInBoundsPtrAccessChain %p_uint %in %l
         %is_late = OpUGreaterThan %bool %i %y
         OpBranchConditional %is_late %done %head
         %done = OpLabel
         {code}"
    );
    kernel("%v2uint = OpTypeVector %uint 2", &code)
}

/// Returns the types of the values that are chosen, and checks that each is used.
fn chosen(module: &Module) -> Vec<Op> {
    let all: Vec<Vec<u32>> = module.instructions().map(|line| line.operands.to_vec()).collect();
    let types: Vec<_> = module
        .instructions()
        .filter(|line| (Op::TypeVoid..=Op::TypePointer).contains(&line.opcode))
        .map(|line| (line.operand(0), line.opcode))
        .collect();
    let kind = |id: u32| types.iter().find(|(kind, _)| *kind == id).unwrap().1;
    let selects = of(module, Op::Select);
    for select in &selects {
        assert!(all.iter().filter(|words| words.contains(&select[1])).count() > 1);
    }
    selects.iter().map(|words| kind(words[0])).collect()
}

fn stays(module: &[u8]) {
    let needs = Needs { varying_loop_values: true, ..NONE };
    assert!(matches!(legalize(module, &needs).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn a_value_that_is_used_behind_its_loop_is_chosen_for_each_work_item() {
    let store = "%more = OpSelect %uint %is_end %u_7 %u_3\nOpStore %out %more Aligned 4";
    let after = made(&behind(store), &NEEDS);
    // The last one is the kernel's own.
    assert_eq!(chosen(&after), [Op::TypeBool, Op::TypeInt]);
    let [own, theirs]: [Vec<u32>; 2] = of(&after, Op::Select).try_into().unwrap();
    assert_eq!((theirs[2], own[4]), (own[1], of(&after, Op::IEqual)[1][1]));
}

/// The branch out of the loop does not pass through its last block, so these are defined only after one round.
#[test]
fn a_value_of_an_inner_loop_is_used_in_the_outer_one() {
    let code = "OpBranch %outer
                %outer = OpLabel
                %j = OpPhi %uint %u_0 %entry %j_next %after
                OpBranch %head
                %head = OpLabel
                %i = OpPhi %uint %u_0 %outer %i_next %head
                %i_next = OpIAdd %uint %i %u_1
                %pair = OpCompositeConstruct %v2uint %i %i_next
                %at = OpInBoundsPtrAccessChain %p_uint %in %l
                %is_late = OpUGreaterThan %bool %i %y
                OpBranchConditional %is_late %after %head
                %after = OpLabel
                %part = OpCompositeExtract %uint %pair 1
                OpStore %at %part Aligned 4
                %j_next = OpIAdd %uint %j %u_1
                %is_end = OpIEqual %bool %j_next %x
                OpBranchConditional %is_end %done %outer
                %done = OpLabel";
    let after = made(&kernel("%v2uint = OpTypeVector %uint 2", code), &NEEDS);
    assert_eq!(chosen(&after), [Op::TypeVector, Op::TypePointer]);
}

#[test]
fn a_phi_in_a_loop_is_kept_by_the_driver() {
    stays(&behind("OpStore %out %i Aligned 4"));
}

#[test]
fn what_a_phi_chooses_where_a_loop_is_left_is_stored_and_loaded() {
    let after = made(
        &behind(
            "%many = OpPhi %uint %u_3 %head %i_next %last
             %sum = OpIAdd %uint %many %many
             OpStore %out %sum Aligned 4",
        ),
        &NEEDS,
    );
    let volatile = |words: &Vec<u32>| words.last() == Some(&1);
    let stored: Vec<Vec<u32>> = of(&after, Op::Store).into_iter().filter(volatile).collect();
    let loaded: Vec<Vec<u32>> = of(&after, Op::Load).into_iter().filter(volatile).collect();
    let [phi]: [Vec<u32>; 1] = of(&after, Op::Phi)
        .into_iter()
        .filter(|words| stored[0][1] == words[1])
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    assert_eq!((stored.len(), loaded.len(), loaded[0][2]), (1, 1, stored[0][0]));
    let sum = of(&after, Op::IAdd).into_iter().find(|words| words[2] == words[3]).unwrap();
    assert_eq!((sum[2], phi.len()), (loaded[0][1], 6));
}

#[test]
fn a_phi_of_one_way_out_of_a_loop_stays() {
    stays(&kernel(
        "",
        "OpBranch %head
         %head = OpLabel
         %i = OpPhi %uint %u_0 %entry %i_next %head
         %i_next = OpIAdd %uint %i %u_1
         %more = OpULessThan %bool %i_next %x
         OpBranchConditional %more %head %done
         %done = OpLabel
         %last = OpPhi %uint %i_next %head
         OpStore %out %last Aligned 4",
    ));
}

#[test]
fn a_phi_in_a_later_block_takes_the_chosen_value() {
    let code = "%is = OpULessThan %bool %x %y
                OpBranchConditional %is %one %other
                %one = OpLabel
                OpBranch %other
                %other = OpLabel
                %either = OpPhi %bool %is_end %one %true %done
                %more = OpSelect %uint %either %x %y";
    let after = made(&behind(code), &NEEDS);
    let selects = of(&after, Op::Select);
    let phis = of(&after, Op::Phi);
    assert!(phis.iter().any(|words| words[2] == selects[0][1]));
}

#[test]
fn what_is_used_only_in_its_loop_stays() {
    stays(&behind("OpStore %out %x Aligned 4"));
}

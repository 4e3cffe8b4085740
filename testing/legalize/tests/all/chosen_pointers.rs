//! Accesses through generic pointers that are chosen among such to two kinds of memory.

use sycl_pi_image::spirv::{Module, Needs, Op};

use crate::common::{count, kernel, made, of};

const GENERIC: u32 = 8;
const WORKGROUP: u32 = 4;
const GLOBAL: u32 = 5;

/// Returns what a kernel becomes that has this code after a choice between `%local` and `%global` by `%is`.
fn after(code: &str) -> Module {
    let declarations = "%w_uint = OpTypePointer Workgroup %uint
                        %shared = OpVariable %w_uint Workgroup";
    let code = format!(
        "%local = OpPtrCastToGeneric %g_uint %shared
         %global = OpPtrCastToGeneric %g_uint %in
         %is = OpULessThan %bool %x %u_7
         {code}"
    );
    made(
        &kernel(declarations, &code),
        &Needs { kept_pointers: true, no_hints: true, whole_interfaces: true, ..Needs::default() },
    )
}

/// Returns the storage classes of the pointers that are the operands with this number of instructions with this opcode.
fn classes(module: &Module, opcode: Op, at: usize) -> Vec<u32> {
    let types = of(module, Op::TypePointer);
    let class = |kind: u32| types.iter().find(|pointer| pointer[0] == kind).map(|pointer| pointer[1]);
    let kind = |id: u32| {
        let defines = |operands: &&[u32]| operands.get(1) == Some(&id);
        module
            .instructions()
            .map(|inst| inst.operands)
            .find(|operands| defines(operands) && class(operands[0]).is_some())
    };
    let pointers = of(module, opcode).into_iter().filter_map(|operands| kind(operands[at]));
    pointers.map(|operands| class(operands[0]).unwrap()).collect()
}

const SELECT: &str = "%one = OpSelect %g_uint %is %local %global\n";

#[test]
fn a_load_through_one_of_two_pointers_is_a_branch_to_a_load_from_either_memory() {
    let after =
        after(&format!("{SELECT}%value = OpLoad %uint %one Aligned 4\nOpStore %out %value Aligned 4"));
    let loads = classes(&after, Op::Load, 2);
    assert!(loads.ends_with(&[WORKGROUP, GLOBAL]), "{loads:?}");
    let [branch] = of(&after, Op::BranchConditional).try_into().unwrap();
    let labels: Vec<u32> = of(&after, Op::Label).into_iter().map(|words| words[0]).collect();
    assert_eq!(branch[1..], labels[1..3]);
    // The value is that of the load in the branch.
    let [phi] = of(&after, Op::Phi).try_into().unwrap();
    let ids: Vec<u32> = of(&after, Op::Load).into_iter().map(|words| words[1]).collect();
    assert_eq!(phi[2..], [ids[ids.len() - 2], labels[1], ids[ids.len() - 1], labels[2]]);
    assert_eq!(of(&after, Op::Store)[0][1], phi[1]);
}

/// The truth value is that of the choice, for the memory whose storage class has the lower number.
#[test]
fn the_condition_says_which_pointer_was_chosen() {
    let conditions = |select: &str| {
        let after = after(&format!("{select}\n%value = OpLoad %uint %one Aligned 4"));
        let [branch] = of(&after, Op::BranchConditional).try_into().unwrap();
        let condition = of(&after, Op::Select).into_iter().find(|words| words[1] == branch[0]).unwrap();
        let is = of(&after, Op::ULessThan)[0][1];
        assert_eq!(condition[2], is);
        let is_true = |id: u32| of(&after, Op::ConstantTrue).iter().any(|words| words[1] == id);
        [is_true(condition[3]), is_true(condition[4])]
    };
    assert_eq!(conditions("%one = OpSelect %g_uint %is %local %global"), [true, false]);
    assert_eq!(conditions("%one = OpSelect %g_uint %is %global %local"), [false, true]);
}

#[test]
fn a_store_and_an_atomic_function_are_divided_too() {
    let stored = after(&format!("{SELECT}OpStore %one %u_7 Aligned 4"));
    assert_eq!(classes(&stored, Op::Store, 0), [WORKGROUP, GLOBAL]);
    let added = after(&format!("{SELECT}%old = OpAtomicIAdd %uint %one %device %seq_cst %u_7"));
    assert_eq!(classes(&added, Op::AtomicIAdd, 2), [WORKGROUP, GLOBAL]);
}

#[test]
fn what_is_computed_from_the_chosen_pointer_is_computed_from_both() {
    let code = "%later = OpPtrAccessChain %g_uint %one %l
                %value = OpLoad %uint %later Aligned 4";
    let after = after(&format!("{SELECT}{code}"));
    assert!(classes(&after, Op::Load, 2).ends_with(&[WORKGROUP, GLOBAL]));
    assert_eq!(count(&after, Op::PtrAccessChain), 3);
}

/// In dpctl's cumulative sums, the pointers come from different blocks. Blocks that follow name the last part of the block
/// that is divided.
#[test]
fn a_choice_by_control_flow_is_made_again_for_both() {
    let code = "OpBranchConditional %is %then %end
                %then = OpLabel
                OpBranch %end
                %end = OpLabel
                %one = OpPhi %g_uint %global %entry %local %then
                %value = OpLoad %uint %one Aligned 4
                OpBranch %last
                %last = OpLabel
                %result = OpPhi %uint %value %end
                OpStore %out %result Aligned 4";
    let after = after(code);
    assert!(classes(&after, Op::Load, 2).ends_with(&[WORKGROUP, GLOBAL]));
    let labels: Vec<u32> = of(&after, Op::Label).into_iter().map(|words| words[0]).collect();
    let result = of(&after, Op::Phi).pop().unwrap();
    assert_eq!(result[3], labels[labels.len() - 2]);
}

/// The pointer is chosen in two steps.
#[test]
fn a_choice_between_chosen_pointers_is_one_of_two_as_well() {
    let code = "%either = OpSelect %g_uint %is %local %global
                %not = OpUGreaterThan %bool %x %u_16
                %one = OpSelect %g_uint %not %either %global
                %value = OpLoad %uint %one Aligned 4";
    let after = after(code);
    let loads = classes(&after, Op::Load, 2);
    assert!(loads.ends_with(&[WORKGROUP, GLOBAL]), "{loads:?}");
    assert!(!loads.contains(&GENERIC));
}

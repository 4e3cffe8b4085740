//! Accesses at a variable index between accesses to neighboring elements.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of};

// The array is a variable behind other code.
const NEEDS: Needs =
    Needs { no_hints: true, ordered_accesses: true, ordered_blocks: true, whole_interfaces: true, ..NONE };

/// Code with an array of `length` numbers in the variable `%array`. `%a_0` and `%a_1` point to its first elements, and
/// `%a_x` to one at a variable index.
fn array(length: &str, code: &str) -> Vec<u8> {
    let declarations = format!(
        "%u_8 = OpConstant %uint 8
         %u_9 = OpConstant %uint 9
         %array.type = OpTypeArray %uint {length}
         %p_array = OpTypePointer Function %array.type
         %f_uint = OpTypePointer Function %uint
         %sees_f_uint = OpTypeFunction %void %f_uint
         %sees_p_array = OpTypeFunction %void %p_array"
    );
    let code = format!(
        "%array = OpVariable %p_array Function
         %a_0 = OpInBoundsAccessChain %f_uint %array %u_0
         %a_1 = OpInBoundsAccessChain %f_uint %array %u_1
         %a_x = OpInBoundsAccessChain %f_uint %array %x
         {code}"
    );
    kernel(&declarations, &code)
}

/// Returns, for each volatile store of a vector, the opcode of the instruction that follows it.
fn guarded(module: &Module) -> Vec<Op> {
    let lines: Vec<_> = module.instructions().map(|line| (line.opcode, line.operands.to_vec())).collect();
    let is_guard = |(opcode, words): &(Op, Vec<u32>)| *opcode == Op::Store && words.get(2) == Some(&3);
    let places = lines.iter().enumerate().filter(|(_, line)| is_guard(line)).map(|(at, _)| at);
    places.map(|at| lines[at + 1].0).collect()
}

fn stays(module: &[u8]) {
    let needs = Needs { ordered_accesses: true, ..NONE };
    assert!(matches!(legalize(module, &needs).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn an_access_at_a_variable_index_between_stores_is_guarded() {
    for access in ["OpStore %a_x %u_7 Aligned 4", "%loaded = OpLoad %uint %a_x Aligned 4"] {
        let code = format!("OpStore %a_0 %u_1 Aligned 4\n{access}\nOpStore %a_1 %u_1 Aligned 4");
        let opcode = if access.starts_with('%') { Op::Load } else { Op::Store };
        assert_eq!(guarded(&made(&array("%u_8", &code), &NEEDS)), [opcode]);
    }
}

#[test]
fn a_store_at_a_variable_index_between_loads_is_guarded() {
    let loads = |access: &str| {
        format!("%one = OpLoad %uint %a_0 Aligned 4\n{access}\n%two = OpLoad %uint %a_1 Aligned 4")
    };
    let after = made(&array("%u_4", &loads("OpStore %a_x %u_7 Aligned 4")), &NEEDS);
    assert_eq!(guarded(&after), [Op::Store]);
    stays(&array("%u_4", &loads("%loaded = OpLoad %uint %a_x Aligned 4")));
}

#[test]
fn an_array_of_more_than_eight_elements_stays() {
    let code = "OpStore %a_0 %u_1 Aligned 4\nOpStore %a_x %u_7 Aligned 4\nOpStore %a_1 %u_1 Aligned 4";
    stays(&array("%u_9", code));
    assert_eq!(guarded(&made(&array("%u_8", code), &NEEDS)).len(), 1);
}

#[test]
fn accesses_before_or_after_those_to_neighbors_stay() {
    stays(&array(
        "%u_4",
        "OpStore %a_x %u_7 Aligned 4\nOpStore %a_0 %u_1 Aligned 4\nOpStore %a_1 %u_1 Aligned 4",
    ));
    stays(&array(
        "%u_4",
        "OpStore %a_0 %u_1 Aligned 4\nOpStore %a_1 %u_1 Aligned 4\nOpStore %a_x %u_7 Aligned 4",
    ));
    stays(&array(
        "%u_4",
        "OpStore %a_0 %u_1 Aligned 4\nOpStore %a_1 %u_1 Aligned 4\nOpStore %a_0 %u_7 Aligned 4",
    ));
}

/// A compiler may find out that a second variable index is a constant.
#[test]
fn another_variable_index_counts_in_a_variable_of_the_function() {
    let code = "%a_y = OpInBoundsAccessChain %f_uint %array %y
                OpStore %a_0 %u_1 Aligned 4
                OpStore %a_x %u_7 Aligned 4
                OpStore %a_y %u_1 Aligned 4";
    assert_eq!(guarded(&made(&array("%u_4", code), &NEEDS)), [Op::Store]);
}

#[test]
fn a_call_with_the_array_or_an_element_is_guarded() {
    let code = |pointer: &str, kind: &str| {
        format!(
            "OpStore %a_0 %u_1 Aligned 4
             %seen = OpFunctionCall %void %sees_it {pointer}
             OpStore %a_1 %u_1 Aligned 4
             OpReturn
             OpFunctionEnd
             %sees_it = OpFunction %void None %sees_{kind}
             %it = OpFunctionParameter %{kind}
             %sees_it.entry = OpLabel
             OpReturn
             OpFunctionEnd"
        )
    };
    for (pointer, kind) in [("%array", "p_array"), ("%a_0", "f_uint")] {
        let after = made(&array("%u_4", &code(pointer, kind)), &NEEDS);
        assert_eq!(guarded(&after), [Op::FunctionCall]);
    }
}

/// An index that is defined by itself, which no valid module has.
#[test]
fn an_index_that_is_its_own_copy_ends() {
    let code = "%own = OpCopyObject %uint %own
                %place = OpInBoundsAccessChain %f_uint %array %own
                OpStore %place %u_1 Aligned 4";
    stays(&array("%u_4", code));
}

/// Four numbers for each work-item in local or global memory, whose addresses are sums in one way or another.
#[test]
fn neighbors_in_other_memory_have_addresses_that_differ_by_constants() {
    let code = |access: &str| {
        format!(
            "%row = OpShiftLeftLogical %uint %x %u_1
             %row.l = OpUConvert %ulong %row
             %own = OpInBoundsPtrAccessChain %p_uint %out %row.l
             %next = OpBitwiseOr %uint %row %u_1
             %next.l = OpUConvert %ulong %next
             %to_next = OpInBoundsPtrAccessChain %p_uint %out %next.l
             %other = OpInBoundsPtrAccessChain %p_uint %own %y
             %elsewhere = OpInBoundsPtrAccessChain %p_uint %in %y
             OpStore %own %u_1 Aligned 4
             OpStore {access} %u_7 Aligned 4
             OpStore %to_next %u_1 Aligned 4"
        )
    };
    assert_eq!(guarded(&made(&kernel("", &code("%other")), &NEEDS)), [Op::Store]);
    stays(&kernel("", &code("%elsewhere")));
    stays(&kernel("", &code("%own")));
}

/// A pointer that may be one of two, or comes from an integer or from memory, points to the memory of each of them.
#[test]
fn pointers_of_unknown_origin_count_for_all_memory_that_they_may_point_to() {
    let origins = [
        "%is = OpULessThan %bool %x %y\n%other = OpSelect %p_uint %is %in %out",
        "%number = OpConvertPtrToU %ulong %in\n%other = OpConvertUToPtr %p_uint %number",
        "OpStore %kept %in Aligned 8\n%other = OpLoad %p_uint %kept Aligned 8",
    ];
    for origin in origins {
        let code = format!(
            "%kept = OpVariable %p_p_uint Function
             %next = OpInBoundsPtrAccessChain %p_uint %in %l_1
             {origin}
             %at = OpInBoundsPtrAccessChain %p_uint %other %l
             %one = OpLoad %uint %in Aligned 4
             OpStore %at %u_7 Aligned 4
             %two = OpLoad %uint %next Aligned 4"
        );
        let declarations = "%p_p_uint = OpTypePointer Function %p_uint\n%l_1 = OpConstant %ulong 1";
        assert_eq!(guarded(&made(&kernel(declarations, &code), &NEEDS)), [Op::Store], "{origin}");
    }
}

#[test]
fn functions_and_atomic_operations_may_access_other_elements() {
    for (access, opcode) in [
        ("%old = OpAtomicIAdd %uint %in %device %seq_cst %x", Op::AtomicIAdd),
        ("%done = OpExtInst %void %cl vstoren %pair %l %in", Op::ExtInst),
    ] {
        let code = format!(
            "%pair = OpCompositeConstruct %v2uint %x %y
             %next = OpInBoundsPtrAccessChain %p_uint %in %l_1
             %one = OpLoad %uint %in Aligned 4
             {access}
             %two = OpLoad %uint %next Aligned 4"
        );
        let declarations = "%v2uint = OpTypeVector %uint 2\n%l_1 = OpConstant %ulong 1";
        assert_eq!(guarded(&made(&kernel(declarations, &code), &NEEDS)), [opcode]);
    }
}

#[test]
fn one_store_guards_a_block_up_to_its_next_barrier() {
    let code = "OpStore %a_0 %u_1 Aligned 4
                OpStore %a_x %u_7 Aligned 4
                OpStore %a_x %u_3 Aligned 4
                OpControlBarrier %group %group %seq_cst
                %loaded = OpLoad %uint %a_x Aligned 4
                OpStore %a_1 %u_1 Aligned 4";
    assert_eq!(guarded(&made(&array("%u_4", code), &NEEDS)), [Op::Store, Op::Load]);
}

/// A loop whose rounds access one element each is unrolled, or LLVM vectorizes nothing around it.
#[test]
fn an_access_at_the_counter_of_a_loop_stays_if_the_loop_accesses_nothing_else() {
    let code = |more: &str, index: &str| {
        format!(
            "OpStore %a_0 %u_1 Aligned 4
             OpBranch %head
             %head = OpLabel
             %i = OpPhi %uint %u_0 %entry %i_next %head
             {more}
             %a_i = OpInBoundsAccessChain %f_uint %array {index}
             OpStore %a_i %u_7 Aligned 4
             %i_next = OpIAdd %uint %i %u_1
             %more = OpULessThan %bool %i_next %u_4
             OpBranchConditional %more %head %end
             %end = OpLabel
             OpStore %a_1 %u_1 Aligned 4"
        )
    };
    stays(&array("%u_4", &code("", "%i")));
    stays(&array("%u_8", &code("%twice = OpIMul %uint %i %u_1", "%twice")));
    let both = code("%again = OpLoad %uint %a_0 Aligned 4", "%i");
    assert_eq!(guarded(&made(&array("%u_4", &both), &NEEDS)), [Op::Store]);
    let other = code("%mixed = OpIMul %uint %i %x", "%mixed");
    assert_eq!(guarded(&made(&array("%u_4", &other), &NEEDS)), [Op::Store]);
}

#[test]
fn all_accesses_are_guarded_if_there_are_too_many_to_tell_apart() {
    let stores = |count: usize| {
        let store = |at: usize| {
            format!(
                "%i_{at} = OpIMul %ulong %l %l
                 %p_{at} = OpInBoundsPtrAccessChain %p_uint %out %i_{at}
                 OpStore %p_{at} %u_1 Aligned 4"
            )
        };
        kernel("", &(0..count).map(store).collect::<Vec<_>>().join("\n"))
    };
    stays(&stores(64));
    assert_eq!(guarded(&made(&stores(65), &NEEDS)), [Op::Store]);
    assert_eq!(of(&made(&stores(65), &NEEDS), Op::TypeVector).len(), 4);
}

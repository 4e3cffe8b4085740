//! Blocks, branches and phis.

use testing_nvvm::{bytes, elementwise};

use crate::gpu::compute;

/// LLVM requires a pair of a phi for each edge, SPIR-V for each block.
#[test]
#[ignore = "needs LLVM 14"]
fn a_phi_takes_its_value_along_each_of_several_edges() {
    let code = "
        OpSwitch %v0 %other 1 %same 2 %same 5 %own 9 %same
        %own = OpLabel
        OpBranch %same
        %other = OpLabel
        %big = OpUGreaterThan %bool %v0 %u_100
        OpBranchConditional %big %end %end
        %same = OpLabel
        %first = OpPhi %uint %u_7 %entry %u_31 %own
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %first %same %u_100 %other";
    let module = elementwise("", &["%uint"], "%uint", code).unwrap();
    let input: Vec<u32> = (0..12).chain([200]).collect();
    let expected: Vec<u32> = input
        .iter()
        .map(|value| match value {
            1 | 2 | 9 => 7,
            5 => 31,
            _ => 100,
        })
        .collect();
    assert_eq!(compute::<u32>(&module, &[bytes(&input)], input.len()).unwrap(), expected);
}

/// Modules that come from LLVM may have the pair once for each edge.
#[test]
#[ignore = "needs LLVM 14"]
fn a_phi_with_a_pair_for_each_edge_is_the_same() {
    let code = "
        OpSwitch %v0 %other 1 %same 2 %same
        %other = OpLabel
        OpBranch %same
        %same = OpLabel
        %r = OpPhi %uint %u_7 %entry %u_7 %entry %u_31 %other";
    let module = elementwise("", &["%uint"], "%uint", code).unwrap();
    assert_eq!(compute::<u32>(&module, &[bytes(&[0_u32, 1, 2, 3])], 4).unwrap(), [31, 7, 7, 31]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_switch_on_64_bits_has_cases_of_two_words() {
    let code = "
        OpSwitch %v0 %other 0x1 0x1 %high 7 0 %low
        %high = OpLabel
        OpBranch %end
        %low = OpLabel
        OpBranch %end
        %other = OpLabel
        OpBranch %end
        %end = OpLabel
        %r = OpPhi %uint %u_1 %high %u_2 %low %u_3 %other";
    let module = elementwise("", &["%ulong"], "%uint", code).unwrap();
    let input = [0_u64, 1, 7, 0x1_0000_0001, 0x7_0000_0000];
    assert_eq!(compute::<u32>(&module, &[bytes(&input)], 5).unwrap(), [3, 3, 2, 1, 3]);
}

#[test]
#[ignore = "needs LLVM 14"]
fn a_loop_sums_and_calls_a_function() {
    let declarations = "%sum.type = OpTypeFunction %uint %uint %uint";
    let code = "
        OpBranch %head
        %head = OpLabel
        %i = OpPhi %uint %u_0 %entry %next %body
        %s = OpPhi %uint %u_0 %entry %more %body
        %on = OpULessThan %bool %i %v0
        OpLoopMerge %end %body None
        OpBranchConditional %on %body %end
        %body = OpLabel
        %more = OpFunctionCall %uint %sum %s %i
        %next = OpIAdd %uint %i %u_1
        OpBranch %head
        %end = OpLabel
        %r = OpCopyObject %uint %s
        %r.end = OpPtrAccessChain %p_uint %out %l
        OpStore %r.end %r
        OpReturn
        OpFunctionEnd
        %sum = OpFunction %uint None %sum.type
        %a = OpFunctionParameter %uint
        %b = OpFunctionParameter %uint
        %sum.entry = OpLabel
        %ab = OpIAdd %uint %a %b
        OpReturnValue %ab
        OpFunctionEnd";
    let parameters = "%p_uint %out, %p_uint %in0";
    let loads = "%v0.at = OpPtrAccessChain %p_uint %in0 %l\n%v0 = OpLoad %uint %v0.at\n";
    let module = testing_nvvm::kernel(declarations, parameters, &format!("{loads}{code}")).unwrap();
    let expected: Vec<u32> = (0..20).map(|n| (0..n).sum()).collect();
    assert_eq!(compute::<u32>(&module, &[bytes(&(0..20).collect::<Vec<u32>>())], 20).unwrap(), expected);
}

/// Positions in source files, aliasing, the use of variables, assumptions, and advice for loops.
#[test]
#[ignore = "needs LLVM 14"]
fn notes_and_promises_change_no_result() {
    let declarations = "%file = OpString \"file.cpp\"";
    let code = "
        %own = OpVariable %f_uint Function
        OpLine %file 7 1
        %domain = OpAliasDomainDeclINTEL
        %scope = OpAliasScopeDeclINTEL %domain
        %scopes = OpAliasScopeListDeclINTEL %scope
        OpLifetimeStart %own 0
        OpStore %own %v0
        OpNoLine
        %small = OpULessThan %bool %v0 %u_100
        OpAssumeTrueKHR %small
        OpBranch %head
        %head = OpLabel
        %i = OpPhi %uint %u_0 %entry %next %head
        %value = OpLoad %uint %own
        %twice = OpIAdd %uint %value %value
        OpStore %own %twice
        %next = OpIAdd %uint %i %u_1
        %more = OpULessThan %bool %next %u_3
        OpLoopControlINTEL 1
        OpBranchConditional %more %head %end
        %end = OpLabel
        %r = OpLoad %uint %own
        OpLifetimeStop %own 0";
    let module = elementwise(declarations, &["%uint"], "%uint", code).unwrap();
    let out: Vec<u32> = compute(&module, &[bytes(&[1_u32, 5, 11])], 3).unwrap();
    assert_eq!(out, [8, 40, 88]);
}

//! Functions that cast pointers of their callers.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Inst, Module, Needs, Op, legalize};

use crate::common::{count, kernel, made, of, program};

fn needs() -> Needs {
    Needs { no_hints: true, whole_interfaces: true, early_casts: true, ..Needs::default() }
}

/// A kernel that calls `outer`, which passes `helper` a generic pointer with this code, and `helper` with this code.
fn calling(declarations: &str, code: &str, helper: &str) -> Vec<u8> {
    let declarations = format!(
        "%p_g_uint = OpTypePointer Function %g_uint
         %f_uint = OpTypePointer Function %uint
         %outer.type = OpTypeFunction %void %p_uint %ulong
         %helper.type = OpTypeFunction %uint %g_uint
         %same.type = OpTypeFunction %g_uint %g_uint
         {declarations}"
    );
    let code = format!(
        "%nothing = OpFunctionCall %void %outer %in %l
         OpReturn
         OpFunctionEnd
         %outer = OpFunction %void None %outer.type
         %o.in = OpFunctionParameter %p_uint
         %o.l = OpFunctionParameter %ulong
         %o.entry = OpLabel
         %slot = OpVariable %p_g_uint Function
         %generic = OpPtrCastToGeneric %g_uint %o.in
         OpStore %slot %generic Aligned 8
         %kept = OpLoad %g_uint %slot Aligned 8
         %own = OpInBoundsPtrAccessChain %g_uint %kept %o.l
         {code}
         OpReturn
         OpFunctionEnd
         %helper = OpFunction %uint None %helper.type
         %pointer = OpFunctionParameter %g_uint
         {helper}
         OpFunctionEnd"
    );
    kernel(&declarations, &code)
}

const CALL: &str = "%value = OpFunctionCall %uint %helper %own";
const CAST: &str = "%h.entry = OpLabel
                    %global = OpGenericCastToPtr %p_uint %pointer
                    %loaded = OpLoad %uint %global Aligned 4
                    OpReturnValue %loaded";

/// Returns the instructions of `outer`, the second function, with this opcode.
fn in_outer(module: &Module, opcode: Op) -> Vec<Vec<u32>> {
    outer(module).filter(|inst| inst.opcode == opcode).map(|inst| inst.operands.to_vec()).collect()
}

fn outer(module: &Module) -> impl Iterator<Item = Inst<'_>> {
    let behind_kernel = module.instructions().skip_while(|inst| inst.opcode != Op::FunctionEnd).skip(1);
    behind_kernel.take_while(|inst| inst.opcode != Op::FunctionEnd)
}

/// The exchange is at an address computed from the cast, although another function made it.
#[test]
fn a_cast_in_a_called_function_is_made_before_the_computation_in_its_caller() {
    let after = made(&program("called"), &needs());
    // The kernel's own call.
    assert_eq!(count(&after, Op::FunctionCall), 1);
    let loaded = of(&after, Op::Load).into_iter().find(|load| load.get(4) == Some(&8)).unwrap();
    let casts = of(&after, Op::GenericCastToPtr);
    let cast = casts.iter().find(|cast| cast[2] == loaded[1]).unwrap();
    let chains = of(&after, Op::InBoundsPtrAccessChain);
    let own = chains.iter().find(|chain| chain[2] == cast[1]).unwrap();
    assert!(of(&after, Op::AtomicCompareExchange).iter().any(|exchange| exchange[2] == own[1]));
}

/// The values that the function returns from its blocks all arrive, and the block after the call has a new predecessor.
#[test]
fn each_return_of_an_inlined_function_gives_the_value_of_the_call() {
    let after = made(&program("called"), &needs());
    let phis = of(&after, Op::Phi);
    let [returned, same] = phis.as_slice() else { panic!("{phis:?}") };
    assert_eq!((returned.len(), same.len()), (6, 4));
    assert_eq!(same[2], returned[1]);
    let labels = of(&after, Op::Label);
    assert!(labels.iter().any(|label| label[0] == same[3]));
    assert!(!returned.contains(&same[3]));
}

#[test]
fn a_cast_of_what_a_function_returns_is_made_before_its_computation() {
    let code = "%same = OpFunctionCall %g_uint %back %own
                %global.own = OpGenericCastToPtr %p_uint %same
                OpStore %global.own %u_7 Aligned 4";
    let helper = "%h.entry = OpLabel
                  OpReturnValue %u_0
                  OpFunctionEnd
                  %back = OpFunction %g_uint None %same.type
                  %b.pointer = OpFunctionParameter %g_uint
                  %b.entry = OpLabel
                  OpReturnValue %b.pointer";
    let after = made(&calling("", code, helper), &needs());
    assert_eq!(count(&after, Op::FunctionCall), 1);
    let [cast] = in_outer(&after, Op::GenericCastToPtr).try_into().unwrap();
    let kept = in_outer(&after, Op::Load).into_iter().find(|load| load.get(4) == Some(&8)).unwrap();
    assert_eq!(cast[2], kept[1]);
}

/// A function's variable has its initial value each time that the function is called.
#[test]
fn a_variable_of_an_inlined_function_is_in_the_first_block_and_stored_at_the_call() {
    let helper = "%h.entry = OpLabel
                  %variable = OpVariable %f_uint Function %u_7
                  %global = OpGenericCastToPtr %p_uint %pointer
                  %loaded = OpLoad %uint %global Aligned 4
                  OpStore %variable %loaded Aligned 4
                  OpReturnValue %loaded";
    let twice = format!("{CALL}\n%again = OpFunctionCall %uint %helper %own");
    let declarations = "OpDecorate %variable Alignment 16";
    let after = made(&calling(declarations, &twice, helper), &needs());
    let variables = in_outer(&after, Op::Variable);
    let first_block = outer(&after).skip_while(|inst| inst.opcode != Op::Label).skip(1);
    assert_eq!(first_block.take_while(|inst| inst.opcode == Op::Variable).count(), 3);
    let seven = of(&after, Op::Constant).into_iter().find(|constant| constant[2..] == [7]).unwrap()[1];
    let starts = in_outer(&after, Op::Store).into_iter().filter(|store| store[1] == seven);
    let mut stored: Vec<u32> = starts.map(|store| store[0]).collect();
    stored.sort_unstable();
    let mut pasted: Vec<u32> = variables
        .iter()
        .filter(|variable| stored.contains(&variable[1]))
        .map(|variable| variable[1])
        .collect();
    pasted.sort_unstable();
    assert_eq!((stored.len(), &stored), (2, &pasted));
    assert!(variables.iter().all(|variable| variable.len() == 3));
    // Each has the alignment of the function's own variable.
    let aligned: Vec<u32> = of(&after, Op::Decorate)
        .iter()
        .filter(|words| words[1..] == [44, 16])
        .map(|words| words[0])
        .collect();
    assert!(pasted.iter().all(|id| aligned.contains(id)), "{aligned:?}");
}

/// The driver takes a generic parameter for a pointer to global memory, whether the function casts it or not.
#[test]
fn a_function_that_is_called_with_a_generic_pointer_is_inlined_even_if_it_casts_nothing() {
    let helper = "%h.entry = OpLabel
                  %loaded = OpLoad %uint %pointer Aligned 4
                  OpReturnValue %loaded";
    let after = made(&calling("", CALL, helper), &needs());
    // The kernel's own call.
    assert_eq!(count(&after, Op::FunctionCall), 1);
    assert!(in_outer(&after, Op::Load).iter().any(|load| load[2] == own(&after)));
}

/// Returns the pointer that `outer` computes.
fn own(module: &Module) -> u32 {
    in_outer(module, Op::InBoundsPtrAccessChain)[0][1]
}

#[test]
fn functions_without_generic_pointers_are_not_inlined() {
    let module = kernel(
        "%helper.type = OpTypeFunction %uint %uint",
        "%value = OpFunctionCall %uint %helper %u_7
         OpReturn
         OpFunctionEnd
         %helper = OpFunction %uint None %helper.type
         %h.n = OpFunctionParameter %uint
         %h.entry = OpLabel
         OpReturnValue %h.n
         OpFunctionEnd",
    );
    let needs = Needs { early_casts: true, ..Needs::default() };
    assert!(matches!(legalize(&module, &needs).unwrap().module, Cow::Borrowed(_)));
}

/// A module with a function of another one, and a cast of its own.
fn importing(pointer: &str) -> Vec<u8> {
    let code = format!("{CALL}\n%outside = OpFunctionCall %uint %far {pointer}");
    let imported = "OpFunctionEnd
                    %far = OpFunction %uint None %helper.type
                    %f.pointer = OpFunctionParameter %g_uint";
    calling("OpDecorate %far LinkageAttributes \"far\" Import", &code, &format!("{CAST}\n{imported}"))
}

#[test]
fn a_function_of_another_module_that_may_cast_a_computed_pointer_is_refused_by_name() {
    let text = "kernel k is refused: it passes function far of another module a pointer that is computed from a generic \
                pointer in memory, and if that function casts it, this driver never finishes compiling it";
    assert_eq!(legalize(&importing("%own"), &needs()).unwrap_err().to_string(), text);
    assert_eq!(legalize(&importing("%kept"), &needs()).unwrap().refused, []);
}

/// Each function calls the one before it twice.
#[test]
fn a_function_that_would_be_inlined_too_often_is_refused_by_name() {
    let next = |number: u32| {
        let callee = if number == 0 { "helper".to_owned() } else { format!("f{}", number - 1) };
        format!(
            "OpFunctionEnd
             %f{number} = OpFunction %uint None %helper.type
             %p{number} = OpFunctionParameter %g_uint
             %e{number} = OpLabel
             %a{number} = OpFunctionCall %uint %{callee} %p{number}
             %b{number} = OpFunctionCall %uint %{callee} %p{number}
             OpReturnValue %b{number}\n"
        )
    };
    let functions: String = (0..40).map(next).collect();
    let module = calling("", "%value = OpFunctionCall %uint %f39 %own", &format!("{CAST}\n{functions}"));
    let error = legalize(&module, &needs()).unwrap_err().to_string();
    assert!(error.starts_with("kernel k is refused: it calls function %"), "{error}");
    assert!(error.ends_with("too often for this driver, which needs it inlined"), "{error}");
}

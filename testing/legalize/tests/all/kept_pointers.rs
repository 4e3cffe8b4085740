//! Generic pointers in private variables.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Needs, Op, legalize};

use crate::common::{kernel, made, of, program};

fn needs() -> Needs {
    Needs { no_hints: true, whole_interfaces: true, kept_pointers: true, ..Needs::default() }
}

/// The value of a loaded pointer is cast to local memory and back, so that all uses of it know.
#[test]
fn a_pointer_from_a_variable_is_cast_to_the_memory_of_those_stored_there() {
    let before = made(&program("kept"), &Needs { whole_interfaces: true, ..Needs::default() });
    let [before] = of(&before, Op::Load)
        .into_iter()
        .filter(|load| load.get(4) == Some(&8))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let after = made(&program("kept"), &needs());
    let [load] = of(&after, Op::Load)
        .into_iter()
        .filter(|load| load.get(4) == Some(&8))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let [cast] = of(&after, Op::GenericCastToPtr).try_into().unwrap();
    let [_, again] = of(&after, Op::PtrCastToGeneric).try_into().unwrap();
    assert_eq!((cast[2], again[2], again[1]), (load[1], cast[1], before[1]));
    let kind = of(&after, Op::TypePointer).into_iter().find(|kind| kind[0] == cast[0]).unwrap();
    // Workgroup.
    assert_eq!(kind[1], 4);
}

/// Checks that a function with these stores to a variable is not changed.
#[track_caller]
fn check(stores: &str) {
    let declarations = "%p_g_uint = OpTypePointer Function %g_uint
                        %w_uint = OpTypePointer Workgroup %uint
                        %shared = OpVariable %w_uint Workgroup
                        %keep.type = OpTypeFunction %uint %p_uint %g_uint";
    let code = format!(
        "%g.in = OpPtrCastToGeneric %g_uint %in
         %value = OpFunctionCall %uint %keep %in %g.in
         OpReturn
         OpFunctionEnd
         %keep = OpFunction %uint None %keep.type
         %k.in = OpFunctionParameter %p_uint
         %k.any = OpFunctionParameter %g_uint
         %k.entry = OpLabel
         %slot = OpVariable %p_g_uint Function
         %k.global = OpPtrCastToGeneric %g_uint %k.in
         %k.local = OpPtrCastToGeneric %g_uint %shared
         {stores}
         %kept = OpLoad %g_uint %slot Aligned 8
         %k.value = OpLoad %uint %kept Aligned 4
         OpReturnValue %k.value
         OpFunctionEnd"
    );
    let needs = Needs { kept_pointers: true, ..Needs::default() };
    assert!(matches!(legalize(&kernel(declarations, &code), &needs).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn pointers_to_global_memory_stay() {
    check("OpStore %slot %k.global Aligned 8");
}

#[test]
fn pointers_that_may_be_to_any_memory_stay() {
    // The driver traces pointers through one variable.
    check("OpStore %slot %k.global Aligned 8\nOpStore %slot %k.local Aligned 8");
    check("OpStore %slot %k.any Aligned 8\nOpStore %slot %k.local Aligned 8");
    check(
        "OpStore %slot %k.local Aligned 8\nOpCopyMemorySized %slot %slot %l_8 Aligned 8"
            .replace("%l_8", "%u_4")
            .as_str(),
    );
}

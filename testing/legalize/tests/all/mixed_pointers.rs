//! Generic pointers that may point to several kinds of memory.

use sycl_pi_image::spirv::{Needs, legalize};

use crate::common::kernel;

const REFUSAL: &str = "kernel k is refused: function access accesses memory through a generic pointer that may point \
                       to several kinds of memory, which this driver takes for a pointer to global memory";

/// Returns why a kernel is refused that calls a function with this code.
fn refusal(code: &str) -> Option<String> {
    let declarations = "%p_g_uint = OpTypePointer Function %g_uint
                        %w_uint = OpTypePointer Workgroup %uint
                        %u_2 = OpConstant %uint 2
                        %l_4 = OpConstant %ulong 4
                        %two = OpTypeArray %g_uint %u_2
                        %p_two = OpTypePointer Function %two
                        %f_uint = OpTypePointer Function %uint
                        %shared = OpVariable %w_uint Workgroup
                        %access.type = OpTypeFunction %uint %p_uint %uint %g_uint
                        OpName %access \"access\"";
    let code = format!(
        "%any = OpPtrCastToGeneric %g_uint %in
         %got = OpFunctionCall %uint %access %in %x %any
         OpReturn
         OpFunctionEnd
         %access = OpFunction %uint None %access.type
         %a.in = OpFunctionParameter %p_uint
         %a.x = OpFunctionParameter %uint
         %a.any = OpFunctionParameter %g_uint
         %a.entry = OpLabel
         %slots = OpVariable %p_two Function
         %private = OpVariable %f_uint Function
         %first = OpInBoundsPtrAccessChain %p_g_uint %slots %u_0 %u_0
         %second = OpInBoundsPtrAccessChain %p_g_uint %slots %u_0 %u_1
         %picked = OpInBoundsPtrAccessChain %p_g_uint %slots %u_0 %a.x
         %global = OpPtrCastToGeneric %g_uint %a.in
         %other = OpPtrCastToGeneric %g_uint %a.in
         %local = OpPtrCastToGeneric %g_uint %shared
         %own = OpPtrCastToGeneric %g_uint %private
         %is = OpULessThan %bool %a.x %u_1
         {code}
         OpReturnValue %u_0
         OpFunctionEnd"
    );
    let needs = Needs { kept_pointers: true, ..Needs::default() };
    legalize(&kernel(declarations, &code), &needs).err().map(|error| error.to_string())
}

#[track_caller]
fn refused(code: &str) {
    assert_eq!(refusal(code).as_deref(), Some(REFUSAL));
}

#[track_caller]
fn kept(code: &str) {
    assert_eq!(refusal(code), None);
}

const LOAD: &str = "%value = OpLoad %uint %one Aligned 4";

/// A choice between two of them is made again: see `chosen_pointers`.
#[test]
fn an_access_through_one_of_three_pointers_to_different_memories_is_refused() {
    let one = "%either = OpSelect %g_uint %is %local %global\n%one = OpSelect %g_uint %is %either %own";
    refused(&format!("{one}\n{LOAD}"));
    refused(&format!("{one}\nOpStore %one %u_7 Aligned 4"));
    refused(&format!("{one}\n%old = OpAtomicIAdd %uint %one %device %u_0 %u_7"));
    refused(&format!(
        "{one}\n%later = OpPtrAccessChain %g_uint %one %u_1\n%value = OpLoad %uint %later Aligned 4"
    ));
    kept(&format!("%one = OpSelect %g_uint %is %other %global\n{LOAD}"));
    // It may be the caller's pointer to global memory.
    kept(&format!("%one = OpSelect %g_uint %is %a.any %global\n{LOAD}"));
    let either = "%either = OpSelect %g_uint %is %a.any %global\n%one = OpSelect %g_uint %is %either %local";
    kept(&format!("{either}\n{LOAD}"));
    // A cast says which it is.
    kept(&format!("{one}\n%cast = OpGenericCastToPtr %p_uint %one\n%value = OpLoad %uint %cast Aligned 4"));
}

#[test]
fn a_copy_from_one_of_two_pointers_to_different_memories_is_refused() {
    let one = "%one = OpSelect %g_uint %is %local %global";
    refused(&format!("{one}\nOpCopyMemorySized %global %one %l_4 Aligned 4"));
    kept(&format!("{one}\nOpCopyMemorySized %global %other %l_4 Aligned 4"));
}

#[test]
fn a_choice_by_control_flow_is_one_too() {
    let one = |other: &str| {
        format!(
            "%either = OpSelect %g_uint %is %local %global
             OpBranchConditional %is %then %end
             %then = OpLabel
             OpBranch %end
             %end = OpLabel
             %one = OpPhi %g_uint %either %a.entry %{other} %then"
        )
    };
    refused(&format!("{}\n{LOAD}", one("own")));
    kept(&format!("{}\n{LOAD}", one("other")));
}

#[test]
fn a_load_of_one_of_several_pointers_of_an_array_is_refused() {
    let stores = "OpStore %first %global Aligned 8\nOpStore %second %local Aligned 8";
    let load = |from: &str| format!("%one = OpLoad %g_uint %{from} Aligned 8\n{LOAD}");
    refused(&format!("{stores}\n{}", load("picked")));
    // The driver knows which.
    kept(&format!("{stores}\n{}", load("second")));
    kept(&format!("{}\n{}", stores.replace("local", "other"), load("picked")));
    kept(&format!("{}\n{}", stores.replace("local", "a.any"), load("picked")));
    let cast = "%one = OpLoad %g_uint %picked Aligned 8\n%cast = OpGenericCastToPtr %p_uint %one";
    kept(&format!("{stores}\n{cast}\n%value = OpLoad %uint %cast Aligned 4"));
}

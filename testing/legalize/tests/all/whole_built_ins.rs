//! Components of built-in vectors.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{kernel, made, of, program};

fn needs() -> Needs {
    Needs { no_hints: true, whole_interfaces: true, whole_built_ins: true, ..Needs::default() }
}

const DECLARATIONS: &str = "%group.id = OpVariable %p_v3ulong Input
                            OpDecorate %group.id BuiltIn WorkgroupId
                            %p_in_uchar = OpTypePointer Input %uchar
                            %p_in_ulong = OpTypePointer Input %ulong
                            %l_0 = OpConstant %ulong 0
                            %l_2 = OpConstant %ulong 2
                            %l_8 = OpConstant %ulong 8
                            %l_12 = OpConstant %ulong 12
                            %l_24 = OpConstant %ulong 24";

/// Returns which component of the vector is the value of the load `%value`, which is stored through `%in`.
fn component(module: &Module) -> u32 {
    let store = of(module, Op::Store)[0].clone();
    let extracts = of(module, Op::CompositeExtract);
    let extract = extracts.iter().find(|extract| extract[1] == store[1]).unwrap();
    let loads = of(module, Op::Load);
    let whole = loads.iter().find(|load| load[1] == extract[2]).unwrap();
    let decorations = of(module, Op::Decorate);
    // WorkgroupId.
    assert!(decorations.iter().any(|decoration| decoration[..] == [whole[2], 11, 26]), "{decorations:?}");
    extract[3]
}

/// Computes a pointer `%place`, loads through it, and stores the value.
fn with(pointer: &str, kind: &str) -> Vec<u8> {
    let code = format!(
        "{pointer}
         %value = OpLoad %{kind} %place
         %to = OpBitcast %p_{kind} %in
         OpStore %to %value Aligned 4"
    );
    kernel(&format!("{DECLARATIONS}\n%p_ulong = OpTypePointer CrossWorkgroup %ulong"), &code)
}

#[test]
fn a_component_at_a_number_of_bytes_is_taken_from_the_vector() {
    let at = |bytes: &str| {
        format!(
            "%bytes = OpBitcast %p_in_uchar %group.id
             %byte = OpInBoundsPtrAccessChain %p_in_uchar %bytes {bytes}
             %place = OpBitcast %p_in_ulong %byte"
        )
    };
    assert_eq!(component(&made(&with(&at("%l_8"), "ulong"), &needs())), 1);
    assert_eq!(component(&made(&with(&at("%u_16"), "ulong"), &needs())), 2);
    assert_eq!(component(&made(&with(&at("%l_0"), "ulong"), &needs())), 0);
}

#[test]
fn a_component_by_its_number_is_taken_from_the_vector() {
    let pointers = [
        "%place = OpInBoundsPtrAccessChain %p_in_ulong %group.id %l_0 %u_1",
        "%place = OpAccessChain %p_in_ulong %group.id %u_1",
        "%first = OpBitcast %p_in_ulong %group.id
         %place = OpPtrAccessChain %p_in_ulong %first %u_1",
    ];
    for pointer in pointers {
        assert_eq!(component(&made(&with(pointer, "ulong"), &needs())), 1, "{pointer}");
    }
}

/// Checks that a load stays.
#[track_caller]
fn check(pointer: &str, kind: &str) {
    let needs = Needs { whole_built_ins: true, ..Needs::default() };
    assert!(matches!(legalize(&with(pointer, kind), &needs).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn loads_of_something_else_than_one_component_stay() {
    let at = |bytes: &str, kind: &str| {
        format!(
            "%bytes = OpBitcast %p_in_uchar %group.id
             %byte = OpInBoundsPtrAccessChain %p_in_uchar %bytes {bytes}
             %place = OpBitcast %p_in_{kind} %byte"
        )
    };
    // Half of one, the halves of two, behind the last one, and at a number that is no constant.
    check(&at("%l_8", "uint"), "uint");
    check(&at("%l_12", "ulong"), "ulong");
    check(&at("%l_24", "ulong"), "ulong");
    check(&at("%l", "ulong"), "ulong");
}

#[test]
fn loads_through_pointers_to_other_memory_stay() {
    let pointer = "%far = OpBitcast %p_ulong %out
                   %place = OpInBoundsPtrAccessChain %p_ulong %far %l_2";
    check(pointer, "ulong");
}

/// Numbers of four bits have no bytes, and a type cannot consist of itself.
#[test]
fn built_ins_of_malformed_types_stay() {
    let narrow = "%nibble = OpTypeInt 4 0
                  %v2nibble = OpTypeVector %nibble 2
                  %p_v2nibble = OpTypePointer Input %v2nibble
                  %p_in_nibble = OpTypePointer Input %nibble
                  %odd = OpVariable %p_v2nibble Input
                  OpDecorate %odd BuiltIn WorkgroupId";
    let code = "%place = OpBitcast %p_in_nibble %odd\n%value = OpLoad %nibble %place";
    let itself = "%loop = OpTypeVector %loop 2
                  %p_loop = OpTypePointer Input %loop
                  %odd = OpVariable %p_loop Input
                  OpDecorate %odd BuiltIn WorkgroupId";
    let needs = Needs { whole_built_ins: true, ..Needs::default() };
    for (declarations, code) in [(narrow, code), (itself, "%value = OpLoad %loop %odd")] {
        let module = kernel(declarations, code);
        assert!(!matches!(legalize(&module, &needs), Ok(after) if matches!(after.module, Cow::Owned(_))));
    }
}

/// The kernel that shows the fault of the driver.
#[test]
fn no_byte_of_a_built_in_is_loaded_in_the_kernel_of_the_fault() {
    let after = made(&program("component"), &needs());
    let narrow: Vec<_> =
        of(&after, Op::InBoundsPtrAccessChain).into_iter().filter(|chain| chain.len() == 4).collect();
    let loads = of(&after, Op::Load);
    let casts = of(&after, Op::Bitcast);
    let is_narrow = |id: u32| narrow.iter().any(|chain| chain[1] == id);
    let through = |id: u32| casts.iter().any(|cast| cast[1] == id && is_narrow(cast[2]));
    assert!(!loads.iter().any(|load| through(load[2])), "{loads:?}");
}

//! Casts of generic pointers before computations.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Needs, Op, legalize};

use crate::common::{kernel, made, of, program};

fn needs() -> Needs {
    Needs { no_hints: true, whole_interfaces: true, early_casts: true, ..Needs::default() }
}

/// The pointer from memory is cast first, and the exchange is at an address computed from the result.
#[test]
fn a_pointer_is_computed_behind_its_cast() {
    let after = made(&program("computed"), &needs());
    let loaded = of(&after, Op::Load).into_iter().find(|load| load.get(4) == Some(&8));
    let [cast] = of(&after, Op::GenericCastToPtr).try_into().unwrap();
    assert_eq!(cast[2], loaded.map_or(0, |load| load[1]));
    let [exchange] = of(&after, Op::AtomicCompareExchange).try_into().unwrap();
    let chains = of(&after, Op::InBoundsPtrAccessChain);
    let own = chains.iter().find(|chain| chain[1] == exchange[2]).unwrap();
    assert_eq!(own[2], cast[1]);
    let before = chains.iter().find(|chain| chain[2] == cast[2]).unwrap();
    assert_eq!(own[3..], before[3..]);
}

/// Each step is repeated in its order, with the types of the other storage class.
#[test]
fn all_steps_move_behind_the_cast() {
    let declarations = "%g_uchar = OpTypePointer Generic %uchar
                        %p_uchar = OpTypePointer CrossWorkgroup %uchar";
    let code = "%generic = OpPtrCastToGeneric %g_uint %in
                %bytes = OpBitcast %g_uchar %generic
                %later = OpPtrAccessChain %g_uchar %bytes %l
                %words = OpBitcast %g_uint %later
                %global = OpGenericCastToPtr %p_uint %words
                OpStore %global %u_7 Aligned 4";
    let module = kernel(declarations, code);
    let after = made(&module, &needs());
    let [cast] = of(&after, Op::GenericCastToPtr).try_into().unwrap();
    let [generic] = of(&after, Op::PtrCastToGeneric).try_into().unwrap();
    assert_eq!(cast[2], generic[1]);
    let [_, _, to_bytes, to_words] = of(&after, Op::Bitcast).try_into().unwrap();
    let [_, later] = of(&after, Op::PtrAccessChain).try_into().unwrap();
    let [store] = of(&after, Op::Store).try_into().unwrap();
    assert_eq!((to_bytes[2], later[2], to_words[2]), (cast[1], to_bytes[1], later[1]));
    assert_eq!(store[0], to_words[1]);
    let types = of(&after, Op::TypePointer);
    let classes = [&to_bytes, &later, &to_words].map(|line| types.iter().find(|kind| kind[0] == line[0]));
    // CrossWorkgroup.
    assert!(classes.iter().all(|kind| kind.is_some_and(|kind| kind[1] == 5)));
}

#[test]
fn a_cast_of_a_pointer_that_is_not_computed_stays() {
    let code = "%generic = OpPtrCastToGeneric %g_uint %in
                %global = OpGenericCastToPtr %p_uint %generic
                OpStore %global %u_7 Aligned 4";
    let needs = Needs { early_casts: true, ..Needs::default() };
    assert!(matches!(legalize(&kernel("", code), &needs).unwrap().module, Cow::Borrowed(_)));
}

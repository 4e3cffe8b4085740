//! Generic pointers that were made of pointers to a known memory.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Module, Needs, Op, legalize};

use crate::common::{kernel, made, of, program};

const GENERIC: u32 = 8;
const WORKGROUP: u32 = 4;
const GLOBAL: u32 = 5;
const FUNCTION: u32 = 7;

fn needs() -> Needs {
    Needs {
        no_hints: true,
        whole_interfaces: true,
        early_casts: true,
        kept_pointers: true,
        ..Needs::default()
    }
}

/// Returns the storage classes of the pointers through which instructions access memory, `at` the operand of this number.
fn classes(module: &Module, opcode: Op, at: usize) -> Vec<u32> {
    let class =
        |kind: u32| of(module, Op::TypePointer).into_iter().find(|pointer| pointer[0] == kind).unwrap()[1];
    let pointers = [
        Op::Variable,
        Op::FunctionParameter,
        Op::Bitcast,
        Op::InBoundsPtrAccessChain,
        Op::InBoundsAccessChain,
    ];
    let kind = |id: u32| {
        let mut found = pointers.iter().flat_map(|&opcode| of(module, opcode));
        found.find(|operands| operands[1] == id).unwrap()[0]
    };
    of(module, opcode).iter().map(|operands| class(kind(operands[at]))).collect()
}

/// The function that changes the variable is inlined, and what it loads and stores is in private memory then.
#[test]
fn accesses_to_a_variable_whose_generic_pointer_a_function_is_called_with_are_to_private_memory() {
    let after = made(&program("given"), &needs());
    // The function itself is left, and nothing calls it.
    for all in [classes(&after, Op::Store, 0), classes(&after, Op::Load, 2)] {
        let of = |wanted: u32| all.iter().filter(|&&class| class == wanted).count();
        assert_eq!((of(FUNCTION), of(GENERIC)), (2, 1), "{all:?}");
    }
}

/// A kernel that computes a generic pointer of local memory, and has this code behind it.
fn local(code: &str) -> Vec<u8> {
    let declarations = "%w_uint = OpTypePointer Workgroup %uint
                        %g_ulong = OpTypePointer Generic %ulong
                        %shared = OpVariable %w_uint Workgroup";
    let code = format!(
        "%generic = OpPtrCastToGeneric %g_uint %shared
         %cast = OpBitcast %g_ulong %generic
         %own = OpInBoundsPtrAccessChain %g_ulong %cast %l
         {code}"
    );
    kernel(declarations, &code)
}

#[test]
fn computations_on_the_way_to_an_access_are_repeated_in_the_known_memory() {
    let after =
        made(&local("%value = OpLoad %ulong %own Aligned 8\nOpStore %own %value Aligned 8"), &needs());
    assert_eq!(classes(&after, Op::Load, 2).last(), Some(&WORKGROUP));
    assert_eq!(classes(&after, Op::Store, 0)[0], WORKGROUP);
    // The index is kept.
    let chains = of(&after, Op::InBoundsPtrAccessChain);
    let own: Vec<_> = chains.iter().filter(|chain| chain.len() == 4).collect();
    assert!(
        own.iter().any(|chain| own.iter().any(|other| chain[0] != other[0] && chain[3] == other[3])),
        "{own:?}"
    );
}

#[test]
fn an_atomic_function_uses_the_known_memory_too() {
    let atomic = "%value = OpAtomicIAdd %uint %generic %device %seq_cst %u_7";
    let after = made(&local(atomic), &needs());
    assert_eq!(classes(&after, Op::AtomicIAdd, 2), [WORKGROUP]);
}

#[test]
fn a_function_of_opencl_std_writes_its_second_result_to_the_known_memory() {
    let code = "%number = OpConvertUToF %float %x
                %generic = OpPtrCastToGeneric %g_uint %in
                %fraction = OpExtInst %float %cl frexp %number %generic";
    assert_eq!(classes(&made(&kernel("", code), &needs()), Op::ExtInst, 5), [GLOBAL]);
}

#[test]
fn an_access_through_a_pointer_of_unknown_origin_stays() {
    let code = "%slot.in = OpBitcast %p_g_uint %in
                %kept = OpLoad %g_uint %slot.in Aligned 8
                %value = OpLoad %uint %kept Aligned 4";
    let module = kernel("%p_g_uint = OpTypePointer CrossWorkgroup %g_uint", code);
    let needs = Needs { early_casts: true, kept_pointers: true, ..Needs::default() };
    assert!(matches!(legalize(&module, &needs).unwrap().module, Cow::Borrowed(_)));
}

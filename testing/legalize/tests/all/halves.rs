//! Functions of half-precision numbers.

use sycl_pi_image::spirv::{Collectives, Needs, Op, legalize};

use crate::common::{NONE, count, kernel, made, of};

const NEEDS: Needs = Needs { halves_as_floats: true, ..NONE };

const DECLARATIONS: &str = "
    OpCapability Float16
    OpCapability Int16
    OpCapability Groups
    %ushort = OpTypeInt 16 0
    %half = OpTypeFloat 16
    %v2half = OpTypeVector %half 2
    %p_v2half = OpTypePointer Function %v2half
    %p_half = OpTypePointer CrossWorkgroup %half
";

/// Returns the module of a kernel with the half-precision number `%h`, and the vector `%v` of two of them.
fn halves(code: &str, decorations: &str) -> Vec<u8> {
    let start = "%place = OpVariable %p_v2half Function
                 %h = OpConvertUToF %half %x
                 %v = OpCompositeConstruct %v2half %h %h\n";
    kernel(&format!("{DECLARATIONS}\n{decorations}"), &format!("{start}{code}"))
}

fn after(code: &str) -> sycl_pi_image::spirv::Module {
    made(&halves(code, ""), &NEEDS)
}

/// The widths of the floating-point types of values, by their id.
fn width(module: &sycl_pi_image::spirv::Module, kind: u32) -> Option<u32> {
    let vectors = of(module, Op::TypeVector);
    let number = vectors.iter().find(|line| line[0] == kind).map_or(kind, |line| line[1]);
    of(module, Op::TypeFloat).iter().find(|line| line[0] == number).map(|line| line[1])
}

#[test]
fn a_module_without_half_precision_stays_as_it_is() {
    let module = kernel("", "%f = OpConvertUToF %float %x\n%g = OpExtInst %float %cl sin %f");
    assert_eq!(legalize(&module, &NEEDS).unwrap().module.as_ref(), module);
}

#[test]
fn what_the_compiler_computes_itself_stays_as_it_is() {
    let module = halves("%sum = OpFAdd %v2half %v %v\n%is = OpFOrdLessThan %bool %h %h", "");
    assert_eq!(legalize(&module, &NEEDS).unwrap().module.as_ref(), module);
}

#[test]
fn a_function_is_called_in_single_precision() {
    for code in ["%r = OpExtInst %v2half %cl atan2 %v %v", "%r = OpExtInst %half %cl pown %h %x"] {
        let module = after(code);
        let calls = of(&module, Op::ExtInst);
        assert_eq!(calls.len(), 1, "{code}");
        assert_eq!(width(&module, calls[0][0]), Some(32), "{code}");
    }
}

/// PoCL calls functions to convert vectors, too.
#[test]
fn vectors_are_converted_number_by_number() {
    let module = after("%r = OpExtInst %v2half %cl sin %v");
    // Two to single precision and two back.
    assert_eq!(count(&module, Op::FConvert), 4);
    let vectors: Vec<u32> = of(&module, Op::TypeVector).iter().map(|line| line[0]).collect();
    assert!(of(&module, Op::FConvert).iter().all(|line| !vectors.contains(&line[0])));
}

#[test]
fn numbers_are_moved_as_integers() {
    for code in [
        "%r = OpExtInst %v2half %cl shuffle %v %v_mask",
        "%p = OpBitcast %p_half %out\n%r = OpExtInst %v2half %cl vloadn %l %p 2",
        "%p = OpBitcast %p_half %out\nOpExtInst %void %cl vstoren %v %l %p",
    ] {
        let code = code.replace("OpExtInst %void", "%r = OpExtInst %void");
        let text =
            format!("%w = OpUConvert %ushort %x\n%v_mask = OpCompositeConstruct %v2ushort %w %w\n{code}");
        let module = made(&halves(&text, "%v2ushort = OpTypeVector %ushort 2"), &NEEDS);
        let [call] = of(&module, Op::ExtInst).try_into().unwrap();
        assert_eq!(width(&module, call[0]), None, "{code}");
        assert_eq!(count(&module, Op::FConvert), 0, "{code}");
    }
}

#[test]
fn a_second_result_is_stored_in_half_precision() {
    let module = after("%r = OpExtInst %v2half %cl sincos %v %place");
    assert_eq!(count(&module, Op::ExtInst), 2);
    let [store] = of(&module, Op::Store).try_into().unwrap();
    let stored = of(&module, Op::CompositeConstruct).into_iter().find(|line| line[1] == store[1]).unwrap();
    assert_eq!(width(&module, stored[0]), Some(16));
}

#[test]
fn a_saturated_conversion_to_an_integer_stays_saturated() {
    let module = made(
        &halves(
            "%r = OpConvertFToU %ushort %h",
            "OpDecorate %r SaturatedConversion\nOpDecorate %r FPRoundingMode RTP",
        ),
        &NEEDS,
    );
    let [conversion] = of(&module, Op::ConvertFToU).try_into().unwrap();
    assert_eq!(of(&module, Op::Decorate).iter().filter(|line| line[0] == conversion[1]).count(), 2);
    assert_eq!(count(&module, Op::FConvert), 1, "the operand is widened");
}

#[test]
fn a_conversion_to_the_nearest_number_needs_no_decoration() {
    let module = made(&halves("%r = OpConvertUToF %half %l", "OpDecorate %r FPRoundingMode RTE"), &NEEDS);
    // The other decorations belong to built-ins.
    let modes = of(&module, Op::Decorate).into_iter().filter(|line| line[1] == 39);
    assert_eq!((modes.count(), count(&module, Op::ConvertUToF)), (0, 2));
}

/// PoCL 7.1 has the collectives of other numbers. Sums are rounded once.
#[test]
fn a_collective_goes_through_local_memory() {
    let needs = Needs { collectives: Collectives::WithoutProducts, most_items: 64, ..NEEDS };
    let code = "%f = OpFConvert %float %h
                %r = OpGroupFMax %half %group Reduce %h
                %s = OpGroupFMax %float %group Reduce %f";
    let module = made(&halves(code, ""), &needs);
    assert_eq!(count(&module, Op::GroupFMax), 1);
    assert!(count(&module, Op::ControlBarrier) > 0);
    for opcode in [Op::ExtInst, Op::FunctionCall] {
        let lines = of(&module, opcode);
        assert!(
            !lines.is_empty() && lines.iter().all(|line| width(&module, line[0]) == Some(32)),
            "{opcode:?}"
        );
    }
}

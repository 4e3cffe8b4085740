//! Functions of numbers that a driver gets wrong.

use std::borrow::Cow;

use sycl_pi_image::spirv::{CLOp, Module, Needs, Op, legalize};

use crate::common::{count, kernel, made, of};

const DECLARATIONS: &str = "OpCapability Float64
                            OpCapability Float16
                            %half = OpTypeFloat 16
                            %double = OpTypeFloat 64
                            %v2double = OpTypeVector %double 2
                            %v2uint = OpTypeVector %uint 2
                            %p_v2uint = OpTypePointer CrossWorkgroup %v2uint
                            %p_v2double = OpTypePointer CrossWorkgroup %v2double";

/// The operands: a number of each type, and vectors.
const NUMBERS: &str = "%h = OpConvertUToF %half %x
                       %f = OpConvertUToF %float %x
                       %d = OpConvertUToF %double %x
                       %e = OpConvertUToF %double %y
                       %d2 = OpCompositeConstruct %v2double %d %e
                       %quotients = OpBitcast %p_v2uint %out\n";

fn needs() -> Needs {
    Needs {
        exact_functions: true,
        exact_nextafter: true,
        no_hints: true,
        whole_interfaces: true,
        ..Needs::default()
    }
}

/// Returns the module of a kernel that runs this code, and what it is after the rewrite.
fn both(declarations: &str, code: &str) -> [Module; 2] {
    let module = kernel(&format!("{DECLARATIONS}\n{declarations}"), &format!("{NUMBERS}{code}"));
    [
        made(&module, &Needs { exact_functions: false, exact_nextafter: false, ..needs() }),
        made(&module, &needs()),
    ]
}

/// Returns the functions of OpenCL.std that a module calls.
fn called(module: &Module) -> Vec<u32> {
    of(module, Op::ExtInst).iter().map(|operands| operands[3]).collect()
}

#[track_caller]
fn stays(code: &str) {
    let module = kernel(DECLARATIONS, &format!("{NUMBERS}{code}"));
    let needs = Needs { exact_functions: true, exact_nextafter: true, ..Needs::default() };
    assert!(matches!(legalize(&module, &needs).unwrap().module, Cow::Borrowed(_)), "{code}");
}

#[test]
fn each_function_that_the_driver_gets_wrong_is_replaced() {
    for (function, code) in [
        (CLOp::sign, "%r = OpExtInst %half %cl sign %h"),
        (CLOp::sign, "%r = OpExtInst %v2double %cl sign %d2"),
        (CLOp::fmod, "%r = OpExtInst %double %cl fmod %d %e"),
        (CLOp::remainder, "%r = OpExtInst %v2double %cl remainder %d2 %d2"),
        (CLOp::remquo, "%r = OpExtInst %v2double %cl remquo %d2 %d2 %quotients"),
        (CLOp::ldexp, "%r = OpExtInst %double %cl ldexp %d %x"),
        (CLOp::nextafter, "%r = OpExtInst %half %cl nextafter %h %h"),
        (CLOp::nextafter, "%r = OpExtInst %float %cl nextafter %f %f"),
        (CLOp::s_mad_sat, "%r = OpExtInst %ulong %cl s_mad_sat %l %l %l"),
    ] {
        let [before, after] = both("", code);
        assert_eq!(called(&before), [function as u32]);
        assert!(!called(&after).contains(&(function as u32)), "{code}");
    }
    let [before, after] = both("", "%r = OpFRem %v2double %d2 %d2");
    assert_eq!((count(&before, Op::FRem), count(&after, Op::FRem)), (1, 0));
}

#[test]
fn a_remainder_is_not_divided_by_zero() {
    let needs =
        Needs { remainders_by_zero: true, no_hints: true, whole_interfaces: true, ..Needs::default() };
    for (function, code) in [
        (CLOp::fmod, "%r = OpExtInst %half %cl fmod %h %h"),
        (CLOp::remainder, "%r = OpExtInst %float %cl remainder %f %f"),
        (CLOp::remquo, "%r = OpExtInst %v2double %cl remquo %d2 %d2 %quotients"),
    ] {
        let after = made(&kernel(DECLARATIONS, &format!("{NUMBERS}{code}")), &needs);
        let [call]: [Vec<u32>; 1] = of(&after, Op::ExtInst).try_into().unwrap();
        let [divisor, result]: [Vec<u32>; 2] = of(&after, Op::Select).try_into().unwrap();
        assert_eq!(call[3], function as u32);
        // Zero is what both selections are about. The second one takes the rest unless the divisor is zero.
        assert_eq!((call[5], divisor[2], result[4]), (divisor[1], result[2], call[1]), "{code}");
        assert_ne!(call[4], call[5]);
    }
}

#[test]
fn quotients_of_and_by_constant_zeros_are_replaced() {
    let constants = "%f_0 = OpConstant %float 0
                     %f_minus_0 = OpConstant %float 0x80000000
                     %h_minus_0 = OpConstant %half 0x8000
                     %d_0 = OpConstantNull %double
                     %d2_0 = OpConstantNull %v2double";
    let products = |code: &str| count(&both(constants, code)[1], Op::FMul);
    assert_eq!(products("%r = OpFDiv %double %d %d"), 0);
    for code in [
        "%r = OpFDiv %float %f %f_0",
        "%r = OpFDiv %float %f %f_minus_0",
        "%r = OpFDiv %half %h %h_minus_0",
        "%r = OpFDiv %double %d %d_0",
        "%r = OpFDiv %double %d_0 %d",
        "%r = OpFDiv %v2double %d2 %d2_0",
        "%copy = OpCopyObject %double %d_0\n%again = OpCopyObject %double %copy\n%r = OpFDiv %double %d %again",
        "%mixed = OpCompositeConstruct %v2double %d %d_0\n%r = OpFDiv %v2double %d2 %mixed",
    ] {
        assert_eq!(products(code), 2, "{code}");
    }
}

#[test]
fn what_saturates_is_replaced_where_the_driver_does_not_saturate_constants() {
    let needs = Needs { saturated_constants: true, ..needs() };
    for (function, code) in [
        (CLOp::u_add_sat, "%r = OpExtInst %uchar %cl u_add_sat %c %c"),
        (CLOp::u_add_sat, "%r = OpExtInst %v2uint %cl u_add_sat %pair %pair"),
        (CLOp::s_add_sat, "%r = OpExtInst %uchar %cl s_add_sat %c %c"),
        (CLOp::s_add_sat, "%r = OpExtInst %ulong %cl s_add_sat %l %l"),
        (CLOp::s_sub_sat, "%r = OpExtInst %v2uint %cl s_sub_sat %pair %pair"),
    ] {
        let numbers = "%c = OpUConvert %uchar %x\n%pair = OpCompositeConstruct %v2uint %x %y\n";
        let module = kernel(DECLARATIONS, &format!("{numbers}{code}"));
        assert_eq!(called(&made(&module, &Needs { saturated_constants: false, ..needs })), [function as u32]);
        assert!(called(&made(&module, &needs)).is_empty(), "{code}");
    }
    let module = kernel(DECLARATIONS, "%r = OpExtInst %uint %cl u_sub_sat %x %y");
    assert_eq!(called(&made(&module, &needs)), [CLOp::u_sub_sat as u32]);
}

/// The second rewrite of a module adds nothing.
#[test]
fn negative_numbers_are_raised_to_0_before_a_saturated_conversion_to_unsigned_integers() {
    let needs = Needs { saturated_constants: true, ..needs() };
    let raised = |declarations: &str, code: &str| {
        let module = kernel(&format!("{DECLARATIONS}\n{declarations}"), &format!("{NUMBERS}{code}"));
        let once = legalize(&module, &needs).unwrap().module;
        let [once, twice] = [&module[..], &once].map(|module| called(&made(module, &needs)));
        assert_eq!(once, twice, "{code}");
        once.into_iter().filter(|function| *function == CLOp::fmax as u32).count()
    };
    let saturated = "OpDecorate %r SaturatedConversion";
    for code in ["%r = OpConvertFToU %uchar %f", "%r = OpConvertFToU %v2uint %d2"] {
        assert_eq!(raised(saturated, code), 1, "{code}");
        assert_eq!(raised("", code), 0, "{code}");
    }
    assert_eq!(raised(saturated, "%r = OpConvertFToS %uint %f"), 0);
}

/// The driver's own function is for small and huge arguments, and another call is for the rest of the others.
#[test]
fn the_arguments_of_sines_cosines_and_tangents_of_doubles_are_reduced() {
    use CLOp::{cos, sin, tan};
    let needs = Needs { reduced_angles: true, ..needs() };
    let calls = |code: &str| {
        let module = kernel(DECLARATIONS, &format!("{NUMBERS}{code}"));
        let once = legalize(&module, &needs).unwrap().module;
        let twice = legalize(&once, &needs).unwrap().module;
        assert!(matches!(twice, Cow::Borrowed(_)), "{code}");
        let made = made(&module, &needs);
        let names = [sin, cos, tan, CLOp::sincos];
        let mut calls = called(&made);
        calls.retain(|function| names.iter().any(|name| *name as u32 == *function));
        (calls, count(&made, Op::Store))
    };
    for (code, functions, stores) in [
        ("%r = OpExtInst %double %cl sin %d", [sin, sin].as_slice(), 0),
        ("%r = OpExtInst %v2double %cl cos %d2", &[cos, sin], 0),
        ("%r = OpExtInst %double %cl tan %d", &[tan, tan], 0),
        (
            "%p = OpBitcast %p_v2double %out\n%r = OpExtInst %v2double %cl sincos %d2 %p",
            &[sin, sin, cos, sin],
            1,
        ),
        ("%r = OpExtInst %float %cl sin %f", &[sin], 0),
    ] {
        let functions: Vec<u32> = functions.iter().map(|function| *function as u32).collect();
        assert_eq!(calls(code), (functions, stores), "{code}");
    }
}

#[test]
fn functions_that_the_driver_gets_right_stay() {
    stays("%r = OpExtInst %float %cl fmod %f %f");
    stays("%r = OpExtInst %half %cl remainder %h %h");
    stays("%r = OpExtInst %float %cl ldexp %f %x");
    stays("%r = OpExtInst %uint %cl s_mad_sat %x %x %x");
    stays("%r = OpExtInst %double %cl fabs %d");
    stays("%r = OpFConvert %float %d");
    stays("%r = OpFConvert %half %f");
    stays("%r = OpFDiv %float %f %f");
}

#[test]
fn a_remainder_of_floats_or_halves_is_fmod() {
    for code in ["%r = OpFRem %float %f %f", "%r = OpFRem %half %h %h"] {
        let [before, after] = both("", code);
        assert_eq!((count(&before, Op::FRem), called(&before)), (1, Vec::new()));
        assert_eq!((count(&after, Op::FRem), called(&after)), (0, vec![CLOp::fmod as u32]), "{code}");
    }
}

#[test]
fn small_integers_are_hidden_from_conversions_to_floats() {
    let hidden = |code: &str| {
        let module = kernel(
            "OpCapability Int16\nOpCapability Float64\n%ushort = OpTypeInt 16 0\n%double = OpTypeFloat 64",
            code,
        );
        let needs =
            Needs { hidden_small_integers: true, no_hints: true, whole_interfaces: true, ..Needs::default() };
        let once = legalize(&module, &needs).unwrap().module;
        assert!(matches!(legalize(&once, &needs).unwrap().module, Cow::Borrowed(_)), "twice: {code}");
        count(&made(&module, &needs), Op::BitwiseXor)
    };
    assert_eq!(hidden("%s = OpUConvert %ushort %x\n%r = OpConvertSToF %float %s"), 1);
    assert_eq!(
        hidden("%s = OpUConvert %ushort %x\n%w = OpUConvert %ulong %s\n%r = OpConvertUToF %float %w"),
        1
    );
    assert_eq!(hidden("%s = OpUConvert %ushort %x\n%r = OpConvertUToF %double %s"), 0);
    assert_eq!(hidden("%r = OpConvertUToF %float %x"), 0);
}

#[test]
fn a_product_of_vectors_is_a_sum_of_products() {
    let after = &both("", "%r = OpDot %double %d2 %d2")[1];
    assert_eq!([Op::Dot, Op::FMul, Op::FAdd].map(|opcode| count(after, opcode)), [0, 1, 1]);
}

/// Returns the functions and comparisons that are added after a conversion.
fn guards(code: &str) -> usize {
    let [before, after] = both("", code);
    let added = |module: &Module| count(module, Op::IsNan) + count(module, Op::ExtInst);
    added(&after) - added(&before)
}

#[test]
fn a_conversion_that_rounds_is_guarded_if_its_type_is_converted_back() {
    // The operands of all kernels here are converted from integers of 32 bits to halves and floats.
    let [to_double, to_float] = ["%b = OpFConvert %double %r", "%b = OpFConvert %float %r"];
    assert_eq!(guards(&format!("%r = OpFConvert %float %d\n{to_double}")), 2);
    assert_eq!(guards(&format!("%r = OpFConvert %half %f\n{to_float}")), 2);
    assert_eq!(guards(&format!("%r = OpConvertSToF %float %l\n{to_double}")), 2);
    assert_eq!(guards("%r = OpConvertUToF %double %l\n%b = OpConvertFToU %uint %r"), 1);
    // Each of 32 bits is a double.
    assert_eq!(guards("%r = OpConvertUToF %double %x\n%b = OpConvertFToU %uint %r"), 0);
    assert_eq!(guards("%r = OpConvertSToF %float %l"), 0);
}

#[test]
fn a_guarded_conversion_keeps_its_rounding_mode() {
    let code = "%r = OpConvertSToF %float %l\n%b = OpConvertFToS %uint %r";
    let [_, after] = both("OpDecorate %r FPRoundingMode RTP", code);
    let mode = of(&after, Op::Decorate).into_iter().find(|words| words[1] == 39).unwrap();
    assert!(of(&after, Op::ConvertSToF).iter().any(|words| words[1] == mode[0]), "{mode:?}");
}

/// One function divides each component of all doubles, and is inlined.
#[test]
fn each_component_is_divided_without_a_call() {
    let code = "%r = OpExtInst %v2double %cl fmod %d2 %d2
                %s = OpExtInst %double %cl remainder %d %e";
    let [before, after] = both("", code);
    assert_eq!(count(&before, Op::UDiv), 0);
    assert_eq!((count(&after, Op::Function), count(&after, Op::FunctionCall)), (1, 0));
    // Before the loop, and in it.
    assert_eq!(count(&after, Op::UDiv), 3 * 2);
}

#[test]
fn remquo_stores_a_quotient_for_each_component() {
    let [_, after] = both("", "%r = OpExtInst %v2double %cl remquo %d2 %d2 %quotients");
    let stores = of(&after, Op::Store);
    let [quotients] = stores.as_slice() else { panic!("{stores:?}") };
    let pointers = of(&after, Op::Bitcast);
    assert!(pointers.iter().any(|pointer| pointer[1] == quotients[0]), "{stores:?}");
    let vectors = of(&after, Op::CompositeConstruct);
    assert!(vectors.iter().any(|vector| vector[1] == quotients[1] && vector.len() == 4), "{vectors:?}");
}

/// It is no conversion any more. The conversion to halves is still one, of a float.
#[test]
fn only_conversions_to_halves_keep_their_rounding_mode() {
    let declarations = "OpDecorate %r FPRoundingMode RTZ\nOpDecorate %s FPRoundingMode RTP";
    let [_, after] = both(declarations, "%r = OpFConvert %float %d\n%s = OpFConvert %half %d");
    let modes: Vec<_> = of(&after, Op::Decorate).into_iter().filter(|words| words[1] == 39).collect();
    let [mode] = modes.as_slice() else { panic!("{modes:?}") };
    assert_eq!(mode[2], 2);
    let conversions = of(&after, Op::FConvert);
    let to_half = conversions.iter().find(|words| words[1] == mode[0]).unwrap();
    let floats = of(&after, Op::TypeFloat);
    let float = floats.iter().find(|words| words[1] == 32).unwrap()[0];
    let bitcasts = of(&after, Op::Bitcast);
    assert!(bitcasts.iter().any(|words| words[1] == to_half[2] && words[0] == float), "{to_half:?}");
}

/// The bits of halves are integers of 16 bits, which a module with halves need not have.
#[test]
fn the_integers_that_are_needed_are_declared() {
    const INT16: u32 = 22;
    let [before, after] = both("", "%r = OpExtInst %half %cl nextafter %h %h");
    let has = |module: &Module| of(module, Op::Capability).iter().filter(|words| words[0] == INT16).count();
    assert_eq!((has(&before), has(&after)), (0, 1));
}

#[test]
fn a_store_of_a_double_as_a_half_is_one_of_a_float() {
    let code = "%p = OpBitcast %p_half %out
                %r = OpExtInst %void %cl vstore_halfn_r %d2 %l %p RTN";
    let [before, after] = both("%p_half = OpTypePointer CrossWorkgroup %half", code);
    let stored = |module: &Module| {
        let store = of(module, Op::ExtInst).into_iter().find(|words| words[3] == CLOp::vstore_halfn_r as u32);
        let store = store.unwrap();
        (store[4], store[5..].to_vec())
    };
    let ((old, others), (new, same)) = (stored(&before), stored(&after));
    assert_ne!(old, new);
    assert_eq!(others, same);
}

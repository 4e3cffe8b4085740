//! Functions that are called for one component of a vector at a time, and products of 24-bit integers.

use sycl_pi_image::spirv::{CLOp, Module, Needs, Op, VectorFunctions};

use crate::common::{NONE, count, kernel, made, of, program};

const SINES: Needs =
    Needs { no_hints: true, whole_interfaces: true, vector_functions: VectorFunctions::WithoutSines, ..NONE };
const LONG: Needs = Needs { vector_functions: VectorFunctions::WithoutLong, ..SINES };

/// Values `%float2`, `%float4`, `%double4`, `%double16`, `%ulong2`, `%ulong3` and `%ulong16`, which are all 0, and types.
const VALUES: &str = "OpCapability Vector16
    OpCapability Float64
    OpCapability Int16
    %double = OpTypeFloat 64
    %ushort = OpTypeInt 16 0
    %v4float = OpTypeVector %float 4
    %v4double = OpTypeVector %double 4
    %v16double = OpTypeVector %double 16
    %v2ulong = OpTypeVector %ulong 2
    %v4ulong = OpTypeVector %ulong 4
    %v16ulong = OpTypeVector %ulong 16
    %v2bool = OpTypeVector %bool 2
    %v4bool = OpTypeVector %bool 4
    %v16bool = OpTypeVector %bool 16
    %f_ulong = OpTypePointer Function %ulong
    %f_ushort = OpTypePointer Function %ushort
    %f_v4double = OpTypePointer Function %v4double
    %l_1 = OpConstant %ulong 1
    %float2 = OpConstantNull %v2float
    %float4 = OpConstantNull %v4float
    %double4 = OpConstantNull %v4double
    %double16 = OpConstantNull %v16double
    %ulong2 = OpConstantNull %v2ulong
    %ulong3 = OpConstantNull %v3ulong
    %ulong4 = OpConstantNull %v4ulong
    %ulong16 = OpConstantNull %v16ulong
    %other16 = OpUndef %v16double";

fn rewritten(code: &str, needs: &Needs) -> Module {
    made(&kernel(VALUES, code), needs)
}

/// Returns the functions of OpenCL.std that a module calls, each with the number of its arguments.
fn calls(module: &Module) -> Vec<(u32, usize)> {
    of(module, Op::ExtInst).iter().map(|words| (words[3], words.len() - 4)).collect()
}

#[test]
fn a_function_of_a_long_vector_is_called_for_each_component() {
    let after = made(&program("long"), &LONG);
    assert_eq!(calls(&after), vec![(CLOp::popcount as u32, 1); 16]);
    let built = of(&after, Op::CompositeConstruct);
    let [_, counts] = built.try_into().unwrap();
    let results: Vec<u32> = of(&after, Op::ExtInst).iter().map(|words| words[1]).collect();
    assert_eq!(counts[2..], results);
    let taken: Vec<u32> = of(&after, Op::CompositeExtract).iter().map(|words| words[3]).collect();
    // Those after the local ids.
    assert!(taken.windows(16).any(|numbers| numbers.iter().copied().eq(0..16)));
}

#[test]
fn vectors_that_fit_into_a_register_stay() {
    for (code, expected) in [
        ("%r = OpExtInst %v4float %cl fmax %float4 %float4", vec![(CLOp::fmax as u32, 2)]),
        ("%r = OpExtInst %v2ulong %cl popcount %ulong2", vec![(CLOp::popcount as u32, 1)]),
        ("%r = OpExtInst %v3ulong %cl popcount %ulong3", vec![(CLOp::popcount as u32, 1); 3]),
        ("%r = OpExtInst %v4double %cl fmax %double4 %double4", vec![(CLOp::fmax as u32, 2); 4]),
    ] {
        assert_eq!(calls(&rewritten(code, &LONG)), expected, "{code}");
        let before = rewritten(code, &SINES);
        assert_eq!(calls(&before), expected[..1], "{code}");
    }
}

#[test]
fn sines_of_floats_are_called_for_each_component() {
    for function in [CLOp::sin, CLOp::cos, CLOp::tan, CLOp::half_sin, CLOp::half_cos, CLOp::half_tan] {
        let code = format!("%r = OpExtInst %v2float %cl {function:?} %float2");
        assert_eq!(calls(&rewritten(&code, &SINES)), vec![(function as u32, 1); 2]);
        assert_eq!(calls(&rewritten(&code, &LONG)), vec![(function as u32, 1); 2]);
    }
    let double = rewritten("%r = OpExtInst %v4double %cl sin %double4", &SINES);
    assert_eq!(calls(&double), [(CLOp::sin as u32, 1)]);
}

/// The result is put together from computations that are rounded like any other.
#[test]
fn how_a_split_computation_may_be_rounded_is_not_said_of_its_result() {
    let code = "%r = OpExtInst %v4double %cl fmax %double4 %double4";
    let module = kernel(&format!("{VALUES}\nOpDecorate %r FPFastMathMode None"), code);
    let fast = |needs| of(&made(&module, needs), Op::Decorate).iter().filter(|words| words[1] == 40).count();
    assert_eq!((fast(&LONG), fast(&SINES)), (0, 1));
}

#[test]
fn a_second_result_is_written_component_by_component() {
    let code = "%second = OpVariable %f_v4double Function
                %r = OpExtInst %v4double %cl modf %double4 %second";
    let module = testing_legalize::kernel(VALUES, "%p_uint %in, %p_uint %out", code).unwrap();
    let after = made(&module, &Needs { ordered_blocks: true, ..LONG });
    let chains = of(&after, Op::InBoundsAccessChain);
    let pointers: Vec<u32> = chains.iter().map(|words| words[1]).collect();
    let written: Vec<u32> = of(&after, Op::ExtInst).iter().map(|words| words[5]).collect();
    assert_eq!((written.len(), written), (4, pointers));
    let [variable] = of(&after, Op::Variable)
        .into_iter()
        .filter(|words| words[2] == 7)
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    assert!(chains.iter().all(|words| words[2] == variable[1]));
}

/// Drivers call functions for these too.
#[test]
fn tests_of_floats_and_counts_of_bits_are_made_for_each_component() {
    for (code, opcode) in [
        ("%r = OpIsNan %v16bool %double16", Op::IsNan),
        ("%r = OpIsInf %v16bool %double16", Op::IsInf),
        ("%r = OpIsFinite %v16bool %double16", Op::IsFinite),
        ("%r = OpIsNormal %v16bool %double16", Op::IsNormal),
        ("%r = OpSignBitSet %v16bool %double16", Op::SignBitSet),
        ("%r = OpLessOrGreater %v16bool %double16 %double16", Op::LessOrGreater),
        ("%r = OpOrdered %v16bool %double16 %double16", Op::Ordered),
        ("%r = OpUnordered %v16bool %double16 %double16", Op::Unordered),
        ("%r = OpBitCount %v16ulong %ulong16", Op::BitCount),
    ] {
        assert_eq!(count(&rewritten(code, &LONG), opcode), 16, "{code}");
        assert_eq!(count(&rewritten(code, &SINES), opcode), 1, "{code}");
    }
    assert_eq!(count(&rewritten("%r = OpFMul %v16double %double16 %double16", &LONG), Op::FMul), 1);
}

/// A component of a vector selects by its sign, and a scalar by whether it is 0.
#[test]
fn a_selection_by_a_long_vector_looks_at_the_signs() {
    let after = rewritten("%r = OpExtInst %v16double %cl select %double16 %other16 %ulong16", &LONG);
    assert_eq!((count(&after, Op::ExtInst), count(&after, Op::SLessThan)), (0, 1));
    let [less] = of(&after, Op::SLessThan).try_into().unwrap();
    let [select] = of(&after, Op::Select).try_into().unwrap();
    let [other] = of(&after, Op::Undef).try_into().unwrap();
    assert_eq!(select[2..4], [less[1], other[1]]);
}

#[test]
fn a_shuffle_of_long_vectors_takes_each_component_by_the_mask_s_lowest_bits() {
    let after = rewritten("%r = OpExtInst %v16ulong %cl shuffle %ulong4 %ulong16", &LONG);
    assert_eq!((count(&after, Op::ExtInst), count(&after, Op::VectorExtractDynamic)), (0, 16));
    let and = &of(&after, Op::BitwiseAnd)[0];
    let mask = of(&after, Op::Constant).into_iter().find(|words| words[1] == and[3]).unwrap();
    assert_eq!(mask[2..], [3, 0]);

    let after = rewritten("%r = OpExtInst %v16double %cl shuffle2 %double4 %double4 %ulong16", &LONG);
    assert_eq!((count(&after, Op::ExtInst), count(&after, Op::Select)), (0, 16));
    let which = &of(&after, Op::BitwiseAnd)[1];
    let bit = of(&after, Op::Constant).into_iter().find(|words| words[1] == which[3]).unwrap();
    assert_eq!(bit[2..], [4, 0]);
}

#[test]
fn a_long_vector_is_stored_component_by_component() {
    let place = "%place = OpVariable %f_ulong Function\n";
    let store = format!("{place}%r = OpExtInst %void %cl vstoren %ulong3 %l_1 %place");
    let after = rewritten(&store, &Needs { ordered_blocks: true, ..LONG });
    assert_eq!((count(&after, Op::ExtInst), count(&after, Op::Store)), (0, 3));
    assert!(of(&after, Op::Store).iter().all(|words| words[2..] == [2, 8]));
}

/// Behind an aligned vector of three halves, there is a gap.
#[test]
fn halves_are_stored_where_the_vector_would_have_them() {
    let place = "%half = OpTypeFloat 16\nOpCapability Float16Buffer\n%f_half = OpTypePointer Function %half
                 %v3double = OpTypeVector %double 3\n%double3 = OpConstantNull %v3double";
    for (function, single, apart) in [
        ("vstore_halfn", CLOp::vstore_half, 3),
        ("vstorea_halfn", CLOp::vstore_half, 4),
        ("vstore_halfn_r", CLOp::vstore_half_r, 3),
        ("vstorea_halfn_r", CLOp::vstore_half_r, 4),
    ] {
        let rounding = if function.ends_with('r') { "1" } else { "" };
        let code = format!(
            "%place = OpVariable %f_half Function
             %r = OpExtInst %void %cl {function} %double3 %l_1 %place {rounding}"
        );
        let module = kernel(&format!("{VALUES}\n{place}"), &code);
        let after = made(&module, &Needs { ordered_blocks: true, ..LONG });
        let arguments = if rounding.is_empty() { 3 } else { 4 };
        assert_eq!(calls(&after), vec![(single as u32, arguments); 3], "{function}");
        let scaled = &of(&after, Op::IMul)[0];
        let factor = of(&after, Op::Constant).into_iter().find(|words| words[1] == scaled[3]).unwrap();
        assert_eq!(factor[2], apart, "{function}");
    }
}

/// Its components are not independent of each other.
#[test]
fn a_geometric_function_of_a_long_vector_stays() {
    let code = "%r = OpExtInst %v4double %cl normalize %double4";
    assert_eq!(calls(&rewritten(code, &LONG)), [(CLOp::normalize as u32, 1)]);
}

#[test]
fn a_signed_product_of_24_bits_is_an_ordinary_one() {
    let needs = Needs { no_hints: true, whole_interfaces: true, wrapping_integers: true, ..NONE };
    let after = made(&program("product"), &needs);
    assert_eq!((count(&after, Op::ExtInst), count(&after, Op::IMul)), (0, 1));
    let after = made(&kernel("", "%r = OpExtInst %uint %cl s_mad24 %x %y %u_7"), &needs);
    let [product] = of(&after, Op::IMul).try_into().unwrap();
    let [sum] = of(&after, Op::IAdd).try_into().unwrap();
    assert_eq!((calls(&after).len(), sum[2]), (0, product[1]));
    let after = made(&kernel("", "%r = OpExtInst %uint %cl u_mul24 %x %y"), &needs);
    assert_eq!(count(&after, Op::ExtInst), 1);
}

#[test]
fn absolute_values_are_chosen_by_the_sign() {
    let needs = Needs { no_hints: true, whole_interfaces: true, wrapping_integers: true, ..NONE };
    let after = made(&program("smallest"), &needs);
    let [negated] = of(&after, Op::SNegate).try_into().unwrap();
    let select = &of(&after, Op::Select)[0];
    assert_eq!((calls(&after).len(), &select[3..]), (0, &[negated[1], negated[2]][..]));

    let after = made(&kernel("", "%r = OpExtInst %uint %cl s_abs_diff %x %u_7"), &needs);
    let [one, other] = of(&after, Op::ISub).try_into().unwrap();
    let [less] = of(&after, Op::SLessThan).try_into().unwrap();
    let [select] = of(&after, Op::Select).try_into().unwrap();
    assert_eq!((calls(&after).len(), &select[2..]), (0, &[less[1], other[1], one[1]][..]));
    assert_eq!((&one[2..], &less[2..]), (&[other[3], other[2]][..], &one[2..]));
}

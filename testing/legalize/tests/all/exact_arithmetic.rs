//! Decorations of sums, differences, products and quotients.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of};

const NEEDS: Needs = Needs { exact_arithmetic: true, no_hints: true, whole_interfaces: true, ..NONE };
/// FPFastMathMode.
const MODE: u32 = 40;

/// Returns the modes that a module has, except for those that allow nothing.
fn modes(code: &str, declarations: &str) -> (usize, Vec<u32>) {
    let module = kernel(declarations, &format!("%f = OpConvertUToF %float %x\n{code}"));
    let once = legalize(&module, &NEEDS).unwrap().module;
    assert!(matches!(legalize(&once, &NEEDS).unwrap().module, Cow::Borrowed(_)), "decorated again");
    let decorations = of(&made(&module, &NEEDS), Op::Decorate);
    let modes: Vec<u32> = decorations.iter().filter(|words| words[1] == MODE).map(|words| words[2]).collect();
    (modes.len(), modes.into_iter().filter(|mode| *mode != 0).collect())
}

#[test]
fn each_of_the_four_operations_is_exact() {
    for operation in ["FAdd", "FSub", "FMul", "FDiv"] {
        assert_eq!(modes(&format!("%r = Op{operation} %float %f %f"), ""), (1, Vec::new()), "{operation}");
    }
    assert_eq!(modes("%r = OpIAdd %uint %x %y", ""), (0, Vec::new()));
}

#[test]
fn a_product_of_a_vector_and_a_scalar_is_exact_too() {
    let code = "%v = OpCompositeConstruct %v2float %f %f\n%r = OpVectorTimesScalar %v2float %v %f";
    assert_eq!(modes(code, ""), (1, Vec::new()));
}

#[test]
fn what_a_module_allows_stays() {
    let code = "%r = OpFAdd %float %f %f\n%s = OpFMul %float %r %r";
    // AllowRecip and Fast.
    assert_eq!(modes(code, "OpDecorate %r FPFastMathMode 8"), (2, vec![8]));
    assert_eq!(modes(code, "OpDecorate %s FPFastMathMode 16"), (2, vec![16]));
}

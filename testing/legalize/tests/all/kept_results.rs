//! Uses of results at the end of kernels.

use std::borrow::Cow;

use sycl_pi_image::spirv::{CLOp, Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of};

const NEEDS: Needs = Needs { kept_results: true, no_hints: true, whole_interfaces: true, ..NONE };
const BARRIER: &str = "OpControlBarrier %group %group %seq_cst\n";
const FUNCTION: &str = "%f = OpConvertUToF %float %x\n%root = OpExtInst %float %cl sqrt %f\n";

/// Returns how many results of `erf` a kernel stores.
fn stored(code: &str) -> usize {
    let after = made(&kernel("", code), &NEEDS);
    let calls = of(&after, Op::ExtInst);
    let is_erf = |call: &&Vec<u32>| call[3] == CLOp::erf as u32;
    let count = calls.iter().filter(is_erf).count();
    assert_eq!((of(&after, Op::Store).len(), of(&after, Op::BranchConditional).len()), (count, count));
    count
}

#[test]
fn a_kernel_with_barriers_and_functions_uses_a_result_before_it_returns() {
    assert_eq!(stored(&format!("{BARRIER}{FUNCTION}")), 1);
    let module = kernel("", &format!("{BARRIER}{FUNCTION}"));
    let once = legalize(&module, &NEEDS).unwrap().module;
    assert!(matches!(legalize(&once, &NEEDS).unwrap().module, Cow::Borrowed(_)), "a second use");
}

#[test]
fn kernels_without_barriers_or_mathematical_functions_stay() {
    assert_eq!(stored(FUNCTION), 0);
    assert_eq!(stored(BARRIER), 0);
    assert_eq!(stored(&format!("{BARRIER}%least = OpExtInst %uint %cl u_min %x %y\n")), 0);
}

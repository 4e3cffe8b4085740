//! Execution modes for zeros, infinities and NaN.

use std::borrow::Cow;

use sycl_pi_image::spirv::{Needs, Op, legalize};

use crate::common::{NONE, kernel, made, of, program};

const NEEDS: Needs = Needs { float_controls: true, no_hints: true, whole_interfaces: true, ..NONE };
/// SignedZeroInfNanPreserve.
const PRESERVE: u32 = 4461;

#[test]
fn each_kernel_asks_for_each_width_of_numbers_once() {
    let half = kernel("OpCapability Float16\n%half = OpTypeFloat 16", "");
    let after = made(&half, &NEEDS);
    let kernel = of(&after, Op::EntryPoint)[0][1];
    assert_eq!(of(&after, Op::ExecutionMode), [[kernel, PRESERVE, 32], [kernel, PRESERVE, 16]]);
    let twice = after.to_bytes().unwrap();
    assert!(matches!(legalize(&twice, &NEEDS).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn the_capability_and_its_extension_are_declared() {
    let after = made(&program("zero"), &NEEDS);
    assert!(of(&after, Op::Capability).contains(&vec![4466]));
    assert_eq!(of(&after, Op::Extension).len(), 1);
}

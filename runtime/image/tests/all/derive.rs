//! Property sets derived from the code of every image, beside the compiler's.

use std::collections::BTreeSet;

use sycl_pi_image::derive::{SetDifference, compare};

use crate::common;

/// What leaves no trace in the code; docs/reports/images-derived.md says why for each.
const NOT_DERIVABLE: [&str; 15] = [
    "feat_has.0 SYCL/device requirements",
    "feat_has.1 SYCL/device requirements",
    "feat_has.2 SYCL/device requirements",
    "feat_wgmax.0 SYCL/program metadata",
    "misc_local SYCL/kernel param opt",
    "misc_scratch SYCL/kernel param opt",
    "misc_virtual.0 SYCL/exported symbols",
    "misc_virtual.0 SYCL/virtual functions",
    "misc_virtual.1 SYCL/virtual functions",
    "registered SYCL/registered kernels",
    "spec_one_default SYCL/kernel param opt",
    "spec_one_default SYCL/misc properties",
    "spec_struct_default SYCL/kernel param opt",
    "spec_struct_default SYCL/misc properties",
    "vadd_acc SYCL/kernel param opt",
];

#[test]
fn beside_the_compilers() {
    let mut differ: BTreeSet<String> = BTreeSet::new();
    let mut but: BTreeSet<&str> = BTreeSet::new();
    for image in common::images() {
        for comparison in compare(&image.parts()).unwrap() {
            match comparison.outcome {
                SetDifference::Equal => {}
                SetDifference::EqualBut(what) => {
                    but.insert(what);
                }
                SetDifference::Differs(_) => {
                    differ.insert(format!("{} {}", image.name, comparison.set));
                }
            }
        }
    }
    assert_eq!(differ.iter().map(String::as_str).collect::<Vec<_>>(), NOT_DERIVABLE);
    assert_eq!(
        but,
        BTreeSet::from(["symbolic names, which are the source's: the code has the numbers only"])
    );
}

//! Packed structures.

use sycl_pi_image::spirv::{Decoration, Needs, Op};

use crate::common::{kernel, made, of};

/// Returns how many of these structures stay packed.
fn packed(declarations: &str) -> usize {
    let needs = Needs { natural_layouts: true, ..Needs::default() };
    let after = made(&kernel(declarations, ""), &needs);
    of(&after, Op::Decorate).iter().filter(|words| words[1] == Decoration::CPacked as u32).count()
}

#[test]
fn a_structure_without_padding_is_not_packed() {
    assert_eq!(packed("OpDecorate %s CPacked\n%s = OpTypeStruct %uint %uint %ulong"), 0);
}

#[test]
fn a_structure_with_padding_between_or_behind_its_members_stays_packed() {
    assert_eq!(packed("OpDecorate %s CPacked\n%s = OpTypeStruct %uint %ulong"), 1);
    assert_eq!(packed("OpDecorate %s CPacked\n%s = OpTypeStruct %ulong %uint"), 1);
}

/// The inner structure is aligned to 1 byte as long as it is packed, and the outer one has it at offset 1.
#[test]
fn a_structure_that_would_move_inside_another_stays_packed() {
    let inner = "OpDecorate %inner CPacked\n%inner = OpTypeStruct %uint";
    assert_eq!(packed(&format!("{inner}\n%outer = OpTypeStruct %uchar %inner")), 1);
    assert_eq!(packed(&format!("{inner}\n%outer = OpTypeStruct %ulong %ulong %inner %inner")), 0);
}

#[test]
fn a_structure_in_a_packed_one_does_not_keep_it_packed() {
    let declarations = "OpDecorate %inner CPacked\n%inner = OpTypeStruct %uint %uint\n\
                        OpDecorate %outer CPacked\n%outer = OpTypeStruct %inner %ulong";
    assert_eq!(packed(declarations), 0);
}

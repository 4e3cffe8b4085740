//! Packed structures.

use sycl_pi_image::spirv::{Decoration, Needs, Op, legalize};

use crate::common::{kernel, made, of};

fn needs() -> Needs {
    Needs { natural_layouts: true, ..Needs::default() }
}

/// Returns how many of these structures stay packed.
fn packed(declarations: &str) -> usize {
    let after = made(&kernel(declarations, ""), &needs());
    of(&after, Op::Decorate).iter().filter(|words| words[1] == Decoration::CPacked as u32).count()
}

#[test]
fn a_structure_without_padding_is_not_packed() {
    assert_eq!(packed("OpDecorate %s CPacked\n%s = OpTypeStruct %uint %uint %ulong"), 0);
}

/// Each of these has two members, and needs no padding.
#[test]
fn members_of_every_kind_have_their_size() {
    let declarations = "%v3uint = OpTypeVector %uint 3
                        %v2uchar = OpTypeVector %uchar 2
                        %l_2 = OpConstant %ulong 2
                        %l_4 = OpConstant %ulong 4
                        %l_most = OpConstant %ulong 0x400000000
                        %most.bytes = OpTypeArray %uchar %l_most
                        %two.words = OpTypeArray %uint %l_2
                        %four.bytes = OpTypeArray %uchar %l_4
                        %four.again = OpTypeArray %uchar %u_4
                        %pair = OpTypeStruct %uchar %uint";
    for (members, is_same) in [
        ("%v3uint %v4uint", true),
        ("%v4uint %v3uint", true),
        ("%v3uint %uint", false),
        ("%p_uint %ulong", true),
        ("%uint %p_uint", false),
        ("%ulong %p_uint", true),
        ("%v2float %ulong", true),
        ("%v2uchar %v2uchar", true),
        ("%uchar %v2uchar", false),
        ("%bool %uchar", true),
        ("%two.words %ulong", true),
        ("%uint %two.words", true),
        ("%four.bytes %uint", true),
        ("%four.again %uint", true),
        ("%four.bytes %ulong", false),
        // A length of more than 32 bits counts as unknown.
        ("%most.bytes %uint", false),
        ("%pair %ulong", true),
        ("%pair %uint", true),
        ("%uchar %pair", false),
    ] {
        let packed = packed(&format!("{declarations}\nOpDecorate %s CPacked\n%s = OpTypeStruct {members}"));
        assert_eq!(packed, usize::from(!is_same), "{members}");
    }
}

/// A pointer of 4 bytes stands behind a number of 4 bytes without padding.
#[test]
fn pointers_have_the_size_of_the_addressing_model() {
    for (model, stays) in [("Physical32", 0), ("Physical64", 1)] {
        let text = format!(
            "OpCapability Addresses
             OpCapability Kernel
             OpMemoryModel {model} OpenCL
             OpDecorate %s CPacked
             %uint = OpTypeInt 32 0
             %p_uint = OpTypePointer CrossWorkgroup %uint
             %s = OpTypeStruct %uint %p_uint"
        );
        let after = made(&testing_nvvm::assemble(&text).unwrap(), &needs());
        assert_eq!(of(&after, Op::Decorate).len(), stays, "{model}");
    }
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

/// The first structure has its inner one at offset 1. The second one has no padding.
#[test]
fn a_structure_that_must_stay_packed_keeps_no_other_one_packed() {
    let declarations = "OpDecorate %inner CPacked\n%inner = OpTypeStruct %uint
                        %outer = OpTypeStruct %uchar %inner
                        OpDecorate %other CPacked\n%other = OpTypeStruct %uint %uint";
    assert_eq!(packed(declarations), 1);
    let aligned = "OpDecorate %last CPacked\n%last = OpTypeStruct %ulong";
    let declarations = declarations.replace("%uchar %inner", "%uchar %inner %uchar %uchar %uchar %last");
    assert_eq!(packed(&format!("{aligned}\n{declarations}")), 1);
}

/// An array of 4 bytes before the inner structure would leave it where it is, but a host may make it longer.
#[test]
fn a_structure_behind_an_array_of_specialized_length_stays_packed() {
    let outer = |length: &str| {
        format!(
            "{length}\n%bytes = OpTypeArray %uchar %length
             OpDecorate %inner CPacked\n%inner = OpTypeStruct %uint
             %outer = OpTypeStruct %bytes %inner"
        )
    };
    assert_eq!(packed(&outer("%length = OpConstant %uint 4")), 0);
    assert_eq!(packed(&outer("%length = OpSpecConstant %uint 4\nOpDecorate %length SpecId 0")), 1);
    assert_eq!(packed(&outer("%length = OpSpecConstantOp %uint 128 %u_3 %u_1")), 1);
}

/// Returns who is refused of a kernel that takes a structure of these members by value.
fn refusal(members: &str) -> Option<String> {
    let declarations = format!(
        "OpDecorate %s CPacked\n%s = OpTypeStruct {members}\n%p_s = OpTypePointer Function %s
         OpDecorate %value FuncParamAttr ByVal\nOpDecorate %value Alignment 1"
    );
    let module = testing_legalize::kernel(&declarations, "%p_uint %in, %p_s %value", "").unwrap();
    legalize(&module, &needs()).err().map(|error| error.to_string())
}

#[test]
fn a_kernel_that_takes_unaligned_numbers_by_value_is_refused() {
    let text = "kernel k is refused: argument 1 is a packed structure whose numbers are not aligned, and this \
                driver reads them wrong";
    assert_eq!(refusal("%uchar %uint").as_deref(), Some(text));
    // The members are in place, but the structure is aligned to 1 byte. Without the packing, it would have 16 bytes.
    assert_eq!(refusal("%ulong %uint").as_deref(), Some(text));
    assert_eq!(refusal("%uint %uint"), None);
    assert_eq!(refusal("%uchar %uchar %uchar"), None);
}

/// An array of such structures, too, and one that is no pointer, of which the first is named.
#[test]
fn the_argument_that_is_refused_is_the_first_with_unaligned_numbers() {
    let declarations = "OpDecorate %s CPacked\n%s = OpTypeStruct %uchar %uint
                        %both = OpTypeArray %s %u_4\n%p_both = OpTypePointer Function %both
                        OpDecorate %array FuncParamAttr ByVal\nOpDecorate %array Alignment 1";
    let refused = |parameters: &str| {
        let module = testing_legalize::kernel(declarations, parameters, "").unwrap();
        legalize(&module, &needs()).unwrap_err().to_string()
    };
    assert!(refused("%p_uint %in, %uint %n, %p_both %array").contains("argument 2 is"));
    assert!(refused("%s %value, %p_both %array").contains("argument 0 is"));
}

/// A pointer to such structures is no problem.
#[test]
fn a_kernel_that_takes_a_pointer_to_a_packed_structure_is_not_refused() {
    let declarations = "OpDecorate %s CPacked\n%s = OpTypeStruct %uchar %uint
                        %p_s = OpTypePointer CrossWorkgroup %s";
    let module = testing_legalize::kernel(declarations, "%p_uint %in, %p_s %out", "").unwrap();
    assert_eq!(legalize(&module, &needs()).unwrap().refused, []);
}

//! Copies of objects.

use sycl_pi_image::spirv::{Needs, Op};

use crate::common::{NONE, count, kernel, made, of, program};

const NEEDS: Needs =
    Needs { typed_copies: true, no_hints: true, whole_interfaces: true, ordered_blocks: true, ..NONE };

/// Copies 8 bytes from an object of this type to one of another type.
fn copied(from: &str, to: &str, size: u32) -> [usize; 2] {
    let declarations = format!(
        "%u_2 = OpConstant %uint 2
         %v3uchar = OpTypeVector %uchar 3
         %two = OpTypeArray %uint %u_2
         %pair = OpTypeStruct %uint %uint
         %padded = OpTypeStruct %uchar %uint
         %vector = OpTypeStruct %v3uchar %uint
         %p_byte = OpTypePointer Function %uchar
         %from.type = OpTypePointer Function %{from}
         %to.type = OpTypePointer Function %{to}
         %size = OpConstant %ulong {size}"
    );
    let code = "%a = OpVariable %from.type Function
                %b = OpVariable %to.type Function
                %a.bytes = OpBitcast %p_byte %a
                %b.bytes = OpBitcast %p_byte %b
                OpCopyMemorySized %b.bytes %a.bytes %size Aligned 4";
    // Two equal types of pointers are one.
    let declarations = if from == to {
        declarations.replace("%to.type = OpTypePointer Function %pair", "")
    } else {
        declarations
    };
    let code = if from == to { code.replace("%to.type", "%from.type") } else { code.to_owned() };
    let after = made(&kernel(&declarations, &code), &NEEDS);
    [Op::CopyMemory, Op::CopyMemorySized].map(|opcode| count(&after, opcode))
}

#[test]
fn an_object_without_padding_is_copied_as_a_value_of_its_type() {
    assert_eq!(copied("pair", "pair", 8), [1, 0]);
    assert_eq!(copied("pair", "two", 8), [1, 0]);
    assert_eq!(copied("ulong", "padded", 8), [1, 0]);
    let after = made(&program("overwritten"), &NEEDS);
    assert_eq!(of(&after, Op::CopyMemory)[0][2..], [2, 4], "the alignment stays");
}

#[test]
fn parts_of_objects_and_types_with_padding_are_copied_as_bytes() {
    assert_eq!(copied("pair", "two", 4), [0, 1]);
    assert_eq!(copied("padded", "vector", 8), [0, 1]);
}

//! The examples of the design documents, as printed there.

use sycl_pi_image::property::{Leaf, Requirements, SpecConstants};
use sycl_pi_image::spirv::{Decoration, Index, Module, Op, Reflection};
use sycl_pi_image::text::{FileTable, read_prop, write_prop};
use sycl_pi_image::{ImageParts, Properties, derive};

use crate::assembler::Assembler;

const INT: u32 = 1;
const FLOAT: u32 = 2;
const NESTED: u32 = 3;
const A: u32 = 4;

/// `struct Nested { float a, b; }; struct A { int x; Nested n; };` with `specialization_id<int> id_int(42)`,
/// `specialization_id<A> id_A(1, 2.0, 3.0)` and `specialization_id<Nested> id_Nested(4.0, 5.0)`, whose constructors add 1.
fn example() -> Vec<u8> {
    let mut module = Assembler::new();
    let scalars: [(u32, u32, u32); 6] = [
        (10, INT, 42),
        (11, INT, 1),
        (12, FLOAT, 3.0_f32.to_bits()),
        (13, FLOAT, 4.0_f32.to_bits()),
        (14, FLOAT, 5.0_f32.to_bits()),
        (15, FLOAT, 6.0_f32.to_bits()),
    ];
    for (number, (id, _, _)) in scalars.iter().enumerate() {
        module.push(Op::Decorate, &[*id, Decoration::SpecId as u32, number as u32]);
    }
    module.push(Op::TypeInt, &[INT, 32, 0]);
    module.push(Op::TypeFloat, &[FLOAT, 32]);
    module.push(Op::TypeStruct, &[NESTED, FLOAT, FLOAT]);
    module.push(Op::TypeStruct, &[A, INT, NESTED]);
    for (id, kind, value) in scalars {
        module.push(Op::SpecConstant, &[kind, id, value]);
    }
    module.push(Op::SpecConstantComposite, &[NESTED, 20, 12, 13]);
    module.push(Op::SpecConstantComposite, &[A, 21, 11, 20]);
    module.push(Op::SpecConstantComposite, &[NESTED, 22, 14, 15]);
    module.bytes()
}

/// "Specialization constants", 1. to 3.: ids 0; 1, 2, 3; offsets 0, 4, 16; descriptors; the blob of default values.
#[test]
fn nested_a_and_id_a() {
    let module = Module::parse(&example()).unwrap();
    let reflection = Reflection::of(&Index::new(&module).unwrap()).unwrap();
    let leaves: Vec<Vec<(u32, u32, u32)>> = reflection
        .spec_constants
        .iter()
        .map(|constant| constant.leaves.iter().map(|leaf| (leaf.id, leaf.offset, leaf.size)).collect())
        .collect();
    let wanted: [&[(u32, u32, u32)]; 3] =
        [&[(0, 0, 4)], &[(1, 0, 4), (2, 4, 4), (3, 8, 4)], &[(4, 0, 4), (5, 4, 4)]];
    assert_eq!(leaves, wanted);

    let derived = derive::derive(&example()).unwrap().properties;
    let offsets: Vec<u64> = derived.spec_constants.iter().map(|constant| constant.blob_offset).collect();
    assert_eq!(offsets, [0, 4, 16]);
    let mut blob = Vec::new();
    blob.extend(42_i32.to_le_bytes());
    blob.extend(1_i32.to_le_bytes());
    for value in [3.0_f32, 4.0, 5.0, 6.0] {
        blob.extend(value.to_le_bytes());
    }
    assert_eq!(derived.spec_defaults.all, Some(blob));
}

/// 3.: the property set of `id_int` and `id_A`, through the text format and back.
#[test]
fn the_property_set_of_id_int_and_id_a() {
    let leaf = |id, offset| Leaf { id, offset, size: 4 };
    let constants = SpecConstants::new([
        ("id_int_symbolic_ID".to_owned(), vec![leaf(0, 0)]),
        ("id_A_symbolic_ID".to_owned(), vec![leaf(1, 0), leaf(2, 4), leaf(3, 8)]),
    ]);
    let properties = Properties {
        sets: vec![sycl_pi_image::SetKind::SpecConstants],
        spec_constants: constants,
        ..Properties::default()
    };
    let text = write_prop("a.prop", &properties.encode()).unwrap();
    assert!(text.starts_with("[SYCL/specialization constants]\nid_int_symbolic_ID=2|"), "{text}");
    let property_sets = read_prop("a.prop", &text).unwrap();
    let mut image = ImageParts::default();
    image.property_sets = property_sets;
    let decoded = Properties::decode(&image).unwrap();
    let a = decoded.spec_constants.get("id_A_symbolic_ID").unwrap();
    assert_eq!(a.leaves, [leaf(1, 0), leaf(2, 4), leaf(3, 8)]);
    // "the position where scalar specialization constant resides within the byte array supplied by the user"
    let value: Vec<u8> = (0..12).collect();
    let set: Vec<(u32, &[u8])> = a.scalars(&value).collect();
    assert_eq!(set, [(1, &value[..4]), (2, &value[4..8]), (3, &value[8..])]);
}

/// "Behavior for optional kernel features", Create the "SYCL/device requirements" property set: every property in the
/// design's spelling, and several work-group sizes with their numbers of dimensions.
#[test]
fn the_designs_requirements() {
    let numbers = |numbers: &[u32]| {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        sycl_pi_image::Value::byte_array(&bytes)
    };
    let mut set = sycl_pi_image::PropertySet::new("SYCL/device requirements");
    for (name, value) in [
        ("aspect", &[5, 9][..]),
        ("reqd_sub_group_size", &[8, 16]),
        ("reqd_work_group_size", &[1, 64, 3, 8, 4, 2]),
        ("fixed_target", &[4]),
    ] {
        set.properties.push(sycl_pi_image::Property::new(name, numbers(value)));
    }
    let mut image = ImageParts::default();
    image.property_sets.push(set.clone());
    let requirements: Requirements = Properties::decode(&image).unwrap().requirements;
    assert_eq!(requirements.aspects.as_deref(), Some([5, 9].as_slice()));
    assert_eq!(requirements.sub_group_sizes.as_deref(), Some([8, 16].as_slice()));
    assert_eq!(requirements.fixed_targets.as_deref(), Some([4].as_slice()));
    assert_eq!(requirements.work_group_sizes_in_sycl_order(), [vec![64], vec![8, 4, 2]]);
    let again = Properties::decode(&image).unwrap().encode();
    let sorted = |set: &sycl_pi_image::PropertySet<'_>| {
        let mut lines: Vec<String> = set.properties.iter().map(|property| format!("{property:?}")).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&again[0]), sorted(&set), "written as it was read");
}

/// New features in clang compilation driver and tools: one row per module, one column per file.
#[test]
fn a_file_table() {
    let text = "[Code|Properties|Symbols]\na_0.bc|a_0.prop|a_0.sym\na_1.bc|a_1.prop|a_1.sym\n";
    let table = FileTable::read("a.table", text).unwrap();
    assert_eq!(table.titles().unwrap(), ["Code", "Properties", "Symbols"]);
    assert_eq!((table.rows().len(), table.column("Properties")), (2, Some(1)));
    assert_eq!(table.write(), text);
}

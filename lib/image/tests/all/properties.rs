//! Property sets: every image decodes and encodes to the same bytes, and malformed sets are reported.

use crate::common::{image, images};
use sycl_pi_image::property::{Leaf, LocalArg, PADDING, ParamMask, SpecConstants, WorkGroupSpelling};
use sycl_pi_image::{ImageParts, Problem, Properties, Property, PropertySet, Value, text};

/// Decoding and encoding reproduces every image's sets, byte for byte.
#[test]
fn all_images_there_and_back() {
    for image in images() {
        let parts = image.parts();
        let decoded = Properties::decode(&parts).unwrap();
        assert!(decoded.unknown.is_empty(), "{}", image.name);
        assert_eq!(decoded.encode(), parts.property_sets, "{}", image.name);
        assert_eq!(text::write_json(&parts), image.json, "{}", image.name);
        let prop = text::write_prop("image.prop", &parts.property_sets).unwrap();
        assert_eq!(text::read_prop("image.prop", &prop).unwrap(), parts.property_sets, "{}", image.name);
    }
}

#[test]
fn what_the_images_say() {
    let decode = |name: &str| Properties::decode(&image(name).parts()).unwrap();

    let padded = decode("spec_padded");
    let mut constants = padded.spec_constants.iter();
    let (first, second) = (constants.next().unwrap(), constants.next().unwrap());
    assert_eq!(first.leaves.last(), Some(&Leaf { id: PADDING, offset: 5, size: 11 }));
    assert_eq!((first.size(), first.blob_offset, second.size(), second.blob_offset), (16, 0, 32, 16));
    let value: Vec<u8> = (0..32).collect();
    let scalars: Vec<_> = second.scalars(&value).collect();
    assert_eq!(scalars, [(3, &[0_u8][..]), (5, &[16, 17, 18, 19][..]), (6, &[20][..])]);
    assert_eq!(padded.spec_default(second).unwrap()[0], b'h');
    assert_eq!(padded.spec_constants.size(), 48);

    let globals = decode("dg_init");
    let triple = globals.device_globals.get("_Z6Triple").unwrap();
    assert_eq!((triple.size, triple.image_scope), (12, true));
    assert_eq!(globals.metadata.global_name("_Z6Triple"), Some("Triple"));

    let sizes = decode("feat_wg.0").requirements;
    assert_eq!(sizes.work_group_sizes_in_sycl_order(), [[4, 2]]);
    assert_eq!(sizes.work_group_sizes.unwrap()[0].work_items(), Some(8));
    assert_eq!(decode("feat_sg.1").requirements.sub_group_sizes, Some(vec![16]));
    assert_eq!(decode("feat_has.2").requirements.aspects, Some(vec![1, 6, 17]));

    let accessors = decode("vadd_acc");
    let mask = accessors.param_opt.get("_ZTS7VAddAcc").unwrap();
    assert_eq!((mask.arguments, mask.kept()), (12, 6));
    assert!(!mask.is_removed(0) && mask.is_removed(1) && !mask.is_removed(12));

    assert!(decode("dl_b").exports.contains("_Z2fbi") && decode("dl_b").imports.contains("_Z2fci"));
    assert_eq!(decode("feat_grf").misc.grf_size(), Some(256));
    assert!(
        decode("misc_esimd").misc.is_esimd() && decode("spec_one_default").misc.spec_constants_replaced()
    );
    let local = |name: &str| decode(name).implicit_local_args.kernels[0].1;
    assert_eq!(
        (local("misc_static_local"), local("misc_scratch")),
        (LocalArg::Static, LocalArg::Argument(1))
    );
    assert_eq!(decode("misc_virtual.1").virtual_functions.uses.as_deref(), Some("_ZTSv"));
    assert_eq!(decode("registered").registered_kernels.kernels[1].0, "setter<int>");
}

fn image_with(set: &'static str, name: &'static str, value: Value<'static>) -> ImageParts<'static> {
    let properties = vec![Property::new(name, value)];
    let property_sets = vec![PropertySet { name: set.into(), properties }];
    let mut image = ImageParts::new("bad.spv", "", Vec::new());
    image.property_sets = property_sets;
    image
}

fn words(words: &[u32]) -> Value<'static> {
    Value::byte_array(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
}

/// The design's spellings of requirements, and the compilers' older spelling.
#[test]
fn requirements_in_the_designs_words() {
    let set = "SYCL/device requirements";
    let decode = |name, value| {
        let image = image_with(set, name, value);
        let decoded = Properties::decode(&image).unwrap();
        assert_eq!(decoded.encode(), image.property_sets);
        decoded.requirements
    };
    assert_eq!(decode("aspect", words(&[5, 6])).aspects, Some(vec![5, 6]));
    assert_eq!(decode("reqd_sub_group_size", words(&[8, 16])).sub_group_sizes, Some(vec![8, 16]));
    assert_eq!(decode("fixed_target", words(&[])).fixed_targets, Some(vec![]));
    let sizes = decode("reqd_work_group_size", words(&[2, 4, 8, 1, 16]));
    assert_eq!(sizes.work_group_sizes_in_sycl_order(), [vec![4, 8], vec![16]]);

    let mut image = image_with(set, "aspects", words(&[]));
    image.property_sets[0].properties.push(Property::new("reqd_work_group_size", words(&[2, 4, 1])));
    let decoded = Properties::decode(&image).unwrap();
    assert_eq!(decoded.requirements.work_group_spelling, WorkGroupSpelling::Uint32);
    assert_eq!(decoded.requirements.work_group_sizes_in_sycl_order(), [[1, 4, 2]]);
    assert_eq!(decoded.encode(), image.property_sets);
}

#[test]
fn malformed_properties_are_named() {
    let number = || Value::Uint32(7);
    let raw = |bytes: &[u8]| Value::ByteArray(bytes.to_vec().into());
    let cases = [
        ("SYCL/device globals", "g", number(), "is of type 1, not of type 2"),
        ("SYCL/device globals", "g", raw(&[]), "is 0 bytes long, too short for the 8-byte length in front"),
        (
            "SYCL/device globals",
            "g",
            words(&[4]),
            "holds 4 bytes; 8 were expected: the size as 4, the image scope as 1, and 3 that are 0",
        ),
        ("SYCL/device globals", "g", words(&[0, 1]), "has size 0"),
        (
            "SYCL/device globals",
            "g",
            raw(&[32, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]),
            "says that 32 bits follow, but 8 bytes do",
        ),
        (
            "SYCL/device globals",
            "g",
            raw(&[63, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]),
            "says that 63 bits follow, but 8 bytes do",
        ),
        (
            "SYCL/registered kernels",
            "name",
            Value::byte_array(b"ker\0nel"),
            "is not text in UTF-8 without a zero byte",
        ),
        ("SYCL/device globals", "g", words(&[4, 2]), "has image scope 2; it is 0 or 1"),
        (
            "SYCL/device globals",
            "g",
            raw(&[64, 0, 0, 0, 0, 0, 0, 0, 4]),
            "says that 64 bits follow, but 1 bytes do",
        ),
        (
            "SYCL/device globals",
            "g",
            raw(&[0xff; 16]),
            "says that 18446744073709551615 bits follow, but 8 bytes do",
        ),
        (
            "SYCL/specialization constants",
            "c",
            words(&[]),
            "holds 0 bytes; descriptors of 12 bytes (id, offset, size) were expected",
        ),
        (
            "SYCL/specialization constants",
            "c",
            words(&[0, 0, 4, 1]),
            "holds 16 bytes; descriptors of 12 bytes (id, offset, size) were expected",
        ),
        ("SYCL/specialization constants", "c", words(&[0, 0, 0]), "the scalar at offset 0 has size 0"),
        (
            "SYCL/specialization constants",
            "c",
            words(&[0, 0, 4, 1, 2, 4]),
            "the scalar at offset 2 overlaps the one before it",
        ),
        ("SYCL/specialization constants", "c", words(&[0, 0, 4, 0, 4, 4]), "id 0 is used twice"),
        (
            "SYCL/specialization constants",
            "c",
            words(&[0, u32::MAX, 4]),
            "offset 4294967295 and size 4 are beyond 4 GiB",
        ),
        ("SYCL/device requirements", "aspects", number(), "is of type 1, not of type 2"),
        (
            "SYCL/device requirements",
            "reqd_work_group_size_uint64_t",
            words(&[1]),
            "holds 4 bytes; an array of 8-byte numbers was expected",
        ),
        ("SYCL/device requirements", "reqd_work_group_size_uint64_t", words(&[0, 0]), "has a dimension of 0"),
        (
            "SYCL/device requirements",
            "reqd_work_group_size",
            words(&[4, 1, 1, 1, 1]),
            "holds 20 bytes; a work-group size has 1 to 3 dimensions",
        ),
        ("SYCL/device requirements", "reqd_sub_group_size", words(&[8, 0]), "has a sub-group size of 0"),
        (
            "SYCL/device requirements",
            "work_group_num_dim",
            Value::Uint32(4),
            "is 4; a work-group has 1 to 3 dimensions",
        ),
    ];
    for (set, name, value, problem) in cases {
        let error = Properties::decode(&image_with(set, name, value)).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("image bad.spv: property set \"{set}\", property \"{name}\": {problem}")
        );
    }
    let mut twice = image_with("SYCL/imported symbols", "f", number());
    twice.property_sets[0].properties.push(Property::new("f", number()));
    assert_eq!(Properties::decode(&twice).unwrap_err().problem, Problem::Twice);
    twice.property_sets[0].properties.pop();
    twice.property_sets.push(twice.property_sets[0].clone());
    assert_eq!(Properties::decode(&twice).unwrap_err().problem, Problem::Twice);

    let mut short = image_with("SYCL/specialization constants", "c", words(&[0, 0, 4]));
    let all = Property::new("all", words(&[1, 2]));
    short.property_sets.push(PropertySet {
        name: "SYCL/specialization constants default values".into(),
        properties: vec![all],
    });
    let error = Properties::decode(&short).unwrap_err().to_string();
    assert!(error.ends_with("holds 8 bytes, but the specialization constants take 4"), "{error}");
}

/// An image has one required size, and the compiler's aspects or the design's.
#[test]
fn requirements_that_contradict_are_refused() {
    let error = |properties: [(&'static str, Value<'static>); 2]| {
        let mut image = image_with("SYCL/device requirements", properties[0].0, properties[0].1.clone());
        image.property_sets[0].properties.push(Property::new(properties[1].0, properties[1].1.clone()));
        let error = Properties::decode(&image).unwrap_err();
        assert_eq!(error.property.as_deref(), Some(properties[1].0));
        error.problem
    };
    let value = |text: &str| Problem::Value(text.into());
    assert_eq!(
        error([("aspects", words(&[5])), ("aspect", words(&[6]))]),
        value("stands beside \"aspects\"")
    );
    let long = ("reqd_work_group_size_uint64_t", words(&[4, 0]));
    let second = value("is the second required work-group size");
    assert_eq!(error([long.clone(), ("reqd_work_group_size", words(&[4]))]), second);
    assert_eq!(error([("reqd_work_group_size", words(&[4])), long]), second);
}

/// The words may be counted sizes or one size, whose dimensions are not 0.
#[test]
fn a_size_of_0_is_none_that_is_counted() {
    let image = image_with("SYCL/device requirements", "reqd_work_group_size", words(&[2, 4, 0]));
    let error = Properties::decode(&image).unwrap_err().to_string();
    assert!(error.ends_with("has a dimension of 0"), "{error}");
}

/// Only the size as 64-bit numbers has room for such a dimension.
#[test]
fn a_dimension_that_is_too_large_for_its_spelling_is_the_largest() {
    let set = "SYCL/device requirements";
    let image = image_with(set, "reqd_work_group_size_uint64_t", words(&[1, 1]));
    let mut requirements = Properties::decode(&image).unwrap();
    for spelling in [WorkGroupSpelling::Uint32, WorkGroupSpelling::Counted] {
        requirements.requirements.work_group_spelling = spelling;
        let value = &requirements.encode()[0].properties[0].value;
        let wanted: &[u32] =
            if spelling == WorkGroupSpelling::Counted { &[1, u32::MAX] } else { &[u32::MAX] };
        assert_eq!(*value, words(wanted), "{spelling:?}");
    }
}

/// Compilers wrote or may write all of these. None of them affects a launch.
#[test]
fn odd_but_harmless_properties_are_kept() {
    let cases = [
        ("SYCL/device requirements", "reqd_work_group_size", words(&[])),
        ("SYCL/device requirements", "reqd_work_group_size_uint64_t", words(&[])),
        ("SYCL/device requirements", "reqd_sub_group_size", Value::Uint32(0)),
        ("SYCL/device requirements", "work_group_num_dim", Value::Uint32(0)),
        ("SYCL/kernel param opt", "k", Value::bit_array(3, &[0x08])),
        ("SYCL/program metadata", "g@global_id_mapping", Value::byte_array(&[0xff])),
        ("SYCL/program metadata", "k@reqd_work_group_size", words(&[])),
        ("SYCL/program metadata", "k@work_group_num_dim", words(&[3])),
        ("SYCL/imported symbols", "f", words(&[])),
        ("SYCL/devicelib req mask", "DeviceLibReqMask", words(&[1])),
        ("SYCL/misc properties", "optLevel", Value::Other(3, vec![].into())),
    ];
    for (set, name, value) in cases {
        let image = image_with(set, name, value);
        let decoded = Properties::decode(&image).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(decoded.encode(), image.property_sets, "{set}, {name}");
        let needs = &decoded.requirements;
        assert!(needs.work_group_sizes_in_sycl_order().is_empty() && needs.work_group_num_dim.is_none());
        assert!(needs.sub_group_sizes.is_none());
        assert_eq!(decoded.param_opt.get("k").map_or(3, |mask| mask.kept()), 3);
    }
}

/// "The offset is the sum of sizes of all specialization constants with smaller numeric ids", regardless of the
/// properties' order. Also checks the compiler's names and numbers of `SYCL/misc properties`; a value of another type
/// has no meaning.
#[test]
fn misc_properties_are_read_by_name() {
    let misc = |properties: &[(&'static str, u32)]| {
        let mut set = PropertySet::new("SYCL/misc properties");
        let property = |&(name, number)| Property::new(name, Value::Uint32(number));
        set.properties.extend(properties.iter().map(property));
        set.properties.push(Property::new("odd", Value::byte_array(&[1, 0, 0, 0])));
        let mut image = ImageParts::default();
        image.property_sets = vec![set];
        Properties::decode(&image).unwrap().misc
    };
    let found = misc(&[
        ("optLevel", 2),
        ("isEsimdImage", 1),
        ("sycl-grf-size", 256),
        ("specConstsReplacedWithDefault", 1),
    ]);
    assert_eq!((found.opt_level(), found.grf_size(), found.number("odd")), (Some(2), Some(256), None));
    assert!(found.is_esimd() && found.spec_constants_replaced());
    let others = misc(&[("optLevel", 0), ("isEsimdImage", 0), ("specConstsReplacedWithDefault", 2)]);
    assert_eq!((others.opt_level(), others.grf_size()), (Some(0), None));
    assert!(!others.is_esimd() && !others.spec_constants_replaced());
    assert_eq!(found.iter().count(), 5);
}

/// There is one bit per argument, starting with the lowest of the first byte. The last byte may be only partly used.
#[test]
fn masks_of_arguments_grow_bit_by_bit() {
    let removed = |mask: &ParamMask| (0..20).filter(|&at| mask.is_removed(at)).collect::<Vec<u64>>();
    let mut mask = ParamMask::last_removed("K", 9);
    assert_eq!((removed(&mask), mask.kept()), (vec![8], 8));
    mask.keep_last();
    assert_eq!((mask.kept(), &mask), (9, &ParamMask::all_kept("K", 9)));
    let mut mask = ParamMask::last_removed("K", 8);
    mask.add_last();
    assert_eq!((removed(&mask), mask.kept(), mask.arguments), (vec![7], 8, 9));
    mask.keep_last();
    assert_eq!(removed(&mask), [7], "the last is the new one, which was kept");
    assert!(removed(&ParamMask::last_removed("K", 0)).is_empty());
    // Bits of the last byte that stand for no argument are ignored.
    let image = image_with("SYCL/kernel param opt", "K", Value::bit_array(3, &[0b1110]));
    let mut mask = Properties::decode(&image).unwrap().param_opt.get("K").unwrap().clone();
    assert_eq!((removed(&mask), mask.kept()), (vec![1, 2], 1));
    mask.keep_last();
    assert_eq!(removed(&mask), [1]);
}

#[test]
fn offsets_follow_the_ids() {
    let list = [
        ("last", words(&[9, 0, 4])),
        ("first", words(&[0, 0, 8])),
        ("middle", words(&[3, 0, 1, u32::MAX, 1, 3])),
    ];
    let properties = list.map(|(name, value)| Property::new(name, value)).to_vec();
    let set = PropertySet { name: "SYCL/specialization constants".into(), properties };
    let mut image = ImageParts::default();
    image.property_sets.push(set);
    let decoded = Properties::decode(&image).unwrap();
    let offset = |name: &str| decoded.spec_constants.get(name).map(|constant| constant.blob_offset);
    assert_eq!([offset("first"), offset("middle"), offset("last")], [Some(0), Some(8), Some(12)]);
    assert_eq!(decoded.spec_constants.size(), 16);
    assert_eq!(decoded.encode(), image.property_sets);
}

/// The tables of "Specialization constants": ids {0} and {1, 2, 3}, offsets 0, 4, 16, and the blob of default values.
#[test]
fn the_designs_nested_constant() {
    let constants = |list: &[(&'static str, &[u32])]| {
        let properties = list.iter().map(|(name, triples)| Property::new(*name, words(triples))).collect();
        PropertySet { name: "SYCL/specialization constants".into(), properties }
    };
    let float = f32::to_bits;
    let blob = words(&[42, 1, float(3.0), float(4.0), float(5.0), float(6.0)]);
    let defaults = PropertySet {
        name: "SYCL/specialization constants default values".into(),
        properties: vec![Property::new("all", blob)],
    };
    let sets = vec![
        constants(&[
            ("id_int", &[0, 0, 4]),
            ("id_A", &[1, 0, 4, 2, 4, 4, 3, 8, 4]),
            ("id_Nested", &[4, 0, 4, 5, 4, 4]),
        ]),
        defaults,
    ];
    let mut image = ImageParts::default();
    image.property_sets = sets;
    let decoded = Properties::decode(&image).unwrap();
    let offsets: Vec<u64> = decoded.spec_constants.iter().map(|constant| constant.blob_offset).collect();
    assert_eq!(offsets, [0, 4, 16]);
    let id_a = decoded.spec_constants.get("id_A").unwrap();
    assert_eq!(id_a.leaves.iter().map(|leaf| leaf.id).collect::<Vec<_>>(), [1, 2, 3]);
    let value = decoded.spec_default(id_a).unwrap();
    let scalars: Vec<_> = id_a.scalars(value).map(|(id, bytes)| (id, bytes.to_vec())).collect();
    assert_eq!(scalars[1], (2, 3.0_f32.to_le_bytes().to_vec()));
    assert_eq!(decoded.encode(), image.property_sets);
}

#[test]
fn padding_counts_and_is_nothing_to_set() {
    let leaf = |id, offset| Leaf { id, offset, size: 4 };
    let constants = SpecConstants::new([("padded".to_owned(), vec![leaf(3, 0), leaf(PADDING, 4)])]);
    assert_eq!(constants.size(), 8);
    let constant = constants.get("padded").unwrap();
    assert_eq!(constant.scalars(&[1, 2, 3, 4, 5, 6, 7, 8]).collect::<Vec<_>>(), [(3, &[1, 2, 3, 4][..])]);
}

//! Specialization constants of linked images keep their names and values, and have unique ids.

use std::collections::BTreeSet;

use sycl_pi_image::derive::{ImagePart, Renumbered, United, unite};
use sycl_pi_image::emulate::emulate;
use sycl_pi_image::property::{Leaf, PADDING, Requirements, SpecConstants};
use sycl_pi_image::spirv::{
    BUFFER_ARGUMENT, Decoration, Index, LinkOptions, Module, Op, Reflection, Types, link,
};
use sycl_pi_image::{ImageParts, Properties};

use crate::assembler::Assembler;
use crate::common;

/// Code with the contents of its property file.
struct Image {
    name: &'static str,
    code: Module,
    file: Properties,
}

impl Image {
    fn of(name: &'static str, parts: &ImageParts<'_>) -> Self {
        let code = Module::parse(&parts.bytes).unwrap();
        Self { name, code, file: Properties::decode(parts).unwrap() }
    }

    fn compilers(name: &'static str) -> Self {
        Self::of(name, &common::image(name).parts())
    }

    fn emulated(name: &'static str) -> Self {
        Self::of(name, &emulate(&common::image(name).parts()).unwrap().image)
    }

    fn part(&self) -> ImagePart<'_> {
        ImagePart { name: self.name, code: &self.code, file: Some(&self.file) }
    }
}

fn united(images: &[Image]) -> United {
    let parts: Vec<ImagePart<'_>> = images.iter().map(Image::part).collect();
    unite(&parts, false).unwrap()
}

fn refusal(images: &[Image]) -> String {
    let parts: Vec<ImagePart<'_>> = images.iter().map(Image::part).collect();
    unite(&parts, false).unwrap_err().to_string()
}

/// Returns the ids in the code.
fn ids(code: &Module) -> Vec<u32> {
    let reflection = Reflection::of(&Index::new(code).unwrap()).unwrap();
    reflection.spec_scalars.iter().map(|scalar| scalar.spec_id).collect()
}

/// Returns names with sizes and default values.
fn named(properties: &Properties) -> BTreeSet<(String, u64, Vec<u8>)> {
    let constants = properties.spec_constants.iter();
    constants
        .map(|constant| {
            let default = properties.spec_default(constant).unwrap().to_vec();
            (constant.name.clone(), constant.size(), default)
        })
        .collect()
}

fn leaf_ids(properties: &Properties) -> Vec<u32> {
    let leaves = properties.spec_constants.iter().flat_map(|constant| &constant.leaves);
    leaves.map(|leaf| leaf.id).filter(|&id| id != PADDING).collect()
}

/// "Specialization constants", 1.: ids are unique in a module. Both images number theirs from 0.
#[test]
fn linked_images_keep_all_constants_apart() {
    let images =
        [Image::compilers("spec_one"), Image::compilers("spec_struct"), Image::compilers("spec_scalar")];
    let all: BTreeSet<(String, u64, Vec<u8>)> = images.iter().flat_map(|image| named(&image.file)).collect();
    let count: usize = images.iter().map(|image| ids(&image.code).len()).sum();
    let made = united(&images);
    let found = ids(&made.code);
    assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), count, "{found:?}");
    assert_eq!(named(&made.properties), all);
    // The runtimes lay out the buffer in the order of the properties, and by ascending ids.
    let in_file = leaf_ids(&made.properties);
    assert_eq!(in_file, found);
    assert!(in_file.is_sorted());
    // The first image keeps its ids; `renumbered` lists those of the others.
    assert!(made.renumbered.iter().all(|one| one.part > 0 && one.from != one.to));
    let to_int = made.renumbered.iter().find(|one| one.part == 1 && one.from == 0);
    assert!(matches!(to_int, Some(Renumbered { to, .. }) if found.contains(to)));
    assert_eq!(common::complaint(&made.code.to_bytes().unwrap()).flatten(), None);
}

/// The default values that the code loads do not change with the ids.
#[test]
fn each_constant_has_the_default_value_of_its_code() {
    let images =
        [Image::compilers("spec_padded"), Image::compilers("spec_multi_b"), Image::compilers("spec_one")];
    let made = united(&images);
    let reflection = Reflection::of(&Index::new(&made.code).unwrap()).unwrap();
    let scalars = reflection.spec_scalars.iter();
    let all = made.properties.spec_defaults.all.clone().unwrap();
    let mut seen = 0;
    for scalar in scalars {
        for constant in made.properties.spec_constants.iter() {
            for leaf in constant.leaves.iter().filter(|leaf| leaf.id == scalar.spec_id) {
                let at = (constant.blob_offset + u64::from(leaf.offset)) as usize;
                assert_eq!(all[at..at + leaf.size as usize], scalar.default, "{}", constant.name);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, reflection.spec_scalars.len());
}

/// A source variable that appears in two images is one constant. Different constants of the same name are refused.
#[test]
fn constants_of_one_name_are_one() {
    let images = [Image::compilers("spec_multi_a"), Image::compilers("spec_multi_b")];
    let names = |image: &Image| -> BTreeSet<String> {
        image.file.spec_constants.iter().map(|constant| constant.name.clone()).collect()
    };
    let shared: Vec<String> = names(&images[0]).intersection(&names(&images[1])).cloned().collect();
    assert!(!shared.is_empty(), "the test needs a constant that both have");
    let made = united(&images);
    let all: BTreeSet<_> = images.iter().flat_map(|image| named(&image.file)).collect();
    assert_eq!(named(&made.properties), all);
    assert_eq!(made.properties.spec_constants.iter().count(), all.len());

    let mut other = Image::compilers("spec_multi_b");
    let mut default = other.file.spec_defaults.all.clone().unwrap();
    default.iter_mut().for_each(|byte| *byte ^= 1);
    other.file.spec_defaults.all = Some(default);
    let error = refusal(&[Image::compilers("spec_multi_a"), other]);
    let wanted = "has another type or default value in spec_multi_b than in spec_multi_a";
    assert!(error.starts_with("specialization constant ") && error.ends_with(wanted), "{error}");
}

/// Without default values, the sizes still show that two constants differ.
#[test]
fn constants_of_one_name_and_other_sizes_are_refused() {
    let with = |name, size| {
        let mut image = Image::compilers(name);
        let leaves = vec![Leaf { id: 0, offset: 0, size }];
        image.file.spec_constants = SpecConstants::new([("same".to_owned(), leaves)]);
        image
    };
    let error = refusal(&[with("vadd", 4), with("dg_basic", 8)]);
    let wanted = "specialization constant same has another type or default value in dg_basic than in vadd";
    assert_eq!(error, wanted);
    united(&[with("vadd", 4), with("dg_basic", 4)]);
}

/// Constants that the optimizer removed are in no buffer.
#[test]
fn constants_that_the_code_lacks_are_not_emulated() {
    let mut image = Image::compilers("vadd");
    let leaves = vec![Leaf { id: 9, offset: 0, size: 4 }];
    image.file.spec_constants = SpecConstants::new([("unused".to_owned(), leaves)]);
    let images = [image, Image::compilers("spec_one")];
    assert!(named(&united(&images).properties).is_superset(&named(&images[1].file)));
}

/// A file may lack the default values.
#[test]
fn constants_of_one_name_are_one_where_a_file_has_no_default_values() {
    let first = Image::compilers("spec_multi_a");
    for without in [0, 1] {
        let mut images = [Image::compilers("spec_multi_a"), Image::compilers("spec_multi_b")];
        images[without].file.spec_defaults = Default::default();
        let made = united(&images).properties;
        for constant in first.file.spec_constants.iter() {
            let same = made.spec_constants.iter().filter(|made| made.name == constant.name);
            assert_eq!(same.count(), 1, "{}", constant.name);
        }
        assert_eq!(made.spec_constants.iter().count(), united_names(&images).len());
    }
}

fn united_names(images: &[Image]) -> BTreeSet<&str> {
    let constants = images.iter().flat_map(|image| image.file.spec_constants.iter());
    constants.map(|constant| constant.name.as_str()).collect()
}

/// Without property files there are no names, but two constants with the same id still stay separate.
#[test]
fn code_alone_is_linked_with_ids_of_its_own() {
    let code = ["spec_one", "spec_scalar"].map(|name| Module::parse(&common::image(name).bytes).unwrap());
    let parts: Vec<ImagePart<'_>> =
        code.iter().map(|code| ImagePart { name: "code", code, file: None }).collect();
    let made = unite(&parts, false).unwrap();
    let count: usize = code.iter().map(|code| ids(code).len()).sum();
    assert_eq!(leaf_ids(&made.properties), ids(&made.code));
    assert_eq!(ids(&made.code).len(), count);
    let names = made.properties.spec_constants.iter().map(|constant| constant.name.clone());
    assert_eq!(names.collect::<BTreeSet<_>>().len(), made.properties.spec_constants.iter().count());

    // The linker alone does the same.
    let indices: Vec<Index<'_>> = code.iter().map(|code| Index::new(code).unwrap()).collect();
    let modules: Vec<(&str, &Index<'_>)> = ["a", "b"].into_iter().zip(&indices).collect();
    assert_eq!(ids(&link(&modules, LinkOptions::default()).unwrap()), ids(&made.code));

    // If one image has a file and the other does not, the names in the file stay.
    let image = Image::compilers("spec_one");
    let parts = [parts[1], image.part()];
    let made = unite(&parts, false).unwrap();
    for (name, ..) in named(&image.file) {
        assert!(made.properties.spec_constants.get(&name).is_some(), "{name}");
    }
    assert_eq!(leaf_ids(&made.properties), ids(&made.code));
    assert!(leaf_ids(&made.properties).is_sorted());
}

/// Returns where the kernels' code loads scalars from the buffer: offsets, with the alignment of the load.
fn loads(code: &Module) -> BTreeSet<(u64, u32)> {
    let index = Index::new(code).unwrap();
    let types = Types::new(&index);
    let mut found = BTreeSet::new();
    let mut places = std::collections::HashMap::new();
    for inst in code.instructions() {
        let base = inst.operand(2);
        match inst.opcode {
            Op::InBoundsPtrAccessChain if index.name(base).as_deref() == Some(BUFFER_ARGUMENT) => {
                places.insert(inst.operand(1), types.number(inst.operand(3)).unwrap());
            }
            Op::Bitcast => {
                if let Some(&place) = places.get(&base) {
                    places.insert(inst.operand(1), place);
                }
            }
            Op::Load => {
                found.extend(places.get(&base).map(|&place| (place, inst.operand(4))));
            }
            _ => {}
        }
    }
    found
}

/// "Specialization constants", 2.2: the whole image has one buffer, so code that was already emulated uses other
/// offsets.
#[test]
fn emulated_images_share_one_buffer() {
    let images =
        [Image::emulated("spec_one"), Image::emulated("spec_struct"), Image::emulated("spec_padded")];
    let all: BTreeSet<_> = images.iter().flat_map(|image| named(&image.file)).collect();
    let made = united(&images);
    assert_eq!(named(&made.properties), all);
    let layout = &made.properties.spec_constants;
    let leaves = layout.iter().flat_map(|constant| {
        constant.leaves.iter().map(|leaf| (leaf.id, constant.blob_offset + u64::from(leaf.offset), leaf.size))
    });
    let places: BTreeSet<u64> =
        leaves.clone().filter(|(id, ..)| *id != PADDING).map(|(_, place, _)| place).collect();
    let found = loads(&made.code);
    let loaded: BTreeSet<u64> = found.iter().map(|(place, _)| *place).collect();
    let before: usize = images.iter().map(|image| loads(&image.code).len()).sum();
    assert_eq!(loaded.len(), before, "no two constants are at one place");
    assert!(loaded.is_subset(&places), "{loaded:?} {places:?}");
    for (place, align) in found {
        assert!(place % u64::from(align) == 0, "a load at {place} is aligned to {align}");
    }
    // All kernels still take the buffer, and the file says so.
    let reflection = Reflection::of(&Index::new(&made.code).unwrap()).unwrap();
    for entry in &reflection.entry_points {
        assert_eq!(entry.arguments.last().unwrap().name.as_deref(), Some(BUFFER_ARGUMENT));
        let mask = made.properties.param_opt.get(&entry.name).unwrap();
        assert!(!mask.is_removed(mask.arguments - 1), "{}", entry.name);
    }
    assert_eq!(common::complaint(&made.code.to_bytes().unwrap()).flatten(), None);
}

/// Constants are consecutive without padding, so a scalar may lie at any offset, and the load must not claim more.
#[test]
fn an_emulated_constant_is_loaded_with_the_alignment_of_its_place() {
    let mut odd = 0;
    for name in ["spec_scalar", "spec_struct", "spec_padded", "spec_array", "spec_multi"] {
        let image = Image::emulated(name);
        let found = loads(&image.code);
        assert!(!found.is_empty(), "{name}");
        for (place, align) in found {
            assert_eq!(place % u64::from(align), 0, "{name}: the load at {place} is aligned to {align}");
        }
        let constants = image.file.spec_constants.iter();
        let leaves = constants.flat_map(|constant| {
            constant.leaves.iter().map(|leaf| (constant.blob_offset + u64::from(leaf.offset), leaf))
        });
        odd += leaves
            .filter(|(place, leaf)| leaf.id != PADDING && !place.is_multiple_of(leaf.size.into()))
            .count();
    }
    assert!(odd > 0, "no constant lies at an odd place, so nothing was shown");
}

#[test]
fn constants_are_emulated_in_all_images_or_in_none() {
    let error = refusal(&[Image::compilers("spec_one"), Image::emulated("spec_scalar")]);
    let wanted = "the specialization constants of spec_scalar are emulated, those of spec_one are not: emulate both, or link \
                  first";
    assert_eq!(error, wanted);
    // Emulated constants stay if the other code has no constants.
    let images = [Image::compilers("vadd"), Image::emulated("spec_scalar")];
    assert_eq!(named(&united(&images).properties), named(&images[1].file));
}

/// Each piece of a split emulated image keeps the layout of the buffer.
#[test]
fn pieces_of_an_emulated_image_keep_its_buffer() {
    let image = Image::emulated("spec_multi");
    let code = sycl_pi_image::derive::derive(&image.code.to_bytes().unwrap()).unwrap().properties;
    let index = Index::new(&image.code).unwrap();
    let options = sycl_pi_image::spirv::SplitOptions::new(sycl_pi_image::spirv::SplitMode::PerKernel);
    let pieces = sycl_pi_image::spirv::split(&index, &options).unwrap();
    assert!(pieces.len() > 1);
    for piece in pieces {
        let derived = sycl_pi_image::derive::derive(&piece.module.to_bytes().unwrap()).unwrap();
        let made = sycl_pi_image::derive::carry(&[(image.file.clone(), code.clone())], derived);
        assert_eq!(
            (&made.spec_constants, &made.spec_defaults),
            (&image.file.spec_constants, &image.file.spec_defaults)
        );
    }
}

/// Makes nested composites, each containing the previous one twice; the innermost is an empty structure, or a byte.
fn doubled(depth: u32, byte: bool) -> Vec<u8> {
    let mut module = Assembler::new();
    module.push(Op::TypeInt, &[1, 8, 0]);
    module.push(Op::Decorate, &[2, Decoration::SpecId as u32, 0]);
    module.push(Op::SpecConstant, &[1, 2, 1]);
    let members: &[u32] = if byte { &[1] } else { &[] };
    module.push(Op::TypeStruct, &[&[3], members].concat());
    let values: &[u32] = if byte { &[2] } else { &[] };
    module.push(Op::SpecConstantComposite, &[&[3, 4], values].concat());
    for level in 0..depth {
        let [kind, value] = [5 + 2 * level, 6 + 2 * level];
        module.push(Op::TypeStruct, &[kind, kind - 2, kind - 2]);
        module.push(Op::SpecConstantComposite, &[kind, value, value - 2, value - 2]);
    }
    module.bytes()
}

/// Deep nesting is limited, because each level doubles the amount to visit.
#[test]
fn constants_are_counted() {
    let derived = sycl_pi_image::derive::derive(&doubled(200, false)).unwrap();
    assert_eq!(leaf_ids(&derived.properties), [0]);
    for depth in [24, 60, 64] {
        let result = sycl_pi_image::derive::derive(&doubled(depth, true));
        // 2^64 bytes overflow, so the type has no size.
        assert_eq!(result.is_ok(), depth == 64, "{depth}");
    }
    assert!(sycl_pi_image::derive::derive(&doubled(12, true)).is_ok());
}

/// Makes one of two modules whose constants have ids 0 and 1, one type and the same defaults.
fn alike(kernel: &str) -> Module {
    let mut module = Assembler::new();
    module.entry(10, kernel);
    for (id, spec_id) in [(20, 0), (21, 1)] {
        module.push(Op::Decorate, &[id, Decoration::SpecId as u32, spec_id]);
    }
    module.push(Op::TypeVoid, &[1]);
    module.push(Op::TypeFunction, &[2, 1]);
    module.push(Op::TypeInt, &[3, 32, 0]);
    for id in [20, 21] {
        module.push(Op::SpecConstant, &[3, id, 5]);
    }
    module.function([1, 2, 10], &[], 11, &[(Op::IMul, &[3, 22, 20, 21])]);
    module.module()
}

/// Two constants with the same type and value stay separate, because each can be set individually.
#[test]
fn constants_of_one_type_and_default_stay_two() {
    let modules = ["one", "two"].map(alike);
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = ["one", "two"].into_iter().zip(&indices).collect();
    let made = link(&named, LinkOptions::default()).unwrap();
    assert_eq!(ids(&made), [0, 1, 2, 3]);
    let products = made.instructions().filter(|inst| inst.opcode == Op::IMul);
    let factors: BTreeSet<u32> = products.flat_map(|inst| [inst.operand(2), inst.operand(3)]).collect();
    assert_eq!(factors.len(), 4);
}

/// Constants without names in the source are named after their ids, so the names change with the ids.
#[test]
fn names_that_are_made_of_ids_follow_the_ids() {
    let emulated = |kernel: &'static str| {
        let code = alike(kernel).to_bytes().unwrap();
        let derived = sycl_pi_image::derive::image(kernel, &code).unwrap();
        Image::of(kernel, &emulate(&derived).unwrap().image)
    };
    let made = united(&[emulated("one"), emulated("two")]);
    let names: Vec<&str> =
        made.properties.spec_constants.iter().map(|constant| constant.name.as_str()).collect();
    assert_eq!(names, ["spec_constant_0", "spec_constant_1", "spec_constant_2", "spec_constant_3"]);
    assert_eq!(leaf_ids(&made.properties), [0, 1, 2, 3]);
    let places: BTreeSet<u64> = loads(&made.code).into_iter().map(|(place, _)| place).collect();
    assert_eq!(places, BTreeSet::from([0, 4, 8, 12]));
}

/// Makes an image whose file names the devices that it is for.
fn with_targets(name: &'static str, targets: Option<&[u32]>) -> Image {
    let mut image = Image::compilers(name);
    image.file.requirements = match targets {
        Some(targets) => Requirements { fixed_targets: Some(targets.to_vec()), ..Requirements::default() },
        None => image.file.requirements,
    };
    image
}

/// Kernels compiled for different targets share an image for the targets that all of them have.
#[test]
fn fixed_targets_of_several_kernels_are_those_they_share() {
    for (targets, result) in [
        ([Some(&[1, 2][..]), Some(&[2, 3])], Some(&[2][..])),
        ([Some(&[1]), Some(&[2])], Some(&[])),
        ([Some(&[1]), None], None),
    ] {
        let images: Vec<Image> = ["vadd", "dg_basic"]
            .into_iter()
            .zip(targets)
            .map(|(name, targets)| with_targets(name, targets))
            .collect();
        let made = united(&images);
        let kernels = &made.properties.kernel_names;
        assert!(kernels.contains("_ZTS4VAdd") && kernels.contains("_ZTS5DgGet"), "{kernels:?}");
        assert_eq!(made.properties.requirements.fixed_targets.as_deref(), result, "{targets:?}");
    }
}

/// "Behavior for optional kernel features", Error checking for SYCL_EXTERNAL functions: a kernel calls `_Z2fbi`, which
/// calls `_Z2fci`, each in its own image. The cases list the targets of the three, the functions in warnings, and the
/// targets of the result.
#[test]
fn fixed_targets_of_all_that_a_kernel_reaches() {
    type Targets = Option<&'static [u32]>;
    let cases: [([Targets; 3], &[&str], Targets); 8] = [
        ([Some(&[1]), Some(&[1]), Some(&[1])], &[], Some(&[1])),
        ([Some(&[1]), Some(&[1]), Some(&[2])], &["_Z2fci"], Some(&[])),
        ([Some(&[1, 2]), Some(&[2]), Some(&[1, 2])], &[], Some(&[1, 2])),
        ([Some(&[1]), Some(&[1, 2]), Some(&[1])], &["_Z2fbi"], Some(&[1])),
        ([Some(&[1, 2]), Some(&[2, 3]), Some(&[4])], &["_Z2fbi", "_Z2fci"], Some(&[])),
        ([Some(&[1]), None, None], &[], Some(&[1])),
        // The kernel was compiled for any device, and its callees do not restrict that.
        ([None, Some(&[1]), Some(&[2])], &[], None),
        ([None, None, None], &[], None),
    ];
    for (targets, warned, result) in cases {
        let names = ["dl_a", "dl_b", "dl_c"];
        let images: Vec<Image> =
            names.into_iter().zip(targets).map(|(name, targets)| with_targets(name, targets)).collect();
        let made = united(&images);
        let words = |name: &&str| {
            format!(
                "warning: function '{name}' compiled with a different `-fsycl-fixed-targets` switch than its calling kernel."
            )
        };
        assert_eq!(made.warnings, warned.iter().map(words).collect::<Vec<_>>(), "{targets:?}");
        let requirements = &made.properties.requirements;
        assert_eq!(requirements.fixed_targets.as_deref(), result, "{targets:?}");
        // "fixed_target" appears without aspects, because the devices have all that the code needs.
        assert_eq!(requirements.aspects.is_none(), result.is_some(), "{targets:?}");
    }
}

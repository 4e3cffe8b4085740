//! The form that more drivers accept, on the images that need it.

use sycl_pi_image::spirv::{Decoration, Index, Module, Op, PORTABLE_REVISION, Reflection, portable};

use crate::common;

/// Returns how often a pointer to a built-in variable is cast to another type.
fn casts(module: &Module) -> usize {
    let index = Index::new(module).unwrap();
    let built_in = |id: u32| index.decorations(id, Decoration::BuiltIn).next().is_some();
    module.instructions().filter(|inst| inst.opcode == Op::Bitcast && built_in(inst.operand(2))).count()
}

fn rewritten(name: &str) -> (Module, Option<Module>) {
    let module = Module::parse(&common::image(name).bytes).unwrap();
    let made = portable(&module).unwrap();
    (module, made)
}

#[test]
fn components_are_taken_from_whole_vectors() {
    // The second image reads the components at 8 and 16 bytes through further pointers.
    for name in ["vadd", "feat_wg.2", "mix"] {
        let (module, made) = rewritten(name);
        let made = made.unwrap();
        assert!(casts(&module) > 0, "{name}");
        assert_eq!(casts(&made), 0, "{name}");
    }
}

#[test]
fn a_host_accessible_variable_without_linkage_is_exported_by_its_unique_id() {
    let (module, made) = rewritten("dg_multi");
    let exported = |module: &Module| {
        let index = Index::new(module).unwrap();
        let linkage = Reflection::of(&index).unwrap().linkage;
        linkage.into_iter().map(|linkage| linkage.name).collect::<Vec<String>>()
    };
    let internal = "uid0123456789abcdef____ZL8Internal".to_owned();
    assert!(!exported(&module).contains(&internal));
    assert!(exported(&made.unwrap()).contains(&internal));
}

/// Makes a function that puts its two parameters into a structure. No test image has such a function; compilers write
/// it if values are composed at run time.
fn pair_of_parameters() -> Vec<u8> {
    let instructions: [&[u32]; 15] = [
        &[17, 4],          // OpCapability Addresses
        &[17, 5],          // OpCapability Linkage
        &[17, 6],          // OpCapability Kernel
        &[14, 2, 2],       // OpMemoryModel Physical64 OpenCL
        &[22, 1, 32],      // %1 = OpTypeFloat 32
        &[21, 2, 32, 0],   // %2 = OpTypeInt 32 0
        &[30, 3, 2, 1],    // %3 = OpTypeStruct %2 %1
        &[33, 4, 3, 2, 1], // %4 = OpTypeFunction %3 %2 %1
        &[54, 3, 5, 0, 4], // %5 = OpFunction %3 None %4
        &[55, 2, 6],       // %6 = OpFunctionParameter %2
        &[55, 1, 7],       // %7 = OpFunctionParameter %1
        &[248, 8],         // %8 = OpLabel
        &[80, 3, 9, 6, 7], // %9 = OpCompositeConstruct %3 %6 %7
        &[254, 9],         // OpReturnValue %9
        &[56],             // OpFunctionEnd
    ];
    let header = [0x0723_0203, 0x0001_0000, 0, 10, 0];
    let words = instructions.iter().flat_map(|words| {
        let first = u32::try_from(words.len()).unwrap() << 16 | words[0];
        std::iter::once(first).chain(words[1..].iter().copied())
    });
    header.into_iter().chain(words).flat_map(u32::to_le_bytes).collect()
}

#[test]
fn structures_are_put_together_member_by_member() {
    let bytes = pair_of_parameters();
    let module = Module::parse(&bytes).unwrap();
    let count =
        |module: &Module, opcode: Op| module.instructions().filter(|inst| inst.opcode == opcode).count();
    assert_eq!(count(&module, Op::CompositeConstruct), 1);
    let made = portable(&module).unwrap().unwrap();
    assert_eq!(count(&made, Op::CompositeConstruct), 0);
    assert_eq!(count(&made, Op::CompositeInsert), 2);
    common::validate_like("a pair of parameters", &bytes, &made.to_bytes().unwrap());
}

#[test]
fn nothing_is_done_twice_and_entry_points_stay() {
    let mut count = 0;
    for image in common::images() {
        let module = Module::parse(&image.bytes).unwrap();
        let Some(made) = portable(&module).unwrap() else { continue };
        count += 1;
        assert!(portable(&made).unwrap().is_none(), "{}", image.name);
        let entries = |module: &Module| {
            let index = Index::new(module).unwrap();
            format!("{:?}", Reflection::of(&index).unwrap().entry_points)
        };
        assert_eq!(entries(&made), entries(&module), "{}", image.name);
    }
    assert!(count > 0);
}

/// The revision is part of cache keys, so code that is rewritten in a different way needs a new revision.
#[test]
fn the_revision_grows_with_what_is_made() {
    // The FNV-1a hash of all code that is made from the test images.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for image in common::images() {
        let made = portable(&Module::parse(&image.bytes).unwrap()).unwrap();
        for word in made.iter().flat_map(Module::words) {
            hash = (hash ^ u64::from(*word)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!((PORTABLE_REVISION, hash), (2, 0xe909_b526_92e3_aae5));
}

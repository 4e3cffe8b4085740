//! Properties that cannot be derived from the code are taken from the original images, if the new image still has the
//! code that they describe.

use std::collections::BTreeSet;

use sycl_pi_image::derive::{Derived, carry, derive};
use sycl_pi_image::property::{
    DeviceGlobal, Leaf, LocalArg, MiscProps, PADDING, ParamMask, Requirements, SetKind, SpecConstants,
};
use sycl_pi_image::{Properties, Property, Value, aspect};

use crate::common;

const KERNEL: &str = "_ZTS4VAdd";

fn code(image: &str) -> Derived {
    derive(&common::image(image).bytes).unwrap()
}

/// Returns what the file and the code of an image say.
fn original(image: &str) -> (Properties, Properties) {
    (Properties::decode(&common::image(image).parts()).unwrap(), code(image).properties)
}

fn carried(file: Properties) -> Properties {
    carry(&[(file, code("vadd").properties)], code("vadd"))
}

#[test]
fn only_kernels_of_the_code_are_listed() {
    let (mut file, _) = original("vadd");
    file.sets.push(SetKind::ImplicitLocalArgs);
    file.assert_used = [KERNEL, "gone"].into_iter().collect();
    file.implicit_local_args.kernels =
        vec![(KERNEL.into(), LocalArg::Argument(1)), ("gone".into(), LocalArg::Static)];
    // A registered name may be that of another kernel.
    let registered = [("mine", KERNEL), (KERNEL, "gone")].map(|(name, kernel)| (name.into(), kernel.into()));
    file.registered_kernels.kernels = registered.to_vec();
    let made = carried(file);
    assert_eq!(made.assert_used.iter().collect::<Vec<_>>(), [KERNEL]);
    assert_eq!(made.implicit_local_args.kernels, [(KERNEL.to_owned(), LocalArg::Argument(1))]);
    assert_eq!(made.registered_kernels.kernels, [("mine".to_owned(), KERNEL.to_owned())]);
}

#[test]
fn what_is_said_of_the_whole_image_stays() {
    let (mut file, _) = original("vadd");
    file.sets.extend([SetKind::Misc, SetKind::VirtualFunctions]);
    file.misc = MiscProps::new([("optLevel", 1), ("sycl-grf-size", 256)]);
    file.virtual_functions.uses = Some("set".into());
    let made = carried(file);
    assert_eq!((made.misc.opt_level(), made.misc.grf_size()), (Some(1), Some(256)));
    assert_eq!(made.virtual_functions.uses.as_deref(), Some("set"));
}

/// The compiler's mask also shows which arguments it removed. A mask for another number of arguments belongs to other
/// code.
#[test]
fn the_first_mask_that_fits_the_code_stays() {
    let kept = code("vadd").properties.param_opt.get(KERNEL).unwrap().kept();
    let with = |masks: &[ParamMask]| {
        let originals: Vec<_> = masks
            .iter()
            .map(|mask| {
                let (mut file, code) = original("vadd");
                file.param_opt.kernels = vec![mask.clone()];
                (file, code)
            })
            .collect();
        carry(&originals, code("vadd")).param_opt.get(KERNEL).unwrap().clone()
    };
    let all_kept = |count| ParamMask::all_kept(KERNEL, count);
    let removed = ParamMask::last_removed(KERNEL, kept + 1);
    assert_eq!(with(std::slice::from_ref(&removed)), removed);
    assert_eq!(with(&[removed.clone(), all_kept(kept)]), removed);
    assert_eq!(with(&[all_kept(kept + 1)]), all_kept(kept));
}

#[test]
fn device_globals_are_as_the_file_says() {
    let (mut file, shown) = original("dg_basic");
    let id = shown.device_globals.globals[0].unique_id.clone();
    let said = DeviceGlobal { unique_id: id.clone(), size: 64, image_scope: true };
    file.device_globals.globals = vec![said.clone()];
    assert_eq!(carry(&[(file, shown)], code("dg_basic")).device_globals.get(&id), Some(&said));
}

/// Aspects that the code of the original shows are shown again by the part of it that uses them. Declared ones are those
/// of the kernels.
#[test]
fn declared_aspects_go_with_kernels() {
    let (mut file, mut shown) = original("vadd");
    file.requirements.aspects = Some(vec![aspect::FP16, aspect::FP64]);
    shown.requirements.aspects = Some(vec![aspect::FP16]);
    let originals = [(file, shown)];
    let made = carry(&originals, code("vadd"));
    assert_eq!(made.requirements.aspects, Some(vec![aspect::FP64]));
    let mut functions = code("vadd");
    functions.properties.kernel_names = Default::default();
    assert_eq!(carry(&originals, functions).requirements.aspects, Some(vec![]));
}

/// A property of a later compiler, which both files have.
#[test]
fn requirements_that_are_not_known_stay_once() {
    let with = || {
        let (mut file, code) = original("vadd");
        file.requirements.other = vec![Property::new("later", Value::Uint32(1))];
        (file, code)
    };
    assert_eq!(carry(&[with(), with()], code("vadd")).requirements.other.len(), 1);
}

/// An image of functions alone is fixed to targets, too.
#[test]
fn targets_are_those_of_the_kernels_if_there_are_any() {
    let with = |image: &str, targets: Option<&[u32]>| {
        let (mut file, code) = original(image);
        file.requirements =
            Requirements { fixed_targets: targets.map(<[u32]>::to_vec), ..Requirements::default() };
        (file, code)
    };
    let made = |originals: &[_]| carry(originals, code("vadd")).requirements.fixed_targets;
    assert_eq!(made(&[with("vadd", Some(&[1])), with("dl_b", None)]), Some(vec![1]));
    assert_eq!(made(&[with("dl_b", Some(&[1, 2])), with("dl_c", Some(&[2]))]), Some(vec![2]));
}

fn leaf(id: u32, offset: u32) -> Leaf {
    Leaf { id, offset, size: 4 }
}

fn with_constants(constants: &[(&str, &[Leaf])]) -> Properties {
    let list = constants.iter().map(|(name, leaves)| ((*name).to_owned(), leaves.to_vec()));
    let mut properties = Properties { spec_constants: SpecConstants::new(list), ..Properties::default() };
    let size = properties.spec_constants.size() as u8;
    properties.spec_defaults.all = (size > 0).then(|| (1..=size).collect());
    properties
}

/// Its size stays, because the program sets it as a whole.
#[test]
fn a_part_of_a_constant_that_the_code_lacks_is_padding() {
    let file = with_constants(&[("pair", &[leaf(0, 0), leaf(1, 4)]), ("gone", &[leaf(2, 0)])]);
    let before = with_constants(&[("a", &[leaf(0, 0)]), ("b", &[leaf(1, 0)]), ("c", &[leaf(2, 0)])]);
    let after = Derived { properties: with_constants(&[("a", &[leaf(0, 0)])]), ..Derived::default() };
    let made = carry(&[(file, before)], after);
    let constants: Vec<_> = made.spec_constants.iter().collect();
    assert_eq!(constants.len(), 1);
    assert_eq!(
        (constants[0].name.as_str(), &constants[0].leaves),
        ("pair", &vec![leaf(0, 0), leaf(PADDING, 4)])
    );
    assert_eq!(made.spec_defaults.all, Some((1..=8).collect()));
}

/// The order of one file's properties is the compiler's, that of several is by ids.
#[test]
fn constants_of_several_files_are_in_the_order_of_their_ids() {
    let names = |files: &[&[(&str, &[Leaf])]]| -> Vec<String> {
        let all: Vec<(&str, &[Leaf])> = files.concat();
        let originals: Vec<_> =
            files.iter().map(|file| (with_constants(file), with_constants(file))).collect();
        let derived = Derived { properties: with_constants(&all), ..Derived::default() };
        let made = carry(&originals, derived);
        assert_eq!(made.spec_constants.iter().map(|one| &one.name).collect::<BTreeSet<_>>().len(), all.len());
        made.spec_constants.iter().map(|constant| constant.name.clone()).collect()
    };
    let (late, early): ([Leaf; 1], [Leaf; 1]) = ([leaf(5, 0)], [leaf(0, 0)]);
    assert_eq!(names(&[&[("late", &late), ("early", &early)]]), ["late", "early"]);
    assert_eq!(names(&[&[("late", &late)], &[("early", &early)]]), ["early", "late"]);
}

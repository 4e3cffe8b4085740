//! Compares images split by the tool with those split by the compiler. They must have the same kernels, and compute the
//! same results.

use std::collections::BTreeSet;

use sycl_pi_image::{ImageParts, Properties, SetKind};

use sycl_pi_runtime::{
    Arg, Context, NdRange, Queue, QueueOptions, Registry, Runtime, SpecValues, Usm, UsmKind,
};
use testing_programs::Launch as _;

use crate::fixture::{Fixture, compilers, compilers_split, no_device, of_table, start};
use crate::{Test, tools};

/// The compiler's image, its split images, and the tool's arguments.
const CASES: [(&str, &str, &[&str]); 4] = [
    ("multi_off", "multi_perkernel", &["--mode", "per_kernel"]),
    ("multi_off", "multi_auto", &["--mode", "auto"]),
    ("feat_wg_off", "feat_wg", &["--mode", "auto"]),
    ("dl_off", "dl_split", &["--mode", "per_kernel", "--export", "_Z6helperi", "--dependencies"]),
];

pub(crate) fn all() -> Vec<Test> {
    let without_device = tools::lacking(&[tools::pi()], &[]);
    let mut tests = Vec::new();
    for (whole, parts, words) in CASES {
        tests.push(Test::new(
            &format!("split::{parts}_says_the_same"),
            move || says_the_same(whole, parts, words),
            without_device.clone(),
        ));
        tests.push(Test::new(
            &format!("split::{parts}_computes_the_same"),
            move || computes_the_same(whole, parts, words),
            no_device(),
        ));
    }
    tests.push(Test::new(
        "split::images_that_share_a_variable_compute_the_same",
        images_that_share_a_variable,
        no_device(),
    ));
    tests
}

/// If two kernels use a device global, one image has it, and the other imports it.
fn images_that_share_a_variable() {
    let folder = tempfile::tempdir().unwrap();
    let images = ours("dg_basic", &["--mode", "per_kernel", "--dependencies"], folder.path());
    let with = |set| images.iter().filter(|image| image.property_set(set).is_some()).count();
    let sets = ["SYCL/exported symbols", "SYCL/imported symbols", "SYCL/device globals"];
    assert_eq!((images.len(), sets.map(with)), (2, [1, 1, 1]));
    let device = testing_programs::open(&tools::plugin()).unwrap().first_device().unwrap();
    let context = Context::new(std::slice::from_ref(&device)).unwrap();
    let queue = Queue::new(&context, &device, QueueOptions::new()).unwrap();
    let registry = Registry::new();
    for image in images {
        testing_programs::add(&registry, image).unwrap();
    }
    let runtime = Runtime::new(&context, &registry);
    let memory = Usm::<i32>::new(&context, &device, UsmKind::Device, 1).unwrap();
    // One adds to the variable, the other reads it.
    for (kernel, argument) in [("_ZTS5DgAdd", Arg::value(&5_i32)), ("_ZTS5DgGet", Arg::usm(&memory))] {
        let kernel = runtime.kernel(&device, kernel, &SpecValues::new()).unwrap();
        kernel.start(&queue, NdRange::single(), &[argument]).unwrap().wait().unwrap();
    }
    assert_eq!(memory.to_vec(&queue).unwrap(), [5]);
}

fn ours(whole: &str, words: &[&str], folder: &std::path::Path) -> Vec<ImageParts<'static>> {
    let table = folder.join("split.table");
    let code = tools::image(&format!("{whole}.spv"));
    let mut all: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"split", &code, &"-o", &table];
    all.extend(words.iter().map(|word| word as &dyn AsRef<std::ffi::OsStr>));
    tools::image_tool(&all);
    of_table(&table)
}

/// Returns an image's kernels, requirements, imports and exports.
fn facts(image: &ImageParts<'_>) -> String {
    let properties = Properties::decode(image).unwrap();
    let mut facts = String::new();
    for kind in [SetKind::KernelNames, SetKind::Requirements, SetKind::Imports, SetKind::Exports] {
        let set = properties.encode_set(kind).unwrap();
        let lines: BTreeSet<String> = set.properties.iter().map(|property| format!("{property:?}")).collect();
        facts += &format!("{}: {lines:?}\n", set.name);
    }
    facts
}

fn says_the_same(whole: &str, parts: &str, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let sorted = |images: Vec<ImageParts<'static>>| {
        let mut facts: Vec<String> = images.iter().map(facts).collect();
        facts.sort();
        facts
    };
    assert_eq!(sorted(ours(whole, words, folder.path())), sorted(compilers_split(parts)));
}

fn computes_the_same(whole: &str, parts: &str, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let ours = Fixture::with(ours(whole, words, folder.path())).run_all();
    let theirs = Fixture::with(compilers_split(parts)).run_all();
    let unsplit = Fixture::with(vec![compilers(whole)]).run_all();
    let names = |results: &std::collections::BTreeMap<String, Vec<u8>>| {
        results.keys().cloned().collect::<Vec<String>>()
    };
    assert_eq!(names(&ours), names(&theirs));
    let start = start();
    for (kernel, left) in &ours {
        assert!(
            left[..4096] != start || left[4096..] != start[..left.len() - 4096],
            "{kernel} does something"
        );
        assert_eq!(Some(left), theirs.get(kernel), "{kernel}: beside the compiler's split image");
        assert_eq!(Some(left), unsplit.get(kernel), "{kernel}: beside the compiler's whole image");
    }
}

//! Programs loaded from disk, or from memory without a build, give the same results as newly built programs.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_cache::store::Saved;
use sycl_pi_cache::{Store, StoreKey};
use sycl_pi_image::spirv::{self, Index, LinkOptions, Module};
use sycl_pi_runtime::*;

use crate::choice::add_native;
use crate::{EXPORTS, IMPORTS, Test, trials, with_symbol};
use testing_programs::{Launch as _, add, caches, default_folder, load, open};

/// A run of a program, with a separate context and separate caches, which may share a folder with those of other runs.
pub(crate) struct Run {
    device: Device,
    context: Context,
    queue: Queue,
    caches: Caches,
    runtime: Runtime,
}

impl Run {
    fn new(plugin: &Path, images: &[&str], root: &Path) -> Self {
        let images = images.iter().map(|image| load(&default_folder(), image));
        Self::with_images(plugin, images.collect(), root)
    }

    /// Creates a run in which each image is in a separate library.
    fn with_images(plugin: &Path, images: Vec<ImageParts<'static>>, root: &Path) -> Self {
        Self::with_caches(plugin, images, &caches(root))
    }

    pub(crate) fn with_caches(plugin: &Path, images: Vec<ImageParts<'static>>, caches: &Caches) -> Self {
        let caches = caches.clone();
        let device = open(plugin).unwrap().first_device().unwrap();
        let context = Context::new(std::slice::from_ref(&device)).unwrap();
        let queue = Queue::new(&context, &device, QueueOptions::new()).unwrap();
        let registry = Registry::new();
        for image in images {
            add(&registry, image).unwrap();
        }
        let runtime = Runtime::with_caches(&context, &registry, &caches);
        Self { device, context, queue, caches, runtime }
    }

    /// Runs a kernel that takes one address, and returns the value there afterwards.
    pub(crate) fn once(&self, kernel: &str, value: i32) -> i32 {
        self.with(kernel, value, &SpecValues::new())
    }

    fn with(&self, kernel: &str, value: i32, values: &SpecValues) -> i32 {
        let memory = Usm::new(&self.context, &self.device, UsmKind::Device, 1).unwrap();
        memory.write(&self.queue, 0, &[value]).unwrap();
        let kernel = self.runtime.kernel(&self.device, kernel, values).unwrap();
        kernel.start(&self.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
        memory.to_vec(&self.queue).unwrap().remove(0)
    }

    /// Returns the numbers of programs loaded from disk, programs built, and binaries refused.
    pub(crate) fn counts(&self) -> (u64, u64, u64) {
        let stats = self.caches.store().stats();
        (stats.hits, stats.builds, stats.refused)
    }
}

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("the_library_s_kernel_is_found_without_a_build", the_library_s_kernel_is_found_without_a_build),
        (
            "several_kernels_at_once_are_those_of_one_after_the_other",
            several_kernels_at_once_are_those_of_one_after_the_other,
        ),
        (
            "the_library_s_kernel_first_is_a_program_of_its_own",
            the_library_s_kernel_first_is_a_program_of_its_own,
        ),
        ("a_linked_program_comes_from_disk", a_linked_program_comes_from_disk),
        (
            "a_program_on_disk_has_the_kernels_of_all_its_images",
            a_program_on_disk_has_the_kernels_of_all_its_images,
        ),
        ("another_library_makes_another_program", another_library_makes_another_program),
        ("values_in_a_buffer_make_no_other_item", values_in_a_buffer_make_no_other_item),
        ("native_code_is_not_kept", native_code_is_not_kept),
        ("each_set_of_constants_has_its_item", each_set_of_constants_has_its_item),
        ("a_value_is_of_its_image_in_a_linked_program", a_value_is_of_its_image_in_a_linked_program),
        ("a_value_is_of_its_constant", a_value_is_of_its_constant),
        ("a_limit_counts_all_images_of_a_program", a_limit_counts_all_images_of_a_program),
        ("device_globals_of_a_stored_program", device_globals_of_a_stored_program),
        ("image_scope_globals_of_a_stored_program", image_scope_globals_of_a_stored_program),
        ("a_binary_that_the_driver_refuses_is_replaced", a_binary_that_the_driver_refuses_is_replaced),
        ("a_folder_that_cannot_be_written_is_no_trouble", a_folder_that_cannot_be_written_is_no_trouble),
        ("options_are_part_of_the_key", options_are_part_of_the_key),
        ("builds_are_counted_without_a_cache_on_disk", builds_are_counted_without_a_cache_on_disk),
        (
            "only_variables_of_image_scope_keep_their_program",
            only_variables_of_image_scope_keep_their_program,
        ),
    ];
    trials("cache", plugin, tests)
}

/// Returns the document's example: the application's kernel calls a function of a library that also has a kernel. A
/// compiler that does not split gives the library one image, as our linker does here.
fn application_and_library() -> Vec<ImageParts<'static>> {
    let parts = [load(&default_folder(), "dl_split.1"), load(&default_folder(), "dl_split.2")];
    let modules: Vec<Module> = parts.iter().map(|image| Module::parse(&image.bytes).unwrap()).collect();
    let indices: Vec<Index<'_>> = modules.iter().map(|module| Index::new(module).unwrap()).collect();
    let named: Vec<(&str, &Index<'_>)> = ["kernel", "function"].into_iter().zip(&indices).collect();
    let library = spirv::link(&named, LinkOptions::default()).unwrap().to_bytes().unwrap();
    let library = sycl_pi_image::derive::image("library", &library).unwrap().into_owned().unwrap();
    assert!(library.property_set("SYCL/exported symbols").is_some());
    vec![load(&default_folder(), "dl_split.0"), library]
}

const INTERNAL_KERNEL: &str = "_ZTS8DlSplit2";
const EXTERNAL_KERNEL: &str = "_ZTS8DlSplit1";

fn the_library_s_kernel_is_found_without_a_build(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    let run = Run::with_images(plugin, application_and_library(), root.path());
    assert_eq!(run.once(INTERNAL_KERNEL, 4), 21);
    assert_eq!((run.counts(), run.runtime.program_count()), ((0, 1, 0), 1));
    assert_eq!(run.once(EXTERNAL_KERNEL, 4), 16);
    assert_eq!((run.counts(), run.runtime.program_count()), ((0, 1, 0), 1));
    let images = run.runtime.kernel(&run.device, EXTERNAL_KERNEL, &SpecValues::new()).unwrap().image_names();
    assert_eq!(images, ["dl_split.0", "library"]);
}

fn several_kernels_at_once_are_those_of_one_after_the_other(plugin: &Path) {
    let (root, values) = (tempfile::tempdir().unwrap(), SpecValues::new());
    let names = [INTERNAL_KERNEL, EXTERNAL_KERNEL, INTERNAL_KERNEL];
    for counts in [(0, 1, 0), (1, 0, 0)] {
        let run = Run::with_images(plugin, application_and_library(), root.path());
        let kernels = run.runtime.kernels(&run.device, &names, &values).unwrap();
        assert_eq!(kernels.iter().map(Kernel::name).collect::<Vec<_>>(), names);
        assert_eq!((run.counts(), run.runtime.program_count()), (counts, 1));
        assert_eq!((run.once(INTERNAL_KERNEL, 4), run.once(EXTERNAL_KERNEL, 4)), (21, 16));
        let error =
            run.runtime.kernels(&run.device, &[INTERNAL_KERNEL, "_ZTS8DlSplit3"], &values).unwrap_err();
        assert!(error.to_string().contains("is it _ZTS8DlSplit"), "{error}");
        assert_eq!(run.counts(), counts);
        // Built programs are on disk before the other run starts.
        drop(run);
    }
    // Without a cache in memory, each kernel has a separate program.
    let config = caches(root.path()).config().clone().with_in_memory(false);
    let run = Run::with_caches(plugin, application_and_library(), &Caches::new(&config));
    let kernels = run.runtime.kernels(&run.device, &names, &values).unwrap();
    assert_eq!(kernels.iter().map(Kernel::name).collect::<Vec<_>>(), names);
    assert_eq!(run.runtime.program_count(), 0);
}

fn the_library_s_kernel_first_is_a_program_of_its_own(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    let run = Run::with_images(plugin, application_and_library(), root.path());
    assert_eq!(run.once(EXTERNAL_KERNEL, 4), 16);
    assert_eq!(run.once(INTERNAL_KERNEL, 4), 21);
    assert_eq!((run.counts(), run.runtime.program_count()), ((0, 2, 0), 2));
}

fn a_linked_program_comes_from_disk(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    // Libraries are loaded in any order.
    for (images, counts) in [
        (["dl_a", "dl_b", "dl_c"], (0, 1, 0)),
        (["dl_c", "dl_b", "dl_a"], (1, 0, 0)),
        (["dl_b", "dl_a", "dl_c"], (1, 0, 0)),
    ] {
        let run = Run::new(plugin, &images, root.path());
        assert_eq!(run.once("_ZTS3DlA", 4), 71);
        assert_eq!(run.counts(), counts);
    }
}

/// So that people find it by any of them.
fn a_program_on_disk_has_the_kernels_of_all_its_images(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    let [one, other] = ["_Z3onev", "_Z5otherv"];
    let linked = |name: &str, exported: &'static str, imported: &'static str| {
        with_symbol(with_symbol(load(&default_folder(), name), EXPORTS, exported), IMPORTS, imported)
    };
    let images = vec![linked("dg_basic", one, other), linked("vadd", other, one)];
    let run = Run::with_images(plugin, images, root.path());
    assert_eq!((run.once("_ZTS5DgGet", 9), run.counts()), (0, (0, 1, 0)));
    run.caches.store().shut_down();
    let store = run.caches.store();
    let items = store.items(|_| ()).unwrap();
    let kernels = store.details(&items[0]).unwrap().notes.kernels;
    for kernel in ["_ZTS5DgGet", "_ZTS5DgAdd", "_ZTS4VAdd"] {
        assert!(kernels.iter().any(|name| name == kernel), "{kernel}: {kernels:?}");
    }
}

fn another_library_makes_another_program(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    let chain = || ["dl_a", "dl_b", "dl_c"].map(|image| load(&default_folder(), image));
    let run = Run::with_images(plugin, chain().to_vec(), root.path());
    assert_eq!(run.once("_ZTS3DlA", 4), 71);
    drop(run);
    // int fc(int x) { return x + 3; } becomes x + 7.
    let mut images = chain();
    let mut code = images[2].bytes.to_vec();
    let constant = |word: &[u8]| word == 3_u32.to_le_bytes();
    let op_constant = 0x0004_002b_u32.to_le_bytes();
    let place = code
        .chunks_exact(4)
        .collect::<Vec<_>>()
        .windows(4)
        .position(|words| words[0] == op_constant && constant(words[3]));
    let at = (place.unwrap() + 3) * 4;
    code[at] = 7;
    images[2].bytes = code.into();
    let run = Run::with_images(plugin, images.to_vec(), root.path());
    assert_eq!(run.once("_ZTS3DlA", 4), 111);
    assert_eq!(run.counts(), (0, 1, 0));
}

fn each_set_of_constants_has_its_item(plugin: &Path) {
    const FACTOR: &str = "uid0123456789abcdef____ZL6Factor";
    let root = tempfile::tempdir().unwrap();
    let sets = [(None, 300), (Some(7), 700), (Some(3), 300), (Some(-2), -200)];
    for counts in [(0, 4, 0), (4, 0, 0)] {
        let run = Run::new(plugin, &["spec_one"], root.path());
        for (factor, result) in sets {
            let mut values = SpecValues::new();
            if let Some(factor) = factor {
                values.set(FACTOR, factor);
            }
            assert_eq!(run.with("_ZTS7SpecOne", 0, &values), result, "{factor:?}");
        }
        assert_eq!(run.counts(), counts);
    }
}

/// There is nothing to compile.
fn native_code_is_not_kept(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    let image = || load(&default_folder(), "dg_basic");
    let run =
        Run::with_caches(plugin, vec![image()], &Caches::new(&CacheConfig::default().with_persistent(false)));
    let registered = run.runtime.registry().images().remove(0);
    let code = run.runtime.native_code(&run.device, &registered).unwrap().expect("the driver gives binaries");
    for _ in 0..2 {
        let run = Run::with_images(plugin, vec![], root.path());
        add_native(run.runtime.registry(), &run.device, image(), code.clone());
        assert_eq!(run.once("_ZTS5DgGet", 1), 0);
        assert_eq!(run.counts(), (0, 0, 0));
        drop(run);
        assert!(caches(root.path()).store().items(|_| ()).unwrap().is_empty());
    }
}

/// Values that kernels read from a buffer are not part of the program.
fn values_in_a_buffer_make_no_other_item(plugin: &Path) {
    const FACTOR: &str = "uid0123456789abcdef____ZL6Factor";
    let root = tempfile::tempdir().unwrap();
    let image = load(&default_folder(), "spec_one");
    let emulated = sycl_pi_image::emulate::emulate(&image).unwrap().image;
    for (factor, result, counts) in [(7, 700, (0, 1, 0)), (-2, -200, (1, 0, 0))] {
        let run = Run::with_images(plugin, vec![emulated.clone()], root.path());
        assert_eq!(run.with("_ZTS7SpecOne", 0, &SpecValues::new().with(FACTOR, factor)), result);
        assert_eq!(run.counts(), counts);
    }
}

/// Two linked images have a constant with id 0 each. Setting the same number in one or in the other results in two
/// programs.
fn a_value_is_of_its_image_in_a_linked_program(plugin: &Path) {
    const FACTOR: &str = "uid0123456789abcdef____ZL6Factor";
    let code = include_bytes!("../images/constants_in_composites.spv");
    let images = || {
        let main = sycl_pi_image::derive::image("composites", code).unwrap().into_owned().unwrap();
        let library = load(&default_folder(), "spec_one");
        vec![with_symbol(main, IMPORTS, "_Z8the_linkv"), with_symbol(library, EXPORTS, "_Z8the_linkv")]
    };
    let root = tempfile::tempdir().unwrap();
    for counts in [(0, 3, 0), (3, 0, 0)] {
        let run = Run::with_images(plugin, images(), root.path());
        for (constant, result) in [(Some("spec_constant_0"), 7), (Some(FACTOR), 10), (None, 10)] {
            let values = constant.map_or_else(SpecValues::new, |name| SpecValues::new().with(name, 7_i32));
            let memory = Usm::new(&run.context, &run.device, UsmKind::Device, 9).unwrap();
            memory.write(&run.queue, 0, &[0_u32; 9]).unwrap();
            let kernel = run.runtime.kernel(&run.device, "composites", &values).unwrap();
            assert_eq!(kernel.image_names(), ["composites", "spec_one"]);
            kernel.start(&run.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
            assert_eq!(memory.to_vec(&run.queue).unwrap()[0], result, "{constant:?}");
        }
        assert_eq!(run.counts(), counts);
    }
}

/// Setting the same number in one constant of an image or in another results in two programs.
fn a_value_is_of_its_constant(plugin: &Path) {
    let code = include_bytes!("../images/constants_in_composites.spv");
    let image = || sycl_pi_image::derive::image("composites", code).unwrap().into_owned().unwrap();
    let root = tempfile::tempdir().unwrap();
    for counts in [(0, 2, 0), (2, 0, 0)] {
        let run = Run::with_images(plugin, vec![image()], root.path());
        for (constant, result) in [("spec_constant_0", [5, 5, 20]), ("spec_constant_1", [10, 10, 5])] {
            let memory = Usm::new(&run.context, &run.device, UsmKind::Device, 9).unwrap();
            memory.write(&run.queue, 0, &[0_u32; 9]).unwrap();
            let values = SpecValues::new().with(constant, 5_u32);
            let kernel = run.runtime.kernel(&run.device, "composites", &values).unwrap();
            kernel.start(&run.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
            assert_eq!(memory.to_vec(&run.queue).unwrap()[..3], result, "{constant}");
        }
        assert_eq!(run.counts(), counts);
    }
}

/// Whether a program of three images and another of a fourth image fit depends on the size of all four.
fn a_limit_counts_all_images_of_a_program(plugin: &Path) {
    let names = ["dl_a", "dl_b", "dl_c", "dg_basic"];
    let size: usize = names.iter().map(|name| load(&default_folder(), name).bytes.len()).sum();
    for (limit, builds) in [(size as u64, 2), (size as u64 - 1, 3)] {
        let config = CacheConfig::default().with_persistent(false).with_memory_limit(Some(limit));
        let images = names.map(|image| load(&default_folder(), image));
        let run = Run::with_caches(plugin, images.to_vec(), &Caches::new(&config));
        for kernel in ["_ZTS3DlA", "_ZTS5DgGet", "_ZTS3DlA"] {
            run.once(kernel, 4);
        }
        assert_eq!(run.counts(), (0, builds, 0), "{limit} bytes");
    }
}

fn device_globals_of_a_stored_program(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    for counts in [(0, 1, 0), (1, 0, 0)] {
        let run = Run::new(plugin, &["dg_basic"], root.path());
        run.runtime.copy_to_device_global(&run.queue, "_Z7Counter", 0, &[37_i32]).unwrap();
        let add = run.runtime.kernel(&run.device, "_ZTS5DgAdd", &SpecValues::new()).unwrap();
        add.start(&run.queue, NdRange::single(), &[Arg::value(&5_i32)]).unwrap().wait().unwrap();
        assert_eq!(run.once("_ZTS5DgGet", 0), 42);
        let mut bytes = [0_u8; 4];
        run.runtime.copy_from_device_global(&run.queue, "_Z7Counter", 0, &mut bytes).unwrap();
        assert_eq!(i32::from_ne_bytes(bytes), 42);
        assert_eq!(run.counts(), counts);
    }
}

fn image_scope_globals_of_a_stored_program(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    for counts in [(0, 1, 0), (1, 0, 0)] {
        let run = Run::new(plugin, &["dg_scope"], root.path());
        let image = run.runtime.registry().images().remove(0);
        let id = image.properties().device_globals.globals[0].unique_id.clone();
        // The binary contains the code, but not the values that a run gave the variables.
        assert_eq!(run.once("_ZTS6DgsSum", -1), 0);
        let set = run.runtime.kernel(&run.device, "_ZTS6DgsSet", &SpecValues::new()).unwrap();
        set.start(&run.queue, NdRange::single(), &[Arg::value(&10_i32)]).unwrap().wait().unwrap();
        assert_eq!(run.once("_ZTS6DgsSum", -1), 10 + 11 + 12 + 13);
        run.runtime.copy_to_device_global(&run.queue, &id, 4, &[100_i32]).unwrap();
        assert_eq!(run.once("_ZTS6DgsSum", -1), 10 + 100 + 12 + 13);
        assert_eq!(run.counts(), counts);
    }
}

/// Replaces the binary of the only item in a store.
fn replace_binary(store: &Store, binary: &[u8]) {
    let items = store.items(|_| ()).unwrap();
    assert_eq!(items.len(), 1);
    let details = store.details(&items[0]).unwrap();
    assert_eq!(store.save(&StoreKey::new(&details.key), &details.notes, binary), Saved::Saved);
}

fn a_binary_that_the_driver_refuses_is_replaced(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    for counts in [(0, 1, 0), (0, 1, 1), (1, 0, 0)] {
        let run = Run::new(plugin, &["dl_a", "dl_b", "dl_c"], root.path());
        assert_eq!(run.once("_ZTS3DlA", 4), 71);
        assert_eq!(run.counts(), counts);
        drop(run);
        if counts == (0, 1, 0) {
            replace_binary(caches(root.path()).store(), b"of no driver at all");
        }
    }
}

fn a_folder_that_cannot_be_written_is_no_trouble(plugin: &Path) {
    for _ in 0..2 {
        let run = Run::new(plugin, &["dl_a", "dl_b", "dl_c"], Path::new("/proc/no/such/place"));
        assert_eq!(run.once("_ZTS3DlA", 4), 71);
        assert_eq!(run.counts(), (0, 1, 0));
    }
}

fn options_are_part_of_the_key(plugin: &Path) {
    let root = tempfile::tempdir().unwrap();
    let run = |compile: &'static str, link: &'static str, given: BuildOptions| {
        let mut image = load(&default_folder(), "dg_basic");
        (image.compile_options, image.link_options) = (compile.into(), link.into());
        let mut run = Run::with_images(plugin, vec![image], root.path());
        run.runtime = run.runtime.with_build_options(given);
        assert_eq!(run.once("_ZTS5DgGet", 1), 0);
        run.counts()
    };
    const OPTION: &str = "-cl-opt-disable";
    for counts in [(0, 1, 0), (1, 0, 0)] {
        for (compile, link) in [("", ""), (OPTION, ""), ("", OPTION)] {
            assert_eq!(run(compile, link, BuildOptions::new()), counts, "{compile:?} {link:?}");
        }
    }
    // The API's options count as the image's own do.
    const OTHER: &str = "-cl-mad-enable";
    assert_eq!(run("", "", BuildOptions::new().append_compile(OTHER)), (0, 1, 0));
    assert_eq!(run("", "", BuildOptions::new().append_link(OTHER)), (0, 1, 0));
    assert_eq!(run(OTHER, "", BuildOptions::new()), (1, 0, 0));
    assert_eq!(run("", OTHER, BuildOptions::new()), (1, 0, 0));
}

fn builds_are_counted_without_a_cache_on_disk(plugin: &Path) {
    let caches = Caches::new(&CacheConfig::default().with_persistent(false));
    let images = ["dl_a", "dl_b", "dl_c", "dg_basic"].map(|image| load(&default_folder(), image));
    let run = Run::with_caches(plugin, images.to_vec(), &caches);
    assert_eq!((run.once("_ZTS3DlA", 4), run.once("_ZTS5DgGet", 1)), (71, 0));
    assert_eq!(run.counts(), (0, 2, 0));
}

/// Evicted programs are built again, except those whose variables contain values themselves.
fn only_variables_of_image_scope_keep_their_program(plugin: &Path) {
    let config = CacheConfig::default().with_persistent(false).with_memory_limit(Some(1));
    for (image, kernel, builds) in [("dg_scope", "_ZTS6DgsSum", 2), ("spec_one", "_ZTS7SpecOne", 3)] {
        let caches = Caches::new(&config);
        let images = [image, "dg_basic"].map(|image| load(&default_folder(), image));
        let run = Run::with_caches(plugin, images.to_vec(), &caches);
        for kernel in [kernel, "_ZTS5DgGet", kernel] {
            run.once(kernel, 0);
        }
        assert_eq!(run.counts(), (0, builds, 0), "{image}");
    }
}

//! Tests of individual behaviors, each with the images that show it.

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::Trial;
use sycl_pi_runtime::*;

use crate::{Test, trials};
use testing_programs::{Launch as _, add, default_folder, load, open};

pub(crate) struct Fixture {
    pub(crate) device: Device,
    pub(crate) context: Context,
    pub(crate) queue: Queue,
    pub(crate) registry: Arc<Registry>,
    pub(crate) runtime: Runtime,
}

pub(crate) fn fixture(plugin: &Path, images: &[&str]) -> Fixture {
    let device = open(plugin).unwrap().first_device().unwrap();
    let context = Context::new(std::slice::from_ref(&device)).unwrap();
    let queue = Queue::new(&context, &device, QueueOptions::new().profiling(true)).unwrap();
    let registry = Registry::new();
    for image in images {
        add(&registry, load(&default_folder(), image)).unwrap();
    }
    // These tests must not use programs that another run stored on disk.
    let caches = Caches::new(&CacheConfig::default().with_persistent(false));
    let runtime = Runtime::with_caches(&context, &registry, &caches);
    Fixture { device, context, queue, registry, runtime }
}

impl Fixture {
    pub(crate) fn kernel(&self, name: &str) -> Result<Kernel> {
        self.runtime.kernel(&self.device, name, &SpecValues::new())
    }

    pub(crate) fn memory<T: Element>(&self, values: &[T]) -> Usm<T> {
        let memory = Usm::new(&self.context, &self.device, UsmKind::Device, values.len()).unwrap();
        memory.write(&self.queue, 0, values).unwrap();
        memory
    }

    /// Runs a kernel that takes one address, and returns the value there afterwards.
    pub(crate) fn once(&self, kernel: &str, value: i32) -> Result<i32> {
        let memory = self.memory(&[value]);
        self.kernel(kernel)?.start(&self.queue, NdRange::single(), &[Arg::usm(&memory)])?.wait()?;
        Ok(memory.to_vec(&self.queue)?[0])
    }
}

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("chain", chain),
        ("diamond", diamond),
        ("split_serves_all_kernels", split_serves_all_kernels),
        ("missing_symbol", missing_symbol),
        ("native_constant", native_constant),
        ("composite_constant", composite_constant),
        ("global_bounds", global_bounds),
        ("global_without_image", global_without_image),
        ("buffers_and_removed_arguments", buffers_and_removed_arguments),
        ("a_mask_that_contradicts_the_code_is_ignored", a_mask_that_contradicts_the_code_is_ignored),
        ("local_memory_and_structure", local_memory_and_structure),
        ("the_largest_group_is_launched", the_largest_group_is_launched),
        ("values_are_written_and_read_at_their_index", values_are_written_and_read_at_their_index),
        ("arguments_are_checked", arguments_are_checked),
        ("ranges_are_checked", ranges_are_checked),
        ("a_kernel_s_own_required_size_is_checked", a_kernel_s_own_required_size_is_checked),
        ("a_file_is_one_plugin", a_file_is_one_plugin),
        ("host_address_of_a_global", host_address_of_a_global),
        ("objects_of_others_are_refused_before_the_driver", objects_of_others_are_refused_before_the_driver),
        ("discovery_tells_what_was_tried", discovery_tells_what_was_tried),
        ("unregistered_kernels_are_gone", unregistered_kernels_are_gone),
        ("any_order_of_drops", any_order_of_drops),
        ("threads", threads),
        ("everything_at_once", everything_at_once),
        ("profiling", profiling),
    ];
    trials("behaviour", plugin, tests)
}

fn chain(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_a", "dl_c", "dl_b"]);
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
    assert_eq!(fixture.kernel("_ZTS3DlA").unwrap().image_names(), ["dl_a", "dl_b", "dl_c"]);
}

fn diamond(plugin: &Path) {
    let fixture = fixture(plugin, &["dm_d", "dm_c", "dm_b", "dm_a"]);
    assert_eq!(fixture.once("_ZTS3DmA", 4).unwrap(), 117);
}

fn split_serves_all_kernels(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_split.0", "dl_split.1", "dl_split.2"]);
    for _ in 0..2 {
        // 4 * 4, and 4 * 4 + 5.
        for (kernel, result) in [("_ZTS8DlSplit1", 16), ("_ZTS8DlSplit2", 21)] {
            assert_eq!(fixture.once(kernel, 4).unwrap(), result, "{kernel}");
        }
    }
    assert_eq!(fixture.registry.kernel_names().len(), 2);
    assert_eq!(fixture.runtime.program_count(), 2);
}

fn missing_symbol(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_missing", "dl_a", "dl_c"]);
    let error = fixture.kernel("_ZTS3DlA").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Build);
    assert_eq!(
        error.to_string(),
        "No device image found for external symbol _Z2fbi, which image dl_a needs; near misses: _Z2fci"
    );
    // Another library is registered later.
    add(&fixture.registry, load(&default_folder(), "dl_b")).unwrap();
    assert_eq!(fixture.once("_ZTS3DlA", 4).unwrap(), 71);
}

const FACTOR: &str = "uid0123456789abcdef____ZL6Factor";

fn native_constant(plugin: &Path) {
    let fixture = fixture(plugin, &["spec_one"]);
    let with = |values: &SpecValues| -> Result<i32> {
        let memory = fixture.memory(&[0_i32]);
        let kernel = fixture.runtime.kernel(&fixture.device, "_ZTS7SpecOne", values)?;
        kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)])?.wait()?;
        Ok(memory.to_vec(&fixture.queue)?[0])
    };
    assert_eq!(with(&SpecValues::new()).unwrap(), 300);
    assert_eq!(with(&SpecValues::new().with(FACTOR, 7_i32)).unwrap(), 700);
    let mut values = SpecValues::new();
    values.set(FACTOR, 7_i32).set(FACTOR, 3_i32);
    assert_eq!(with(&values).unwrap(), 300);
    assert_eq!(with(&SpecValues::new().with(FACTOR, 7_i64)).unwrap_err().kind(), ErrorKind::Invalid);
    assert_eq!(with(&SpecValues::new().with("other", 7_i32)).unwrap_err().kind(), ErrorKind::Invalid);
}

fn composite_constant(plugin: &Path) {
    let fixture = fixture(plugin, &["spec_struct"]);
    let image = fixture.registry.images().remove(0);
    let outer = image.properties().spec_constants.iter().find(|constant| constant.leaves.len() > 1).unwrap();
    // { short s; double d; { char tag; int value; } in; char last; }
    let mut value = image.properties().spec_default(outer).unwrap().to_vec();
    value[20..24].copy_from_slice(&78_i32.to_le_bytes());
    let mut values = SpecValues::new();
    values.set_bytes(&outer.name, &value).unwrap();
    let memory = fixture.memory(&[0.0_f64; 6]);
    let kernel = fixture.runtime.kernel(&fixture.device, "_ZTS10SpecStruct", &values).unwrap();
    kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
    let found = memory.to_vec(&fixture.queue).unwrap();
    assert_eq!(found, [5.0, 6.5, f64::from(b't'), 78.0, f64::from(b'z'), 9.0]);
}

fn global_bounds(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    let error = fixture.runtime.copy_to_device_global(&fixture.queue, "_Z7Counter", 1, &[1_i32]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().starts_with("Copy to device_global is out of bounds."), "{error}");
}

fn global_without_image(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    fixture.registry.add_device_global(0x1000, "_Z7Counter");
    // Each copy has its own bytes only.
    fixture.registry.add_device_global(0x2000, "_Z5Other");
    let (runtime, queue) = (&fixture.runtime, &fixture.queue);
    runtime.copy_to_device_global(queue, "_Z5Other", 4, &[5_i32, 6]).unwrap();
    runtime.copy_to_device_global(queue, "_Z5Other", 0, &[4_i32]).unwrap();
    let mut words = [9_i32; 2];
    runtime.copy_from_device_global(queue, "_Z5Other", 8, &mut words).unwrap();
    assert_eq!(words, [6, 0]);
    let mut bytes = [9_u8; 8];
    fixture.runtime.copy_from_device_global(&fixture.queue, "_Z7Counter", 0, &mut bytes).unwrap();
    assert_eq!(bytes, [0; 8]);
    fixture.runtime.copy_to_device_global(&fixture.queue, "_Z7Counter", 0, &[40_i32]).unwrap();
    // The images are registered later, and the value written before is preserved.
    add(&fixture.registry, load(&default_folder(), "dg_basic")).unwrap();
    assert_eq!(fixture.once("_ZTS5DgGet", 0).unwrap(), 40);
}

fn buffers_and_removed_arguments(plugin: &Path) {
    let fixture = fixture(plugin, &["vadd_acc"]);
    let of = |value: f32| Buffer::new(&fixture.context, &[value; 8]).unwrap();
    let (a, b, c) = (of(1.0), of(2.0), of(0.0));
    let kernel = fixture.kernel("_ZTS7VAddAcc").unwrap();
    assert_eq!(kernel.argument_count(), Some(12));
    let (none, zero) = (Arg::removed(), 0_u64);
    let zero = Arg::value(&zero);
    // Each accessor consists of an address, two ranges and an offset; the compiler kept the address and the offset. The
    // lambda captures the accessors in the order of their use: C[i] = A[i] + B[i].
    let args = [
        [Arg::buffer(&c), none, none, zero],
        [Arg::buffer(&a), none, none, zero],
        [Arg::buffer(&b), none, none, zero],
    ];
    let kept: Vec<usize> = vec![0, 3, 4, 7, 8, 11];
    let written = args.concat();
    let as_kept: Vec<Arg<'_>> = kept.iter().map(|&place| written[place]).collect();
    let mut sums = [0.0; 8];
    kernel.start(&fixture.queue, NdRange::linear(8), &as_kept).unwrap().wait().unwrap();
    c.read(&fixture.queue, 0, &mut sums).unwrap();
    assert_eq!(sums, [3.0; 8]);
    let told =
        |args: &[Arg<'_>]| kernel.start(&fixture.queue, NdRange::linear(8), args).unwrap_err().to_string();
    let missing = [&[Arg::removed()], &as_kept[1..]].concat();
    assert_eq!(
        told(&missing),
        "argument 0 of kernel _ZTS7VAddAcc is an address (global), but nothing was given"
    );
    assert_eq!(
        told(&[zero]),
        "kernel _ZTS7VAddAcc takes 6 arguments, or 12 with those that the compiler removed, but 1 were given"
    );
    c.write(&fixture.queue, 0, &[0.0; 8]).unwrap();
    kernel.start(&fixture.queue, NdRange::linear(8), &written).unwrap().wait().unwrap();
    c.read(&fixture.queue, 0, &mut sums).unwrap();
    assert_eq!(sums, [3.0; 8]);
}

/// The mask says that the kernel takes eight arguments.
fn a_mask_that_contradicts_the_code_is_ignored(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let mut image = load(&default_folder(), "vadd_acc");
    let masks = image.property_sets.iter_mut().find(|set| set.name == "SYCL/kernel param opt").unwrap();
    masks.properties =
        vec![sycl_pi_image::Property::new("_ZTS7VAddAcc", sycl_pi_image::Value::byte_array(&[0]))];
    add(&fixture.registry, image).unwrap();
    assert_eq!(fixture.kernel("_ZTS7VAddAcc").unwrap().argument_count(), Some(6));
}

fn local_memory_and_structure(plugin: &Path) {
    let fixture = fixture(plugin, &["misc_local"]);
    let memory = fixture.memory(&(0..64).collect::<Vec<i32>>());
    let kernel = fixture.kernel("_ZTS9MiscLocal").unwrap();
    // struct { int mul; short off; double pad; }
    let mut structure = [0_u8; 16];
    structure[0] = 10;
    structure[4] = 1;
    let args = [Arg::local(64), Arg::usm(&memory), Arg::bytes(&structure)];
    let range = NdRange::linear(64).with_local_size(&[16]).unwrap();
    kernel.start(&fixture.queue, range, &args).unwrap().wait().unwrap();
    let found = memory.to_vec(&fixture.queue).unwrap();
    assert_eq!(found[..2], [151, 141]);
    let [local, address, structure] = args;
    let told = |args: &[Arg<'_>]| kernel.start(&fixture.queue, range, args).unwrap_err().to_string();
    assert_eq!(
        told(&[address, address, structure]),
        "argument 0 of kernel _ZTS9MiscLocal is work-group memory, but an address was given"
    );
    assert_eq!(
        told(&[local, local, structure]),
        "argument 1 of kernel _ZTS9MiscLocal is an address (global), but 64 bytes of work-group memory was given"
    );
}

/// As large as the device allows, and larger by one.
fn the_largest_group_is_launched(plugin: &Path) {
    let fixture = fixture(plugin, &["multi_off"]);
    let most = usize::try_from(fixture.device.info().max_work_group_size.unwrap()).unwrap();
    let kernel = fixture.kernel("_ZTS7KAddOne").unwrap();
    let memory = fixture.memory(&vec![0_i32; most + 1]);
    let group = |size: usize| NdRange::linear(size).with_local_size(&[size]).unwrap();
    let launch = |size| kernel.start(&fixture.queue, group(size), &[Arg::usm(&memory)]);
    launch(most).unwrap().wait().unwrap();
    assert_eq!(memory.to_vec(&fixture.queue).unwrap(), [vec![1; most], vec![0]].concat());
    let error = launch(most + 1).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NdRange);
    assert!(error.to_string().contains(&format!("more work-items than the {most} that")), "{error}");
    // More than 64 bits can count.
    let sizes = [1 << 33, 1 << 33];
    let huge = NdRange::new(&sizes).unwrap().with_local_size(&sizes).unwrap();
    let error = kernel.start(&fixture.queue, huge, &[Arg::usm(&memory)]).unwrap_err();
    assert!(error.to_string().contains(&format!("more work-items than the {most} that")), "{error}");
}

fn values_are_written_and_read_at_their_index(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let (queue, mut two) = (&fixture.queue, [0_i32; 2]);
    let memory = fixture.memory(&[1_i32, 2, 3, 4]);
    memory.write(queue, 2, &[9]).unwrap();
    memory.read(queue, 1, &mut two).unwrap();
    assert_eq!(two, [2, 9]);
    memory.fill(queue, 0x5a).unwrap();
    assert_eq!(memory.to_vec(queue).unwrap(), [0x5a5a_5a5a; 4]);
    let buffer = Buffer::new(&fixture.context, &[1_i32, 2, 3, 4]).unwrap();
    buffer.write(queue, 2, &[9]).unwrap();
    buffer.read(queue, 1, &mut two).unwrap();
    assert_eq!(two, [2, 9]);
}

fn arguments_are_checked(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    let kernel = fixture.kernel("_ZTS5DgAdd").unwrap();
    let told =
        |args: &[Arg<'_>]| kernel.start(&fixture.queue, NdRange::single(), args).unwrap_err().to_string();
    assert_eq!(told(&[]), "kernel _ZTS5DgAdd takes 1 arguments, but 0 were given");
    assert_eq!(
        told(&[Arg::value(&1_i64)]),
        "argument 0 of kernel _ZTS5DgAdd is a value of 4 bytes, but a value of 8 bytes was given"
    );
    assert!(told(&[Arg::local(4)]).contains("4 bytes of work-group memory was given"));
    let kernel = fixture.kernel("_ZTS5DgGet").unwrap();
    let other = Context::new(std::slice::from_ref(&fixture.device)).unwrap();
    let memory = Usm::<i32>::new(&other, &fixture.device, UsmKind::Device, 1).unwrap();
    let error = kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap_err();
    assert!(error.to_string().contains("belongs to another context than the queue"), "{error}");
    let error = fixture.kernel("_ZTS5DgGte").unwrap_err();
    assert!(error.to_string().contains("is it _ZTS5DgGet"), "{error}");
}

fn ranges_are_checked(plugin: &Path) {
    let fixture = fixture(plugin, &["mix", "dl_c"]);
    let memory = fixture.memory(&[0.0_f64; 8]);
    let kernel = fixture.kernel("_ZTS3Mix").unwrap();
    let launch = |range| kernel.start(&fixture.queue, range, &[Arg::usm(&memory)]).unwrap_err();
    let error = launch(NdRange::linear(8).with_local_size(&[8]).unwrap());
    assert_eq!(error.kind(), ErrorKind::NdRange);
    assert!(
        error.to_string().contains("required work-group size of [4], but the local size is [8]"),
        "{error}"
    );
    let error = launch(NdRange::new(&[8, 4]).unwrap().with_local_size(&[4, 1]).unwrap());
    assert!(error.to_string().contains("a local size of 2 dimensions was given"), "{error}");
}

/// If kernels of an image require different sizes, the image's requirements contain none. The sizes are in the
/// compiler's metadata of the kernel, or in the code.
fn a_kernel_s_own_required_size_is_checked(plugin: &Path) {
    let code = load(&default_folder(), "feat_wg_off").bytes.into_owned();
    for by_code in [false, true] {
        let fixture = fixture(plugin, if by_code { &[] } else { &["feat_wg_off"] });
        if by_code {
            // SAFETY: a compiler made the code.
            unsafe { fixture.registry.add_spirv("code alone", &code, None) }.unwrap();
        }
        let memory = fixture.memory(&[0_i32; 64]);
        for (kernel, required) in [("_ZTS3Wg1", &[16][..]), ("_ZTS3Wg2", &[4, 2]), ("_ZTS3Wg3", &[8, 2, 1])] {
            let kernel = fixture.kernel(kernel).unwrap();
            let launch = |range| kernel.start(&fixture.queue, range, &[Arg::usm(&memory)]);
            let range = NdRange::new(required).unwrap();
            launch(range.with_local_size(required).unwrap()).unwrap().wait().unwrap();
            let written = memory.to_vec(&fixture.queue).unwrap()[0];
            assert_eq!(written as usize, required.len(), "each writes the number in its name");
            let ones = vec![1; required.len()];
            for (wrong, given) in [
                (range, "no local size was given".to_owned()),
                (range.with_local_size(&ones).unwrap(), format!("the local size is {ones:?}")),
            ] {
                let error = launch(wrong).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::NdRange, "{error}");
                assert!(error.to_string().contains(&given), "{error}");
            }
        }
    }
}

fn a_file_is_one_plugin(plugin: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join(plugin.file_name().unwrap());
    std::os::unix::fs::symlink(std::path::absolute(plugin).unwrap(), &link).unwrap();
    let (one, other) = (open(plugin).unwrap(), open(&link).unwrap());
    assert_eq!(one, other);
    let (mine, others) = (one.first_device().unwrap(), other.first_device().unwrap());
    assert_eq!(mine, others);
    let context = Context::new(std::slice::from_ref(&mine)).unwrap();
    Queue::new(&context, &others, QueueOptions::new()).unwrap().finish().unwrap();
}

fn host_address_of_a_global(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    let counter = 0_i32;
    let host = &raw const counter as usize;
    let mut value = [0_i32];
    let error = fixture.runtime.copy_to_device_global_at(&fixture.queue, host, 0, &[1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    fixture.registry.add_device_global(host, "_Z7Counter");
    fixture.runtime.copy_to_device_global_at(&fixture.queue, host, 0, &[37_i32]).unwrap();
    let add = fixture.kernel("_ZTS5DgAdd").unwrap();
    add.start(&fixture.queue, NdRange::single(), &[Arg::value(&5_i32)]).unwrap().wait().unwrap();
    fixture.runtime.copy_from_device_global_at(&fixture.queue, host, 0, &mut value).unwrap();
    assert_eq!(value, [42]);
    let bytes = |offset, count| fixture.runtime.device_global_bytes_at(&fixture.queue, host, offset, count);
    assert_eq!(bytes(0, 4).unwrap(), 42_i32.to_ne_bytes());
    for (offset, count) in [(1, 4), (0, usize::MAX), (usize::MAX, 1), (0, 1 << 62)] {
        assert_eq!(bytes(offset, count).unwrap_err().kind(), ErrorKind::Invalid);
    }
    let error = fixture.runtime.copy_to_device_global_at(&fixture.queue, host, 1, &[1_i32]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
}

fn objects_of_others_are_refused_before_the_driver(plugin: &Path) {
    let mine = fixture(plugin, &["dg_basic"]);
    // A copy of the plugin counts as another plugin.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join(plugin.file_name().unwrap());
    std::fs::copy(plugin, &copy).unwrap();
    let other = fixture(&copy, &["dg_basic"]);
    let (memory, foreign) = (mine.memory(&[1_i32]), other.memory(&[1_i32]));
    let kernel = mine.kernel("_ZTS5DgGet").unwrap();
    let event = other.kernel("_ZTS5DgGet").unwrap();
    let event = event.start(&other.queue, NdRange::single(), &[Arg::usm(&foreign)]).unwrap();
    let refused = |result: Result<()>, word: &str| {
        let error = result.unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, None), "{error}");
        assert!(error.to_string().contains(word), "{error}");
    };
    let one = NdRange::single();
    refused(kernel.start(&other.queue, one, &[Arg::usm(&memory)]).map(drop), "is built for");
    let context = Context::new(std::slice::from_ref(&mine.device)).unwrap();
    let elsewhere = Queue::new(&context, &mine.device, QueueOptions::new()).unwrap();
    let launched = kernel.start(&elsewhere, one, &[Arg::usm(&memory)]).map(drop);
    refused(launched, "kernel _ZTS5DgGet belongs to another context than the queue");
    refused(kernel.start(&mine.queue, one, &[Arg::usm(&foreign)]).map(drop), "another context");
    let after = std::slice::from_ref(&event);
    refused(kernel.start_after(&mine.queue, one, &[Arg::usm(&memory)], after).map(drop), "an event");
    refused(memory.write(&other.queue, 0, &[2]), "another context");
    refused(memory.copy_from(&mine.queue, &foreign, &[]).map(drop), "another context");
    refused(memory.copy_from(&mine.queue, &memory, after).map(drop), "an event");
    refused(memory.write(&mine.queue, 1, &[2]), "beyond");
    let buffer = Buffer::new(&other.context, &[1_i32]).unwrap();
    refused(kernel.start(&mine.queue, one, &[Arg::buffer(&buffer)]).map(drop), "another context");
    refused(buffer.read(&mine.queue, 0, &mut [0]), "another context");
    refused(mine.runtime.copy_to_device_global(&other.queue, "_Z7Counter", 0, &[1_i32]), "another context");
    refused(
        mine.runtime.kernel(&other.device, "_ZTS5DgGet", &SpecValues::new()).map(drop),
        "does not belong to the",
    );
    refused(Context::new(&[mine.device.clone(), other.device.clone()]).map(drop), "one plugin");
    refused(
        Queue::new(&mine.context, &other.device, QueueOptions::new()).map(drop),
        "does not belong to the",
    );
    // None of these commands was started.
    kernel.start(&mine.queue, one, &[Arg::usm(&memory)]).unwrap().wait().unwrap();
}

fn discovery_tells_what_was_tried(plugin: &Path) {
    use sycl_pi_loader::Environment;
    let backend = sycl_pi_loader::Backend::of_file(plugin).unwrap().name();
    let folder = plugin.parent().unwrap().as_os_str().to_owned();
    let with = |selector: &str| {
        let selector = ("ONEAPI_DEVICE_SELECTOR", std::ffi::OsString::from(selector));
        let environment = Environment::from_pairs([("PI_PLUGIN_PATH", folder.clone()), selector]);
        // SAFETY: the folder is that of the plugin under test.
        unsafe { Discovery::in_environment(&environment) }
    };
    let found = with(&format!("{backend}:*")).unwrap();
    assert_eq!(found.device(0).unwrap().info().name, fixture(plugin, &[]).device.info().name);
    let error = with(&format!("{backend}:99")).unwrap().device(0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoDevice);
    assert!(error.to_string().contains("is not named by ONEAPI_DEVICE_SELECTOR"), "{error}");
    let error = with(&format!("{backend}:*;!{backend}:*")).unwrap().device(0).unwrap_err();
    assert!(error.to_string().contains("is discarded by \"!"), "{error}");
    let error = with("open_cl:cpu").unwrap_err();
    assert!(error.to_string().contains("did you mean \"opencl\"?"), "{error}");
    let parts = with(&format!("{backend}:0.*")).unwrap();
    let told = parts.tried().iter().any(|line| line.contains("0.*"));
    assert!(!parts.devices().is_empty() || told, "{:?}", parts.tried());
    let nowhere = Environment::from_pairs([("PI_PLUGIN_PATH", "/nowhere")]);
    // SAFETY: the folder does not exist.
    let nowhere = unsafe { Discovery::in_environment(&nowhere) }.unwrap();
    let text = nowhere.tried().join("\n");
    assert!(text.contains("/nowhere/libpi_opencl.so does not exist (PI_PLUGIN_PATH)"), "{text}");
}

fn unregistered_kernels_are_gone(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let module = add(&fixture.registry, load(&default_folder(), "dg_basic")).unwrap();
    let kernel = fixture.kernel("_ZTS5DgGet").unwrap();
    fixture.registry.remove(module);
    assert_eq!(fixture.kernel("_ZTS5DgGet").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(fixture.runtime.program_count(), 0);
    let memory = fixture.memory(&[1_i32]);
    kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
}

fn any_order_of_drops(plugin: &Path) {
    let Fixture { device, context, queue, registry, runtime } = fixture(plugin, &["dg_basic"]);
    let kernel = runtime.kernel(&device, "_ZTS5DgGet", &SpecValues::new()).unwrap();
    let memory = Usm::<i32>::new(&context, &device, UsmKind::Shared, 1).unwrap();
    let event = kernel.start(&queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap();
    drop(context);
    drop(memory);
    drop(queue);
    drop(runtime);
    drop(registry);
    drop(device);
    std::thread::spawn(move || drop(kernel)).join().unwrap();
    event.wait().unwrap();
}

fn threads(plugin: &Path) {
    let fixture = fixture(plugin, &["dl_a", "dl_b", "dl_c"]);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let fixture = &fixture;
            scope.spawn(move || {
                for round in 0..20 {
                    let value = thread * 100 + round;
                    assert_eq!(fixture.once("_ZTS3DlA", value).unwrap(), (value + 3) * 10 + 1);
                }
            });
        }
    });
    assert_eq!(fixture.runtime.program_count(), 1);
}

fn everything_at_once(plugin: &Path) {
    let fixture = fixture(plugin, &["mix", "dl_c"]);
    let values = SpecValues::new().with("uid0123456789abcdef____ZL6SScale", 0.5_f64);
    fixture.runtime.copy_to_device_global(&fixture.queue, "_Z8MixCount", 0, &[100_i32]).unwrap();
    let memory = fixture.memory(&[0.0_f64; 8]);
    let kernel = fixture.runtime.kernel(&fixture.device, "_ZTS3Mix", &values).unwrap();
    let range = NdRange::linear(8).with_local_size(&[4]).unwrap();
    kernel.start(&fixture.queue, range, &[Arg::usm(&memory)]).unwrap().wait().unwrap();
    let found = memory.to_vec(&fixture.queue).unwrap();
    assert_eq!(found, [101.5, 102.0, 102.5, 103.0, 103.5, 104.0, 104.5, 105.0]);
}

fn profiling(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    let memory = fixture.memory(&[1_i32]);
    let kernel = fixture.kernel("_ZTS5DgGet").unwrap();
    let event = kernel.start(&fixture.queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap();
    event.wait().unwrap();
    let times = event.profile().unwrap();
    assert!(times.started <= times.ended && times.ended > 0, "{times:?}");
    let plain = Queue::new(&fixture.context, &fixture.device, QueueOptions::new()).unwrap();
    let event = kernel.start(&plain, NdRange::single(), &[Arg::usm(&memory)]).unwrap();
    event.wait().unwrap();
    let error = event.profile().unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Invalid, None), "{error}");
    assert!(error.to_string().contains("made without profiling"), "{error}");
}

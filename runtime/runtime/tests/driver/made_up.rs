//! Tests of the runtime with answers that no driver here gives. A plugin makes them up.

use std::ffi::{CString, OsString, c_char};
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::cached::Run;
use crate::choice::add_native;
use crate::{Test, shim, trials};
use testing_programs::{caches, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("a_queue_has_the_properties_of_its_options", a_queue_has_the_properties_of_its_options),
        ("each_time_of_an_event_is_its_own", each_time_of_an_event_is_its_own),
        ("a_device_global_begins_with_zeros", a_device_global_begins_with_zeros),
        (
            "a_selector_names_devices_and_parts_by_their_numbers",
            a_selector_names_devices_and_parts_by_their_numbers,
        ),
        ("memory_has_the_size_and_alignment_of_its_values", memory_has_the_size_and_alignment_of_its_values),
        ("code_that_the_plugin_refuses_is_passed_over", code_that_the_plugin_refuses_is_passed_over),
        ("a_program_on_disk_is_of_one_device_and_driver", a_program_on_disk_is_of_one_device_and_driver),
    ];
    trials("made_up", plugin, tests)
}

/// The plugin of made_up.c.
struct MadeUp {
    folder: tempfile::TempDir,
    path: PathBuf,
    library: libloading::Library,
}

impl MadeUp {
    fn new(plugin: &Path) -> Self {
        let (folder, path) = shim("made_up", plugin);
        // SAFETY: a plugin.
        let library = unsafe { libloading::Library::new(&path) }.unwrap();
        Self { folder, path, library }
    }

    fn answer(&self, query: i32, text: &str) {
        let text = CString::new(text).unwrap();
        let function =
            // SAFETY: the function of made_up.c.
            unsafe { self.library.get::<extern "C" fn(i32, *const c_char)>("made_up_answer") }.unwrap();
        function(query, text.as_ptr());
    }
}

fn a_queue_has_the_properties_of_its_options(plugin: &Path) {
    let made_up = MadeUp::new(plugin);
    let fixture = fixture(&made_up.path, &[]);
    // SAFETY: the function of made_up.c.
    let flags = unsafe { made_up.library.get::<extern "C" fn() -> u64>("made_up_queue_flags") }.unwrap();
    // The first two bits of cl_command_queue_properties.
    for (out_of_order, profiling, wanted) in
        [(false, false, 0), (true, false, 1), (false, true, 2), (true, true, 3)]
    {
        let options = QueueOptions::new().out_of_order(out_of_order).profiling(profiling);
        Queue::new(&fixture.context, &fixture.device, options).unwrap();
        assert_eq!(flags(), wanted);
    }
}

fn each_time_of_an_event_is_its_own(plugin: &Path) {
    let made_up = MadeUp::new(plugin);
    let fixture = fixture(&made_up.path, &[]);
    let (to, from) = (fixture.memory(&[1_i32]), fixture.memory(&[2_i32]));
    let event = to.copy_from(&fixture.queue, &from, &[]).unwrap().unwrap();
    event.wait().unwrap();
    let times = event.profile().unwrap();
    // CL_PROFILING_COMMAND_QUEUED and the next numbers.
    let times = [times.queued, times.submitted, times.started, times.ended];
    assert_eq!(times, [0x1280, 0x1281, 0x1282, 0x1283]);
}

/// "Zero-initialized", whatever new memory of the device holds.
fn a_device_global_begins_with_zeros(plugin: &Path) {
    let made_up = MadeUp::new(plugin);
    let fixture = fixture(&made_up.path, &["dg_basic"]);
    let memory = Usm::<u8>::new(&fixture.context, &fixture.device, UsmKind::Device, 4).unwrap();
    assert_eq!(memory.to_vec(&fixture.queue).unwrap(), [0xaa; 4]);
    assert_eq!(fixture.once("_ZTS5DgGet", 9).unwrap(), 0);
    assert_eq!(fixture.runtime.device_global_bytes(&fixture.queue, "_Z7Counter", 0, 4).unwrap(), [0; 4]);
}

/// There are three devices. Each has three parts, and so has each part.
fn a_selector_names_devices_and_parts_by_their_numbers(plugin: &Path) {
    use sycl_pi_loader::Environment;
    let made_up = MadeUp::new(plugin);
    let backend = sycl_pi_loader::Backend::of_file(plugin).unwrap().name();
    std::fs::copy(&made_up.path, made_up.folder.path().join(plugin.file_name().unwrap())).unwrap();
    let found = |parts: &str| {
        let selector = OsString::from(format!("{backend}:{parts}"));
        let folder = made_up.folder.path().into();
        let environment =
            Environment::from_pairs([("PI_PLUGIN_PATH", folder), ("ONEAPI_DEVICE_SELECTOR", selector)]);
        // SAFETY: the folder has plugins of this test only.
        unsafe { Discovery::in_environment(&environment) }.unwrap()
    };
    for (parts, count) in [
        ("*", 3),
        ("0", 1),
        ("2", 1),
        ("3", 0),
        ("0.*", 3),
        ("0.0", 1),
        ("0.2", 1),
        ("0.*.*", 9),
        ("0.1.*", 3),
    ] {
        assert_eq!(found(parts).devices().len(), count, "{parts}");
    }
    let none = found("0.3");
    assert!(none.devices().is_empty());
    assert!(none.tried().iter().any(|line| line.ends_with("has no sub-device 0.3")), "{:?}", none.tried());
    let copy =
        // SAFETY: a plugin.
        unsafe { libloading::Library::new(made_up.folder.path().join(plugin.file_name().unwrap())) }.unwrap();
    // SAFETY: the function of made_up.c.
    unsafe { copy.get::<extern "C" fn(i32)>("made_up_no_devices") }.unwrap()(1);
    let none = found("*");
    let told = |line: &String| line.contains(" offers no device");
    assert!(none.devices().is_empty() && none.tried().iter().any(told), "{:?}", none.tried());
}

fn memory_has_the_size_and_alignment_of_its_values(plugin: &Path) {
    let made_up = MadeUp::new(plugin);
    let Fixture { context, device, .. } = fixture(&made_up.path, &[]);
    // SAFETY: the function of made_up.c.
    let asked = unsafe { made_up.library.get::<extern "C" fn(i32) -> u32>("made_up_alignment") }.unwrap();
    // SAFETY: the function of made_up.c.
    let size = unsafe { made_up.library.get::<extern "C" fn(i32) -> usize>("made_up_size") }.unwrap();
    for (number, kind) in [UsmKind::Device, UsmKind::Host, UsmKind::Shared].into_iter().enumerate() {
        Usm::<f64>::new(&context, &device, kind, 3).unwrap();
        assert_eq!(asked(number as i32), 8, "{kind:?}");
        Usm::<[i16; 3]>::new(&context, &device, kind, 3).unwrap();
        assert_eq!((asked(number as i32), size(number as i32)), (2, 18), "{kind:?}");
        // Drivers treat an allocation of no bytes differently.
        let none = Usm::<f64>::new(&context, &device, kind, 0).unwrap();
        assert!(none.is_empty() && size(number as i32) == 1, "{kind:?}");
    }
}

fn code_that_the_plugin_refuses_is_passed_over(plugin: &Path) {
    let made_up = MadeUp::new(plugin);
    let fixture = fixture(&made_up.path, &["dg_basic"]);
    let image = fixture.registry.images().remove(0);
    let code = fixture.runtime.native_code(&fixture.device, &image).unwrap().unwrap();
    add_native(&fixture.registry, &fixture.device, load(&default_folder(), "dg_basic"), code);
    assert_eq!(fixture.kernel("_ZTS5DgGet").unwrap().image_names(), ["native"]);
    // SAFETY: the function of made_up.c.
    let refuse = unsafe { made_up.library.get::<extern "C" fn(i32)>("made_up_refusal") }.unwrap();
    refuse(1);
    // Another kernel, as that of the first one is chosen.
    assert_eq!(fixture.kernel("_ZTS5DgAdd").unwrap().image_names(), ["dg_basic"]);
}

/// Each part of the device's identity counts. The folder is common to all of them.
fn a_program_on_disk_is_of_one_device_and_driver(plugin: &Path) {
    let made_up = MadeUp::new(plugin);
    let root = tempfile::tempdir().unwrap();
    let opencl = fixture(&made_up.path, &[]).device.info().version.starts_with("OpenCL");
    let version = if opencl { "OpenCL 3.0 another" } else { "another" };
    // The names of the device and its platform, and the versions of driver and device.
    let queries = [(0x102b, "another"), (0x902, "another"), (0x102d, "another"), (0x102f, version)];
    for counts in [(0, 1, 0), (1, 0, 0)] {
        for (query, text) in [(0, "")].into_iter().chain(queries) {
            made_up.answer(query, text);
            let images = vec![load(&default_folder(), "dg_basic")];
            let run = Run::with_caches(&made_up.path, images, &caches(root.path()));
            assert_eq!(run.once("_ZTS5DgGet", 9), 0);
            assert_eq!(run.counts(), counts, "{query:#x}");
        }
    }
}

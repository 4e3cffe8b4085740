//! Device globals: the location and the lifetime of their values.

use std::path::Path;

use libtest_mimic::Trial;
use sycl_pi_image::{Property, PropertySet, Value};
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::{EXPORTS, IMPORTS, Test, trials, with_symbol};
use testing_programs::{Launch as _, add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("image_scope_without_a_cache_in_memory", image_scope_without_a_cache_in_memory),
        ("image_scope_through_eviction", image_scope_through_eviction),
        ("image_scope_written_before_its_image_is_there", image_scope_written_before_its_image_is_there),
        (
            "image_scope_registered_before_its_image_is_there",
            image_scope_registered_before_its_image_is_there,
        ),
        ("image_scope_in_two_programs_of_an_image", image_scope_in_two_programs_of_an_image),
        ("variables_of_linked_images_are_prepared", variables_of_linked_images_are_prepared),
        ("size_and_scope_of_a_registration", size_and_scope_of_a_registration),
        ("more_bytes_than_a_late_image_has_are_refused", more_bytes_than_a_late_image_has_are_refused),
        (
            "an_id_of_no_variable_is_an_error_with_near_misses",
            an_id_of_no_variable_is_an_error_with_near_misses,
        ),
        ("each_kind_of_variable_is_copied_from_its_offset", each_kind_of_variable_is_copied_from_its_offset),
        ("copies_wait_for_events_and_give_events", copies_wait_for_events_and_give_events),
        ("copies_wait_for_slow_commands_of_another_queue", copies_wait_for_slow_commands_of_another_queue),
        ("runtimes_of_a_context_share_programs_and_values", runtimes_of_a_context_share_programs_and_values),
        ("the_address_is_that_of_the_value", the_address_is_that_of_the_value),
    ];
    let mut all = trials("global", plugin, tests);
    let per_device: &[(&str, Test)] =
        &[("each_device_of_a_context_has_its_own_value", each_device_of_a_context_has_its_own_value)];
    let one = devices(plugin).len() < 2 && std::env::var_os("PI_SOFT_ZE_DEVICES").is_none();
    if one {
        eprintln!(
            "global::each_device_of_a_context_has_its_own_value is skipped: the platform has one device"
        );
    }
    all.extend(trials("global", plugin, per_device).into_iter().map(|trial| trial.with_ignored_flag(one)));
    all
}

/// Returns the devices of the first platform, or none without a driver.
fn devices(plugin: &Path) -> Vec<Device> {
    let platforms = testing_programs::open(plugin).and_then(|plugin| plugin.platforms());
    platforms.ok().and_then(|all| Some(all.first()?.devices().to_vec())).unwrap_or_default()
}

/// The variable of dg_scope: `int[4]` with image scope.
const SCOPED: &str = "_Z6Scoped";

/// Returns the fixture with a runtime that has these settings.
fn with_config(plugin: &Path, images: &[&str], config: &CacheConfig) -> Fixture {
    let mut fixture = fixture(plugin, images);
    let caches = Caches::new(&config.clone().with_persistent(false));
    fixture.runtime = Runtime::with_caches(&fixture.context, &fixture.registry, &caches);
    fixture
}

/// The host writes and a kernel reads; then a kernel writes, and the host and another kernel read.
fn keeps_its_value(fixture: &Fixture, in_between: impl Fn()) {
    let runtime = &fixture.runtime;
    runtime.copy_to_device_global(&fixture.queue, SCOPED, 0, &[1_i32, 2, 3, 4]).unwrap();
    in_between();
    assert_eq!(fixture.once("_ZTS6DgsSum", -1).unwrap(), 10);
    in_between();
    let set = fixture.kernel("_ZTS6DgsSet").unwrap();
    set.start(&fixture.queue, NdRange::single(), &[Arg::value(&10_i32)]).unwrap().wait().unwrap();
    drop(set);
    in_between();
    let mut values = [0_i32; 4];
    runtime.copy_from_device_global(&fixture.queue, SCOPED, 0, &mut values).unwrap();
    assert_eq!(values, [10, 11, 12, 13]);
    in_between();
    assert_eq!(fixture.once("_ZTS6DgsSum", -1).unwrap(), 46);
}

fn image_scope_without_a_cache_in_memory(plugin: &Path) {
    let fixture = with_config(plugin, &["dg_scope"], &CacheConfig::default().with_in_memory(false));
    keeps_its_value(&fixture, || ());
}

fn image_scope_through_eviction(plugin: &Path) {
    // Nothing fits into the cache, so every unused program is evicted as soon as another is built.
    let config = CacheConfig::default().with_memory_limit(Some(1));
    let fixture = with_config(plugin, &["dg_scope", "vadd", "dg_basic"], &config);
    keeps_its_value(&fixture, || {
        fixture.kernel("_ZTS5DgGet").unwrap();
        assert!(fixture.runtime.program_count() <= 1, "{}", fixture.runtime.program_count());
    });
}

fn image_scope_written_before_its_image_is_there(plugin: &Path) {
    for kernel_first in [true, false] {
        let fixture = fixture(plugin, &[]);
        fixture.registry.add_device_global(0x1000, SCOPED);
        fixture.runtime.copy_to_device_global(&fixture.queue, SCOPED, 4, &[20_i32, 30]).unwrap();
        add(&fixture.registry, load(&default_folder(), "dg_scope")).unwrap();
        if kernel_first {
            assert_eq!(fixture.once("_ZTS6DgsSum", -1).unwrap(), 50);
        }
        let mut values = [9_i32; 4];
        fixture.runtime.copy_from_device_global(&fixture.queue, SCOPED, 0, &mut values).unwrap();
        assert_eq!(values, [0, 20, 30, 0]);
        fixture.runtime.copy_to_device_global(&fixture.queue, SCOPED, 0, &[1_i32]).unwrap();
        assert_eq!(fixture.once("_ZTS6DgsSum", -1).unwrap(), 51);
    }
}

/// The host's program says that the variable has image scope, so it has no memory before its image is added.
fn image_scope_registered_before_its_image_is_there(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let (runtime, queue) = (&fixture.runtime, &fixture.queue);
    fixture.registry.add_device_global_of(0x1000, SCOPED, 16, true).unwrap();
    runtime.copy_to_device_global(queue, SCOPED, 4, &[20_i32, 30]).unwrap();
    let mut values = [9_i32; 4];
    runtime.copy_from_device_global(queue, SCOPED, 0, &mut values).unwrap();
    assert_eq!(values, [0, 20, 30, 0]);
    let error = runtime.copy_to_device_global(queue, SCOPED, 12, &[1_i64]).unwrap_err();
    assert!(error.to_string().contains("are beyond the 16 bytes of _Z6Scoped"), "{error}");
    let error = runtime.device_global_address(queue, SCOPED).unwrap_err();
    assert!(error.to_string().contains("has no allocation of its own"), "{error}");
    add(&fixture.registry, load(&default_folder(), "dg_scope")).unwrap();
    assert_eq!(fixture.once("_ZTS6DgsSum", -1).unwrap(), 50);
}

/// The variable is in the second image of the program.
fn variables_of_linked_images_are_prepared(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    fixture.registry.add_device_global(0x1000, SCOPED);
    fixture.runtime.copy_to_device_global(&fixture.queue, SCOPED, 0, &[1_i32, 2, 3, 4]).unwrap();
    for (image, set) in [("dg_basic", IMPORTS), ("dg_scope", EXPORTS)] {
        add(&fixture.registry, with_symbol(load(&default_folder(), image), set, "_Z8the_linkv")).unwrap();
    }
    assert_eq!(fixture.once("_ZTS5DgGet", 9).unwrap(), 0);
    assert_eq!(fixture.kernel("_ZTS6DgsSum").unwrap().image_names(), ["dg_basic", "dg_scope"]);
    assert_eq!(fixture.once("_ZTS6DgsSum", -1).unwrap(), 10);
}

/// "errc::invalid if there are several": each set of constants has its own program, and therefore its own variable.
fn image_scope_in_two_programs_of_an_image(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let mut parts = load(&default_folder(), "dg_scope");
    let mut ids = PropertySet::new("SYCL/specialization constants");
    let leaf: Vec<u8> = [0_u32, 0, 4].iter().flat_map(|word| word.to_le_bytes()).collect();
    ids.properties.push(Property::new("constant", Value::byte_array(&leaf)));
    parts.property_sets.push(ids);
    add(&fixture.registry, parts).unwrap();
    fixture.runtime.copy_to_device_global(&fixture.queue, SCOPED, 0, &[5_i32]).unwrap();
    let values = SpecValues::new().with("constant", 1_i32);
    let _other = fixture.runtime.kernel(&fixture.device, "_ZTS6DgsSum", &values).unwrap();
    let error = fixture.runtime.copy_to_device_global(&fixture.queue, SCOPED, 0, &[5_i32]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("is in 2 programs of image dg_scope"), "{error}");
}

fn size_and_scope_of_a_registration(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    let (runtime, queue) = (&fixture.runtime, &fixture.queue);
    let host = 0_i32;
    let host = &raw const host as usize;
    fixture.registry.add_device_global_of(host, "_Z7Counter", 4, false).unwrap();
    // No image contains it, but its bounds are known and its memory exists.
    let error = runtime.copy_to_device_global_at(queue, host, 0, &[1_i64]).unwrap_err();
    assert!(error.to_string().contains("are beyond the 4 bytes of _Z7Counter"), "{error}");
    runtime.copy_to_device_global_at(queue, host, 0, &[40_i32]).unwrap();
    let address = runtime.device_global_address(queue, "_Z7Counter").unwrap();
    let error = fixture.registry.add_device_global_of(host, "_Z7Counter", 8, false).unwrap_err();
    assert!(
        error.to_string().contains("size 8 and image scope false, but elsewhere it has size 4"),
        "{error}"
    );
    add(&fixture.registry, load(&default_folder(), "dg_basic")).unwrap();
    assert_eq!(fixture.once("_ZTS5DgGet", 0).unwrap(), 40);
    assert_eq!(runtime.device_global_address(queue, "_Z7Counter").unwrap(), address);
    // A contradicting image is refused.
    fixture.registry.add_device_global_of(0x1000, SCOPED, 16, false).unwrap();
    let error = add(&fixture.registry, load(&default_folder(), "dg_scope")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Image);
    assert!(error.to_string().contains("but is registered with size 16 and image scope false"), "{error}");
}

fn more_bytes_than_a_late_image_has_are_refused(plugin: &Path) {
    let fixture = fixture(plugin, &[]);
    fixture.registry.add_device_global(0x1000, "_Z7Counter");
    fixture.runtime.copy_to_device_global(&fixture.queue, "_Z7Counter", 0, &[1_i64]).unwrap();
    add(&fixture.registry, load(&default_folder(), "dg_basic")).unwrap();
    let error = fixture.once("_ZTS5DgGet", 0).unwrap_err();
    assert!(error.to_string().starts_with("Copy to device_global is out of bounds. 8 bytes"), "{error}");
}

fn an_id_of_no_variable_is_an_error_with_near_misses(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    fixture.registry.add_device_global(0x1000, "_Z7Counted");
    let (runtime, queue) = (&fixture.runtime, &fixture.queue);
    let memory = fixture.memory(&[1_i32]);
    let copies = |id: &str| {
        [
            runtime.copy_to_device_global(queue, id, 0, &[1_i32]),
            runtime.copy_from_device_global(queue, id, 0, &mut [0_i32]),
            runtime.enqueue_to_device_global(queue, id, 0, &memory, &[]).map(drop),
            runtime.enqueue_from_device_global(queue, id, 0, &memory, &[]).map(drop),
            runtime.device_global_bytes(queue, id, 0, 4).map(drop),
            runtime.device_global_address(queue, id).map(drop),
        ]
    };
    for copied in copies("_Z7Countre") {
        let error = copied.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        let text = error.to_string();
        assert!(text.starts_with("no device global _Z7Countre is known: register"), "{text}");
        assert!(text.ends_with("; is it _Z7Counted or _Z7Counter?"), "{text}");
    }
    let error = runtime.copy_to_device_global(queue, "nothing like it", 0, &[1_i32]).unwrap_err();
    assert!(error.to_string().ends_with("pi_runtime_add_device_global)"), "{error}");
}

fn copies_wait_for_events_and_give_events(plugin: &Path) {
    for (image, id) in [(Some("dg_basic"), "_Z7Counter"), (Some("dg_scope"), SCOPED), (None, "_Z7Counter")] {
        let fixture = fixture(plugin, &[]);
        fixture.registry.add_device_global(0x1000, id);
        if let Some(image) = image {
            add(&fixture.registry, load(&default_folder(), image)).unwrap();
        }
        let options = QueueOptions::new().out_of_order(true);
        let queue = Queue::new(&fixture.context, &fixture.device, options).unwrap();
        let of = |kind, values: &[i32]| {
            let memory = Usm::new(&fixture.context, &fixture.device, kind, values.len()).unwrap();
            memory.write(&queue, 0, values).unwrap();
            memory
        };
        // A chain of copies, each of which waits for the previous one; only this orders them in such a queue.
        let (first, second, found) =
            (of(UsmKind::Shared, &[7]), of(UsmKind::Shared, &[8]), of(UsmKind::Shared, &[0]));
        let runtime = &fixture.runtime;
        let mut before = runtime.enqueue_to_device_global(&queue, id, 0, &first, &[]).unwrap();
        for _ in 0..20 {
            before = runtime.enqueue_from_device_global(&queue, id, 0, &found, &[before]).unwrap();
            before = runtime.enqueue_to_device_global(&queue, id, 0, &second, &[before]).unwrap();
        }
        let last = runtime.enqueue_from_device_global(&queue, id, 0, &found, &[before]).unwrap();
        last.wait().unwrap();
        assert_eq!(found.to_vec(&queue).unwrap(), [8], "{image:?}");
        // A copy behind a slow command that writes the same memory is the last one there.
        let [source, target] = [1, 0].map(|value| of(UsmKind::Shared, &vec![value; 1 << 24]));
        let nine = of(UsmKind::Shared, &[9]);
        let slow = target.copy_from(&queue, &source, &[]).unwrap().unwrap();
        let written = found.copy_from(&queue, &nine, &[slow]).unwrap().unwrap();
        let last = runtime.enqueue_from_device_global(&queue, id, 0, &found, &[written]).unwrap();
        last.wait().unwrap();
        queue.finish().unwrap();
        assert_eq!(found.to_vec(&queue).unwrap(), [8], "{image:?}");
        // Bounds and contexts are checked.
        let large = of(UsmKind::Shared, &[0; 5]);
        if image.is_some() {
            let error = runtime.enqueue_to_device_global(&queue, id, 0, &large, &[]).unwrap_err();
            assert!(error.to_string().starts_with("Copy to device_global is out of bounds."), "{error}");
        }
        let other = Context::new(std::slice::from_ref(&fixture.device)).unwrap();
        let foreign = Usm::<i32>::new(&other, &fixture.device, UsmKind::Shared, 1).unwrap();
        let error = runtime.enqueue_to_device_global(&queue, id, 0, &foreign, &[]).unwrap_err();
        assert!(error.to_string().contains("another context"), "{error}");
        if id == SCOPED {
            let device = of(UsmKind::Device, &[0]);
            let error = runtime.enqueue_to_device_global(&queue, id, 0, &device, &[]).unwrap_err();
            assert!(error.to_string().contains("not device memory"), "{error}");
        }
    }
}

/// Enqueues a tenth of a second of copies, followed by the copy of `value` to `to`. Only events ensure this order.
pub(crate) fn slow_copy(fixture: &Fixture, queue: &Queue, to: &Usm<i32>, value: &Usm<i32>) -> Event {
    let large = || Usm::<u8>::new(&fixture.context, &fixture.device, UsmKind::Device, 64 << 20).unwrap();
    let (one, other) = (large(), large());
    let started = std::time::Instant::now();
    other.copy_from(queue, &one, &[]).unwrap().unwrap().wait().unwrap();
    let count = 100_000 / started.elapsed().as_micros().clamp(1_000, 100_000) + 1;
    let mut last = None;
    for _ in 0..count {
        last = other.copy_from(queue, &one, last.as_slice()).unwrap();
    }
    let last = to.copy_from(queue, value, last.as_slice()).unwrap().unwrap();
    // They must not be freed before the copies are complete, so they are leaked until the test ends.
    std::mem::forget((one, other));
    last
}

/// "The operation waits for its dependencies", both for a copy to a variable and for one from it.
fn copies_wait_for_slow_commands_of_another_queue(plugin: &Path) {
    for (image, id) in [(Some("dg_basic"), "_Z7Counter"), (Some("dg_scope"), SCOPED), (None, "_Z7Counter")] {
        let mut fixture = fixture(plugin, image.as_slice());
        if image.is_none() {
            // The host copies such a variable, so nothing but its own wait is between it and the slow command.
            let options = QueueOptions::new().out_of_order(true);
            fixture.queue = Queue::new(&fixture.context, &fixture.device, options).unwrap();
            fixture.registry.add_device_global(0x1000, id);
        }
        let runtime = &fixture.runtime;
        let slow = Queue::new(&fixture.context, &fixture.device, QueueOptions::new()).unwrap();
        let of = |value: i32| {
            let memory = Usm::new(&fixture.context, &fixture.device, UsmKind::Shared, 1).unwrap();
            memory.write(&fixture.queue, 0, &[value]).unwrap();
            memory
        };
        let (source, seven, found) = (of(0), of(7), of(0));
        // The program is built, and the variable exists.
        runtime.copy_to_device_global(&fixture.queue, id, 0, &[1_i32]).unwrap();
        let before = slow_copy(&fixture, &slow, &source, &seven);
        let to = runtime.enqueue_to_device_global(&fixture.queue, id, 0, &source, &[before]).unwrap();
        to.wait().unwrap();
        let mut value = [0_i32];
        runtime.copy_from_device_global(&fixture.queue, id, 0, &mut value).unwrap();
        assert_eq!(value, [7], "a copy to the variable of {image:?}");

        let eight = of(8);
        let before = slow_copy(&fixture, &slow, &source, &eight);
        // In a separate queue, because on Intel's CPU runtime of 2023 it overtakes a copy of the same queue for which
        // it waits.
        let writing = Queue::new(&fixture.context, &fixture.device, QueueOptions::new()).unwrap();
        let before = runtime.enqueue_to_device_global(&writing, id, 0, &source, &[before]).unwrap();
        let from = runtime.enqueue_from_device_global(&fixture.queue, id, 0, &found, &[before]).unwrap();
        from.wait().unwrap();
        assert_eq!(found.to_vec(&fixture.queue).unwrap(), [8], "a copy from the variable of {image:?}");
    }
}

/// Variables with an allocation, in a program, and known to the host only.
fn each_kind_of_variable_is_copied_from_its_offset(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_scope"]);
    fixture.registry.add_device_global_of(0x1000, "_Z5Owned", 16, false).unwrap();
    fixture.registry.add_device_global(0x2000, "_Z6Hosted");
    let (runtime, queue) = (&fixture.runtime, &fixture.queue);
    let of = |values: &[i32]| {
        let memory = Usm::new(&fixture.context, &fixture.device, UsmKind::Shared, values.len()).unwrap();
        memory.write(queue, 0, values).unwrap();
        memory
    };
    for id in [SCOPED, "_Z5Owned", "_Z6Hosted"] {
        let (pair, last) = (of(&[7, 8]), of(&[9]));
        runtime.enqueue_to_device_global(queue, id, 4, &pair, &[]).unwrap().wait().unwrap();
        runtime.enqueue_from_device_global(queue, id, 8, &last, &[]).unwrap().wait().unwrap();
        assert_eq!(last.to_vec(queue).unwrap(), [8], "{id}");
        let bytes = runtime.device_global_bytes(queue, id, 0, 16).unwrap();
        assert_eq!(bytes, [0_i32, 7, 8, 0].map(i32::to_ne_bytes).concat(), "{id}");
    }
}

/// "One allocation per device". A platform with one device cannot show this; the software drivers have two.
fn each_device_of_a_context_has_its_own_value(plugin: &Path) {
    let all = devices(plugin);
    if let Ok(count) = std::env::var("PI_SOFT_ZE_DEVICES") {
        assert_eq!(all.len().to_string(), count);
    }
    let context = Context::new(&all).unwrap();
    let registry = Registry::new();
    add(&registry, load(&default_folder(), "dg_basic")).unwrap();
    let caches = Caches::new(&CacheConfig::default().with_persistent(false));
    let runtime = Runtime::with_caches(&context, &registry, &caches);
    let queues: Vec<Queue> =
        all.iter().map(|device| Queue::new(&context, device, QueueOptions::new()).unwrap()).collect();
    for (queue, value) in queues.iter().zip(10_i32..) {
        runtime.copy_to_device_global(queue, "_Z7Counter", 0, &[value]).unwrap();
    }
    for (queue, value) in queues.iter().zip(10_i32..) {
        let memory = Usm::<i32>::new(&context, queue.device(), UsmKind::Device, 1).unwrap();
        let kernel = runtime.kernel(queue.device(), "_ZTS5DgGet", &SpecValues::new()).unwrap();
        kernel.start(queue, NdRange::single(), &[Arg::usm(&memory)]).unwrap().wait().unwrap();
        assert_eq!(memory.to_vec(queue).unwrap(), [value], "{:?}", queue.device());
    }
    let addresses: std::collections::HashSet<usize> =
        queues.iter().map(|queue| runtime.device_global_address(queue, "_Z7Counter").unwrap()).collect();
    assert_eq!(addresses.len(), queues.len());
}

/// "One cache per context": a second runtime builds nothing and sees the same variables.
fn runtimes_of_a_context_share_programs_and_values(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic", "dg_scope"]);
    let other = Runtime::with_caches(&fixture.context, &fixture.registry, fixture.runtime.caches());
    fixture.runtime.copy_to_device_global(&fixture.queue, "_Z7Counter", 0, &[5_i32]).unwrap();
    fixture.runtime.copy_to_device_global(&fixture.queue, SCOPED, 0, &[6_i32]).unwrap();
    fixture.kernel("_ZTS5DgGet").unwrap();
    assert_eq!(other.program_count(), 2);
    other.kernel(&fixture.device, "_ZTS5DgGet", &SpecValues::new()).unwrap();
    other.kernel(&fixture.device, "_ZTS6DgsSum", &SpecValues::new()).unwrap();
    assert_eq!((other.program_count(), fixture.runtime.program_count()), (2, 2));
    let mut value = [0_i32];
    other.copy_from_device_global(&fixture.queue, "_Z7Counter", 0, &mut value).unwrap();
    assert_eq!(value, [5]);
    other.copy_from_device_global(&fixture.queue, SCOPED, 0, &mut value).unwrap();
    assert_eq!(value, [6]);
    // Another context has separate programs and variables.
    let context = Context::new(std::slice::from_ref(&fixture.device)).unwrap();
    let apart = Runtime::with_caches(&context, &fixture.registry, fixture.runtime.caches());
    assert_eq!(apart.program_count(), 0);
}

/// The address that a compiler's host object stores as `usmptr`.
fn the_address_is_that_of_the_value(plugin: &Path) {
    let fixture = fixture(plugin, &["dg_basic"]);
    fixture.runtime.copy_to_device_global(&fixture.queue, "_Z7Counter", 0, &[42_i32]).unwrap();
    let address = fixture.runtime.device_global_address(&fixture.queue, "_Z7Counter").unwrap();
    // A kernel of another image reads from that address: the sum of `*address` and `*zero`.
    add(&fixture.registry, load(&default_folder(), "dl_c")).unwrap();
    add(&fixture.registry, load(&default_folder(), "dl_b")).unwrap();
    add(&fixture.registry, load(&default_folder(), "dl_a")).unwrap();
    let kernel = fixture.kernel("_ZTS3DlA").unwrap();
    // SAFETY: the kernel reads and writes the variable's four bytes.
    let argument = unsafe { Arg::address(address) };
    kernel.start(&fixture.queue, NdRange::single(), &[argument]).unwrap().wait().unwrap();
    assert_eq!(fixture.once("_ZTS5DgGet", 0).unwrap(), (42 + 3) * 10 + 1);
}

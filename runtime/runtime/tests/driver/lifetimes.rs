//! Nothing that a command may still use is freed, regardless of the order in which objects are dropped.

use std::path::Path;
use std::time::Duration;

use libtest_mimic::Trial;
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::{Test, shim, trials};
use testing_programs::{Launch as _, add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        (
            "memory_waits_for_a_queue_that_another_thread_is_dropping",
            memory_waits_for_a_queue_that_another_thread_is_dropping,
        ),
        ("memory_waits_for_all_queues_of_its_context", memory_waits_for_all_queues_of_its_context),
        ("a_buffer_waits_for_the_kernels_that_use_it", a_buffer_waits_for_the_kernels_that_use_it),
        ("a_program_waits_for_copies_to_its_variables", a_program_waits_for_copies_to_its_variables),
        ("what_cannot_be_waited_for_is_kept", what_cannot_be_waited_for_is_kept),
        ("a_queue_is_finished_and_released", a_queue_is_finished_and_released),
        (
            "events_and_their_clones_give_their_references_back",
            events_and_their_clones_give_their_references_back,
        ),
    ];
    trials("lifetime", plugin, tests)
}

/// A plugin whose queues take a quarter of a second to finish, and which counts the objects freed before that.
struct Late {
    _folder: tempfile::TempDir,
    library: libloading::Library,
    fixture: Fixture,
}

impl Late {
    fn new(plugin: &Path, images: &[&str]) -> Self {
        let (folder, path) = shim("late_commands", plugin);
        let fixture = fixture(&path, images);
        // SAFETY: the plugin is already loaded.
        let library = unsafe { libloading::Library::new(&path) }.unwrap();
        Self { _folder: folder, library, fixture }
    }

    fn number(&self, name: &str) -> i32 {
        // SAFETY: the functions of late_commands.c.
        unsafe { self.library.get::<extern "C" fn() -> i32>(name).unwrap()() }
    }

    /// Returns the number of objects freed, and how many of them while commands might run.
    fn freed(&self) -> (i32, i32) {
        (self.number("late_commands_freed"), self.number("late_commands_freed_early"))
    }

    fn fail_to_finish(&self, yes: bool) {
        // SAFETY: the function of late_commands.c.
        let function = unsafe { self.library.get::<extern "C" fn(i32)>("late_commands_fail_to_finish") };
        function.unwrap()(yes.into());
    }
}

fn memory_waits_for_a_queue_that_another_thread_is_dropping(plugin: &Path) {
    let late = Late::new(plugin, &[]);
    let (context, device) = (&late.fixture.context, &late.fixture.device);
    let queue = Queue::new(context, device, QueueOptions::new()).unwrap();
    let memory = || Usm::<u8>::new(context, device, UsmKind::Device, 1 << 20).unwrap();
    let (from, to) = (memory(), memory());
    to.copy_from(&queue, &from, &[]).unwrap();
    let before = late.freed().0;
    std::thread::scope(|scope| {
        scope.spawn(move || drop(queue));
        // The other thread is inside the queue's drop, or about to enter it.
        std::thread::sleep(Duration::from_millis(100));
        drop((from, to));
    });
    assert_eq!(late.freed(), (before + 2, 0));
}

fn memory_waits_for_all_queues_of_its_context(plugin: &Path) {
    let late = Late::new(plugin, &[]);
    let (context, device) = (&late.fixture.context, &late.fixture.device);
    let idle = Queue::new(context, device, QueueOptions::new()).unwrap();
    let used = Queue::new(context, device, QueueOptions::new().out_of_order(true)).unwrap();
    let memory = || Usm::<u8>::new(context, device, UsmKind::Device, 64).unwrap();
    let (from, to) = (memory(), memory());
    let event = to.copy_from(&used, &from, &[]).unwrap();
    let before = late.freed().0;
    drop((from, to));
    assert_eq!(late.freed(), (before + 2, 0));
    drop((idle, used, event));
}

fn a_buffer_waits_for_the_kernels_that_use_it(plugin: &Path) {
    let late = Late::new(plugin, &["vadd_acc"]);
    let fixture = &late.fixture;
    let of = |value: f32| Buffer::new(&fixture.context, &[value; 8]).unwrap();
    let (a, b, c) = (of(1.0), of(2.0), of(0.0));
    let kernel = fixture.kernel("_ZTS7VAddAcc").unwrap();
    let zero = 0_u64;
    let zero = Arg::value(&zero);
    let args = [Arg::buffer(&c), zero, Arg::buffer(&a), zero, Arg::buffer(&b), zero];
    kernel.start(&fixture.queue, NdRange::linear(8), &args).unwrap();
    let before = late.freed().0;
    drop((a, b, c));
    assert_eq!(late.freed(), (before + 3, 0));
}

fn a_program_waits_for_copies_to_its_variables(plugin: &Path) {
    let late = Late::new(plugin, &[]);
    let fixture = &late.fixture;
    let module = add(&fixture.registry, load(&default_folder(), "dg_scope")).unwrap();
    let from = Usm::<i32>::new(&fixture.context, &fixture.device, UsmKind::Shared, 4).unwrap();
    fixture.runtime.enqueue_to_device_global(&fixture.queue, "_Z6Scoped", 0, &from, &[]).unwrap();
    fixture.registry.remove(module);
    let before = late.freed().0;
    // The runtime notices at its next call that the image was removed, and drops the program.
    fixture.kernel("_ZTS6DgsSum").unwrap_err();
    assert_eq!(late.freed(), (before + 1, 0));
}

fn what_cannot_be_waited_for_is_kept(plugin: &Path) {
    let late = Late::new(plugin, &[]);
    let (context, device) = (&late.fixture.context, &late.fixture.device);
    let memory = || Usm::<u8>::new(context, device, UsmKind::Device, 64).unwrap();
    let (from, to, later) = (memory(), memory(), memory());
    let queue = Queue::new(context, device, QueueOptions::new()).unwrap();
    to.copy_from(&queue, &from, &[]).unwrap();
    let before = late.freed().0;
    late.fail_to_finish(true);
    drop(from);
    drop(queue);
    drop(to);
    assert_eq!(late.freed(), (before, 0));
    // The queue is waited for again: once that succeeds, memory is freed again.
    late.fail_to_finish(false);
    drop(later);
    assert_eq!(late.freed(), (before + 1, 0));
}

fn events_and_their_clones_give_their_references_back(plugin: &Path) {
    let late = Late::new(plugin, &[]);
    let memory = late.fixture.memory(&[1_u8; 64]);
    let from = late.fixture.memory(&[2_u8; 64]);
    let before = late.number("late_commands_events_released");
    let event = memory.copy_from(&late.fixture.queue, &from, &[]).unwrap().unwrap();
    let clone = event.clone();
    event.wait().unwrap();
    drop(event);
    assert_eq!(late.number("late_commands_events_released"), before + 1);
    drop(clone);
    assert_eq!(late.number("late_commands_events_released"), before + 2);
}

fn a_queue_is_finished_and_released(plugin: &Path) {
    let late = Late::new(plugin, &[]);
    let (context, device) = (&late.fixture.context, &late.fixture.device);
    let (from, to) = (late.fixture.memory(&[2_u8; 64]), late.fixture.memory(&[1_u8; 64]));
    let queue = Queue::new(context, device, QueueOptions::new()).unwrap();
    to.copy_from(&queue, &from, &[]).unwrap();
    assert_eq!(late.number("late_commands_unfinished"), 1);
    queue.finish().unwrap();
    assert_eq!(late.number("late_commands_unfinished"), 0);
    let before = late.number("late_commands_queues_released");
    drop(queue);
    assert_eq!(late.number("late_commands_queues_released"), before + 1);
}

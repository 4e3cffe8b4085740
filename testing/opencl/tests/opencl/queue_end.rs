//! Tests of how queues of Intel's CPU runtimes end: with their last release, with the process, in a forked child. A fake
//! of such a runtime records which calls reach it. `testing/robustness` has the same with the real runtimes.

use std::ptr::null_mut;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use testing_opencl::fake::{Fake, FakeDriver, pi};
use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    // The plugin keeps queues for the whole process, and looks after them in calls of any thread.
    cases!(
        registry,
        "queue_end",
        [],
        isolated[
            a_queue_without_commands_is_finished_before_its_last_release,
            a_queue_with_commands_is_kept_until_they_are_complete,
            a_release_that_is_not_the_last_is_only_that,
            other_drivers_get_the_release_alone,
            a_queue_that_takes_no_more_commands_is_released,
            the_exit_waits_for_the_commands_of_all_queues,
            the_exit_gives_up_a_queue_whose_commands_do_not_end,
            a_queue_that_is_released_after_that_is_waited_for,
            the_exit_waits_no_longer_than_commands_take,
            calls_into_other_drivers_go_on_during_the_exit,
            a_forked_child_only_releases,
            the_exit_of_a_forked_child_leaves_its_parents_queues_alone,
            a_child_that_opens_the_driver_itself_has_its_own,
        ]
    );
}

const MARKER: &str = "clEnqueueMarkerWithWaitList";
const FLUSH: &str = "clFlush";
const FINISH: &str = "clFinish";
const RELEASE: &str = "clReleaseCommandQueue";

/// Creates a queue as programs do, whose last command has a status.
fn queue(driver: &FakeDriver, status: i32) -> &'static Fake {
    let (context, device) = (driver.context.handle(), driver.device.handle());
    let flags = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    let queue: pi_queue = made!(pi(), |out| piQueueCreate(context, device, flags, out));
    // SAFETY: the fake driver's queue, which is never freed.
    let queue = unsafe { &*queue.cast::<Fake>() };
    queue.set_status(status)
}

fn release(queue: &Fake) {
    ok!(pi(), piQueueRelease(queue.handle()));
}

fn a_queue_without_commands_is_finished_before_its_last_release() {
    let queue = queue(&FakeDriver::of_intel(), PI_EVENT_COMPLETE);
    release(queue);
    assert_eq!(queue.calls(), [MARKER, FLUSH, FINISH, RELEASE]);
    assert_eq!(queue.references(), 0);
}

fn a_queue_with_commands_is_kept_until_they_are_complete() {
    let driver = FakeDriver::of_intel();
    let (kept, running) = (queue(&driver, PI_EVENT_SUBMITTED), queue(&driver, PI_EVENT_RUNNING));
    for queue in [kept, running] {
        release(queue);
        assert_eq!(queue.calls(), [MARKER, FLUSH]);
    }
    // Each queue that is created or released is an occasion to look.
    release(queue(&driver, PI_EVENT_COMPLETE));
    assert_eq!((kept.calls(), kept.references()), (vec![], 1));
    kept.set_status(PI_EVENT_COMPLETE);
    let other = queue(&driver, PI_EVENT_COMPLETE);
    assert_eq!((kept.calls(), kept.references()), (vec![FINISH, RELEASE], 0));
    // A command that has failed is over, too.
    running.set_status(PI_ERROR_OUT_OF_RESOURCES);
    release(other);
    assert_eq!((running.calls(), running.references()), (vec![FINISH, RELEASE], 0));
    release(queue(&driver, PI_EVENT_COMPLETE));
    assert_eq!((kept.calls(), running.calls()), (vec![], vec![]));
}

fn a_release_that_is_not_the_last_is_only_that() {
    let queue = queue(&FakeDriver::of_intel(), PI_EVENT_SUBMITTED);
    ok!(pi(), piQueueRetain(queue.handle()));
    queue.calls();
    release(queue);
    assert_eq!((queue.calls(), queue.references()), (vec![RELEASE], 1));
    release(queue);
    assert_eq!((queue.calls(), queue.references()), (vec![MARKER, FLUSH], 1));
}

fn other_drivers_get_the_release_alone() {
    let queue = queue(&FakeDriver::unknown(), PI_EVENT_SUBMITTED);
    release(queue);
    assert_eq!((queue.calls(), queue.references()), (vec![RELEASE], 0));
}

fn a_queue_that_takes_no_more_commands_is_released() {
    let queue = queue(&FakeDriver::of_intel(), PI_EVENT_SUBMITTED);
    queue.refuse(MARKER, PI_ERROR_OUT_OF_RESOURCES);
    release(queue);
    assert_eq!((queue.calls(), queue.references()), (vec![MARKER, RELEASE], 0));
}

/// Has the process look at its end whether all is as it should be.
///
/// Handlers run in the reverse order of their registration, and the plugin registers its own when the devices of such a
/// driver are first listed. So `check` runs after the plugin's handler.
fn check_at_the_end(driver: &FakeDriver, check: fn()) {
    static CHECK: OnceLock<fn()> = OnceLock::new();
    extern "C" fn run() {
        if CHECK.get().is_some_and(|check| std::panic::catch_unwind(check).is_err()) {
            // SAFETY: the process ends here, as a failed one.
            unsafe { libc::_exit(1) };
        }
    }
    assert!(CHECK.set(check).is_ok());
    // SAFETY: a function of this program.
    assert_eq!(unsafe { libc::atexit(run) }, 0);
    let (platform, all) = (driver.platform.handle(), PI_DEVICE_TYPE_ALL);
    let device: pi_device = made!(pi(), |out| piDevicesGet(platform, all, 1, out, null_mut()));
    assert_eq!(device, driver.device.handle());
}

/// Objects that a check at the end needs.
struct Left {
    driver: FakeDriver,
    held: &'static Fake,
    released: &'static Fake,
}

static LEFT: OnceLock<Left> = OnceLock::new();

/// Leaves one queue to the end of the process and has released another, whose last commands have a status.
fn leave(status: i32, check: fn()) -> &'static Left {
    let driver = FakeDriver::of_intel();
    check_at_the_end(&driver, check);
    let (held, released) = (queue(&driver, status), queue(&driver, status));
    release(released);
    released.calls();
    LEFT.get_or_init(|| Left { driver, held, released })
}

/// Completes the commands of queues a moment later.
fn complete_soon(queues: &[&'static Fake]) {
    let queues = queues.to_vec();
    thread::spawn(move || {
        for queue in queues {
            thread::sleep(Duration::from_millis(100));
            queue.set_status(PI_EVENT_COMPLETE);
        }
    });
}

fn the_exit_waits_for_the_commands_of_all_queues() {
    let left = leave(PI_EVENT_RUNNING, || {
        let Left { held, released, .. } = LEFT.get().unwrap();
        assert_eq!((released.calls(), released.references()), (vec![FINISH, RELEASE], 0));
        // The program's own reference stays, because a static object may still release it.
        assert_eq!(held.calls(), ["clRetainCommandQueue", MARKER, FLUSH, FINISH, RELEASE]);
        assert_eq!(held.references(), 1);
        release(held);
        assert_eq!((held.calls(), held.references()), (vec![MARKER, FLUSH, FINISH, RELEASE], 0));
    });
    complete_soon(&[left.released, left.held]);
}

/// Such a queue must not be referenced when the runtime shuts down. A static object may release it all the same.
fn the_exit_gives_up_a_queue_whose_commands_do_not_end() {
    leave(PI_EVENT_RUNNING, || {
        let Left { held, released, driver } = LEFT.get().unwrap();
        for queue in [held, released] {
            assert_eq!(queue.references(), 0);
            assert!(!queue.calls().contains(&FINISH), "it would wait forever");
        }
        release(held);
        assert_eq!((held.calls(), held.references()), (vec![], 0), "the program's second release");
        let late = queue(driver, PI_EVENT_COMPLETE);
        release(late);
        assert_eq!(late.references(), 0);
    });
}

fn a_queue_that_is_released_after_that_is_waited_for() {
    leave(PI_EVENT_COMPLETE, || {
        let Left { held, .. } = LEFT.get().unwrap();
        held.calls();
        held.set_status(PI_EVENT_RUNNING);
        complete_soon(&[held]);
        release(held);
        assert_eq!((held.calls(), held.references()), (vec![MARKER, FLUSH, FINISH, RELEASE], 0));
    });
}

fn the_exit_waits_no_longer_than_commands_take() {
    leave(PI_EVENT_COMPLETE, || {
        let Left { driver, .. } = LEFT.get().unwrap();
        let takes = || {
            let queue = queue(driver, PI_EVENT_RUNNING);
            complete_soon(&[queue]);
            let start = Instant::now();
            release(queue);
            start.elapsed()
        };
        // The longest wait without progress is a second. The machine may be busy, so one good try is enough.
        let least = (0..5).map(|_| takes()).min();
        assert!(least < Some(Duration::from_secs(1)), "{least:?}");
    });
}

/// Only Intel's runtimes do not survive a call of another thread at that time.
fn calls_into_other_drivers_go_on_during_the_exit() {
    static DRIVER: OnceLock<FakeDriver> = OnceLock::new();
    check_at_the_end(DRIVER.get_or_init(FakeDriver::unknown), || {
        let work = || release(queue(DRIVER.get().unwrap(), PI_EVENT_COMPLETE));
        thread::spawn(work).join().unwrap();
    });
}

/// Runs `child` in a forked child, which ends with `end`.
fn fork(child: impl FnOnce(), end: unsafe extern "C" fn(libc::c_int) -> !) {
    // SAFETY: the child runs one thread, which calls the plugin and ends.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(child)).is_err();
        // SAFETY: the child ends here.
        unsafe { end(failed.into()) };
    }
    let mut status = -1;
    // SAFETY: the child of this process.
    assert_eq!(unsafe { libc::waitpid(pid, &mut status, 0) }, pid);
    assert_eq!(status, 0, "the child failed");
}

/// The threads that would complete commands do not exist in a child, and locks of the driver may be held.
fn a_forked_child_only_releases() {
    let driver = FakeDriver::of_intel();
    let (kept, held) = (queue(&driver, PI_EVENT_RUNNING), queue(&driver, PI_EVENT_COMPLETE));
    release(kept);
    kept.calls();
    let child = || {
        kept.set_status(PI_EVENT_COMPLETE);
        release(held);
        assert_eq!((held.calls(), held.references()), (vec![RELEASE], 0));
        release(queue(&driver, PI_EVENT_COMPLETE));
        assert_eq!(kept.calls(), [""; 0]);
    };
    fork(child, libc::_exit);
    release(held);
    assert_eq!(held.calls(), [MARKER, FLUSH, FINISH, RELEASE]);
}

fn the_exit_of_a_forked_child_leaves_its_parents_queues_alone() {
    static IS_CHILD: OnceLock<()> = OnceLock::new();
    let left = leave(PI_EVENT_RUNNING, || {
        let Left { held, released, .. } = LEFT.get().unwrap();
        if IS_CHILD.get().is_some() {
            assert_eq!((held.calls(), held.references()), (vec![], 1));
            assert_eq!((released.calls(), released.references()), (vec![RELEASE], 0));
        }
    });
    left.held.calls();
    fork(|| IS_CHILD.set(()).unwrap(), libc::exit);
    for queue in [left.held, left.released] {
        queue.set_status(PI_EVENT_COMPLETE);
    }
}

/// The parent has created no queue before the fork, so that the driver's threads are the child's.
fn a_child_that_opens_the_driver_itself_has_its_own() {
    let driver = FakeDriver::of_intel();
    check_at_the_end(&driver, || ());
    let child = || {
        for _ in 0..2 {
            let queue = queue(&driver, PI_EVENT_COMPLETE);
            release(queue);
            assert_eq!(queue.calls(), [MARKER, FLUSH, FINISH, RELEASE]);
        }
    };
    fork(child, libc::_exit);
    child();
}

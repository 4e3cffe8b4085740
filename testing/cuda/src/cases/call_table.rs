//! The table of driver calls: what each operation of an array library costs, and how few calls it could cost.

use std::ptr::{null, null_mut};

use super::Case;
use super::calls::{is_empty, launch_behind};
use crate::fixture::{devices, status, wait};
use crate::{Fixture, ok, software};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("commands_call_the_driver_as_often_as_they_must", commands),
    ("waits_and_queries_call_the_driver_only_for_what_is_not_known", waits),
    ("objects_without_use_call_the_driver_as_often_as_they_must", objects),
];

/// A row of the table.
struct Row<'a> {
    operation: &'a str,
    work: &'a mut dyn FnMut(),
    /// The functions of the driver that it calls, once each time that it is named.
    calls: &'a [&'a str],
    /// The number of calls without which the operation is not possible.
    least: usize,
    /// Why it makes more calls than that, or why it needs any.
    why: &'a str,
}

const CONTEXT: &str = "cuCtxGetCurrent";
/// Why nearly every operation makes one call more than it needs.
const CALLERS_CONTEXT: &str = "the caller may have changed the thread's context; the question takes 5 ns";

/// Does the work of each row, the first time to create what later times use again, and compares the calls.
fn check(rows: &mut [Row<'_>]) {
    for Row { operation, work, calls, least, why } in rows {
        for _ in 0..3 {
            work();
        }
        software::inject("");
        work();
        let count = |name: &str| calls.iter().filter(|call| **call == name).count() as u64;
        for name in calls.iter() {
            assert_eq!(software::calls(name), count(name), "{operation}: {name} of {calls:?}");
        }
        assert_eq!(software::calls("*"), calls.len() as u64, "{operation}: more than {calls:?} were called");
        assert!(*least <= calls.len() && (*least == calls.len() || !why.is_empty()), "{operation}");
    }
}

fn commands() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let (noop, memory, queue) = (program.kernel("noop"), fixture.device_memory(64), fixture.queue);
    let kernel = noop.raw;
    let other = fixture.queue(0);
    let (global, local) = (32_usize, 32_usize);
    let launch = |event: *mut pi_event| {
        ok!(piEnqueueKernelLaunch(queue, kernel, 1, null(), &global, &local, 0, null(), event));
    };
    let mut held: pi_event = null_mut();
    let (mut bytes, name) = ([1_u8; 4], c"counter".as_ptr());
    let start = bytes.as_mut_ptr();
    check(&mut [
        Row {
            operation: "a launch",
            work: &mut || launch(null_mut()),
            calls: &[CONTEXT, "cuLaunchKernel"],
            least: 1,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a launch with an event that nobody asks",
            work: &mut || {
                let mut event = null_mut();
                launch(&mut event);
                ok!(piEventRelease(event));
            },
            calls: &[CONTEXT, "cuLaunchKernel"],
            least: 1,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a launch while the last one's event is held",
            work: &mut || {
                let mut event = null_mut();
                launch(&mut event);
                if !held.is_null() {
                    ok!(piEventRelease(held));
                }
                held = event;
            },
            calls: &[CONTEXT, "cuEventRecord", "cuLaunchKernel"],
            least: 2,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a launch behind a command of another queue that is not known to be complete",
            work: &mut || {
                let first = launch_behind(other, kernel, &[]);
                ok!(piEventRelease(launch_behind(queue, kernel, &[first])));
                ok!(piEventRelease(first));
            },
            calls: &[
                CONTEXT,
                "cuLaunchKernel",
                CONTEXT,
                CONTEXT,
                "cuEventRecord",
                "cuStreamWaitEvent",
                "cuLaunchKernel",
            ],
            least: 4,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a blocking write to a variable",
            work: &mut || {
                let from = start.cast_const().cast();
                let (count, waits, event) = (0, null(), null_mut());
                ok!(piextEnqueueDeviceGlobalVariableWrite(
                    queue,
                    program.raw,
                    name,
                    1,
                    4,
                    0,
                    from,
                    count,
                    waits,
                    event
                ));
            },
            calls: &[CONTEXT, "cuMemcpyAsync", "cuStreamSynchronize"],
            least: 2,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a blocking copy",
            work: &mut || {
                ok!(piextUSMEnqueueMemcpy(queue, 1, memory.start, start.cast(), 4, 0, null(), null_mut()));
            },
            calls: &[CONTEXT, "cuMemcpyAsync", "cuStreamSynchronize"],
            least: 2,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a copy to the host whose event and whose queue are waited for, as float(a[0]) does it",
            work: &mut || {
                let mut event = null_mut();
                let to = start.cast();
                ok!(piextUSMEnqueueMemcpy(queue, 0, to, memory.start, 4, 0, null(), &mut event));
                wait(&[event]);
                fixture.finish();
            },
            calls: &[CONTEXT, "cuMemcpyAsync", CONTEXT, "cuStreamSynchronize"],
            least: 2,
            why: CALLERS_CONTEXT,
        },
    ]);
    ok!(piEventRelease(held));
    fixture.finish();
    ok!(piQueueRelease(other));
}

/// A gate that opens even if the test fails, because the queues wait for their commands.
struct ClosedGate(Option<testing_support::Gate>);

impl ClosedGate {
    fn event(&self) -> pi_event {
        self.0.as_ref().map_or(null_mut(), |gate| gate.0)
    }
}

impl Drop for ClosedGate {
    fn drop(&mut self) {
        self.0.take().into_iter().for_each(testing_support::Gate::open);
    }
}

fn waits() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let noop = program.kernel("noop");
    let (kernel, queue, other) = (noop.raw, fixture.queue, fixture.queue(0));
    let gate = ClosedGate(Some(testing_support::Gate::new(&fixture)));
    let busy = fixture.queue(0);
    let running = launch_behind(busy, kernel, &[gate.event()]);
    check(&mut [
        Row {
            operation: "a launch and a wait for its event",
            work: &mut || wait(&[launch_behind(queue, kernel, &[])]),
            calls: &[CONTEXT, "cuLaunchKernel", CONTEXT, "cuStreamSynchronize"],
            least: 2,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a launch, and a wait for the command before it",
            work: &mut || {
                let events = [(); 2].map(|()| launch_behind(queue, kernel, &[]));
                wait(&events);
            },
            calls: &[
                CONTEXT,
                "cuLaunchKernel",
                CONTEXT,
                "cuEventRecord",
                "cuLaunchKernel",
                CONTEXT,
                "cuEventSynchronize",
                CONTEXT,
                "cuStreamSynchronize",
            ],
            least: 3,
            why: "the caller waits for the first command first, which the second need not follow soon",
        },
        Row {
            operation: "the state of a stream's last command while it runs",
            work: &mut || assert_eq!(status(running), PI_EVENT_RUNNING),
            calls: &[CONTEXT, "cuStreamQuery"],
            least: 1,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a command that is asked for, waited for and followed after a later one was waited for",
            work: &mut || {
                let [early, late] = [(); 2].map(|()| launch_behind(queue, kernel, &[]));
                wait(&[late]);
                assert_eq!(status(early), PI_EVENT_COMPLETE);
                ok!(piEventsWait(1, &early));
                wait(&[launch_behind(other, kernel, &[early])]);
                ok!(piEventRelease(early));
            },
            calls: &[
                CONTEXT,
                "cuLaunchKernel",
                CONTEXT,
                "cuEventRecord",
                "cuLaunchKernel",
                CONTEXT,
                "cuStreamSynchronize",
                CONTEXT,
                "cuLaunchKernel",
                CONTEXT,
                "cuStreamSynchronize",
            ],
            least: 5,
            why: "of an event that is never asked for before the next command, it is not known that none will",
        },
        Row {
            operation: "a wait for a queue whose last command was waited for by a recorded event, and its state",
            work: &mut || {
                let event = launch_behind(queue, kernel, &[]);
                let mut native = 0;
                ok!(piextEventGetNativeHandle(event, &mut native));
                wait(&[event]);
                ok!(piQueueFinish(queue));
                assert!(is_empty(queue));
            },
            calls: &[CONTEXT, "cuLaunchKernel", CONTEXT, "cuEventRecord", CONTEXT, "cuEventSynchronize"],
            least: 3,
            why: CALLERS_CONTEXT,
        },
    ]);
    drop(gate);
    wait(&[running]);
    fixture.finish();
    for queue in [busy, other] {
        ok!(piQueueRelease(queue));
    }
}

fn objects() {
    let fixture = Fixture::new();
    let program = fixture.program("kernels");
    let noop = program.kernel("noop");
    let (kernel, context, device) = (noop.raw, fixture.context, fixture.device);
    let (device_memory, host_memory) = (fixture.device_memory(64), fixture.host_memory(64));
    let shared = || {
        let (mut start, none) = (null_mut(), null_mut());
        ok!(piextUSMSharedAlloc(&mut start, context, device, none, 64, 0));
        ok!(piextUSMFree(context, start));
    };
    check(&mut [
        Row {
            operation: "a queue, as dpnp.empty makes and drops it",
            work: &mut || ok!(piQueueRelease(fixture.queue(PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE))),
            calls: &[],
            least: 0,
            why: "",
        },
        Row {
            operation: "a queue with one command, which is waited for",
            work: &mut || {
                let queue = fixture.queue(0);
                wait(&[launch_behind(queue, kernel, &[])]);
                ok!(piQueueRelease(queue));
            },
            calls: &[CONTEXT, "cuLaunchKernel", CONTEXT, "cuStreamSynchronize", CONTEXT],
            least: 2,
            why: CALLERS_CONTEXT,
        },
        Row {
            operation: "a context",
            work: &mut || {
                let mut context = null_mut();
                ok!(piContextCreate(null(), 1, &devices()[0], None, null_mut(), &mut context));
                ok!(piContextRelease(context));
            },
            calls: &["cuDevicePrimaryCtxRetain", CONTEXT, "cuDevicePrimaryCtxRelease_v2"],
            least: 2,
            why: "its pools are cleared in the CUDA context, which is the caller's only by chance",
        },
        Row {
            operation: "device memory",
            work: &mut || drop(fixture.device_memory(1000)),
            calls: &[],
            least: 0,
            why: "",
        },
        Row {
            operation: "host memory",
            work: &mut || drop(fixture.host_memory(1000)),
            calls: &[],
            least: 0,
            why: "",
        },
        Row {
            operation: "what memory an address is in, as dpctl asks of every array",
            work: &mut || {
                for (start, kind) in
                    [(device_memory.start, PI_MEM_TYPE_DEVICE), (host_memory.start, PI_MEM_TYPE_HOST)]
                {
                    let (mut answer, mut owner) = (PI_MEM_TYPE_UNKNOWN, null_mut::<()>());
                    let inside = start.wrapping_byte_add(63);
                    let out = (&raw mut answer).cast();
                    ok!(piextUSMGetMemAllocInfo(context, inside, PI_MEM_ALLOC_TYPE, 4, out, null_mut()));
                    let out = (&raw mut owner).cast();
                    ok!(piextUSMGetMemAllocInfo(context, inside, PI_MEM_ALLOC_DEVICE, 8, out, null_mut()));
                    assert_eq!((answer, owner), (kind, device.cast()));
                }
            },
            calls: &[],
            least: 0,
            why: "",
        },
        Row {
            operation: "small shared memory",
            work: &mut || shared(),
            calls: &[
                CONTEXT,
                "cuMemAllocManaged",
                "cuMemsetD8Async",
                "cuStreamSynchronize",
                CONTEXT,
                "cuPointerGetAttributes",
                CONTEXT,
                "cuMemFree_v2",
            ],
            least: 4,
            why: "it is not kept, because advice and the pages' place stay with it; its free asks what it is",
        },
    ]);
}

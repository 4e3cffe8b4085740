//! A queue that is captured into a graph, and the resulting graphs.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::{pi_kernel, pi_mem, pi_queue};
use sycl_ur_core::*;
use testing_ur_host::{Calls, Layout};

use super::kernel_args::kernel_args;
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check, same_code};
use crate::skip;

/// The number of integers in a buffer.
pub(super) const COUNT: usize = 64;

/// Integers on the host that a graph writes when it runs. They are never freed.
#[derive(Clone, Copy)]
pub(super) struct Room(*mut [i32; COUNT]);

impl Room {
    pub(super) fn new() -> Self {
        Self(Box::into_raw(Box::new([0; COUNT])))
    }

    pub(super) fn set(self, number: i32) {
        // SAFETY: its own memory, while no graph runs.
        unsafe { self.0.write([number; COUNT]) };
    }

    pub(super) fn numbers(self) -> Vec<i32> {
        // SAFETY: the same as above.
        unsafe { self.0.read() }.to_vec()
    }
}

/// A queue that is captured, with its calls.
pub(super) struct Captured<'e> {
    pub(super) f: &'e Env,
    pub(super) calls: &'static Calls,
    pub(super) queue: ur_queue_handle_t,
}

/// An event, released with its scope.
pub(super) struct Event(pub(super) &'static Calls, pub(super) ur_event_handle_t);

impl Event {
    /// Waits for its command.
    pub(super) fn wait(&self) -> Verdict {
        // SAFETY: a live event.
        same_code("urEventWait", UR_RESULT_SUCCESS, unsafe { self.0.urEventWait(1, &self.1) })
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        // SAFETY: this object owns the reference. A failure cannot be reported from a drop.
        unsafe { self.0.urEventRelease(self.1) };
    }
}

/// A graph or an executable graph, destroyed with its scope.
pub(super) struct Graph(pub(super) &'static Calls, pub(super) ur_exp_graph_handle_t);

impl Drop for Graph {
    fn drop(&mut self) {
        // SAFETY: the same as above.
        unsafe { self.0.urGraphDestroyExp(self.1) };
    }
}

pub(super) struct Executable(pub(super) &'static Calls, pub(super) ur_exp_executable_graph_handle_t);

impl Drop for Executable {
    fn drop(&mut self) {
        // SAFETY: the same as above.
        unsafe { self.0.urGraphExecutableGraphDestroyExp(self.1) };
    }
}

/// Skips the case unless queues can be captured.
pub(super) fn need_capture(f: &Env) -> Verdict {
    let (calls, mut answer) = (&f.ur()?.connection.calls, 0_u8);
    if calls.layout() < Layout::V2026_0 {
        return Err(Failure::skip(skip::NOT_IN_LAYOUT));
    }
    let (query, place) = (UR_DEVICE_INFO_GRAPH_RECORD_AND_REPLAY_SUPPORT_EXP, (&raw mut answer).cast());
    // SAFETY: a live device, and room for a truth value.
    let code = unsafe { calls.urDeviceGetInfo(f.device.cast(), query, 1, place, null_mut()) };
    same_code("urDeviceGetInfo", UR_RESULT_SUCCESS, code)?;
    if answer == 0 { Err(Failure::skip(skip::NO_COMMAND_BUFFERS)) } else { Ok(()) }
}

impl<'e> Captured<'e> {
    pub(super) fn new(f: &'e Env, queue: pi_queue) -> Verdict<Self> {
        Ok(Self { f, calls: &f.ur()?.connection.calls, queue: queue.cast() })
    }

    pub(super) fn begin(&self) -> Verdict {
        // SAFETY: a live queue.
        let code = unsafe { self.calls.urQueueBeginGraphCaptureExp(self.queue) };
        same_code("urQueueBeginGraphCaptureExp", UR_RESULT_SUCCESS, code)
    }

    pub(super) fn end(&self) -> Verdict<Graph> {
        let mut graph = null_mut();
        // SAFETY: a live queue, and room for the graph.
        let code = unsafe { self.calls.urQueueEndGraphCaptureExp(self.queue, &mut graph) };
        same_code("urQueueEndGraphCaptureExp", UR_RESULT_SUCCESS, code)?;
        check("urQueueEndGraphCaptureExp", !graph.is_null(), "a graph", "null")?;
        Ok(Graph(self.calls, graph))
    }

    /// Checks the result of a call, and returns its event.
    pub(super) fn event(
        &self,
        what: &str,
        waits: &[&Event],
        call: impl FnOnce(u32, *const ur_event_handle_t, *mut ur_event_handle_t) -> ur_result_t,
    ) -> Verdict<Event> {
        let (list, mut event) = (handles(waits), null_mut());
        same_code(what, UR_RESULT_SUCCESS, call(list.len() as u32, list.as_ptr(), &mut event))?;
        check(what, !event.is_null(), "an event", "null")?;
        Ok(Event(self.calls, event))
    }

    /// Fills a buffer with a number.
    pub(super) fn fill(&self, mem: pi_mem, number: i32, waits: &[&Event]) -> Verdict<Event> {
        let pattern: *const c_void = (&raw const number).cast();
        self.event("urEnqueueMemBufferFill", waits, |count, list, event| {
            let size = COUNT * 4;
            // SAFETY: live handles, and a pattern that stays during the call.
            unsafe {
                self.calls.urEnqueueMemBufferFill(
                    self.queue,
                    mem.cast(),
                    pattern,
                    4,
                    0,
                    size,
                    count,
                    list,
                    event,
                )
            }
        })
    }

    /// Launches a kernel on a buffer and a number.
    pub(super) fn launch(
        &self,
        kernel: pi_kernel,
        mem: pi_mem,
        number: i32,
        waits: &[&Event],
    ) -> Verdict<Event> {
        self.launch_items(COUNT, kernel, mem, number, waits)
    }

    /// Launches a slow kernel that finally adds 1 to a buffer's first number.
    pub(super) fn launch_slow(&self, slow: pi_kernel, mem: pi_mem, waits: &[&Event]) -> Verdict<Event> {
        const ROUNDS: i32 = 3_000_000;
        self.launch_items(1, slow, mem, ROUNDS, waits)
    }

    fn launch_items(
        &self,
        global: usize,
        kernel: pi_kernel,
        mem: pi_mem,
        number: i32,
        waits: &[&Event],
    ) -> Verdict<Event> {
        let args = kernel_args(mem, &number);
        self.event("urEnqueueKernelLaunchWithArgsExp", waits, |count, list, event| {
            // SAFETY: live handles, two arguments that stay during the call.
            unsafe {
                self.calls.urEnqueueKernelLaunchWithArgsExp(
                    self.queue,
                    kernel.cast(),
                    1,
                    null(),
                    &global,
                    null(),
                    2,
                    args.as_ptr(),
                    null(),
                    count,
                    list,
                    event,
                )
            }
        })
    }

    /// Reads a buffer into memory that is never freed.
    pub(super) fn read(&self, mem: pi_mem, to: Room, waits: &[&Event]) -> Verdict<Event> {
        let (size, place) = (COUNT * 4, to.0.cast());
        self.event("urEnqueueMemBufferRead", waits, |count, list, event| {
            // SAFETY: live handles, and room that stays until the graph has run.
            unsafe {
                self.calls.urEnqueueMemBufferRead(
                    self.queue,
                    mem.cast(),
                    0,
                    0,
                    size,
                    place,
                    count,
                    list,
                    event,
                )
            }
        })
    }

    /// Returns an event after the list, or after everything. A barrier also holds back later commands.
    pub(super) fn wait(&self, is_barrier: bool, waits: &[&Event]) -> Verdict<Event> {
        self.event("a wait or barrier", waits, |count, list, event| {
            // SAFETY: live handles.
            unsafe {
                if is_barrier {
                    self.calls.urEnqueueEventsWaitWithBarrier(self.queue, count, list, event)
                } else {
                    self.calls.urEnqueueEventsWait(self.queue, count, list, event)
                }
            }
        })
    }

    /// Returns whether the queue captures.
    pub(super) fn captures(&self) -> Verdict<bool> {
        let mut answer = 7;
        // SAFETY: a live queue, and room for a truth value.
        let code = unsafe { self.calls.urQueueIsGraphCaptureEnabledExp(self.queue, &mut answer) };
        same_code("urQueueIsGraphCaptureEnabledExp", UR_RESULT_SUCCESS, code)?;
        check("urQueueIsGraphCaptureEnabledExp", answer <= 1, "0 or 1", answer)?;
        Ok(answer == 1)
    }

    /// Runs a graph and waits for it.
    pub(super) fn run(&self, graph: &Executable) -> Verdict {
        self.enqueue(graph, &[])?.wait()
    }

    pub(super) fn enqueue(&self, graph: &Executable, waits: &[&Event]) -> Verdict<Event> {
        self.event("urEnqueueGraphExp", waits, |count, list, event| {
            // SAFETY: live handles.
            unsafe { self.calls.urEnqueueGraphExp(self.queue, graph.1, count, list, event) }
        })
    }
}

pub(super) fn handles(events: &[&Event]) -> Vec<ur_event_handle_t> {
    events.iter().map(|event| event.1).collect()
}

pub(super) fn instantiate(graph: &Graph) -> Verdict<Executable> {
    let mut executable = null_mut();
    // SAFETY: a live graph, and room for the executable one.
    let code = unsafe { graph.0.urGraphInstantiateGraphExp(graph.1, &mut executable) };
    same_code("urGraphInstantiateGraphExp", UR_RESULT_SUCCESS, code)?;
    check("urGraphInstantiateGraphExp", !executable.is_null(), "an executable graph", "null")?;
    Ok(Executable(graph.0, executable))
}

/// Returns an empty graph of a context.
pub(super) fn new_graph(f: &Env) -> Verdict<Graph> {
    let (calls, mut graph) = (&f.ur()?.connection.calls, null_mut());
    // SAFETY: a live context, and room for the graph.
    let code = unsafe { calls.urGraphCreateExp(f.context()?.cast(), &mut graph) };
    same_code("urGraphCreateExp", UR_RESULT_SUCCESS, code)?;
    Ok(Graph(calls, graph))
}

//! The operations whose costs are counted and timed: frequent calls of a runtime, on objects created once.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Table;

use crate::fixture::{KERNELS, VARIABLE};
use crate::{Fixture, Kernel, Program, Soft, Usm, ok};

/// The lines of the tables.
pub const NAMES: [&str; 9] = [
    "launch with 3 pointer arguments",
    "launch + wait",
    "64-byte USM copy",
    "64-byte USM copy + wait",
    "buffer write",
    "buffer write, blocking",
    "event wait",
    "device-variable write, blocking",
    "alloc + free",
];

/// Objects of a plugin, created once.
pub struct Bench {
    kernel: Kernel,
    memory: [Usm; 3],
    buffer: pi_mem,
    variable: Program,
    /// Events of operations in flight, for a later wait.
    events: Vec<pi_event>,
    _program: Program,
    /// The last field, because a context must be released after its objects.
    fixture: Fixture,
}

impl Bench {
    /// Creates the objects on any plugin, with an in-order or out-of-order queue.
    pub fn new(pi: &'static Table, flags: pi_queue_properties) -> Self {
        let fixture = Fixture::with(pi, flags);
        let program = fixture.program(KERNELS);
        let kernel = program.kernel("add");
        let memory = [(); 3].map(|()| fixture.device_memory(256));
        for one in &memory {
            fixture.write(one, &[1_u8; 256]);
        }
        let buffer = fixture.buffer(&mut [0_u8; 256]);
        let variable = fixture.program(VARIABLE);
        Self { fixture, kernel, memory, buffer, variable, events: Vec::new(), _program: program }
    }

    fn launch(&self, event: *mut pi_event) {
        let pi = self.fixture.pi;
        for (index, memory) in (0..).zip(&self.memory) {
            self.kernel.pointer(index, memory.start);
        }
        // Three numbers each, as libsycl passes. Intel's plugin reads them all.
        let (offset, global, local) = ([0_usize; 3], [8_usize, 1, 1], [8_usize, 1, 1]);
        let [offset, global, local] = [&offset, &global, &local].map(|list| list.as_ptr());
        let (queue, kernel) = (self.fixture.queue, self.kernel.raw);
        ok!(pi, piEnqueueKernelLaunch(queue, kernel, 1, offset, global, local, 0, null(), event));
    }

    fn copy(&self, event: *mut pi_event) {
        let (pi, [to, from, _]) = (self.fixture.pi, &self.memory);
        let queue = self.fixture.queue;
        ok!(pi, piextUSMEnqueueMemcpy(queue, 0, to.start, from.start, 64, 0, null(), event));
    }

    fn write(&self, blocking: pi_bool, event: *mut pi_event) {
        let values = self.memory.as_ptr().cast();
        let (queue, mem) = (self.fixture.queue, self.buffer);
        ok!(self.fixture.pi, piEnqueueMemBufferWrite(queue, mem, blocking, 0, 64, values, 0, null(), event));
    }

    /// Completes pending work that does not belong to an operation, before it is counted or timed.
    pub fn prepare(&mut self, name: &str, count: usize) {
        if name == "event wait" {
            for _ in 0..count {
                let mut event = null_mut();
                self.launch(&mut event);
                self.events.push(event);
            }
        }
    }

    /// Performs one operation.
    pub fn run(&mut self, name: &str) {
        let pi = self.fixture.pi;
        let mut event = null_mut();
        match name {
            "launch with 3 pointer arguments" => self.launch(&mut event),
            "launch + wait" => {
                self.launch(&mut event);
                self.fixture.wait(&[event]);
                event = null_mut();
            }
            "64-byte USM copy" => self.copy(&mut event),
            "64-byte USM copy + wait" => {
                self.copy(&mut event);
                self.fixture.wait(&[event]);
                event = null_mut();
            }
            "buffer write" => self.write(0, &mut event),
            "buffer write, blocking" => self.write(1, null_mut()),
            "event wait" => {
                let event = self.events.pop().expect("an event was prepared");
                self.fixture.wait(&[event]);
            }
            "device-variable write, blocking" => {
                let values = [7_u32];
                let (queue, program) = (self.fixture.queue, self.variable.raw);
                let name = c"_Z7Counter".as_ptr();
                let from = values.as_ptr().cast();
                ok!(
                    pi,
                    piextEnqueueDeviceGlobalVariableWrite(
                        queue,
                        program,
                        name,
                        1,
                        4,
                        0,
                        from,
                        0,
                        null(),
                        null_mut()
                    )
                );
            }
            "alloc + free" => drop(self.fixture.device_memory(1024)),
            other => panic!("no operation {other:?}"),
        }
        if !event.is_null() {
            self.events.push(event);
        }
    }

    /// Counts the driver calls of one operation in a batch of `batch`, once all reusable objects have been created.
    pub fn count(&mut self, soft: &Soft, name: &str, batch: usize) -> f64 {
        let mut calls = 0;
        for _ in 0..3 {
            self.prepare(name, batch);
            let before = soft.all_calls();
            (0..batch).for_each(|_| self.run(name));
            self.settle();
            calls = soft.all_calls() - before;
        }
        calls as f64 / batch as f64
    }

    /// Completes what the operations left in flight, as a runtime eventually does. Its share is part of their cost.
    pub fn settle(&mut self) {
        self.fixture.finish();
        for event in self.events.drain(..) {
            ok!(self.fixture.pi, piEventRelease(event));
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.settle();
            ok!(self.fixture.pi, piMemRelease(self.buffer));
        }
    }
}

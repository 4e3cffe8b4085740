//! Commands that may be jumps, with arguments that may go to the driver as they are and others.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

/// What a command answered, whether it gave an event, and what its memory holds after it.
type Answer = (String, pi_result, Vec<u8>);

/// Commands in one queue.
struct Trials<'a> {
    f: &'a Fixture,
    queue: pi_queue,
    events: [pi_event; 2],
    answers: Vec<Answer>,
}

/// Answers of each command, in a queue of the fixture's context.
pub(super) fn answers(f: &Fixture, queue: pi_queue, kernel: pi_kernel) -> Vec<Answer> {
    let events = [f.signalled_event(), f.signalled_event()];
    let mut trials = Trials { f, queue, events, answers: Vec::new() };
    trials.copies();
    trials.fills();
    trials.unmaps();
    trials.usm_copies();
    trials.launches(kernel);
    trials.waits();
    for event in events {
        ok!(f.pi, piEventRelease(event));
    }
    trials.answers
}

impl Trials<'_> {
    /// Wait lists, with a name: none, an empty one that has an address, one event, two, one event that is null, and none where one
    /// event is said to be.
    fn lists(&self) -> [(&'static str, u32, *const pi_event); 6] {
        static NULL: usize = 0;
        let start = self.events.as_ptr();
        [
            ("no list", 0, null()),
            ("an empty list", 0, start),
            ("one event", 1, start),
            ("two events", 2, start),
            ("an event that is null", 1, (&raw const NULL).cast()),
            ("a list that is null", 1, null()),
        ]
    }

    /// Runs a command behind each list, with and without an event.
    fn run(
        &mut self,
        what: &str,
        command: impl Fn(u32, *const pi_event, *mut pi_event) -> pi_result,
        seen: impl Fn() -> Vec<u8>,
    ) {
        for (list_name, count, list) in self.lists() {
            for has_event in [true, false] {
                let mut event = null_mut();
                let code = command(count, list, if has_event { &raw mut event } else { null_mut() });
                let mut bytes = vec![u8::from(!event.is_null())];
                if !event.is_null() {
                    self.f.wait(event);
                }
                ok!(self.f.pi, piQueueFinish(self.queue));
                bytes.extend(seen());
                self.answers.push((format!("{what}, {list_name}, event {has_event}"), code, bytes));
            }
        }
    }

    fn copies(&mut self) {
        let (f, queue) = (self.f, self.queue);
        let (pi, mem) = (f.pi, f.buffer(&[3_u8; 64]));
        let host = bytes();
        let start = host.as_ptr().cast::<c_void>().cast_mut();
        let content = || f.content::<u8>(*mem, 64);
        for (what, queue, mem, offset, size, ptr) in [
            ("all", queue, *mem, 0, 64, start),
            ("the middle", queue, *mem, 16, 16, start),
            ("nothing", queue, *mem, 0, 0, start),
            ("past the end", queue, *mem, 32, 64, start),
            ("around the end of memory", queue, *mem, usize::MAX - 7, 16, start),
            ("without memory", queue, *mem, 0, 64, null_mut()),
            ("without a buffer", queue, null_mut(), 0, 64, start),
            ("without a queue", null_mut(), *mem, 0, 64, start),
        ] {
            for blocking in [0, 1, 2] {
                let name = |command| format!("{command} {what}, blocking {blocking}");
                self.run(
                    &name("write"),
                    |n, list, out| {
                        code!(
                            pi,
                            piEnqueueMemBufferWrite(queue, mem, blocking, offset, size, ptr, n, list, out)
                        )
                    },
                    content,
                );
                self.run(
                    &name("read"),
                    |n, list, out| {
                        code!(
                            pi,
                            piEnqueueMemBufferRead(queue, mem, blocking, offset, size, ptr, n, list, out)
                        )
                    },
                    || host.iter().map(Cell::get).collect(),
                );
            }
        }
        for (what, queue, dst, from, to, size) in [
            ("within", queue, *mem, 0, 32, 16),
            ("over itself", queue, *mem, 0, 8, 16),
            ("past the end", queue, *mem, 0, 60, 16),
            ("from past the end", queue, *mem, 60, 0, 16),
            ("around the end of memory", queue, *mem, usize::MAX - 3, 0, 16),
            ("to the end of memory", queue, *mem, 0, usize::MAX - 3, 16),
            ("to nowhere", queue, null_mut(), 0, 32, 16),
            ("without a queue", null_mut(), *mem, 0, 32, 16),
        ] {
            self.run(
                &format!("copy {what}"),
                |n, list, out| {
                    code!(pi, piEnqueueMemBufferCopy(queue, *mem, dst, from, to, size, n, list, out))
                },
                content,
            );
        }
    }

    fn fills(&mut self) {
        let (f, queue) = (self.f, self.queue);
        let (pi, mem, pattern) = (f.pi, f.buffer(&[3_u8; 64]), bytes());
        let start = pattern.as_ptr().cast::<c_void>();
        for (what, queue, mem, start, length, offset, size) in [
            ("with four bytes", queue, *mem, start, 4, 0, 64),
            ("with three bytes", queue, *mem, start, 3, 0, 63),
            ("with no bytes", queue, *mem, start, 0, 0, 64),
            ("with more bytes than OpenCL knows", queue, *mem, start, 256, 0, 256),
            ("past the end", queue, *mem, start, 4, 60, 8),
            ("off the pattern", queue, *mem, start, 4, 2, 8),
            ("of nothing", queue, *mem, start, 4, 0, 0),
            ("around the end of memory", queue, *mem, start, 4, usize::MAX - 3, 8),
            ("without a pattern", queue, *mem, null(), 4, 0, 64),
            ("without a buffer", queue, null_mut(), start, 4, 0, 64),
            ("without a queue", null_mut(), *mem, start, 4, 0, 64),
        ] {
            self.run(
                &format!("fill {what}"),
                |n, list, out| {
                    code!(pi, piEnqueueMemBufferFill(queue, mem, start, length, offset, size, n, list, out))
                },
                || if mem.is_null() { Vec::new() } else { f.content::<u8>(mem, 64) },
            );
        }
    }

    fn unmaps(&mut self) {
        let (f, queue) = (self.f, self.queue);
        let (pi, mem) = (f.pi, f.buffer(&[3_u8; 64]));
        self.run(
            "unmap",
            |n, list, out| {
                let mapped: *mut c_void = made!(pi, |out| piEnqueueMemBufferMap(
                    queue,
                    *mem,
                    1,
                    PI_MAP_WRITE,
                    0,
                    64,
                    0,
                    null(),
                    null_mut(),
                    out
                ));
                let code = code!(pi, piEnqueueMemUnmap(queue, *mem, mapped, n, list, out));
                if code != PI_SUCCESS {
                    ok!(pi, piEnqueueMemUnmap(queue, *mem, mapped, 0, null(), null_mut()));
                }
                code
            },
            || f.content::<u8>(*mem, 64),
        );
        for (what, queue, mem) in [
            ("without an address", queue, *mem),
            ("without a buffer", queue, null_mut()),
            ("without a queue", null_mut(), *mem),
        ] {
            self.run(
                &format!("unmap {what}"),
                |n, list, out| code!(pi, piEnqueueMemUnmap(queue, mem, null_mut(), n, list, out)),
                Vec::new,
            );
        }
    }

    fn usm_copies(&mut self) {
        let (f, queue) = (self.f, self.queue);
        let pi = f.pi;
        let usm: *mut c_void = made!(pi, |out| piextUSMHostAlloc(out, f.context, null_mut(), 64, 0));
        let host = bytes();
        let start = host.as_ptr().cast::<c_void>().cast_mut();
        for (what, queue, dst, src, size) in [
            ("to the host", queue, start, usm, 64),
            ("from the host", queue, usm, start, 16),
            ("of nothing", queue, usm, start, 0),
            ("to nowhere", queue, null_mut(), start, 64),
            ("from nowhere", queue, usm, null_mut(), 64),
            ("without a queue", null_mut(), usm, start, 64),
        ] {
            for blocking in [0, 1, 2] {
                self.run(
                    &format!("USM copy {what}, blocking {blocking}"),
                    |n, list, out| {
                        code!(pi, piextUSMEnqueueMemcpy(queue, blocking, dst, src, size, n, list, out))
                    },
                    // The first 16 bytes are never what the driver happened to allocate.
                    || if size == 16 { host.iter().map(Cell::get).collect() } else { Vec::new() },
                );
            }
            host.iter().for_each(|byte| byte.set(7));
        }
        ok!(pi, piextUSMFree(f.context, usm));
    }

    /// The kernel is `places`.
    fn launches(&mut self, kernel: pi_kernel) {
        let (f, queue) = (self.f, self.queue);
        let (pi, mem) = (f.pi, f.buffer(&[3_u64; 16]));
        ok!(pi, piKernelSetArg(kernel, 0, size_of::<pi_mem>(), (&raw const *mem).cast()));
        let (sizes, ones, zero) = ([4_usize, 2, 2], [1_usize; 3], [1_usize, 1, 0]);
        let (sizes, ones, zero) = (sizes.as_ptr(), ones.as_ptr(), zero.as_ptr());
        for (what, queue, kernel, dims, global, local) in [
            ("in one dimension", queue, kernel, 1, sizes, ones),
            ("in two dimensions", queue, kernel, 2, sizes, ones),
            ("in three dimensions", queue, kernel, 3, sizes, ones),
            ("in no dimension", queue, kernel, 0, sizes, ones),
            ("in four dimensions", queue, kernel, 4, sizes, ones),
            ("with a size of no concern", queue, kernel, 2, sizes, zero),
            ("with a size of 0", queue, kernel, 3, sizes, zero),
            ("with a size that does not divide", queue, kernel, 1, ones, sizes),
            ("with any size", queue, kernel, 1, sizes, null()),
            ("of nothing", queue, kernel, 1, null(), ones),
            ("without a kernel", queue, null_mut(), 1, sizes, ones),
            ("without a queue", null_mut(), kernel, 1, sizes, ones),
        ] {
            for offset in [null(), zero.wrapping_add(2)] {
                let offset = if dims == 1 { offset } else { null() };
                self.run(
                    &format!("launch {what}, offset {}", !offset.is_null()),
                    |n, list, out| {
                        code!(
                            pi,
                            piEnqueueKernelLaunch(queue, kernel, dims, offset, global, local, n, list, out)
                        )
                    },
                    || f.content::<u8>(*mem, 64),
                );
            }
        }
    }

    fn waits(&mut self) {
        let pi = self.f.pi;
        for (list_name, count, list) in self.lists() {
            let code = code!(pi, piEventsWait(count, list));
            self.answers.push((format!("events wait, {list_name}"), code, Vec::new()));
        }
    }
}

/// Memory of the host that a driver writes to while tests hold it.
fn bytes() -> Vec<Cell<u8>> {
    vec![Cell::new(7); 256]
}

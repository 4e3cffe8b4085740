//! Tests of the host and of commands that use USM in turn. On drivers with coarse-grained shared virtual memory the plugin
//! has to hand it over each time: `intel-coarse` ends the process if it does not.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::thread;

use testing_opencl::*;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "usm_turns",
        [
            the_host_and_kernels_take_turns,
            copies_and_fills_leave_memory_to_the_host,
            kernels_reach_memory_through_pointers_in_memory,
            a_clone_reaches_memory_that_is_newer_than_its_recording,
            buffers_are_read_into_usm_and_written_from_it,
            threads_launch_on_memory_of_one_context,
            freed_memory_is_not_told_to_kernels,
        ]
    );
}

/// Blocks of USM of one context.
struct Memory<'f> {
    f: &'f Fixture,
    blocks: Vec<*mut c_void>,
}

impl<'f> Memory<'f> {
    fn of(f: &'f Fixture) -> Self {
        Self { f, blocks: Vec::new() }
    }

    fn host<T>(&mut self, count: usize) -> *mut T {
        let size = count * size_of::<T>();
        self.keep(made!(self.f.pi, |out| piextUSMHostAlloc(out, self.f.context, null_mut(), size, 0)))
    }

    fn shared<T>(&mut self, count: usize) -> *mut T {
        let (f, size) = (self.f, count * size_of::<T>());
        self.keep(made!(f.pi, |out| piextUSMSharedAlloc(out, f.context, f.device, null_mut(), size, 0)))
    }

    fn device<T>(&mut self, count: usize) -> *mut T {
        let (f, size) = (self.f, count * size_of::<T>());
        self.keep(made!(f.pi, |out| piextUSMDeviceAlloc(out, f.context, f.device, null_mut(), size, 0)))
    }

    fn keep<T>(&mut self, block: *mut c_void) -> *mut T {
        self.blocks.push(block);
        block.cast()
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        for block in &self.blocks {
            let _ = call!(self.f.pi, piextUSMFree(self.f.context, *block));
        }
    }
}

const COUNT: usize = 2000;

fn write(place: *mut i32, value: i32) {
    for at in 0..COUNT {
        // SAFETY: the block has as many numbers, and no command uses it now.
        unsafe { place.add(at).write(value) };
    }
}

fn all(place: *mut i32) -> Vec<i32> {
    // SAFETY: same as in `write`.
    unsafe { std::slice::from_raw_parts(place, COUNT).to_vec() }
}

fn copy(f: &Fixture, blocking: bool, dst: *mut i32, src: *const i32) {
    let (dst, src, size) = (dst.cast(), src.cast(), COUNT * 4);
    let event = made!(f.pi, |out| piextUSMEnqueueMemcpy(
        f.queue,
        pi_bool::from(blocking),
        dst,
        src,
        size,
        0,
        null(),
        out
    ));
    f.wait(event);
}

fn the_host_and_kernels_take_turns() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"add_value");
    let mut memory = Memory::of(&f);
    for place in [memory.host::<i32>(COUNT), memory.shared::<i32>(COUNT)] {
        f.set_pointer(*kernel, 0, place);
        for round in 1..=3 {
            write(place, round);
            f.set_arg(*kernel, 1, 10 * round);
            f.launch(*kernel, COUNT);
            f.launch(*kernel, COUNT);
            assert_eq!(all(place), [21 * round; COUNT]);
        }
    }
}

fn copies_and_fills_leave_memory_to_the_host() {
    let f = Fixture::new();
    let mut memory = Memory::of(&f);
    let (host, shared, device) =
        (memory.host::<i32>(COUNT), memory.shared::<i32>(COUNT), memory.device::<i32>(COUNT));
    write(host, 7);
    for blocking in [true, false] {
        copy(&f, blocking, device, host);
        copy(&f, blocking, shared, device);
        assert_eq!((all(shared), all(host)), (vec![7; COUNT], vec![7; COUNT]));
        write(shared, 8);
        copy(&f, blocking, host, shared);
        assert_eq!((all(shared), all(host)), (vec![8; COUNT], vec![8; COUNT]));
        let event =
            made!(f.pi, |out| piextUSMEnqueueMemset(f.queue, host.cast(), 0, COUNT * 4, 0, null(), out));
        f.wait(event);
        assert_eq!(all(host), [0; COUNT]);
        let mut bytes = vec![0; COUNT];
        copy(&f, blocking, bytes.as_mut_ptr(), shared);
        assert_eq!(bytes, [8; COUNT]);
        // An address in an allocation stands for all of it.
        let (size, at) = (COUNT * 2, COUNT / 2);
        let (to, from) = (host.wrapping_add(at).cast(), shared.wrapping_add(at).cast());
        let copied = made!(f.pi, |out| piextUSMEnqueueMemcpy(f.queue, 1, to, from, size, 0, null(), out));
        f.wait(copied);
        assert_eq!(all(host)[at - 1..=at], [0, 8]);
        write(host, 7);
    }
}

/// A list of three nodes in the three kinds of memory, each of which the kernel finds in the one before.
fn kernels_reach_memory_through_pointers_in_memory() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"sum_list");
    let mut memory = Memory::of(&f);
    let nodes: [*mut u64; 3] = [memory.shared(2), memory.host(2), memory.device(2)];
    let sum = memory.host::<u64>(1);
    for (at, node) in nodes.iter().enumerate() {
        let next = nodes.get(at + 1).map_or(0, |next| next.expose_provenance() as u64);
        let (content, target) = ([next, 100 * (at as u64 + 1)], (*node).cast());
        let start = content.as_ptr().cast();
        ok!(f.pi, piextUSMEnqueueMemcpy(f.queue, PI_TRUE, target, start, 16, 0, null(), null_mut()));
    }
    let yes: pi_bool = 1;
    ok!(f.pi, piKernelSetExecInfo(*kernel, PI_USM_INDIRECT_ACCESS, 4, (&raw const yes).cast()));
    f.set_pointer(*kernel, 0, nodes[0]);
    f.set_pointer(*kernel, 1, sum);
    f.launch(*kernel, 1);
    // SAFETY: the kernel is done.
    assert_eq!(unsafe { sum.read() }, 600);
}

/// A launch of a command buffer tells the kernel what there is at each run.
fn a_clone_reaches_memory_that_is_newer_than_its_recording() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"sum_list");
    let mut memory = Memory::of(&f);
    let (first, sum) = (memory.shared::<u64>(2), memory.host::<u64>(1));
    let yes: pi_bool = 1;
    ok!(f.pi, piKernelSetExecInfo(*kernel, PI_USM_INDIRECT_ACCESS, 4, (&raw const yes).cast()));
    f.set_pointer(*kernel, 0, first);
    f.set_pointer(*kernel, 1, sum);
    let mut buffer = null_mut();
    let created = call!(f.pi, piextCommandBufferCreate(f.context, f.device, null(), &mut buffer));
    // Drivers before OpenCL 2.1 have no command buffers.
    if created.is_err() {
        return;
    }
    let one = 1_usize;
    let mut point = 0;
    ok!(
        f.pi,
        piextCommandBufferNDRangeKernel(buffer, *kernel, 1, null(), &one, null(), 0, null(), &mut point)
    );
    ok!(f.pi, piextCommandBufferFinalize(buffer));
    let second = memory.shared::<u64>(2);
    // SAFETY: both have two numbers, and no command uses them now.
    unsafe {
        second.cast::<[u64; 2]>().write([0, 5]);
        first.cast::<[u64; 2]>().write([second.expose_provenance() as u64, 6]);
    }
    let event = made!(f.pi, |out| piextEnqueueCommandBuffer(buffer, f.queue, 0, null(), out));
    f.wait(event);
    // SAFETY: the kernel is done.
    assert_eq!(unsafe { sum.read() }, 11);
    ok!(f.pi, piextCommandBufferRelease(buffer));
}

/// libsycl does so for `handler::copy` between an accessor and USM.
fn buffers_are_read_into_usm_and_written_from_it() {
    let f = Fixture::new();
    let mut memory = Memory::of(&f);
    let (device, shared) = (memory.device::<i32>(COUNT), memory.shared::<i32>(COUNT));
    let (from, to) = (f.buffer(&vec![3; COUNT]), f.buffer(&vec![0; COUNT]));
    for (place, blocking) in [(device, PI_TRUE), (device, PI_FALSE), (shared, PI_TRUE), (shared, PI_FALSE)] {
        let event = made!(f.pi, |out| piEnqueueMemBufferRead(
            f.queue,
            *from,
            blocking,
            0,
            COUNT * 4,
            place.cast(),
            0,
            null(),
            out
        ));
        let written = made!(f.pi, |out| piEnqueueMemBufferWrite(
            f.queue,
            *to,
            blocking,
            0,
            COUNT * 4,
            place.cast(),
            1,
            &event,
            out
        ));
        f.wait(written);
        ok!(f.pi, piEventRelease(event));
        assert_eq!(f.content::<i32>(*to, COUNT), [3; COUNT]);
        if place == shared {
            assert_eq!(all(place), [3; COUNT]);
            write(place, 0);
        }
    }
}

fn threads_launch_on_memory_of_one_context() {
    const THREADS: usize = 4;
    const ROUNDS: i32 = 20;
    let f = Fixture::new();
    let program = f.built_source();
    let mut memory = Memory::of(&f);
    let places: Vec<usize> = (0..THREADS).map(|_| memory.shared::<i32>(COUNT).expose_provenance()).collect();
    for place in &places {
        write(std::ptr::with_exposed_provenance_mut(*place), 0);
    }
    let (context, device, program) = (f.context as usize, f.device as usize, *program as usize);
    thread::scope(|scope| {
        for place in &places {
            let pi = f.pi;
            scope.spawn(move || {
                let rounds = ROUNDS;
                let (context, device) = (context as pi_context, device as pi_device);
                let queue: pi_queue = made!(pi, |out| piQueueCreate(context, device, 0, out));
                let kernel: pi_kernel =
                    made!(pi, |out| piKernelCreate(program as pi_program, c"add_value".as_ptr(), out));
                let pointer: *mut i32 = std::ptr::with_exposed_provenance_mut(*place);
                ok!(pi, piextKernelSetArgPointer(kernel, 0, 8, (&raw const pointer).cast()));
                ok!(pi, piKernelSetArg(kernel, 1, 4, (&raw const rounds).cast()));
                for _ in 0..ROUNDS {
                    let event: pi_event = made!(pi, |out| piEnqueueKernelLaunch(
                        queue,
                        kernel,
                        1,
                        null(),
                        &COUNT,
                        null(),
                        0,
                        null(),
                        out
                    ));
                    ok!(pi, piEventsWait(1, &event));
                    ok!(pi, piEventRelease(event));
                }
                ok!(pi, piKernelRelease(kernel));
                ok!(pi, piQueueRelease(queue));
            });
        }
    });
    for place in places {
        assert_eq!(all(std::ptr::with_exposed_provenance_mut(place)), [ROUNDS * ROUNDS; COUNT]);
    }
}

fn freed_memory_is_not_told_to_kernels() {
    let f = Fixture::new();
    let program = f.built_source();
    let kernel = f.kernel(*program, c"add_value");
    let mut memory = Memory::of(&f);
    let place = memory.shared::<i32>(COUNT);
    f.set_pointer(*kernel, 0, place);
    f.set_arg(*kernel, 1, 1);
    write(place, 0);
    for _ in 0..2 {
        let mut gone = Memory::of(&f);
        gone.shared::<i32>(COUNT);
        drop(gone);
        f.launch(*kernel, COUNT);
    }
    assert_eq!(all(place), [2; COUNT]);
}

//! Command buffers.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use testing_opencl::*;

mod left_behind;
mod local_memory;
mod refusals;
mod wait_list;

use left_behind::*;
use local_memory::*;
use refusals::*;
use wait_list::every_beginning_waits_for_the_wait_list;

pub(crate) fn register(registry: &mut Registry) {
    cases!(
        registry,
        "command_buffer",
        [
            a_diamond_keeps_its_order,
            arguments_are_those_of_the_recording,
            each_kernel_keeps_its_own_local_memory,
            a_new_kernel_has_no_local_memory_of_a_released_one,
            usm_commands_run,
            usm_commands_over_no_bytes_are_fine,
            usm_arguments_are_those_of_the_recording,
            host_memory_is_read_and_written_at_each_run,
            boxes_are_copied,
            boxes_of_parts_are_copied_at_each_run,
            launches_that_the_driver_refuses_are_refused_at_each_run,
            the_wait_list_is_waited_for,
            every_beginning_waits_for_the_wait_list,
            the_event_is_behind_every_end,
            an_empty_one_gives_an_event,
            runs_follow_each_other_in_order,
            release_lets_the_run_end,
            threads_run_one_at_the_same_time,
            unknown_sync_points_are_refused,
            bad_ranges_are_refused_when_recorded,
            boxes_that_leave_one_side_are_refused_when_recorded,
            bad_patterns_are_refused_when_recorded,
            other_contexts_are_refused,
            null_and_foreign_handles_are_refused,
            released_handles_are_refused,
            nothing_is_left_behind,
        ]
    );
    cases!(registry, "command_buffers", [are_there_if_the_driver_clones_kernels]);
}

/// Without a clone, a recorded launch would run with the arguments that its kernel was given last.
fn are_there_if_the_driver_clones_kernels() {
    let f = Fixture::new();
    let version = text!(f.pi, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_VERSION));
    let is_old = ["OpenCL 1.", "OpenCL 2.0"].iter().any(|old| version.starts_with(old));
    let name = PI_EXT_ONEAPI_DEVICE_INFO_COMMAND_BUFFER_SUPPORT;
    let says = get!(f.pi, piDeviceGetInfo(f.device, name) as pi_bool);
    assert_eq!(says, pi_bool::from(!is_old), "{version}");
    if is_old {
        let mut buffer = null_mut();
        let text = refused!(
            f.pi,
            piextCommandBufferCreate(f.context, f.device, null(), &mut buffer),
            PI_ERROR_INVALID_OPERATION
        );
        assert!(text.contains("clone of its kernel"), "{text}");
    } else {
        let _ = Recording::new(&f);
    }
}

const SOURCE: &str = include_str!("command_buffer/kernels.cl");
const COUNT: usize = 64;
const BYTES: usize = COUNT * size_of::<i32>();
const OUT_OF_ORDER: pi_queue_properties = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;

type Point = pi_ext_sync_point;

/// A command buffer under test, with short forms of common calls.
struct Recording<'a> {
    f: &'a Fixture,
    raw: pi_ext_command_buffer,
}

impl<'a> Recording<'a> {
    fn new(f: &'a Fixture) -> Self {
        let raw = made!(f.pi, |out| piextCommandBufferCreate(f.context, f.device, null(), out));
        Self { f, raw }
    }

    fn fill(&self, mem: pi_mem, value: i32, waits: &[Point]) -> Point {
        let (pattern, size, n) = ((&raw const value).cast(), size_of::<i32>(), waits.len() as u32);
        made!(self.f.pi, |point| piextCommandBufferMemBufferFill(
            self.raw,
            mem,
            pattern,
            size,
            0,
            BYTES,
            n,
            waits.as_ptr(),
            point
        ))
    }

    fn launch(&self, kernel: pi_kernel, waits: &[Point]) -> Point {
        made!(self.f.pi, |point| piextCommandBufferNDRangeKernel(
            self.raw,
            kernel,
            1,
            null(),
            &COUNT,
            null(),
            waits.len() as u32,
            waits.as_ptr(),
            point
        ))
    }

    fn copy(&self, src: pi_mem, dst: pi_mem, waits: &[Point]) -> Point {
        made!(self.f.pi, |point| piextCommandBufferMemBufferCopy(
            self.raw,
            src,
            dst,
            0,
            0,
            BYTES,
            waits.len() as u32,
            waits.as_ptr(),
            point
        ))
    }

    fn memcpy<T>(&self, dst: *mut T, src: *const T, waits: &[Point]) -> Point {
        made!(self.f.pi, |point| piextCommandBufferMemcpyUSM(
            self.raw,
            dst.cast(),
            src.cast(),
            BYTES,
            waits.len() as u32,
            waits.as_ptr(),
            point
        ))
    }

    fn finalize(&self) {
        ok!(self.f.pi, piextCommandBufferFinalize(self.raw));
    }

    fn enqueue(&self, queue: pi_queue, waits: &[pi_event]) -> pi_event {
        let n = waits.len() as u32;
        made!(self.f.pi, |event| piextEnqueueCommandBuffer(self.raw, queue, n, waits.as_ptr(), event))
    }

    fn run(&self, queue: pi_queue) {
        self.f.wait(self.enqueue(queue, &[]));
    }
}

impl Drop for Recording<'_> {
    fn drop(&mut self) {
        let _ = call!(self.f.pi, piextCommandBufferRelease(self.raw));
    }
}

/// Runs a test on an in-order and an out-of-order queue.
fn on_both_queues(f: &Fixture, test: impl Fn(pi_queue)) {
    for flags in [0, OUT_OF_ORDER] {
        let queue = f.queue_with(flags);
        test(queue);
        ok!(f.pi, piQueueFinish(queue));
        ok!(f.pi, piQueueRelease(queue));
    }
}

fn program(f: &Fixture) -> Owned<'_, pi_program> {
    let program = f.source(SOURCE);
    f.build(*program, c"").unwrap_or_else(|error| panic!("{error}"));
    program
}

fn scale<'a>(
    f: &'a Fixture,
    program: pi_program,
    mem: pi_mem,
    factor: i32,
    summand: i32,
) -> Owned<'a, pi_kernel> {
    let kernel = f.kernel(program, c"scale");
    f.set_mem(*kernel, 0, mem);
    f.set_arg(*kernel, 1, factor);
    f.set_arg(*kernel, 2, summand);
    kernel
}

fn shared(f: &Fixture) -> Owned<'_, *mut i32> {
    let ptr: *mut c_void =
        made!(f.pi, |out| piextUSMSharedAlloc(out, f.context, f.device, null_mut(), BYTES, 0));
    FREE_IN.set(f.context);
    Owned::new(f.pi, ptr.cast(), |pi, ptr: *mut i32| call!(pi, piextUSMFree(FREE_IN.get(), ptr.cast())))
}

thread_local! {
    /// The context of this thread's shared allocations.
    static FREE_IN: std::cell::Cell<pi_context> = const { std::cell::Cell::new(null_mut()) };
}

fn values(ptr: *const i32) -> Vec<i32> {
    // SAFETY: an allocation of that many values, which the device does not use.
    unsafe { std::slice::from_raw_parts(ptr, COUNT) }.to_vec()
}

fn a_diamond_keeps_its_order() {
    let f = Fixture::new();
    let [a, b, out] = [0; 3].map(|_| f.buffer(&[0_i32; COUNT]));
    let program = program(&f);
    let (left, right) = (scale(&f, *program, *a, 2, 0), scale(&f, *program, *b, 3, 0));
    let sum = f.kernel(*program, c"sum");
    [*a, *b, *out].iter().zip(0..).for_each(|(mem, index)| f.set_mem(*sum, index, *mem));
    on_both_queues(&f, |queue| {
        let r = Recording::new(&f);
        let (fill_a, fill_b) = (r.fill(*a, 7, &[]), r.fill(*b, 11, &[]));
        let (left, right) = (r.launch(*left, &[fill_a]), r.launch(*right, &[fill_b]));
        let summed = r.launch(*sum, &[left, right]);
        r.fill(*a, 0, &[summed]);
        r.finalize();
        for _ in 0..20 {
            r.run(queue);
            assert_eq!(f.content::<i32>(*out, COUNT), [47; COUNT]);
        }
    });
}

fn arguments_are_those_of_the_recording() {
    let f = Fixture::new();
    let (data, other) = (f.buffer(&[1_i32; COUNT]), f.buffer(&[1_i32; COUNT]));
    let program = program(&f);
    let kernel = scale(&f, *program, *data, 1, 10);
    let r = Recording::new(&f);
    let first = r.launch(*kernel, &[]);
    f.set_arg(*kernel, 2, 100);
    r.launch(*kernel, &[first]);
    r.finalize();
    f.set_mem(*kernel, 0, *other);
    f.set_arg(*kernel, 2, 1000);
    r.run(f.queue);
    assert_eq!(f.content::<i32>(*data, COUNT), [111; COUNT]);
    assert_eq!(f.content::<i32>(*other, COUNT), [1; COUNT]);
    f.launch(*kernel, COUNT);
    assert_eq!(f.content::<i32>(*other, COUNT), [1001; COUNT], "the kernel itself has the new arguments");
}

fn usm_commands_run() {
    let f = Fixture::new();
    let (src, dst) = (shared(&f), shared(&f));
    let pattern = 0x0102_0304_i32;
    let r = Recording::new(&f);
    let (start, size) = ((&raw const pattern).cast(), size_of::<i32>());
    let filled: Point = made!(f.pi, |point| piextCommandBufferFillUSM(
        r.raw,
        src.cast(),
        start,
        size,
        BYTES,
        0,
        null(),
        point
    ));
    let wanted: Point =
        made!(f.pi, |point| piextCommandBufferPrefetchUSM(r.raw, src.cast(), BYTES, 0, 1, &filled, point));
    let advised: Point =
        made!(f.pi, |point| piextCommandBufferAdviseUSM(r.raw, src.cast(), BYTES, 0, 1, &wanted, point));
    r.memcpy(*dst, *src, &[advised]);
    r.finalize();
    on_both_queues(&f, |queue| {
        r.run(queue);
        assert_eq!(values(*dst), [pattern; COUNT]);
        // SAFETY: the command is complete.
        unsafe { dst.write_bytes(0, COUNT) };
    });
}

fn usm_commands_over_no_bytes_are_fine() {
    let f = Fixture::new();
    let (data, byte) = (shared(&f), 1_u8);
    // SAFETY: an allocation of that size.
    unsafe { data.write_bytes(0, COUNT) };
    let (start, ptr) = ((&raw const byte).cast(), data.cast());
    let r = Recording::new(&f);
    ok!(f.pi, piextCommandBufferFillUSM(r.raw, ptr, start, 1, 0, 0, null(), null_mut()));
    ok!(f.pi, piextCommandBufferMemcpyUSM(r.raw, ptr, ptr, 0, 0, null(), null_mut()));
    r.finalize();
    on_both_queues(&f, |queue| r.run(queue));
    assert_eq!(values(*data), [0; COUNT]);
}

fn usm_arguments_are_those_of_the_recording() {
    let f = Fixture::new();
    let (data, other) = (shared(&f), shared(&f));
    // SAFETY: two allocations of that size.
    unsafe { [data.write_bytes(0, COUNT), other.write_bytes(0, COUNT)] };
    let program = program(&f);
    let kernel = f.kernel(*program, c"scale");
    let yes: pi_bool = 1;
    ok!(
        f.pi,
        piKernelSetExecInfo(*kernel, PI_USM_INDIRECT_ACCESS, size_of_val(&yes), (&raw const yes).cast())
    );
    f.set_pointer(*kernel, 0, *data);
    f.set_arg(*kernel, 1, 1);
    f.set_arg(*kernel, 2, 3);
    let r = Recording::new(&f);
    r.launch(*kernel, &[]);
    r.finalize();
    f.set_pointer(*kernel, 0, *other);
    on_both_queues(&f, |queue| r.run(queue));
    assert_eq!((values(*data), values(*other)), (vec![6; COUNT], vec![0; COUNT]));
}

fn host_memory_is_read_and_written_at_each_run() {
    let f = Fixture::new();
    let data = f.buffer(&[0_i32; COUNT]);
    let program = program(&f);
    let kernel = scale(&f, *program, *data, 2, 1);
    let (mut input, mut output) = (vec![0_i32; COUNT], vec![0_i32; COUNT]);
    let (from, to) = (input.as_mut_ptr(), output.as_mut_ptr());
    let r = Recording::new(&f);
    let written: Point = made!(f.pi, |point| piextCommandBufferMemBufferWrite(
        r.raw,
        *data,
        0,
        BYTES,
        from.cast(),
        0,
        null(),
        point
    ));
    let scaled = r.launch(*kernel, &[written]);
    ok!(f.pi, piextCommandBufferMemBufferRead(r.raw, *data, 0, BYTES, to.cast(), 1, &scaled, null_mut()));
    r.finalize();
    for run in 0..3 {
        on_both_queues(&f, |queue| {
            // SAFETY: room for that many values, which no command uses now.
            unsafe { std::slice::from_raw_parts_mut(from, COUNT).fill(run) };
            r.run(queue);
            // SAFETY: an allocation of that many values, and the command is complete.
            assert_eq!(unsafe { std::slice::from_raw_parts(to, COUNT) }, [2 * run + 1; COUNT]);
        });
    }
}

/// Copies a box of 3 x 2 x 2 bytes at (1, 1, 0) in a block of 8 x 4 x 2.
fn boxes_are_copied() {
    const SIZE: usize = 64;
    let f = Fixture::new();
    let content: Vec<u8> = (0..SIZE as u8).collect();
    let (src, dst, host_dst) = (f.buffer(&content), f.buffer(&[0_u8; SIZE]), f.buffer(&[0_u8; SIZE]));
    let mut at = pi_buff_rect_offset_struct { x_bytes: 1, y_scalar: 1, z_scalar: 0 };
    let mut zero = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut region = pi_buff_rect_region_struct { width_bytes: 3, height_scalar: 2, depth_scalar: 2 };
    let (at, zero, region) = (&raw mut at, &raw mut zero, &raw mut region);
    let mut host = vec![0_u8; 12];
    let room = host.as_mut_ptr();
    let r = Recording::new(&f);
    // To a box with pitches at the start of another buffer, from there to a dense box of the host, and from the host to a
    // third buffer.
    let copied: Point = made!(f.pi, |point| piextCommandBufferMemBufferCopyRect(
        r.raw,
        *src,
        *dst,
        at,
        zero,
        region,
        8,
        32,
        5,
        20,
        0,
        null(),
        point
    ));
    let read: Point = made!(f.pi, |point| piextCommandBufferMemBufferReadRect(
        r.raw,
        *dst,
        zero,
        zero,
        region,
        5,
        20,
        0,
        0,
        room.cast(),
        1,
        &copied,
        point
    ));
    ok!(
        f.pi,
        piextCommandBufferMemBufferWriteRect(
            r.raw,
            *host_dst,
            at,
            zero,
            region,
            8,
            32,
            0,
            0,
            room.cast(),
            1,
            &read,
            null_mut()
        )
    );
    r.finalize();
    on_both_queues(&f, |queue| {
        r.run(queue);
        let mut dense = Vec::new();
        let (mut expected, mut apart) = (vec![0_u8; SIZE], vec![0_u8; SIZE]);
        for (y, z) in [(1, 0), (2, 0), (1, 1), (2, 1)] {
            for x in 1..4 {
                let place = x + 8 * y + 32 * z;
                dense.push(content[place]);
                expected[place] = content[place];
                apart[(x - 1) + 5 * (y - 1) + 20 * z] = content[place];
            }
        }
        assert_eq!(f.content::<u8>(*dst, SIZE), apart);
        // SAFETY: the read into it is complete.
        assert_eq!(unsafe { std::slice::from_raw_parts(room, 12) }, dense);
        assert_eq!(f.content::<u8>(*host_dst, SIZE), expected);
    });
}

fn boxes_of_parts_are_copied_at_each_run() {
    const SIZE: usize = 64;
    let f = Fixture::new();
    let (src, dst) = (f.buffer(&[7_u8; SIZE]), f.buffer(&[0_u8; SIZE]));
    let mut whole = pi_buffer_region_struct { origin: 0, size: SIZE };
    let info = (&raw mut whole).cast();
    let part: pi_mem =
        made!(f.pi, |out| piMemBufferPartition(*dst, 0, PI_BUFFER_CREATE_TYPE_REGION, info, out));
    let mut zero = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut region = pi_buff_rect_region_struct { width_bytes: 2, height_scalar: 2, depth_scalar: 1 };
    let (zero, region) = (&raw mut zero, &raw mut region);
    let r = Recording::new(&f);
    let none = null_mut();
    ok!(
        f.pi,
        piextCommandBufferMemBufferCopyRect(
            r.raw,
            *src,
            part,
            zero,
            zero,
            region,
            8,
            0,
            8,
            0,
            0,
            null(),
            none
        )
    );
    r.finalize();
    for _ in 0..3 {
        r.run(f.queue);
        assert_eq!(f.content::<u8>(*dst, 11), [7, 7, 0, 0, 0, 0, 0, 0, 7, 7, 0]);
    }
    ok!(f.pi, piMemRelease(part));
}

fn status(f: &Fixture, event: pi_event) -> pi_int32 {
    get!(f.pi, piEventGetInfo(event, PI_EVENT_INFO_COMMAND_EXECUTION_STATUS) as pi_int32)
}

fn the_wait_list_is_waited_for() {
    let f = Fixture::new();
    let (data, copy) = (f.buffer(&[1_i32; COUNT]), f.buffer(&[0_i32; COUNT]));
    let r = Recording::new(&f);
    let filled = r.fill(*data, 9, &[]);
    r.copy(*data, *copy, &[filled]);
    r.finalize();
    on_both_queues(&f, |queue| {
        let (old, gate) = (under_test(Version::V9_11), user_event(&f));
        let event = r.enqueue(queue, &[gate]);
        ok!(f.pi, piQueueFlush(queue));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_ne!(status(&f, event), PI_EVENT_COMPLETE);
        ok!(old, piEventSetStatus(gate, PI_EVENT_COMPLETE));
        f.wait(event);
        ok!(old, piEventRelease(gate));
        assert_eq!(f.content::<i32>(*copy, COUNT), [9; COUNT]);
    });
}

fn the_event_is_behind_every_end() {
    let f = Fixture::new();
    let mems: Vec<_> = (0..8).map(|_| f.buffer(&[0_i32; COUNT])).collect();
    let (slow, program) = (f.buffer(&[0_i32; COUNT]), program(&f));
    let kernel = scale(&f, *program, *slow, 1, 1);
    let r = Recording::new(&f);
    mems.iter().zip(1..).for_each(|(mem, value)| _ = r.fill(**mem, value, &[]));
    // Those before it are complete at once.
    let start = r.fill(*slow, 0, &[]);
    (0..1000).fold(start, |last, _| r.launch(*kernel, &[last]));
    r.finalize();
    on_both_queues(&f, |queue| {
        r.run(queue);
        assert_eq!(f.content::<i32>(*slow, COUNT), [1000; COUNT]);
        for (mem, value) in mems.iter().zip(1..) {
            assert_eq!(f.content::<i32>(**mem, COUNT), [value; COUNT]);
        }
    });
}

fn an_empty_one_gives_an_event() {
    let f = Fixture::new();
    let r = Recording::new(&f);
    r.finalize();
    on_both_queues(&f, |queue| r.run(queue));
}

fn runs_follow_each_other_in_order() {
    let f = Fixture::new();
    let data = f.buffer(&[0_i32; COUNT]);
    let program = program(&f);
    let kernel = scale(&f, *program, *data, 1, 1);
    let r = Recording::new(&f);
    r.launch(*kernel, &[]);
    r.finalize();
    for _ in 0..100 {
        ok!(f.pi, piextEnqueueCommandBuffer(r.raw, f.queue, 0, null(), null_mut()));
    }
    assert_eq!(f.content::<i32>(*data, COUNT), [100; COUNT]);
}

fn release_lets_the_run_end() {
    let f = Fixture::new();
    let data = f.buffer(&[1_i32; COUNT]);
    let program = program(&f);
    on_both_queues(&f, |queue| {
        let kernel = scale(&f, *program, *data, 2, 0);
        let r = Recording::new(&f);
        let first = r.launch(*kernel, &[]);
        r.launch(*kernel, &[first]);
        r.finalize();
        let (old, gate) = (under_test(Version::V9_11), user_event(&f));
        let event = r.enqueue(queue, &[gate]);
        drop((r, kernel));
        ok!(old, piEventSetStatus(gate, PI_EVENT_COMPLETE));
        ok!(old, piEventRelease(gate));
        f.wait(event);
    });
    assert_eq!(f.content::<i32>(*data, COUNT), [16; COUNT]);
}

fn threads_run_one_at_the_same_time() {
    let f = Fixture::new();
    let (a, b) = (f.buffer(&[20_i32; COUNT]), f.buffer(&[22_i32; COUNT]));
    let out = f.buffer(&[0_i32; COUNT]);
    let program = program(&f);
    let sum = f.kernel(*program, c"sum");
    [*a, *b, *out].iter().zip(0..).for_each(|(mem, index)| f.set_mem(*sum, index, *mem));
    let r = Recording::new(&f);
    let first = r.launch(*sum, &[]);
    r.launch(*sum, &[first]);
    r.finalize();
    let (pi, raw, context, device) =
        (f.pi, r.raw.expose_provenance(), f.context.expose_provenance(), f.device.expose_provenance());
    std::thread::scope(|scope| {
        for flags in [0, OUT_OF_ORDER, 0, OUT_OF_ORDER] {
            scope.spawn(move || {
                let context: pi_context = std::ptr::with_exposed_provenance_mut(context);
                let device: pi_device = std::ptr::with_exposed_provenance_mut(device);
                let raw: pi_ext_command_buffer = std::ptr::with_exposed_provenance_mut(raw);
                let queue: pi_queue = made!(pi, |out| piQueueCreate(context, device, flags, out));
                for _ in 0..50 {
                    let event: pi_event =
                        made!(pi, |event| piextEnqueueCommandBuffer(raw, queue, 0, null(), event));
                    ok!(pi, piEventsWait(1, &event));
                    ok!(pi, piEventRelease(event));
                }
                ok!(pi, piQueueRelease(queue));
            });
        }
    });
    assert_eq!(f.content::<i32>(*out, COUNT), [42; COUNT]);
}

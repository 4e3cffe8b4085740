//! Command buffers.

use std::ptr::{null, null_mut};

use super::{Case, child};
use crate::software::{calls, inject};
use crate::{Fixture, code, fails, ok};
use sycl_pi_core::*;

pub(crate) const CASES: &[Case] = &[
    ("command_buffer_orders_by_sync_points", points),
    ("command_buffer_keeps_imported_host_memory", imported),
    ("command_buffer_runs_every_part_of_a_fill_in_its_place", in_any_order),
    ("command_buffer_takes_only_what_is_of_its_context", other_context),
    ("command_buffer_keeps_imported_host_memory_wherever_it_uses_it", imported_anywhere),
];

/// The task of a child, in which the software driver runs the nodes of a graph in any order that is permitted.
pub(crate) const ANY_ORDER: &str = "any order";

fn create(fixture: &Fixture) -> pi_ext_command_buffer {
    let mut buffer = null_mut();
    ok!(piextCommandBufferCreate(fixture.context, fixture.device, null(), &mut buffer));
    buffer
}

fn points() {
    let fixture = Fixture::new();
    let (one, two) = (fixture.device_memory(1 << 16), fixture.device_memory(1 << 16));
    let buffer = create(&fixture);
    let (mut filled, mut copied, mut all) = (0, 0, 0);
    let pattern = [1_u8, 2, 3];
    ok!(piextCommandBufferFillUSM(
        buffer,
        one.start,
        pattern.as_ptr().cast(),
        3,
        3 * 20000,
        0,
        null(),
        &mut filled
    ));
    ok!(piextCommandBufferMemcpyUSM(buffer, two.start, one.start, 60000, 1, &filled, &mut copied));
    let twice = [copied, copied];
    let mut back = vec![0_u8; 60000];
    let room = back.as_mut_ptr().cast();
    ok!(piextCommandBufferMemcpyUSM(buffer, room, two.start, 60000, 2, twice.as_ptr(), &mut all));
    ok!(piextCommandBufferFinalize(buffer));
    ok!(piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
    fixture.finish();
    assert!(back.chunks_exact(3).all(|part| part == pattern));
    ok!(piextCommandBufferRelease(buffer));
}

/// NVIDIA's driver crashes if a graph's host memory is unregistered before it runs.
fn imported() {
    let fixture = Fixture::new();
    let mut host = vec![1_u8; 1 << 16];
    let start = host.as_mut_ptr().cast();
    let memory = fixture.device_memory(host.len());
    let import = || ok!(piextUSMImport(start, 1 << 16, fixture.context));
    let release = || ok!(piextUSMRelease(start, fixture.context));
    // The memory is imported before or after the copy is recorded, and released before or after the recording ends.
    for (late_import, late_release) in [(false, false), (false, true), (true, false), (true, true)] {
        host.fill(u8::from(late_import) + 2 * u8::from(late_release));
        let buffer = create(&fixture);
        let (size, nowhere) = (host.len(), null_mut());
        if !late_import {
            import();
        }
        ok!(piextCommandBufferMemcpyUSM(buffer, memory.start, start, size, 0, null(), nowhere));
        if late_import {
            import();
        }
        if !late_release {
            release();
        }
        ok!(piextCommandBufferFinalize(buffer));
        if late_release {
            release();
        }
        ok!(piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
        fixture.finish();
        assert_eq!(fixture.read::<u8>(&memory, size), host);
        // The memory was released once, and the buffer no longer holds it either.
        fails!(piextUSMRelease(start, fixture.context), PI_ERROR_INVALID_VALUE);
        import();
        release();
        ok!(piextCommandBufferRelease(buffer));
    }
    import();
    release();
}

fn in_any_order() {
    child::run(ANY_ORDER, &[("PI_SOFTWARE_CUDA_REORDER", "1")]);
}

/// A pattern of 3 bytes is a memset for each. All of them are after the first fill and before the copy.
pub(crate) fn fills_in_any_order() {
    const SIZE: usize = 30;
    const PATTERN: [u8; 3] = [1, 2, 3];
    let fixture = Fixture::new();
    let (memory, copy) = (fixture.device_memory(SIZE), fixture.device_memory(SIZE));
    for _ in 0..30 {
        let (buffer, mut cleared, mut filled) = (create(&fixture), 0, 0);
        fixture.write(&copy, &[0_u8; SIZE]);
        let (zero, pattern, start) = ([9_u8], PATTERN.as_ptr().cast(), memory.start);
        let zero = zero.as_ptr().cast();
        ok!(piextCommandBufferFillUSM(buffer, start, zero, 1, SIZE, 0, null(), &mut cleared));
        ok!(piextCommandBufferFillUSM(buffer, start, pattern, 3, SIZE, 1, &cleared, &mut filled));
        ok!(piextCommandBufferMemcpyUSM(buffer, copy.start, start, SIZE, 1, &filled, null_mut()));
        ok!(piextCommandBufferFinalize(buffer));
        ok!(piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
        fixture.finish();
        assert_eq!(fixture.read::<u8>(&copy, SIZE), PATTERN.repeat(SIZE / 3));
        ok!(piextCommandBufferRelease(buffer));
    }
    // A command is behind each of its sync points, and one may be there twice.
    for round in 0..15_u8 {
        let (buffer, mut points) = (create(&fixture), [0; 3]);
        fixture.write(&copy, &[0_u8; SIZE]);
        let (values, half) = ([2 * round, 2 * round + 1], SIZE / 2);
        let (one, two) = ((&raw const values[0]).cast(), (&raw const values[1]).cast());
        ok!(piextCommandBufferFillUSM(buffer, memory.start, one, 1, half, 0, null(), &mut points[0]));
        ok!(piextCommandBufferFillUSM(buffer, memory.at(half), two, 1, half, 0, null(), &mut points[1]));
        points[2] = points[0];
        let (all, start) = (points.as_ptr(), memory.start);
        ok!(piextCommandBufferMemcpyUSM(buffer, copy.start, start, SIZE, 3, all, null_mut()));
        ok!(piextCommandBufferFinalize(buffer));
        ok!(piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
        fixture.finish();
        assert_eq!(fixture.read::<u8>(&copy, SIZE), values.map(|value| [value; SIZE / 2]).concat());
        ok!(piextCommandBufferRelease(buffer));
    }
}

fn other_context() {
    let (fixture, other) = (Fixture::new(), Fixture::new());
    let (buffer, none) = (create(&fixture), null_mut());
    let [own, foreign] = [&fixture, &other].map(|fixture| fixture.buffer(&mut [1_u8; 64]));
    let program = other.program("kernels");
    let kernel = program.kernel("noop");
    let wrong = PI_ERROR_INVALID_CONTEXT;
    fails!(piextCommandBufferNDRangeKernel(buffer, kernel.raw, 1, &0, &8, &8, 0, null(), none), wrong);
    let mut host = [0_u8; 64];
    let host = host.as_mut_ptr().cast();
    fails!(piextCommandBufferMemBufferRead(buffer, foreign, 0, 64, host, 0, null(), none), wrong);
    fails!(piextCommandBufferMemBufferWrite(buffer, foreign, 0, 64, host, 0, null(), none), wrong);
    fails!(piextCommandBufferMemBufferFill(buffer, foreign, host, 1, 0, 64, 0, null(), none), wrong);
    let mut corner = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut part = pi_buff_rect_region_struct { width_bytes: 8, height_scalar: 8, depth_scalar: 1 };
    let (at, part, no) = (&raw mut corner, &raw mut part, null());
    fails!(
        piextCommandBufferMemBufferReadRect(buffer, foreign, at, at, part, 0, 0, 0, 0, host, 0, no, none),
        wrong
    );
    fails!(
        piextCommandBufferMemBufferWriteRect(buffer, foreign, at, at, part, 0, 0, 0, 0, host, 0, no, none),
        wrong
    );
    for [from, to] in [[own, foreign], [foreign, own]] {
        fails!(piextCommandBufferMemBufferCopy(buffer, from, to, 0, 0, 64, 0, null(), none), wrong);
        fails!(
            piextCommandBufferMemBufferCopyRect(buffer, from, to, at, at, part, 0, 0, 0, 0, 0, no, none),
            wrong
        );
    }
    ok!(piextCommandBufferRelease(buffer));
    ok!(piMemRelease(own));
    ok!(piMemRelease(foreign));
}

/// Of two pages, the second one is imported, and released before the buffers run.
fn imported_anywhere() {
    const PAGE: usize = 4096;
    let fixture = Fixture::new();
    let (memory, mem) = (fixture.device_memory(2 * PAGE), fixture.buffer(&mut vec![4_u8; 2 * PAGE]));
    let mut room = vec![0_u8; 4 * PAGE];
    let start = room.as_mut_ptr().wrapping_add(room.as_ptr().align_offset(PAGE));
    let (first, second, none) = (start.cast(), start.wrapping_add(PAGE).cast(), null_mut());
    let import = |size| code!(piextUSMImport(second, size, fixture.context));
    let unregistered = || calls("cuMemHostUnregister");
    let mut corner = pi_buff_rect_offset_struct { x_bytes: 0, y_scalar: 0, z_scalar: 0 };
    let mut rows = pi_buff_rect_region_struct { width_bytes: 64, height_scalar: 2, depth_scalar: 1 };
    let (at, rows, value, no) = (&raw mut corner, &raw mut rows, 7_u8, null());
    for command in ["from", "to", "fill", "read", "rows read", "rows written"] {
        let record = || {
            let buffer = create(&fixture);
            match command {
                "from" => ok!(piextCommandBufferMemcpyUSM(buffer, memory.start, second, 64, 0, no, none)),
                "to" => ok!(piextCommandBufferMemcpyUSM(buffer, second, memory.start, 64, 0, no, none)),
                "fill" => {
                    let pattern = (&raw const value).cast();
                    ok!(piextCommandBufferFillUSM(buffer, second, pattern, 1, 64, 0, no, none));
                }
                "read" => {
                    ok!(piextCommandBufferMemBufferRead(buffer, mem, 0, PAGE + 64, first, 0, no, none));
                }
                "rows read" => ok!(piextCommandBufferMemBufferReadRect(
                    buffer, mem, at, at, rows, PAGE, 0, PAGE, 0, first, 0, no, none
                )),
                _ => ok!(piextCommandBufferMemBufferWriteRect(
                    buffer, mem, at, at, rows, PAGE, 0, PAGE, 0, first, 0, no, none
                )),
            }
            ok!(piextCommandBufferFinalize(buffer));
            buffer
        };
        assert_eq!(import(2 * PAGE), PI_SUCCESS, "{command}");
        let buffers = [record(), record()];
        inject("");
        ok!(piextUSMRelease(second, fixture.context));
        assert_ne!(import(PAGE), PI_SUCCESS, "{command}: the driver still has more of it");
        for (index, buffer) in buffers.into_iter().enumerate() {
            assert_eq!(unregistered(), 0, "{command}");
            ok!(piextEnqueueCommandBuffer(buffer, fixture.queue, 0, null(), null_mut()));
            fixture.finish();
            ok!(piextCommandBufferRelease(buffer));
            assert_eq!(unregistered(), index as u64, "{command}");
        }
    }
    ok!(piMemRelease(mem));
}

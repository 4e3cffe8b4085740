//! Recorded commands: their effect in each run, and their order.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use super::create::create;
use crate::case::{Case, case};
use crate::env::{Env, FILLS, filled, ramp};
use crate::outcome::{Verdict, check, codes, same};

pub(super) const CASES: &[Case] = &[
    case("CMB-01", "piextEnqueueCommandBuffer", run_twice),
    case("CMB-04", "piextCommandBufferNDRangeKernel", sync_points),
    case("CMB-05", "piextCommandBufferMemBufferCopy", bad_sync_points),
    case("CMB-06", "piextEnqueueCommandBuffer", across_queues),
    case("CMB-07", "piextCommandBufferRelease", released_at_once),
    case("CMB-09", "piextCommandBufferMemBufferRead", each_command),
    case("CMB-14", "piextEnqueueCommandBuffer", between_commands),
];

/// Records an addition of `value` to 64 ints after other commands.
fn record_add(
    f: &Env,
    buffer: pi_ext_command_buffer,
    mem: pi_mem,
    value: i32,
    after: &[pi_ext_sync_point],
) -> Verdict<pi_ext_sync_point> {
    record(f, buffer, c"add_value", mem, value, after)
}

fn record(
    f: &Env,
    buffer: pi_ext_command_buffer,
    name: &std::ffi::CStr,
    mem: pi_mem,
    value: i32,
    after: &[pi_ext_sync_point],
) -> Verdict<pi_ext_sync_point> {
    let kernel = f.kernel(name)?;
    f.set_mem(*kernel, 0, mem)?;
    f.set_arg(*kernel, 1, value)?;
    let (count, list) = (after.len() as u32, after.as_ptr());
    Ok(made!(f, |out| piextCommandBufferNDRangeKernel(buffer, *kernel, 1, &0, &64, null(), count, list, out)))
}

fn run(f: &Env, buffer: pi_ext_command_buffer, queue: pi_queue) -> Verdict {
    let event = made!(f, |out| piextEnqueueCommandBuffer(buffer, queue, 0, null(), out));
    f.wait(event)
}

fn run_twice(f: &Env) -> Verdict {
    let (buffer, mem) = (create(f)?, f.buffer(&[1_i32; 64])?);
    record_add(f, *buffer, *mem, 5, &[])?;
    ok!(f, piextCommandBufferFinalize(*buffer));
    for expected in [6, 11] {
        run(f, *buffer, f.queue()?)?;
        same("buffer", vec![expected; 64], f.read::<i32>(*mem, 64)?)?;
    }
    local_memory(f)?;
    index_space(f)
}

/// The launch is recorded with its offset and the size of its work-groups.
fn index_space(f: &Env) -> Verdict {
    const ITEMS: usize = 16;
    let (buffer, mem, kernel) = (create(f)?, f.buffer(&[0_i32; 3 * ITEMS])?, f.kernel(c"global_ids")?);
    f.set_mem(*kernel, 0, *mem)?;
    let (offset, global, local) = (8, ITEMS, 4);
    ok!(
        f,
        piextCommandBufferNDRangeKernel(*buffer, *kernel, 1, &offset, &global, &local, 0, null(), null_mut())
    );
    ok!(f, piextCommandBufferFinalize(*buffer));
    run(f, *buffer, f.queue()?)?;
    let expected: Vec<i32> = (8..).take(ITEMS).flat_map(|id| [id, 0, 0]).collect();
    same("numbers of the work-items", expected, f.read::<i32>(*mem, 3 * ITEMS)?)
}

/// The block of local memory is an argument like any other, and is recorded with the launch.
fn local_memory(f: &Env) -> Verdict {
    const ITEMS: usize = 256;
    let (buffer, mem, kernel) = (create(f)?, f.buffer(&[0_i32; 1])?, f.kernel(c"local_sum")?);
    f.set_mem(*kernel, 0, *mem)?;
    ok!(f, piKernelSetArg(*kernel, 1, ITEMS * size_of::<i32>(), null()));
    let items = ITEMS;
    ok!(f, piextCommandBufferNDRangeKernel(*buffer, *kernel, 1, &0, &items, &items, 0, null(), null_mut()));
    ok!(f, piKernelSetArg(*kernel, 1, size_of::<i32>(), null()));
    ok!(f, piextCommandBufferFinalize(*buffer));
    for _ in 0..8 {
        run(f, *buffer, f.queue()?)?;
    }
    same("sum by way of local memory", vec![32_640], f.read::<i32>(*mem, 1)?)
}

fn sync_points(f: &Env) -> Verdict {
    let (buffer, mem) = (create(f)?, f.buffer(&[1_i32; 64])?);
    let first = record_add(f, *buffer, *mem, 4, &[])?;
    let second = record(f, *buffer, c"mul_value", *mem, 10, &[first, first])?;
    record_add(f, *buffer, *mem, 3, &[first, second])?;
    ok!(f, piextCommandBufferFinalize(*buffer));
    run(f, *buffer, f.queue()?)?;
    same("buffer", vec![53; 64], f.read::<i32>(*mem, 64)?)
}

fn bad_sync_points(f: &Env) -> Verdict {
    let (buffer, one, two) = (create(f)?, f.blank(64)?, f.blank(64)?);
    let codes = codes(&[PI_ERROR_INVALID_SYNC_POINT_WAIT_LIST_KHR], &[PI_ERROR_INVALID_VALUE]);
    refused!(f, piextCommandBufferMemBufferCopy(*buffer, *one, *two, 0, 0, 64, 1, null(), null_mut()), codes);
    let unknown = [12345_u32; 1];
    refused!(
        f,
        piextCommandBufferMemBufferCopy(*buffer, *one, *two, 0, 0, 64, 1, unknown.as_ptr(), null_mut()),
        codes
    );
    Ok(())
}

/// ((0 + 1) * 10 + 1) * 10: the run's kernel is slow, and no event orders the commands before and after it.
fn between_commands(f: &Env) -> Verdict {
    const ROUNDS: i32 = 5_000_000;
    let (buffer, queue, data) = (create(f)?, f.new_queue(0)?, f.buffer(&[0_i32; 2])?);
    let (slow, mul) = (f.busy(*data, ROUNDS)?, f.kernel(c"mul_value")?);
    ok!(f, piextCommandBufferNDRangeKernel(*buffer, *slow, 1, &0, &1, null(), 0, null(), null_mut()));
    ok!(f, piextCommandBufferFinalize(*buffer));
    f.set_mem(*mul, 0, *data)?;
    f.set_arg(*mul, 1, 10_i32)?;
    for _ in 0..2 {
        drop(f.own_event(made!(f, |out| piextEnqueueCommandBuffer(*buffer, *queue, 0, null(), out))));
        drop(f.own_event(f.launch_on(*queue, *mul, 1)?));
    }
    ok!(f, piQueueFinish(*queue));
    same("value", vec![110], f.read_on::<i32>(*queue, *data, 0, 1)?)
}

/// Other work before and after it, in the same queue and in others, ordered by events.
fn across_queues(f: &Env) -> Verdict {
    let (buffer, mem) = (create(f)?, f.buffer(&[1_i32; 64])?);
    record_add(f, *buffer, *mem, 1, &[])?;
    ok!(f, piextCommandBufferFinalize(*buffer));
    let (one, two) = (f.new_queue(0)?, f.new_queue(0)?);
    let mul = f.kernel(c"mul_value")?;
    f.set_mem(*mul, 0, *mem)?;
    f.set_arg(*mul, 1, 10_i32)?;
    let first = f.own_event(f.launch_on(*one, *mul, 64)?);
    ok!(f, piQueueFlush(*one));
    let second = f.own_event(made!(f, |out| piextEnqueueCommandBuffer(*buffer, *two, 1, &*first, out)));
    ok!(f, piQueueFlush(*two));
    let size = 64_usize;
    let third = f.own_event(made!(f, |out| piEnqueueKernelLaunch(
        *one,
        *mul,
        1,
        &0,
        &size,
        null(),
        1,
        &*second,
        out
    )));
    ok!(f, piEventsWait(1, &*third));
    same("buffer", vec![110; 64], f.read_on::<i32>(*one, *mem, 0, 64)?)
}

fn released_at_once(f: &Env) -> Verdict {
    let (buffer, mem, queue) = (create(f)?, f.buffer(&[1_i32; 64])?, f.queue()?);
    record_add(f, *buffer, *mem, 5, &[])?;
    ok!(f, piextCommandBufferFinalize(*buffer));
    let event = f.own_event(made!(f, |out| piextEnqueueCommandBuffer(*buffer, queue, 0, null(), out)));
    drop(buffer);
    ok!(f, piEventsWait(1, &*event));
    same("buffer", vec![6; 64], f.read::<i32>(*mem, 64)?)
}

/// The sizes of one fill, and of all fills.
const ROOM: usize = 1024;
const USM: usize = FILLS.len() * ROOM;

/// Fills work. Host reads and writes, prefetches and advice work too, or are refused as unsupported when they are
/// recorded.
fn each_command(f: &Env) -> Verdict {
    let (buffer, mem) = (create(f)?, f.buffer(&[0_u8; 64])?);
    let (content, mut back) = (ramp(64), vec![0_u8; 64]);
    let (from, to) = (content.as_ptr().cast(), back.as_mut_ptr().cast());
    let mut point = 0;
    let written =
        call!(f, piextCommandBufferMemBufferWrite(*buffer, *mem, 0, 64, from, 0, null(), &mut point));
    let read = match &written {
        Ok(()) => call!(f, piextCommandBufferMemBufferRead(*buffer, *mem, 0, 64, to, 1, &point, null_mut())),
        Err(_) => call!(f, piextCommandBufferMemBufferRead(*buffer, *mem, 0, 64, to, 0, null(), null_mut())),
    };
    let both = written.is_ok() && read.is_ok();
    let usm = f.on_device(USM)?;
    for (index, (length, start)) in FILLS.into_iter().enumerate() {
        let (pattern, to) = (ramp(length), usm.ptr.wrapping_byte_add(index * ROOM + start));
        let pattern = pattern.as_ptr().cast();
        ok!(f, piextCommandBufferFillUSM(*buffer, to, pattern, length, 3 * length, 0, null(), null_mut()));
    }
    for result in [written, read] {
        is_supported(result)?;
    }
    ok!(f, piextCommandBufferFinalize(*buffer));
    let expected: Vec<u8> =
        FILLS.into_iter().flat_map(|(length, start)| filled(ROOM, length, start, 3)).collect();
    for _ in 0..2 {
        f.put(usm.ptr, &[0xee; USM])?;
        run(f, *buffer, f.queue()?)?;
        same("fills", expected.clone(), f.take(usm.ptr, USM)?)?;
    }
    if both {
        same("content", content, back)?;
    }
    copies(f)?;
    boxes(f)
}

/// Returns whether a command was recorded. Any other refusal than that there is no such command is a failure.
fn is_supported(recorded: Result<(), sycl_pi_loader::CallError>) -> Verdict<bool> {
    let Err(error) = recorded else { return Ok(true) };
    let unsupported = [Some(PI_ERROR_INVALID_OPERATION), Some(PI_ERROR_UNSUPPORTED_FEATURE)];
    let is_unsupported = unsupported.contains(&error.code());
    let answer = crate::outcome::answer(error);
    check("", is_unsupported, "a recorded command, or that there is none", answer)?;
    Ok(false)
}

/// Copies of buffers and of unified shared memory, from one place to another.
fn copies(f: &Env) -> Verdict {
    let (buffer, content) = (create(f)?, ramp(64));
    let (from, to) = (f.buffer(&content)?, f.buffer(&[0_u8; 64])?);
    let (start, end) = (f.on_device(64)?, f.on_device(64)?);
    let (at, into) = (start.ptr.wrapping_byte_add(40), end.ptr.wrapping_byte_add(8));
    ok!(f, piextCommandBufferMemBufferCopy(*buffer, *from, *to, 40, 8, 16, 0, null(), null_mut()));
    ok!(f, piextCommandBufferMemcpyUSM(*buffer, into, at, 16, 0, null(), null_mut()));
    ok!(f, piextCommandBufferFinalize(*buffer));
    f.put(start.ptr, &content)?;
    f.put(end.ptr, &[0; 64])?;
    run(f, *buffer, f.queue()?)?;
    let mut expected = vec![0; 64];
    expected[8..24].copy_from_slice(&content[40..56]);
    same("copy of a buffer", expected.clone(), f.read::<u8>(*to, 64)?)?;
    same("copy of memory", expected, f.take(end.ptr, 64)?)
}

/// A box of 8 by 4 by 2 bytes at an origin, in memory with these distances of rows and slices.
#[derive(Clone, Copy)]
struct Place {
    origin: [usize; 3],
    row: usize,
    slice: usize,
}

impl Place {
    fn offset(self) -> pi_buff_rect_offset_struct {
        let [x_bytes, y_scalar, z_scalar] = self.origin;
        pi_buff_rect_offset_struct { x_bytes, y_scalar, z_scalar }
    }

    /// The places of the bytes in memory.
    fn bytes(self) -> impl Iterator<Item = usize> {
        let Self { origin: [x, y, z], row, slice } = self;
        let corner = x + y * row + z * slice;
        let rows = (0..2).flat_map(move |z| (0..4).map(move |y| y * row + z * slice));
        rows.flat_map(move |start| (0..8).map(move |x| corner + start + x))
    }
}

/// Boxes lie differently on the two sides. Those of the host may be unsupported.
fn boxes(f: &Env) -> Verdict {
    const SIZE: usize = 256;
    let near = Place { origin: [4, 1, 0], row: 16, slice: 80 };
    let far = Place { origin: [0, 2, 0], row: 20, slice: 100 };
    let of_host = Place { origin: [2, 0, 1], row: 12, slice: 60 };
    let region = &mut pi_buff_rect_region_struct { width_bytes: 8, height_scalar: 4, depth_scalar: 2 };
    let [at, to, host] = &mut [near.offset(), far.offset(), of_host.offset()];
    let (content, mut room) = (ramp(SIZE), vec![0_u8; SIZE]);
    let moved = |from: Place, to: Place| {
        let mut bytes = vec![0; SIZE];
        from.bytes().zip(to.bytes()).for_each(|(from, to)| bytes[to] = content[from]);
        bytes
    };
    let zeros = || f.buffer(&[0_u8; SIZE]);
    let (source, copied, written) = (f.buffer(&content)?, zeros()?, zeros()?);
    let (buffer, none) = (create(f)?, null_mut());
    let sizes = [near, far, of_host].map(|place| (place.row, place.slice));
    let [(row, slice), (far_row, far_slice), (host_row, host_slice)] = sizes;
    ok!(
        f,
        piextCommandBufferMemBufferCopyRect(
            *buffer,
            *source,
            *copied,
            at,
            to,
            region,
            row,
            slice,
            far_row,
            far_slice,
            0,
            null(),
            none
        )
    );
    let start = room.as_mut_ptr().cast();
    let read = call!(
        f,
        piextCommandBufferMemBufferReadRect(
            *buffer,
            *source,
            at,
            host,
            region,
            row,
            slice,
            host_row,
            host_slice,
            start,
            0,
            null(),
            none
        )
    );
    let start = content.as_ptr().cast_mut().cast();
    let write = call!(
        f,
        piextCommandBufferMemBufferWriteRect(
            *buffer,
            *written,
            at,
            host,
            region,
            row,
            slice,
            host_row,
            host_slice,
            start,
            0,
            null(),
            none
        )
    );
    ok!(f, piextCommandBufferFinalize(*buffer));
    run(f, *buffer, f.queue()?)?;
    same("copied box", moved(near, far), f.read::<u8>(*copied, SIZE)?)?;
    if is_supported(read)? {
        same("box that was read", moved(near, of_host), room)?;
    }
    if is_supported(write)? {
        same("box that was written", moved(of_host, near), f.read::<u8>(*written, SIZE)?)?;
    }
    Ok(())
}

//! `piEnqueueMemBufferFill`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, FILLS, filled, ramp};
use crate::outcome::{Failure, SIZE, VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("BUF-09", "piEnqueueMemBufferFill", each_pattern),
    case("BUF-10", "piEnqueueMemBufferFill", part),
    case("BUF-11", "piEnqueueMemBufferFill", bad_sizes),
    case("BUF-12", "piEnqueueMemBufferFill", odd_patterns),
    case("BUF-22", "piEnqueueMemBufferFill", several_pending),
];

fn fill(f: &Env, buffer: pi_mem, pattern: &[u8], offset: usize, size: usize) -> Verdict {
    let (queue, from, length) = (f.queue()?, pattern.as_ptr().cast(), pattern.len());
    let event =
        made!(f, |out| piEnqueueMemBufferFill(queue, buffer, from, length, offset, size, 0, null(), out));
    f.wait(event)
}

fn each_pattern(f: &Env) -> Verdict {
    for length in [1, 2, 4, 8, 16] {
        let (buffer, pattern) = (f.blank(256)?, ramp(length));
        fill(f, *buffer, &pattern, 0, 256)?;
        let expected: Vec<u8> = pattern.iter().copied().cycle().take(256).collect();
        same(&format!("content by a pattern of {length} bytes"), expected, f.read(*buffer, 256)?)?;
    }
    Ok(())
}

fn part(f: &Env) -> Verdict {
    let buffer = f.buffer(&[9_u8; 256])?;
    fill(f, *buffer, &[1, 2, 3, 4], 64, 128)?;
    let mut expected = vec![9_u8; 256];
    expected.splice(64..192, [1, 2, 3, 4].into_iter().cycle().take(128));
    same("content", expected, f.read(*buffer, 256)?)
}

fn refuse(f: &Env, pattern: (*const u8, usize), offset: usize, size: usize) -> Verdict {
    let (queue, buffer) = (f.queue()?, f.blank(256)?);
    let (from, length) = (pattern.0.cast(), pattern.1);
    refused!(
        f,
        piEnqueueMemBufferFill(queue, *buffer, from, length, offset, size, 0, null(), null_mut()),
        SIZE
    );
    Ok(())
}

fn bad_sizes(f: &Env) -> Verdict {
    let pattern = ramp(16);
    let start = pattern.as_ptr();
    refuse(f, (null(), 4), 0, 256)?;
    refuse(f, (start, 0), 0, 256)?;
    refuse(f, (start, 4), 0, 255)?;
    refuse(f, (start, 4), 0, 260)?;
    refuse(f, (start, 4), 256, 4)?;
    // An empty fill: OpenCL before 2.1 refuses it, later versions may do nothing.
    let (queue, buffer) = (f.queue()?, f.blank(256)?);
    if call!(f, piEnqueueMemBufferFill(queue, *buffer, start.cast(), 4, 0, 0, 0, null(), null_mut())).is_err()
    {
        refuse(f, (start, 4), 0, 0)?;
    }
    Ok(())
}

/// Fills with patterns of three bytes, all behind a slow kernel. A plugin that repeats a pattern in memory of its own
/// needs that memory until the fill is complete. One that accepts such a pattern has to repeat it.
fn several_pending(f: &Env) -> Verdict {
    const SIZE: usize = 3000;
    let (queue, data) = (f.new_queue(0)?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 5_000_000)?;
    let mut filled = Vec::new();
    for number in 0..4_u8 {
        filled.push((f.blank(SIZE)?, [number, number + 10, number + 20]));
    }
    let slow = f.own_event(f.launch_on(*queue, *kernel, 1)?);
    for (buffer, pattern) in &filled {
        let from = pattern.as_ptr().cast();
        if call!(f, piEnqueueMemBufferFill(*queue, **buffer, from, 3, 0, SIZE, 0, null(), null_mut()))
            .is_err()
        {
            return Err(Failure::skip(crate::skip::NO_FEATURE));
        }
    }
    ok!(f, piQueueFinish(*queue));
    drop(slow);
    for (buffer, pattern) in &filled {
        same("content", pattern.repeat(SIZE / 3), f.read(**buffer, SIZE)?)?;
    }
    Ok(())
}

/// For a buffer and for a part of one. A plugin that accepts a pattern has to repeat it.
fn odd_patterns(f: &Env) -> Verdict {
    const SIZE: usize = 2048;
    let queue = f.queue()?;
    let parent = f.blank(2 * SIZE)?;
    let mut region = pi_buffer_region_struct { origin: SIZE / 2, size: SIZE };
    let info: *mut c_void = (&raw mut region).cast();
    let rw = PI_MEM_FLAGS_ACCESS_RW;
    let part =
        f.own_mem(made!(f, |out| piMemBufferPartition(*parent, rw, PI_BUFFER_CREATE_TYPE_REGION, info, out)));
    let whole = f.blank(SIZE)?;
    for (length, start) in FILLS {
        let pattern = ramp(length);
        let from = pattern.as_ptr().cast();
        for buffer in [*whole, *part] {
            fill(f, *parent, &[0xee], 0, 2 * SIZE)?;
            fill(f, buffer, &[0xee], 0, SIZE)?;
            let (mut event, size) = (null_mut(), 5 * length);
            let result = call!(
                f,
                piEnqueueMemBufferFill(queue, buffer, from, length, start, size, 0, null(), &mut event)
            );
            // OpenCL requires a power of two, and an offset that is a multiple of it.
            let is_plain = length.is_power_of_two() && length <= 128 && start.is_multiple_of(length);
            if result.is_err() && f.backend == Backend::OpenCl && !is_plain {
                crate::outcome::refusal("piEnqueueMemBufferFill", f.strict, result, VALUE)?;
                continue;
            }
            result.map_err(|error| Failure::of_call(error, "a fill"))?;
            f.wait(event)?;
            let what = format!("5 times {length} bytes at {start}");
            same(&what, filled(SIZE, length, start, 5), f.read(buffer, SIZE)?)?;
            if buffer == *part {
                let around = [
                    f.read_on(queue, *parent, 0, SIZE / 2)?,
                    f.read_on(queue, *parent, 3 * SIZE / 2, SIZE / 2)?,
                ];
                same("the bytes beside the part", vec![0xee_u8; SIZE], around.concat())?;
                // Inside the whole buffer, but outside of its part.
                let outside = SIZE - length;
                refused!(
                    f,
                    piEnqueueMemBufferFill(
                        queue,
                        *part,
                        from,
                        length,
                        outside,
                        2 * length,
                        0,
                        null(),
                        null_mut()
                    ),
                    crate::outcome::SIZE
                );
            }
        }
    }
    Ok(())
}

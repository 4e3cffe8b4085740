//! Fills of unified shared memory. SYCL fills with any type, at any address that is aligned for it.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_ur_core::*;

use super::captured::{Captured, instantiate, need_capture};
use crate::case::{Case, case};
use crate::env::{Env, FILLS, filled, ramp};
use crate::outcome::{Failure, Verdict, same, same_code};
use crate::values::UrResult;

pub(super) const CASES: &[Case] = &[
    case("UR-71", "urEnqueueUSMFill", each_kind),
    case("UR-72", "urEnqueueUSMFill", without_order),
    case("UR-73", "urEnqueueUSMFill", captured),
    case("UR-74", "urEnqueueUSMFill2D", of_rows),
];

/// The bytes that every fill of [`FILLS`] fits in.
const SIZE: usize = 2048;
/// The numbers of repetitions.
const COUNTS: [usize; 2] = [1, 5];

/// Enqueues a fill after an event, and returns its event.
fn fill(
    q: &Captured<'_>,
    to: *mut c_void,
    pattern: &[u8],
    size: usize,
    wait: Option<ur_event_handle_t>,
) -> Verdict<ur_event_handle_t> {
    let (start, length, mut event) = (pattern.as_ptr().cast(), pattern.len(), null_mut());
    let (count, list) = (u32::from(wait.is_some()), wait.as_ref().map_or(null(), std::ptr::from_ref));
    // SAFETY: live handles, a pattern that stays during the call, and memory of the range.
    let code = unsafe { q.calls.urEnqueueUSMFill(q.queue, to, length, start, size, count, list, &mut event) };
    same_code(&format!("urEnqueueUSMFill of {length} bytes"), UR_RESULT_SUCCESS, code)?;
    Ok(event)
}

/// Waits for an event and releases it.
fn done(q: &Captured<'_>, event: ur_event_handle_t) -> Verdict {
    // SAFETY: a live event, released once.
    let codes = unsafe { [q.calls.urEventWait(1, &event), q.calls.urEventRelease(event)] };
    same("urEventWait, urEventRelease", [UrResult(UR_RESULT_SUCCESS); 2], codes.map(UrResult))
}

fn each_kind(f: &Env) -> Verdict {
    let q = Captured::new(f, f.queue()?)?;
    for (kind, usm) in f.usm_of_each_kind(SIZE)? {
        for (length, start) in FILLS {
            for count in COUNTS {
                f.put(usm.ptr, &[0xee; SIZE])?;
                let to = usm.ptr.wrapping_byte_add(start);
                done(&q, fill(&q, to, &ramp(length), length * count, None)?)?;
                let what = format!("memory of kind {kind}, {count} times {length} bytes at {start}");
                same(&what, filled(SIZE, length, start, count), f.take(usm.ptr, SIZE)?)?;
            }
        }
    }
    Ok(())
}

/// Each fill waits for the previous one, and the last event covers every part of the last one.
fn without_order(f: &Env) -> Verdict {
    let own = f.out_of_order()?;
    let q = Captured::new(f, *own)?;
    let usm = f.on_device(SIZE)?;
    for (length, start) in FILLS {
        let to = usm.ptr.wrapping_byte_add(start);
        let first = fill(&q, usm.ptr, &[0xee], SIZE, None)?;
        let other = fill(&q, to, &vec![0x11; length], 5 * length, Some(first))?;
        let last = fill(&q, to, &ramp(length), 5 * length, Some(other))?;
        done(&q, last)?;
        same(&format!("{length} bytes at {start}"), filled(SIZE, length, start, 5), f.take(usm.ptr, SIZE)?)?;
        done(&q, first)?;
        done(&q, other)?;
    }
    Ok(())
}

/// A pattern fills the rows as if they were contiguous. An adapter need not support patterns that continue in the
/// next row.
fn of_rows(f: &Env) -> Verdict {
    const HEIGHT: usize = 6;
    let q = Captured::new(f, f.queue()?)?;
    let (usm, may_refuse) = (f.on_device(SIZE)?, [UR_RESULT_SUCCESS, UR_RESULT_ERROR_UNSUPPORTED_FEATURE]);
    for (pitch, width, length, allowed) in [
        // The pattern's length divides the row's.
        (64, 32, 1, &may_refuse[..1]),
        (64, 32, 4, &may_refuse[..1]),
        (64, 36, 12, &may_refuse[..1]),
        (64, 64, 16, &may_refuse[..1]),
        // So it does here, but the rows do not all start at a multiple of it.
        (35, 32, 4, &may_refuse[..1]),
        // It only divides the length of all rows together.
        (32, 32, 12, &may_refuse[..1]),
        (32, 32, 192, &may_refuse[..1]),
        (64, 32, 12, &may_refuse[..]),
        (64, 32, 192, &may_refuse[..]),
        // It divides neither.
        (64, 32, 5, &[UR_RESULT_ERROR_INVALID_SIZE][..]),
        (32, 32, 5, &[UR_RESULT_ERROR_INVALID_SIZE][..]),
        (64, 32, 0, &[UR_RESULT_ERROR_INVALID_SIZE][..]),
        (32, 32, 384, &[UR_RESULT_ERROR_INVALID_SIZE][..]),
    ] {
        let (pattern, mut expected) = (ramp(length), vec![0xee; SIZE]);
        f.put(usm.ptr, &expected)?;
        let start = pattern.as_ptr().cast();
        // SAFETY: live handles, a pattern that stays during the call, and memory of all rows.
        let code = unsafe {
            let calls = q.calls;
            let code = calls.urEnqueueUSMFill2D(
                q.queue,
                usm.ptr,
                pitch,
                length,
                start,
                width,
                HEIGHT,
                0,
                null(),
                null_mut(),
            );
            same_code("urQueueFinish", UR_RESULT_SUCCESS, calls.urQueueFinish(q.queue))?;
            code
        };
        let what = format!("a pattern of {length} bytes in rows of {width}, {pitch} apart");
        if !allowed.contains(&code) {
            return Err(Failure::fail("urEnqueueUSMFill2D", what, code));
        }
        if code == UR_RESULT_SUCCESS {
            for (index, byte) in pattern.iter().cycle().take(width * HEIGHT).enumerate() {
                expected[index / width * pitch + index % width] = *byte;
            }
        }
        same(&what, expected, f.take(usm.ptr, SIZE)?)?;
    }
    Ok(())
}

/// All fills in one graph, each with separate memory. The graph runs twice.
fn captured(f: &Env) -> Verdict {
    need_capture(f)?;
    let own = f.new_queue(0)?;
    let q = Captured::new(f, *own)?;
    let room = FILLS.len() * SIZE;
    let usm = f.on_device(room)?;
    q.begin()?;
    for (index, (length, start)) in FILLS.into_iter().enumerate() {
        let to = usm.ptr.wrapping_byte_add(index * SIZE + start);
        let event = fill(&q, to, &ramp(length), 5 * length, None)?;
        // SAFETY: a live event.
        same_code("urEventRelease", UR_RESULT_SUCCESS, unsafe { q.calls.urEventRelease(event) })?;
    }
    let executable = instantiate(&q.end()?)?;
    let expected: Vec<u8> =
        FILLS.into_iter().flat_map(|(length, start)| filled(SIZE, length, start, 5)).collect();
    for run in ["the first run", "the second run"] {
        f.put(usm.ptr, &vec![0xee; room])?;
        q.run(&executable)?;
        same(run, expected.clone(), f.take(usm.ptr, room)?)?;
    }
    Ok(())
}

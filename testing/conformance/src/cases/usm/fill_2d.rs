//! `piextUSMEnqueueFill2D`, `Memset2D`, `Memcpy2D`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Codes, Failure, SIZE, Verdict, codes, same};

pub(super) const CASES: &[Case] = &[
    case("USM-22", "piextUSMEnqueueFill2D", patterns),
    case("USM-23", "piextUSMEnqueueFill2D", bad_patterns),
    case("USM-25", "piextUSMEnqueueMemcpy2D", bad_sizes),
    case("USM-34", "piextUSMEnqueueMemcpy2D", packed_and_pitched),
];

/// Returns whether the context reports the call. A plugin that does not may refuse everything.
fn has(f: &Env, name: pi_context_info) -> Verdict<bool> {
    f.since(Version::V12_21)?;
    let context = f.context()?;
    Ok(get!(f, piContextGetInfo(context, name) as pi_bool) != 0)
}

const ROWS: usize = 8;
const PITCH: usize = 64;
const WIDTH: usize = 32;

/// Returns the expected content: rows that are set, and the rest of each pitch unchanged.
fn rows(of: impl Fn(usize) -> u8) -> Vec<u8> {
    let row: Vec<u8> = (0..PITCH).map(|x| if x < WIDTH { of(x) } else { 9 }).collect();
    row.repeat(ROWS)
}

fn patterns(f: &Env) -> Verdict {
    let fill = has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT)?;
    let (queue, usm) = (f.queue()?, f.on_device(PITCH * ROWS)?);
    for length in [1, 2, 4, 8, 16].into_iter().filter(|_| fill) {
        let pattern = ramp(length);
        let start = pattern.as_ptr().cast();
        f.put(usm.ptr, &[9; PITCH * ROWS])?;
        let event = made!(f, |out| piextUSMEnqueueFill2D(
            queue,
            usm.ptr,
            PITCH,
            length,
            start,
            WIDTH,
            ROWS,
            0,
            null(),
            out
        ));
        f.wait(event)?;
        let expected = rows(|x| pattern.get(x % length).copied().unwrap_or(0));
        same(&format!("rows by a pattern of {length} bytes"), expected, f.take(usm.ptr, PITCH * ROWS)?)?;
    }
    if has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT)? {
        f.put(usm.ptr, &[9; PITCH * ROWS])?;
        let event = made!(f, |out| piextUSMEnqueueMemset2D(
            queue,
            usm.ptr,
            PITCH,
            0x1105,
            WIDTH,
            ROWS,
            0,
            null(),
            out
        ));
        f.wait(event)?;
        same("rows set", rows(|_| 5), f.take(usm.ptr, PITCH * ROWS)?)?;
    }
    if has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT)? {
        let source = rows(|x| ramp(WIDTH).get(x).copied().unwrap_or(0));
        let from = source.as_ptr().cast();
        for (blocking, width) in [(PI_TRUE, WIDTH), (PI_FALSE, WIDTH / 2)] {
            f.put(usm.ptr, &[8; PITCH * ROWS])?;
            let event = made!(f, |out| piextUSMEnqueueMemcpy2D(
                queue,
                blocking,
                usm.ptr,
                PITCH,
                from,
                PITCH,
                width,
                ROWS,
                0,
                null(),
                out
            ));
            f.wait(event)?;
            let row: Vec<u8> = ramp(width).into_iter().chain(std::iter::repeat_n(8, PITCH - width)).collect();
            same("rows copied", row.repeat(ROWS), f.take(usm.ptr, PITCH * ROWS)?)?;
        }
    }
    Ok(())
}

/// Rows without a gap on one side, and with one on the other: between device USM and host memory, and within USM.
fn packed_and_pitched(f: &Env) -> Verdict {
    if !has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT)? {
        return Err(Failure::skip(crate::skip::NO_FEATURE));
    }
    let size = PITCH * ROWS;
    let (queue, here, there, source) = (f.queue()?, f.on_device(size)?, f.on_device(size)?, ramp(size));
    let mut host = vec![0_u8; size];
    let on_host = host.as_mut_ptr().cast::<std::ffi::c_void>();
    for (to_pitch, from_pitch) in [(WIDTH, PITCH), (PITCH, WIDTH), (WIDTH, WIDTH), (PITCH - 16, PITCH)] {
        let mut expected = vec![8_u8; size];
        for row in 0..ROWS {
            let (to, from) = (row * to_pitch, row * from_pitch);
            expected[to..to + WIDTH].copy_from_slice(&source[from..from + WIDTH]);
        }
        for (blocking, way) in
            [(PI_TRUE, "from the host"), (PI_FALSE, "within USM"), (PI_TRUE, "to the host")]
        {
            f.put(here.ptr, &source)?;
            f.put(there.ptr, &[8; PITCH * ROWS])?;
            // SAFETY: the host's own bytes, which no command uses at this time.
            let bytes = unsafe { std::slice::from_raw_parts_mut(on_host.cast::<u8>(), size) };
            bytes.copy_from_slice(if way == "from the host" { &source } else { &[8; PITCH * ROWS] });
            let (to, from) = match way {
                "from the host" => (there.ptr, on_host),
                "within USM" => (there.ptr, here.ptr),
                _ => (on_host, here.ptr),
            };
            let event = made!(f, |out| piextUSMEnqueueMemcpy2D(
                queue,
                blocking,
                to,
                to_pitch,
                from,
                from_pitch,
                WIDTH,
                ROWS,
                0,
                null(),
                out
            ));
            f.wait(event)?;
            let got = if way == "to the host" { bytes.to_vec() } else { f.take(there.ptr, size)? };
            same(&format!("rows {way}, {from_pitch} bytes apart to {to_pitch}"), &expected, &got)?;
        }
    }
    Ok(())
}

/// A refusal. A plugin without the call may just report that.
fn bad(fill: bool) -> Codes {
    if fill {
        SIZE
    } else {
        codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE], &[])
    }
}

fn bad_patterns(f: &Env) -> Verdict {
    let codes = bad(has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT)?);
    let (queue, usm, pattern) = (f.queue()?, f.on_device(PITCH * ROWS)?, ramp(128));
    let start = pattern.as_ptr().cast();
    for (length, width) in [(0, WIDTH), (3, 7), (64, WIDTH), (4, 0)] {
        refused!(
            f,
            piextUSMEnqueueFill2D(queue, usm.ptr, PITCH, length, start, width, ROWS, 0, null(), null_mut()),
            codes
        );
    }
    refused!(
        f,
        piextUSMEnqueueFill2D(queue, usm.ptr, PITCH, 4, null(), WIDTH, ROWS, 0, null(), null_mut()),
        codes
    );
    Ok(())
}

fn bad_sizes(f: &Env) -> Verdict {
    let copy = bad(has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMCPY2D_SUPPORT)?);
    let set = bad(has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_MEMSET2D_SUPPORT)?);
    let fill = bad(has(f, PI_EXT_ONEAPI_CONTEXT_INFO_USM_FILL2D_SUPPORT)?);
    let (queue, usm, mut host) = (f.queue()?, f.on_device(PITCH * ROWS)?, vec![0_u8; PITCH * ROWS]);
    let there = host.as_mut_ptr().cast();
    for (pitch, width, height) in [
        (WIDTH - 1, WIDTH, ROWS),
        (PITCH, 0, ROWS),
        (PITCH, WIDTH, 0),
        (0, WIDTH, ROWS),
        (usize::MAX, WIDTH, usize::MAX),
    ] {
        let pattern = [1_u8].as_ptr().cast();
        refused!(
            f,
            piextUSMEnqueueFill2D(queue, usm.ptr, pitch, 1, pattern, width, height, 0, null(), null_mut()),
            fill
        );
        refused!(
            f,
            piextUSMEnqueueMemset2D(queue, usm.ptr, pitch, 0, width, height, 0, null(), null_mut()),
            set
        );
        refused!(
            f,
            piextUSMEnqueueMemcpy2D(
                queue,
                PI_TRUE,
                usm.ptr,
                pitch,
                there,
                PITCH,
                width,
                height,
                0,
                null(),
                null_mut()
            ),
            copy
        );
        refused!(
            f,
            piextUSMEnqueueMemcpy2D(
                queue,
                PI_TRUE,
                usm.ptr,
                PITCH,
                there,
                pitch,
                width,
                height,
                0,
                null(),
                null_mut()
            ),
            copy
        );
    }
    Ok(())
}

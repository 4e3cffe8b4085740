//! `piEnqueueMemBufferFill`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{SIZE, VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("BUF-09", "piEnqueueMemBufferFill", each_pattern),
    case("BUF-10", "piEnqueueMemBufferFill", part),
    case("BUF-11", "piEnqueueMemBufferFill", bad_sizes),
    case("BUF-12", "piEnqueueMemBufferFill", odd_patterns),
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
    // Nothing to fill: OpenCL before 2.1 refuses it, later versions may do nothing.
    let (queue, buffer) = (f.queue()?, f.blank(256)?);
    if call!(f, piEnqueueMemBufferFill(queue, *buffer, start.cast(), 4, 0, 0, 0, null(), null_mut())).is_err()
    {
        refuse(f, (start, 4), 0, 0)?;
    }
    Ok(())
}

fn odd_patterns(f: &Env) -> Verdict {
    let (queue, buffer, pattern) = (f.queue()?, f.blank(768)?, ramp(256));
    for length in [3, 256] {
        let from = pattern.as_ptr().cast();
        let mut event = null_mut();
        let result =
            call!(f, piEnqueueMemBufferFill(queue, *buffer, from, length, 0, 768, 0, null(), &mut event));
        if result.is_ok() {
            // Who takes it has to do it.
            f.wait(event)?;
            let expected: Vec<u8> = pattern.iter().copied().take(length).cycle().take(768).collect();
            same("content", expected, f.read(*buffer, 768)?)?;
        } else if f.backend == Backend::OpenCl {
            crate::outcome::refusal("piEnqueueMemBufferFill", f.strict, result, VALUE)?;
        }
    }
    // OpenCL asks for an offset that is a multiple of the pattern.
    if f.backend == Backend::OpenCl { refuse(f, (pattern.as_ptr(), 4), 2, 16) } else { Ok(()) }
}

//! `piEnqueueMemBufferCopy`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Verdict, codes, same};

pub(super) const CASES: &[Case] = &[
    case("BUF-03", "piEnqueueMemBufferCopy", whole_and_part),
    case("BUF-04", "piEnqueueMemBufferCopy", overlap),
];

fn whole_and_part(f: &Env) -> Verdict {
    let (queue, from, to) = (f.queue()?, f.buffer(&ramp(256))?, f.buffer(&[0_u8; 256])?);
    let event = made!(f, |out| piEnqueueMemBufferCopy(queue, *from, *to, 0, 0, 256, 0, null(), out));
    f.wait(event)?;
    same("whole copy", ramp(256), f.read(*to, 256)?)?;
    let part = f.buffer(&[9_u8; 256])?;
    let event = made!(f, |out| piEnqueueMemBufferCopy(queue, *from, *part, 10, 20, 30, 0, null(), out));
    f.wait(event)?;
    let mut expected = vec![9_u8; 256];
    expected.splice(20..50, ramp(256).into_iter().skip(10).take(30));
    same("copied part", expected, f.read(*part, 256)?)
}

fn overlap(f: &Env) -> Verdict {
    let (queue, buffer) = (f.queue()?, f.blank(256)?);
    let codes = codes(&[PI_ERROR_MEM_COPY_OVERLAP], &[]);
    refused!(f, piEnqueueMemBufferCopy(queue, *buffer, *buffer, 0, 16, 64, 0, null(), null_mut()), codes);
    let event = made!(f, |out| piEnqueueMemBufferCopy(queue, *buffer, *buffer, 0, 128, 64, 0, null(), out));
    f.wait(event)
}

//! `piEnqueueMemBufferRead`, `piEnqueueMemBufferWrite`.

use std::ptr::null;

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Verdict, same};

pub(super) const CASES: &[Case] = &[case("BUF-01", "piEnqueueMemBufferWrite", whole_and_part)];

fn whole_and_part(f: &Env) -> Verdict {
    let (queue, buffer) = (f.queue()?, f.buffer(&[0_u8; 256])?);
    f.write_on(queue, *buffer, 0, &ramp(256))?;
    same("whole content", ramp(256), f.read_on(queue, *buffer, 0, 256)?)?;
    f.write_on(queue, *buffer, 100, &[1_u8, 2, 3])?;
    let mut expected = ramp(256);
    expected.splice(100..103, [1, 2, 3]);
    same("content after a part was written", expected.clone(), f.read_on(queue, *buffer, 0, 256)?)?;
    let part = expected.get(99..109).map(<[u8]>::to_vec);
    same("a part of it", part.clone(), Some(f.read_on(queue, *buffer, 99, 10)?))?;
    let mut later = vec![0_u8; 10];
    let to = later.as_mut_ptr().cast();
    f.wait(made!(f, |out| piEnqueueMemBufferRead(queue, *buffer, PI_FALSE, 99, 10, to, 0, null(), out)))?;
    same("a part of it after a wait", part, Some(later))
}

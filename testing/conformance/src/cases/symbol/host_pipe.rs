//! `piextEnqueueReadHostPipe`, `piextEnqueueWriteHostPipe`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{PROGRAM, QUEUE, VALUE, Verdict, WAIT_LIST, check};

pub(super) const CASES: &[Case] = &[
    case("PIP-01", "piextEnqueueReadHostPipe", nulls),
    case("PIP-02", "piextEnqueueWriteHostPipe", without_pipes),
];

fn nulls(f: &Env) -> Verdict {
    f.since(Version::V12_27)?;
    let (program, queue, mut bytes) = (f.program()?, f.queue()?, [0_u8; 16]);
    let (name, there) = (c"pipe".as_ptr(), bytes.as_mut_ptr().cast());
    for (queue, program, name, there, count, codes) in [
        (null_mut(), program, name, there, 0, QUEUE),
        (queue, null_mut(), name, there, 0, PROGRAM),
        (queue, program, null(), there, 0, VALUE),
        (queue, program, name, null_mut(), 0, VALUE),
        (queue, program, name, there, 1, WAIT_LIST),
    ] {
        refused!(
            f,
            piextEnqueueReadHostPipe(queue, program, name, PI_TRUE, there, 4, count, null(), null_mut()),
            codes
        );
        refused!(
            f,
            piextEnqueueWriteHostPipe(queue, program, name, PI_TRUE, there, 4, count, null(), null_mut()),
            codes
        );
    }
    Ok(())
}

/// A missing pipe: an error that there are no pipes, or that this one does not exist.
fn without_pipes(f: &Env) -> Verdict {
    f.since(Version::V12_27)?;
    let (program, queue, mut bytes) = (f.program()?, f.queue()?, [0_u8; 16]);
    let there = bytes.as_mut_ptr().cast();
    let result = call!(
        f,
        piextEnqueueWriteHostPipe(queue, program, c"pipe".as_ptr(), PI_TRUE, there, 4, 0, null(), null_mut())
    );
    let code = result.err().and_then(|error| error.code()).unwrap_or(PI_SUCCESS);
    let known = [
        PI_ERROR_INVALID_OPERATION,
        PI_ERROR_UNSUPPORTED_FEATURE,
        PI_ERROR_INVALID_VALUE,
        PI_ERROR_INVALID_ARG_VALUE,
    ];
    let good = known.contains(&code);
    check(
        "",
        good,
        "PI_ERROR_INVALID_OPERATION, or that there is no such pipe",
        crate::outcome::code_name(code),
    )
}

//! `piTearDown`, and the process's end.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, alone, exit};
use crate::env::{Env, ramp};
use crate::outcome::{Verdict, check};

pub(super) const CASES: &[Case] = &[
    alone("LD-10", "piTearDown", succeeds),
    exit("TDN-01", "piTearDown", exit_with_objects),
    exit("TDN-02", "piTearDown", releases_afterwards),
    exit("TDN-04", "piTearDown", torn_down_then_exit),
];

/// Returns the argument of runtimes: the address of a flag that plugins may set.
pub(super) fn parameter() -> *mut std::ffi::c_void {
    std::ptr::from_mut(Box::leak(Box::new(0_u64))).cast()
}

fn succeeds(f: &Env) -> Verdict {
    f.context()?;
    f.queue()?;
    f.close();
    ok!(f, piTearDown(parameter()));
    Ok(())
}

/// Leaves a context, a queue, a buffer, a pending command, a program and a kernel behind.
fn exit_with_objects(f: &Env) -> Verdict {
    let content = ramp(4096).leak();
    let buffer = f.buffer(content)?.into_raw();
    let queue = f.queue()?;
    let to = vec![0_u8; 4096].leak().as_mut_ptr().cast();
    let mut event = null_mut();
    ok!(f, piEnqueueMemBufferRead(queue, buffer, PI_FALSE, 0, 4096, to, 0, null(), &mut event));
    match f.kernel(c"nothing") {
        Ok(kernel) => drop(kernel.into_raw()),
        Err(crate::outcome::Failure::Skip(_)) => {}
        Err(wrong) => return Err(wrong),
    }
    Ok(())
}

/// A runtime's statics release their objects after it has torn down the plugin. This succeeds or returns a code,
/// without a crash.
fn releases_afterwards(f: &Env) -> Verdict {
    let buffer = f.buffer(&ramp(64))?.into_raw();
    let (context, queue) = (f.context()?, f.queue()?);
    let mut event = null_mut();
    ok!(f, piEnqueueEventsWait(queue, 0, null(), &mut event));
    ok!(f, piEventsWait(1, &event));
    ok!(f, piTearDown(parameter()));
    // Their results are not specified.
    let _ = call!(f, piEventRelease(event));
    let _ = call!(f, piMemRelease(buffer));
    let _ = call!(f, piQueueRelease(queue));
    let _ = call!(f, piContextRelease(context));
    if f.strict {
        let created = call!(f, piPlatformsGet(0, null_mut(), &mut 0));
        check("piPlatformsGet after piTearDown", created.is_err(), "an error", "PI_SUCCESS")?;
    }
    Ok(())
}

/// The runtime's own exit handler runs before the plugin's: first the tear-down, then everything else ends.
fn torn_down_then_exit(f: &Env) -> Verdict {
    f.buffer(&ramp(64))?.into_raw();
    f.queue()?;
    ok!(f, piTearDown(parameter()));
    Ok(())
}

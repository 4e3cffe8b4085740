//! `piextUSMEnqueuePrefetch`, `piextUSMEnqueueMemAdvise`.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{Backend, CallError};

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{Failure, SIZE, VALUE, Verdict, check, named, refusal, same};
use crate::skip;

pub(super) const CASES: &[Case] = &[
    case("USM-24", "piextUSMEnqueuePrefetch", past_the_end),
    case("USM-26", "piextUSMEnqueuePrefetch", waits_and_completes),
    case("USM-27", "piextUSMEnqueueMemAdvise", hints),
    case("USM-28", "piextUSMEnqueueMemAdvise", unknown_hint),
    case("USM-29", "piextUSMEnqueueMemAdvise", numbers_of_the_version),
];

/// Calls it with the version's signature.
fn advise(
    f: &Env,
    ptr: *const c_void,
    size: usize,
    advice: pi_mem_advice,
    out: *mut pi_event,
) -> Verdict<Result<(), CallError>> {
    let queue = f.queue()?;
    Ok(if f.pi.piextUSMEnqueueMemAdvise_until_14_37.is_some() {
        call!(f, piextUSMEnqueueMemAdvise_until_14_37(queue, ptr, size, advice, out))
    } else {
        call!(f, piextUSMEnqueueMemAdvise(queue, ptr, size, advice, out))
    })
}

/// Bytes of a block.
const BLOCK: usize = 4096;

/// Ranges that begin in a block, at its start or inside, and end after it. The bytes of all blocks remain
/// unchanged.
fn past_the_end(f: &Env) -> Verdict {
    // With such a range, Level Zero's specification permits any behaviour of a driver.
    if f.backend == Backend::LevelZero && !f.strict {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let (queue, content) = (f.queue()?, ramp(BLOCK));
    let blocks = [f.shared(BLOCK)?, f.shared(BLOCK)?, f.shared(BLOCK)?];
    for block in &blocks {
        f.put(block.ptr, &content)?;
    }
    let start = blocks[1].ptr;
    for (offset, size) in [(0, BLOCK + 1), (0, 1 << 40), (BLOCK / 2, BLOCK), (BLOCK - 1, 2), (64, usize::MAX)]
    {
        let (ptr, mut event) = (start.wrapping_byte_add(offset), null_mut());
        let place = format!("{size} bytes from byte {offset} on");
        let result = call!(f, piextUSMEnqueuePrefetch(queue, ptr, size, 0, 0, null(), &mut event));
        hinted(f, &format!("a prefetch of {place}"), result, event)?;
        let mut event = null_mut();
        let result = advise(f, ptr, size, PI_MEM_ADVICE_RESET, &mut event)?;
        hinted(f, &format!("an advice about {place}"), result, event)?;
    }
    for block in &blocks {
        same("bytes of a block", &content, &f.take(block.ptr, BLOCK)?)?;
    }
    // Ranges that end with the block are accepted.
    for (offset, size) in [(0, BLOCK), (BLOCK / 2, BLOCK / 2), (BLOCK - 1, 1)] {
        let ptr = start.wrapping_byte_add(offset);
        f.wait(made!(f, |out| piextUSMEnqueuePrefetch(queue, ptr, size, 0, 0, null(), out)))?;
    }
    Ok(())
}

/// Checks a refusal. A plugin that is not tested strictly may accept the call as a hint.
fn hinted(f: &Env, what: &str, result: Result<(), CallError>, event: pi_event) -> Verdict {
    match result {
        Ok(()) if !f.strict => f.wait(event),
        result => named(what, refusal("", f.strict, result, SIZE).map(drop)),
    }
}

fn waits_and_completes(f: &Env) -> Verdict {
    let (queue, usm, data) = (f.queue()?, f.shared(4096)?, f.buffer(&[0_i32; 2])?);
    let kernel = f.busy(*data, 10_000_000)?;
    let busy = f.own_event(f.launch_on(queue, *kernel, 1)?);
    let event = made!(f, |out| piextUSMEnqueuePrefetch(queue, usm.ptr, 4096, 0, 1, &*busy, out));
    let event = f.own_event(event);
    ok!(f, piEventsWait(1, &*event));
    same("status of what it waits for", PI_EVENT_COMPLETE, f.status(*busy)?)?;
    refused!(f, piextUSMEnqueuePrefetch(queue, usm.ptr, 64, 1 << 30, 0, null(), null_mut()), VALUE);
    refused!(f, piextUSMEnqueuePrefetch(queue, null(), 64, 0, 0, null(), null_mut()), VALUE);
    Ok(())
}

/// Success, or the code that runtimes treat as a warning.
fn taken(f: &Env, advice: pi_mem_advice) -> Verdict {
    let (usm, mut event) = (f.shared(64)?, null_mut());
    match advise(f, usm.ptr, 64, advice, &mut event)? {
        Ok(()) if event.is_null() => Err(Failure::fail("", "an event", "null")),
        Ok(()) => f.wait(event),
        Err(error) => {
            let warning = error.code() == Some(PI_ERROR_PLUGIN_SPECIFIC_ERROR);
            check(
                &format!("advice {advice:#x}"),
                warning,
                "PI_SUCCESS or PI_ERROR_PLUGIN_SPECIFIC_ERROR",
                crate::outcome::answer(error),
            )
        }
    }
}

fn hints(f: &Env) -> Verdict {
    taken(f, PI_MEM_ADVICE_RESET)?;
    if f.version > Version::V14_37 {
        taken(f, PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY)?;
        taken(f, PI_MEM_ADVICE_CUDA_SET_READ_MOSTLY | PI_MEM_ADVICE_CUDA_SET_ACCESSED_BY_HOST)?;
    }
    Ok(())
}

fn unknown_hint(f: &Env) -> Verdict {
    let unknown = if f.version > Version::V14_37 { 1 << 20 } else { 77 };
    let usm = f.shared(64)?;
    refusal("piextUSMEnqueueMemAdvise", f.strict, advise(f, usm.ptr, 64, unknown, null_mut())?, VALUE)
        .map(|_| ())
}

/// The first hint is 101 up to PI 14.37, and 1 afterwards. The last is 110 and 0x200.
fn numbers_of_the_version(f: &Env) -> Verdict {
    let (first, last) = if f.version > Version::V14_37 { (1, 0x200) } else { (101, 110) };
    taken(f, first)?;
    taken(f, last)
}

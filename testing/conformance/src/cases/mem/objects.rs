//! `piMemGetInfo`, `piMemRetain`, `piMemRelease`, and buffers that several devices use.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;

use crate::case::{Case, alone, case};
use crate::env::{Env, ramp};
use crate::outcome::{MEM, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("MEM-11", "piMemGetInfo", size),
    case("MEM-12", "piMemGetInfo", facts_and_bad_questions),
    case("MEM-13", "piMemRetain", counted),
    case("MEM-14", "piMemRetain", null_object),
    case("MEM-15", "piMemRelease", while_in_use),
    alone("MEM-16", "piMemRelease", twice),
    case("MEM-18", "piEnqueueMemBufferWrite", two_devices),
    case("BUF-02", "piEnqueueMemBufferRead", two_devices),
];

fn size(f: &Env) -> Verdict {
    let buffer = f.blank(1000)?;
    let size = get!(f, piMemGetInfo(*buffer, PI_MEM_SIZE) as usize);
    check("", size >= 1000, "at least 1000", size)
}

fn facts_and_bad_questions(f: &Env) -> Verdict {
    let buffer = f.blank(64)?;
    same("context", f.context()?, get!(f, piMemGetInfo(*buffer, PI_MEM_CONTEXT) as pi_context))?;
    bad_questions!(f, piMemGetInfo(*buffer), PI_MEM_SIZE);
    Ok(())
}

/// The interface has no query for the count. Retaining and releasing must have no visible effect.
fn counted(f: &Env) -> Verdict {
    let buffer = f.buffer(&ramp(64))?;
    ok!(f, piMemRetain(*buffer));
    ok!(f, piMemRelease(*buffer));
    same("content", ramp(64), f.read(*buffer, 64)?)
}

fn null_object(f: &Env) -> Verdict {
    refused!(f, piMemRetain(null_mut()), MEM);
    refused!(f, piMemRelease(null_mut()), MEM);
    refused!(f, piMemGetInfo(null_mut(), PI_MEM_SIZE, 0, null_mut(), &mut 0), MEM);
    Ok(())
}

fn while_in_use(f: &Env) -> Verdict {
    let (queue, data, copy) = (f.queue()?, f.buffer(&[5_i32, 7])?, f.blank(8)?);
    let kernel = f.busy(*data, 10_000_000)?;
    f.launch_on(queue, *kernel, 1).map(|event| drop(f.own_event(event)))?;
    ok!(f, piEnqueueMemBufferCopy(queue, *data, *copy, 0, 0, 4, 0, null(), null_mut()));
    drop(data);
    drop(kernel);
    same("what the commands made of it", vec![6_i32], f.read(*copy, 1)?)
}

/// Undefined: success or any code. Plugins that can detect it must not crash.
fn twice(f: &Env) -> Verdict {
    if f.backend == sycl_pi_loader::Backend::OpenCl {
        // They are the driver's own objects, which the plugin does not check.
        return Err(crate::outcome::Failure::skip(crate::skip::OTHER_BACKEND));
    }
    let buffer = f.blank(64)?.into_raw();
    ok!(f, piMemRelease(buffer));
    refused!(f, piMemRelease(buffer), MEM);
    Ok(())
}

fn two_devices(f: &Env) -> Verdict {
    let pair = f.pair()?;
    let devices: Vec<pi_device> = pair.iter().take(2).map(|part| **part).collect();
    let context = f.context_of(&devices)?;
    let [one, two] = [f.queue_in(*context, devices[0], 0)?, f.queue_in(*context, devices[1], 0)?];
    let buffer = f.buffer_in(*context, &[0_u8; 256])?;
    for round in 0..4_u8 {
        let content: Vec<u8> = ramp(256).iter().map(|byte| byte ^ round).collect();
        let (from, to) = if round % 2 == 0 { (*one, *two) } else { (*two, *one) };
        let (start, mut seen) = (content.as_ptr().cast(), vec![0_u8; 256]);
        let room = seen.as_mut_ptr().cast();
        let written = f.own_event(made!(f, |out| piEnqueueMemBufferWrite(
            from,
            *buffer,
            PI_FALSE,
            0,
            256,
            start,
            0,
            null(),
            out
        )));
        ok!(f, piQueueFlush(from));
        ok!(f, piEnqueueMemBufferRead(to, *buffer, PI_TRUE, 0, 256, room, 1, &*written, null_mut()));
        same("content on the other device", content, seen)?;
    }
    Ok(())
}

//! `piextUSMEnqueueMemcpy`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{Env, ramp};
use crate::outcome::{VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("USM-17", "piextUSMEnqueueMemcpy", each_way),
    case("USM-18", "piextUSMEnqueueMemcpy", host_to_host),
    case("USM-19", "piextUSMEnqueueMemcpy", nulls),
    case("USM-20", "piextUSMEnqueueMemcpy", size_0),
];

fn each_way(f: &Env) -> Verdict {
    let (queue, content) = (f.queue()?, ramp(4096));
    for (from, one) in f.usm_of_each_kind(4096)? {
        for (to, two) in f.usm_of_each_kind(4096)? {
            f.put(one.ptr, &content)?;
            let copied = made!(f, |out| piextUSMEnqueueMemcpy(
                queue,
                PI_FALSE,
                two.ptr,
                one.ptr,
                4096,
                0,
                null(),
                out
            ));
            let copied = f.own_event(copied);
            let mut back = vec![0_u8; 4096];
            let room = back.as_mut_ptr().cast();
            let read =
                made!(f, |out| piextUSMEnqueueMemcpy(queue, PI_TRUE, room, two.ptr, 4096, 1, &*copied, out));
            let read = f.own_event(read);
            same("status of a blocking copy", PI_EVENT_COMPLETE, f.status(*read)?)?;
            same(&format!("content, from memory of type {from:#x} to {to:#x}"), &content, &back)?;
        }
    }
    Ok(())
}

fn host_to_host(f: &Env) -> Verdict {
    f.need_usm(PI_DEVICE_INFO_USM_DEVICE_SUPPORT)?;
    let (queue, from, mut to) = (f.queue()?, ramp(256), vec![0_u8; 256]);
    let (source, target) = (from.as_ptr().cast(), to.as_mut_ptr().cast());
    ok!(f, piextUSMEnqueueMemcpy(queue, PI_TRUE, target, source, 256, 0, null(), null_mut()));
    same("content", from, to)
}

fn nulls(f: &Env) -> Verdict {
    let (queue, usm) = (f.queue()?, f.on_device(64)?);
    refused!(f, piextUSMEnqueueMemcpy(queue, PI_TRUE, null_mut(), usm.ptr, 64, 0, null(), null_mut()), VALUE);
    refused!(f, piextUSMEnqueueMemcpy(queue, PI_TRUE, usm.ptr, null(), 64, 0, null(), null_mut()), VALUE);
    Ok(())
}

fn size_0(f: &Env) -> Verdict {
    let (queue, one, two) = (f.queue()?, f.on_device(64)?, f.on_device(64)?);
    let event = made!(f, |out| piextUSMEnqueueMemcpy(queue, PI_FALSE, one.ptr, two.ptr, 0, 0, null(), out));
    f.wait(event)?;
    if f.backend == Backend::OpenCl {
        f.wait(made!(f, |out| piextUSMEnqueueMemcpy(queue, PI_TRUE, one.ptr, one.ptr, 0, 0, null(), out)))?;
        f.wait(made!(f, |out| piextUSMEnqueueMemset(queue, one.ptr, 1, 0, 0, null(), out)))?;
    }
    Ok(())
}

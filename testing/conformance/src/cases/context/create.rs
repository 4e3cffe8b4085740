//! `piContextCreate`, `piContextRetain`, `piContextRelease`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::cases::plugin::{Table, together};
use crate::env::{Env, Owned, ramp};
use crate::outcome::{CONTEXT, VALUE, Verdict, check, codes, refusal, same};

pub(super) const CASES: &[Case] = &[
    case("CTX-01", "piContextCreate", one_device),
    case("CTX-02", "piContextCreate", with_parts),
    case("CTX-03", "piContextCreate", two_devices),
    case("CTX-04", "piContextCreate", nulls),
    case("CTX-05", "piContextCreate", unknown_property),
    case("CTX-09", "piContextRetain", counted),
    case("CTX-10", "piContextRetain", null_object),
    case("CTX-11", "piContextRelease", children_live_on),
    case("CTX-14", "piContextCreate", from_another_thread),
];

fn count(f: &Env, context: pi_context) -> Verdict<u32> {
    Ok(get!(f, piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32))
}

fn one_device(f: &Env) -> Verdict {
    let context = f.new_context()?;
    check("", !context.is_null(), "a handle", "null")?;
    same("reference count", 1, count(f, *context)?)
}

fn with_parts(f: &Env) -> Verdict {
    let parts = f.some_parts(2)?;
    let mut devices = vec![f.device];
    devices.extend(parts.iter().take(2).map(|part| **part));
    let context = f.context_of(&devices)?;
    same("devices", 3, get!(f, piContextGetInfo(*context, PI_CONTEXT_INFO_NUM_DEVICES) as u32))?;
    let listed = get!(f, piContextGetInfo(*context, PI_CONTEXT_INFO_DEVICES) as [pi_device; 3]);
    same("list of the devices", &*devices, &listed)?;
    let queue = f.queue_in(*context, devices[1], 0)?;
    same("device of a queue", devices[1], get!(f, piQueueGetInfo(*queue, PI_QUEUE_INFO_DEVICE) as pi_device))
}

fn two_devices(f: &Env) -> Verdict {
    let mut devices = [null_mut(); 2];
    let mut count = 0;
    ok!(f, piDevicesGet(f.platform, PI_DEVICE_TYPE_ALL, 2, devices.as_mut_ptr(), &mut count));
    if count < 2 {
        return Err(crate::outcome::Failure::skip(crate::skip::ONE_DEVICE));
    }
    if f.backend == Backend::Cuda && !f.strict {
        let mut out = null_mut();
        // Until 2024, vendors' plugins only support contexts of one device, and say so.
        let codes =
            codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_OPERATION, PI_ERROR_INVALID_DEVICE], &[]);
        return match call!(f, piContextCreate(null(), 2, devices.as_ptr(), None, null_mut(), &mut out)) {
            Ok(()) => of_both(f, &f.own_context(out), devices),
            refused => refusal("piContextCreate", f.strict, refused, codes).map(drop),
        };
    }
    of_both(f, &f.context_of(&devices)?, devices)
}

/// The context has both devices, and a queue of each uses the same buffer.
fn of_both(f: &Env, context: &Owned<'_, pi_context>, devices: [pi_device; 2]) -> Verdict {
    same("devices", 2, get!(f, piContextGetInfo(**context, PI_CONTEXT_INFO_NUM_DEVICES) as u32))?;
    let listed = get!(f, piContextGetInfo(**context, PI_CONTEXT_INFO_DEVICES) as [pi_device; 2]);
    same("list of the devices", devices, listed)?;
    let buffer = f.buffer_in(**context, &[0_u8; 64])?;
    let queues = [f.queue_in(**context, devices[0], 0)?, f.queue_in(**context, devices[1], 0)?];
    f.write_on(*queues[0], *buffer, 0, &ramp(64))?;
    same("content on the other device", ramp(64), f.read_on(*queues[1], *buffer, 0, 64)?)
}

fn nulls(f: &Env) -> Verdict {
    let mut out = null_mut();
    refused!(f, piContextCreate(null(), 1, null(), None, null_mut(), &mut out), VALUE);
    refused!(f, piContextCreate(null(), 1, &f.device, None, null_mut(), null_mut()), VALUE);
    refused!(f, piContextCreate(null(), 0, &f.device, None, null_mut(), &mut out), VALUE);
    let devices = [null_mut()];
    let codes = codes(&[PI_ERROR_INVALID_DEVICE], &[PI_ERROR_INVALID_VALUE]);
    refused!(f, piContextCreate(null(), 1, devices.as_ptr(), None, null_mut(), &mut out), codes);
    check("", out.is_null(), "no handle written", "one was")
}

fn unknown_property(f: &Env) -> Verdict {
    let properties = [0x7777, 1, 0];
    let mut out = null_mut();
    let codes = codes(&[PI_ERROR_INVALID_PROPERTY, PI_ERROR_INVALID_VALUE], &[]);
    refused!(f, piContextCreate(properties.as_ptr(), 1, &f.device, None, null_mut(), &mut out), codes);
    Ok(())
}

fn counted(f: &Env) -> Verdict {
    let context = f.new_context()?;
    ok!(f, piContextRetain(*context));
    same("reference count after retain", 2, count(f, *context)?)?;
    ok!(f, piContextRelease(*context));
    same("reference count after release", 1, count(f, *context)?)
}

fn null_object(f: &Env) -> Verdict {
    refused!(f, piContextRetain(null_mut()), CONTEXT);
    refused!(f, piContextRelease(null_mut()), CONTEXT);
    Ok(())
}

fn children_live_on(f: &Env) -> Verdict {
    let context = f.new_context()?;
    let queue = f.queue_in(*context, f.device, 0)?;
    let content = ramp(64);
    let buffer = f.buffer_in(*context, &content)?;
    drop(context);
    same("content read after the context's release", content, f.read_on(*queue, *buffer, 0, 64)?)
}

/// Plugins have to handle driver state that belongs to threads.
fn from_another_thread(f: &Env) -> Verdict {
    let context = f.new_context()?;
    let (pi, address) = (f.pi, *context as usize);
    let made = together(1, |_| {
        let f = Table { pi };
        let mut mem = null_mut();
        let (context, flags) = (address as pi_context, PI_MEM_FLAGS_ACCESS_RW);
        let result = call!(f, piMemBufferCreate(context, flags, 64, null_mut(), &mut mem, null()));
        result.map(|()| mem as usize).map_err(|error| error.to_string())
    })?;
    let queue = f.queue_in(*context, f.device, 0)?;
    for mem in made {
        let mem = f.own_mem(mem as pi_mem);
        f.write_on(*queue, *mem, 0, &ramp(64))?;
        same("content", ramp(64), f.read_on(*queue, *mem, 0, 64)?)?;
    }
    Ok(())
}

//! `piKernelSetArg`, `piextKernelSetArgMemObj`, `piextKernelSetArgPointer`, `piextKernelSetArgSampler`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::{Backend, CallError};

use crate::case::{Case, case};
use crate::env::{Env, bytes_of};
use crate::outcome::{Codes, Verdict, check, codes, refusal, same};

pub(super) const CASES: &[Case] = &[
    case("KRN-15", "piKernelSetArg", last_value_counts),
    case("KRN-16", "piKernelSetArg", local_memory),
    case("KRN-17", "piKernelSetArg", unknown_index),
    case("KRN-18", "piKernelSetArg", wrong_size),
    case("KRN-19", "piextKernelSetArgMemObj", null_mem),
    case("KRN-20", "piextKernelSetArgMemObj", each_signature),
    case("KRN-21", "piextKernelSetArgPointer", pointer_to_pointer),
    case("KRN-22", "piKernelSetArg", copied),
    case("KRN-23", "piKernelSetArg", running_launch_keeps_it),
];

fn last_value_counts(f: &Env) -> Verdict {
    let (kernel, buffer) = (f.kernel(c"add_value")?, f.buffer(&[1_i32; 4])?);
    f.set_mem(*kernel, 0, *buffer)?;
    f.set_arg(*kernel, 1, 100_i32)?;
    f.set_arg(*kernel, 1, 5_i32)?;
    f.launch(*kernel, 4)?;
    same("buffer", vec![6; 4], f.read::<i32>(*buffer, 4)?)
}

fn local_memory(f: &Env) -> Verdict {
    let (kernel, buffer, queue) = (f.kernel(c"local_sum")?, f.buffer(&[0_i32; 2])?, f.queue()?);
    f.set_mem(*kernel, 0, *buffer)?;
    ok!(f, piKernelSetArg(*kernel, 1, 8 * 4, null()));
    let (global, local) = (16_usize, 8_usize);
    let event =
        made!(f, |out| piEnqueueKernelLaunch(queue, *kernel, 1, null(), &global, &local, 0, null(), out));
    f.wait(event)?;
    same("sums", vec![28; 2], f.read::<i32>(*buffer, 2)?)?;
    if f.backend == Backend::OpenCl {
        let name = PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE;
        let used = get!(f, piKernelGetGroupInfo(*kernel, f.device, name) as u64);
        check("LOCAL_MEM_SIZE", used >= 32, "at least the argument's 32", used)?;
    }
    Ok(())
}

/// Checks a refusal with one of the codes. CUDA may accept the argument because for some kernels it reports neither
/// the number of arguments nor their sizes.
fn refused_or_unknown(f: &Env, set: Result<(), CallError>, codes: Codes) -> Verdict {
    match set {
        Ok(()) if f.backend == Backend::Cuda => Ok(()),
        set => refusal("piKernelSetArg", f.strict, set, codes).map(drop),
    }
}

fn unknown_index(f: &Env) -> Verdict {
    const INDEX: Codes = codes(&[PI_ERROR_INVALID_ARG_INDEX], &[]);
    let (kernel, value) = (f.kernel(c"add_value")?, 1_i32);
    let place = (&raw const value).cast();
    refused_or_unknown(f, call!(f, piKernelSetArg(*kernel, 2, 4, place)), INDEX)?;
    refused!(f, piKernelSetArg(*kernel, u32::MAX, 4, place), INDEX);
    refused!(f, piKernelSetArg(null_mut(), 0, 4, place), crate::outcome::KERNEL);
    Ok(())
}

fn wrong_size(f: &Env) -> Verdict {
    let (kernel, value) = (f.kernel(c"add_value")?, [1_i64; 4]);
    let place = value.as_ptr().cast();
    for size in [3, 32] {
        let set = call!(f, piKernelSetArg(*kernel, 1, size, place));
        refused_or_unknown(f, set, codes(&[PI_ERROR_INVALID_ARG_SIZE], &[]))?;
    }
    Ok(())
}

fn null_mem(f: &Env) -> Verdict {
    let (kernel, buffer) = (f.kernel(c"is_null")?, f.buffer(&[7_i32])?);
    f.set_mem(*kernel, 0, null_mut())?;
    f.set_mem(*kernel, 1, *buffer)?;
    f.launch(*kernel, 1)?;
    same("whether the argument was null", vec![1], f.read::<i32>(*buffer, 1)?)
}

fn each_signature(f: &Env) -> Verdict {
    let (kernel, buffer) = (f.kernel(c"fill_index")?, f.buffer(&[9_i32; 4])?);
    f.set_mem(*kernel, 0, *buffer)?;
    f.launch(*kernel, 4)?;
    same("buffer", vec![0, 1, 2, 3], f.read::<i32>(*buffer, 4)?)?;
    for mem_access in [PI_ACCESS_READ_WRITE, PI_ACCESS_WRITE_ONLY] {
        if f.version < Version::V14_37 {
            break;
        }
        let other = f.buffer(&[9_i32; 4])?;
        let access =
            pi_mem_obj_property { type_: PI_KERNEL_ARG_MEM_OBJ_ACCESS, pNext: null_mut(), mem_access };
        ok!(f, piextKernelSetArgMemObj(*kernel, 0, &access, &*other));
        f.launch(*kernel, 4)?;
        same("buffer given with its access", vec![0, 1, 2, 3], f.read::<i32>(*other, 4)?)?;
    }
    Ok(())
}

fn pointer_to_pointer(f: &Env) -> Verdict {
    let (kernel, usm) = (f.kernel(c"fill_index")?, f.shared(16)?);
    f.set_pointer(*kernel, 0, usm.ptr)?;
    f.launch(*kernel, 4)?;
    same("USM", bytes_of(&[0_i32, 1, 2, 3]), f.take(usm.ptr, 16)?)
}

fn copied(f: &Env) -> Verdict {
    let (kernel, buffer) = (f.kernel(c"add_value")?, f.buffer(&[0_i32; 2])?);
    let mut value = Box::new(3_i32);
    let (place, mut mem) = ((&raw const *value).cast(), *buffer);
    ok!(f, piKernelSetArg(*kernel, 1, 4, place));
    if f.pi.piextKernelSetArgMemObj_until_12_27.is_some() {
        ok!(f, piextKernelSetArgMemObj_until_12_27(*kernel, 0, &mem));
    } else {
        ok!(f, piextKernelSetArgMemObj(*kernel, 0, null(), &mem));
    }
    *value = 1000;
    mem = null_mut();
    drop(value);
    let _ = mem;
    f.launch(*kernel, 2)?;
    same("buffer", vec![3; 2], f.read::<i32>(*buffer, 2)?)
}

fn running_launch_keeps_it(f: &Env) -> Verdict {
    let (queue, data) = (f.queue()?, f.buffer(&[0_i32; 2])?);
    let slow = f.busy(*data, 20_000_000)?;
    let (kernel, buffer) = (f.kernel(c"add_value")?, f.buffer(&[0_i32; 4])?);
    f.set_mem(*kernel, 0, *buffer)?;
    let mut events = vec![f.own_event(f.launch_on(queue, *slow, 1)?)];
    for value in [1_i32, 10, 100] {
        f.set_arg(*kernel, 1, value)?;
        events.push(f.own_event(f.launch_on(queue, *kernel, 4)?));
    }
    f.set_arg(*kernel, 1, 1000_i32)?;
    ok!(f, piQueueFinish(queue));
    same("buffer", vec![111; 4], f.read::<i32>(*buffer, 4)?)
}

//! `piEnqueueKernelLaunch`: sizes.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use super::kernel_launch::launch;
use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{Codes, Verdict, check, codes, same};

pub(super) const CASES: &[Case] = &[
    case("LCH-02", "piEnqueueKernelLaunch", dims),
    case("LCH-03", "piEnqueueKernelLaunch", no_global),
    case("LCH-04", "piEnqueueKernelLaunch", global_0),
    case("LCH-05", "piEnqueueKernelLaunch", not_dividing),
    case("LCH-06", "piEnqueueKernelLaunch", local_0),
    case("LCH-07", "piEnqueueKernelLaunch", not_the_required),
    case("LCH-08", "piEnqueueKernelLaunch", over_the_limit),
    case("LCH-10", "piEnqueueKernelLaunch", local_memory),
    case("LCH-11", "piEnqueueKernelLaunch", required_without_local),
];

const GROUP_SIZE: Codes = codes(&[PI_ERROR_INVALID_WORK_GROUP_SIZE], &[]);

fn refuse(f: &Env, kernel: pi_kernel, global: &[usize], local: &[usize], codes: Codes) -> Verdict {
    let (queue, dims) = (f.queue()?, global.len() as u32);
    let (global, local) = (global.as_ptr(), local.as_ptr());
    refused!(
        f,
        piEnqueueKernelLaunch(queue, kernel, dims, null(), global, local, 0, null(), null_mut()),
        codes
    );
    Ok(())
}

fn dims(f: &Env) -> Verdict {
    let (kernel, queue, global) = (f.kernel(c"nothing")?, f.queue()?, [1_usize; 8]);
    let (start, codes) =
        (global.as_ptr(), codes(&[PI_ERROR_INVALID_WORK_DIMENSION], &[PI_ERROR_INVALID_VALUE]));
    for dims in [0, 4, u32::MAX] {
        refused!(
            f,
            piEnqueueKernelLaunch(queue, *kernel, dims, null(), start, null(), 0, null(), null_mut()),
            codes
        );
    }
    Ok(())
}

fn no_global(f: &Env) -> Verdict {
    let (kernel, queue) = (f.kernel(c"nothing")?, f.queue()?);
    let codes = codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_GLOBAL_WORK_SIZE], &[]);
    refused!(
        f,
        piEnqueueKernelLaunch(queue, *kernel, 1, null(), null(), null(), 0, null(), null_mut()),
        codes
    );
    Ok(())
}

/// Nothing runs and the event completes, or the launch is refused.
fn global_0(f: &Env) -> Verdict {
    let (kernel, queue, buffer) = (f.kernel(c"fill_index")?, f.queue()?, f.buffer(&[7_i32; 4])?);
    f.set_mem(*kernel, 0, *buffer)?;
    let mut event = null_mut();
    match call!(f, piEnqueueKernelLaunch(queue, *kernel, 1, null(), &0, null(), 0, null(), &mut event)) {
        Ok(()) => f.wait(event)?,
        Err(error) => {
            let good = error.code() == Some(PI_ERROR_INVALID_GLOBAL_WORK_SIZE);
            check(
                "",
                good,
                "PI_SUCCESS or PI_ERROR_INVALID_GLOBAL_WORK_SIZE",
                crate::outcome::answer(error),
            )?;
        }
    }
    same("buffer", vec![7; 4], f.read::<i32>(*buffer, 4)?)
}

/// Devices with non-uniform work-groups execute each item once.
fn not_dividing(f: &Env) -> Verdict {
    let (kernel, queue, buffer) = (f.kernel(c"count_places")?, f.queue()?, f.buffer(&[0_i32; 7])?);
    f.set_mem(*kernel, 0, *buffer)?;
    let mut event = null_mut();
    match call!(f, piEnqueueKernelLaunch(queue, *kernel, 1, null(), &7, &4, 0, null(), &mut event)) {
        Ok(()) => {
            f.wait(event)?;
            same("runs for each item", vec![1; 7], f.read::<i32>(*buffer, 7)?)
        }
        Err(error) => {
            let good = error.code() == Some(PI_ERROR_INVALID_WORK_GROUP_SIZE);
            check("", good, "PI_SUCCESS or PI_ERROR_INVALID_WORK_GROUP_SIZE", crate::outcome::answer(error))
        }
    }
}

fn local_0(f: &Env) -> Verdict {
    let codes = codes(&[PI_ERROR_INVALID_WORK_GROUP_SIZE, PI_ERROR_INVALID_WORK_ITEM_SIZE], &[]);
    refuse(f, *f.kernel(c"nothing")?, &[8], &[0], codes)
}

fn not_the_required(f: &Env) -> Verdict {
    let (kernel, buffer) = (f.kernel(c"fixed_size")?, f.buffer(&[0_i32; 64])?);
    f.set_mem(*kernel, 0, *buffer)?;
    refuse(f, *kernel, &[8, 8], &[8, 1], GROUP_SIZE)?;
    launch(f, *kernel, None, &[8, 8], Some(&[4, 2]))?;
    same("local sizes in the kernel", vec![42; 64], f.read::<i32>(*buffer, 64)?)
}

fn over_the_limit(f: &Env) -> Verdict {
    let kernel = f.kernel(c"nothing")?;
    let total = f.fact::<usize>(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE)?;
    let [most, ..] = f.fact::<[usize; 3]>(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES)?;
    let codes = codes(&[PI_ERROR_INVALID_WORK_GROUP_SIZE, PI_ERROR_INVALID_WORK_ITEM_SIZE], &[]);
    refuse(f, *kernel, &[2 * most], &[2 * most], codes)?;
    // Each is within its limit, but the product is not.
    refuse(f, *kernel, &[total, 2], &[total, 2], codes)
}

fn local_memory(f: &Env) -> Verdict {
    f.only(Backend::Cuda)?;
    let (kernel, buffer) = (f.kernel(c"local_sum")?, f.buffer(&[0_i32; 4])?);
    f.set_mem(*kernel, 0, *buffer)?;
    ok!(f, piKernelSetArg(*kernel, 1, 64 << 20, null()));
    refuse(f, *kernel, &[4], &[4], codes(&[PI_ERROR_PLUGIN_SPECIFIC_ERROR], &[]))?;
    ok!(f, piKernelSetArg(*kernel, 1, 16, null()));
    launch(f, *kernel, None, &[4], Some(&[4]))?;
    same("sum over local memory", vec![6], f.read::<i32>(*buffer, 1)?)
}

fn required_without_local(f: &Env) -> Verdict {
    let (kernel, buffer) = (f.kernel(c"fixed_size")?, f.buffer(&[0_i32; 64])?);
    f.set_mem(*kernel, 0, *buffer)?;
    launch(f, *kernel, None, &[8, 8], None)?;
    same("local sizes in the kernel", vec![42; 64], f.read::<i32>(*buffer, 64)?)
}

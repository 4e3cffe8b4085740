//! `piEnqueueKernelLaunch`: execution.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::{BASIC, Env};
use crate::outcome::{Failure, Verdict, check, codes, same};
use crate::skip;
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("LCH-01", "piEnqueueKernelLaunch", each_dimension),
    case("LCH-12", "piEnqueueKernelLaunch", argument_missing),
    case("LCH-13", "piEnqueueKernelLaunch", kernel_of_another_context),
    case("LCH-14", "piEnqueueKernelLaunch", questions_after_an_error),
    case("LCH-15", "piEnqueueKernelLaunch", large_and_odd),
    case("LCH-17", "piEnqueueKernelLaunch", with_offset),
    case("LCH-18", "piextKernelSuggestMaxCooperativeGroupCount", cooperative),
];

pub(super) fn launch(
    f: &Env,
    kernel: pi_kernel,
    offset: Option<&[usize]>,
    global: &[usize],
    local: Option<&[usize]>,
) -> Verdict {
    let (queue, dims) = (f.queue()?, global.len() as u32);
    let (offset, local) = (offset.map_or(null(), <[usize]>::as_ptr), local.map_or(null(), <[usize]>::as_ptr));
    let global = global.as_ptr();
    let event =
        made!(f, |out| piEnqueueKernelLaunch(queue, kernel, dims, offset, global, local, 0, null(), out));
    f.wait(event)
}

fn each_dimension(f: &Env) -> Verdict {
    let kernel = f.kernel(c"count_places")?;
    for dims in 1..=3 {
        let global = [6_usize, 4, 2];
        let global = global.get(..dims).unwrap_or_default();
        let count = global.iter().product();
        let (offset, local) = ([5_usize, 3, 1], [2_usize, 2, 1]);
        let (offset, local) = (offset.get(..dims), local.get(..dims));
        for (offset, local) in [(None, None), (offset, None), (None, local), (offset, local)] {
            let buffer = f.buffer(&vec![0_i32; count])?;
            f.set_mem(*kernel, 0, *buffer)?;
            launch(f, *kernel, offset, global, local)?;
            let (at, by) = (offset.in_words(), local.in_words());
            let what = format!("runs for each item of {}; offset: {at}; local: {by}", global.in_words());
            same(&what, vec![1; count], f.read::<i32>(*buffer, count)?)?;
        }
    }
    Ok(())
}

fn argument_missing(f: &Env) -> Verdict {
    if f.backend == Backend::Cuda {
        return Err(Failure::skip(skip::OTHER_BACKEND));
    }
    let (kernel, queue) = (f.kernel(c"add_value")?, f.queue()?);
    let codes = codes(&[PI_ERROR_INVALID_KERNEL_ARGS], &[]);
    refused!(f, piEnqueueKernelLaunch(queue, *kernel, 1, null(), &4, null(), 0, null(), null_mut()), codes);
    Ok(())
}

fn kernel_of_another_context(f: &Env) -> Verdict {
    let (context, queue) = (f.new_context()?, f.queue()?);
    let program = f.create_in(*context, &BASIC)?;
    f.build(*program, c"")?;
    let kernel = f.kernel_of(*program, c"nothing")?;
    let codes = codes(
        &[PI_ERROR_INVALID_CONTEXT, PI_ERROR_INVALID_KERNEL, PI_ERROR_INVALID_PROGRAM_EXECUTABLE],
        &[PI_ERROR_INVALID_VALUE],
    );
    refused!(f, piEnqueueKernelLaunch(queue, *kernel, 1, null(), &4, null(), 0, null(), null_mut()), codes);
    Ok(())
}

/// Queries that a runtime makes for its own message.
fn questions_after_an_error(f: &Env) -> Verdict {
    let (kernel, queue) = (f.kernel(c"fixed_size")?, f.queue()?);
    let buffer = f.buffer(&[0_i32; 64])?;
    f.set_mem(*kernel, 0, *buffer)?;
    let (global, local) = ([8_usize, 8], [8_usize, 1]);
    let (global, local) = (global.as_ptr(), local.as_ptr());
    let result =
        call!(f, piEnqueueKernelLaunch(queue, *kernel, 2, null(), global, local, 0, null(), null_mut()));
    check("", result.is_err(), "a refusal of a size other than the required one", "PI_SUCCESS")?;
    let name = PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE;
    same("required size", [4, 2, 1], get!(f, piKernelGetGroupInfo(*kernel, f.device, name) as [usize; 3]))?;
    let _ = f.fact::<usize>(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE)?;
    let _ = f.fact::<[usize; 3]>(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES)?;
    let name = PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE;
    let _ = get!(f, piKernelGetGroupInfo(*kernel, f.device, name) as usize);
    Ok(())
}

fn large_and_odd(f: &Env) -> Verdict {
    let (kernel, size) = (f.kernel(c"count_places")?, 1023_usize);
    let buffer = f.buffer(&vec![0_i32; size * size])?;
    f.set_mem(*kernel, 0, *buffer)?;
    launch(f, *kernel, None, &[size, size], None)?;
    let all = f.read::<i32>(*buffer, size * size)?;
    check("", all.iter().all(|count| *count == 1), "one run for each item", "other numbers")
}

fn with_offset(f: &Env) -> Verdict {
    let (kernel, buffer) = (f.kernel(c"global_ids")?, f.buffer(&[0_i32; 12])?);
    f.set_mem(*kernel, 0, *buffer)?;
    launch(f, *kernel, Some(&[10, 20]), &[2, 2], None)?;
    let expected = vec![10, 20, 0, 11, 20, 0, 10, 21, 0, 11, 21, 0];
    same("global ids", expected, f.read::<i32>(*buffer, 12)?)?;
    for offset in [[0, 20, 0], [0, 0, 30]] {
        launch(f, *kernel, Some(&offset), &[2, 2, 1], None)?;
        let (items, at) = ([[0, 0], [1, 0], [0, 1], [1, 1]], offset.map(|size| size as i32));
        let expected = items.map(|[x, y]| [x + at[0], y + at[1], at[2]]).concat();
        same("global ids with an offset in one dimension", expected, f.read::<i32>(*buffer, 12)?)?;
    }
    launch(f, *kernel, None, &[2, 2], None)?;
    let expected = vec![0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0];
    same("global ids of the next launch, without an offset", expected, f.read::<i32>(*buffer, 12)?)
}

fn cooperative(f: &Env) -> Verdict {
    f.since(Version::V15_47)?;
    let kernel = f.kernel(c"nothing")?;
    let all = f.fact::<u64>(PI_DEVICE_INFO_LOCAL_MEM_SIZE)? as usize;
    let groups = |local_memory| {
        let mut count = u32::MAX;
        call!(f, piextKernelSuggestMaxCooperativeGroupCount(*kernel, 1, local_memory, &mut count))
            .map(|()| count)
    };
    match groups(0) {
        Ok(count) => {
            check("", count < u32::MAX, "a number", count)?;
            let with_all = groups(all).map_err(|error| Failure::of_call(error, "a number"))?;
            check("", (1..=count).contains(&with_all), "a work-group or more with all local memory", with_all)
        }
        Err(error) => {
            let codes = [Some(PI_ERROR_INVALID_OPERATION), Some(PI_ERROR_UNSUPPORTED_FEATURE)];
            check(
                "",
                codes.contains(&error.code()),
                "a number, or that there is none",
                crate::outcome::answer(error),
            )
        }
    }
}

//! `piKernelGetInfo`, `piKernelGetGroupInfo`, `piKernelGetSubGroupInfo`.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{DEVICE, KERNEL, VALUE, Verdict, check, same};
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("KRN-06", "piKernelGetInfo", name),
    case("KRN-07", "piKernelGetInfo", facts),
    case("KRN-08", "piKernelGetInfo", bad_questions),
    case("KRN-09", "piKernelGetGroupInfo", group_facts),
    case("KRN-10", "piKernelGetGroupInfo", compile_size),
    case("KRN-11", "piKernelGetGroupInfo", registers),
    case("KRN-12", "piKernelGetGroupInfo", global_size),
    case("KRN-13", "piKernelGetSubGroupInfo", sub_groups),
    case("KRN-14", "piKernelGetGroupInfo", no_device),
];

fn name(f: &Env) -> Verdict {
    let kernel = f.kernel(c"fill_index")?;
    same("name", "fill_index".to_owned(), text!(f, piKernelGetInfo(*kernel, PI_KERNEL_INFO_FUNCTION_NAME)))
}

fn facts(f: &Env) -> Verdict {
    let kernel = f.kernel(c"add_value")?;
    same("arguments", 2, get!(f, piKernelGetInfo(*kernel, PI_KERNEL_INFO_NUM_ARGS) as u32))?;
    same("context", f.context()?, get!(f, piKernelGetInfo(*kernel, PI_KERNEL_INFO_CONTEXT) as pi_context))?;
    same("program", f.program()?, get!(f, piKernelGetInfo(*kernel, PI_KERNEL_INFO_PROGRAM) as pi_program))?;
    let _ = text!(f, piKernelGetInfo(*kernel, PI_KERNEL_INFO_ATTRIBUTES));
    Ok(())
}

fn bad_questions(f: &Env) -> Verdict {
    let kernel = f.kernel(c"nothing")?;
    bad_questions!(f, piKernelGetInfo(*kernel), PI_KERNEL_INFO_NUM_ARGS);
    bad_questions!(f, piKernelGetGroupInfo(*kernel, f.device), PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE);
    let (name, mut size) = (PI_KERNEL_INFO_NUM_ARGS, 0);
    refused!(f, piKernelGetInfo(null_mut(), name, 0, null_mut(), &mut size), KERNEL);
    Ok(())
}

fn group_facts(f: &Env) -> Verdict {
    let kernel = f.kernel(c"local_sum")?;
    let size =
        |name| -> Verdict<usize> { Ok(get!(f, piKernelGetGroupInfo(*kernel, f.device, name) as usize)) };
    let most = size(PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE)?;
    check("WORK_GROUP_SIZE", most > 0, "more than 0", most)?;
    let multiple = size(PI_KERNEL_GROUP_INFO_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)?;
    check("PREFERRED_WORK_GROUP_SIZE_MULTIPLE", multiple > 0, "more than 0", multiple)?;
    for name in [PI_KERNEL_GROUP_INFO_LOCAL_MEM_SIZE, PI_KERNEL_GROUP_INFO_PRIVATE_MEM_SIZE] {
        let bytes = get!(f, piKernelGetGroupInfo(*kernel, f.device, name) as u64);
        check(&format!("bytes {name:#x}"), bytes < 1 << 30, "less than 1 GiB", bytes)?;
    }
    Ok(())
}

fn compile_size(f: &Env) -> Verdict {
    for (name, expected) in [(c"fixed_size", [4, 2, 1]), (c"nothing", [0, 0, 0])] {
        let kernel = f.kernel(name)?;
        let asked = PI_KERNEL_GROUP_INFO_COMPILE_WORK_GROUP_SIZE;
        let size = get!(f, piKernelGetGroupInfo(*kernel, f.device, asked) as [usize; 3]);
        same(&format!("COMPILE_WORK_GROUP_SIZE of {name:?}"), expected, size)?;
    }
    Ok(())
}

fn registers(f: &Env) -> Verdict {
    let kernel = f.kernel(c"nothing")?;
    let name = PI_KERNEL_GROUP_INFO_NUM_REGS;
    if f.backend == Backend::Cuda {
        let _ = get!(f, piKernelGetGroupInfo(*kernel, f.device, name) as u32);
        return Ok(());
    }
    refused!(f, piKernelGetGroupInfo(*kernel, f.device, name, 0, null_mut(), &mut 0), VALUE);
    Ok(())
}

fn global_size(f: &Env) -> Verdict {
    let kernel = f.kernel(c"nothing")?;
    let name = PI_KERNEL_GROUP_INFO_GLOBAL_WORK_SIZE;
    let mut size = 0;
    match call!(f, piKernelGetGroupInfo(*kernel, f.device, name, 0, null_mut(), &mut size)) {
        Ok(()) => same("size of the answer", 24, size),
        Err(error) => check(
            "",
            error.code() == Some(PI_ERROR_INVALID_VALUE),
            "an answer or PI_ERROR_INVALID_VALUE",
            crate::outcome::answer(error),
        ),
    }
}

fn sub_groups(f: &Env) -> Verdict {
    let kernel = f.kernel(c"fill_index")?;
    let group = f.fact::<usize>(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE)?;
    for name in [
        PI_KERNEL_MAX_SUB_GROUP_SIZE,
        PI_KERNEL_MAX_NUM_SUB_GROUPS,
        PI_KERNEL_COMPILE_NUM_SUB_GROUPS,
        PI_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
    ] {
        let mut value = u32::MAX;
        let (room, mut size) = ((&raw mut value).cast(), 0);
        // No input, as in runtimes' queries.
        ok!(f, piKernelGetSubGroupInfo(*kernel, f.device, name, 0, null(), 4, room, &mut size));
        same(&format!("size of the answer to {name:#x}"), 4, size)?;
        let fits = value as usize <= group;
        check(
            &format!("answer to {name:#x}"),
            fits,
            format!("no more than work-items of a group ({group})"),
            value,
        )?;
    }
    // Required by SYCL 2020 for every device, even without sub-groups.
    let most = f.fact::<u32>(PI_DEVICE_INFO_MAX_NUM_SUB_GROUPS)?;
    check("the most sub-groups of a work-group", most >= 1, "at least 1", most)?;
    let sizes = bytes!(f, piDeviceGetInfo(f.device, PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL));
    let sizes: Vec<usize> = sizes.as_chunks().0.iter().map(|size| usize::from_ne_bytes(*size)).collect();
    let well = !sizes.is_empty() && !sizes.contains(&0);
    check("the sizes of sub-groups", well, "at least one, and none of 0", sizes.in_words())?;
    // Programs multiply it for the size of a work-group, such as dpctl's sort.
    let largest =
        get!(f, piKernelGetSubGroupInfo(*kernel, f.device, PI_KERNEL_MAX_SUB_GROUP_SIZE, 0, null()) as u32);
    let listed = sizes.contains(&(largest as usize));
    check("a kernel's largest sub-group", listed, format!("one of {}", sizes.in_words()), largest)
}

fn no_device(f: &Env) -> Verdict {
    let kernel = f.kernel(c"nothing")?;
    let (name, mut size) = (PI_KERNEL_GROUP_INFO_WORK_GROUP_SIZE, 0);
    refused!(f, piKernelGetGroupInfo(*kernel, null_mut(), name, 0, null_mut(), &mut size), DEVICE);
    refused!(f, piKernelGetGroupInfo(null_mut(), f.device, name, 0, null_mut(), &mut size), KERNEL);
    let name = PI_KERNEL_MAX_SUB_GROUP_SIZE;
    refused!(
        f,
        piKernelGetSubGroupInfo(*kernel, null_mut(), name, 0, null(), 0, null_mut(), &mut size),
        DEVICE
    );
    Ok(())
}

//! `piDeviceGetInfo`.

use std::ptr::null_mut;

use sycl_pi_core::*;

use super::info_table::{Kind, ROWS};
use crate::case::{Case, case};
use crate::env::Env;
use crate::info;
use crate::outcome::{DEVICE, Failure, SIZE, VALUE, Verdict, check, refusal, same};
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("DEV-17", "piDeviceGetInfo", sizes),
    case("DEV-18", "piDeviceGetInfo", unknown),
    case("DEV-19", "piDeviceGetInfo", bools),
    case("DEV-20", "piDeviceGetInfo", build_on_subdevice),
    case("DEV-21", "piDeviceGetInfo", doubles),
    case("DEV-22", "piDeviceGetInfo", il_extension),
    case("DEV-23", "piDeviceGetInfo", compiler),
    case("DEV-24", "piDeviceGetInfo", limits),
    case("DEV-25", "piDeviceGetInfo", stable),
];

fn answer(f: &Env, name: pi_device_info) -> Verdict<Vec<u8>> {
    if !f.strict {
        // Some crash if the room is larger than a number.
        return Ok(bytes!(f, piDeviceGetInfo(f.device, name)));
    }
    info::bytes_in_large_room("piDeviceGetInfo", |size, value, reported| {
        call!(f, piDeviceGetInfo(f.device, name, size, value, reported))
    })
}

fn sizes(f: &Env) -> Verdict {
    for (name, text, kind, since) in ROWS {
        let mut size = 0;
        if f.version < *since || call!(f, piDeviceGetInfo(f.device, *name, 0, null_mut(), &mut size)).is_err()
        {
            continue;
        }
        let what = format!("piDeviceGetInfo({text})");
        let got = answer(f, *name).map_err(|wrong| match wrong {
            Failure::Fail(mut fail) => {
                fail.call = format!("{what}: {}", fail.call);
                Failure::Fail(fail)
            }
            skip => skip,
        })?;
        let size = got.len();
        match kind {
            Kind::Bool | Kind::U32 => same(&what, 4, size)?,
            Kind::U64 | Kind::Size | Kind::Handle => same(&what, 8, size)?,
            Kind::Sizes(count) => same(&what, 8 * count, size)?,
            Kind::Bytes(count) => same(&what, *count, size)?,
            Kind::ListOf(each) => same(&format!("{what}: bytes past whole entries"), 0, size % each)?,
            Kind::Text => drop(info::text(&what, got)?),
        }
        if f.strict {
            room_for_nothing(f, &what, *name, size)?;
        }
    }
    Ok(())
}

/// A size of 0 is sufficient for an empty answer only.
fn room_for_nothing(f: &Env, what: &str, name: pi_device_info, size: usize) -> Verdict {
    let mut byte = info::UNTOUCHED;
    let mut reported = usize::MAX;
    let asked = call!(f, piDeviceGetInfo(f.device, name, 0, (&raw mut byte).cast(), &mut reported));
    let what = format!("{what} with room for 0 bytes");
    same(&what, info::UNTOUCHED, byte)?;
    if size > 0 {
        return refusal(&what, f.strict, asked, SIZE).map(drop);
    }
    asked?;
    same(&what, 0, reported)
}

fn unknown(f: &Env) -> Verdict {
    for name in [0xdead_beef, 0x7fff_ffff, 0] {
        let mut size = 0;
        refused!(f, piDeviceGetInfo(f.device, name, 0, null_mut(), &mut size), VALUE);
    }
    // Numbers that the backend may not support: an answer or exactly this refusal.
    for (name, text, _, since) in ROWS {
        let mut size = 0;
        if let (true, Err(error)) =
            (f.version >= *since, call!(f, piDeviceGetInfo(f.device, *name, 0, null_mut(), &mut size)))
        {
            let code = error.code();
            let what = format!("piDeviceGetInfo({text})");
            check(
                &what,
                code == Some(PI_ERROR_INVALID_VALUE),
                "an answer or PI_ERROR_INVALID_VALUE",
                crate::outcome::answer(error),
            )?;
        }
    }
    bad_questions!(f, piDeviceGetInfo(f.device), PI_DEVICE_INFO_TYPE);
    refused!(f, piDeviceGetInfo(null_mut(), PI_DEVICE_INFO_TYPE, 0, null_mut(), &mut 0), DEVICE);
    Ok(())
}

fn bools(f: &Env) -> Verdict {
    for (name, text, _, since) in ROWS.iter().filter(|(_, _, kind, _)| *kind == Kind::Bool) {
        let mut value = u32::MAX;
        let room = (&raw mut value).cast();
        if f.version >= *since && call!(f, piDeviceGetInfo(f.device, *name, 4, room, null_mut())).is_ok() {
            check(
                &format!("piDeviceGetInfo({text})"),
                value <= 1,
                "0 or 1 in four bytes",
                format!("{value:#x}"),
            )?;
        }
    }
    Ok(())
}

fn build_on_subdevice(f: &Env) -> Verdict {
    f.fact::<pi_bool>(PI_DEVICE_INFO_BUILD_ON_SUBDEVICE).map(|_| ())
}

fn doubles(f: &Env) -> Verdict {
    let config = f.fact::<pi_device_fp_config>(PI_DEVICE_INFO_DOUBLE_FP_CONFIG).unwrap_or(0);
    let listed = f.has_extension("cl_khr_fp64")?;
    same("cl_khr_fp64 among the extensions of a device with doubles", config != 0, listed)
}

fn il_extension(f: &Env) -> Verdict {
    let version = f.device_text(PI_DEVICE_INFO_VERSION)?;
    let old = version.starts_with("OpenCL 1.") || version.starts_with("OpenCL 2.0");
    let il = f.device_text(PI_DEVICE_INFO_IL_VERSION).unwrap_or_default();
    let listed = f.has_extension("cl_khr_il_program")?;
    check("", !old || il.is_empty() || listed, "cl_khr_il_program among the extensions", "it is not")
}

fn compiler(f: &Env) -> Verdict {
    let available = f.fact::<pi_bool>(PI_DEVICE_INFO_COMPILER_AVAILABLE)?;
    check("", available != 0 || !f.takes_spirv(), "a compiler on a device that takes SPIR-V", "none")
}

fn limits(f: &Env) -> Verdict {
    let total = f.fact::<usize>(PI_DEVICE_INFO_MAX_WORK_GROUP_SIZE)?;
    check("MAX_WORK_GROUP_SIZE", total > 0, "more than 0", total)?;
    let sizes = f.fact::<[usize; 3]>(PI_DEVICE_INFO_MAX_WORK_ITEM_SIZES)?;
    check("MAX_WORK_ITEM_SIZES", sizes.iter().all(|size| *size > 0), "more than 0 each", sizes.in_words())?;
    if let Ok(list) = answer(f, PI_DEVICE_INFO_SUB_GROUP_SIZES_INTEL) {
        let some = list.as_chunks::<8>().0.iter().all(|size| (1..=1024).contains(&u64::from_ne_bytes(*size)));
        check("SUB_GROUP_SIZES", some, "sane sizes", list.in_words())?;
    }
    Ok(())
}

fn stable(f: &Env) -> Verdict {
    for name in [PI_DEVICE_INFO_NAME, PI_DEVICE_INFO_VERSION, PI_DEVICE_INFO_DRIVER_VERSION] {
        let first = f.device_text(name)?;
        check(&format!("text {name:#x}"), !first.is_empty(), "some text", "none")?;
        same(&format!("text {name:#x} asked for again"), first, f.device_text(name)?)?;
    }
    Ok(())
}

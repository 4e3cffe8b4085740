//! `piPlatformGetInfo`.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::info;
use crate::outcome::{PLATFORM, SIZE, VALUE, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("PLT-09", "piPlatformGetInfo", texts),
    case("PLT-10", "piPlatformGetInfo", backend),
    case("PLT-11", "piPlatformGetInfo", size_0),
    case("PLT-12", "piPlatformGetInfo", one_byte_short),
    case("PLT-13", "piPlatformGetInfo", nothing_asked),
    case("PLT-14", "piPlatformGetInfo", unknown),
    case("PLT-15", "piPlatformGetInfo", no_platform),
];

fn texts(f: &Env) -> Verdict {
    for name in [
        PI_PLATFORM_INFO_NAME,
        PI_PLATFORM_INFO_VENDOR,
        PI_PLATFORM_INFO_PROFILE,
        PI_PLATFORM_INFO_VERSION,
        PI_PLATFORM_INFO_EXTENSIONS,
    ] {
        let answer = info::bytes_in_large_room("piPlatformGetInfo", |size, value, reported| {
            call!(f, piPlatformGetInfo(f.platform, name, size, value, reported))
        })?;
        let text = info::text("piPlatformGetInfo", answer)?;
        let may_be_empty = name == PI_PLATFORM_INFO_EXTENSIONS;
        check(&format!("text {name:#x}"), may_be_empty || !text.is_empty(), "some text", "none")?;
    }
    Ok(())
}

fn backend(f: &Env) -> Verdict {
    f.since(Version::V14_37)?;
    let backend = get!(f, piPlatformGetInfo(f.platform, PI_EXT_PLATFORM_INFO_BACKEND) as pi_platform_backend);
    let expected = match f.backend {
        Backend::OpenCl => PI_EXT_PLATFORM_BACKEND_OPENCL,
        Backend::LevelZero => PI_EXT_PLATFORM_BACKEND_LEVEL_ZERO,
        Backend::Cuda => PI_EXT_PLATFORM_BACKEND_CUDA,
        other => return check("", false, "a backend that the harness knows", other),
    };
    same("the backend's number", expected, backend)
}

fn size_0(f: &Env) -> Verdict {
    let mut room = [0xa5_u8; 8];
    let value = room.as_mut_ptr().cast();
    refused!(f, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_NAME, 0, value, null_mut()), SIZE);
    same("room", [0xa5; 8], room)
}

fn one_byte_short(f: &Env) -> Verdict {
    let mut size = 0;
    ok!(f, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_NAME, 0, null_mut(), &mut size));
    let mut room = vec![0xa5_u8; size];
    let value = room.as_mut_ptr().cast();
    refused!(f, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_NAME, size - 1, value, null_mut()), SIZE);
    same("room", vec![0xa5; size], room)
}

fn nothing_asked(f: &Env) -> Verdict {
    refused!(f, piPlatformGetInfo(f.platform, PI_PLATFORM_INFO_NAME, 100, null_mut(), null_mut()), VALUE);
    Ok(())
}

fn unknown(f: &Env) -> Verdict {
    let mut size = 0;
    refused!(f, piPlatformGetInfo(f.platform, 0xdead_beef, 0, null_mut(), &mut size), VALUE);
    Ok(())
}

fn no_platform(f: &Env) -> Verdict {
    let mut size = 0;
    refused!(f, piPlatformGetInfo(null_mut(), PI_PLATFORM_INFO_NAME, 0, null_mut(), &mut size), PLATFORM);
    Ok(())
}

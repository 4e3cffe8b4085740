//! `piPlatformsGet`.

use std::ptr::null_mut;

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{SIZE, VALUE, Verdict, check, same};
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("PLT-01", "piPlatformsGet", count_alone),
    case("PLT-02", "piPlatformsGet", handles),
    case("PLT-03", "piPlatformsGet", nothing_asked),
    case("PLT-04", "piPlatformsGet", no_entries),
    case("PLT-05", "piPlatformsGet", more_room),
    case("PLT-07", "piPlatformsGet", same_twice),
    case("PLT-08", "piPlatformsGet", how_many),
];

fn count(f: &Env) -> Verdict<pi_uint32> {
    Ok(made!(f, |out| piPlatformsGet(0, null_mut(), out)))
}

fn all(f: &Env) -> Verdict<Vec<pi_platform>> {
    let count = count(f)?;
    let mut platforms = vec![null_mut(); count as usize];
    ok!(f, piPlatformsGet(count, platforms.as_mut_ptr(), null_mut()));
    Ok(platforms)
}

fn count_alone(f: &Env) -> Verdict {
    let count = count(f)?;
    check("", count > 0, "at least the platform that the run uses", count)
}

fn handles(f: &Env) -> Verdict {
    let platforms = all(f)?;
    check("", platforms.iter().all(|platform| !platform.is_null()), "no null handle", platforms.in_words())
}

fn nothing_asked(f: &Env) -> Verdict {
    refused!(f, piPlatformsGet(0, null_mut(), null_mut()), VALUE);
    refused!(f, piPlatformsGet(1, null_mut(), null_mut()), VALUE);
    Ok(())
}

fn no_entries(f: &Env) -> Verdict {
    let mut room = [null_mut(); 8];
    refused!(f, piPlatformsGet(0, room.as_mut_ptr(), null_mut()), SIZE);
    check("", room.iter().all(|entry| entry.is_null()), "nothing written", room.in_words())
}

fn more_room(f: &Env) -> Verdict {
    let expected = all(f)?;
    let untouched: pi_platform = std::ptr::dangling_mut();
    let mut room = vec![untouched; expected.len() + 5];
    let mut reported = 0;
    ok!(f, piPlatformsGet(room.len() as u32, room.as_mut_ptr(), &mut reported));
    same("number of platforms", expected.len(), reported as usize)?;
    let (written, rest) = room.split_at(expected.len());
    same("platforms", expected.as_slice(), written)?;
    // Loaders may clear the room first, so that its content is not a handle.
    let harmless = rest.iter().all(|entry| *entry == untouched || entry.is_null());
    check("", harmless, "no handle past the number reported", rest.in_words())
}

fn same_twice(f: &Env) -> Verdict {
    same("platforms asked for again", all(f)?, all(f)?)
}

fn how_many(f: &Env) -> Verdict {
    let count = count(f)?;
    match f.backend {
        Backend::OpenCl => check("", count > 0, "one per driver", count),
        _ => same("number of platforms", 1, count),
    }
}

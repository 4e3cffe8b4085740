//! `piDevicePartition` and sub-devices.

use std::ptr::{null, null_mut};

use sycl_pi_core::*;
use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{DEVICE, Failure, VALUE, Verdict, check, codes, same};
use crate::skip;
use crate::values::InWords;

pub(super) const CASES: &[Case] = &[
    case("DEV-09", "piDeviceRetain", counted),
    case("DEV-10", "piDevicePartition", each_scheme),
    case("DEV-11", "piDevicePartition", fewer),
    case("DEV-12", "piDevicePartition", by_counts),
    case("DEV-13", "piDeviceGetInfo", parents),
    case("DEV-14", "piDevicePartition", unknown_scheme),
    case("DEV-15", "piDevicePartition", nulls),
    case("DEV-16", "piDeviceGetInfo", schemes),
];

/// `CL_DEVICE_PARTITION_BY_NAMES_INTEL`, which Intel's OpenCL drivers list in addition to those of the interface.
const INTEL_BY_NAMES: pi_device_partition_property = 0x4052;

fn counted(f: &Env) -> Verdict {
    let parts = f.some_parts(1)?;
    let Some(part) = parts.first() else { return Err(Failure::skip(skip::NO_PARTS)) };
    let count =
        || -> Verdict<u32> { Ok(get!(f, piDeviceGetInfo(**part, PI_DEVICE_INFO_REFERENCE_COUNT) as u32)) };
    let before = count()?;
    same("reference count", 1, before)?;
    ok!(f, piDeviceRetain(**part));
    same("reference count after retain", before + 1, count()?)?;
    ok!(f, piDeviceRelease(**part));
    same("reference count after release", before, count()?)
}

fn each_scheme(f: &Env) -> Verdict {
    let schemes = f.schemes()?;
    let mut some = false;
    for scheme in schemes {
        let list: &[pi_device_partition_property] = match scheme {
            PI_DEVICE_PARTITION_EQUALLY => &[PI_DEVICE_PARTITION_EQUALLY, 1, 0],
            PI_DEVICE_PARTITION_BY_COUNTS => &[PI_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0],
            PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN => {
                let domains =
                    f.fact::<pi_device_affinity_domain>(PI_DEVICE_INFO_PARTITION_AFFINITY_DOMAIN)?;
                if domains & PI_DEVICE_AFFINITY_DOMAIN_NUMA == 0 {
                    continue;
                }
                &[PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, PI_DEVICE_AFFINITY_DOMAIN_NUMA as isize, 0]
            }
            _ => continue,
        };
        let parts = match f.parts(list) {
            // A single part that is the whole device is not a partition.
            Err(Failure::Fail(fail)) if fail.code == Some(PI_ERROR_DEVICE_PARTITION_FAILED) => continue,
            parts => parts?,
        };
        some = true;
        check(&format!("scheme {scheme:#x}"), !parts.is_empty(), "sub-devices", "none")?;
        check(&format!("scheme {scheme:#x}"), parts.iter().all(|part| !part.is_null()), "no null", "null")?;
        if scheme != PI_DEVICE_PARTITION_EQUALLY {
            continue;
        }
        let units = f.fact::<u32>(PI_DEVICE_INFO_MAX_COMPUTE_UNITS)?;
        same("parts of one compute unit each", units as usize, parts.len())?;
        for part in &parts {
            let units = get!(f, piDeviceGetInfo(**part, PI_DEVICE_INFO_MAX_COMPUTE_UNITS) as u32);
            same("compute units of a part", 1, units)?;
            let words = bytes!(f, piDeviceGetInfo(**part, PI_DEVICE_INFO_PARTITION_TYPE));
            same("how it was made", Some(&scheme.to_ne_bytes()[..]), words.get(..8))?;
        }
    }
    if some { Ok(()) } else { Err(Failure::skip(skip::NO_PARTS)) }
}

fn fewer(f: &Env) -> Verdict {
    let all = f.some_parts(2)?.len();
    let list = f.splitting()?;
    for wanted in 0..=all {
        let mut room = vec![null_mut(); all];
        let mut reported = 0;
        ok!(f, piDevicePartition(f.device, list.as_ptr(), wanted as u32, room.as_mut_ptr(), &mut reported));
        let (here, beyond) = room.split_at(wanted);
        for part in here {
            check("", !part.is_null(), format!("{wanted} handles"), "a null one")?;
            drop(f.own_device(*part));
        }
        check("", beyond.iter().all(|part| part.is_null()), format!("{wanted} handles"), "more")?;
    }
    Ok(())
}

fn by_counts(f: &Env) -> Verdict {
    let units = f.fact::<u32>(PI_DEVICE_INFO_MAX_COMPUTE_UNITS)? as isize;
    if !f.schemes()?.contains(&PI_DEVICE_PARTITION_BY_COUNTS) || units < 2 {
        return Err(Failure::skip(skip::NO_PARTS));
    }
    let wanted = [units - 1, 1];
    let parts = f.parts(&[PI_DEVICE_PARTITION_BY_COUNTS, wanted[0], wanted[1], 0, 0])?;
    let mut got = Vec::new();
    for part in &parts {
        got.push(get!(f, piDeviceGetInfo(**part, PI_DEVICE_INFO_MAX_COMPUTE_UNITS) as u32) as isize);
    }
    same("compute units in the order asked", wanted.to_vec(), got)
}

fn parents(f: &Env) -> Verdict {
    same("a root's parent", null_mut(), f.fact::<pi_device>(PI_DEVICE_INFO_PARENT_DEVICE)?)?;
    for part in f.some_parts(1)? {
        let parent = get!(f, piDeviceGetInfo(*part, PI_DEVICE_INFO_PARENT_DEVICE) as pi_device);
        same("a part's parent", f.device, parent)?;
    }
    Ok(())
}

fn unknown_scheme(f: &Env) -> Verdict {
    let list = [0x7777, 1, 0];
    let mut count = 0;
    let codes = match f.backend {
        Backend::OpenCl => VALUE,
        _ => codes(&[PI_ERROR_INVALID_VALUE, PI_ERROR_INVALID_OPERATION, PI_ERROR_UNSUPPORTED_FEATURE], &[]),
    };
    refused!(f, piDevicePartition(f.device, list.as_ptr(), 0, null_mut(), &mut count), codes);
    Ok(())
}

fn nulls(f: &Env) -> Verdict {
    let list = [PI_DEVICE_PARTITION_EQUALLY, 1, 0];
    let mut count = 0;
    refused!(f, piDevicePartition(null_mut(), list.as_ptr(), 0, null_mut(), &mut count), DEVICE);
    refused!(f, piDevicePartition(f.device, null(), 0, null_mut(), &mut count), VALUE);
    Ok(())
}

/// A list without duplicates of schemes that the interface defines. It is empty for a device that cannot be
/// partitioned.
fn schemes(f: &Env) -> Verdict {
    let bytes = bytes!(f, piDeviceGetInfo(f.device, PI_DEVICE_INFO_PARTITION_PROPERTIES));
    same("bytes left over after whole properties", 0, bytes.len() % 8)?;
    let words = bytes.as_chunks::<8>().0.iter().map(|word| isize::from_ne_bytes(*word));
    let listed: Vec<_> = words.collect();
    // Some plugins end the list with a 0.
    let schemes = listed.strip_suffix(&[0]).unwrap_or(&listed);
    let known = [
        PI_DEVICE_PARTITION_EQUALLY,
        PI_DEVICE_PARTITION_BY_COUNTS,
        PI_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
        PI_EXT_INTEL_DEVICE_PARTITION_BY_CSLICE,
        INTEL_BY_NAMES,
    ];
    for (place, scheme) in schemes.iter().enumerate() {
        check("scheme", known.contains(scheme), "a scheme of the interface", format!("{scheme:#x}"))?;
        check("scheme", !schemes[..place].contains(scheme), "each once", format!("{scheme:#x} twice"))?;
    }
    let most = f.fact::<u32>(PI_DEVICE_INFO_PARTITION_MAX_SUB_DEVICES)?;
    check(
        "schemes of a device that has no parts",
        most > 0 || schemes.is_empty(),
        "none",
        schemes.in_words(),
    )?;
    if schemes.is_empty() {
        let (list, mut count) = ([PI_DEVICE_PARTITION_EQUALLY, 1, 0], 0);
        let result = call!(f, piDevicePartition(f.device, list.as_ptr(), 0, null_mut(), &mut count));
        check(
            "a partition by a scheme that is not listed",
            result.is_err(),
            "a refusal",
            format!("{count} parts"),
        )?;
    }
    Ok(())
}

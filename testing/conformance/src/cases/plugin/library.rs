//! The dependencies of the plugin's file.

use sycl_pi_loader::{Plugin, Version};

use super::tear_down::parameter;
use super::threads::Table;
use crate::case::{Case, alone, case};
use crate::env::{Env, ramp};
use crate::outcome::{Failure, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    case("LD-05", "piPluginInit", no_hard_dependencies),
    alone("TDN-03", "piTearDown", one_of_two_runtimes),
];

/// Libraries whose absence must not keep the plugin from loading.
const OPTIONAL: [&str; 5] = ["libOpenCL", "libze_loader", "libcuda", "libsycl", "libnvidia"];

fn no_hard_dependencies(f: &Env) -> Verdict {
    let bytes = std::fs::read(&f.path).map_err(|error| Failure::fail("", "a readable file", error))?;
    let needed = needed(&bytes).ok_or_else(|| Failure::fail("", "an ELF file", "something else"))?;
    let hard: Vec<String> =
        needed.into_iter().filter(|name| OPTIONAL.iter().any(|start| name.starts_with(start))).collect();
    check("", hard.is_empty(), "no driver and no libsycl that the file cannot load without", hard.join(", "))
}

fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

/// Returns the `DT_NEEDED` names of a 64-bit little-endian ELF file.
fn needed(bytes: &[u8]) -> Option<Vec<String>> {
    const LOAD: usize = 1;
    const DYNAMIC: usize = 2;
    if bytes.get(..6)? != [0x7f, b'E', b'L', b'F', 2, 1] {
        return None;
    }
    let (table, each, count) = (number(bytes, 32, 8)?, number(bytes, 54, 2)?, number(bytes, 56, 2)?);
    let mut loads = Vec::new();
    let mut dynamic = Vec::new();
    for index in 0..count {
        let header = table + index * each;
        let (offset, address) = (number(bytes, header + 8, 8)?, number(bytes, header + 16, 8)?);
        let size = number(bytes, header + 32, 8)?;
        match number(bytes, header, 4)? {
            LOAD => loads.push((address, offset, size)),
            DYNAMIC => {
                for entry in (offset..offset + size).step_by(16) {
                    dynamic.push((number(bytes, entry, 8)?, number(bytes, entry + 8, 8)?));
                }
            }
            _ => {}
        }
    }
    // DT_STRTAB, as an address.
    let names = dynamic.iter().find(|(tag, _)| *tag == 5)?.1;
    let (address, offset, _) =
        *loads.iter().find(|(address, _, size)| (*address..address + size).contains(&names))?;
    let names = names - address + offset;
    // DT_NEEDED.
    let offsets = dynamic.iter().filter(|(tag, _)| *tag == 1).map(|(_, at)| names + at);
    offsets
        .map(|at| {
            let name: Vec<u8> = bytes.get(at..)?.iter().copied().take_while(|byte| *byte != 0).collect();
            String::from_utf8(name).ok()
        })
        .collect()
}

/// Returns whether the file also supports runtimes of another PI version. Vendors' files only support their own
/// release, and end at the first tear-down.
fn serves_others(f: &Env) -> bool {
    let mut others = Version::ALL.into_iter().filter(|version| *version != f.version);
    // SAFETY: the file is the plugin under test, which the caller trusts.
    others.any(|version| unsafe { Plugin::open_version(&f.path, version) }.is_ok())
}

/// A second runtime in the process ends, and the first continues.
fn one_of_two_runtimes(f: &Env) -> Verdict {
    if !f.strict && !serves_others(f) {
        return Err(Failure::skip(crate::skip::ONE_RUNTIME));
    }
    let second =
        // SAFETY: the file is the plugin under test, which the caller trusts.
        unsafe { Plugin::open_version(&f.path, f.version) }
            .map_err(|error| Failure::fail("", "a table", error))?;
    let other = Table { pi: Box::leak(Box::new(second)).table() };
    call!(other, piTearDown(parameter()))?;
    let buffer = f.buffer(&ramp(64))?;
    same("content in the runtime that goes on", ramp(64), f.read(*buffer, 64)?)
}

//! The enumerators of `pi.h`, from golden data.

use serde_json::Value;

use crate::env::Env;
use crate::outcome::{Failure, Verdict};

/// The enumerators of one version.
pub(super) struct Enumeration {
    /// Names and values.
    pub(super) known: Vec<(String, i64)>,
    /// Values of no version.
    pub(super) unknown: Vec<(String, i64)>,
    /// The values of all versions.
    values: Vec<i64>,
}

impl Enumeration {
    /// Returns names and values of all numbers to try.
    pub(super) fn all(&self) -> impl Iterator<Item = (&(String, i64), bool)> {
        let known = self.known.iter().map(|item| (item, true));
        known.chain(self.unknown.iter().map(|item| (item, false)))
    }
}

/// Numbers that PI lacks and OpenCL has, or that end a list: the associated object of a buffer, the array size of an image,
/// a sampler's properties, a program's code and the size of its variables.
const OF_OPENCL: [i64; 6] = [0x1107, 0x1117, 0x1158, 0x1169, 0x1185, 0];

/// Returns the enumerators of the environment's version in a group of `enums.json`.
pub(super) fn enumeration(f: &Env, group: &str) -> Verdict<Enumeration> {
    let golden: Value = serde_json::from_str(include_str!("../../../../../pi-core/golden/enums.json"))
        .map_err(|error| Failure::fail("golden data", "JSON", error))?;
    let groups = golden["groups"].as_array();
    let found = groups.and_then(|groups| groups.iter().find(|of| of["name"] == group));
    let items = found.and_then(|found| found["items"].as_array());
    let items = items.ok_or_else(|| Failure::fail("golden data", group, "no such enumeration"))?;
    let version = f.version.c_text().to_string_lossy();
    let named = |item: &Value| Some((item["name"].as_str()?.to_owned(), item["value"].as_i64()?));
    // It is not known of some numbers whether a version has them.
    let is_here = |item: &&Value| item["present"][version.as_ref()].as_bool() != Some(false);
    let values: Vec<i64> = items.iter().filter_map(|item| item["value"].as_i64()).collect();
    let past = |number: &i64| !values.contains(number);
    let last = values.iter().copied().filter(|value| *value < 0x7000_0000).max().unwrap_or(0);
    let unknown = [last + 1, 0x7fff_1234].into_iter().filter(past).filter(|past| !OF_OPENCL.contains(past));
    let unknown = unknown.map(|number| (format!("{group} {number:#x}"), number)).collect();
    Ok(Enumeration { known: items.iter().filter(is_here).filter_map(named).collect(), unknown, values })
}

/// Returns bits of no version in a group of flags: the lowest one past the last, and the one with the number `high`.
pub(super) fn flags(f: &Env, group: &str, high: u32) -> Verdict<Enumeration> {
    let of = enumeration(f, group)?;
    // One enumerator of advices only sets the size of the type.
    let bits = of.values.iter().filter(|bit| **bit != 0x7fff_ffff);
    let past = i64::BITS - bits.fold(0, |bits, bit| bits | bit).leading_zeros();
    let unknown = [past, high].map(|bit| 1_i64 << bit);
    let unknown = unknown.map(|bit| (format!("{group} {bit:#x}"), bit)).into();
    Ok(Enumeration { unknown, ..of })
}

//! Every enumerator of the headers, in each parameter of its enumeration. The adapter must know it, whether the
//! device supports it or not.

use std::cell::RefCell;

use serde_json::Value;
use sycl_ur_core::*;
use testing_ur_host::{Filling, each_function};

use super::filling::{Ask, is_handle, rules};
use super::objects::{Fresh, Objects, release};
use crate::case::{Case, alone};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check};
use crate::values::ur_name;

pub(super) const CASES: &[Case] = &[
    alone("UR-80", "urDeviceGet", known_enumerators),
    alone("UR-81", "urDeviceGet", numbers_past_the_enumerators),
];

/// The codes of `ur_api.h` for an unknown enumerator, and for what an adapter does not support.
const REFUSALS: [ur_result_t; 3] = [
    UR_RESULT_ERROR_INVALID_ENUMERATION,
    UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
    UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
];

/// Calls that change what other calls use.
const TAKE_EFFECT: [&str; 4] =
    ["urAdapterSetLogger", "urProgramBuildExp", "urProgramCompileExp", "urProgramLinkExp"];

/// An enumeration, or a set of flags.
struct Enumeration {
    are_flags: bool,
    /// The values of the layout.
    known: Vec<u64>,
    /// A value of no layout: after the last one, or the lowest bit that is no flag.
    unknown: u64,
}

/// Returns the enumeration of a parameter's type in a layout.
fn enumeration(golden: &Value, ty: &str, layout: Layout) -> Option<Enumeration> {
    let name = ty.replace("_flags_t", "_flag_t");
    let found = golden["enums"].as_array()?.iter().find(|of| of["name"] == name.as_str())?;
    // Two releases of the headers have the same layout.
    let is_here = |list: &Value| {
        let same = |text: &Value| text == layout.name() || (layout == Layout::V2026_0 && text == "2026.0");
        list.as_array().is_none_or(|list| list.iter().any(same))
    };
    let items = found["items"].as_array()?;
    let value = |item: &Value| item["value"].as_u64();
    let known: Vec<u64> = items.iter().filter(|item| is_here(&item["present"])).filter_map(value).collect();
    let all = items.iter().filter_map(value);
    let are_flags = name != ty;
    let unknown = if are_flags {
        let bits = all.fold(0, |bits, bit| bits | bit);
        1 << (u64::BITS - bits.leading_zeros())
    } else {
        all.max()? + 1
    };
    Some(Enumeration { are_flags, known, unknown })
}

/// Valid arguments, with room for the objects that a call creates.
struct Places<'a> {
    ask: Ask<'a>,
    made: RefCell<Vec<(&'static str, *const usize)>>,
}

/// Kinds of objects that calls with an enumerator create.
const KINDS: [&str; 2] = ["ur_mem_handle_t", "ur_program_handle_t"];

impl Filling for Places<'_> {
    fn bytes(&self, place: usize, parameter: &str, ty: &str) -> [u64; 3] {
        let words = self.ask.bytes(place, parameter, ty);
        let kind = KINDS.into_iter().find(|kind| ty.ends_with(kind));
        match kind {
            Some(kind) if parameter.starts_with("ph") && ty.starts_with("*mut") && words[0] != 0 => {
                let place: &'static mut usize = Box::leak(Box::default());
                self.made.borrow_mut().push((kind, place));
                [std::ptr::from_mut(place) as u64, 0, 0]
            }
            _ => words,
        }
    }
}

/// Calls every function with each of `numbers` as each enumerator. Reports results that are not `well`.
fn each(
    f: &Env,
    numbers: impl Fn(&Enumeration) -> Vec<u64>,
    what: &str,
    well: impl Fn(ur_result_t) -> bool,
) -> Verdict {
    let golden: Value = serde_json::from_str(include_str!("../../../../../ur-core/golden/enums.json"))
        .map_err(|error| Failure::fail("golden data", "JSON", error.to_string()))?;
    let calls = &f.ur()?.connection.calls;
    let objects = Objects::new(f)?;
    let (mut wrong, mut left, mut tried) = (Vec::new(), Vec::new(), 0);
    let mut visit = |function: &'static Function,
                     params: table::Params,
                     call: &dyn Fn(&dyn Filling) -> ur_result_t| {
        // There is no valid argument for a kind of object that does not exist, or for an image.
        let none = params.iter().any(|(_, ty)| is_handle(ty) && objects.of(ty) == 0);
        let takes_effect = TAKE_EFFECT.iter().any(|name| function.name.starts_with(name));
        if none || takes_effect || function.family == Family::Bindless {
            return;
        }
        let rules = rules(function.name);
        for (place, (parameter, ty)) in params.iter().enumerate() {
            let Some(enumeration) = enumeration(&golden, ty, calls.layout()) else { continue };
            for number in numbers(&enumeration) {
                tried += 1;
                // The last line of a worker that crashes says where.
                eprintln!("{}: {parameter} {number:#x}", function.name);
                let ask =
                    Ask { objects: &objects, rules: &rules, layout: calls.layout(), tried: (place, number) };
                let places = Places { ask, made: RefCell::default() };
                let code = call(&places);
                if !well(code) {
                    wrong.push(format!("{}({parameter} {number:#x}) gives {}", function.name, ur_name(code)));
                }
                let made =
                    // SAFETY: places that are never freed.
                    places.made.into_inner().into_iter().map(|(kind, place)| (kind, unsafe { *place }));
                left.extend(made.filter(|(_, handle)| code == UR_RESULT_SUCCESS && *handle != 0));
            }
        }
    };
    // SAFETY: live handles, memory that is large enough, and one argument that is an enumerator, or that an adapter has to refuse.
    unsafe { each_function(calls, &mut visit) };
    ok!(f, piQueueFinish(f.queue()?));
    for (kind, handle) in left {
        release(f, &Fresh { kind, handle })?;
    }
    check("", tried > 20, "more than 20 calls", tried)?;
    all_well(what, &wrong)
}

fn known_enumerators(f: &Env) -> Verdict {
    let well = |code| code != UR_RESULT_ERROR_INVALID_ENUMERATION;
    each(f, |of| of.known.clone(), "any answer but 53 (invalid enumeration)", well)
}

/// Values of flags are bits, and all others of an enumeration are consecutive.
fn numbers_past_the_enumerators(f: &Env) -> Verdict {
    let numbers = |of: &Enumeration| match of.unknown {
        bit if of.are_flags && bit > 1 << 31 => Vec::new(),
        number => vec![number],
    };
    each(f, numbers, "53, 54 or 44", |code| REFUSALS.contains(&code))
}

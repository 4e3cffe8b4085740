//! The getters.

use std::ffi::c_void;

use sycl_ur_core::*;
use testing_ur_host::{Adapter, Getter, Layout};

use crate::case::{Case, alone, case};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check, same, same_code};

pub(super) const CASES: &[Case] = &[
    case("UR-01", "urGetPlatformProcAddrTable", no_slot_is_null),
    case("UR-02", "urGetPlatformProcAddrTable", unknown_versions),
    alone("UR-03", "urGetPlatformProcAddrTable", unknown_distances),
    alone("UR-04", "urGetPlatformProcAddrTable", null_tables),
    alone("UR-05", "urGetPlatformProcAddrTable", any_order_of_the_rest),
    case("UR-06", "urGetPlatformProcAddrTable", getters_of_every_layout),
];

const UNTOUCHED: *mut c_void = 0x5a5a_5a5a_usize as *mut c_void;

fn getter(f: &Env, name: &str) -> Verdict<Getter> {
    let getter = f.ur()?.file.getter(name);
    getter.ok_or_else(|| Failure::fail(name, "an exported function", "none"))
}

fn layout(f: &Env) -> Verdict<Layout> {
    Ok(f.ur()?.connection.calls.layout())
}

/// Returns an untouched block for tables, with room around it.
fn block() -> Vec<*mut c_void> {
    vec![UNTOUCHED; 4096]
}

fn no_slot_is_null(f: &Env) -> Verdict {
    let (block, layout) = (f.ur()?.connection.block, layout(f)?);
    let mut wrong = Vec::new();
    for table in TABLES {
        let (Some(start), Some(slots)) = (table.offset_in(layout), table.slots_in(layout)) else { continue };
        for slot in 0..slots {
            let named = table::functions_of(table.name, layout).find(|(own, _)| *own == slot);
            let null =
                block.get(usize::from(start) / 8 + usize::from(slot)).is_none_or(|word| word.is_null());
            // No release has a function for slot 6 of EnqueueExp in 2025.3, and no adapter fills it.
            if null && let Some((_, function)) = named {
                wrong.push(function.name.to_owned());
            }
        }
    }
    all_well("a function in each slot", &wrong)
}

fn unknown_versions(f: &Env) -> Verdict {
    for (name, place, _) in Adapter::getters(layout(f)?) {
        let getter = getter(f, name)?;
        for version in [0, 9, 0x0d, 0x0001_000c, u32::MAX] {
            let mut block = block();
            // SAFETY: there is far more room than in any table.
            let code = unsafe { getter(version, block.as_mut_ptr().add(1024 + place).cast()) };
            same_code(&format!("{name}({version:#x})"), UR_RESULT_ERROR_UNSUPPORTED_VERSION, code)?;
            let untouched = block.iter().all(|word| *word == UNTOUCHED);
            check(
                &format!("{name}({version:#x})"),
                untouched,
                "a table that was left alone",
                "it was written to",
            )?;
        }
    }
    Ok(())
}

/// Tables that are arranged as in no release: the second getter refuses, and what was agreed before still works.
fn unknown_distances(f: &Env) -> Verdict {
    let layout = layout(f)?;
    let version = layout.api_version();
    let (first, second) = (first_and_second(layout, 0), first_and_second(layout, 1));
    for distance in [8_usize, 264, 288, 1144, 1232, 4096] {
        let mut block = block();
        let start = block.as_mut_ptr();
        // SAFETY: there is far more room than in any table.
        let (code, refused) = unsafe {
            (
                getter(f, first)?(version, start.cast()),
                getter(f, second)?(version, start.byte_add(distance).cast()),
            )
        };
        same_code(&format!("{first} at the start"), UR_RESULT_SUCCESS, code)?;
        same_code(&format!("{second}, {distance} bytes on"), UR_RESULT_ERROR_UNSUPPORTED_VERSION, refused)?;
        let after = block.iter().skip(7).all(|word| *word == UNTOUCHED);
        check(
            &format!("{second}, {distance} bytes on"),
            after,
            "a table that was left alone",
            "it was written to",
        )?;
    }
    let good = f.ur()?.file.connect(layout);
    check(
        "the layout's own tables afterwards",
        good.is_ok(),
        "all of them",
        good.err().map_or_else(String::new, |error| error.to_string()),
    )
}

fn first_and_second(layout: Layout, number: usize) -> &'static str {
    Adapter::getters(layout).nth(number).map_or("", |(name, _, _)| name)
}

fn null_tables(f: &Env) -> Verdict {
    let version = layout(f)?.api_version();
    for (name, _, _) in Adapter::getters(layout(f)?) {
        // SAFETY: a null table, which the getter refuses.
        let code = unsafe { getter(f, name)?(version, std::ptr::null_mut()) };
        same_code(&format!("{name}(null)"), UR_RESULT_ERROR_INVALID_NULL_POINTER, code)?;
    }
    Ok(())
}

/// The first two determine the layout. The others may be called in any order, and repeatedly.
fn any_order_of_the_rest(f: &Env) -> Verdict {
    let layout = layout(f)?;
    let expected = f.ur()?.connection.block;
    let mut getters: Vec<(&str, usize, usize)> = Adapter::getters(layout).collect();
    let rest = getters.split_off(2);
    getters.extend(rest.iter().rev());
    getters.extend(rest.iter().take(3));
    let block = Box::leak(vec![std::ptr::null_mut::<c_void>(); layout.slot_count()].into_boxed_slice());
    let start = block.as_mut_ptr();
    for (name, place, _) in getters {
        // SAFETY: the table lies within the block.
        let code = unsafe { getter(f, name)?(layout.api_version(), start.add(place).cast()) };
        same_code(name, UR_RESULT_SUCCESS, code)?;
    }
    // Functions without a handle may be specific to each loader.
    let differ = block.iter().zip(expected).filter(|(one, other)| one.is_null() != other.is_null()).count();
    same("slots that are null in one order only", 0, differ)
}

fn getters_of_every_layout(f: &Env) -> Verdict {
    let file = f.ur()?.file;
    let all = Layout::ALL
        .into_iter()
        .flat_map(|layout| Adapter::getters(layout).map(move |(name, _, _)| (layout, name)));
    let missing = all.filter(|(_, name)| file.getter(name).is_none());
    let wrong: Vec<String> = missing.map(|(layout, name)| format!("{name} for {}", layout.name())).collect();
    all_well("every getter that a loader of any layout asks for", &wrong)
}

//! Handles of another kind, random memory and released handles, as each argument of each function. Also sizes that
//! overflow.

use sycl_ur_core::*;
use testing_ur_host::each_function;

use super::filling::{Ask, is_handle, rules};
use super::objects::{Objects, fresh, release};
use crate::case::{Case, alone};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::outcome::{Verdict, check};
use crate::values::ur_name;

pub(super) const CASES: &[Case] = &[
    alone("UR-23", "urEnqueueMemBufferCopy", sizes_that_wrap),
    alone("UR-25", "urQueueFinish", of_another_kind),
    alone("UR-26", "urQueueFinish", of_nothing),
    alone("UR-27", "urQueueFinish", released),
    alone("UR-28", "urQueueRelease", released_twice),
];

/// Calls every function with `argument(kind)` as each handle of a kind.
fn each(f: &Env, argument: impl Fn(&str) -> Vec<u64>) -> Verdict {
    each_place(f, |_, _, ty| if is_handle(ty) { argument(ty) } else { Vec::new() })
}

/// Calls every function with `argument(function, parameter, type)` as each parameter.
fn each_place(f: &Env, argument: impl Fn(&Function, &str, &str) -> Vec<u64>) -> Verdict {
    let calls = &f.ur()?.connection.calls;
    let objects = Objects::new(f)?;
    let mut wrong = Vec::new();
    let mut tried = 0;
    let mut visit = |function: &'static Function,
                     params: table::Params,
                     call: &dyn Fn(&dyn testing_ur_host::Filling) -> ur_result_t| {
        let rules = rules(function.name);
        for (place, (parameter, ty)) in params.iter().enumerate() {
            for argument in argument(function, parameter, ty) {
                tried += 1;
                // The last line of a worker that crashes says where.
                eprintln!("{}: {parameter} {argument:#x}", function.name);
                let ask = Ask {
                    objects: &objects,
                    rules: &rules,
                    layout: calls.layout(),
                    tried: (place, argument),
                };
                if call(&ask) == UR_RESULT_SUCCESS {
                    wrong.push(format!("{}({parameter} {argument:#x}) succeeds", function.name));
                }
            }
        }
    };
    // SAFETY: live handles and large enough memory, and one handle that an adapter has to refuse.
    unsafe { each_function(calls, &mut visit) };
    check("", tried > 30, "more than 30 calls", tried)?;
    all_well("an error", &wrong)
}

fn of_another_kind(f: &Env) -> Verdict {
    let objects = Objects::new(f)?;
    each(f, |kind| {
        let others = objects.all().iter().filter(|(other, _)| *other != kind);
        others.map(|(_, handle)| *handle as u64).collect()
    })
}

/// Memory that is not an object: zeros, words that are addresses, and words that are not.
fn of_nothing(f: &Env) -> Verdict {
    let zeros: &'static [u64] = vec![0_u64; 512].leak();
    let addresses: &'static [u64] = vec![zeros.as_ptr() as u64; 512].leak();
    let table: &'static [u64] = vec![f.ur()?.connection.block.as_ptr() as u64; 512].leak();
    let numbers: &'static [u64] = vec![0x0123_4567_89ab_cdef; 512].leak();
    each(f, |_| [zeros, addresses, table, numbers].map(|memory| memory.as_ptr() as u64).to_vec())
}

fn released(f: &Env) -> Verdict {
    let gone = fresh(f)?;
    for object in &gone {
        let code = release(f, object)?;
        check(object.kind, code == UR_RESULT_SUCCESS, "success of the release", ur_name(code))?;
    }
    each(f, |kind| {
        gone.iter().filter(|object| object.kind == kind).map(|object| object.handle as u64).collect()
    })
}

fn released_twice(f: &Env) -> Verdict {
    for object in fresh(f)? {
        let (first, second) = (release(f, &object)?, release(f, &object)?);
        check(object.kind, first == UR_RESULT_SUCCESS, "success of the first release", first)?;
        check(object.kind, second != UR_RESULT_SUCCESS, "an error of the second", second)?;
    }
    Ok(())
}

/// Sizes and offsets beyond every memory, and some that overflow when they are added or rounded up. Only if the
/// adapter knows the size of the memory, which it does not for host addresses.
fn sizes_that_wrap(f: &Env) -> Verdict {
    const SIZES: [&str; 6] = ["size", "offset", "srcOffset", "dstOffset", "widthInBytes", "height"];
    const ORIGINS: [&str; 3] = ["bufferOrigin", "srcOrigin", "dstOrigin"];
    let allocates = |name: &str| {
        let usm = name.starts_with("urUSM") || name.starts_with("urEnqueueUSM");
        let others = ["urMemBufferCreate", "urVirtualMemReserve", "urPhysicalMemCreate"];
        others.contains(&name) || (usm && name.contains("Alloc") && !name.contains("Register"))
    };
    each_place(f, |function, parameter, ty| {
        let sized = match ty {
            "usize" => SIZES.contains(&parameter),
            _ => ty == "ur_rect_offset_t" && ORIGINS.contains(&parameter),
        };
        let of_buffer = function.name.contains("MemBuffer");
        match sized && (of_buffer || allocates(function.name)) {
            true => vec![u64::MAX, u64::MAX - 7, u64::MAX - 4095, 1 << 63],
            false => Vec::new(),
        }
    })
}

//! Every rule of `ur_api.h` about null and unknown arguments, for every function that has one.

use sycl_ur_core::*;
use testing_ur_host::each_function;

use super::filling::{Ask, Rule, is_handle, rules};
use super::handles::last_text;
use super::objects::Objects;
use crate::case::{Case, alone};
use crate::cases::all_well::all_well;
use crate::env::Env;
use crate::outcome::Verdict;
use crate::values::ur_name;

pub(super) const CASES: &[Case] = &[
    alone("UR-20", "urContextCreate", null_handles),
    alone("UR-21", "urContextCreate", null_pointers),
    alone("UR-22", "urContextCreate", unknown_enumerators),
];

/// An unknown enumerator: beyond every enumeration, and a bit that no flags have.
const UNKNOWN: u64 = 0x8000_0000;

fn each(f: &Env, rule: Rule, argument: u64, expected: &[ur_result_t]) -> Verdict {
    let calls = &f.ur()?.connection.calls;
    let objects = Objects::new(f)?;
    let mut wrong = Vec::new();
    let mut tried = 0;
    let mut visit = |function: &'static Function,
                     params: table::Params,
                     call: &dyn Fn(&dyn testing_ur_host::Filling) -> ur_result_t| {
        let rules = rules(function.name);
        // There is no valid argument for a native handle, for a kind of object that does not exist, or for an image.
        let native = params.iter().any(|(_, ty)| ty.ends_with("native_handle_t") && !ty.starts_with('*'));
        let none = params.iter().any(|(_, ty)| is_handle(ty) && objects.of(ty) == 0);
        if rule != Rule::Handle && (native || none || function.family == Family::Bindless) {
            return;
        }
        for (place, (parameter, _)) in params.iter().enumerate() {
            if !rules.contains(&(*parameter, rule)) {
                continue;
            }
            tried += 1;
            // The last line of a worker that crashes says where.
            eprintln!("{}: {parameter}", function.name);
            let ask =
                Ask { objects: &objects, rules: &rules, layout: calls.layout(), tried: (place, argument) };
            let code = call(&ask);
            if !expected.contains(&code) {
                wrong.push(format!("{}({parameter}) gives {}", function.name, ur_name(code)));
            } else if !last_text(f).is_ok_and(|text| text.contains(function.name))
                && function.name != "urAdapterGetLastError"
            {
                wrong.push(format!(
                    "{}({parameter}) gives {} without a text of its own",
                    function.name,
                    ur_name(code)
                ));
            }
        }
    };
    // SAFETY: live handles, memory that is large enough, and one argument that an adapter has to refuse.
    unsafe { each_function(calls, &mut visit) };
    crate::outcome::check("", tried > 30, "more than 30 rules", tried)?;
    let codes: Vec<String> = expected.iter().map(|code| ur_name(*code)).collect();
    all_well(&format!("{} with a text that names the call", codes.join(" or ")), &wrong)
}

fn null_handles(f: &Env) -> Verdict {
    each(f, Rule::Handle, 0, &[UR_RESULT_ERROR_INVALID_NULL_HANDLE, UR_RESULT_ERROR_UNSUPPORTED_FEATURE])
}

fn null_pointers(f: &Env) -> Verdict {
    each(f, Rule::Pointer, 0, &[UR_RESULT_ERROR_INVALID_NULL_POINTER, UR_RESULT_ERROR_UNSUPPORTED_FEATURE])
}

fn unknown_enumerators(f: &Env) -> Verdict {
    let unknown = [
        UR_RESULT_ERROR_INVALID_ENUMERATION,
        UR_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
        UR_RESULT_ERROR_UNSUPPORTED_FEATURE,
    ];
    each(f, Rule::Enumeration, UNKNOWN, &unknown)
}

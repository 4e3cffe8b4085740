//! Calls any function by its name.

use sycl_ur_core::table::Params;
use testing_ur_host::{Calls, each_function};

use crate::script::Line;
use crate::values::{Arguments, World, plain};

/// The result of a call.
pub(crate) struct Made {
    pub(crate) code: u32,
    /// The created object, or null.
    pub(crate) object: u64,
    /// The values that it wrote through pointers, in words.
    pub(crate) outputs: String,
}

/// Returns the parameters of a function, if the layout has it.
pub(crate) fn params(calls: &Calls, function: &str) -> Option<Params> {
    let mut found = None;
    // SAFETY: nothing is called.
    unsafe {
        each_function(calls, &mut |row, params, _| found = (row.name == function).then_some(params).or(found))
    };
    found
}

/// Calls the function.
pub(crate) fn made(calls: &Calls, world: &World, line: &Line) -> Option<Made> {
    let mut made = None;
    // SAFETY: wrong arguments are the purpose. An adapter that crashes ends only this process.
    unsafe {
        each_function(calls, &mut |row, params, invoke| {
            if row.name == line.function {
                let arguments = Arguments::new(world, line, params);
                let code = invoke(&arguments);
                let (object, outputs) = outputs(world, params, &arguments);
                made = Some(Made { code, object, outputs });
            }
        });
    }
    made
}

fn outputs(world: &World, params: Params, arguments: &Arguments<'_>) -> (u64, String) {
    let (mut object, mut event, mut text) = (0, 0, String::new());
    for (name, ty) in params {
        let ty = plain(ty);
        if !ty.starts_with("*mut") || ty == "*mut c_void" {
            continue;
        }
        let place = arguments.room.get(*name).copied().filter(|place| *place != 0);
        let Some(place) = place else { continue };
        // SAFETY: the buffer for this argument.
        let words = unsafe { std::slice::from_raw_parts(place as *const u64, 4) };
        if ty.ends_with("_handle_t") || ty.ends_with("*mut c_void") {
            *(if *name == "phEvent" { &mut event } else { &mut object }) = words[0];
        }
        let is_set = words.iter().any(|word| *word != 0);
        match is_set {
            true if ["*mut u32", "*mut usize"].contains(&ty.as_str()) => {
                text += &format!(", {name} {}", words[0])
            }
            true => {
                let count = words.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
                let names = words[..count].iter().map(|word| world.object(*word).unwrap_or("new"));
                text += &format!(", {name} {}", names.collect::<Vec<&str>>().join(" "));
            }
            false => {}
        }
    }
    (if object == 0 { event } else { object }, text)
}

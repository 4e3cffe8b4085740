//! One process: one adapter at one layout, the calls from a number on.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use testing_ur_host::{Adapter, layout_of_name};

use crate::ask;
use crate::names::Names;
use crate::script::{self, Step};
use crate::values::World;

const QUESTIONS: &str = include_str!("questions.txt");
const KERNELS: &[u8] = include_bytes!("../../../../kernels/basic.spv");

/// Numbers the calls, and says which one is on its way.
pub(crate) struct Journal {
    next: usize,
    first: usize,
    left_out: BTreeSet<usize>,
}

impl Journal {
    /// A call of its own, unless an earlier process made it.
    pub(crate) fn call(&mut self, text: &str, make: impl FnOnce() -> String) {
        self.next += 1;
        if self.next > self.first && !self.left_out.contains(&(self.next - 1)) {
            self.write(text, make);
        }
    }

    fn write(&self, text: &str, make: impl FnOnce() -> String) {
        println!("@call\t{}\t{text}", self.next - 1);
        println!("@answer\t{}\t{}", self.next - 1, make().replace(['\n', '\t'], " "));
    }
}

/// Calls, and prints.
pub(crate) fn run(layout: &str, adapter: &Path, first: &str, left_out: &str) -> Result<(), String> {
    let layout = layout_of_name(layout).ok_or("no such layout")?;
    // SAFETY: a file that the user trusts.
    let adapter = unsafe { Adapter::open(adapter) }.map_err(|error| error.to_string())?;
    let connection = adapter.connect(layout).map_err(|error| error.to_string())?;
    let calls = &connection.calls;
    let host = vec![0_u64; 1 << 16].leak().as_mut_ptr() as u64;
    let objects = [
        ("host", host),
        ("kernels", KERNELS.as_ptr() as u64),
        ("kernels_size", KERNELS.len() as u64),
        ("callback", nothing as *const () as u64),
        // The second word in memory is far from any object's end.
        ("garbage", crate::values::memory(&[], 4096)),
    ];
    let objects: HashMap<String, u64> = objects.map(|(name, value)| (name.to_owned(), value)).into();
    let mut world = World { names: Names::read(layout)?, objects };
    let mut journal = Journal {
        next: 0,
        first: first.parse().map_err(|_| "no number")?,
        left_out: left_out.split(',').filter_map(|number| number.parse().ok()).collect(),
    };
    for line in script::read(QUESTIONS) {
        match &line.step {
            Step::Ask => ask::every(calls, &world, &line, &mut journal),
            _ if call::params(calls, &line.function).is_none() => {}
            Step::Call => journal.call(&line.text, || answer(&world, call::made(calls, &world, &line))),
            Step::Let(name) => {
                let number = journal.next;
                journal.next += 1;
                if journal.left_out.contains(&number) {
                    continue;
                }
                let mut made = None;
                journal.write(&line.text, || {
                    made = call::made(calls, &world, &line);
                    answer(&world, made.take_if(|made| made.code != 0))
                });
                if let Some(made) = made {
                    world.objects.insert(name.clone(), made.object);
                }
            }
        }
    }
    Ok(())
}

unsafe extern "C" fn nothing() {}

fn answer(world: &World, made: Option<call::Made>) -> String {
    made.map_or_else(|| "made".into(), |made| format!("{}{}", world.names.result(made.code), made.outputs))
}

/// Calls of any function by its name.
pub(crate) mod call {
    use sycl_ur_core::table::Params;
    use testing_ur_host::{Calls, each_function};

    use crate::script::Line;
    use crate::values::{Arguments, World, plain};

    /// What came of a call.
    pub(crate) struct Made {
        pub(crate) code: u32,
        /// The object that it made, or null.
        pub(crate) object: u64,
        /// What it wrote behind pointers, in words.
        pub(crate) outputs: String,
    }

    /// The parameters of a function, if the layout has it.
    pub(crate) fn params(calls: &Calls, function: &str) -> Option<Params> {
        let mut found = None;
        // SAFETY: nothing is called.
        unsafe {
            each_function(calls, |row, params, _| found = (row.name == function).then_some(params).or(found))
        };
        found
    }

    /// Calls it.
    pub(crate) fn made(calls: &Calls, world: &World, line: &Line) -> Option<Made> {
        let mut made = None;
        // SAFETY: what is wrong in an argument is the question: an adapter that crashes takes this process with it.
        unsafe {
            each_function(calls, |row, params, invoke| {
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
            // SAFETY: the room for this argument.
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
}

//! A process for one adapter at one layout, which makes the calls from a number on.

use std::collections::HashMap;
use std::path::Path;

use testing_ur_host::{Adapter, layout_of_name};

use crate::journal::Journal;
use crate::names::Names;
use crate::script::{self, Step};
use crate::values::World;
use crate::{ask, call};

const QUESTIONS: &str = include_str!("questions.txt");
const KERNELS: &[u8] = include_bytes!("../../../../kernels/basic.spv");

/// Makes the calls, and prints the results.
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

extern "C" fn nothing() {}

fn answer(world: &World, made: Option<call::Made>) -> String {
    made.map_or_else(|| "made".into(), |made| format!("{}{}", world.names.result(made.code), made.outputs))
}

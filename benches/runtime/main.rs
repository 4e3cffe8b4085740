//! `runtime-bench PLUGIN IMAGES` measures what the runtime adds to a launch, and the cost of its registry.
//! `benches/bench.py --runtime` runs it and shows its lines, each with one measurement as JSON.
#![expect(unsafe_code, reason = "measures C functions")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measuring program: a call that fails spoils the measurement and ends it"
)]

mod launch;
mod registry;

use std::path::PathBuf;

use serde::Serialize;

/// A measurement: nanoseconds of one operation, in rounds.
#[derive(Serialize)]
pub(crate) struct Measured {
    pub(crate) what: &'static str,
    pub(crate) median: f64,
    /// The middle half of the rounds.
    pub(crate) quartiles: [f64; 2],
    pub(crate) rounds: usize,
}

impl Measured {
    pub(crate) fn of(what: &'static str, mut rounds: Vec<f64>) -> Self {
        rounds.sort_by(f64::total_cmp);
        let at = |part: f64| rounds[((rounds.len() - 1) as f64 * part) as usize];
        Self { what, median: at(0.5), quartiles: [at(0.25), at(0.75)], rounds: rounds.len() }
    }
}

fn main() {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [plugin, images] = args.as_slice() else { panic!("usage: runtime-bench PLUGIN IMAGES") };
    let mut all = launch::run(plugin, images);
    all.extend(registry::run());
    for measured in all {
        println!("{}", serde_json::to_string(&measured).unwrap());
    }
}

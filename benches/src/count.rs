//! Runs one operation after the other, for Callgrind to count: `valgrind --tool=callgrind --collect-atstart=no pi-bench
//! count ..`.

use anyhow::Result;

use crate::callgrind;
use crate::cases::{self, Bench, works};
use crate::output::{Call, Run};
use crate::which::Which;

/// The number of uncounted operations before, for lazy binding and pools.
const WARM_UP: usize = 3;

/// Runs each operation on each side. The names of Callgrind's files contain the operation's and the side's number.
pub(crate) fn run(which: &Which) -> Result<Run<Call>> {
    let mut bench = Bench::start(which)?;
    let mut calls = Vec::new();
    for (index, mut case) in std::mem::take(&mut bench.cases).into_iter().enumerate() {
        cases::set_current(&case.call.name);
        for (side, operation) in case.sides.iter_mut().enumerate() {
            // The vendor's plugin may lack some.
            if side == 1 && !works(operation) {
                continue;
            }
            let name = std::ffi::CString::new(format!("{index} {side}"))?;
            operation(WARM_UP);
            bench.finish();
            callgrind::count(&name, || operation(1));
            bench.finish();
        }
        calls.push(case.call);
    }
    Ok(Run { version: bench.version.clone(), device: bench.device(), calls })
}

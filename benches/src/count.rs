//! One operation after the other, for Callgrind to count: `valgrind --tool=callgrind --collect-atstart=no pi-bench count ..`.

use anyhow::Result;

use crate::Which;
use crate::callgrind;
use crate::cases::{self, Bench, works};
use crate::output::{Call, Run};

/// Uncounted operations before: lazy binding, pools.
const WARM_UP: usize = 3;

/// Runs each operation on each side. What Callgrind writes of it is named with the operation's number and the side's.
pub(crate) fn run(which: &Which) -> Result<Run<Call>> {
    let mut bench = Bench::start(which)?;
    let mut calls = Vec::new();
    for (index, mut case) in std::mem::take(&mut bench.cases).into_iter().enumerate() {
        cases::set_current(&case.call.name);
        for (side, operation) in case.sides.iter_mut().enumerate() {
            // The vendor's may not have all.
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

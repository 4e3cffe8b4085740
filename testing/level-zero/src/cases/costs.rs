//! Tests of the driver calls per operation: in the steady state, none is wasted.

use super::Case;
use crate::operations::{Bench, NAMES};
use crate::{Soft, fixture};

pub(crate) const CASES: &[Case] = &[
    ("no_operation_takes_more_driver_calls_than_it_should", guard),
    ("no_pool_or_event_is_made_in_the_steady_state", steady),
];

/// Driver calls per operation in hundredths: the work itself, and a reset if an event is reused.
const MOST: [(&str, u64); 9] = [
    ("launch with 3 pointer arguments", 600),
    ("launch + wait", 600),
    ("64-byte USM copy", 300),
    ("64-byte USM copy + wait", 300),
    ("buffer write", 300),
    ("buffer write, blocking", 300),
    ("event wait", 2),
    ("device-variable write, blocking", 300),
    ("alloc + free", 0),
];

/// Returns driver calls per operation in hundredths.
pub(crate) fn count(bench: &mut Bench, soft: &Soft, name: &str, times: usize) -> u64 {
    bench.prepare(name, times);
    let before = soft.all_calls();
    for _ in 0..times {
        bench.run(name);
    }
    bench.settle();
    (soft.all_calls() - before) * 100 / times as u64
}

fn guard() {
    let soft = Soft::find().unwrap();
    let mut bench = Bench::new(fixture::plugin(), 0);
    for name in NAMES {
        count(&mut bench, &soft, name, 300);
        let used = count(&mut bench, &soft, name, 300);
        let (_, most) = MOST.iter().find(|(of, _)| *of == name).unwrap();
        assert!(used <= most + 10, "{name}: {used} hundredths of a driver call, {most} are enough");
    }
}

fn steady() {
    let soft = Soft::find().unwrap();
    let mut bench = Bench::new(fixture::plugin(), 0);
    let all = |bench: &mut Bench| {
        for name in NAMES {
            count(bench, &soft, name, 200);
        }
    };
    all(&mut bench);
    soft.reset();
    all(&mut bench);
    let report = soft.report();
    let made = report.calls.iter().filter(|(name, _)| {
        name.ends_with("Create") || name.ends_with("Destroy") || name.starts_with("zeMemAlloc")
    });
    let made: Vec<_> = made.collect();
    assert!(made.is_empty(), "{made:?}");
    assert!(report.complaints.is_empty(), "{:?}", report.complaints);
}

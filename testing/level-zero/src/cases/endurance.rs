//! Many launches: nothing grows.

use super::Case;
use crate::long_run::Endurance;
use crate::{Soft, fixture};

pub(crate) const CASES: &[Case] = &[("many_launches_with_events_waited_in_random_order_leak_nothing", many)];

/// Enough for every pool to be used many times over, few enough for every day; the program `pi-level-zero-endurance` does
/// ten million.
const LAUNCHES: u64 = 40_000;

/// Events of a driver's pool. The most that are under way at a time may be seen late, and then takes one more pool.
const POOL: u64 = 128;

fn many() {
    let soft = Soft::find().unwrap();
    let mut endurance = Endurance::new(fixture::plugin(), 0x5eed);
    endurance.run(LAUNCHES);
    let before = soft.report();
    endurance.run(LAUNCHES);
    let after = soft.report();
    for (kind, alive) in &after.alive {
        let room = match kind.as_str() {
            "event" => POOL,
            "event pool" => 1,
            _ => 0,
        };
        let first = before.alive.get(kind).copied().unwrap_or(0);
        assert!(*alive <= first + room, "{alive} of {kind} alive, {first} after the first half");
    }
    assert!(after.complaints.is_empty(), "{:?}", after.complaints);
    endurance.end();
    let left = soft.report().alive;
    assert_eq!((left["event"], left["event pool"], left["command list"]), (0, 0, 0));
}

//! Tests that nothing grows over many launches.

use super::Case;
use crate::long_run::Endurance;
use crate::{Soft, fixture};

pub(crate) const CASES: &[Case] = &[("many_launches_with_events_waited_in_random_order_leak_nothing", many)];

/// Half of the launches: enough to reuse every pool many times, few enough for daily runs. `PI_TEST_LAUNCHES` sets a
/// larger number.
const LAUNCHES: u64 = 40_000;

/// The growth of the process in KiB that is allowed while the allocators of plugin, driver and OpenCL runtime settle.
const SETTLING: u64 = 4096;

/// The number of events in a driver's pool. The maximum number of events in flight may be seen late, which takes one
/// more pool.
const POOL: u64 = 128;

/// Returns the memory of this process in KiB.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn many() {
    let soft = Soft::find().unwrap();
    let launches = std::env::var("PI_TEST_LAUNCHES").map_or(LAUNCHES, |number| number.parse().unwrap());
    let mut endurance = Endurance::new(fixture::plugin(), 0x5eed);
    endurance.run(launches);
    let (before, memory) = (soft.report(), resident());
    endurance.run(launches);
    let (after, grown) = (soft.report(), resident().saturating_sub(memory));
    println!("{launches} launches and as many again: {memory} KiB, then {grown} more");
    assert!(grown < SETTLING, "the process has grown by {grown} KiB");
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

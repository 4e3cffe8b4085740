//! A known fault of a driver.

use super::driver_facts::DriverFacts;
use super::needs::Needs;

/// A fault of a driver, and the rewrite that avoids it.
#[derive(Debug)]
pub struct KnownFault {
    /// The name of its platform.
    pub platform: &'static str,
    /// The first version that is known to have the fault.
    pub since: (u32, u32),
    /// The first later version that is known not to have it.
    pub before: (u32, u32),
    /// The behavior without the rewrite.
    pub fault: &'static str,
    /// The program that shows it, either one of `testing/legalize/src/kernels` or a kernel of a stock library.
    pub program: &'static str,
    pub(super) set: fn(&mut Needs, &DriverFacts),
}

impl KnownFault {
    /// Returns whether a driver has the fault on this device.
    pub fn is_of(&self, facts: &DriverFacts) -> bool {
        let mut needs = Needs::default();
        (self.set)(&mut needs, facts);
        // Some are faults on CPUs or on GPUs only.
        self.platform == facts.platform
            && (self.since..self.before).contains(&facts.version)
            && needs != Needs::default()
    }
}

/// No version without the fault is known.
pub(super) const EVER: (u32, u32) = (u32::MAX, u32::MAX);

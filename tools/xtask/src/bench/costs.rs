//! What each operation costs at one PI version or layout of Unified Runtime, and the limits of these costs.

use serde::Serialize;

use crate::bench::output::{Run, SystemCalls, Timed};
use crate::bench::stats::{self, Paired};
use crate::releases::Release;

/// The limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Line {
    /// What a call may add to the driver's own time, in nanoseconds.
    pub(crate) own_ns: f64,
    /// The share of the driver's own time that may be added if the operation enters the system. Without it, nanoseconds count there too.
    pub(crate) own_share: Option<f64>,
    /// The largest median, over all operations, of our time divided by the vendor's.
    pub(crate) median_ratio: f64,
}

/// The limits of our plugin.
pub(crate) const PLUGINS: Line = Line { own_ns: 15.0, own_share: Some(0.03), median_ratio: 1.02 };
/// The limits of our adapter.
pub(crate) const ADAPTERS: Line = Line { own_ns: 20.0, own_share: None, median_ratio: 1.02 };

/// An operation enters the system if it submits commands or waits for them: the driver's threads do that work. So does one in which
/// the driver makes this many system calls on average.
const SYSTEM_CALLS: f64 = 0.1;

/// All operations at one PI version or layout.
#[derive(Debug, Serialize)]
pub(crate) struct Costs {
    pub(crate) release: &'static str,
    /// The PI version of both plugins, or the layout of both adapters.
    pub(crate) version: String,
    #[serde(skip)]
    pub(crate) line: Line,
    pub(crate) device: String,
    /// Rounds of each operation.
    pub(crate) rounds: usize,
    pub(crate) operations: Vec<Cost>,
}

/// One operation. Times are nanoseconds.
#[derive(Debug, Serialize)]
pub(crate) struct Cost {
    pub(crate) name: String,
    pub(crate) ours: f64,
    pub(crate) vendor: f64,
    /// On the driver alone.
    pub(crate) bare: f64,
    /// Ours divided by the vendor's, in the same round.
    pub(crate) ratio: Paired,
    /// Ours minus the driver's, in the same round, for each call of the operation.
    pub(crate) own: Paired,
    /// Ours minus the driver's, divided by the driver's, in the same round.
    pub(crate) own_share: Paired,
    /// Whether it submits commands or waits for them.
    pub(crate) queued: bool,
    /// System calls on the driver alone.
    pub(crate) system_calls: f64,
    #[serde(skip)]
    limit: Limit,
}

/// What the own share may be at most.
#[derive(Debug, Clone, Copy)]
enum Limit {
    Nanoseconds(f64),
    ShareOfTheDriver(f64),
}

impl Costs {
    /// Joins times and system calls by name.
    pub(crate) fn new(release: &Release, timed: &Run<Timed>, system_calls: &Run<SystemCalls>) -> Self {
        let count = |name: &str| {
            system_calls.calls.iter().find(|call| call.name == name).map_or(0.0, |call| call.system_calls)
        };
        let line = if release.has_adapters() { ADAPTERS } else { PLUGINS };
        Costs {
            release: release.version,
            version: timed.version.clone(),
            line,
            device: timed.device.clone(),
            rounds: timed.calls.first().map_or(0, |call| call.rounds.ours.len()),
            operations: timed.calls.iter().map(|call| Cost::new(call, count(&call.name), line)).collect(),
        }
    }

    /// Whether adapters are compared, not plugins.
    pub(crate) fn is_of_adapters(&self) -> bool {
        self.line == ADAPTERS
    }

    /// What the version is one of.
    pub(crate) fn interface(&self) -> &'static str {
        if self.is_of_adapters() { "layout" } else { "PI" }
    }

    /// The median over all operations of our time divided by the vendor's.
    pub(crate) fn median_ratio(&self) -> f64 {
        let ratios: Vec<f64> = self.operations.iter().map(|cost| cost.ratio.median).collect();
        stats::median(&ratios)
    }

    /// The operation with the largest own share, among those that enter the system or among the others.
    pub(crate) fn worst(&self, enters_system: bool) -> Option<&Cost> {
        let those = self.operations.iter().filter(|cost| cost.enters_system() == enters_system);
        those.max_by(|one, other| one.relevant().median.total_cmp(&other.relevant().median))
    }

    /// The operations above the line.
    pub(crate) fn above(&self) -> impl Iterator<Item = &Cost> {
        self.operations.iter().filter(|cost| cost.is_above())
    }

    /// Whether the line holds.
    pub(crate) fn hold(&self) -> bool {
        self.above().next().is_none() && self.median_ratio() <= self.line.median_ratio
    }
}

impl Cost {
    fn new(timed: &Timed, system_calls: f64, line: Line) -> Self {
        let share = line.own_share.filter(|_| enters_system(timed.queued, system_calls));
        let rounds = &timed.rounds;
        let calls = timed.entry_points.len().max(1) as f64;
        let vendor = rounds.ours.iter().zip(&rounds.vendor);
        let bare = || rounds.ours.iter().zip(&rounds.bare);
        Cost {
            name: timed.name.clone(),
            ours: stats::median(&rounds.ours),
            vendor: stats::median(&rounds.vendor),
            bare: stats::median(&rounds.bare),
            ratio: Paired::of(vendor.map(|(ours, vendor)| ours / vendor)),
            own: Paired::of(bare().map(|(ours, bare)| (ours - bare) / calls)),
            own_share: Paired::of(bare().map(|(ours, bare)| (ours - bare) / bare)),
            queued: timed.queued,
            system_calls,
            limit: share.map_or(Limit::Nanoseconds(line.own_ns), Limit::ShareOfTheDriver),
        }
    }

    /// Whether the operation enters the system.
    pub(crate) fn enters_system(&self) -> bool {
        enters_system(self.queued, self.system_calls)
    }

    /// The own share in the unit of its limit.
    fn relevant(&self) -> &Paired {
        match self.limit {
            Limit::Nanoseconds(_) => &self.own,
            Limit::ShareOfTheDriver(_) => &self.own_share,
        }
    }

    /// Whether the own share is above its limit, with 99 % confidence.
    pub(crate) fn is_above(&self) -> bool {
        let (Limit::Nanoseconds(limit) | Limit::ShareOfTheDriver(limit)) = self.limit;
        self.relevant().confidence[0] > limit
    }

    /// The own share in words: `3.1 ns` or `1.2 %`.
    pub(crate) fn own_in_words(&self) -> String {
        let median = self.relevant().median;
        match self.limit {
            Limit::Nanoseconds(_) => format!("{median:.1} ns"),
            Limit::ShareOfTheDriver(_) => format!("{:.1} %", median * 100.0),
        }
    }
}

fn enters_system(queued: bool, system_calls: f64) -> bool {
    queued || system_calls >= SYSTEM_CALLS
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations of two calls each: the driver takes 100 ns, and the plugin adds `own` to both.
    fn costs(own: f64, queued: bool, system_calls: f64) -> Costs {
        costs_in("2023.2.4", own, queued, system_calls)
    }

    fn costs_in(release: &str, own: f64, queued: bool, system_calls: f64) -> Costs {
        let rounds = |time: f64| serde_json::json!(vec![time; 50]);
        let timed = serde_json::json!({"version": "", "device": "", "calls": [{
            "name": "x", "entry_points": ["a", "b"], "queued": queued,
            "rounds": {"ours": rounds(100.0 + 2.0 * own), "vendor": rounds(100.0), "bare": rounds(100.0)},
        }]});
        let calls = serde_json::json!({"version": "", "device": "", "calls": [{"name": "x", "system_calls": system_calls}]});
        let release = crate::releases::find_any(release).unwrap();
        Costs::new(release, &serde_json::from_value(timed).unwrap(), &serde_json::from_value(calls).unwrap())
    }

    #[test]
    fn nanoseconds_count_if_the_system_is_not_entered() {
        assert_eq!(costs(14.0, false, 0.0).above().count(), 0);
        assert_eq!(costs(16.0, false, 0.0).above().count(), 1);
    }

    #[test]
    fn the_share_counts_if_the_system_is_entered() {
        for (queued, system_calls) in [(true, 0.0), (false, 1.0)] {
            assert_eq!(costs(1.0, queued, system_calls).above().count(), 0);
            assert_eq!(costs(2.0, queued, system_calls).above().count(), 1);
        }
        assert_eq!(costs(2.0, true, 0.0).worst(true).unwrap().own_in_words(), "4.0 %");
    }

    #[test]
    fn nanoseconds_count_for_adapters_even_if_the_system_is_entered() {
        let above = |own| costs_in("2025.3.3", own, true, 1.0).above().count();
        assert_eq!([above(19.0), above(21.0)], [0, 1]);
    }

    #[test]
    fn the_median_ratio_is_held_to_its_limit_too() {
        assert!(costs(1.0, false, 0.0).hold());
        assert!(!costs(2.0, false, 0.0).hold());
    }
}

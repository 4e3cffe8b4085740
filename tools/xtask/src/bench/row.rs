//! One line per call: times and instructions of the three sides.

use serde::Serialize;

use crate::bench::data::{Counted, Counts, Run, Timed};
use crate::bench::stats::{self, Paired};
use crate::releases::Release;

/// The most that a call of ours may add to the driver's own time.
pub(super) const OWN_SHARE_NS: f64 = 10.0;

/// All calls.
#[derive(Debug, Serialize)]
pub(super) struct Rows {
    pub(super) release: &'static str,
    pub(super) pi: String,
    /// The device of the times; none where nothing was timed.
    pub(super) device: Option<String>,
    pub(super) rounds: usize,
    pub(super) rows: Vec<Row>,
}

/// One call.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) entry_points: Vec<String>,
    pub(super) queued: bool,
    pub(super) instructions: Instructions,
    pub(super) time: Option<Time>,
}

/// Instructions on the way to the driver, and calls of the driver, per operation. None: cannot be counted.
#[derive(Debug, Serialize)]
pub(super) struct Instructions {
    pub(super) ours: u64,
    pub(super) vendor: Option<u64>,
    /// The ICD loader's alone.
    pub(super) bare: u64,
    pub(super) our_driver_calls: u64,
    pub(super) vendor_driver_calls: Option<u64>,
}

/// Nanoseconds per operation.
#[derive(Debug, Serialize)]
pub(super) struct Time {
    pub(super) ours: f64,
    pub(super) vendor: f64,
    pub(super) bare: f64,
    /// Ours by the vendor's, in the same round.
    pub(super) ratio: Paired,
    /// A copy of the vendor's plugin by the vendor's: what equal code differs by.
    pub(super) equal: Paired,
    /// Ours less the bare driver's, in the same round, by the number of PI calls in the operation.
    pub(super) own: Paired,
}

impl Time {
    /// Slower than the vendor's plugin, and by more than a copy of that plugin differs from it.
    pub(super) fn is_slower(&self) -> bool {
        self.is_slower_by(0.0)
    }

    /// The same by more than a share of the vendor's time.
    pub(super) fn is_slower_by(&self, share: f64) -> bool {
        self.ratio.confidence[0] > self.noise() + share
    }

    /// Faster, likewise.
    pub(super) fn is_faster(&self) -> bool {
        self.ratio.confidence[1] < 1.0 / self.noise()
    }

    /// As a ratio of 1 or more: the farthest from 1 that equal code may be, with 99 % confidence.
    fn noise(&self) -> f64 {
        let [low, high] = self.equal.confidence;
        high.max(1.0 / low).max(1.0)
    }

    /// More on top of the driver than is allowed, and not by noise.
    pub(super) fn is_over(&self) -> bool {
        self.own.confidence[0] > OWN_SHARE_NS
    }
}

impl Rows {
    /// Joins times and counts by name.
    pub(super) fn new(release: &Release, timed: Option<Run<Timed>>, counted: Run<Counted>) -> Rows {
        let find = |name: &str| {
            let calls = timed.as_ref().map(|run| run.calls.as_slice()).unwrap_or_default();
            calls.iter().find(|call| call.name == name)
        };
        let rows = counted.calls.into_iter().map(|call| {
            let time = find(&call.name).map(|timed| time(timed, call.entry_points.len()));
            row(call, time)
        });
        let rows = rows.collect();
        let rounds =
            timed.as_ref().and_then(|run| run.calls.first()).map_or(0, |call| call.rounds.ours.len());
        let device = timed.map(|run| run.device);
        Rows { release: release.version, pi: counted.pi, device, rounds, rows }
    }
}

fn row(call: Counted, time: Option<Time>) -> Row {
    // What cannot be counted on the vendor's side is 0 in every respect.
    let counted = |counts: Counts| (counts.total > 0 || counts.driver_calls > 0).then_some(counts);
    let (ours, vendor) = (call.counts.ours, counted(call.counts.vendor));
    let instructions = Instructions {
        ours: ours.way(),
        vendor: vendor.map(Counts::way),
        bare: call.counts.bare.way(),
        our_driver_calls: ours.driver_calls,
        vendor_driver_calls: vendor.map(|counts| counts.driver_calls),
    };
    Row { name: call.name, entry_points: call.entry_points, queued: call.queued, instructions, time }
}

fn time(timed: &Timed, calls: usize) -> Time {
    let rounds = &timed.rounds;
    let ratio = rounds.ours.iter().zip(&rounds.vendor).map(|(ours, vendor)| ours / vendor);
    let equal = timed.again.iter().zip(&rounds.vendor).map(|(again, vendor)| again / vendor);
    let own = rounds.ours.iter().zip(&rounds.bare).map(|(ours, bare)| (ours - bare) / calls.max(1) as f64);
    Time {
        ours: stats::median(&rounds.ours),
        vendor: stats::median(&rounds.vendor),
        bare: stats::median(&rounds.bare),
        ratio: Paired::of(ratio),
        equal: Paired::of(equal),
        own: Paired::of(own),
    }
}

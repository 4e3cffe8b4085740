//! The objects of one thread, and the choice of its next step.

use anyhow::{Context, Result};
use sycl_pi_core::*;

use super::Shared;
use crate::host::call;

/// The counts of calls and checks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) calls: u64,
    pub(crate) steps: u64,
    pub(crate) checks: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Counts) {
        self.calls += other.calls;
        self.steps += other.steps;
        self.checks += other.checks;
    }
}

/// A thread.
pub(crate) struct Thread<'s, 'a> {
    pub(crate) shared: &'s Shared<'a>,
    pub(crate) index: usize,
    random: u64,
    pub(crate) counts: Counts,
    /// Each thread has its own kernel, because the arguments belong to the thread that launches it.
    pub(crate) kernel: pi_kernel,
    /// A buffer that kernels add to, and its expected content.
    pub(crate) sums: pi_mem,
    pub(crate) wanted: i32,
}

type Step<'s, 'a> = (&'static str, fn(&mut Thread<'s, 'a>) -> Result<()>);

impl<'s, 'a> Thread<'s, 'a> {
    pub(crate) fn new(shared: &'s Shared<'a>, index: usize, seed: u64) -> Result<Self> {
        let kernel = shared.host.kernel(c"add_value")?;
        let sums = shared.host.buffer(&[0; 16])?;
        Ok(Self { shared, index, random: seed | 1, counts: Counts::default(), kernel, sums, wanted: 0 })
    }

    /// Returns a number below `limit`.
    pub(crate) fn pick(&mut self, limit: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random % limit
    }

    /// Returns one of the shared queues.
    pub(crate) fn queue(&mut self) -> pi_queue {
        if self.pick(2) == 0 { self.shared.host.queue } else { self.shared.loose }
    }

    /// Performs steps until it is told to stop.
    pub(crate) fn run(mut self) -> Result<Counts> {
        while !self.shared.stop.load(std::sync::atomic::Ordering::Relaxed) {
            let (name, step) = self.next();
            let plan = self.shared.plan;
            let asked = plan.steps.is_empty() || plan.steps.iter().any(|step| step == name);
            if !asked || plan.without.iter().any(|step| step == name) {
                continue;
            }
            step(&mut self).with_context(|| format!("step {} ({name})", self.counts.steps))?;
            self.counts.steps += 1;
        }
        self.sum().context("at the end")?;
        let host = &self.shared.host;
        call!(host, piKernelRelease(self.kernel))?;
        call!(host, piMemRelease(self.sums))?;
        Ok(self.counts)
    }

    fn next(&mut self) -> Step<'s, 'a> {
        let usm = self.shared.has_usm;
        let buffers = self.shared.has_command_buffers;
        match self.pick(200) {
            0 if self.pick(20) == 0 => ("build", Thread::build),
            0..=25 => ("slot", Thread::slot),
            26..=60 => ("launch", Thread::launch),
            61..=70 => ("sum", Thread::sum),
            71..=80 => ("queue of its own", Thread::own_queue),
            81..=85 => ("released queue", Thread::released_queue),
            86..=105 => ("post an event", Thread::post),
            106..=125 => ("wait for others", Thread::wait),
            126..=140 => ("count references", Thread::references),
            141..=155 => ("refused", Thread::refused),
            156..=165 => ("buffers", Thread::buffers),
            166..=180 if usm => ("USM", Thread::usm),
            181..=190 if buffers => ("command buffer", Thread::command_buffer),
            _ => ("callback", Thread::callback),
        }
    }
}

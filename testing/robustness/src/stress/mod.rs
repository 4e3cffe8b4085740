//! Threads on the same objects. They share everything that they may share, and each step checks its results.

mod actions;
mod forks;
mod thread;

use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use sycl_pi_core::*;

use crate::code::Code;
use crate::host::{Host, call};
use crate::totals::Totals;
use thread::Thread;

/// The duration, the number of threads, and the versions.
pub(crate) struct Plan {
    pub(crate) seconds: u64,
    pub(crate) threads: usize,
    pub(crate) versions: Vec<Version>,
    pub(crate) in_order: bool,
    /// Steps that are skipped.
    pub(crate) without: Vec<String>,
    /// The steps to run. All if empty.
    pub(crate) steps: Vec<String>,
    pub(crate) seed: u64,
    /// Whether to fork children during the run.
    pub(crate) forks: bool,
}

/// The shared objects of all threads of one version.
pub(crate) struct Shared<'a> {
    pub(crate) host: Host,
    pub(crate) plugin: &'a Path,
    pub(crate) code: &'a Code,
    pub(crate) plan: &'a Plan,
    /// An out-of-order queue, if the device supports that.
    pub(crate) loose: pi_queue,
    /// A buffer with 64 ints for each thread.
    pub(crate) slots: pi_mem,
    /// Events that any thread may wait for, with one reference each.
    pub(crate) events: Mutex<Vec<usize>>,
    pub(crate) called_back: AtomicU64,
    pub(crate) callbacks: AtomicU64,
    pub(crate) stop: AtomicBool,
    pub(crate) has_usm: bool,
    pub(crate) has_command_buffers: bool,
}

// SAFETY: handles are only passed on to the plugin, which any thread may call.
unsafe impl Sync for Shared<'_> {}

/// The number of a thread's ints in the shared buffer.
pub(crate) const SLOT: usize = 64;

/// Runs the threads until the time is over. The first wrong step of each is a failure.
pub(crate) fn run(plugin: &Path, plan: &Plan, image: Option<PathBuf>) -> Result<Totals> {
    let code = Code::of(plugin, image)?;
    let versions = if plan.versions.is_empty() { vec![Version::NEWEST] } else { plan.versions.clone() };
    let mut shared = Vec::new();
    for version in versions {
        shared.push(Shared::new(plugin, &code, version, plan)?);
    }
    let start = Instant::now();
    let mut failures = Vec::new();
    let (mut sum, mut children) = (thread::Counts::default(), forks::Children::default());
    forks::prepare();
    std::thread::scope(|scope| {
        let begin = |index: usize| {
            let shared = &shared[index % shared.len()];
            let seed = plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (index as u64 + 1);
            scope.spawn(move || Thread::new(shared, index, seed).and_then(Thread::run))
        };
        let threads: Vec<_> = (0..plan.threads).map(begin).collect();
        let end = start + Duration::from_secs(plan.seconds);
        while Instant::now() < end && !threads.iter().any(std::thread::ScopedJoinHandle::is_finished) {
            std::thread::sleep(Duration::from_millis(20));
            if plan.forks
                && let Err(error) = forks::fork_one(&shared[0], &mut children)
            {
                failures.push(format!("{error:#}"));
                break;
            }
        }
        shared.iter().for_each(|shared| shared.stop.store(true, Ordering::Relaxed));
        for (index, thread) in threads.into_iter().enumerate() {
            match thread.join() {
                Ok(Ok(counts)) => sum.add(&counts),
                Ok(Err(error)) => failures.push(format!("thread {index}: {error:#}")),
                Err(_) => failures.push(format!("thread {index}: a panic")),
            }
        }
    });
    for shared in &shared {
        if let Err(error) = shared.end() {
            failures.push(format!("PI {}: {error:#}", shared.host.version.text()));
        }
    }
    if plan.forks {
        let forks::Children { well, refused, in_driver, .. } = children;
        println!(
            "children: {well} well, {refused} refused, {in_driver} that hung in the driver, {} bad",
            children.bad.len()
        );
        children.driver.iter().for_each(|text| println!("one that hung in the driver:\n{text}"));
        failures.extend(children.bad);
    }
    for failure in &failures {
        println!("{failure}");
    }
    let (calls, steps, checks) = (sum.calls, sum.steps, sum.checks);
    let (threads, seconds) = (plan.threads, start.elapsed().as_secs());
    println!("{threads} threads, {seconds} s: {calls} calls in {steps} steps, {checks} results checked");
    let failed = failures.len();
    let mut skipped = plan.without.len();
    if plan.in_order {
        println!("skipped: an out-of-order queue that threads share");
        skipped += 1;
    }
    plan.without.iter().for_each(|step| println!("skipped: the step {step:?}"));
    Ok(Totals { passed: plan.threads.saturating_sub(failed), failed, skipped })
}

impl<'a> Shared<'a> {
    fn new(plugin: &'a Path, code: &'a Code, version: Version, plan: &'a Plan) -> Result<Self> {
        let host = Host::open(plugin, version, code)?;
        let out_of_order = PI_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        let loose = match host.new_queue(if plan.in_order { 0 } else { out_of_order }) {
            Ok(queue) => queue,
            Err(_) => host.new_queue(0)?,
        };
        let slots = host.buffer(&vec![0; SLOT * plan.threads])?;
        let mut usm: pi_usm_capabilities = 0;
        let place = (&raw mut usm).cast();
        let name = PI_DEVICE_INFO_USM_SINGLE_SHARED_SUPPORT;
        let asked = call!(host, piDeviceGetInfo(host.device, name, size_of_val(&usm), place, null_mut()));
        let mut shared = Self {
            host,
            plugin,
            code,
            plan,
            loose,
            slots,
            events: Mutex::default(),
            called_back: AtomicU64::new(0),
            callbacks: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            has_usm: asked.is_ok() && usm & PI_USM_ACCESS != 0,
            has_command_buffers: false,
        };
        shared.has_command_buffers = shared
            .new_command_buffer()
            .is_ok_and(|buffer| call!(host, piextCommandBufferRelease(buffer)).is_ok());
        Ok(shared)
    }

    pub(crate) fn new_command_buffer(&self) -> Result<pi_ext_command_buffer, sycl_pi_loader::CallError> {
        let (host, mut buffer) = (&self.host, null_mut());
        // SAFETY: plain numbers and pointers, for which all bits zero is valid.
        let mut desc: pi_ext_command_buffer_desc = unsafe { std::mem::zeroed() };
        desc.stype = PI_EXT_STRUCTURE_TYPE_COMMAND_BUFFER_DESC;
        call!(host, piextCommandBufferCreate(host.context, host.device, &desc, &mut buffer))?;
        Ok(buffer)
    }

    /// Checks that everything was released, except for our last references.
    fn end(&self) -> Result<()> {
        let host = &self.host;
        for event in self.events.lock().map(|mut events| std::mem::take(&mut *events)).unwrap_or_default() {
            host.finish(std::ptr::with_exposed_provenance_mut(event)).context("an event that was left")?;
        }
        call!(host, piQueueFinish(host.queue))?;
        call!(host, piQueueFinish(self.loose))?;
        let start = Instant::now();
        let callbacks = self.callbacks.load(Ordering::SeqCst);
        while self.called_back.load(Ordering::SeqCst) < callbacks {
            let called = self.called_back.load(Ordering::SeqCst);
            anyhow::ensure!(start.elapsed().as_secs() < 10, "{called} of {callbacks} callbacks came");
            std::thread::sleep(Duration::from_millis(5));
        }
        call!(host, piMemRelease(self.slots))?;
        call!(host, piQueueRelease(self.loose))?;
        let mut count = 0_u32;
        let place = (&raw mut count).cast();
        let name = PI_PROGRAM_INFO_REFERENCE_COUNT;
        call!(host, piProgramGetInfo(host.program, name, 4, place, null_mut()))?;
        anyhow::ensure!(count == 1, "the program has {count} references, not 1");
        host.release()?;
        Ok(())
    }
}

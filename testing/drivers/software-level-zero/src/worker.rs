//! A thread for each queue and each immediate command list: it executes what was submitted, in that order.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use level_zero_sys::*;
use parking_lot::{Condvar, Mutex};

use crate::cl::ClQueue;
use crate::command::Command;
use crate::complaints::{complain, complain_here};
use crate::config::config;
use crate::entry::Answer;
use crate::line::Line;
use crate::poll::{ENGINE, GRACE, WAIT, poll};
use crate::{clock, faults};

/// An object that knows whether it is in use by a submission.
pub(crate) trait Submitted: Send + Sync {
    /// It was submitted.
    fn enter(&self);
    /// Its submission is done.
    fn leave(&self);
}

/// What is submitted at once.
pub(crate) enum Job {
    /// A command of an immediate list.
    One(Command),
    /// A closed list.
    List {
        /// The list itself.
        list: Arc<dyn Submitted>,
        /// Whether its commands stay in the order in which they were appended.
        in_order: bool,
        commands: Arc<Vec<Command>>,
    },
    /// The end of a submission.
    Fence(Arc<dyn Submitted>),
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    submitted: u64,
    stop: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
    done: Condvar,
    /// How many jobs the thread was reported of: rung when they are there and the lock is free.
    doorbell: Line<AtomicU64>,
    completed: Line<AtomicU64>,
    /// Threads that wait for jobs.
    waiting: AtomicU32,
    /// Nobody will wait any more: waits for events are given up.
    abandoned: AtomicBool,
    /// Commands stay in the order in which they came.
    in_order: bool,
}

/// The thread.
pub(crate) struct Worker {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Worker {
    pub(crate) fn new(in_order: bool) -> Answer<Self> {
        let in_order = in_order || !config().reorder;
        let shared = Arc::new(Shared { in_order, ..Shared::default() });
        let of_thread = shared.clone();
        let thread = std::thread::Builder::new()
            .name("soft-ze queue".to_owned())
            .spawn(move || of_thread.work())
            .map_err(|_| ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Hands over jobs.
    pub(crate) fn submit(&self, jobs: impl IntoIterator<Item = Job>) {
        let mut state = self.shared.state.lock();
        let before = state.submitted;
        for job in jobs {
            match &job {
                Job::One(command) => command.enter(),
                Job::List { list, commands, .. } => {
                    list.enter();
                    commands.iter().for_each(Command::enter);
                }
                Job::Fence(fence) => fence.enter(),
            }
            state.submitted += 1;
            state.jobs.push_back(job);
        }
        let more = state.submitted - before;
        drop(state);
        self.shared.doorbell.fetch_add(more, Ordering::Release);
        // No system call where the thread is not asleep.
        self.shared.wake.notify_one();
    }

    /// Waits until everything submitted so far is done.
    pub(crate) fn synchronize(&self, timeout: u64) -> Answer {
        faults::alive()?;
        let deadline = clock::deadline(timeout);
        let target = self.shared.state.lock().submitted;
        poll(WAIT, deadline, || faults::lost() || self.shared.completed() >= target);
        let mut state = self.shared.state.lock();
        let _waiting = Waiting::new(&self.shared);
        // Where later jobs may come first, the count says nothing about the earlier ones until all are done.
        while self.shared.completed() < if self.shared.in_order { target } else { state.submitted } {
            if faults::lost() {
                return Err(ZE_RESULT_ERROR_DEVICE_LOST);
            }
            let now = Instant::now();
            let look = now + Duration::from_millis(20);
            let until = match deadline {
                Some(deadline) if deadline <= now => return Err(ZE_RESULT_NOT_READY),
                Some(deadline) => deadline.min(look),
                None => look,
            };
            self.shared.done.wait_until(&mut state, until);
        }
        faults::alive()
    }

    /// Ends the thread.
    pub(crate) fn stop(&self) {
        let mut state = self.shared.state.lock();
        // A client that saw the last event may be here before the thread has counted that command.
        let until = Instant::now() + GRACE;
        let waiting = Waiting::new(&self.shared);
        while self.shared.completed() < state.submitted && !faults::lost() {
            if self.shared.done.wait_until(&mut state, until).timed_out() {
                break;
            }
        }
        drop(waiting);
        if self.shared.completed() < state.submitted && !faults::lost() {
            complain_here("destroyed with work that is not done".to_owned());
        }
        state.stop = true;
        drop(state);
        self.shared.abandoned.store(true, Ordering::Release);
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.lock().take()
            && thread.thread().id() != std::thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

/// A thread that waits for jobs: with the lock, or asleep.
struct Waiting<'a>(&'a AtomicU32);

impl<'a> Waiting<'a> {
    fn new(shared: &'a Shared) -> Self {
        shared.waiting.fetch_add(1, Ordering::SeqCst);
        Self(&shared.waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Job {
    /// The command, if it is a single one.
    fn one(&self) -> Option<&Command> {
        if let Job::One(command) = self { Some(command) } else { None }
    }
}

/// Waits up to so many microseconds before every second command, other ones for each: then others overtake it.
fn late(most: u64) {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    if most == 0 {
        return;
    }
    let mut word = COUNT.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    if word >> 63 == 0 {
        std::thread::sleep(Duration::from_micros((word >> 32) % most));
    }
}

/// Which of these commands is the next: the last that is ready, up to the first whose order is not free or which is none;
/// the first where that leaves nothing.
fn choice<'a>(commands: impl Iterator<Item = Option<&'a Command>>) -> usize {
    let free = commands.map_while(|one| one.filter(|command| command.is_free()));
    free.enumerate().filter(|(_, command)| command.is_ready()).last().map_or(0, |(index, _)| index)
}

impl Shared {
    fn work(&self) {
        let mut queue = None;
        let mut taken = 0;
        let mut jobs = VecDeque::new();
        loop {
            // A job may be taken before its ring is heard.
            let rung = || self.doorbell.load(Ordering::Acquire) > taken;
            poll(ENGINE, None, || rung() || self.abandoned.load(Ordering::Acquire));
            let mut state = self.state.lock();
            loop {
                self.take(&mut state.jobs, &mut jobs);
                match (jobs.len(), state.stop) {
                    (0, true) => return,
                    (0, false) => self.wake.wait(&mut state),
                    _ => break,
                }
            }
            drop(state);
            for job in jobs.drain(..) {
                taken += 1;
                self.run(job, &mut queue);
            }
        }
    }

    fn run(&self, job: Job, queue: &mut Option<ClQueue>) {
        match &job {
            Job::One(command) => self.command(command, queue),
            Job::List { list, in_order, commands } => {
                self.list(commands, *in_order, queue);
                list.leave();
            }
            Job::Fence(fence) if !faults::lost() => fence.leave(),
            Job::Fence(_) => {}
        }
        // What the job held goes before anybody learns that it is done.
        drop(job);
        self.completed.fetch_add(1, Ordering::SeqCst);
        // Either the waiting thread sees the count, or it is seen here; with the lock it is past its look, asleep.
        if self.waiting.load(Ordering::SeqCst) > 0 {
            drop(self.state.lock());
            self.done.notify_all();
        }
    }

    fn completed(&self) -> u64 {
        self.completed.load(Ordering::SeqCst)
    }

    /// The next jobs, all at once as a GPU fetches them; where order is free, the last of those that could be next.
    fn take(&self, jobs: &mut VecDeque<Job>, next: &mut VecDeque<Job>) {
        if self.in_order {
            std::mem::swap(jobs, next);
            return;
        }
        next.extend(jobs.remove(choice(jobs.iter().map(Job::one))));
    }

    /// A closed list; where order is free, other than recorded.
    fn list(&self, commands: &[Command], in_order: bool, queue: &mut Option<ClQueue>) {
        if in_order || self.in_order {
            return commands.iter().for_each(|command| self.command(command, queue));
        }
        let mut rest: Vec<&Command> = commands.iter().collect();
        while !rest.is_empty() {
            let next = choice(rest.iter().map(|command| Some(*command)));
            self.command(rest.remove(next), queue);
        }
    }

    fn command(&self, command: &Command, queue: &mut Option<ClQueue>) {
        if let Some(times) = self.execute(command, queue) {
            // First the count, then the signal: whoever sees the signal may destroy the events.
            command.leave();
            if let Some(signal) = &command.signal {
                signal.signal(command.name, Some(times));
            }
        } else {
            command.leave();
        }
    }

    /// Waits and executes; when that was, if it was done.
    fn execute(&self, command: &Command, queue: &mut Option<ClQueue>) -> Option<(u64, u64)> {
        let give_up = || faults::lost() || self.abandoned.load(Ordering::Acquire);
        if faults::lost() || !command.waits.iter().all(|event| event.wait(give_up)) {
            return None;
        }
        if let Some(result) = faults::next("execute") {
            if result != ZE_RESULT_ERROR_DEVICE_LOST {
                complain("execute", format!("{result:?} was injected: the device is lost"));
            }
            faults::lose();
            return None;
        }
        late(config().late);
        let _executing = faults::executing()?;
        let start = clock::ticks();
        if let Err(what) = command.execute(queue) {
            complain(command.name, what);
        }
        Some((start, clock::ticks()))
    }
}

//! A thread for each queue and each immediate command list, which executes submissions in order.

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

/// An object that tracks whether a submission uses it.
pub(crate) trait Submitted: Send + Sync {
    /// Called when it is submitted.
    fn enter(&self);
    /// Called when its submission is done.
    fn leave(&self);
}

/// A unit of submission.
pub(crate) enum Job {
    /// A command of an immediate list.
    One(Command),
    /// A closed list.
    List {
        /// The list itself.
        list: Arc<dyn Submitted>,
        /// Whether its commands are executed in the order in which they were appended.
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
    /// The number of jobs that were announced to the thread, after they were added and the lock was released.
    doorbell: Line<AtomicU64>,
    completed: Line<AtomicU64>,
    /// The number of threads that wait for jobs.
    waiting: AtomicU32,
    /// Whether waits for events are abandoned because nothing waits for the jobs any more.
    abandoned: AtomicBool,
    /// Whether commands are executed in the order of their submission.
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

    /// Submits jobs.
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
        // No system call if the thread is not asleep.
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
        // If later jobs may overtake, the count says nothing about the earlier ones until all are done.
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
        // A client that saw the last event may call this before the thread has counted that command.
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

/// A thread that waits for jobs, with the lock or asleep.
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
    /// Returns the command, if it is a single one.
    fn one(&self) -> Option<&Command> {
        if let Job::One(command) = self { Some(command) } else { None }
    }
}

/// Waits for up to this number of microseconds, different each time, before every second command, so that others
/// overtake it.
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

/// Returns the index of the next command: the last ready one before the first whose order is fixed or which is not
/// a command. If there is none, the first.
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
            // A job may be taken before its announcement is seen.
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
        // The job's references are released before its completion is visible.
        drop(job);
        self.completed.fetch_add(1, Ordering::SeqCst);
        // Either the waiting thread sees the count, or it is seen here. Once the lock is taken, it has checked the
        // count and sleeps.
        if self.waiting.load(Ordering::SeqCst) > 0 {
            drop(self.state.lock());
            self.done.notify_all();
        }
    }

    fn completed(&self) -> u64 {
        self.completed.load(Ordering::SeqCst)
    }

    /// Takes the next jobs, all at once like a GPU. If the order is free, takes the last of those that could be
    /// next.
    fn take(&self, jobs: &mut VecDeque<Job>, next: &mut VecDeque<Job>) {
        if self.in_order {
            std::mem::swap(jobs, next);
            return;
        }
        next.extend(jobs.remove(choice(jobs.iter().map(Job::one))));
    }

    /// Executes a closed list, in another order than recorded if the order is free.
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
            // The count precedes the signal, after which the client may destroy the events.
            command.leave();
            if let Some(signal) = &command.signal {
                signal.signal(command.name, Some(times));
            }
        } else {
            command.leave();
        }
    }

    /// Waits and executes. Returns the times, if it was executed.
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

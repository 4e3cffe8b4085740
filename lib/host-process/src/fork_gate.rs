//! Library calls that a fork and the exit of the process wait for.
//!
//! Only the thread that forks continues in the child. A lock that another thread held stays locked there, and the data
//! that it guards may be partly modified. Therefore, the library's calls pass through a gate. A fork closes it and
//! waits until no other thread is inside. The child then finds every lock free and every value consistent.
//!
//! A call may wait for the very thread that forks, or for a long time, so the fork waits for at most [`LONGEST_WAIT`].
//! If a thread is still inside then, calls of the child are refused, so that it gets an error instead of a hang. A call
//! that only waits for a driver, without a lock, waits [`outside`].
//!
//! Threads of the program may continue while the process exits, and a driver does not survive their calls during its
//! own shutdown. Therefore, its library closes the gate first ([`closed_at_end`]). A call then waits, usually until the
//! process is gone. The thread that exits may in turn wait for the caller, to join it, or for a lock of the program
//! that the caller holds. So calls that start no work do not wait, and others wait for at most [`LONGEST_END`], or for
//! [`IDLE_END`] while the exiting thread is blocked. Then they are refused, because the driver may be gone. Both limits
//! count polls instead of time, because polls take longer on a busy machine, which also slows the exiting thread down.

use std::cell::Cell;
use std::marker::PhantomData;
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering, compiler_fence, fence};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::thread::{MembarrierCommand, membarrier};

use crate::callers::Caller;
use crate::exiting_thread::ExitingThread;

/// The maximum time that a fork waits for other threads.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The maximum number of polls for which calls wait after the library's exit handler: half a second on an idle machine.
/// The driver's shutdown takes milliseconds.
const LONGEST_END: u32 = 500;
/// The number of successive polls that find the exiting thread blocked, without any use of the processor, after which
/// it is assumed to wait for a caller.
const IDLE_END: u32 = 50;
/// The time between the first two polls of a gate. It doubles with each poll.
const PAUSE: Duration = Duration::from_micros(20);
/// The maximum time between two polls of a gate that stays closed, as it does when the process exits.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// Set in [`STATE`] in a child if the fork waited in vain.
const REFUSED: u32 = 1;
/// Set if the system has no `membarrier`: a call then has to order its own accesses.
const FENCED: u32 = 2;
/// Added by each fork and by the exit of the process, which closes the gate. A fork subtracts it again.
const CLOSER: u32 = 4;

/// Whether calls may enter. Zero if they may, with nothing else to do first.
static STATE: AtomicU32 = AtomicU32::new(0);
/// Set when the library's exit handler begins.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// Set when that handler has finished.
static END: OnceLock<ExitingThread> = OnceLock::new();

static GENERATION: AtomicU32 = AtomicU32::new(0);
/// The process in which the handlers of forks were registered, or ran last.
static PROCESS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The number of the thread's fork handlers that are running, because they may be registered more than once.
    static HANDLERS: Cell<u32> = const { Cell::new(0) };
    /// Whether another thread was still inside after the thread's last fork had waited for it.
    static WAS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether the call of a name starts work.
pub type Starts = fn(&'static str) -> bool;

const NO_START: Starts = |_| false;

/// Makes a call that a fork in another thread waits for. In a child that found a thread in a call, `refused` is called
/// instead.
#[inline(always)]
pub fn inside<T>(work: impl FnOnce() -> T, refused: impl FnOnce() -> T) -> T {
    match enter("", NO_START) {
        Some(_inside) => work(),
        None => refused(),
    }
}

/// Waits for a driver within [`inside`]. A fork does not wait for this, so no lock may be held and no data may be
/// partly modified during the wait.
#[inline]
pub fn outside<T>(wait: impl FnOnce() -> T) -> T {
    match Caller::current() {
        Some(caller) if caller.depth() == 1 => {
            drop(Inside::new(caller));
            let _outside = Outside(caller);
            wait()
        }
        // A call from a callback of another call, which may hold locks.
        _ => wait(),
    }
}

/// Returns the number of times that this library was forked on the way to this process. Locks held by a thread of
/// another generation are never released.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Returns whether the process is exiting, and the library's exit handler has run.
pub fn has_ended() -> bool {
    END.get().is_some()
}

/// Returns whether this process is a child that found a thread in a call.
pub fn is_refused() -> bool {
    STATE.load(Ordering::Relaxed) & REFUSED != 0
}

/// A thread inside of the gate. A fork in another thread waits until this is dropped, in the same thread.
#[derive(Debug)]
pub struct Inside(&'static Caller, PhantomData<*const ()>);

impl Inside {
    /// Takes over that the caller is counted as inside once more.
    #[inline(always)]
    fn new(caller: &'static Caller) -> Self {
        Self(caller, PhantomData)
    }
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.set_depth(self.0.depth() - 1);
    }
}

/// A thread that waits outside of the gate. It goes back inside even if the wait panics.
struct Outside(&'static Caller);

impl Drop for Outside {
    fn drop(&mut self) {
        match enter_as(self.0, "", NO_START) {
            Some(inside) => std::mem::forget(inside),
            // In a child that is refused, the call still continues to its end.
            None => self.0.set_depth(1),
        }
    }
}

/// Enters the gate for a call of this name. Returns `None` in a child that found a thread in a call. If `starts` says that
/// the call starts work, it also waits when the process exits, and is then refused.
///
/// Both are plain values: with a closure, each entry point would have its own copy of the slow paths.
#[inline(always)]
pub fn enter(name: &'static str, starts: Starts) -> Option<Inside> {
    // Says that the thread is inside, then looks whether the gate is open. The thread that closes the gate does the
    // opposite. One of them therefore sees the other, if each processor does both in this order: the compiler is told
    // so here, and the processors by `order_all_processors`. An atomic exchange would do for both, and take as long as
    // most calls.
    match Caller::current() {
        Some(caller) if caller.depth() == 0 => enter_as(caller, name, starts),
        _ => enter_slowly(name, starts),
    }
}

/// Enters as a thread that is outside.
#[inline(always)]
fn enter_as(caller: &'static Caller, name: &'static str, starts: Starts) -> Option<Inside> {
    caller.set_depth(1);
    compiler_fence(Ordering::SeqCst);
    if STATE.load(Ordering::Acquire) != 0 {
        return enter_carefully(caller, name, starts);
    }
    Some(Inside::new(caller))
}

#[cold]
fn enter_slowly(name: &'static str, starts: Starts) -> Option<Inside> {
    let caller = Caller::current().unwrap_or_else(|| {
        register_once();
        // The handlers do not run in a fork that had begun when they were registered.
        if PROCESS.load(Ordering::SeqCst) != process::id() {
            WAS_INSIDE.set(is_other_inside());
            begin_in_child();
        }
        Caller::take()
    });
    if caller.depth() == 0 {
        return enter(name, starts);
    }
    caller.set_depth(caller.depth() + 1);
    Some(Inside::new(caller))
}

/// Enters once the gate is open. The thread has already said that it is inside.
#[cold]
fn enter_carefully(caller: &'static Caller, name: &'static str, starts: Starts) -> Option<Inside> {
    let is_open = || {
        fence(Ordering::SeqCst);
        STATE.load(Ordering::SeqCst) & !FENCED == 0
    };
    if is_open() {
        return Some(Inside::new(caller));
    }
    if HANDLERS.get() > 0 {
        // A handler of the program's, in the middle of a fork. The thread would wait for itself.
        caller.set_depth(u32::from(!WAS_INSIDE.get()));
        return (!WAS_INSIDE.get()).then_some(Inside::new(caller));
    }
    let starts = starts(name);
    let (mut pause, mut used, mut polls, mut idle_polls) = (PAUSE, None, 0, 0);
    loop {
        // The thread does not count as inside while it waits, so that a fork does not wait for it.
        caller.set_depth(0);
        while STATE.load(Ordering::SeqCst) & !FENCED != 0 {
            if is_refused() {
                return None;
            }
            if !starts && IS_ENDING.load(Ordering::SeqCst) {
                caller.set_depth(1);
                return Some(Inside::new(caller));
            }
            if let Some(thread) = END.get() {
                let before = used.replace(thread.used());
                let is_idle = before == used && !thread.is_runnable();
                polls += 1;
                idle_polls = if is_idle { idle_polls + 1 } else { 0 };
                if idle_polls >= IDLE_END || polls >= LONGEST_END {
                    return None;
                }
            }
            sleep(pause);
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
        caller.set_depth(1);
        if is_open() {
            return Some(Inside::new(caller));
        }
    }
}

/// Makes each processor that runs a thread of this process do what its program did before now, and nothing after it.
fn order_all_processors() {
    if STATE.load(Ordering::SeqCst) & FENCED != 0 {
        return fence(Ordering::SeqCst);
    }
    let order = || membarrier(MembarrierCommand::PrivateExpedited);
    if order()
        .or_else(|_| membarrier(MembarrierCommand::RegisterPrivateExpedited).and_then(|()| order()))
        .is_err()
    {
        STATE.fetch_or(FENCED, Ordering::SeqCst);
        // A processor makes its writes visible to others in less time.
        sleep(PAUSE);
    }
}

/// Registers the handlers. No thread may be inside before that, so threads that come here together all do it.
fn register_once() {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if !IS_REGISTERED.load(Ordering::Acquire) {
        PROCESS.store(process::id(), Ordering::SeqCst);
        register();
        if membarrier(MembarrierCommand::RegisterPrivateExpedited).is_err() {
            STATE.fetch_or(FENCED, Ordering::SeqCst);
        }
        Caller::prepare();
        IS_REGISTERED.store(true, Ordering::Release);
    }
}

/// Makes a fork close this library's gate before those of the libraries that it has called so far, because otherwise
/// its calls could not end behind their gates. Call this once, after the first call of another library that has a gate.
#[expect(unsafe_code, reason = "handlers in the C library's list")]
pub fn register() {
    // If the C library has no room for the handlers, a child behaves as if there were no gate.
    // SAFETY: the functions take no arguments and are in a file that stays loaded.
    unsafe { libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child)) };
}

/// Returns whether another thread is inside.
fn is_other_inside() -> bool {
    let own = Caller::current();
    Caller::all().any(|caller| caller.is_inside() && own.is_none_or(|own| !std::ptr::eq(own, caller)))
}

extern "C" fn before_fork() {
    if HANDLERS.replace(HANDLERS.get() + 1) > 0 {
        return;
    }
    close_and_wait();
}

fn close_and_wait() {
    STATE.fetch_add(CLOSER, Ordering::SeqCst);
    order_all_processors();
    let until = Instant::now() + LONGEST_WAIT;
    // A thread that was seen outside once stays outside, although it may briefly say that it is inside.
    let mut is_inside = is_other_inside();
    while is_inside && Instant::now() < until {
        sleep(PAUSE);
        is_inside = is_other_inside();
    }
    WAS_INSIDE.set(is_inside);
}

/// Runs the library's part of the exit, in an exit handler. Before that, waits for calls of other threads that start
/// work, as long as a fork would. From then on, such calls wait. Calls of this thread continue.
pub fn closed_at_end(work: impl FnOnce()) {
    // This thread stays inside, so that none of its calls reaches the gate.
    std::mem::forget(enter("", NO_START));
    IS_ENDING.store(true, Ordering::SeqCst);
    close_and_wait();
    work();
    END.get_or_init(ExitingThread::current);
}

/// Returns whether this was the first of the thread's handlers, which runs last after a fork.
fn is_last_handler() -> bool {
    HANDLERS.replace(HANDLERS.get().saturating_sub(1)) == 1
}

extern "C" fn in_parent() {
    if is_last_handler() {
        STATE.fetch_sub(CLOSER, Ordering::SeqCst);
    }
}

extern "C" fn in_child() {
    if is_last_handler() {
        begin_in_child();
    }
}

/// Opens the gate in a child, or has it refuse calls.
fn begin_in_child() {
    PROCESS.store(process::id(), Ordering::SeqCst);
    GENERATION.fetch_add(1, Ordering::SeqCst);
    Caller::forget_others();
    let refused = if WAS_INSIDE.get() || is_refused() { REFUSED } else { 0 };
    STATE.store(STATE.load(Ordering::SeqCst) & FENCED | refused, Ordering::SeqCst);
}

#[cfg(test)]
#[expect(unsafe_code, reason = "forks")]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};
    use std::thread::{scope, spawn};

    /// The tests fork one at a time, because a thread of one of them is inside on purpose.
    static ONE: Mutex<()> = Mutex::new(());

    /// Returns the exit code of a forked child, or 9 if it hangs.
    fn in_child(work: impl FnOnce() -> i32) -> i32 {
        // SAFETY: the child takes a lock and exits.
        match unsafe { libc::fork() } {
            0 => {
                // SAFETY: both end the process, the first one if it hangs.
                unsafe {
                    libc::alarm(10);
                    libc::_exit(work())
                }
            }
            child => {
                let mut status = 0;
                // SAFETY: this is the child of this process, and there is room for its status.
                assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
                if libc::WIFEXITED(status) { libc::WEXITSTATUS(status) } else { 9 }
            }
        }
    }

    /// Returns the exit codes of 40 children that take locks which threads of the parent take all the time.
    fn children_that_take_locks() -> Vec<i32> {
        let (locks, stop) = ([const { Mutex::new(0_u64) }; 4], AtomicBool::new(false));
        scope(|scope| {
            for lock in &locks {
                scope.spawn(|| {
                    while !stop.load(Ordering::Relaxed) {
                        inside(|| *lock.lock().unwrap() += 1, || ());
                    }
                });
            }
            let take_all = || locks.iter().all(|lock| inside(|| lock.lock().is_ok(), || false));
            let ends = (0..40).map(|_| in_child(|| i32::from(!take_all()))).collect();
            stop.store(true, Ordering::Relaxed);
            ends
        })
    }

    #[test]
    fn a_child_finds_each_lock_free_that_is_taken_inside() {
        let _one = ONE.lock();
        assert_eq!(children_that_take_locks(), [0; 40]);
    }

    #[test]
    fn a_child_finds_each_lock_free_on_a_system_without_membarrier() {
        let _one = ONE.lock();
        STATE.fetch_or(FENCED, Ordering::SeqCst);
        assert_eq!(children_that_take_locks(), [0; 40]);
        STATE.fetch_and(!FENCED, Ordering::SeqCst);
    }

    #[test]
    fn calls_are_refused_in_a_child_whose_parent_stays_inside() {
        let _one = ONE.lock();
        let ((began, has_began), (end, ends)) = (channel(), channel::<()>());
        let thread = spawn(move || {
            inside(
                || {
                    let _ = (began.send(()), ends.recv());
                },
                || (),
            )
        });
        has_began.recv().unwrap();
        let start = Instant::now();
        assert_eq!(in_child(|| i32::from(is_refused()) + inside(|| 0, || 2)), 3);
        assert!(start.elapsed() >= LONGEST_WAIT, "the fork waits");
        assert!(!is_refused() && inside(|| true, || false), "the parent goes on");
        end.send(()).unwrap();
        thread.join().unwrap();
        assert_eq!(in_child(|| inside(|| 0, || 2)), 0);
    }

    #[test]
    fn handlers_of_the_program_may_call_in_the_middle_of_a_fork() {
        let _one = ONE.lock();
        static CALLED: AtomicU32 = AtomicU32::new(0);
        extern "C" fn call() {
            inside(|| CALLED.fetch_add(1, Ordering::SeqCst), || 0);
        }
        // The program's handlers come first: before the fork they run last, and after it first.
        // SAFETY: the function takes no arguments and stays.
        assert_eq!(unsafe { libc::pthread_atfork(Some(call), Some(call), Some(call)) }, 0);
        inside(|| (), || ());
        let before = CALLED.load(Ordering::SeqCst);
        assert_eq!(in_child(|| (CALLED.load(Ordering::SeqCst) - before) as i32), 2);
        assert_eq!(CALLED.load(Ordering::SeqCst) - before, 2);
    }

    #[test]
    fn forks_of_several_threads_leave_the_gate_open() {
        let _one = ONE.lock();
        let calls = scope(|scope| {
            let fork = || (0..100).map(|_| in_child(|| inside(|| 0, || 2))).sum::<i32>();
            let forks = [scope.spawn(fork), scope.spawn(fork), scope.spawn(fork)];
            forks.map(|thread| thread.join().unwrap())
        });
        assert_eq!(calls, [0; 3]);
        assert_eq!(STATE.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_fork_does_not_wait_for_a_thread_outside_or_for_its_own_call() {
        let _one = ONE.lock();
        let ((began, has_began), (end, ends)) = (channel(), channel::<()>());
        let wait = move || {
            outside(|| {
                let _ = (began.send(()), ends.recv());
            })
        };
        let thread = spawn(move || inside(wait, || ()));
        has_began.recv().unwrap();
        let start = Instant::now();
        let nested = || inside(|| in_child(|| inside(|| 0, || 2)), || 4);
        assert_eq!(nested(), 0);
        assert!(start.elapsed() < LONGEST_WAIT);
        end.send(()).unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn a_call_within_a_call_does_not_leave_the_outer_one() {
        let _one = ONE.lock();
        let depth = || Caller::current().map_or(0, Caller::depth);
        inside(
            || {
                assert_eq!(depth(), 1);
                inside(|| outside(|| assert_eq!(depth(), 2)), || ());
                assert_eq!(depth(), 1);
                outside(|| assert_eq!(depth(), 0));
                let panic = std::panic::catch_unwind(|| outside(|| panic!("in a wait")));
                assert!(panic.is_err() && depth() == 1, "back inside after a panic");
            },
            || (),
        );
        assert_eq!(depth(), 0);
    }

    #[test]
    fn calls_of_other_threads_wait_at_the_end_and_are_refused_if_its_thread_waits_for_them() {
        let _one = ONE.lock();
        let code = in_child(|| {
            let [may_call, has_asked, is_answered, is_refused] = [const { AtomicBool::new(false) }; 4];
            let (mut has_waited, mut own_goes_on, mut end) = (false, false, None);
            scope(|scope| {
                scope.spawn(|| {
                    while !may_call.load(Ordering::SeqCst) {
                        sleep(PAUSE);
                    }
                    inside(|| has_asked.store(true, Ordering::SeqCst), || ());
                    let refused = || is_refused.store(has_ended(), Ordering::SeqCst);
                    if enter("", |_| true).is_none() {
                        refused();
                    }
                    is_answered.store(true, Ordering::SeqCst);
                });
                closed_at_end(|| {
                    may_call.store(true, Ordering::SeqCst);
                    sleep(2 * IDLE_END * LONGEST_PAUSE);
                    own_goes_on = inside(|| true, || false);
                    has_waited = has_asked.load(Ordering::SeqCst) && !is_answered.load(Ordering::SeqCst);
                });
                end = Some(Instant::now());
            });
            // The scope has joined the thread.
            let is_soon = end.is_some_and(|end| end.elapsed() < LONGEST_END * LONGEST_PAUSE);
            let is_refused = is_refused.load(Ordering::SeqCst);
            let wrong = [!own_goes_on, !has_waited, !is_soon, !is_refused];
            wrong.into_iter().enumerate().map(|(bit, wrong)| i32::from(wrong) << bit).sum()
        });
        assert_eq!(code, 0);
    }

    #[test]
    fn the_end_waits_for_calls_that_have_begun() {
        let _one = ONE.lock();
        let code = in_child(|| {
            let (has_begun, is_over) = (AtomicBool::new(false), AtomicBool::new(false));
            scope(|scope| {
                let call = || {
                    has_begun.store(true, Ordering::SeqCst);
                    sleep(Duration::from_millis(50));
                    is_over.store(true, Ordering::SeqCst);
                };
                scope.spawn(move || inside(call, || ()));
                while !has_begun.load(Ordering::SeqCst) {
                    sleep(PAUSE);
                }
                let mut has_waited = false;
                closed_at_end(|| has_waited = is_over.load(Ordering::SeqCst));
                i32::from(!has_waited)
            })
        });
        assert_eq!(code, 0);
    }

    #[test]
    fn each_fork_is_a_generation() {
        let _one = ONE.lock();
        inside(|| (), || ());
        let parent = generation();
        let child = Arc::new(move || i32::from(generation() != parent + 1));
        assert_eq!(in_child(move || child()), 0);
        assert_eq!(generation(), parent);
    }
}

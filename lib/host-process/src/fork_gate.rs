//! Library calls that a fork and the exit of the process wait for.
//!
//! Only the thread that forks continues in the child. A lock that another thread held stays locked there, and the data
//! that it guards may be partly modified. Therefore, the library's calls pass through a gate. A fork closes it and
//! waits until no other thread is inside. The child then finds every lock free and every value consistent.
//!
//! A call may wait for the very thread that forks, or for a long time, so the fork waits for at most [`LONGEST_WAIT`].
//! If a thread is still inside then, calls of the child are refused: it gets an error instead of a hang. A call that
//! only waits for a driver, without a lock, waits [`outside`].
//!
//! Threads of the program may continue while the process exits, and a driver does not survive their calls during its own
//! shutdown. Therefore, its library closes the gate first ([`closed_at_end`]). A call then waits, usually until the
//! process is gone. The thread that exits may in turn wait for the caller: it joins it, or needs a lock of the program
//! that the caller holds. So calls that start no work do not wait, and others wait for at most [`LONGEST_END`], or for
//! [`IDLE_END`] while the exiting thread uses no processor time. Then they are refused, because the driver may be gone.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The maximum time that a fork waits for other threads.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The maximum time that calls wait after the library's exit handler. The driver's shutdown takes milliseconds.
const LONGEST_END: Duration = Duration::from_millis(500);
/// The time without processor use after which the exiting thread is assumed to wait for a caller.
const IDLE_END: Duration = Duration::from_millis(50);
/// The time between the first two polls of a gate. It doubles with each poll.
const PAUSE: Duration = Duration::from_micros(20);
/// The maximum time between two polls of a gate that stays closed, as it does when the process exits.
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// Set in a shard while a thread forks, and when the process exits.
const CLOSED: u32 = 1 << 31;
/// Set in a child if the fork waited in vain.
const REFUSED: u32 = 1 << 30;
/// The bits of the counter.
const COUNT: u32 = REFUSED - 1;

/// The number of threads inside, of those that are counted in this shard. It has its own cache line, because threads
/// update it at each call.
#[repr(align(128))]
struct Shard(AtomicU32);

static SHARDS: [Shard; 64] = [const { Shard(AtomicU32::new(0)) }; 64];
/// The number of forks that have closed the gate. The exit of the process counts as a fork that never finishes.
static FORKS: AtomicU32 = AtomicU32::new(0);
/// Set when the library's exit handler begins.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// Set when that handler has finished.
static END: OnceLock<End> = OnceLock::new();

/// Whether a thread was still inside after the last fork had waited for it.
static WAS_INSIDE: AtomicBool = AtomicBool::new(false);

static GENERATION: AtomicU32 = AtomicU32::new(0);

/// The state of a thread. It has no destructor, so that calls in exit handlers can use it too.
struct ThreadState {
    /// The shard that counts the thread; `None` before its first call.
    shard: Cell<Option<&'static Shard>>,
    /// The depth of nested calls.
    depth: Cell<u32>,
    /// The number of fork handlers that are running: they may be registered more than once.
    handlers: Cell<u32>,
}

thread_local! {
    static THREAD: ThreadState =
        const { ThreadState { shard: Cell::new(None), depth: Cell::new(0), handlers: Cell::new(0) } };
}

/// Makes a call that a fork in another thread waits for. In a child that found a thread in a call, `refused` is called
/// instead.
#[inline(always)]
pub fn inside<T>(work: impl FnOnce() -> T, refused: impl FnOnce() -> T) -> T {
    inside_until_end(|| false, work, refused)
}

/// Works like [`inside`], but a call for which `starts` returns true waits when the process exits, and is then refused.
#[inline(always)]
pub fn inside_until_end<T>(
    starts: impl FnOnce() -> bool,
    work: impl FnOnce() -> T,
    refused: impl FnOnce() -> T,
) -> T {
    THREAD.with(|thread| match enter(thread, starts) {
        Some(inside) => {
            let result = work();
            drop(inside);
            result
        }
        None => refused(),
    })
}

/// Waits for a driver within [`inside`]. A fork does not wait for this, so no lock may be held and no data may be
/// partly modified during the wait.
#[inline]
pub fn outside<T>(wait: impl FnOnce() -> T) -> T {
    THREAD.with(|thread| {
        match thread.shard.get() {
            Some(shard) if thread.depth.get() == 1 => {
                drop(Inside(thread, shard));
                let _outside = Outside(thread, shard);
                wait()
            }
            // A call from a callback of another call, which may hold locks.
            _ => wait(),
        }
    })
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
    SHARDS[0].0.load(Ordering::Relaxed) & REFUSED != 0
}

/// A thread inside of the gate, with the shard that counts it.
struct Inside<'t>(&'t ThreadState, &'static Shard);

impl Drop for Inside<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        let depth = self.0.depth.get() - 1;
        self.0.depth.set(depth);
        if depth == 0 {
            self.1.0.fetch_sub(1, Ordering::Release);
        }
    }
}

/// A thread that waits outside of the gate. It goes back inside even if the wait panics.
struct Outside<'t>(&'t ThreadState, &'static Shard);

impl Drop for Outside<'_> {
    fn drop(&mut self) {
        match enter(self.0, || false) {
            Some(inside) => std::mem::forget(inside),
            // In a child that is refused, the call still continues to its end.
            None => {
                self.1.0.fetch_add(1, Ordering::Acquire);
                self.0.depth.set(1);
            }
        }
    }
}

#[inline(always)]
fn enter(thread: &ThreadState, starts: impl FnOnce() -> bool) -> Option<Inside<'_>> {
    if let Some(shard) = thread.shard.get()
        && thread.depth.get() == 0
    {
        if shard.0.fetch_add(1, Ordering::Acquire) >= REFUSED {
            return enter_closed(thread, shard, starts());
        }
        thread.depth.set(1);
        return Some(Inside(thread, shard));
    }
    enter_slowly(thread, starts())
}

#[cold]
fn enter_slowly(thread: &ThreadState, starts: bool) -> Option<Inside<'_>> {
    let shard = thread.shard.get().unwrap_or_else(|| {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        register_once();
        let shard = &SHARDS[NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS.len()];
        thread.shard.set(Some(shard));
        shard
    });
    if thread.depth.get() == 0 {
        return enter(thread, || starts);
    }
    thread.depth.set(thread.depth.get() + 1);
    Some(Inside(thread, shard))
}

/// Enters once the gate is open again. The thread has already counted itself at a closed gate.
#[cold]
fn enter_closed<'t>(thread: &'t ThreadState, shard: &'static Shard, starts: bool) -> Option<Inside<'t>> {
    // The thread is not counted while it waits, so that a fork does not wait for it.
    shard.0.fetch_sub(1, Ordering::Relaxed);
    let is_open = |count: u32| (count < REFUSED).then(|| count + 1);
    let (mut pause, mut used, mut since) = (PAUSE, None, Instant::now());
    while let Err(count) = shard.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, is_open) {
        if count & REFUSED != 0 {
            return None;
        }
        if !starts && IS_ENDING.load(Ordering::SeqCst) {
            shard.0.fetch_add(1, Ordering::Acquire);
            break;
        }
        if let Some(end) = END.get() {
            let now = Some(end.used());
            if now != used {
                (used, since) = (now, Instant::now());
            }
            if since.elapsed() >= IDLE_END || end.since.elapsed() >= LONGEST_END {
                return None;
            }
        }
        sleep(pause);
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
    thread.depth.set(1);
    Some(Inside(thread, shard))
}

fn register_once() {
    static IS_REGISTERED: AtomicBool = AtomicBool::new(false);
    if !IS_REGISTERED.swap(true, Ordering::Relaxed) {
        register();
    }
}

/// Makes a fork close this library's gate before those of the libraries that it has called so far, because otherwise
/// its calls could not end behind their gates. Call this once, after the first call of another library that has a gate.
#[expect(unsafe_code, reason = "handlers in the C library's list")]
pub fn register() {
    // SAFETY: the functions take no arguments and are in a file that stays loaded. If there is no room for them, a
    // child behaves as without a gate.
    unsafe { libc::pthread_atfork(Some(before_fork), Some(in_parent), Some(in_child)) };
}

/// Returns the number of other threads inside.
fn others() -> u32 {
    let own = THREAD.with(|thread| u32::from(thread.depth.get() > 0));
    let all: u32 = SHARDS.iter().map(|shard| shard.0.load(Ordering::Acquire) & COUNT).sum();
    all.saturating_sub(own)
}

fn close() {
    for shard in &SHARDS {
        shard.0.fetch_or(CLOSED, Ordering::SeqCst);
    }
}

extern "C" fn before_fork() {
    if THREAD.with(|thread| thread.handlers.replace(thread.handlers.get() + 1)) > 0 {
        return;
    }
    close_and_wait();
}

fn close_and_wait() {
    FORKS.fetch_add(1, Ordering::SeqCst);
    close();
    let until = Instant::now() + LONGEST_WAIT;
    // A thread that was seen outside once stays outside, although it may briefly count itself at the closed gate.
    let mut is_inside = others() > 0;
    while is_inside && Instant::now() < until {
        sleep(PAUSE);
        is_inside = others() > 0;
    }
    WAS_INSIDE.store(is_inside, Ordering::SeqCst);
}

/// Runs the library's part of the exit, in an exit handler. Before that, waits for calls of other threads that start
/// work, as long as a fork would. From then on, such calls wait. Calls of this thread continue.
pub fn closed_at_end(work: impl FnOnce()) {
    // This thread stays inside, so that none of its calls reaches the gate.
    THREAD.with(|thread| std::mem::forget(enter(thread, || false)));
    IS_ENDING.store(true, Ordering::SeqCst);
    close_and_wait();
    work();
    END.get_or_init(End::now);
}

/// The exit of the process, after the library's handler.
struct End {
    since: Instant,
    /// The processor-time clock of the exiting thread.
    clock: libc::clockid_t,
}

#[expect(unsafe_code, reason = "the clock of another thread")]
impl End {
    fn now() -> Self {
        let mut clock = libc::CLOCK_THREAD_CPUTIME_ID;
        // SAFETY: the thread is this one, and `clock` is writable.
        unsafe { libc::pthread_getcpuclockid(libc::pthread_self(), &mut clock) };
        Self { since: Instant::now(), clock }
    }

    /// Returns the processor time that the thread has used. Returns the same number again if that is unknown.
    fn used(&self) -> (libc::time_t, libc::c_long) {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: `time` is writable. The clock of a thread that is gone is an error.
        unsafe { libc::clock_gettime(self.clock, &mut time) };
        (time.tv_sec, time.tv_nsec)
    }
}

/// Returns whether this was the first of the thread's handlers, which runs last after a fork.
fn is_last_handler() -> bool {
    THREAD.with(|thread| thread.handlers.replace(thread.handlers.get().saturating_sub(1))) == 1
}

extern "C" fn in_parent() {
    if is_last_handler() && FORKS.fetch_sub(1, Ordering::SeqCst) == 1 {
        for shard in &SHARDS {
            shard.0.fetch_and(!CLOSED, Ordering::SeqCst);
        }
        // Another fork may have begun in between.
        if FORKS.load(Ordering::SeqCst) > 0 {
            close();
        }
    }
}

extern "C" fn in_child() {
    if !is_last_handler() {
        return;
    }
    FORKS.store(0, Ordering::SeqCst);
    GENERATION.fetch_add(1, Ordering::SeqCst);
    let state = if WAS_INSIDE.load(Ordering::SeqCst) || is_refused() { REFUSED } else { 0 };
    SHARDS.iter().for_each(|shard| shard.0.store(state, Ordering::SeqCst));
    THREAD.with(|thread| {
        if let Some(shard) = thread.shard.get()
            && thread.depth.get() > 0
        {
            shard.0.fetch_add(1, Ordering::SeqCst);
        }
    });
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

    #[test]
    fn a_child_finds_each_lock_free_that_is_taken_inside() {
        let _one = ONE.lock();
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
            let ends: Vec<i32> = (0..40).map(|_| in_child(|| i32::from(!take_all()))).collect();
            stop.store(true, Ordering::Relaxed);
            assert_eq!(ends, [0; 40]);
        });
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
        let count = || SHARDS.iter().map(|shard| shard.0.load(Ordering::SeqCst) & COUNT).sum::<u32>();
        let before = count();
        inside(
            || {
                assert_eq!(count(), before + 1);
                inside(|| outside(|| assert_eq!(count(), before + 1)), || ());
                assert_eq!(count(), before + 1);
                outside(|| assert_eq!(count(), before));
                let panic = std::panic::catch_unwind(|| outside(|| panic!("in a wait")));
                assert!(panic.is_err() && count() == before + 1, "back inside after a panic");
            },
            || (),
        );
        assert_eq!(count(), before);
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
                    inside_until_end(|| true, || (), refused);
                    is_answered.store(true, Ordering::SeqCst);
                });
                closed_at_end(|| {
                    may_call.store(true, Ordering::SeqCst);
                    sleep(2 * IDLE_END);
                    own_goes_on = inside(|| true, || false);
                    has_waited = has_asked.load(Ordering::SeqCst) && !is_answered.load(Ordering::SeqCst);
                });
                end = Some(Instant::now());
            });
            // The scope has joined the thread.
            let is_soon = end.is_some_and(|end| end.elapsed() < LONGEST_END);
            let is_refused = is_refused.load(Ordering::SeqCst);
            let wrong = [!own_goes_on, !has_waited, !is_soon, !is_refused];
            wrong.into_iter().enumerate().map(|(bit, wrong)| i32::from(wrong) << bit).sum()
        });
        assert_eq!(code, 0);
    }

    #[test]
    fn the_time_that_the_ending_thread_uses_is_seen() {
        let end = End::now();
        let before = end.used();
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(5) {}
        assert!(std::thread::spawn(move || end.used() > before).join().unwrap());
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

//! Library calls that a fork waits for.
//!
//! Only the thread that forks continues in the child. A lock that another thread held stays locked there, and the data
//! that it guards may be partly modified. Therefore, the library's calls pass through a gate. A fork closes it and
//! waits until no other thread is inside. The child then finds every lock free and every value consistent.
//!
//! A call may wait for the very thread that forks, or for a long time, so the fork waits for at most [`LONGEST_WAIT`].
//! If a thread is still inside then, calls of the child are refused: it gets an error instead of a hang. A call that
//! only waits for a driver, without a lock, waits [`outside`].

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The maximum time that a fork waits for other threads.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// The time between two polls of a gate.
const PAUSE: Duration = Duration::from_micros(20);

/// Set in a shard while a thread forks.
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
/// The number of forks that have closed the gate.
static FORKS: AtomicU32 = AtomicU32::new(0);

static GENERATION: AtomicU32 = AtomicU32::new(0);

/// The state of a thread. It has no destructor, so that calls in exit handlers can use it too.
struct ThreadState {
    /// The shard that counts the thread, starting at 1; 0 before its first call.
    shard: Cell<u32>,
    /// The depth of nested calls.
    depth: Cell<u32>,
    /// The number of fork handlers that are running: they may be registered more than once.
    handlers: Cell<u32>,
}

thread_local! {
    static THREAD: ThreadState =
        const { ThreadState { shard: Cell::new(0), depth: Cell::new(0), handlers: Cell::new(0) } };
}

/// Makes a call that a fork in another thread waits for. In a child that found a thread in a call, `refused` is called
/// instead.
#[inline(always)]
pub fn inside<T>(work: impl FnOnce() -> T, refused: impl FnOnce() -> T) -> T {
    THREAD.with(|thread| match enter(thread) {
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
        let depth = thread.depth.get();
        // This is a call within the callback of another one, which may hold locks.
        if depth != 1 {
            return wait();
        }
        drop(Inside(thread));
        let _outside = Outside(thread);
        wait()
    })
}

/// Returns the number of times that this library was forked on the way to this process. Locks held by a thread of
/// another generation are never released.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Relaxed)
}

/// Returns whether this process is a child that found a thread in a call.
pub fn is_refused() -> bool {
    SHARDS[0].0.load(Ordering::Relaxed) & REFUSED != 0
}

/// A thread inside of the gate.
struct Inside<'t>(&'t ThreadState);

impl Drop for Inside<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        let depth = self.0.depth.get() - 1;
        self.0.depth.set(depth);
        if depth == 0 {
            shard(self.0).0.fetch_sub(1, Ordering::Release);
        }
    }
}

/// A thread that waits outside of the gate. It goes back inside even if the wait panics.
struct Outside<'t>(&'t ThreadState);

impl Drop for Outside<'_> {
    fn drop(&mut self) {
        match enter(self.0) {
            Some(inside) => std::mem::forget(inside),
            // In a child that is refused, the call still continues to its end.
            None => {
                shard(self.0).0.fetch_add(1, Ordering::Acquire);
                self.0.depth.set(1);
            }
        }
    }
}

#[inline(always)]
fn shard(thread: &ThreadState) -> &'static Shard {
    &SHARDS[(thread.shard.get() as usize).wrapping_sub(1) % SHARDS.len()]
}

#[inline(always)]
fn enter(thread: &ThreadState) -> Option<Inside<'_>> {
    if thread.shard.get() != 0 && thread.depth.get() == 0 {
        let shard = &shard(thread).0;
        let count = shard.load(Ordering::Relaxed);
        if count < REFUSED
            && shard.compare_exchange(count, count + 1, Ordering::Acquire, Ordering::Relaxed).is_ok()
        {
            thread.depth.set(1);
            return Some(Inside(thread));
        }
    }
    enter_slowly(thread)
}

#[cold]
fn enter_slowly(thread: &ThreadState) -> Option<Inside<'_>> {
    if thread.shard.get() == 0 {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        register_once();
        thread.shard.set(NEXT.fetch_add(1, Ordering::Relaxed) % SHARDS.len() as u32 + 1);
    }
    if thread.depth.get() == 0 {
        let shard = &shard(thread).0;
        let is_open = |count: u32| (count < REFUSED).then(|| count + 1);
        // The thread is not counted while it waits, because a child could not distinguish it from a thread in a call.
        while let Err(count) = shard.fetch_update(Ordering::Acquire, Ordering::Relaxed, is_open) {
            if count & REFUSED != 0 {
                return None;
            }
            sleep(PAUSE);
        }
    }
    thread.depth.set(thread.depth.get() + 1);
    Some(Inside(thread))
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
    FORKS.fetch_add(1, Ordering::SeqCst);
    close();
    let until = Instant::now() + LONGEST_WAIT;
    while others() > 0 && Instant::now() < until {
        sleep(PAUSE);
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
    let state = if others() > 0 || is_refused() { REFUSED } else { 0 };
    SHARDS.iter().for_each(|shard| shard.0.store(state, Ordering::SeqCst));
    THREAD.with(|thread| {
        if thread.depth.get() > 0 {
            shard(thread).0.fetch_add(1, Ordering::SeqCst);
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
    fn each_fork_is_a_generation() {
        let _one = ONE.lock();
        inside(|| (), || ());
        let parent = generation();
        let child = Arc::new(move || i32::from(generation() != parent + 1));
        assert_eq!(in_child(move || child()), 0);
        assert_eq!(generation(), parent);
    }
}

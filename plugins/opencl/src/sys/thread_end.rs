//! Releases into Intel's CPU runtime after the destruction of a thread's own objects.
//!
//! The runtime executes TBB tasks in the thread that destroys a queue. TBB's libtcm keeps a list for each thread, and
//! writes to it even after the thread's destructors have freed it. Exit handlers run after the main thread's
//! destructors, and libsycl releases its remaining objects in one: events, the last of which destroys its queue. This
//! corrupts the heap ("corrupted double-linked list"; 2026.0.0 with Open3D 0.20). Such a release is therefore made by
//! another thread. If it were omitted, the driver's own shutdown would encounter a queue whose command is running.

use std::panic::resume_unwind;
use std::sync::Mutex;

use sycl_pi_backend::Result;
use sycl_pi_host_process::spawn_scoped;

struct OwnObject;

impl Drop for OwnObject {
    fn drop(&mut self) {
        // A thread-local without a destructor would never be destroyed.
    }
}

thread_local! {
    static OWN_OBJECT: OwnObject = const { OwnObject };
}

/// Records that the calling thread uses the driver, which then has thread-local objects for it. Whether they are
/// destroyed is known from ours.
#[inline]
pub(crate) fn note_thread() -> bool {
    OWN_OBJECT.try_with(|_| ()).is_ok()
}

/// Makes a release, in another thread if the objects of this one are destroyed. If no other thread can be created, this
/// one makes it.
pub(super) fn in_living_thread(release: impl FnOnce() -> Result<()> + Send) -> Result<()> {
    if note_thread() {
        return release();
    }
    let release = Mutex::new(Some(release));
    let run =
        || release.lock().ok().and_then(|mut release| release.take()).map_or(Ok(()), |release| release());
    std::thread::scope(|scope| match spawn_scoped(scope, "sycl-pi-release", run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => run(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};
    use std::thread::{current, spawn};

    use super::*;

    /// At the end of its thread, reports whether the thread's own object was destroyed, and whether another thread made
    /// the release.
    struct Last(Sender<(bool, bool)>);

    impl Drop for Last {
        fn drop(&mut self) {
            let (ending, is_gone) = (current().id(), !note_thread());
            let mut elsewhere = None;
            let release = || {
                elsewhere = Some(current().id() != ending);
                Ok(())
            };
            assert!(in_living_thread(release).is_ok());
            let _ = self.0.send((is_gone, elsewhere == Some(true)));
        }
    }

    thread_local! {
        static LAST: std::cell::RefCell<Option<Last>> = const { std::cell::RefCell::new(None) };
    }

    #[test]
    fn another_thread_makes_the_release_once_a_thread_s_own_object_is_gone() {
        let (send, receive) = channel();
        let thread = spawn(move || {
            // Objects of a thread are destroyed in the reverse order of their first use.
            LAST.set(Some(Last(send)));
            assert!(note_thread());
        });
        assert!(thread.join().is_ok());
        assert_eq!(receive.recv(), Ok((true, true)));
    }

    #[test]
    fn a_living_thread_makes_its_releases_itself() {
        let here = current().id();
        let mut there = None;
        let release = || {
            there = Some(current().id());
            Ok(())
        };
        assert!(in_living_thread(release).is_ok());
        assert_eq!(there, Some(here));
    }
}

//! Releases after the end of a thread's own objects, into Intel's CPU runtime.
//!
//! The runtime runs tasks of TBB in the thread that ends a queue. TBB's libtcm keeps a list for each thread, and writes into it also after
//! the thread's destructors have freed it. Exit handlers run after the main thread's destructors, and libsycl releases what is left
//! in one: events, of which the last one ends its queue. The heap is damaged then ("corrupted double-linked list"; 2026.0.0 with
//! Open3D 0.20). So another thread makes such a release: without it the driver's own end would meet a queue whose command runs.

use std::panic::resume_unwind;
use std::sync::Mutex;

use sycl_pi_backend::Result;
use sycl_pi_host_process::spawn_scoped;

struct OwnObject;

impl Drop for OwnObject {
    fn drop(&mut self) {
        // A thread-local without a destructor would never be gone.
    }
}

thread_local! {
    static OWN_OBJECT: OwnObject = const { OwnObject };
}

/// Notes that the calling thread uses the driver, which then has objects of its own for it. Whether these are gone is known by ours.
#[inline]
pub(crate) fn note_thread() -> bool {
    OWN_OBJECT.try_with(|_| ()).is_ok()
}

/// Makes a release, in another thread where the objects of this one are gone. Without another thread this one does it.
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

    /// Tells, at the end of its thread, whether the thread's own object was gone, and whether another thread made the release.
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
            // Objects of a thread go in the opposite order of their first use.
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

//! The locks of [`serialize`](super::serialize), shared by all OpenCL libraries of this project in a process.
//!
//! A process may load both the plugin and the adapter, as two stock runtimes in one program do. Each file has its own
//! statics, but they share one driver. Each file therefore exports its locks as functions, and all of them use those of
//! the file that was loaded first. A lock must be used through the file whose code created it, because only that file
//! knows the threads that sleep for it.

use std::ffi::CStr;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::time::Duration;

use super::turn::Turn;

/// Held by the thread that waits in the driver.
static WAITS: Turn = Turn::new(true);
/// Held by the thread that allocates, frees or queries a USM allocation.
static USM: Turn = Turn::new(false);

/// A lock, represented by functions.
#[repr(C)]
struct Functions {
    /// Tries to take the lock within the given number of microseconds, and returns whether it did.
    lock: extern "C" fn(u64) -> bool,
    /// Releases the lock. May be called only by the thread that holds it.
    unlock: unsafe extern "C" fn(),
}

/// The data that a file exports for the others. All files of one version of this project have the same layout.
#[repr(C)]
pub struct ProcessLocks {
    layout: u64,
    waits: Functions,
    usm: Functions,
}

/// A number that changes with the layout of [`ProcessLocks`].
const LAYOUT: u64 = 1;

static OWN: ProcessLocks = ProcessLocks {
    layout: LAYOUT,
    waits: Functions { lock: lock_waits, unlock: unlock_waits },
    usm: Functions { lock: lock_usm, unlock: unlock_usm },
};

extern "C" fn lock_waits(microseconds: u64) -> bool {
    WAITS.take_for(Duration::from_micros(microseconds))
}

/// # Safety
/// The calling thread must hold the lock, taken with [`lock_waits`].
unsafe extern "C" fn unlock_waits() {
    WAITS.give_back();
}

extern "C" fn lock_usm(microseconds: u64) -> bool {
    USM.take_for(Duration::from_micros(microseconds))
}

/// # Safety
/// The calling thread must hold the lock, taken with [`lock_usm`].
unsafe extern "C" fn unlock_usm() {
    USM.give_back();
}

/// A held lock. It is bound to its thread.
pub(super) struct ProcessGuard(&'static Functions, PhantomData<*const ()>);

impl Functions {
    fn lock_for(&'static self, limit: Duration) -> Option<ProcessGuard> {
        let microseconds = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
        // Without the lock, no guard may exist even for a moment, because it would release the lock.
        (self.lock)(microseconds).then(|| ProcessGuard(self, PhantomData))
    }
}

impl Drop for ProcessGuard {
    fn drop(&mut self) {
        // SAFETY: this thread took the lock for this guard, which cannot move to another thread.
        unsafe { (self.0.unlock)() };
    }
}

/// Returns the lock of waits, if it becomes free within the limit. It is reentrant.
#[inline]
pub(super) fn waits(limit: Duration) -> Option<ProcessGuard> {
    locks().waits.lock_for(limit)
}

/// Returns the lock of USM, if it becomes free within the limit.
#[inline]
pub(super) fn usm(limit: Duration) -> Option<ProcessGuard> {
    locks().usm.lock_for(limit)
}

fn locks() -> &'static ProcessLocks {
    static LOCKS: OnceLock<&ProcessLocks> = OnceLock::new();
    LOCKS.get_or_init(|| first_loaded().unwrap_or(&OWN))
}

/// Returns the locks of the file that was loaded first. The search includes this file.
#[cold]
fn first_loaded() -> Option<&'static ProcessLocks> {
    let is_ours = |path: &CStr| {
        let path = path.to_string_lossy();
        let name = path.rsplit('/').next().unwrap_or_default();
        name.starts_with("libpi_opencl") || name.starts_with("libur_adapter_opencl")
    };
    let function = sycl_pi_dynload::find_loaded(c"sycl_pi_opencl_locks", is_ours)?;
    // SAFETY: the function of that name has this signature in each file of this project, and its file stays loaded.
    let function = unsafe {
        std::mem::transmute::<*mut core::ffi::c_void, extern "C" fn() -> &'static ProcessLocks>(
            function.as_ptr(),
        )
    };
    Some(function()).filter(|locks| locks.layout == LAYOUT)
}

/// Returns the locks of this file, for others.
pub fn own_locks() -> &'static ProcessLocks {
    &OWN
}

/// Exports the locks of this file. Use it once per cdylib.
#[macro_export]
macro_rules! export_locks {
    () => {
        /// The locks around calls that the driver requires to be serialized, for other files of this project in the
        /// process.
        #[unsafe(no_mangle)]
        pub extern "C" fn sycl_pi_opencl_locks() -> &'static $crate::ProcessLocks {
            $crate::own_locks()
        }
    };
}

#[cfg(test)]
mod tests {
    use std::thread::scope;

    use super::*;

    #[test]
    fn a_lock_is_held_by_one_thread_until_its_last_guard_goes() {
        let outer = waits(Duration::ZERO);
        let inner = waits(Duration::from_millis(1));
        assert!(outer.is_some() && inner.is_some(), "a callback within a wait waits too");
        let is_free = || scope(|scope| scope.spawn(|| waits(Duration::from_millis(1)).is_some()).join());
        assert!(!is_free().unwrap(), "two guards");
        assert!(!is_free().unwrap(), "a thread in vain takes nothing away");
        drop(outer);
        assert!(!is_free().unwrap(), "one guard");
        drop(inner);
        assert!(is_free().unwrap());
    }

    #[test]
    fn the_lock_of_usm_is_not_reentrant() {
        let guard = usm(Duration::from_millis(1));
        assert!(guard.is_some() && usm(Duration::from_millis(1)).is_none());
        drop(guard);
        assert!(usm(Duration::from_millis(1)).is_some());
    }
}

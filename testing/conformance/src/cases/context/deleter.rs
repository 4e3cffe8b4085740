//! `piextContextSetExtendedDeleter`.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sycl_pi_loader::Backend;

use crate::case::{Case, case};
use crate::env::Env;
use crate::outcome::{OPERATION, VALUE, Verdict, same};

pub(super) const CASES: &[Case] = &[
    case("CTX-12", "piextContextSetExtendedDeleter", called_once),
    case("CTX-13", "piextContextSetExtendedDeleter", null_function),
];

/// # Safety
/// `data` points to a counter.
unsafe extern "C" fn count(data: *mut c_void) {
    // SAFETY: the case passes a counter that is never freed.
    unsafe { &*data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

fn called_once(f: &Env) -> Verdict {
    let counter: &'static AtomicUsize = Box::leak(Box::new(AtomicUsize::new(0)));
    let data = std::ptr::from_ref(counter).cast_mut().cast();
    let context = f.new_context()?;
    if f.backend == Backend::LevelZero {
        refused!(f, piextContextSetExtendedDeleter(*context, Some(count), data), OPERATION);
        return Ok(());
    }
    ok!(f, piextContextSetExtendedDeleter(*context, Some(count), data));
    ok!(f, piContextRetain(*context));
    ok!(f, piContextRelease(*context));
    same("calls while the context lives", 0, counter.load(Ordering::SeqCst))?;
    drop(context);
    // OpenCL lets a driver call it from a thread of its own: PoCL 7.1 does.
    let start = Instant::now();
    while counter.load(Ordering::SeqCst) == 0 && start.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(1));
    }
    same("calls after the last release", 1, counter.load(Ordering::SeqCst))
}

fn null_function(f: &Env) -> Verdict {
    refused!(f, piextContextSetExtendedDeleter(f.context()?, None, null_mut()), VALUE);
    Ok(())
}

//! Many threads in one plugin.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use sycl_pi_core::*;

use crate::case::{Case, alone, case};
use crate::env::Env;
use crate::outcome::{Failure, Verdict, check, same};

pub(super) const CASES: &[Case] = &[
    alone("THR-01", "piPlatformsGet", one_discovery),
    case("THR-02", "piContextRetain", counted_in_all),
    case("THR-03", "piEnqueueEventsWait", crossing_queues),
    case("THR-04", "piEventSetCallback", callback_calls_back),
];

/// Runs a body in `count` threads. The first failure is the result.
pub(crate) fn together<T: Send>(
    count: usize,
    body: impl Fn(usize) -> Result<T, String> + Sync,
) -> Verdict<Vec<T>> {
    let results: Vec<Result<T, String>> = std::thread::scope(|scope| {
        let body = &body;
        let threads: Vec<_> = (0..count).map(|index| scope.spawn(move || body(index))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Result<T, String>>| {
            thread.join().unwrap_or_else(|_| Err("a thread of the case panicked".into()))
        };
        threads.into_iter().map(join).collect()
    });
    results
        .into_iter()
        .collect::<Result<Vec<T>, String>>()
        .map_err(|got| Failure::fail("", "PI_SUCCESS", got))
}

fn one_discovery(f: &Env) -> Verdict {
    let pi = f.pi;
    let found = together(8, |_| {
        let f = Table { pi };
        let mut platforms = [null_mut(); 64];
        let mut count = 0;
        call!(f, piPlatformsGet(64, platforms.as_mut_ptr(), &mut count))
            .map_err(|error| error.to_string())?;
        let mut all = Vec::new();
        for platform in platforms.into_iter().take(count as usize) {
            let mut devices = [null_mut(); 64];
            let mut count = 0;
            call!(f, piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 64, devices.as_mut_ptr(), &mut count))
                .map_err(|error| error.to_string())?;
            all.push(platform as usize);
            all.extend(devices.into_iter().take(count as usize).map(|device| device as usize));
        }
        Ok(all)
    })?;
    let first = found.first().cloned().unwrap_or_default();
    found.into_iter().try_for_each(|other| same("handles in each thread", first.clone(), other))
}

/// The table alone, which threads of a case may use.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    pub(crate) pi: &'static sycl_pi_loader::Table,
}

fn counted_in_all(f: &Env) -> Verdict {
    let context = f.context()?;
    let before = get!(f, piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32);
    let (pi, address) = (f.pi, context as usize);
    together(8, |_| {
        let f = Table { pi };
        let context = address as pi_context;
        for _ in 0..500 {
            call!(f, piContextRetain(context)).map_err(|error| error.to_string())?;
            call!(f, piContextRelease(context)).map_err(|error| error.to_string())?;
        }
        Ok(())
    })?;
    same(
        "reference count",
        before,
        get!(f, piContextGetInfo(context, PI_CONTEXT_INFO_REFERENCE_COUNT) as u32),
    )
}

fn crossing_queues(f: &Env) -> Verdict {
    let queues = [f.new_queue(0)?, f.new_queue(0)?];
    let mine: Vec<usize> = queues.iter().map(|queue| **queue as usize).collect();
    let pi = f.pi;
    together(2, |index| {
        let f = Table { pi };
        let text = |error: sycl_pi_loader::CallError| error.to_string();
        let (here, there) = (mine[index] as pi_queue, mine[1 - index] as pi_queue);
        for _ in 0..100 {
            let (mut one, mut two) = (null_mut(), null_mut());
            call!(f, piEnqueueEventsWait(there, 0, null(), &mut one)).map_err(text)?;
            call!(f, piEnqueueEventsWait(here, 1, &one, &mut two)).map_err(text)?;
            call!(f, piEventsWait(1, &two)).map_err(text)?;
            call!(f, piEventRelease(one)).map_err(text)?;
            call!(f, piEventRelease(two)).map_err(text)?;
        }
        Ok(())
    })?;
    Ok(())
}

struct Called {
    pi: Table,
    context: usize,
    good: AtomicUsize,
    all: AtomicUsize,
}

/// # Safety
/// `data` points to a [`Called`].
unsafe extern "C" fn calls_back(event: pi_event, _status: pi_int32, data: *mut c_void) {
    // SAFETY: the case passes a `Called` that outlives the event.
    let called = unsafe { &*data.cast::<Called>() };
    let f = called.pi;
    let context = called.context as pi_context;
    let retained = call!(f, piContextRetain(context)).is_ok() && call!(f, piContextRelease(context)).is_ok();
    let event = call!(f, piEventRetain(event)).is_ok() && call!(f, piEventRelease(event)).is_ok();
    called.good.fetch_add(usize::from(retained && event), Ordering::SeqCst);
    called.all.fetch_add(1, Ordering::SeqCst);
}

fn callback_calls_back(f: &Env) -> Verdict {
    let (context, queue) = (f.context()?, f.queue()?);
    let called: &'static Called = Box::leak(Box::new(Called {
        pi: Table { pi: f.pi },
        context: context as usize,
        good: AtomicUsize::new(0),
        all: AtomicUsize::new(0),
    }));
    let event = f.own_event(made!(f, |out| piEnqueueEventsWait(queue, 0, null(), out)));
    let data = std::ptr::from_ref(called).cast_mut().cast();
    match call!(f, piEventSetCallback(*event, PI_EVENT_COMPLETE, Some(calls_back), data)) {
        Err(error) if error.code() == Some(PI_ERROR_INVALID_OPERATION) => {
            return Err(Failure::skip(crate::skip::OTHER_BACKEND));
        }
        other => other?,
    }
    ok!(f, piQueueFinish(queue));
    for _ in 0..1000 {
        if called.all.load(Ordering::SeqCst) > 0 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let (good, all) = (called.good.load(Ordering::SeqCst), called.all.load(Ordering::SeqCst));
    check("", (good, all) == (1, 1), "one callback whose calls succeed", format!("{good} good of {all}"))
}

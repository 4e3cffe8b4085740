//! What was seen: calls, complaints about the caller, what was never given back. Written at exit, readable at any time.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use crate::config::config;
use crate::entry;
use crate::line::Line;
use crate::object::table;

static COMPLAINTS: Mutex<BTreeMap<(&'static str, String), u64>> = Mutex::new(BTreeMap::new());
static EXITED: AtomicBool = AtomicBool::new(false);
/// Commands executed on the devices.
pub(crate) static EXECUTED: Line<AtomicU64> = Line(AtomicU64::new(0));

/// Records that the caller of `call` did something that it must not.
#[cold]
pub(crate) fn complain(call: &'static str, text: String) {
    *COMPLAINTS.lock().entry((call, text)).or_default() += 1;
}

/// Records a complaint about the call that this thread is in.
#[cold]
pub(crate) fn complain_here(text: String) {
    complain(entry::current(), text);
}

/// How many complaints there are.
pub(crate) fn complaints() -> u64 {
    COMPLAINTS.lock().values().sum()
}

/// Forgets complaints.
pub(crate) fn reset() {
    COMPLAINTS.lock().clear();
    EXECUTED.store(0, Ordering::Relaxed);
}

/// The report's text: one fact per line.
pub(crate) fn text() -> String {
    let mut text = String::new();
    let mut counts = entry::counts();
    counts.sort_unstable();
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        let _ = writeln!(text, "call {name} {count}");
    }
    let _ = writeln!(text, "executed {}", EXECUTED.load(Ordering::Relaxed));
    for ((call, what), count) in COMPLAINTS.lock().iter() {
        let _ = writeln!(text, "complaint {call} {count} {what}");
    }
    for (kind, created, live) in table::census() {
        let _ = writeln!(text, "objects {kind} created {created} leaked {live}");
    }
    let (created, live, bytes) = crate::object::memory::census();
    let _ = writeln!(text, "objects allocation created {created} leaked {live} bytes {bytes}");
    text
}

fn write() {
    if let Some(path) = &config().report {
        let _ = std::fs::write(path, text());
    }
}

extern "C" fn at_exit() {
    EXITED.store(true, Ordering::Release);
    write();
}

/// Asks for the report at exit, once.
pub(crate) fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if config().report.is_some() {
            // SAFETY: the library is never unloaded: it holds threads and handed out addresses.
            unsafe { libc::atexit(at_exit) };
        }
    });
}

/// Clients tear down in static destructors, after our exit handler: what they still do goes into the report.
#[inline]
pub(crate) fn after_exit() {
    if EXITED.load(Ordering::Relaxed) {
        write();
    }
}

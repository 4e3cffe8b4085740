//! Complaints: forbidden actions of a caller, each with the call in which it was detected.

use std::cell::Cell;
use std::collections::BTreeMap;

use parking_lot::Mutex;

type Complaint = (&'static str, String);

static COMPLAINTS: Mutex<BTreeMap<Complaint, u64>> = Mutex::new(BTreeMap::new());

thread_local! {
    static CURRENT: Cell<&'static str> = const { Cell::new("the device") };
}

/// Returns the driver's function that this thread executes.
pub(crate) fn current() -> &'static str {
    CURRENT.try_with(Cell::get).unwrap_or("thread exit")
}

/// Runs `body` as a part of the driver's function `name`.
pub(crate) fn within<T>(name: &'static str, body: impl FnOnce() -> T) -> T {
    let before = CURRENT.try_with(|current| current.replace(name));
    let answer = body();
    if let Ok(before) = before {
        let _ = CURRENT.try_with(|current| current.set(before));
    }
    answer
}

/// Records that the caller of `call` did something forbidden.
#[cold]
pub(crate) fn complain(call: &'static str, message: String) {
    *COMPLAINTS.lock().entry((call, message)).or_default() += 1;
}

/// Records a complaint about the call that this thread executes.
#[cold]
pub(crate) fn complain_here(message: String) {
    complain(current(), message);
}

/// Returns the number of complaints.
pub(crate) fn count() -> u64 {
    COMPLAINTS.lock().values().sum()
}

/// Deletes all complaints.
pub(crate) fn reset() {
    COMPLAINTS.lock().clear();
}

/// Returns all complaints, with the number of times that each was recorded.
pub(crate) fn all() -> Vec<(Complaint, u64)> {
    COMPLAINTS.lock().iter().map(|(complaint, count)| (complaint.clone(), *count)).collect()
}

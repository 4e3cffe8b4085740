//! Complaints: what a caller must not have done, each with the call in which it was seen.

use std::cell::Cell;
use std::collections::BTreeMap;

use parking_lot::Mutex;

type Complaint = (&'static str, String);

static COMPLAINTS: Mutex<BTreeMap<Complaint, u64>> = Mutex::new(BTreeMap::new());

thread_local! {
    static CURRENT: Cell<&'static str> = const { Cell::new("the device") };
}

/// The driver's function that this thread is in.
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

/// Records that the caller of `call` did something that it must not.
#[cold]
pub(crate) fn complain(call: &'static str, message: String) {
    *COMPLAINTS.lock().entry((call, message)).or_default() += 1;
}

/// Records a complaint about the call that this thread is in.
#[cold]
pub(crate) fn complain_here(message: String) {
    complain(current(), message);
}

/// How many complaints there are.
pub(crate) fn count() -> u64 {
    COMPLAINTS.lock().values().sum()
}

/// Forgets all complaints.
pub(crate) fn reset() {
    COMPLAINTS.lock().clear();
}

/// All complaints, with how often each was recorded.
pub(crate) fn all() -> Vec<(Complaint, u64)> {
    COMPLAINTS.lock().iter().map(|(complaint, count)| (complaint.clone(), *count)).collect()
}

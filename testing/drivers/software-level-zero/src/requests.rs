//! The requests of callers: values of descriptors that change how well something works, but not whether it does.

use std::collections::BTreeMap;

use parking_lot::Mutex;

use crate::complaints::current;

type Request = (&'static str, String);

static REQUESTS: Mutex<BTreeMap<Request, u64>> = Mutex::new(BTreeMap::new());

/// Records a request of the call that this thread executes.
pub(crate) fn record(request: String) {
    *REQUESTS.lock().entry((current(), request)).or_default() += 1;
}

/// Forgets all requests.
pub(crate) fn reset() {
    REQUESTS.lock().clear();
}

/// Returns all requests, with the number of times that each was made.
pub(crate) fn all() -> Vec<(Request, u64)> {
    REQUESTS.lock().iter().map(|(request, count)| (request.clone(), *count)).collect()
}

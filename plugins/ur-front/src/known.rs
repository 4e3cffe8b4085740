//! The handles by the addresses of their objects: for answers that name an object of the backend, such as a queue's context.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::c_void;
use std::ptr::with_exposed_provenance_mut;

use parking_lot::Mutex;

/// By object and loader. Contexts, queues, programs and devices are few; events are not here.
static KNOWN: Mutex<BTreeMap<(usize, usize), usize>> = Mutex::new(BTreeMap::new());

/// The handle of an object for a loader; null where there is none.
pub(crate) fn get(object: usize, loader: usize) -> *mut c_void {
    let handle = KNOWN.lock().get(&(object, loader)).copied();
    handle.map_or(std::ptr::null_mut(), with_exposed_provenance_mut)
}

/// The handle of an object, made by `make` where there is none.
pub(crate) fn get_or_insert(object: usize, loader: usize, make: impl FnOnce() -> usize) -> *mut c_void {
    with_exposed_provenance_mut(*KNOWN.lock().entry((object, loader)).or_insert_with(make))
}

/// The new handle that `make` gives. It is told whether it becomes the known one of its object.
pub(crate) fn make_known(object: usize, loader: usize, make: impl FnOnce(bool) -> usize) -> *mut c_void {
    let handle = match KNOWN.lock().entry((object, loader)) {
        Entry::Vacant(place) => *place.insert(make(true)),
        Entry::Occupied(_) => make(false),
    };
    with_exposed_provenance_mut(handle)
}

/// Forgets the known handle of an object.
pub(crate) fn forget(object: usize, loader: usize) {
    KNOWN.lock().remove(&(object, loader));
}

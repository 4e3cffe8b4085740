//! Registered handles by the addresses of their objects, for answers that name an object of the backend, such as a
//! queue's context.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ffi::c_void;
use std::ptr::with_exposed_provenance_mut;

use parking_lot::Mutex;

/// Handles by object and loader. Contexts, queues, programs and devices are few; events are not registered.
static HANDLES: Mutex<BTreeMap<(usize, usize), usize>> = Mutex::new(BTreeMap::new());

/// Returns the handle of an object for a loader, or null if none is registered.
pub(crate) fn get(object: usize, loader: usize) -> *mut c_void {
    let handle = HANDLES.lock().get(&(object, loader)).copied();
    handle.map_or(std::ptr::null_mut(), with_exposed_provenance_mut)
}

/// Returns the handle of an object, which `make` creates if none is registered.
pub(crate) fn get_or_insert(object: usize, loader: usize, make: impl FnOnce() -> usize) -> *mut c_void {
    with_exposed_provenance_mut(*HANDLES.lock().entry((object, loader)).or_insert_with(make))
}

/// Returns the new handle that `make` creates. The argument of `make` states whether the handle becomes the registered
/// one of its object.
pub(crate) fn register(object: usize, loader: usize, make: impl FnOnce(bool) -> usize) -> *mut c_void {
    let handle = match HANDLES.lock().entry((object, loader)) {
        Entry::Vacant(place) => *place.insert(make(true)),
        Entry::Occupied(_) => make(false),
    };
    with_exposed_provenance_mut(handle)
}

/// Unregisters the handle of an object.
pub(crate) fn remove(object: usize, loader: usize) {
    HANDLES.lock().remove(&(object, loader));
}

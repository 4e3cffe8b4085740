//! Handles: a kind, a generation and an index, never an address. Destroyed handles, foreign handles and handles of
//! a wrong kind are therefore detected, even if their object's memory has been reused.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use level_zero_sys::*;
use parking_lot::{Mutex, RwLock};

use crate::complaints::complain_here;
use crate::entry::Answer;

/// The object of a handle.
pub(crate) trait Object: Send + Sync + Sized + 'static {
    /// The kind's number in its handles, 1 to 255.
    const KIND: u8;
    /// The kind's name.
    const NAME: &'static str;
    /// All objects of the kind.
    fn table() -> &'static Table<Self>;
}

/// All objects of a kind.
pub(crate) struct Table<T> {
    slots: RwLock<Vec<Slot<T>>>,
    free: Mutex<VecDeque<u32>>,
    created: AtomicU64,
}

struct Slot<T> {
    generation: u16,
    object: Option<Arc<T>>,
}

const TAG: usize = 0x5a;
const KINDS: [&str; 15] = [
    "nothing",
    "driver",
    "device",
    "context",
    "command queue",
    "command list",
    "fence",
    "event pool",
    "event",
    "module",
    "build log",
    "kernel",
    "image",
    "sampler",
    "physical memory",
];

impl<T: Object> Table<T> {
    pub(crate) const fn new() -> Self {
        Self { slots: RwLock::new(Vec::new()), free: Mutex::new(VecDeque::new()), created: AtomicU64::new(0) }
    }

    fn find(&self, slots: &[Slot<T>], address: *mut c_void) -> Answer<usize> {
        let bits = address.addr();
        if address.is_null() {
            return Err(ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
        }
        let index = bits & 0xffff_ffff;
        let kind = (bits >> 48) & 0xff;
        let generation = ((bits >> 32) & 0xffff) as u16;
        let wrong = |what: &str| {
            complain_here(format!("{what} where a {} belongs", T::NAME));
            Err(ZE_RESULT_ERROR_INVALID_NULL_HANDLE)
        };
        if bits >> 56 != TAG {
            return wrong("a foreign pointer");
        }
        if kind != usize::from(T::KIND) {
            return wrong(&format!("the handle of a {}", KINDS.get(kind).unwrap_or(&"foreign object")));
        }
        match slots.get(index) {
            Some(slot) if slot.generation == generation && slot.object.is_some() => Ok(index),
            Some(_) => wrong("a handle already destroyed"),
            None => wrong("a foreign handle"),
        }
    }
}

/// Creates a handle for an object.
pub(crate) fn insert<T: Object>(object: T) -> *mut c_void {
    insert_with(|_| object).0
}

/// Creates a handle for an object that needs to know it.
pub(crate) fn insert_with<T: Object>(make: impl FnOnce(*mut c_void) -> T) -> (*mut c_void, Arc<T>) {
    let table = T::table();
    table.created.fetch_add(1, Ordering::Relaxed);
    let mut slots = table.slots.write();
    // Slots are not reused immediately, so that a stale handle finds an empty slot or another generation.
    let index = {
        let mut free = table.free.lock();
        if free.len() > 64 { free.pop_front() } else { None }
    };
    let index = index.map_or_else(
        || {
            slots.push(Slot { generation: 0, object: None });
            slots.len() - 1
        },
        |index| index as usize,
    );
    let generation = slots.get(index).map_or(0, |slot| slot.generation);
    let bits = (TAG << 56) | (usize::from(T::KIND) << 48) | (usize::from(generation) << 32) | index;
    let handle = std::ptr::without_provenance_mut(bits);
    let object = Arc::new(make(handle));
    if let Some(slot) = slots.get_mut(index) {
        slot.object = Some(object.clone());
    }
    (handle, object)
}

/// Returns the object of a handle.
#[inline]
pub(crate) fn get<T: Object>(handle: *mut c_void) -> Answer<Arc<T>> {
    let table = T::table();
    let slots = table.slots.read();
    let index = table.find(&slots, handle)?;
    slots.get(index).and_then(|slot| slot.object.clone()).ok_or(ZE_RESULT_ERROR_INVALID_NULL_HANDLE)
}

/// Destroys a handle. The object is dropped with its last user.
pub(crate) fn remove<T: Object>(handle: *mut c_void) -> Answer<Arc<T>> {
    let table = T::table();
    let mut slots = table.slots.write();
    let index = table.find(&slots, handle)?;
    let slot = slots.get_mut(index).ok_or(ZE_RESULT_ERROR_INVALID_NULL_HANDLE)?;
    let object = slot.object.take().ok_or(ZE_RESULT_ERROR_INVALID_NULL_HANDLE)?;
    slot.generation = slot.generation.wrapping_add(1);
    table.free.lock().push_back(index as u32);
    Ok(object)
}

/// The numbers of created and live objects of a kind.
pub(crate) struct Census {
    pub(crate) kind: &'static str,
    pub(crate) created: u64,
    pub(crate) live: u64,
}

/// Counts the objects of a kind.
pub(crate) fn census<T: Object>() -> Census {
    let table = T::table();
    let live = table.slots.read().iter().filter(|slot| slot.object.is_some()).count() as u64;
    Census { kind: T::NAME, created: table.created.load(Ordering::Relaxed), live }
}

/// Makes a type an object with its own table.
macro_rules! object {
    ($type:ty, $kind:literal, $name:literal) => {
        impl crate::object::table::Object for $type {
            const KIND: u8 = $kind;
            const NAME: &'static str = $name;
            fn table() -> &'static crate::object::table::Table<Self> {
                static TABLE: crate::object::table::Table<$type> = crate::object::table::Table::new();
                &TABLE
            }
        }
    };
}
pub(crate) use object;

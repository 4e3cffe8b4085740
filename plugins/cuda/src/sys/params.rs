//! Kernel arguments: their bytes, and the list of addresses that a launch takes.

use std::ffi::c_void;
use std::ptr::null_mut;

/// Bytes that arguments start on: enough for every vector type.
const ALIGNMENT: usize = 16;

/// The arguments of a kernel. Each has a place of its own in one block of memory; a launch reads them from there.
pub(crate) struct Params {
    /// Output for all arguments, in units of the alignment.
    room: Vec<[u64; ALIGNMENT / 8]>,
    places: Vec<Place>,
    /// One address per argument, into `room`; and one more for the hidden last argument of some kernels.
    list: Vec<*mut c_void>,
}

// SAFETY: the addresses point into the value's own memory.
unsafe impl Send for Params {}

#[derive(Clone, Copy, Default)]
struct Place {
    start: usize,
    room: usize,
}

impl Params {
    /// No arguments.
    pub(crate) fn new() -> Self {
        Self { room: Vec::new(), places: Vec::new(), list: Vec::new() }
    }

    /// How many arguments were set, up to the last one.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Sets an argument to a copy of `bytes`.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, bytes: &[u8]) {
        if self.places.get(index).is_none_or(|place| place.room < bytes.len()) {
            self.grow(index, bytes.len());
        }
        if let Some(place) = self.places.get(index) {
            let start = self.room.as_mut_ptr().cast::<u8>();
            // SAFETY: the place has room for as many bytes, inside `room`.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start.add(place.start), bytes.len()) };
        }
    }

    #[cold]
    fn grow(&mut self, index: usize, size: usize) {
        if index >= self.places.len() {
            self.places.resize(index + 1, Place::default());
        }
        let room = size.max(1).next_multiple_of(ALIGNMENT);
        let start = self.room.len() * ALIGNMENT;
        self.room.resize(self.room.len() + room / ALIGNMENT, [0; ALIGNMENT / 8]);
        self.places[index] = Place { start, room };
        // Memory may have moved, so every address is taken again.
        let base = self.room.as_mut_ptr().cast::<u8>();
        self.list.clear();
        // An argument that was never set has no room: it gets the start, so that a launch reads memory that exists.
        self.list.extend(self.places.iter().map(|place| base.wrapping_add(place.start).cast::<c_void>()));
        self.list.push(null_mut());
    }

    /// The list of addresses for a launch, with `hidden` behind the arguments.
    #[inline(always)]
    pub(crate) fn list(&mut self, hidden: &mut [u32; 3]) -> *mut *mut c_void {
        if self.list.is_empty() {
            self.list.push(null_mut());
        }
        if let Some(last) = self.list.last_mut() {
            *last = hidden.as_mut_ptr().cast();
        }
        self.list.as_mut_ptr()
    }
}

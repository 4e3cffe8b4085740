//! Kernel arguments: their bytes, and the list of addresses that a launch takes.

use std::ffi::c_void;
use std::ptr::null_mut;

/// Bytes that arguments start on: enough for every vector type.
const ALIGNMENT: usize = 16;

/// Words of the hidden arguments.
const HIDDEN: usize = 3;

/// The arguments of a kernel, in one block of memory from which a launch reads them.
pub(crate) struct ArgumentList {
    /// Room for all arguments, in units of the alignment.
    block: Vec<[u64; ALIGNMENT / 8]>,
    ranges: Vec<ArgumentRange>,
    /// One address per argument, into `block`; and more for the hidden last ones of some kernels.
    list: Vec<*mut c_void>,
}

impl Clone for ArgumentList {
    fn clone(&self) -> Self {
        let mut clone = Self { block: self.block.clone(), ranges: self.ranges.clone(), list: Vec::new() };
        clone.take_addresses();
        clone
    }
}

// SAFETY: the addresses point into the value's own memory.
unsafe impl Send for ArgumentList {}

#[derive(Clone, Copy, Default)]
struct ArgumentRange {
    start: usize,
    size: usize,
}

impl ArgumentList {
    /// No arguments.
    pub(crate) fn new() -> Self {
        Self { block: Vec::new(), ranges: Vec::new(), list: Vec::new() }
    }

    /// How many arguments were set, up to the last one.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Whether an argument was set.
    pub(crate) fn is_set(&self, index: usize) -> bool {
        self.ranges.get(index).is_some_and(|range| range.size > 0)
    }

    /// Sets an argument to a copy of `bytes`.
    #[inline]
    pub(crate) fn set(&mut self, index: usize, bytes: &[u8]) {
        if self.ranges.get(index).is_none_or(|range| range.size < bytes.len()) {
            self.grow(index, bytes.len());
        }
        if let Some(range) = self.ranges.get(index) {
            let start = self.block.as_mut_ptr().cast::<u8>();
            // SAFETY: the range has room for as many bytes, inside `block`.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start.add(range.start), bytes.len()) };
        }
    }

    #[cold]
    fn grow(&mut self, index: usize, size: usize) {
        if index >= self.ranges.len() {
            self.ranges.resize(index + 1, ArgumentRange::default());
        }
        let size = size.max(1).next_multiple_of(ALIGNMENT);
        let start = self.block.len() * ALIGNMENT;
        self.block.resize(self.block.len() + size / ALIGNMENT, [0; ALIGNMENT / 8]);
        self.ranges[index] = ArgumentRange { start, size };
        self.take_addresses();
    }

    /// Takes every address again, after memory may have moved.
    fn take_addresses(&mut self) {
        let base = self.block.as_mut_ptr().cast::<u8>();
        self.list.clear();
        // An argument that was never set has no room: it gets the start, so that a launch reads memory that exists.
        self.list.extend(self.ranges.iter().map(|range| base.wrapping_add(range.start).cast::<c_void>()));
        self.list.extend([null_mut(); HIDDEN]);
    }

    /// The list of addresses for a launch, with the words of `hidden` behind the arguments. A kernel may take them one by one, or
    /// all as one argument.
    #[inline]
    pub(crate) fn list(&mut self, hidden: &mut [u64; HIDDEN]) -> *mut *mut c_void {
        if self.list.is_empty() {
            self.list.extend([null_mut(); HIDDEN]);
        }
        let start = self.list.len().saturating_sub(HIDDEN);
        for (address, word) in self.list[start..].iter_mut().zip(hidden) {
            *address = std::ptr::from_mut(word).cast();
        }
        self.list.as_mut_ptr()
    }
}

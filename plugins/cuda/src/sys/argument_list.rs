//! Kernel arguments: their bytes, and the list of addresses that a launch takes.

use std::ffi::c_void;
use std::ptr::null_mut;

/// The alignment of arguments in bytes, which is sufficient for every vector type.
const ALIGNMENT: usize = 16;

/// The number of words in the hidden arguments.
const HIDDEN: usize = 4;

/// The arguments of a kernel, in one block of memory from which a launch reads them.
pub(crate) struct ArgumentList {
    /// Space for all arguments, in units of the alignment.
    block: Vec<[u64; ALIGNMENT / 8]>,
    ranges: Vec<ArgumentRange>,
    /// One address per argument, pointing into `block`, and additional ones for the hidden last arguments of some
    /// kernels.
    list: Vec<*mut c_void>,
    /// The numbers of work-groups, for kernels whose grid is folded.
    counts: Vec<u64>,
    /// The list including the addresses of these numbers.
    with_counts: Vec<*mut c_void>,
}

impl Clone for ArgumentList {
    fn clone(&self) -> Self {
        let (block, ranges) = (self.block.clone(), self.ranges.clone());
        let mut clone = Self { block, ranges, ..Self::new() };
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
    /// Creates an empty list.
    pub(crate) fn new() -> Self {
        Self {
            block: Vec::new(),
            ranges: Vec::new(),
            list: Vec::new(),
            counts: Vec::new(),
            with_counts: Vec::new(),
        }
    }

    /// Returns the number of arguments up to the last one that was set.
    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// Returns whether an argument was set.
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
            // SAFETY: the range has room for this many bytes inside of `block`.
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

    /// Updates all addresses after memory may have moved.
    fn take_addresses(&mut self) {
        let base = self.block.as_mut_ptr().cast::<u8>();
        self.list.clear();
        // An argument that was never set has no space. It gets the start, so that a launch reads existing memory.
        self.list.extend(self.ranges.iter().map(|range| base.wrapping_add(range.start).cast::<c_void>()));
        self.list.extend([null_mut(); HIDDEN]);
    }

    /// Returns the list of addresses for a launch, with the words of `hidden` after the arguments. A kernel may take
    /// them one by one, or all as one argument.
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

    /// Sets the numbers of work-groups for [`ArgumentList::list_with_counts`].
    pub(crate) fn set_counts(&mut self, counts: [u64; 3]) {
        self.counts = counts.to_vec();
    }

    /// Returns a list like [`ArgumentList::list`] does, with the numbers of work-groups after the hidden words.
    #[cold]
    pub(crate) fn list_with_counts(&mut self, hidden: &mut [u64; HIDDEN]) -> *mut *mut c_void {
        self.list(hidden);
        self.with_counts.clone_from(&self.list);
        self.with_counts
            .extend(self.counts.iter_mut().map(|count| std::ptr::from_mut(count).cast::<c_void>()));
        self.with_counts.as_mut_ptr()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl ArgumentList {
        /// Returns the first bytes at an argument's address in the list.
        pub(crate) fn bytes<const N: usize>(&mut self, index: usize) -> Option<[u8; N]> {
            let address = *self.list.get(index)?;
            let range = self.ranges.get(index).filter(|range| range.size >= N)?;
            let place = self.block.as_ptr().cast::<u8>().wrapping_add(range.start);
            assert_eq!((address.cast_const().cast(), address.addr() % 8), (place, 0));
            // SAFETY: they are inside of the block, because the range is.
            Some(unsafe { place.cast::<[u8; N]>().read() })
        }
    }

    #[test]
    fn arguments_keep_their_bytes_while_others_grow() {
        let mut list = ArgumentList::new();
        list.set(2, &[1, 2, 3, 4]);
        assert_eq!((list.len(), list.is_set(0), list.is_set(2), list.is_set(3)), (3, false, true, false));
        list.set(0, &[5; 16]);
        list.set(3, &[6; 17]);
        assert_eq!(
            (list.len(), list.bytes(2), list.bytes(0), list.bytes(3)),
            (4, Some([1, 2, 3, 4]), Some([5; 16]), Some([6; 17]))
        );
        // First in place, and then with more bytes than before.
        let places = list.block.len();
        list.set(0, &[7; 16]);
        assert_eq!(list.block.len(), places);
        list.set(2, &[8; 33]);
        assert_eq!((list.bytes(0), list.bytes(2)), (Some([7; 16]), Some([8; 33])));
        assert_eq!((list.block.len(), list.bytes(3)), (places + 3, Some([6; 17])));
        let mut clone = list.clone();
        list.set(0, &[9; 16]);
        assert_eq!(
            (clone.bytes(0), clone.bytes(2), list.bytes(0)),
            (Some([7; 16]), Some([8; 33]), Some([9; 16]))
        );
    }

    #[test]
    fn hidden_words_follow_the_arguments() {
        for count in [0, 2] {
            let (mut list, mut hidden) = (ArgumentList::new(), [1, 2, 3, 4]);
            (0..count).for_each(|index| list.set(index, &[4; 8]));
            let words = [0, 1, 2, 3].map(|at| &raw mut hidden[at]);
            let start = list.list(&mut hidden);
            assert_eq!(start, list.list.as_mut_ptr());
            assert_eq!(list.list[count..], words.map(|word| word.cast()));
            list.set_counts([5, 6, 7]);
            let start = list.list_with_counts(&mut hidden);
            assert_eq!(start, list.with_counts.as_mut_ptr());
            assert_eq!(list.with_counts[..count + 4], list.list[..]);
            let counts = [0, 1, 2].map(|at| &raw mut list.counts[at]);
            assert_eq!(list.with_counts[count + 4..], counts.map(|count| count.cast()));
            assert_eq!(list.counts, [5, 6, 7]);
        }
    }
}

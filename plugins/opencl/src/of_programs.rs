//! Facts about the kernels of programs, kept here because a program is the driver's own object.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// A list for each program, by the program's address.
pub(crate) struct OfPrograms<T> {
    lists: Mutex<BTreeMap<usize, Vec<T>>>,
    /// Whether there is any list. On most drivers there is none.
    any: AtomicBool,
}

impl<T: Clone> OfPrograms<T> {
    pub(crate) const fn new() -> Self {
        Self { lists: Mutex::new(BTreeMap::new()), any: AtomicBool::new(false) }
    }

    /// Takes the place of the list of an earlier program at this address.
    pub(crate) fn note(&self, program: usize, list: Vec<T>) {
        if !list.is_empty() {
            self.any.store(true, Ordering::Relaxed);
            self.lists.lock().insert(program, list);
        } else if self.any.load(Ordering::Relaxed) {
            self.lists.lock().remove(&program);
        }
    }

    /// Gives a linked program the lists of its input programs.
    pub(crate) fn inherit(&self, linked: usize, programs: impl Iterator<Item = usize>) {
        if self.any.load(Ordering::Relaxed) {
            let lists = self.lists.lock();
            let union = programs.filter_map(|program| lists.get(&program)).flatten().cloned().collect();
            drop(lists);
            self.note(linked, union);
        }
    }

    /// Returns an entry of a program's list.
    pub(crate) fn find(&self, program: usize, is_it: impl Fn(&T) -> bool) -> Option<T> {
        if !self.any.load(Ordering::Relaxed) {
            return None;
        }
        self.lists.lock().get(&program)?.iter().find(|entry| is_it(entry)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_its_program_s_until_another_program_takes_the_address() {
        let lists = OfPrograms::new();
        assert_eq!(lists.find(16, |_| true), None);
        lists.note(16, vec![1, 2]);
        assert_eq!(lists.find(16, |entry| *entry == 2), Some(2));
        assert_eq!(lists.find(16, |entry| *entry == 3), None);
        assert_eq!(lists.find(17, |entry| *entry == 2), None);
        lists.note(16, Vec::new());
        assert_eq!(lists.find(16, |entry| *entry == 2), None);
    }

    #[test]
    fn a_linked_program_has_the_entries_of_its_parts() {
        let lists = OfPrograms::new();
        lists.inherit(50, [48, 49].into_iter());
        assert_eq!(lists.find(50, |_| true), None);
        lists.note(48, vec![1]);
        lists.note(49, vec![2]);
        lists.inherit(50, [48, 51, 49].into_iter());
        for entry in [1, 2] {
            assert_eq!(lists.find(50, |one| *one == entry), Some(entry));
        }
        assert_eq!(lists.find(48, |one| *one == 2), None);
    }
}

//! A part of the map: readers see a table that never changes; writers put another one in its place.

use std::sync::Arc;

use arc_swap::ArcSwap;
use hashbrown::HashTable;
use parking_lot::Mutex;
use sycl_pi_host_process::PerProcess;

use super::slot::Slot;

/// A key with its hash and its entry.
#[derive(Debug)]
pub(super) struct Row<K, V, E> {
    pub(super) hash: u64,
    pub(super) key: K,
    pub(super) slot: Arc<Slot<V, E>>,
}

impl<K: Clone, V, E> Clone for Row<K, V, E> {
    fn clone(&self) -> Self {
        Self { hash: self.hash, key: self.key.clone(), slot: self.slot.clone() }
    }
}

/// Found by a hash that is known already, and by keys of another type: the standard library's map can neither.
pub(super) type Table<K, V, E> = HashTable<Row<K, V, E>>;

/// Aligned so that writers of one part do not slow down readers of the next.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Shard<K, V, E> {
    table: ArcSwap<Table<K, V, E>>,
    /// A forked child has its own: tables are whole whoever had the lock.
    writer: PerProcess<Mutex<()>>,
}

impl<K, V, E> Default for Shard<K, V, E> {
    fn default() -> Self {
        Self { table: ArcSwap::from_pointee(HashTable::new()), writer: PerProcess::default() }
    }
}

impl<K: Clone, V, E> Shard<K, V, E> {
    /// The current table. Takes no lock and writes nothing that other threads read.
    pub(super) fn table(&self) -> arc_swap::Guard<Arc<Table<K, V, E>>> {
        self.table.load()
    }

    /// The row that `find` finds, or else the one that `make` makes; and whether it is new.
    pub(super) fn enter(
        &self,
        hash: u64,
        find: impl Fn(&Row<K, V, E>) -> bool,
        make: impl FnOnce() -> Row<K, V, E>,
    ) -> (Arc<Slot<V, E>>, bool) {
        let writer = self.writer.get();
        let writer = writer.lock();
        let old = self.table.load_full();
        if let Some(row) = old.find(hash, find) {
            return (row.slot.clone(), false);
        }
        let row = make();
        let slot = row.slot.clone();
        let mut new = (*old).clone();
        new.insert_unique(hash, row, |row| row.hash);
        self.table.store(Arc::new(new));
        drop(writer);
        (slot, true)
    }

    /// Removes the rows that `keep` does not keep. Values that no other thread uses are dropped before
    /// it returns, outside of the lock.
    pub(super) fn retain(&self, mut keep: impl FnMut(&Row<K, V, E>) -> bool) -> usize {
        let writer = self.writer.get();
        let writer = writer.lock();
        let old = self.table.load_full();
        // The decision is made on the old table, once per row: a copy would hold every value a second time.
        let doomed: Vec<*const Slot<V, E>> =
            old.iter().filter(|row| !keep(row)).map(|row| Arc::as_ptr(&row.slot)).collect();
        if doomed.is_empty() {
            return 0;
        }
        let mut new = (*old).clone();
        new.retain(|row| !doomed.contains(&Arc::as_ptr(&row.slot)));
        self.table.store(Arc::new(new));
        drop(writer);
        drop(old);
        doomed.len()
    }
}

//! A part of the map. Readers see an immutable table; writers replace it.

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

/// A table that supports precomputed hashes and keys of another type, neither of which the standard library's map
/// supports.
pub(super) type Table<K, V, E> = HashTable<Row<K, V, E>>;

/// Aligned so that writers of one shard do not slow down readers of the next.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Shard<K, V, E> {
    table: ArcSwap<Table<K, V, E>>,
    /// A forked child has its own lock; the tables are consistent regardless of which thread held the parent's.
    writer: PerProcess<Mutex<()>>,
}

impl<K, V, E> Default for Shard<K, V, E> {
    fn default() -> Self {
        Self { table: ArcSwap::from_pointee(HashTable::new()), writer: PerProcess::default() }
    }
}

impl<K: Clone, V, E> Shard<K, V, E> {
    /// Returns the current table. Takes no lock and writes nothing that other threads read.
    pub(super) fn table(&self) -> arc_swap::Guard<Arc<Table<K, V, E>>> {
        self.table.load()
    }

    /// Returns the entry of the row that `find` finds, or else of the one that `make` makes, and whether it is new.
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

    /// Removes the rows for which `keep` is false. Values that no other thread uses are dropped before it returns,
    /// outside of the lock.
    pub(super) fn retain(&self, mut keep: impl FnMut(&Row<K, V, E>) -> bool) -> usize {
        let writer = self.writer.get();
        let writer = writer.lock();
        let old = self.table.load_full();
        // The decision is made on the old table, once per row, because a copy would hold a second reference to every
        // value.
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

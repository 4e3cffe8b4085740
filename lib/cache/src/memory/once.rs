//! Builds each value once: the first thread that requests it builds it outside of any lock, while other threads wait
//! for that entry alone ("Kernel and program caching mechanism", Core of caching mechanism).

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equivalent::Equivalent;
use foldhash::fast::RandomState;

use super::shard::{Row, Shard};
use super::slot::{BuildOutcome, NoOutcome, Slot};

/// The number of shards, a power of two.
const SHARDS: usize = 32;

/// The result of a build.
#[derive(Clone, Debug)]
pub struct Built<V> {
    /// The value.
    pub value: V,
    /// Its share of the cache's size, in bytes.
    pub size: u64,
}

/// How an error affects later requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A second build would fail as well: the error is kept, and every request gets it without another build.
    Lasting,
    /// The error may be accidental. The builder gets the error; every waiting thread and every later request tries
    /// again.
    Spurious,
    /// A resource was exhausted. Unused values are dropped and the build runs once more. If that fails too, every
    /// waiting thread gets the error, and a later request tries again.
    OutOfResources,
}

/// The reason why there is no value.
#[derive(Debug, thiserror::Error)]
pub enum GetError<E> {
    /// The build failed; all threads that waited for it share this error.
    #[error("{0}")]
    Build(Arc<E>),
    /// A build requested the value that it is building.
    #[error("the build of a program or kernel requests itself")]
    Recursive,
}

impl<E> Clone for GetError<E> {
    fn clone(&self) -> Self {
        match self {
            GetError::Build(error) => GetError::Build(error.clone()),
            GetError::Recursive => GetError::Recursive,
        }
    }
}

type Classify<E> = Box<dyn Fn(&E) -> Failure + Send + Sync>;

/// A map that builds each missing value once.
///
/// A hit takes no lock and, unless entries were added since the last hit of this one, writes no memory that other
/// threads read.
pub struct BuildOnce<K, V, E> {
    shards: Box<[Shard<K, V, E>]>,
    /// With this hasher a hit takes 122 ns, compared with 152 ns with the standard library's.
    hasher: RandomState,
    /// Counts the entries that were added, which serves as the clock for their age.
    clock: AtomicU64,
    pub(super) limit: Option<u64>,
    classify: Classify<E>,
}

impl<K, V, E> fmt::Debug for BuildOnce<K, V, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BuildOnce")
            .field("clock", &self.clock)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl<K: Clone + Eq + Hash, V, E> BuildOnce<K, V, E> {
    /// Creates an empty map. `limit` is the size in bytes above which unused values are dropped, least recently used
    /// first. `classify` determines how an error affects later requests.
    pub fn new(limit: Option<u64>, classify: impl Fn(&E) -> Failure + Send + Sync + 'static) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            hasher: RandomState::default(),
            clock: AtomicU64::new(0),
            limit,
            classify: Box::new(classify),
        }
    }

    /// Lends the value to `use_it` if it is in the cache. No reference is counted, so many threads can use this lookup
    /// concurrently without slowing each other down. `use_it` should be short, since removed values may stay alive
    /// until it returns.
    pub fn with<Q, R>(&self, key: &Q, use_it: impl FnOnce(&Arc<V>) -> R) -> Option<R>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        let hash = self.hasher.hash_one(key);
        let table = self.shard(hash).table();
        let row = table.find(hash, |row| key.equivalent(&row.key))?;
        let value = row.slot.value()?;
        row.slot.touch(self.clock.load(Relaxed));
        Some(use_it(value))
    }

    /// Returns the value if it is in the cache. It stays there while it is held.
    pub fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<Arc<V>> {
        self.with(key, Arc::clone)
    }

    /// Returns whether the value is in the cache. This does not count as a use.
    pub fn contains<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> bool {
        let hash = self.hasher.hash_one(key);
        let table = self.shard(hash).table();
        table.find(hash, |row| key.equivalent(&row.key)).is_some_and(|row| row.slot.value().is_some())
    }

    /// Returns the value. If it is missing and no other thread builds it, `build` makes it. `build` is called a second
    /// time if a resource was exhausted.
    ///
    /// # Errors
    /// [`GetError::Build`] with the error of the build, either this thread's or the one for which it waited;
    /// [`GetError::Recursive`] if `build` requests its own key.
    pub fn get_or_build(
        &self,
        key: &K,
        build: impl FnMut() -> Result<Built<V>, E>,
    ) -> Result<Arc<V>, GetError<E>> {
        self.get_or_build_relieved(key, build, || self.drop_unused())
    }

    /// Works like `get_or_build`, with another way to free resources.
    pub(super) fn get_or_build_relieved(
        &self,
        key: &K,
        build: impl FnMut() -> Result<Built<V>, E>,
        relieve: impl FnOnce(),
    ) -> Result<Arc<V>, GetError<E>> {
        let hash = self.hasher.hash_one(key);
        loop {
            if let Some(value) = self.get(key) {
                return Ok(value);
            }
            let make = || {
                let now = self.clock.fetch_add(1, Relaxed) + 1;
                Row { hash, key: key.clone(), slot: Arc::new(Slot::new(now)) }
            };
            let (slot, new) = self.shard(hash).enter(hash, |row| row.key == *key, make);
            if new {
                return self.build(hash, slot, build, relieve);
            }
            match slot.wait() {
                Ok(BuildOutcome::Done(value)) => return Ok(value.clone()),
                Ok(BuildOutcome::Failed(error) | BuildOutcome::Passed(error)) => {
                    return Err(GetError::Build(error.clone()));
                }
                // The first thread builds. Each thread builds at most once, so the loop ends.
                Ok(BuildOutcome::Again) => {}
                Err(NoOutcome::Recursive) => return Err(GetError::Recursive),
                Err(NoOutcome::Abandoned) => self.remove(hash, &slot),
            }
        }
    }

    fn build(
        &self,
        hash: u64,
        slot: Arc<Slot<V, E>>,
        mut build: impl FnMut() -> Result<Built<V>, E>,
        relieve: impl FnOnce(),
    ) -> Result<Arc<V>, GetError<E>> {
        let build_guard = Unfinished { cache: self, hash, slot };
        let mut built = build();
        if let Err(error) = &built
            && (self.classify)(error) == Failure::OutOfResources
        {
            relieve();
            built = build();
        }
        let error = match built {
            Ok(Built { value, size }) => {
                let value = Arc::new(value);
                build_guard.slot.finish(BuildOutcome::Done(value.clone()), size);
                drop(build_guard);
                self.evict();
                return Ok(value);
            }
            Err(error) => Arc::new(error),
        };
        match (self.classify)(&error) {
            Failure::Lasting => build_guard.slot.finish(BuildOutcome::Failed(error.clone()), 0),
            Failure::Spurious => build_guard.give_up(BuildOutcome::Again),
            Failure::OutOfResources => build_guard.give_up(BuildOutcome::Passed(error.clone())),
        }
        Err(GetError::Build(error))
    }

    /// Returns the number of values.
    pub fn len(&self) -> usize {
        self.survey(|_, _, _| ()).len()
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the total size of all values, in bytes as reported by the builds.
    pub fn size(&self) -> u64 {
        self.survey(|_, _, slot| slot.size()).iter().sum()
    }

    /// Calls `look` for each value and collects the results.
    pub(super) fn survey<R>(&self, mut look: impl FnMut(&K, &Arc<V>, &Arc<Slot<V, E>>) -> R) -> Vec<R> {
        let mut all = Vec::new();
        for shard in &self.shards {
            let table = shard.table();
            let values = table.iter().filter_map(|row| Some((row, row.slot.value()?)));
            all.extend(values.map(|(row, value)| look(&row.key, value, &row.slot)));
        }
        all
    }

    /// Removes the values for which `keep` is false, and returns their number. Builds in progress stay.
    pub(super) fn retain(&self, mut keep: impl FnMut(&K, &Arc<V>, &Slot<V, E>) -> bool) -> usize {
        let keep_row =
            |row: &Row<K, V, E>| row.slot.value().is_none_or(|value| keep(&row.key, value, &row.slot));
        let mut keep_row = keep_row;
        self.shards.iter().map(|shard| shard.retain(&mut keep_row)).sum()
    }

    /// Removes values and lasting errors for whose keys `keep` is false, whether or not they are in use. A value in use
    /// stays alive.
    pub fn forget(&self, mut keep: impl FnMut(&K) -> bool) -> usize {
        let mut keep_row = |row: &Row<K, V, E>| row.slot.outcome().is_none() || keep(&row.key);
        self.shards.iter().map(|shard| shard.retain(&mut keep_row)).sum()
    }

    fn remove(&self, hash: u64, slot: &Arc<Slot<V, E>>) {
        self.shard(hash).retain(|row| !Arc::ptr_eq(&row.slot, slot));
    }

    fn shard(&self, hash: u64) -> &Shard<K, V, E> {
        // The table uses the lowest and the highest bits.
        let index = (hash >> 32) as usize & (SHARDS - 1);
        &self.shards[index]
    }
}

/// A build in progress. If it panics, the waiting threads build for themselves.
struct Unfinished<'a, K: Clone + Eq + Hash, V, E> {
    cache: &'a BuildOnce<K, V, E>,
    hash: u64,
    slot: Arc<Slot<V, E>>,
}

impl<K: Clone + Eq + Hash, V, E> Unfinished<'_, K, V, E> {
    /// Removes the entry first, so that a woken thread can create a new one.
    fn give_up(&self, outcome: BuildOutcome<V, E>) {
        self.cache.remove(self.hash, &self.slot);
        self.slot.finish(outcome, 0);
    }
}

impl<K: Clone + Eq + Hash, V, E> Drop for Unfinished<'_, K, V, E> {
    fn drop(&mut self) {
        if self.slot.outcome().is_none() {
            self.give_up(BuildOutcome::Again);
        }
    }
}

//! Each value is built once: by the first thread that asks, outside of any lock, while the others wait for that entry
//! alone ("Kernel and program caching mechanism", Core of caching mechanism).

use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equivalent::Equivalent;
use foldhash::fast::RandomState;

use super::shard::{Row, Shard};
use super::slot::{BuildOutcome, NoOutcome, Slot};

/// A power of two.
const SHARDS: usize = 32;

/// What a build gives.
#[derive(Clone, Debug)]
pub struct Built<V> {
    /// The value.
    pub value: V,
    /// What it counts for in the cache's size, in bytes.
    pub size: u64,
}

/// What an error means for later requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A second build would fail as well: the error stays, and everybody gets it without another build.
    Lasting,
    /// It may have been chance. The builder gets the error; every waiting thread and every later request tries again.
    Spurious,
    /// A resource ran out. Unused values are dropped and the build runs once more. If that fails too, every waiting thread
    /// gets the error, and a later request tries again.
    OutOfResources,
}

/// Why there is no value.
#[derive(Debug, thiserror::Error)]
pub enum GetError<E> {
    /// The build failed; all threads that waited for it share this error.
    #[error("{0}")]
    Build(Arc<E>),
    /// A build requested the value that it is building.
    #[error("the build of a program or kernel asks for itself")]
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
    /// A hit takes 122 ns with it, and 152 ns with the standard library's.
    hasher: RandomState,
    /// Counts entries that were added: the time by which entries are old.
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
    /// An empty map. `limit`: the size in bytes above which unused values are dropped, least recently used
    /// first. `classify`: what an error means.
    pub fn new(limit: Option<u64>, classify: impl Fn(&E) -> Failure + Send + Sync + 'static) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Shard::default()).collect(),
            hasher: RandomState::default(),
            clock: AtomicU64::new(0),
            limit,
            classify: Box::new(classify),
        }
    }

    /// Lends the value to `use_it`, if it is in the cache. Nothing is counted: of all ways to a value this is the one that many
    /// threads can go at once without slowing each other down. `use_it` should be short, since removed values may stay
    /// alive meanwhile.
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

    /// The value, if it is in the cache. It stays there while it is held.
    pub fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<Arc<V>> {
        self.with(key, Arc::clone)
    }

    /// Whether the value is in the cache. This does not count as a use.
    pub fn contains<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> bool {
        let hash = self.hasher.hash_one(key);
        let table = self.shard(hash).table();
        table.find(hash, |row| key.equivalent(&row.key)).is_some_and(|row| row.slot.value().is_some())
    }

    /// The value; `build` makes it if it is missing and no other thread builds it. `build` is called a second time when
    /// something ran out.
    ///
    /// # Errors
    /// [`GetError::Build`] with the build's error, this thread's or the one that it waited for; [`GetError::Recursive`]
    /// if `build` requests its own key.
    pub fn get_or_build(
        &self,
        key: &K,
        build: impl FnMut() -> Result<Built<V>, E>,
    ) -> Result<Arc<V>, GetError<E>> {
        self.get_or_build_relieved(key, build, || self.drop_unused())
    }

    /// The same, with another way to free resources.
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

    /// The number of values.
    pub fn len(&self) -> usize {
        self.survey(|_, _, _| ()).len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size of all values together, in bytes as the builds reported it.
    pub fn size(&self) -> u64 {
        self.survey(|_, _, slot| slot.size()).iter().sum()
    }

    /// Something about each value.
    pub(super) fn survey<R>(&self, mut look: impl FnMut(&K, &Arc<V>, &Arc<Slot<V, E>>) -> R) -> Vec<R> {
        let mut all = Vec::new();
        for shard in &self.shards {
            let table = shard.table();
            let values = table.iter().filter_map(|row| Some((row, row.slot.value()?)));
            all.extend(values.map(|(row, value)| look(&row.key, value, &row.slot)));
        }
        all
    }

    /// Removes values that `keep` does not keep, and gives their number; what is in progress stays.
    pub(super) fn retain(&self, mut keep: impl FnMut(&K, &Arc<V>, &Slot<V, E>) -> bool) -> usize {
        let keep_row =
            |row: &Row<K, V, E>| row.slot.value().is_none_or(|value| keep(&row.key, value, &row.slot));
        let mut keep_row = keep_row;
        self.shards.iter().map(|shard| shard.retain(&mut keep_row)).sum()
    }

    /// Forgets values and lasting errors whose key is not kept, in use or not: a value in use stays alive
    /// it.
    pub fn forget(&self, mut keep: impl FnMut(&K) -> bool) -> usize {
        let mut keep_row = |row: &Row<K, V, E>| row.slot.outcome().is_none() || keep(&row.key);
        self.shards.iter().map(|shard| shard.retain(&mut keep_row)).sum()
    }

    fn remove(&self, hash: u64, slot: &Arc<Slot<V, E>>) {
        self.shard(hash).retain(|row| !Arc::ptr_eq(&row.slot, slot));
    }

    fn shard(&self, hash: u64) -> &Shard<K, V, E> {
        // The table takes the lowest and the highest bits.
        let index = (hash >> 32) as usize & (SHARDS - 1);
        &self.shards[index]
    }
}

/// A build in progress: if it ends by a panic, the waiting threads try for themselves.
struct Unfinished<'a, K: Clone + Eq + Hash, V, E> {
    cache: &'a BuildOnce<K, V, E>,
    hash: u64,
    slot: Arc<Slot<V, E>>,
}

impl<K: Clone + Eq + Hash, V, E> Unfinished<'_, K, V, E> {
    /// Removes the entry first, so that a woken thread can make a new one.
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

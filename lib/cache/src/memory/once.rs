//! Builds each value once: the first thread that requests it builds it outside of any lock, while other threads wait
//! for that entry alone ("Kernel and program caching mechanism", Core of caching mechanism).

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use hashbrown::hash_map::Entry;
use hashbrown::{Equivalent, HashMap};

use super::lock::ForkSafe;
use super::slot::{BuildOutcome, NoOutcome, Slot};

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
type Slots<K, V, E> = HashMap<K, Arc<Slot<V, E>>>;

/// A map that builds each missing value once.
pub struct BuildOnce<K, V, E> {
    /// Unlike the standard library's map, this one finds a key by its borrowed parts.
    slots: ForkSafe<Slots<K, V, E>>,
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
        Self { slots: ForkSafe::default(), clock: AtomicU64::new(0), limit, classify: Box::new(classify) }
    }

    /// Lends the value to `use_it` if it is in the cache. `use_it` must be short, and must not access this cache.
    pub fn with<Q, R>(&self, key: &Q, use_it: impl FnOnce(&Arc<V>) -> R) -> Option<R>
    where
        Q: Hash + Equivalent<K> + ?Sized,
    {
        self.slots.read(|slots| {
            let slot = slots.get(key)?;
            let value = slot.value()?;
            slot.touch(self.clock.load(Relaxed));
            Some(use_it(value))
        })
    }

    /// Returns the value if it is in the cache. It stays there while it is held.
    pub fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<Arc<V>> {
        self.with(key, Arc::clone)
    }

    /// Returns whether the value is in the cache. This does not count as a use.
    pub fn contains<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> bool {
        self.slots.read(|slots| slots.get(key).is_some_and(|slot| slot.value().is_some()))
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
        loop {
            if let Some(value) = self.get(key) {
                return Ok(value);
            }
            let entered = self.slots.write(|slots| {
                Some(match slots.entry(key.clone()) {
                    Entry::Occupied(known) => (known.get().clone(), false),
                    Entry::Vacant(place) => (place.insert(self.new_slot()).clone(), true),
                })
            });
            let (slot, is_new) = entered.unwrap_or_else(|| (self.new_slot(), true));
            if is_new {
                return self.build(key, slot, build, relieve);
            }
            match slot.wait() {
                Ok(BuildOutcome::Done(value)) => return Ok(value.clone()),
                Ok(BuildOutcome::Failed(error) | BuildOutcome::Passed(error)) => {
                    return Err(GetError::Build(error.clone()));
                }
                // The first thread builds. Each thread builds at most once, so the loop ends.
                Ok(BuildOutcome::Again) => {}
                Err(NoOutcome::Recursive) => return Err(GetError::Recursive),
                Err(NoOutcome::Abandoned) => self.remove(key, &slot),
            }
        }
    }

    /// Creates an entry that this thread is to build.
    fn new_slot(&self) -> Arc<Slot<V, E>> {
        Arc::new(Slot::new(self.clock.fetch_add(1, Relaxed) + 1))
    }

    fn build(
        &self,
        key: &K,
        slot: Arc<Slot<V, E>>,
        mut build: impl FnMut() -> Result<Built<V>, E>,
        relieve: impl FnOnce(),
    ) -> Result<Arc<V>, GetError<E>> {
        let build_guard = Unfinished { cache: self, key, slot };
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
    pub(super) fn survey<R>(&self, mut look: impl FnMut(&K, &Arc<V>, &Slot<V, E>) -> R) -> Vec<R> {
        self.slots.read(|slots| {
            let values = slots.iter().filter_map(|(key, slot)| Some((key, slot.value()?, slot)));
            values.map(|(key, value, slot)| look(key, value, slot)).collect()
        })
    }

    /// Removes the values for which `keep` is false, and returns their number. Builds in progress stay.
    pub(super) fn retain(&self, mut keep: impl FnMut(&K, &Arc<V>, &Slot<V, E>) -> bool) -> usize {
        self.retain_slots(|key, slot| slot.value().is_none_or(|value| keep(key, value, slot)))
    }

    /// Removes values and lasting errors for whose keys `keep` is false, whether or not they are in use. A value in use
    /// stays alive.
    pub fn forget(&self, mut keep: impl FnMut(&K) -> bool) -> usize {
        self.retain_slots(|key, slot| slot.outcome().is_none() || keep(key))
    }

    fn retain_slots(&self, mut keep: impl FnMut(&K, &Slot<V, E>) -> bool) -> usize {
        let removed: Vec<_> =
            self.slots.write(|slots| slots.extract_if(|key, slot| !keep(key, slot)).collect());
        // The values are dropped here, where the lock is free.
        removed.len()
    }

    fn remove(&self, key: &K, slot: &Arc<Slot<V, E>>) {
        self.slots.write(|slots| {
            if let Entry::Occupied(entry) = slots.entry(key.clone())
                && Arc::ptr_eq(entry.get(), slot)
            {
                entry.remove();
            }
        });
    }
}

/// A build in progress. If it panics, the waiting threads build for themselves.
struct Unfinished<'a, K: Clone + Eq + Hash, V, E> {
    cache: &'a BuildOnce<K, V, E>,
    key: &'a K,
    slot: Arc<Slot<V, E>>,
}

impl<K: Clone + Eq + Hash, V, E> Unfinished<'_, K, V, E> {
    /// Removes the entry first, so that a woken thread can create a new one.
    fn give_up(&self, outcome: BuildOutcome<V, E>) {
        self.cache.remove(self.key, &self.slot);
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

//! Objects that only one call at a time may use. A call takes one out and puts it back.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::Mutex;

use crate::failure::Result;

/// Idle objects, by the use that they have.
pub(crate) struct IdlePool<K, V> {
    idle: Mutex<Option<Idle<K, V>>>,
}

struct Idle<K, V> {
    /// The objects of each kind, and when one was last put back.
    kinds: HashMap<K, (u64, Vec<V>)>,
    clock: u64,
}

impl<K: Eq + Hash + Clone, V> IdlePool<K, V> {
    pub(crate) const fn new() -> Self {
        Self { idle: Mutex::new(None) }
    }

    /// Uses an idle object or a new one. If the work fails, the object is kept, because its library reports any problem
    /// with it.
    pub(crate) fn with<T>(
        &self,
        key: K,
        create: impl FnOnce() -> Result<V>,
        work: impl FnOnce(&mut V) -> Result<T>,
    ) -> Result<T> {
        let idle =
            self.idle.lock().as_mut().and_then(|idle| idle.kinds.get_mut(&key)).and_then(|kind| kind.1.pop());
        let mut taken = match idle {
            Some(taken) => taken,
            None => create()?,
        };
        let done = work(&mut taken);
        let mut idle = self.idle.lock();
        let idle = idle.get_or_insert_with(|| Idle { kinds: HashMap::new(), clock: 0 });
        idle.clock += 1;
        let kind = idle.kinds.entry(key).or_default();
        kind.0 = idle.clock;
        kind.1.push(taken);
        done
    }

    /// Removes the objects of the least recently used kinds if there are more than `most` kinds.
    pub(crate) fn drain_above(&self, most: usize) -> Vec<V> {
        let mut idle = self.idle.lock();
        let mut old = Vec::new();
        while let Some(idle) = idle.as_mut().filter(|idle| idle.kinds.len() > most) {
            let oldest = idle.kinds.iter().min_by_key(|(_, kind)| kind.0).map(|(key, _)| key.clone());
            old.extend(oldest.and_then(|key| idle.kinds.remove(&key)).into_iter().flat_map(|kind| kind.1));
        }
        old
    }
}

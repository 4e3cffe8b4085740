//! Things that one call at a time may use. A call takes one out, and puts it back.

use std::collections::HashMap;
use std::hash::Hash;

use parking_lot::Mutex;

use crate::failure::Result;

/// Idle things by what they serve.
pub(crate) struct Pool<K, V> {
    idle: Mutex<Option<HashMap<K, Vec<V>>>>,
}

impl<K: Eq + Hash + Clone, V> Pool<K, V> {
    pub(crate) const fn new() -> Self {
        Self { idle: Mutex::new(None) }
    }

    /// Uses an idle thing or a new one. Where the work fails, the thing is kept: its library says what is wrong with it.
    pub(crate) fn with<T>(
        &self,
        key: K,
        create: impl FnOnce() -> Result<V>,
        work: impl FnOnce(&mut V) -> Result<T>,
    ) -> Result<T> {
        let idle = self.idle.lock().as_mut().and_then(|all| all.get_mut(&key)).and_then(Vec::pop);
        let mut taken = match idle {
            Some(taken) => taken,
            None => create()?,
        };
        let done = work(&mut taken);
        self.idle.lock().get_or_insert_with(HashMap::new).entry(key).or_default().push(taken);
        done
    }

    /// Takes all idle things out where there are more than `most` keys.
    pub(crate) fn drain_above(&self, most: usize) -> Vec<V> {
        let mut idle = self.idle.lock();
        match idle.as_mut().filter(|all| all.len() > most) {
            Some(all) => std::mem::take(all).into_values().flatten().collect(),
            None => Vec::new(),
        }
    }
}

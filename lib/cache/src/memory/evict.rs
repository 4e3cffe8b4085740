//! Eviction: the least recently used values are dropped first, and a value in use is never dropped.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::Arc;

use super::once::BuildOnce;

/// A value that may be dropped.
pub(super) struct Unused<T> {
    pub(super) what: T,
    pub(super) used: u64,
    pub(super) size: u64,
}

/// Chooses the values to drop so that at most `limit` of `total` bytes are left.
pub(super) fn choose<T>(mut unused: Vec<Unused<T>>, mut total: u64, limit: u64) -> Vec<T> {
    unused.sort_by_key(|one| one.used);
    let mut chosen = Vec::new();
    for one in unused {
        if total <= limit {
            break;
        }
        total = total.saturating_sub(one.size);
        chosen.push(one.what);
    }
    chosen
}

impl<K: Clone + Eq + Hash, V, E> BuildOnce<K, V, E> {
    /// Drops unused values until the size is within the limit.
    pub(super) fn evict(&self) {
        if let Some(limit) = self.limit {
            self.shrink_to(limit);
        }
    }

    /// Drops every unused value.
    pub fn drop_unused(&self) {
        self.retain(|_, value, _| Arc::strong_count(value) > 1);
    }

    /// Drops unused values, least recently used first, until at most `limit` bytes are left. Returns their number.
    pub fn shrink_to(&self, limit: u64) -> usize {
        let mut total = 0;
        let candidates = self.survey(|_, value, slot| {
            total += slot.size();
            let unused = Arc::strong_count(value) == 1;
            unused.then(|| Unused { what: Arc::as_ptr(value), used: slot.used(), size: slot.size() })
        });
        let chosen: HashSet<*const V> =
            choose(candidates.into_iter().flatten().collect(), total, limit).into_iter().collect();
        if chosen.is_empty() {
            return 0;
        }
        // Another thread may have started using a value in the meantime.
        self.retain(|_, value, _| Arc::strong_count(value) > 1 || !chosen.contains(&Arc::as_ptr(value)))
    }
}

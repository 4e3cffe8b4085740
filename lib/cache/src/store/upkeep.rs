//! Keeps the store within its limits: by age and by total size, least recently used first ("Kernel and program caching
//! mechanism", Persistent cache eviction). Space is freed before an item is written, so that the limit holds even if a
//! program ends soon.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::Store;
use super::catalog::Item;
use super::lock::Lock;
use super::record::{LockedRecord, Record};
use super::verify::{STRAY_AGE, old_strays};

/// Items are scanned at least this often.
const PERIOD: Duration = Duration::from_secs(24 * 60 * 60);
/// The minimum time between the last scan and one at shutdown.
const PAUSE: Duration = Duration::from_secs(10 * 60);
/// The time limit for writing at shutdown.
const FLUSH_LIMIT: Duration = Duration::from_secs(2);
/// The time limit for scanning the items at shutdown.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(1);
/// The time limit for freeing space.
const ROOM_LIMIT: Duration = Duration::from_secs(1);

/// The limits of the store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The total size of all items, in bytes. If it is exceeded, items are removed until nine tenths of it are left.
    pub max_size: Option<u64>,
    /// How long an unused item stays.
    pub max_age: Option<Duration>,
}

impl Limits {
    /// Creates both limits; `None` means no limit.
    pub fn new(max_size: Option<u64>, max_age: Option<Duration>) -> Self {
        Self { max_size, max_age }
    }

    fn is_too_old(&self, item: &Item, now: SystemTime) -> bool {
        let age = item.last_used.and_then(|at| now.duration_since(at).ok());
        self.max_age.is_some_and(|max| age.is_some_and(|age| age > max))
    }
}

/// The results of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upkeep {
    /// The number of remaining items.
    pub items: usize,
    /// Their size in bytes.
    pub size: u64,
    /// The number of removed items.
    pub removed: usize,
    /// The total size of removed items and of files that killed processes had left, in bytes.
    pub removed_size: u64,
    /// Items that exceed the limits but stay, because another process uses them or because they cannot be removed.
    pub busy: usize,
}

impl Store {
    /// Returns the limits that the variables set, or none if SYCL_CACHE_EVICTION_DISABLE is set.
    pub fn limits(&self) -> Limits {
        let config = &self.inner.config;
        if !config.eviction {
            return Limits::default();
        }
        Limits { max_size: config.max_size, max_age: config.threshold }
    }

    /// Removes items that exceed the limits, and files left by killed processes. Returns `None` if another process or
    /// thread is doing this, or if the time limit passed before all items were seen.
    ///
    /// # Errors
    /// Fails if the root cannot be read or its lock cannot be created.
    pub fn prune(&self, limits: &Limits, time: Option<Duration>) -> io::Result<Option<Upkeep>> {
        let inner = &*self.inner;
        let Some(root) = inner.root.as_deref() else { return Ok(Some(Upkeep::default())) };
        match inner.fs().info_at(root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(Upkeep::default())),
            info => info?,
        };
        let Some(record) = self.lock_record(Duration::ZERO)? else { return Ok(None) };
        let (upkeep, all) = self.look_through(&record, limits, 0, time)?;
        Ok(all.then_some(upkeep))
    }

    /// Scans the items and removes those that exceed the limits, so that there is space for `more` bytes. Returns the
    /// results, and whether it saw all items: after the time limit it continues only until there is enough space.
    pub(super) fn look_through(
        &self,
        record: &LockedRecord,
        limits: &Limits,
        more: u64,
        time: Option<Duration>,
    ) -> io::Result<(Upkeep, bool)> {
        let inner = &*self.inner;
        let end = time.and_then(|time| Instant::now().checked_add(time));
        let in_time = || end.is_none_or(|end| Instant::now() < end);
        let known = record.known.unwrap_or_default();
        let uncounted = inner.state.uncounted.swap(0, Relaxed);
        let now = SystemTime::now();
        // At an arbitrary place, so that all items are treated alike if there is no time for all of them.
        let start = now.duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_micros()) as usize;
        let (mut items, mut upkeep) = (Vec::new(), Upkeep::default());
        let mut all = true;
        inner.walk(start, &mut |folder| {
            for leftover in old_strays(&folder) {
                if self.remove_leftover(&leftover).is_ok() {
                    upkeep.removed_size += leftover.size;
                }
            }
            if folder.items.is_empty() {
                self.remove_old_empty(&folder.path);
            }
            for item in folder.items {
                upkeep.items += 1;
                upkeep.size += item.size;
                // Immediately, because a short program may not get any further.
                if limits.is_too_old(&item, now) {
                    self.remove_item(&item, &mut upkeep);
                } else {
                    items.push(item);
                }
            }
            all = in_time() || upkeep.size + upkeep.removed_size < more;
            all
        })?;
        let mut total = if all { upkeep.size } else { known.size.saturating_add(uncounted) };
        if let Some(max) = limits.max_size.filter(|max| total.saturating_add(more) > *max) {
            // Some space below the limit prevents every new item from starting another run.
            let target = max - max / 10;
            items.sort_by_key(|item| item.last_used);
            for item in &items {
                let wanted = if in_time() { target } else { max };
                if total.saturating_add(more) <= wanted.max(more) {
                    break;
                }
                total -= self.remove_item(item, &mut upkeep).min(total);
            }
        }
        let looked_through = if all { Some(now) } else { known.looked_through };
        record.write(Record { size: total.saturating_add(more), looked_through })?;
        Ok((upkeep, all))
    }

    /// Removes an item that exceeds the limits. Returns the number of bytes removed.
    fn remove_item(&self, item: &Item, upkeep: &mut Upkeep) -> u64 {
        match self.remove(item) {
            Ok(true) => {
                upkeep.removed += 1;
                upkeep.removed_size += item.size;
                upkeep.items -= 1;
                upkeep.size -= item.size;
                return item.size;
            }
            Ok(false) => upkeep.busy += 1,
            Err(error) => {
                upkeep.busy += 1;
                self.inner.trace(format_args!("{}: {error}", item.folder.display()));
            }
        }
        0
    }

    /// Removes a folder whose only build failed or was never finished.
    fn remove_old_empty(&self, folder: &std::path::Path) {
        let inner = &*self.inner;
        let info = inner.fs().info_at(folder).ok();
        let age = info.and_then(|info| info.modified).and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > STRAY_AGE)
            && let Ok(Some(lock)) = Lock::try_take(&inner.fs, folder)
        {
            inner.remove_if_empty(folder, lock);
        }
    }

    /// Frees space for this many bytes and counts them. No other process counts until the result is dropped. Returns
    /// `None` if there is no limit, or if others count for longer than `wait`.
    pub(super) fn make_room(&self, bytes: u64, wait: Duration) -> Option<LockedRecord> {
        let limits = self.limits();
        let max = limits.max_size?;
        let counted = self.count(bytes, wait, max, &limits);
        counted.unwrap_or_else(|error| {
            self.inner.trace(format_args!("the size of the cache cannot be noted: {error}"));
            None
        })
    }

    /// Adds bytes that are about to be written, and those not counted so far, to the record, after freeing space for
    /// them.
    fn count(
        &self,
        bytes: u64,
        wait: Duration,
        max: u64,
        limits: &Limits,
    ) -> io::Result<Option<LockedRecord>> {
        let uncounted = &self.inner.state.uncounted;
        let more = uncounted.load(Relaxed).saturating_add(bytes);
        // Far from the limit there is no need to wait: the next count, or the final one, includes these bytes too.
        let is_far = self.inner.record().is_some_and(|known| known.size.saturating_add(more) <= max / 2);
        let Some(record) = self.lock_record(if is_far { Duration::ZERO } else { wait })? else {
            uncounted.fetch_add(bytes, Relaxed);
            return Ok(None);
        };
        match record.known {
            Some(known) if known.size.saturating_add(more) <= max => {
                uncounted.store(0, Relaxed);
                record.write(Record { size: known.size.saturating_add(more), ..known })?;
            }
            _ => {
                self.look_through(&record, limits, bytes, Some(ROOM_LIMIT))?;
            }
        }
        Ok(Some(record))
    }

    /// Starts a thread that removes items that exceed the limits, if this process added something and not all items
    /// were scanned within the last day. Returns immediately.
    pub(super) fn start_upkeep(&self) {
        if self.is_due(PERIOD) {
            let store = self.clone();
            self.look_through_later(move || store.upkeep(None));
        }
    }

    /// Must be called when the program ends. Waits for at most two seconds until everything built is written. If this
    /// process added something, also removes items that exceed the limits, which takes at most one second and is
    /// skipped if it was done in the last ten minutes.
    pub fn shut_down(&self) {
        if !self.flush(FLUSH_LIMIT) {
            self.inner.trace(format_args!("the disk is slow: some programs were not kept"));
        }
        if self.inner.state.uncounted.load(Relaxed) > 0 {
            drop(self.make_room(0, SHUTDOWN_LIMIT));
        }
        let started = Instant::now();
        if self.wait_for_look(SHUTDOWN_LIMIT) && self.is_due(PAUSE) {
            self.upkeep(Some(SHUTDOWN_LIMIT.saturating_sub(started.elapsed())));
        }
    }

    fn upkeep(&self, time: Option<Duration>) {
        let done = self.prune(&self.limits(), time);
        self.inner.trace(format_args!("upkeep: {done:?}"));
    }

    /// Returns whether this process added something to a store with limits that was not scanned for this long.
    fn is_due(&self, period: Duration) -> bool {
        let state = &self.inner.state;
        if self.limits() == Limits::default()
            || state.read_only.load(Relaxed)
            || state.saved.load(Relaxed) == 0
        {
            return false;
        }
        self.inner.record().is_none_or(|record| record.is_older(period))
    }
}

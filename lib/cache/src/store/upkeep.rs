//! Keeping the store within its limits: by age and by total size, least recently used first ("Kernel and program
//! caching mechanism", Persistent cache eviction). Room is made before an item is written, so that the size holds however soon a program ends.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::Store;
use super::catalog::Item;
use super::lock::Lock;
use super::record::{LockedRecord, Record};
use super::verify::{STRAY_AGE, old_strays};

/// Items are looked through at least this often.
const PERIOD: Duration = Duration::from_secs(24 * 60 * 60);
/// At shutdown, not sooner than this after the last time.
const PAUSE: Duration = Duration::from_secs(10 * 60);
/// How long writing may take at shutdown.
const FLUSH_LIMIT: Duration = Duration::from_secs(2);
/// How long looking through the items may take at shutdown.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(1);
/// How long looking for room may take.
const ROOM_LIMIT: Duration = Duration::from_secs(1);

/// What the store may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The size of all items together, in bytes. Where it is exceeded, items go until nine tenths of it are left.
    pub max_size: Option<u64>,
    /// How long an item stays without being used.
    pub max_age: Option<Duration>,
}

impl Limits {
    /// Both limits; `None` is no limit.
    pub fn new(max_size: Option<u64>, max_age: Option<Duration>) -> Self {
        Self { max_size, max_age }
    }

    fn is_too_old(&self, item: &Item, now: SystemTime) -> bool {
        let age = item.last_used.and_then(|at| now.duration_since(at).ok());
        self.max_age.is_some_and(|max| age.is_some_and(|age| age > max))
    }
}

/// What one run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upkeep {
    /// Items there are now.
    pub items: usize,
    /// Their size in bytes.
    pub size: u64,
    /// Items that were removed.
    pub removed: usize,
    /// The size of those, and of what killed processes had left, in bytes.
    pub removed_size: u64,
    /// Items over the limits that stay: another process uses them, or they cannot be removed.
    pub busy: usize,
}

impl Store {
    /// The limits that the variables set; none if SYCL_CACHE_EVICTION_DISABLE is.
    pub fn limits(&self) -> Limits {
        let config = &self.inner.config;
        if !config.eviction {
            return Limits::default();
        }
        Limits { max_size: config.max_size, max_age: config.threshold }
    }

    /// Removes items over the limits, and files that killed processes left. `None`: another process or thread does it, or
    /// the time was over before all items were seen.
    ///
    /// # Errors
    /// The root cannot be read or its lock not be made.
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

    /// Looks through the items and removes those over the limits, so that `more` bytes have room. Says what it did, and whether it saw
    /// all items: when the time is over it goes on only until there is room.
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
        // Anywhere, so that items are all alike where the time is too short for all of them.
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
                // At once: a short program may not come further.
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
            // Some space below the limit keeps every new item from starting another run.
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

    /// Removes an item over the limits; gives the bytes that went.
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

    /// A folder whose only build failed, or was never finished.
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

    /// Makes room for so many bytes and counts them. Until the result is dropped nobody else does; `None` where there is no limit, and
    /// where others count for longer than `wait`.
    pub(super) fn make_room(&self, bytes: u64, wait: Duration) -> Option<LockedRecord> {
        let limits = self.limits();
        let max = limits.max_size?;
        let counted = self.count(bytes, wait, max, &limits);
        counted.unwrap_or_else(|error| {
            self.inner.trace(format_args!("the size of the cache cannot be noted: {error}"));
            None
        })
    }

    /// Adds bytes that are to be written, and those that were not counted so far, to the record; makes room for them first.
    fn count(
        &self,
        bytes: u64,
        wait: Duration,
        max: u64,
        limits: &Limits,
    ) -> io::Result<Option<LockedRecord>> {
        let uncounted = &self.inner.state.uncounted;
        let more = uncounted.load(Relaxed).saturating_add(bytes);
        // Far from the limit nobody waits: the next count, or the one at the end, has these bytes too.
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

    /// Starts a thread that removes items over the limits, if this process added something, and all items were not looked through for a
    /// day. Returns at once.
    pub(super) fn start_upkeep(&self) {
        if self.is_due(PERIOD) {
            let store = self.clone();
            self.look_through_later(move || store.upkeep(None));
        }
    }

    /// To be called when the program ends: waits until what was built is written, for two seconds at most, and removes
    /// what is over the limits if this process added something. That takes a second at most, and is not done if it was in
    /// the last ten minutes.
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

    /// Whether this process added something to a store with limits that was not looked through for so long.
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

//! Keeping the store within its limits: by age and by total size, least recently used first ("Persistent cache
//! eviction" of program-cache.txt). It runs in the background and waits for no lock.

use std::io;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::time::{Duration, Instant, SystemTime};

use super::catalog::Item;
use super::layout;
use super::lock::Lock;
use super::verify::{STRAY_AGE, old_strays};
use super::{LOG, Store};

/// Items are looked through at least this often.
const PERIOD: Duration = Duration::from_secs(24 * 60 * 60);
/// At shutdown, not sooner than this after the last time.
const PAUSE: Duration = Duration::from_secs(10 * 60);
/// How long writing may take at shutdown.
const FLUSH_LIMIT: Duration = Duration::from_secs(2);
/// How long looking through the items may take at shutdown.
const SHUTDOWN_LIMIT: Duration = Duration::from_secs(1);

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

/// The content of the file of the last run.
struct LastRun {
    age: Option<Duration>,
    size: u64,
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
        let file = inner.fs().open_lock(&root.join(layout::UPKEEP_FILE))?;
        if !inner.fs().try_lock(&file)? {
            return Ok(None);
        }
        let unkept = inner.state.unkept.swap(0, Relaxed);
        let end = time.and_then(|time| Instant::now().checked_add(time));
        let (mut items, mut upkeep) = (Vec::new(), Upkeep::default());
        let mut in_time = true;
        inner.walk(&mut |folder| {
            for leftover in old_strays(&folder) {
                if self.remove_leftover(&leftover).is_ok() {
                    upkeep.removed_size += leftover.size;
                }
            }
            if folder.items.is_empty() {
                self.remove_old_empty(&folder.path);
            }
            items.extend(folder.items);
            in_time = end.is_none_or(|end| Instant::now() < end);
            in_time
        })?;
        if !in_time {
            inner.state.unkept.fetch_add(unkept, Relaxed);
            inner.fs().unlock(&file)?;
            return Ok(None);
        }
        upkeep.items = items.len();
        upkeep.size = items.iter().map(|item| item.size).sum();
        self.remove_over(limits, items, &mut upkeep);
        let noted = inner.fs().clear(&file);
        let noted = noted.and_then(|()| inner.fs().write(&file, &upkeep.size.to_le_bytes()));
        inner.fs().unlock(&file)?;
        noted?;
        Ok(Some(upkeep))
    }

    fn remove_over(&self, limits: &Limits, mut items: Vec<Item>, upkeep: &mut Upkeep) {
        let now = SystemTime::now();
        items.sort_by_key(|item| item.last_used);
        // Some space below the limit keeps every new item from starting another run.
        let target = limits.max_size.filter(|max| upkeep.size > *max).map(|max| max - max / 10);
        for item in items {
            let age = item.last_used.and_then(|at| now.duration_since(at).ok());
            let too_old = limits.max_age.is_some_and(|max| age.is_some_and(|age| age > max));
            let too_much = target.is_some_and(|target| upkeep.size > target);
            if !too_old && !too_much {
                continue;
            }
            match self.remove(&item) {
                Ok(true) => {
                    upkeep.removed += 1;
                    upkeep.removed_size += item.size;
                    upkeep.items -= 1;
                    upkeep.size -= item.size;
                }
                Ok(false) => upkeep.busy += 1,
                Err(error) => {
                    upkeep.busy += 1;
                    self.inner.trace(format_args!("{}: {error}", item.folder.display()));
                }
            }
        }
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

    /// Starts a thread that removes items over the limits, if a run is due and none is in progress. Returns at once.
    pub fn start_upkeep(&self) {
        let state = &self.inner.state;
        if state.unkept.load(Relaxed) == 0 || !self.is_due(PERIOD) || state.upkeep.swap(true, AcqRel) {
            return;
        }
        let store = self.clone();
        let thread = std::thread::Builder::new().name("pi-cache upkeep".into());
        let started = thread.spawn(move || {
            let state = &store.inner.state;
            loop {
                store.upkeep(None);
                state.upkeep.store(false, Release);
                // Items that were written meanwhile may be over the limits again, and started no thread.
                if !store.is_over() || state.upkeep.swap(true, AcqRel) {
                    break;
                }
            }
        });
        if let Err(error) = started {
            state.upkeep.store(false, Release);
            log::debug!(target: LOG, "the thread that trims the cache cannot start: {error}");
        }
    }

    /// To be called when the program ends: waits until what was built is written, for two seconds at most, and removes
    /// what is over the limits if this process added something. That takes a second at most, and is not done if it was in
    /// the last ten minutes.
    pub fn shut_down(&self) {
        if !self.flush(FLUSH_LIMIT) {
            self.inner.trace(format_args!("the disk is slow: some programs were not kept"));
        }
        let state = &self.inner.state;
        if state.unkept.load(Relaxed) > 0 && self.is_due(PAUSE) && !state.upkeep.load(Acquire) {
            self.upkeep(Some(SHUTDOWN_LIMIT));
        }
    }

    fn upkeep(&self, time: Option<Duration>) {
        let done = self.prune(&self.limits(), time);
        self.inner.trace(format_args!("upkeep: {done:?}"));
    }

    /// Whether the store may have grown over its limit, or was not looked through for so long.
    fn is_due(&self, period: Duration) -> bool {
        let limits = self.limits();
        if limits == Limits::default() || self.inner.state.read_only.load(Relaxed) {
            return false;
        }
        let old = |last: LastRun| last.age.is_none_or(|age| age > period);
        self.is_over() || self.last_run().is_none_or(old)
    }

    /// Whether what this process wrote since the last run may be too much.
    fn is_over(&self) -> bool {
        let unkept = self.inner.state.unkept.load(Relaxed);
        let (Some(max), Some(last)) = (self.limits().max_size, self.last_run()) else { return false };
        unkept > 0 && (last.size.saturating_add(unkept) > max || unkept > max / 16)
    }

    fn last_run(&self) -> Option<LastRun> {
        let fs = self.inner.fs();
        let file = fs.open(&self.inner.root.as_deref()?.join(layout::UPKEEP_FILE)).ok()?;
        let info = fs.info(&file).ok()?;
        let size = u64::from_le_bytes(fs.read(&file, 8).ok()?.try_into().ok()?);
        Some(LastRun { age: info.modified.and_then(|at| at.elapsed().ok()), size })
    }
}

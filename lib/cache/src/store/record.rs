//! The root's file that records the size of the store. It is read and written under its lock, so that all processes
//! count together.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::layout::UPKEEP_FILE;
use super::lock::Lock;
use super::{Store, StoreInner};

/// The contents of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Record {
    /// The total size of all items, in bytes.
    pub(super) size: u64,
    /// When all items were last scanned; `None` if never.
    pub(super) looked_through: Option<SystemTime>,
}

/// Two numbers. Earlier versions wrote only the first.
const SIZES: [u64; 2] = [16, 8];

impl Record {
    fn decode(bytes: &[u8]) -> Option<Self> {
        let (size, rest) = bytes.split_first_chunk()?;
        let seconds = rest.try_into().map_or(0, u64::from_le_bytes);
        let looked_through = UNIX_EPOCH.checked_add(Duration::from_secs(seconds)).filter(|_| seconds > 0);
        Some(Self { size: u64::from_le_bytes(*size), looked_through })
    }

    fn encode(self) -> Vec<u8> {
        let at = self.looked_through.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let numbers = [self.size, at.map_or(0, |at| at.as_secs())];
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Returns whether more than this much time has passed since all items were scanned.
    pub(super) fn is_older(self, period: Duration) -> bool {
        // A time in the future is ignored, because the clock was changed.
        let age = self.looked_through.and_then(|at| at.elapsed().ok());
        age.is_none_or(|age| age > period)
    }
}

/// The locked file.
pub(super) struct LockedRecord {
    lock: Lock,
    /// Its contents when it was locked, or `None` if it was new or damaged.
    pub(super) known: Option<Record>,
}

impl Store {
    /// Locks the file, waiting at most this long. Returns `None` if another process or thread holds it all that time.
    pub(super) fn lock_record(&self, wait: Duration) -> io::Result<Option<LockedRecord>> {
        let inner = &*self.inner;
        let Some(root) = inner.root.as_deref() else { return Ok(None) };
        let lock = Lock::wait_for_file(&inner.fs, &root.join(UPKEEP_FILE), wait)?;
        let with_content = |lock: Lock| {
            let known = lock.content(&SIZES).and_then(|bytes| Record::decode(&bytes));
            LockedRecord { lock, known }
        };
        Ok(lock.map(with_content))
    }
}

impl LockedRecord {
    pub(super) fn write(&self, record: Record) -> io::Result<()> {
        self.lock.overwrite(&record.encode())
    }
}

impl StoreInner {
    /// Returns the file's current contents, without its lock.
    pub(super) fn record(&self) -> Option<Record> {
        let file = self.fs().open(&self.root.as_deref()?.join(UPKEEP_FILE)).ok()?;
        let size = self.fs().info(&file).ok()?.size;
        let bytes = self.fs().read(&file, SIZES.into_iter().find(|known| size >= *known)?).ok()?;
        Record::decode(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_back() {
        let record = Record { size: 7, looked_through: UNIX_EPOCH.checked_add(Duration::from_secs(99)) };
        assert_eq!(Record::decode(&record.encode()), Some(record));
        assert_eq!(Record::decode(&Record::default().encode()), Some(Record::default()));
        assert_eq!(Record::decode(&7_u64.to_le_bytes()), Some(Record { size: 7, looked_through: None }));
        assert_eq!(Record::decode(&[1; 7]), None);
    }

    #[test]
    fn a_record_without_a_time_or_with_one_to_come_is_old() {
        let hour = Duration::from_secs(3600);
        let of = |looked_through| Record { size: 0, looked_through };
        assert!(of(None).is_older(hour));
        assert!(of(Some(SystemTime::now() + hour)).is_older(hour));
        assert!(of(Some(SystemTime::now() - 2 * hour)).is_older(hour));
        assert!(!of(Some(SystemTime::now() - hour / 2)).is_older(hour));
    }
}

//! The variables of the caches. `docs/guide/cache.md` lists each of them with its unit and default.

mod parse;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

pub use parse::parse_size;

/// Settings of both caches. [`Config::default`] applies if no variable is set and there is no home folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// Whether programs are kept on disk (SYCL_CACHE_PERSISTENT). Default: yes.
    pub persistent: bool,
    /// The root folder on disk (SYCL_CACHE_DIR). `None` if there is no suitable folder; then nothing is kept on disk.
    pub root: Option<PathBuf>,
    /// The maximum total size of the items on disk, in bytes (SYCL_CACHE_MAX_SIZE). Default: 8 GiB.
    pub max_size: Option<u64>,
    /// How long an unused item stays on disk (SYCL_CACHE_THRESHOLD). Default: 7 days.
    pub threshold: Option<Duration>,
    /// Whether items are removed from the disk at all (SYCL_CACHE_EVICTION_DISABLE). Default: yes.
    pub eviction: bool,
    /// The minimum total size in bytes of the images of a program that is kept on disk
    /// (SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE). Default: 0.
    pub min_image_size: u64,
    /// The maximum total size in bytes of the images of a program that is kept on disk
    /// (SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE). Default: 1 GiB.
    pub max_image_size: Option<u64>,
    /// Whether programs and kernels are kept in memory (SYCL_CACHE_IN_MEM). Default: yes.
    pub in_memory: bool,
    /// The maximum total size in bytes of a context's programs in memory (SYCL_IN_MEM_CACHE_EVICTION_THRESHOLD).
    /// Default: no limit.
    pub memory_limit: Option<u64>,
    /// The traced caches (SYCL_CACHE_TRACE). Default: none.
    pub trace: Trace,
    /// The longest wait for a build by another process (PI_CACHE_WAIT). Default: 30 seconds.
    pub wait: Duration,
    /// Whether a background thread writes items, so that a build does not wait for the disk. Not a variable. Default:
    /// yes.
    pub background: bool,
}

/// The caches whose messages have level Info instead of Debug.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The store on disk (bit 1).
    pub disk: bool,
    /// The caches in memory (bit 2).
    pub memory: bool,
}

/// A variable whose value could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The variable's name.
    pub variable: &'static str,
    /// Its value; bytes that are not UTF-8 are replaced.
    pub value: String,
    /// The expected value, and the value that is used instead.
    pub reason: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={:?}: {}", self.variable, self.value, self.reason)
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            persistent: true,
            root: None,
            max_size: Some(8 << 30),
            threshold: Some(Duration::from_secs(7 * 24 * 60 * 60)),
            eviction: true,
            min_image_size: 0,
            max_image_size: Some(1 << 30),
            in_memory: true,
            memory_limit: None,
            trace: Trace::default(),
            wait: Duration::from_secs(30),
            background: true,
        }
    }
}

macro_rules! setters {
    ($($name:ident: $field:ident: $ty:ty),* $(,)?) => {
        impl Config { $(
            #[doc = concat!("The same settings with another [`", stringify!($field), "`](Self::", stringify!($field), ").")]
            #[must_use]
            pub fn $name(mut self, $field: $ty) -> Self {
                self.$field = $field;
                self
            }
        )* }
    };
}

setters! {
    with_persistent: persistent: bool,
    with_root: root: Option<PathBuf>,
    with_max_size: max_size: Option<u64>,
    with_threshold: threshold: Option<Duration>,
    with_eviction: eviction: bool,
    with_min_image_size: min_image_size: u64,
    with_max_image_size: max_image_size: Option<u64>,
    with_in_memory: in_memory: bool,
    with_memory_limit: memory_limit: Option<u64>,
    with_trace: trace: Trace,
    with_wait: wait: Duration,
    with_background: background: bool,
}

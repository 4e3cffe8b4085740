//! The store on disk: built programs, kept between runs and shared by processes ("Kernel and program caching
//! mechanism", Persistent cache).
//!
//! [`Store::load_or_build`] is the main function. Readers take no lock. A builder holds the item's advisory lock, which
//! the kernel releases when the process ends; other processes wait for a bounded time and then build for themselves. A
//! file gets its name only when it is complete and on disk. Every byte that is read is checked, and keys are compared
//! in full. A failure of the disk is not an error for the caller: at worst the program is built.

mod background;
mod build;
mod catalog;
mod format;
mod fs;
mod key;
mod layout;
mod lock;
mod read;
mod record;
mod state;
mod upkeep;
mod verify;
mod wire;
mod write;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sycl_pi_host_process::{PerProcess, Untrusted};

use crate::Config;
pub use build::{Built, ProgramSource};
pub use catalog::{Details, Item};
pub use format::{Damage, FORMAT_VERSION, Notes, parse_bin, parse_src};
pub use fs::{FileInfo, Fs, OsFs};
pub use key::{DeviceIdentity, KeyParts, KeyRefs, StoreKey};
pub use read::Problem;
pub use state::Stats;
pub use upkeep::{Limits, Upkeep};
pub use verify::Leftover;
pub use write::Saved;

/// The target of this crate's log messages.
pub(crate) const LOG: &str = "pi_cache";

/// A store on disk, or an inactive one if there is no place for it. Clones share the same store.
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<StoreInner>,
}

#[derive(Debug)]
struct StoreInner {
    root: Option<PathBuf>,
    config: Config,
    fs: Arc<dyn Fs>,
    /// The user whose files are loaded.
    owner: u32,
    state: state::StoreState,
    queue: PerProcess<background::Queue>,
}

impl Store {
    /// Creates the store that the settings describe. Touches no file: the root is created when the first item is
    /// stored.
    pub fn open(config: &Config) -> Self {
        Self::with_fs(config, Box::new(OsFs::new(config.root.as_deref().unwrap_or(Path::new("")))))
    }

    /// Creates a store on another file system, such as one that fails.
    pub fn with_fs(config: &Config, fs: Box<dyn Fs>) -> Self {
        let store = Self {
            inner: Arc::new(StoreInner {
                root: config.root.clone().filter(|_| config.persistent),
                config: config.clone(),
                fs: fs.into(),
                owner: rustix::process::geteuid().as_raw(),
                state: state::StoreState::default(),
                queue: PerProcess::default(),
            }),
        };
        if config.persistent && config.root.is_none() {
            store.inner.complain(format_args!(
                "there is no folder for the program cache: neither SYCL_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set; \
                 programs are built again in each run"
            ));
        }
        store
    }

    /// Returns the root folder, or `None` if nothing is kept on disk.
    pub fn root(&self) -> Option<&Path> {
        self.inner.root.as_deref()
    }

    /// Returns the store's statistics since it was opened.
    pub fn stats(&self) -> Stats {
        self.inner.state.stats()
    }

    /// Counts a build that needs no key because nothing is kept.
    pub fn count_build(&self) {
        state::count(&self.inner.state.builds);
    }

    /// Returns whether programs of this size are kept.
    fn keeps(&self, key: &StoreKey) -> bool {
        let Config { min_image_size, max_image_size, .. } = self.inner.config;
        let size = key.image_bytes();
        self.inner.root.is_some()
            && !self.inner.state.is_untrusted()
            && size >= min_image_size
            && max_image_size.is_none_or(|max| size <= max)
    }
}

impl StoreInner {
    fn fs(&self) -> &dyn Fs {
        &*self.fs
    }

    /// Warns once that the cache does not work. Later failures go to the trace.
    fn complain(&self, what: std::fmt::Arguments<'_>) {
        if self.state.first_complaint() {
            log::warn!(target: LOG, "{what}");
        } else {
            self.trace(what);
        }
    }

    /// Disables the cache from now on if the error means that another user may have filled one of its folders.
    fn refuse_untrusted(&self, error: &std::io::Error) -> bool {
        if !Untrusted::is_in(error) {
            return false;
        }
        if self.state.distrust() {
            log::warn!(
                target: LOG,
                "there is no program cache in this run: {error}; programs are built anew (SYCL_CACHE_DIR names another folder, \
                 SYCL_CACHE_PERSISTENT=0 does without)"
            );
        }
        true
    }

    fn trace(&self, what: std::fmt::Arguments<'_>) {
        let level = if self.config.trace.disk { log::Level::Info } else { log::Level::Debug };
        log::log!(target: LOG, level, "{what}");
    }
}

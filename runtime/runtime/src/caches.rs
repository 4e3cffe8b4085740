//! The program caches that runtimes use: settings, and the shared store on disk.

use std::sync::{Arc, OnceLock, Weak};

use parking_lot::Mutex;
use sycl_pi_cache::{Config, Store};

/// The settings of the caches, and the store on disk. Clones share them. When the last clone is dropped, pending
/// programs are written, which takes at most two seconds.
#[derive(Clone, Debug)]
pub struct Caches(Arc<CachesInner>);

#[derive(Debug)]
struct CachesInner {
    config: Config,
    store: Store,
}

impl Caches {
    /// Creates caches with these settings.
    pub fn new(config: &Config) -> Self {
        Self(Arc::new(CachesInner { config: config.clone(), store: Store::open(config) }))
    }

    /// Returns the caches of the process. Their settings are the variables `SYCL_CACHE_*`, which are read once.
    pub fn global() -> Self {
        // The store lives forever, so that it warns only once. Its users are counted, so that the last one waits until
        // everything is written.
        static STORE: OnceLock<(Config, Store)> = OnceLock::new();
        static USED: Mutex<Weak<CachesInner>> = Mutex::new(Weak::new());
        let (config, store) = STORE.get_or_init(|| {
            let config = Config::from_env();
            let store = Store::open(&config);
            (config, store)
        });
        let mut used = USED.lock();
        if let Some(inner) = used.upgrade() {
            return Self(inner);
        }
        let inner = Arc::new(CachesInner { config: config.clone(), store: store.clone() });
        *used = Arc::downgrade(&inner);
        Self(inner)
    }

    /// Returns whether both are the same caches.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the settings.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Returns the store on disk.
    pub fn store(&self) -> &Store {
        &self.0.store
    }
}

impl Drop for CachesInner {
    fn drop(&mut self) {
        self.store.shut_down();
    }
}

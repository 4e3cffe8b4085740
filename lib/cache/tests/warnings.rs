//! Whatever prevents the cache from working: the program runs, and the user reads one line about it.
#![allow(clippy::unwrap_used)]

use std::sync::Mutex;

use log::{Level, LevelFilter, Log, Metadata, Record};
use sycl_pi_cache::store::{Built, KeyParts, ProgramSource};
use sycl_pi_cache::{Config, Store, StoreKey};

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Keep;

impl Log for Keep {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        if record.level() <= Level::Warn {
            assert_eq!(record.target(), "pi_cache");
            LINES.lock().unwrap().push(record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// Returns the messages at level Warn and above while 20 programs are requested, twice.
fn said(config: &Config) -> Vec<String> {
    LINES.lock().unwrap().clear();
    let store = Store::open(config);
    for _ in 0..2 {
        for kernel in 0..20u8 {
            let key = StoreKey::new(&KeyParts { images: vec![vec![kernel]], ..KeyParts::default() });
            let build =
                || Ok::<_, String>(Built { value: kernel, binary: Some(vec![kernel]), kernels: vec![] });
            assert_eq!(
                store.load_or_build(&key, |_| Err("no".into()), build),
                Ok((kernel, ProgramSource::Build))
            );
        }
    }
    store.shut_down();
    std::mem::take(&mut LINES.lock().unwrap())
}

#[test]
fn one_line_and_not_more() {
    log::set_logger(&Keep).unwrap();
    log::set_max_level(LevelFilter::Trace);

    let lines = said(&Config::default());
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("neither SYCL_CACHE_DIR nor XDG_CACHE_HOME nor HOME is set"));

    for root in ["/dev/null/cache", "/proc/no/such/place"] {
        let lines = said(&Config::default().with_root(Some(root.into())));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(root) && lines[0].contains("cannot be written"), "{}", lines[0]);
    }

    // A disabled cache reports nothing.
    assert!(said(&Config::default().with_persistent(false)).is_empty());
}

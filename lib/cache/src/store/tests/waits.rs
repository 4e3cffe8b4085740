//! Waits for builds in progress elsewhere, for a bounded time.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::time::Instant;

use super::*;
use crate::store::lock::Lock;

fn patient(bed: &Bed) -> Store {
    Store::open(&Config { wait: Duration::from_secs(60), ..bed.config() })
}

/// Runs threads with separate stores that get one key at the same time; `build` decides the outcome.
fn together(bed: &Bed, threads: usize, build: impl Fn(usize) -> Result<(), String> + Sync) -> Vec<bool> {
    let barrier = Barrier::new(threads);
    let count = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let store = patient(bed);
                    barrier.wait();
                    let got = store.load_or_build(
                        &key("a"),
                        |found| Ok::<_, String>(found.to_vec()),
                        || {
                            build(count.fetch_add(1, SeqCst))?;
                            Ok(Built { value: binary("a"), binary: Some(binary("a")), kernels: vec![] })
                        },
                    );
                    got.map(|(value, _)| assert_eq!(value, binary("a"))).is_ok()
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    })
}

#[test]
fn one_builds_and_the_others_wait() {
    let bed = Bed::new();
    let builds = AtomicUsize::new(0);
    let all = together(&bed, 16, |_| {
        builds.fetch_add(1, SeqCst);
        std::thread::sleep(Duration::from_millis(100));
        Ok(())
    });
    assert!(all.into_iter().all(|good| good));
    assert_eq!(builds.load(SeqCst), 1);
}

#[test]
fn the_builder_need_not_wait_for_the_disk() {
    let bed = Bed::new();
    let config = Config { background: true, wait: Duration::from_secs(60), ..bed.config() };
    let store = Store::open(&config);
    for index in 0..20 {
        assert_eq!(get(&store, &index.to_string()).1, ProgramSource::Build);
    }
    // A request before the item is written waits for that, and does not build.
    for index in (0..20).rev() {
        assert_eq!(get(&Store::open(&config), &index.to_string()).1, ProgramSource::Disk);
    }
    assert!(store.flush(Duration::from_secs(60)));
    assert_eq!(store.stats().saved, 20);
    assert!(store.flush(Duration::ZERO));
}

#[test]
fn builds_that_fail_do_not_queue_up() {
    let bed = Bed::new();
    let started = Instant::now();
    let all = together(&bed, 12, |_| {
        std::thread::sleep(Duration::from_millis(200));
        Err("does not compile".into())
    });
    assert!(all.into_iter().all(|good| !good));
    // Building one after the other would take 2.4 seconds.
    assert!(started.elapsed() < Duration::from_millis(1800), "{:?}", started.elapsed());
    // The mark of a failure does not outlive the next build.
    assert_eq!(get(&patient(&bed), "a").1, ProgramSource::Build);
}

#[test]
fn the_wait_is_bounded() {
    let bed = Bed::new();
    let store = bed.store();
    store.inner.make_folders(&bed.folder(&key("a"))).unwrap();
    let lock = Lock::try_take(&store.inner.fs, &bed.folder(&key("a"))).unwrap().unwrap();
    let started = Instant::now();
    assert_eq!(get(&store, "a"), (binary("a"), ProgramSource::Build));
    let waited = started.elapsed();
    assert!(waited >= Duration::from_millis(300) && waited < Duration::from_secs(5), "{waited:?}");
    assert_eq!(store.stats().timeouts, 1);
    // The item was stored nevertheless, and readers do not wait.
    let started = Instant::now();
    assert_eq!(get(&store, "a").1, ProgramSource::Disk);
    assert!(started.elapsed() < Duration::from_millis(200));
    drop(lock);
}

#[test]
fn threads_read_and_write_and_remove_one_item() {
    let bed = Bed::new();
    let store = Arc::new(bed.store());
    std::thread::scope(|scope| {
        for thread in 0..12 {
            let store = store.clone();
            scope.spawn(move || {
                for _ in 0..30 {
                    match thread % 3 {
                        0 => drop(store.save(&key("a"), &Default::default(), &binary("a"))),
                        1 => assert_eq!(get(&store, "a").0, binary("a")),
                        _ => store.discard(&key("a")),
                    }
                }
            });
        }
    });
    assert_eq!(get(&store, "a").0, binary("a"));
    assert!(files(&bed.root()).iter().all(|path| !path.to_str().unwrap().contains("tmp-")));
}

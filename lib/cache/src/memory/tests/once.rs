use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Barrier, Weak};
use std::thread;
use std::time::Duration;

use super::*;
use crate::memory::{BuildOnce, GetError};

type Cache = BuildOnce<u32, String, Trouble>;

fn cache(limit: Option<u64>) -> Cache {
    BuildOnce::new(limit, classify)
}

fn error(got: Result<Arc<String>, GetError<Trouble>>) -> Arc<Trouble> {
    match got {
        Err(GetError::Build(error)) => error,
        other => panic!("{other:?}"),
    }
}

/// Runs `get` on this many threads at the same time.
fn together<R: Send>(threads: usize, get: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let barrier = Barrier::new(threads);
    let (barrier, get) = (&barrier, &get);
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads)
            .map(|number| {
                scope.spawn(move || {
                    barrier.wait();
                    get(number)
                })
            })
            .collect();
        all.into_iter().map(|handle| handle.join().unwrap()).collect()
    })
}

#[test]
fn built_once_by_many() {
    let cache = cache(None);
    let builds = AtomicU32::new(0);
    let values = together(16, |_| {
        let build = || {
            builds.fetch_add(1, SeqCst);
            thread::sleep(Duration::from_millis(30));
            built("value".to_owned(), 1)
        };
        cache.get_or_build(&1, build).unwrap()
    });
    assert_eq!(builds.load(SeqCst), 1);
    assert!(values.iter().all(|value| Arc::ptr_eq(value, &values[0])));
    assert_eq!(cache.get(&1).as_deref(), Some(&"value".to_owned()));
    assert!(cache.get(&2).is_none());
}

#[test]
fn a_build_stops_nobody_else() {
    let cache = cache(None);
    let barrier = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            cache.get_or_build(&0, || {
                barrier.wait();
                barrier.wait();
                built("slow".into(), 1)
            })
        });
        barrier.wait();
        for key in 1..200 {
            cache.get_or_build(&key, || built(key.to_string(), 1)).unwrap();
            assert!(cache.get(&key).is_some() && cache.get(&0).is_none());
        }
        barrier.wait();
    });
    assert_eq!(cache.len(), 200);
}

#[test]
fn a_failed_build_gives_every_waiter_the_same_error_for_good() {
    let cache = cache(None);
    let builds = AtomicU32::new(0);
    let fail = || {
        thread::sleep(Duration::from_millis(20));
        Err(Trouble(Failure::Lasting, builds.fetch_add(1, SeqCst)))
    };
    let errors = together(8, |_| error(cache.get_or_build(&1, fail)));
    assert!(errors.iter().all(|error| Arc::ptr_eq(error, &errors[0])));
    assert!(Arc::ptr_eq(&error(cache.get_or_build(&1, fail)), &errors[0]));
    assert_eq!(builds.load(SeqCst), 1);
    assert!(cache.get(&1).is_none() && cache.is_empty());
}

#[test]
fn who_waits_for_a_spurious_failure_tries_once_more() {
    let cache = cache(None);
    let builds = AtomicU32::new(0);
    let got = together(8, |_| {
        cache.get_or_build(&1, || {
            thread::sleep(Duration::from_millis(20));
            match builds.fetch_add(1, SeqCst) {
                0 => Err(Trouble(Failure::Spurious, 0)),
                _ => built("second".into(), 1),
            }
        })
    });
    assert_eq!(got.iter().filter(|got| got.is_err()).count(), 1, "the first builder's own");
    assert_eq!(builds.load(SeqCst), 2);

    // The build always fails, so each thread builds once, and gets its own error.
    let builds = AtomicU32::new(0);
    let errors = together(8, |_| {
        error(cache.get_or_build(&2, || Err(Trouble(Failure::Spurious, builds.fetch_add(1, SeqCst)))))
    });
    assert_eq!(builds.load(SeqCst), 8);
    let mut numbers: Vec<u32> = errors.iter().map(|error| error.1).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..8).collect::<Vec<_>>());
}

#[test]
fn a_panic_leaves_no_one_waiting() {
    let cache = cache(None);
    let builds = AtomicU32::new(0);
    let got = together(4, |_| {
        catch_unwind(AssertUnwindSafe(|| {
            cache.get_or_build(&1, || {
                thread::sleep(Duration::from_millis(20));
                assert!(builds.fetch_add(1, SeqCst) > 0, "the first one panics");
                built("second".into(), 1)
            })
        }))
    });
    assert_eq!(got.iter().filter(|got| got.is_err()).count(), 1);
    assert!(got.into_iter().flatten().all(|got| got.is_ok()));
    assert_eq!(builds.load(SeqCst), 2);
}

#[test]
fn a_build_that_asks_for_itself_is_told() {
    let cache = cache(None);
    let got = cache.get_or_build(&1, || {
        let inner = cache.get_or_build(&1, || built("inner".into(), 1));
        assert!(matches!(inner, Err(GetError::Recursive)));
        built("outer".into(), 1)
    });
    assert_eq!(*got.unwrap(), "outer");
}

#[test]
fn the_least_recently_used_go_first() {
    let cache = cache(Some(30));
    for key in 0..3 {
        cache.get_or_build(&key, || built(key.to_string(), 10)).unwrap();
    }
    assert!(cache.get(&0).is_some());
    cache.get_or_build(&3, || built("3".into(), 10)).unwrap();
    let there: Vec<u32> = (0..4).filter(|key| cache.contains(key)).collect();
    assert_eq!(there, [0, 2, 3]);
    assert_eq!(cache.size(), 30);
}

#[test]
fn what_is_in_use_stays() {
    let cache = cache(Some(20));
    let held: Vec<_> =
        (0..5).map(|key| cache.get_or_build(&key, || built(key.to_string(), 10)).unwrap()).collect();
    assert_eq!(cache.len(), 5);
    drop(held);
    cache.get_or_build(&9, || built("9".into(), 10)).unwrap();
    assert!(cache.size() <= 20 && cache.contains(&9));
    let held = cache.get(&9).unwrap();
    cache.drop_unused();
    assert_eq!(cache.len(), 1);
    assert!(Arc::ptr_eq(&held, &cache.get(&9).unwrap()));
}

#[test]
fn what_is_dropped_is_dropped_at_once() {
    let cache: BuildOnce<u32, Arc<()>, Trouble> = BuildOnce::new(None, classify);
    let token = Arc::new(());
    for key in 0..100 {
        drop(cache.get_or_build(&key, || built(token.clone(), 1)).unwrap());
    }
    assert_eq!(Arc::strong_count(&token), 101);
    cache.shrink_to(40);
    assert_eq!(Arc::strong_count(&token), 41);
    cache.forget(|key| *key % 2 == 0);
    cache.drop_unused();
    assert_eq!(Arc::strong_count(&token), 1);
}

/// A value that looks into its cache when it is dropped.
struct Curious(Weak<BuildOnce<u32, Curious, Trouble>>, Sender<bool>);

impl Drop for Curious {
    fn drop(&mut self) {
        let found =
            self.0.upgrade().map(|cache| cache.get_or_build(&2, || Err(Trouble(Failure::Spurious, 0))));
        let _ = self.1.send(found.is_some());
    }
}

#[test]
fn a_dropped_value_may_use_the_cache() {
    let cache = Arc::new(BuildOnce::new(None, classify));
    let (sender, receiver) = channel();
    let build = || built(Curious(Arc::downgrade(&cache), sender.clone()), 1);
    drop(cache.get_or_build(&1, build).unwrap());
    // A thread, because it would wait for itself if the value were dropped under the lock.
    thread::spawn(move || cache.drop_unused());
    assert_eq!(receiver.recv_timeout(Duration::from_secs(20)), Ok(true));
}

/// A thread that waits for a build in progress gets its value. Only values that were there before are forgotten.
#[test]
fn what_is_being_built_is_not_forgotten() {
    let cache = cache(None);
    drop(cache.get_or_build(&1, || built("old".into(), 1)).unwrap());
    let forget = || {
        assert_eq!(cache.forget(|_| false), 1);
        built("new".into(), 1)
    };
    let new = cache.get_or_build(&2, forget).unwrap();
    assert_eq!((cache.get(&1), cache.get(&2)), (None, Some(new)));
}

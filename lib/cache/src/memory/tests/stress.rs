//! Many threads, few keys, little space: every value is correct, and held values are never dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::SeqCst};
use std::thread;

use super::*;
use crate::memory::{BuildOnce, GetError};

/// A value that counts the live values of its kind.
struct Counted {
    key: u64,
    alive: Arc<AtomicI64>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, SeqCst);
    }
}

/// A cheap pseudorandom number generator.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

#[test]
fn hits_builds_failures_and_evictions_at_once() {
    let alive = Arc::new(AtomicI64::new(0));
    let cache: BuildOnce<u64, Counted, Trouble> = BuildOnce::new(Some(100), classify);
    let failures = AtomicU64::new(0);
    thread::scope(|scope| {
        for thread in 1..=8u64 {
            let (cache, alive, failures) = (&cache, alive.clone(), &failures);
            scope.spawn(move || {
                let mut random = thread.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let mut held = Vec::new();
                for _ in 0..20_000 {
                    let number = next(&mut random);
                    let key = number % 40;
                    let got = cache.get_or_build(&key, || {
                        match number >> 32 & 15 {
                            0 => return Err(Trouble(Failure::Spurious, 0)),
                            1 => return Err(Trouble(Failure::OutOfResources, 0)),
                            _ => {}
                        }
                        alive.fetch_add(1, SeqCst);
                        built(Counted { key, alive: alive.clone() }, 5)
                    });
                    match got {
                        Ok(value) => {
                            assert_eq!(value.key, key);
                            held.push(value);
                            if held.len() > 3 {
                                held.remove(0);
                            }
                        }
                        Err(GetError::Build(_)) => {
                            failures.fetch_add(1, SeqCst);
                        }
                        Err(error) => panic!("{error:?}"),
                    }
                    if number >> 40 & 0xff == 0 {
                        cache.drop_unused();
                    }
                    assert!(cache.with(&key, |value| value.key == key).unwrap_or(true));
                }
            });
        }
    });
    assert!(failures.load(SeqCst) > 0);
    assert!(cache.len() <= 40);
    cache.shrink_to(100);
    assert!(cache.size() <= 100);
    assert_eq!(alive.load(SeqCst), cache.len() as i64);
    drop(cache);
    assert_eq!(alive.load(SeqCst), 0);
}

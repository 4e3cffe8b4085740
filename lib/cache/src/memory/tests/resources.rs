//! If resources are exhausted, unused values are dropped, and the build is tried once more.

use std::cell::Cell;
use std::sync::Arc;

use super::*;
use crate::Config;
use crate::memory::{
    BuildOnce, CachedKernel, GetError, KernelCache, KernelKey, LinkPlan, Origin, PlannedImage,
};

const EMPTY: Trouble = Trouble(Failure::OutOfResources, 0);

#[test]
fn dropped_and_tried_again() {
    let cache = BuildOnce::new(None, classify);
    let held = cache.get_or_build(&1, || built(1, 1)).unwrap();
    drop(cache.get_or_build(&2, || built(2, 1)).unwrap());
    let tries = Cell::new(0);
    let got = cache.get_or_build(&3, || {
        tries.set(tries.get() + 1);
        // Space is freed between the first attempt and the second.
        if cache.contains(&2) { Err(EMPTY) } else { built(3, 1) }
    });
    assert_eq!((got.map(|value| *value).ok(), tries.get()), (Some(3), 2));
    assert!(cache.contains(&1) && !cache.contains(&2));
    drop(held);
}

#[test]
fn two_tries_and_then_the_error() {
    let cache = BuildOnce::<u32, u32, Trouble>::new(None, classify);
    let tries = Cell::new(0);
    let fail = || {
        tries.set(tries.get() + 1);
        Err(EMPTY)
    };
    assert!(matches!(cache.get_or_build(&1, fail), Err(GetError::Build(error)) if *error == EMPTY));
    assert_eq!(tries.get(), 2);
    // A later request tries again.
    assert_eq!(cache.get_or_build(&1, || built(1, 1)).map(|value| *value).ok(), Some(1));
}

fn key(number: u64) -> KernelKey {
    KernelKey { name: format!("kernel{number}").into(), origin: Origin::Image(number), variant: variant() }
}

fn plan(number: u64) -> LinkPlan {
    let kernels = vec![key(number).name];
    LinkPlan { images: vec![PlannedImage { id: number, module: 1, kernels }] }
}

/// With two kernels, a failing second creation leads to two attempts and leaves one program.
#[test]
fn kernels_go_with_their_programs() {
    let cache: KernelCache<u64, u64, Trouble> = KernelCache::new(&Config::default(), classify);
    let get = |number: u64, fails: &Cell<u32>| {
        cache.get_or_build(
            &key(number),
            || plan(number),
            |_| {
                if fails.get() > 0 {
                    fails.set(fails.get() - 1);
                    return Err(EMPTY);
                }
                built(number, 100)
            },
            |program| built(**program, 1),
        )
    };
    let good = Cell::new(0);
    drop(get(1, &good).unwrap());
    assert_eq!((cache.programs().len(), cache.size()), (1, 101));
    let fails = Cell::new(1);
    let second = get(2, &fails).unwrap();
    assert_eq!((fails.get(), *second.program), (0, 2));
    assert_eq!(cache.programs().len(), 1);
    assert!(cache.get(&key(1).query()).is_none() && cache.get(&key(2).query()).is_some());
    assert!(cache.routes_of("kernel1").is_empty());
    // A held kernel keeps its program.
    cache.drop_unused();
    assert_eq!(cache.programs().len(), 1);
    drop(second);
    cache.drop_unused();
    assert_eq!((cache.programs().len(), cache.size()), (0, 0));
}

/// Values that a program holds count towards the size, which leaves less for the rest.
#[test]
fn values_in_use_count_and_stay() {
    let cache = BuildOnce::new(None, classify);
    let held = cache.get_or_build(&1, || built(1, 100)).unwrap();
    for (key, size) in [(2, 60), (3, 50)] {
        drop(cache.get_or_build(&key, || built(key, size)).unwrap());
    }
    // 210 bytes: 160 are left after the older of the unused values is dropped.
    assert_eq!(cache.shrink_to(160), 1);
    assert_eq!([1, 2, 3].map(|key| cache.contains(&key)), [true, false, true]);
    assert_eq!(cache.shrink_to(0), 1);
    assert_eq!([1, 2, 3].map(|key| cache.contains(&key)), [true, false, false]);
    drop(held);
}

#[test]
fn the_limit_counts_kernels_uses_for_programs() {
    let config = Config { memory_limit: Some(350), ..Config::default() };
    let cache: KernelCache<u64, u64, Trouble> = KernelCache::new(&config, classify);
    let get = |number: u64| {
        let build = |_: &_| built(number, 100);
        drop(cache.get_or_build(&key(number), || plan(number), build, |_| built(number, 1)).unwrap());
    };
    (1..=3).for_each(get);
    get(1);
    get(4);
    let there: Vec<u64> = (1..=4).filter(|number| cache.get(&key(*number).query()).is_some()).collect();
    assert_eq!(there, [1, 3, 4]);
}

type Kernels = KernelCache<u64, u64, Trouble>;

/// Returns a cache with kernels 1 and 2, which have these sizes, as do their programs, and the older kernel.
fn two_kernels(program: u64, kernel: u64) -> (Kernels, Arc<CachedKernel<u64, u64>>) {
    let cache = KernelCache::new(&Config::default(), classify);
    let [first, _] = [1, 2].map(|number| {
        let build = |_: &_| built(number, program);
        cache.get_or_build(&key(number), || plan(number), build, |_| built(number, kernel)).unwrap()
    });
    (cache, first)
}

#[test]
fn a_kernel_in_use_does_not_count_as_room() {
    let (cache, held) = two_kernels(100, 1);
    assert_eq!((cache.shrink_to(150), cache.size()), (1, 101));
    assert!(cache.get(&key(2).query()).is_none());
    drop(held);
}

#[test]
fn no_more_is_dropped_than_programs_with_their_kernels_take() {
    let (cache, first) = two_kernels(1, 100);
    drop(first);
    assert_eq!((cache.shrink_to(101), cache.size()), (1, 101));
    assert!(cache.get(&key(2).query()).is_some());
}

#[test]
fn switched_off_everything_is_built_each_time() {
    let config = Config { in_memory: false, ..Config::default() };
    let cache: KernelCache<u32, u32, Trouble> = KernelCache::new(&config, classify);
    let builds = Cell::new(0);
    for _ in 0..3 {
        let build = |_: &_| {
            builds.set(builds.get() + 1);
            built(1, 1)
        };
        let kernel = cache.get_or_build(&key(1), || plan(1), build, |program| built(**program, 1)).unwrap();
        assert_eq!(Arc::strong_count(&kernel), 1);
    }
    assert_eq!(builds.get(), 3);
}

/// The program is built once; only the creation of its kernel is repeated.
#[test]
fn a_kernel_is_created_once_more_after_unused_ones_are_dropped() {
    let cache: KernelCache<u64, u64, Trouble> = KernelCache::new(&Config::default(), classify);
    drop(cache.get_or_build(&key(1), || plan(1), |_| built(1, 100), |_| built(1, 1)).unwrap());
    let (programs, tries) = (Cell::new(0), Cell::new(0));
    let build = |_: &_| {
        programs.set(programs.get() + 1);
        built(2, 100)
    };
    let create = |_: &Arc<u64>| {
        tries.set(tries.get() + 1);
        // Space is freed once the first kernel is dropped.
        if cache.get(&key(1).query()).is_some() { Err(EMPTY) } else { built(2, 1) }
    };
    let second = cache.get_or_build(&key(2), || plan(2), build, create).unwrap();
    assert_eq!((second.kernel, tries.get(), programs.get()), (2, 2, 1));
    assert_eq!(cache.programs().len(), 1);
}

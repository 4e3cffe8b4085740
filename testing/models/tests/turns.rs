//! Orders of threads that want turns: every one with up to so many interruptions, as all of them are too many for loom.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use testing_models::opencl::Model;

/// What must not be done by two threads at once: loom names a race.
struct Driver(UnsafeCell<u32>);

// SAFETY: loom looks after the accesses.
unsafe impl Send for Driver {}
// SAFETY: as above.
unsafe impl Sync for Driver {}

impl Driver {
    fn call(&self) {
        // SAFETY: in a turn; loom says if that is not so.
        self.0.with_mut(|calls| unsafe { *calls += 1 });
    }
}

struct World {
    turns: Model,
    driver: Driver,
}

impl World {
    fn new() -> Arc<Self> {
        Arc::new(Self { turns: Model::new(), driver: Driver(UnsafeCell::new(0)) })
    }

    fn calls(&self) -> u32 {
        // SAFETY: the other threads have ended.
        self.driver.0.with(|calls| unsafe { *calls })
    }
}

/// Goes through the orders in which a thread is interrupted up to `times` times.
fn orders(times: usize, each: impl Fn() + Send + Sync + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(times);
    model.check(each);
}

#[test]
fn two_threads_never_have_a_turn_at_once() {
    orders(4, || {
        let world = World::new();
        let other = world.clone();
        let thread = loom::thread::spawn(move || {
            for _ in 0..2 {
                other.turns.run(|| other.driver.call());
            }
        });
        for _ in 0..2 {
            world.turns.run(|| world.driver.call());
        }
        thread.join().unwrap();
        assert_eq!(world.calls(), 4);
    });
}

#[test]
fn the_turns_of_an_owner_go_to_two_threads_that_come_later() {
    orders(2, || {
        let world = World::new();
        world.turns.run(|| world.driver.call());
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let world = world.clone();
                loom::thread::spawn(move || world.turns.run(|| world.driver.call()))
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(world.calls(), 3);
    });
}

#[test]
fn a_turn_within_a_turn_ends_without_ending_the_outer_one() {
    orders(4, || {
        let world = World::new();
        let other = world.clone();
        world.turns.run(|| ());
        let thread = loom::thread::spawn(move || other.turns.run(|| other.driver.call()));
        world.turns.run(|| {
            world.driver.call();
            world.turns.run(|| world.driver.call());
            world.driver.call();
        });
        thread.join().unwrap();
        assert_eq!(world.calls(), 4);
    });
}

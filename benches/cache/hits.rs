//! Measures hits of the in-memory cache with 1, 2, 4 and 8 threads, compared with a plain map behind a lock.
//!
//! `cargo run --release -p benches-cache --bin cache-hits`. The sides alternate within one run. With `--check` it only
//! runs for a moment.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a measuring program: its output is its purpose"
)]

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Barrier, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use sycl_pi_cache::Config;
use sycl_pi_cache::memory::{
    Built, Failure, KernelCache, KernelKey, KernelQuery, LinkPlan, Origin, PlannedImage, Variant,
};

/// The number of kernels in a program of some size.
const KERNELS: usize = 200;
const THREADS: [usize; 4] = [1, 2, 4, 8];
const ROUNDS: usize = 7;

type Cache = KernelCache<u64, u64, String>;
type Side<'a> = (&'static str, &'a (dyn Fn(usize) -> u64 + Sync));

/// Returns a name with the usual length of a lambda's mangled name.
fn name(kernel: usize) -> String {
    format!("_ZTSZZ4mainENKUlRN4sycl3_V17handlerEE_clES2_E{kernel:06}EUlNS0_2idILi1EEEE_")
}

fn key(kernel: usize) -> KernelKey {
    let variant = Variant { spec_constants: [0, 1, 2, 3].into(), device: 1, options: "".into() };
    KernelKey { name: name(kernel).into(), origin: Origin::Image(7), variant }
}

fn filled() -> Cache {
    let cache = Cache::new(&Config::default(), |_| Failure::Lasting);
    let kernels = (0..KERNELS).map(|kernel| key(kernel).name).collect();
    let plan = LinkPlan { images: vec![PlannedImage { id: 7, module: 1, kernels }] };
    for kernel in 0..KERNELS {
        let built = |value: u64| Ok(Built { value, size: 1 });
        cache.get_or_build(&key(kernel), || plan.clone(), |_| built(1), |_| built(kernel as u64)).unwrap();
    }
    cache
}

/// Returns hits per second of all threads together, and nanoseconds of processor time per hit.
fn measure(threads: usize, length: Duration, hit: &(dyn Fn(usize) -> u64 + Sync)) -> (f64, f64) {
    let stop = AtomicBool::new(false);
    let barrier = Barrier::new(threads + 1);
    let (stop, barrier) = (&stop, &barrier);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn(move || {
                    let mut hits = 0u64;
                    let mut kernel = thread * 17;
                    barrier.wait();
                    let (started, worked) = (Instant::now(), processor_time());
                    while !stop.load(Relaxed) {
                        for _ in 0..256 {
                            kernel = if kernel + 1 >= KERNELS { 0 } else { kernel + 1 };
                            black_box(hit(black_box(kernel)));
                        }
                        hits += 256;
                    }
                    let worked = processor_time() - worked;
                    (hits as f64 / started.elapsed().as_secs_f64(), worked * 1e9 / hits as f64)
                })
            })
            .collect();
        barrier.wait();
        thread::sleep(length);
        stop.store(true, Relaxed);
        let all: Vec<(f64, f64)> = workers.into_iter().map(|worker| worker.join().unwrap()).collect();
        let cost = all.iter().map(|(_, cost)| cost).sum::<f64>() / threads as f64;
        (all.iter().map(|(rate, _)| rate).sum(), cost)
    })
}

/// Returns the processor time of this thread in seconds, which excludes other work on the machine.
fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() {
    let check = std::env::args().any(|argument| argument == "--check" || argument == "--test");
    let (rounds, length) =
        if check { (1, Duration::from_millis(5)) } else { (ROUNDS, Duration::from_millis(150)) };
    let cache = filled();
    let names: Vec<String> = (0..KERNELS).map(name).collect();
    let query = |kernel: usize| KernelQuery {
        name: &names[kernel],
        origin: Origin::Image(7),
        spec_constants: &[0, 1, 2, 3],
        device: 1,
        options: "",
    };
    let plain: HashMap<KernelKey, Arc<u64>> =
        (0..KERNELS).map(|kernel| (key(kernel), Arc::new(kernel as u64))).collect();
    let keys: Vec<KernelKey> = (0..KERNELS).map(key).collect();
    let rwlock = RwLock::new(plain);

    let with = |kernel| cache.with(&query(kernel), |found| found.kernel).unwrap();
    let get = |kernel| cache.get(&query(kernel)).unwrap().kernel;
    let behind_rwlock = |kernel: usize| *rwlock.read().unwrap()[&keys[kernel]].clone();
    let sides: [Side<'_>; 3] =
        [("KernelCache::with", &with), ("KernelCache::get", &get), ("HashMap, RwLock", &behind_rwlock)];

    let processors = thread::available_parallelism().map_or(0, |count| count.get());
    println!("{KERNELS} kernels, {processors} processors, medians of {rounds}");
    println!(
        "{:20} {:^35}   {:^35}",
        "", "million hits per second, all threads", "ns of processor time per hit"
    );
    print!("{:20}", "threads");
    (0..2).for_each(|_| print!(" {:>8} {:>8} {:>8} {:>8}  ", 1, 2, 4, 8));
    println!();
    let mut results = vec![vec![Vec::new(); THREADS.len()]; sides.len()];
    for _ in 0..rounds {
        for (column, threads) in THREADS.into_iter().enumerate() {
            for (row, (_, hit)) in sides.iter().enumerate() {
                results[row][column].push(measure(threads, length, *hit));
            }
        }
    }
    for (row, (name, _)) in sides.iter().enumerate() {
        let (rates, costs): (Vec<f64>, Vec<f64>) = results[row]
            .iter()
            .map(|measured| {
                let (rates, costs) = measured.iter().cloned().unzip();
                (median(rates), median(costs))
            })
            .unzip();
        print!("{name:20}");
        rates.iter().for_each(|rate| print!(" {:8.1}", rate / 1e6));
        print!("  ");
        costs.iter().for_each(|cost| print!(" {cost:8.1}"));
        println!();
    }
}

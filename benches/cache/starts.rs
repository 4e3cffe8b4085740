//! A workload of 20 kernels, started cold, with a warm disk, and with warm memory: what the caches themselves take.
//!
//! `cargo run --release -p benches-cache --bin cache-starts`. Builds take no time here, so a cold start is what keeping costs.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    missing_docs,
    reason = "a measuring program: its output is its purpose"
)]

use std::time::{Duration, Instant};

use sycl_pi_cache::memory::{BuildOnce, Built, Failure};
use sycl_pi_cache::store::{self, DeviceIdentity, KeyParts};
use sycl_pi_cache::{Config, Store, StoreKey};

const KERNELS: usize = 20;
/// Sizes of an image and of a binary in bytes, as DPC++ and a CPU driver make them.
const SIZES: [(usize, usize); 3] = [(10_000, 40_000), (100_000, 400_000), (1_000_000, 4_000_000)];

fn bytes(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

fn parts(kernel: u64, size: usize) -> KeyParts {
    KeyParts {
        device: DeviceIdentity { name: "Device".into(), ..DeviceIdentity::default() },
        images: vec![bytes(kernel, size)],
        ..KeyParts::default()
    }
}

fn main() {
    let check = std::env::args().any(|argument| argument == "--check" || argument == "--test");
    let rounds = if check { 1 } else { 9 };
    println!("{KERNELS} kernels, milliseconds for all (median of {rounds})");
    println!(
        "{:>12} {:>12} {:>12} {:>12} {:>12} {:>12}",
        "image", "binary", "cold", "and written", "warm disk", "warm memory"
    );
    for (image, binary) in SIZES {
        let parts: Vec<KeyParts> = (0..KERNELS as u64).map(|kernel| parts(kernel, image)).collect();
        let binaries: Vec<Vec<u8>> = (0..KERNELS as u64).map(|kernel| bytes(kernel + 99, binary)).collect();
        let mut times = [vec![], vec![], vec![], vec![]];
        for _ in 0..rounds {
            let home = tempfile::tempdir().unwrap();
            let config = Config::default().with_root(Some(home.path().join("cache"))).with_eviction(false);
            for temperature in 0..2 {
                let started = Instant::now();
                let store = start(&config, &parts, &binaries);
                times[temperature].push(started.elapsed());
                // What goes on while the program runs.
                let flushed = store.flush(Duration::from_secs(60));
                assert!(flushed && store.stats().builds == if temperature == 0 { 20 } else { 0 });
                if temperature == 0 {
                    times[3].push(started.elapsed());
                }
            }
            times[2].push(warm_memory(&binaries));
        }
        let [cold, disk, memory, written] = times.map(median);
        println!(
            "{:>9} KB {:>9} KB {:12.3} {:12.3} {:12.3} {:12.6}",
            image / 1000,
            binary / 1000,
            cold.as_secs_f64() * 1e3,
            written.as_secs_f64() * 1e3,
            disk.as_secs_f64() * 1e3,
            memory.as_secs_f64() * 1e3
        );
    }
}

/// A process's start: keys are made from images, programs found or built.
fn start(config: &Config, parts: &[KeyParts], binaries: &[Vec<u8>]) -> Store {
    let store = Store::open(config);
    for (parts, binary) in parts.iter().zip(binaries) {
        let open = |found: &[u8]| Ok::<_, String>(found.len());
        let build = || {
            Ok(store::Built { value: binary.len(), binary: Some(binary.clone()), kernels: vec!["k".into()] })
        };
        let (length, _) = store.load_or_build(&StoreKey::new(parts), open, build).unwrap();
        assert_eq!(length, binary.len());
    }
    store
}

fn warm_memory(binaries: &[Vec<u8>]) -> Duration {
    let cache = BuildOnce::<usize, usize, String>::new(None, |_| Failure::Lasting);
    let get = |kernel| {
        *cache.get_or_build(&kernel, || Ok(Built { value: binaries[kernel].len(), size: 1 })).unwrap()
    };
    let all = || (0..KERNELS).map(get).sum::<usize>();
    let first = all();
    let started = Instant::now();
    assert_eq!(all(), first);
    started.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

//! The child processes of `testing/cache/caches.py killed`. Exits with 3 if it gets a wrong program.
//!
//! `write ROOT SEED` uses a cache until it is killed. `run ROOT` gets every program once. `verify ROOT` checks every
//! item. The latter two print `name=number` lines.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a program for a developer command"
)]

use std::env;
use std::path::PathBuf;
use std::process::exit;
use std::time::{Duration, Instant};

use sycl_pi_cache::store::{Built, DeviceIdentity, KeyParts, Limits, Notes, ProgramSource};
use sycl_pi_cache::{Config, Store, StoreKey};

const KERNELS: u64 = 64;

/// A source of pseudo-random numbers.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 20) % limit
    }
}

/// Returns bytes that are unique to a number.
fn bytes(number: u64, length: u64) -> Vec<u8> {
    let mut random = Random::new(number + 1);
    (0..length / 8 + 1).flat_map(|_| random.next().to_le_bytes()).collect()
}

fn key(kernel: u64) -> StoreKey {
    let device =
        DeviceIdentity { name: "DeviceIdentity".into(), driver: "1".into(), ..DeviceIdentity::default() };
    let images = vec![bytes(kernel, 200 << (kernel % 8))];
    StoreKey::new(&KeyParts { device, images, ..KeyParts::default() })
}

/// Returns a binary. Some are small, and some take so long to write that a kill interrupts them.
fn binary(kernel: u64) -> Vec<u8> {
    bytes(kernel + 1000, 500 << (kernel % 12))
}

fn get(store: &Store, kernel: u64, build_time: Duration) -> ProgramSource {
    let open = |found: &[u8]| Ok::<_, String>(found.to_vec());
    let build = || {
        std::thread::sleep(build_time);
        let kernels = vec![format!("kernel {kernel}")];
        Ok(Built { value: binary(kernel), binary: Some(binary(kernel)), kernels })
    };
    match store.load_or_build(&key(kernel), open, build) {
        Ok((value, source)) if value == binary(kernel) => source,
        other => {
            eprintln!("kernel {kernel}: wrong program: {:?}", other.map(|(_, source)| source));
            exit(3);
        }
    }
}

fn write(store: &Store, seed: u64) -> ! {
    let mut random = Random::new(seed);
    loop {
        let kernel = random.below(KERNELS);
        match random.below(100) {
            0..80 => drop(get(store, kernel, Duration::from_micros(random.below(2000)))),
            80..95 => store.discard(&key(kernel)),
            95..98 => drop(store.save(&key(kernel), &Notes::default(), &binary(kernel))),
            _ => drop(store.prune(&Limits::new(Some(4 << 20), None), None)),
        }
    }
}

fn run(store: &Store) {
    let mut longest = Duration::ZERO;
    for kernel in 0..KERNELS {
        let started = Instant::now();
        get(store, kernel, Duration::ZERO);
        longest = longest.max(started.elapsed());
    }
    let stats = store.stats();
    println!("programs={KERNELS}\nhits={}\nbuilds={}", stats.hits, stats.builds);
    println!("timeouts={}\nlongest_ms={}", stats.timeouts, longest.as_millis());
}

fn verify(store: &Store) {
    let items = store.items(|_| ()).unwrap_or_default();
    let mut damaged = 0;
    for item in &items {
        if let Err(problem) = store.check(item) {
            eprintln!("{}: {problem}", item.folder.display());
            damaged += 1;
        }
    }
    println!("items={}\ndamaged={damaged}", items.len());
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let root = arguments.get(1).map(PathBuf::from);
    let store = Store::open(&Config::default().with_root(root).with_wait(Duration::from_secs(20)));
    match arguments.first().map(String::as_str) {
        Some("write") => write(&store, arguments.get(2).and_then(|seed| seed.parse().ok()).unwrap_or(1)),
        Some("run") => run(&store),
        Some("verify") => verify(&store),
        _ => {
            eprintln!("write ROOT SEED, run ROOT, or verify ROOT; `testing/cache/caches.py killed` does");
            exit(2);
        }
    }
}

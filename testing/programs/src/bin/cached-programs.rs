//! The child processes of `testing/cache/caches.py killed --programs`. Exits with 3 if a program from the cache gives
//! another result than one that was just built.
//!
//! `write ROOT SEED` gets and runs programs until it is killed. `run ROOT` runs every program, both freshly built and
//! from the cache. `verify ROOT` checks every item. The latter two print `name=number` lines. The plugin is
//! PI_TEST_PLUGIN.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    clippy::unwrap_used,
    reason = "a program for a developer command"
)]

use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sycl_pi_cache::store::Limits;
use sycl_pi_image::spirv::{ArgumentKind, Index, Module, Reflection};
use sycl_pi_runtime::*;
use testing_programs::{Launch as _, add, arguments, open};

/// Images with one kernel that takes addresses and values, and gives the same result each time.
const IMAGES: [&str; 12] = [
    "feat_fp64",
    "feat_sg.1",
    "misc_local",
    "misc_math",
    "misc_scratch",
    "misc_static_local",
    "multi_perkernel.3",
    "multi_perkernel.4",
    "multi_perkernel.5",
    "spec_array",
    "spec_one",
    "spec_zero",
];

struct Bench {
    context: Context,
    queue: Queue,
    registries: Vec<Arc<Registry>>,
}

impl Bench {
    fn new() -> Result<Self> {
        let plugin = std::env::var_os("PI_TEST_PLUGIN").unwrap_or_else(|| "libpi_opencl.so".into());
        let device = open(Path::new(&plugin))?.first_device()?;
        let context = Context::new(std::slice::from_ref(&device))?;
        let queue = Queue::new(&context, &device, QueueOptions::new())?;
        let registries = IMAGES.iter().map(|name| registry(name)).collect::<Result<_>>()?;
        Ok(Self { context, queue, registries })
    }

    /// Launches the image's kernel on memory with a pattern, and returns the resulting memory.
    fn result(&self, image: usize, caches: &Caches) -> Result<Vec<u8>> {
        let registry = &self.registries[image];
        let image = registry.images().remove(0);
        let runtime = Runtime::with_caches(&self.context, registry, caches);
        let name = image.kernels().first().cloned().unwrap();
        let kernel = runtime.kernel(self.queue.device(), &name, &SpecValues::new())?;
        let pattern: Vec<u8> = (0..1 << 14).flat_map(|number: u32| (number % 3).to_le_bytes()).collect();
        let memory = Usm::<u8>::new(&self.context, self.queue.device(), UsmKind::Device, pattern.len())?;
        memory.write(&self.queue, 0, &pattern)?;
        let args = arguments(&kinds(&image, &name), &memory, &pattern);
        kernel.start(&self.queue, NdRange::linear(16).with_local_size(&[16])?, &args)?.wait()?;
        memory.to_vec(&self.queue)
    }
}

fn registry(name: &str) -> Result<Arc<Registry>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/image/tests/images");
    let json = std::fs::read_to_string(folder.join(format!("{name}.props.json"))).unwrap();
    let bytes = std::fs::read(folder.join(format!("{name}.spv"))).unwrap();
    let registry = Registry::new();
    add(&registry, sycl_pi_image::text::read_json(name, &json, &bytes).unwrap().into_owned().unwrap())?;
    Ok(registry)
}

fn kinds(image: &Image, kernel: &str) -> Vec<ArgumentKind> {
    let module = Module::parse(&image.parts().bytes).unwrap();
    let reflection = Reflection::of(&Index::new(&module).unwrap()).unwrap();
    let entry = reflection.entry_points.into_iter().find(|entry| entry.name == kernel).unwrap();
    entry.arguments.into_iter().map(|argument| argument.kind).collect()
}

fn caches(root: &Path) -> Caches {
    let wait = Duration::from_secs(20);
    Caches::new(&CacheConfig::default().with_root(Some(root.into())).with_wait(wait).with_eviction(false))
}

fn write(root: &Path, mut seed: u64) -> Result<()> {
    let (bench, caches) = (Bench::new()?, caches(root));
    loop {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let random = (seed >> 33) as usize;
        bench.result(random % IMAGES.len(), &caches)?;
        if random.is_multiple_of(7) {
            let half = Limits::new(Some(100_000), None);
            let _ = caches.store().prune(&half, None);
        }
    }
}

fn run(root: &Path) -> Result<()> {
    let (bench, caches) = (Bench::new()?, caches(root));
    let none = Caches::new(&CacheConfig::default().with_persistent(false));
    let mut longest = Duration::ZERO;
    for (number, name) in IMAGES.iter().enumerate() {
        let right = bench.result(number, &none)?;
        let (before, started) = (caches.store().stats().hits, Instant::now());
        let found = bench.result(number, &caches)?;
        if caches.store().stats().hits > before {
            longest = longest.max(started.elapsed());
        }
        if found != right {
            eprintln!("{name}: the program from the cache gives another result");
            exit(3);
        }
    }
    let stats = caches.store().stats();
    println!("programs={}\nhits={}\nbuilds={}", IMAGES.len(), stats.hits, stats.builds);
    println!("timeouts={}\nlongest_ms={}", stats.timeouts, longest.as_millis());
    Ok(())
}

fn verify(root: &Path) {
    let caches = caches(root);
    let items = caches.store().items(|_| ()).unwrap_or_default();
    let damaged = items.iter().filter(|item| caches.store().check(item).is_err()).count();
    println!("items={}\ndamaged={damaged}", items.len());
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let root = words.get(1).map(PathBuf::from).unwrap_or_default();
    let seed = words.get(2).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let done = match words.first().map(String::as_str) {
        Some("write") => write(&root, seed),
        Some("run") => run(&root),
        Some("verify") => {
            verify(&root);
            Ok(())
        }
        _ => {
            eprintln!(
                "write ROOT SEED, run ROOT, or verify ROOT; `testing/cache/caches.py killed --programs` does"
            );
            exit(2);
        }
    };
    if let Err(error) = done {
        eprintln!("{error}");
        exit(3);
    }
}

//! Rewrites damaged modules. No module may crash the process, panic, take long, or need much memory.

use std::fs;
use std::os::unix::fs::FileExt;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use sycl_pi_image::spirv::{Legalized, Needs, SpirvError, legalize};
use testing_legalize::programs;
use testing_nvvm::stock::{corpus, keep};
use testing_nvvm::{Random, damaged};

use crate::FuzzArgs;
use crate::validator::Validator;

/// A module that takes longer, and takes as long once more, is an error.
const LIMIT: Duration = Duration::from_secs(1);
/// A result that is larger is an error. The modules have at most 16 KiB.
const LARGEST: usize = 16 << 20;
/// A module that has not ended after this time ends the run.
const HUNG: Duration = Duration::from_secs(60);

/// Makes the damaged modules.
struct Source<'a> {
    seed: u64,
    stock: Vec<Vec<u8>>,
    /// Small kernels, each of which needs one rewrite.
    small: Vec<Vec<u8>>,
    /// Those of each driver, and all together.
    needs: Vec<Needs>,
    args: &'a FuzzArgs,
}

impl<'a> Source<'a> {
    fn new(args: &'a FuzzArgs) -> Result<Self> {
        let drivers = &args.common.drivers;
        let facts: Vec<_> = drivers.iter().map(|driver| driver.facts.clone()).collect();
        let each = drivers.iter().map(|driver| driver.needs);
        Ok(Self {
            seed: args.common.seed,
            stock: corpus(&args.common.libraries, args.common.seed)?,
            small: programs()?.into_iter().map(|program| program.module).collect(),
            needs: each.chain([Needs::of_all(&facts)]).collect(),
            args,
        })
    }

    /// Returns a module, and what it is rewritten for.
    fn module(&self, number: u64) -> (Vec<u8>, Needs) {
        let mut random = Random::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let modules = if random.below(2) == 0 { &self.small } else { &self.stock };
        let chosen = random.below(modules.len());
        let needs = self.needs.get(random.below(self.needs.len())).copied().unwrap_or_default();
        (modules.get(chosen).map(|module| damaged(module, &mut random)).unwrap_or_default(), needs)
    }

    /// Returns how a module breaks the legalizer, and whether it is accepted.
    fn verdict(&self, module: &[u8], needs: &Needs, validator: Option<&Validator<'_>>) -> Result<Verdict> {
        let Ok((result, took)) = catch_unwind(|| timed(module, needs)) else {
            return Ok(Verdict::Broken("panic"));
        };
        if took > LIMIT && timed(module, needs).1 > LIMIT {
            return Ok(Verdict::Broken("slow"));
        }
        let Ok(made) = result else { return Ok(Verdict::Refused) };
        if made.module.len() > LARGEST {
            return Ok(Verdict::Broken("large"));
        }
        if let Some(validator) = validator
            && *made.module != *module
            && validator.complaint(module)?.is_none()
            && let Some(complaint) = validator.complaint(&made.module)?
        {
            println!("progress\t{}", complaint.trim());
            return Ok(Verdict::Broken("invalid"));
        }
        Ok(Verdict::Accepted)
    }
}

enum Verdict {
    Accepted,
    Refused,
    Broken(&'static str),
}

fn timed<'m>(module: &'m [u8], needs: &Needs) -> (Result<Legalized<'m>, SpirvError>, Duration) {
    let start = Instant::now();
    let result = legalize(module, needs);
    (result, start.elapsed())
}

/// The state that the threads share.
#[derive(Default)]
struct Progress {
    next: AtomicU64,
    done: AtomicU64,
    broken: AtomicUsize,
    accepted: AtomicU64,
}

/// Returns whether nothing broke. In case the process crashes, the index of each thread's module is in the file
/// `at` of the folder.
pub(crate) fn run(args: &FuzzArgs) -> Result<bool> {
    fs::create_dir_all(&args.common.keep)?;
    let source = Source::new(args)?;
    println!(
        "progress\t{} stock modules and {} small ones to damage",
        source.stock.len(),
        source.small.len()
    );
    if let Some(number) = args.only {
        let (module, needs) = source.module(number);
        println!("only\t{}\t{needs:?}", keep(&args.common.keep, &module));
        println!("result\t{:?}", legalize(&module, &needs).map(|made| made.module.len()));
        return Ok(true);
    }
    let at = fs::File::create(args.common.keep.join("at"))?;
    let (progress, start) = (Progress::default(), Instant::now());
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        let (source, progress, at) = (&source, &progress, &at);
        let jobs = args.common.jobs.max(1) as u64;
        let threads: Vec<_> =
            (0..jobs).map(|thread| scope.spawn(move || work(source, progress, at, thread))).collect();
        scope.spawn(move || watch(args.count, progress));
        let ends =
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| bail!("a thread ended")));
        let result = ends.collect::<Result<()>>();
        progress.done.store(args.count, Ordering::Relaxed);
        result
    })?;
    let (broken, accepted) = (progress.broken.into_inner(), progress.accepted.into_inner());
    let seconds = start.elapsed().as_secs_f64();
    println!("fuzzed\t{}\t{accepted}\t{broken}\t{seconds:.1}\t{}", args.count, most_memory()?);
    Ok(broken == 0)
}

/// Rewrites modules until there are enough.
fn work(source: &Source<'_>, progress: &Progress, at: &fs::File, thread: u64) -> Result<()> {
    let args = source.args;
    let validator = args.validator.as_deref().map(Validator::new).transpose()?;
    loop {
        let number = progress.next.fetch_add(1, Ordering::Relaxed);
        if number >= args.count {
            return Ok(());
        }
        let (module, needs) = source.module(number);
        at.write_at(&number.to_le_bytes(), thread * 8)?;
        match source.verdict(&module, &needs, validator.as_ref())? {
            Verdict::Accepted => drop(progress.accepted.fetch_add(1, Ordering::Relaxed)),
            Verdict::Refused => {}
            Verdict::Broken(why) => {
                progress.broken.fetch_add(1, Ordering::Relaxed);
                println!("broken\t{why}\t{number}\t{}", keep(&args.common.keep, &module));
            }
        }
        if progress.done.fetch_add(1, Ordering::Relaxed) % 2000 == 1999 {
            println!("progress\t{} of {} damaged modules", number + 1, args.count);
        }
    }
}

/// Ends the process if the threads do not go on.
fn watch(count: u64, progress: &Progress) {
    let (mut seen, mut since) = (0, Instant::now());
    loop {
        std::thread::sleep(Duration::from_millis(100));
        match progress.done.load(Ordering::Relaxed) {
            done if done >= count => return,
            done if done != seen => (seen, since) = (done, Instant::now()),
            _ if since.elapsed() > HUNG => std::process::abort(),
            _ => {}
        }
    }
}

/// Returns the most memory that the process had at a time, in kB.
fn most_memory() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    Ok(line.and_then(|line| line.split_whitespace().next()).map_or(Ok(0), str::parse)?)
}

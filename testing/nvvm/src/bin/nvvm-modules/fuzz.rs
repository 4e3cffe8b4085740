//! Translates damaged modules. No module may crash the process, panic, take long or produce much text.

use std::fs;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use sycl_pi_nvvm::{Options, translate};
use testing_nvvm::stock::{corpus, keep};
use testing_nvvm::{Random, damaged};

use crate::FuzzArgs;

/// A translation that takes longer is an error.
const LIMIT: Duration = Duration::from_secs(5);
/// More text than this for each byte of a module is also an error.
const TEXT: usize = 2000;

/// Returns whether nothing broke. In case the process crashes, the index of each thread's module is in the file
/// `at` of the folder.
pub(crate) fn run(args: &FuzzArgs) -> Result<bool> {
    fs::create_dir_all(&args.keep)?;
    let corpus = corpus(&args.libraries, args.seed)?;
    println!("progress\t{} modules to damage", corpus.len());
    let module_of = |number: u64| {
        let mut random = Random::new(args.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        corpus.get(random.below(corpus.len())).map(|module| damaged(module, &mut random)).unwrap_or_default()
    };
    if let Some(number) = args.only {
        let module = module_of(number);
        println!("only\t{}", keep(&args.keep, &module));
        println!("result\t{:?}", translate(&[&module], &Options::default()).map(|found| found.ir.len()));
        return Ok(true);
    }
    let at = fs::File::create(args.keep.join("at"))?;
    let (next, broken, accepted) = (AtomicU64::new(0), AtomicUsize::new(0), AtomicU64::new(0));
    let start = Instant::now();
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::scope(|scope| {
        let work = |thread: u64| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= args.count {
                    return Ok(());
                }
                let module = module_of(number);
                at.write_at(&number.to_le_bytes(), thread * 8)?;
                let begun = Instant::now();
                let result = std::panic::catch_unwind(|| translate(&[&module], &Options::default()));
                let why = match result {
                    Err(_) => "panic",
                    Ok(_) if begun.elapsed() > LIMIT => "slow",
                    Ok(Ok(found)) if found.ir.len() > (1 << 20) + module.len() * TEXT => "long",
                    Ok(Ok(_)) => {
                        accepted.fetch_add(1, Ordering::Relaxed);
                        ""
                    }
                    Ok(Err(_)) => "",
                };
                if !why.is_empty() {
                    broken.fetch_add(1, Ordering::Relaxed);
                    println!("broken\t{why}\t{number}\t{}", keep(&args.keep, &module));
                }
                if number % 2000 == 1999 {
                    println!("progress\t{} of {} damaged modules", number + 1, args.count);
                }
            }
        };
        let threads: Vec<_> =
            (0..args.jobs.max(1) as u64).map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a thread ended")))
    })?;
    let (broken, accepted) = (broken.into_inner(), accepted.into_inner());
    println!("fuzzed\t{}\t{accepted}\t{broken}\t{:.1}", args.count, start.elapsed().as_secs_f64());
    Ok(broken == 0)
}

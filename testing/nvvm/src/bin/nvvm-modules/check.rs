//! Translates all modules. Compiles and assembles a sample of them, or all.

use std::fs;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Result;
use sycl_pi_nvvm::Dialect;
use testing_nvvm::Random;
use testing_nvvm::stock::{self, in_threads, keep};

use crate::CheckArgs;
use crate::compile::{ARCHITECTURES, Chain, translated};
use crate::sums::Sums;

/// A module that is compiled, with the index of its library.
type Chosen = (usize, Vec<u8>);

/// Returns whether nothing failed.
pub(crate) fn run(args: &CheckArgs) -> Result<bool> {
    fs::create_dir_all(&args.keep)?;
    let libraries = stock::named(&args.libraries)?;
    let mut all: Vec<Sums> = Vec::new();
    let (mut times, mut chosen, mut seen) = (Vec::new(), Vec::new(), 0);
    let mut random = Random::new(args.seed);
    for (number, library) in libraries.iter().enumerate() {
        println!("progress\ttranslating {} {}", library.package, library.name);
        let (count, modules) = library.modules()?;
        let mut sums = Sums { modules: count, unique: modules.len(), ..Sums::default() };
        let fine = translate_all(args, &modules, &mut sums, &mut times);
        // Each module that can be translated is in the sample with the same probability (reservoir sampling).
        let mut own = Vec::new();
        for module in modules.into_iter().zip(fine).filter(|(_, fine)| *fine).map(|(module, _)| module) {
            seen += 1;
            if args.all {
                own.push((number, module));
            } else if chosen.len() < args.sample {
                chosen.push((number, module));
            } else if let Some(place) = chosen.get_mut(random.below(seen)) {
                *place = (number, module);
            }
        }
        all.push(sums);
        if args.all {
            compile_all(args, &own, &mut all)?;
        }
    }
    compile_all(args, &chosen, &mut all)?;
    libraries.iter().zip(&all).for_each(|(library, sums)| sums.print(&library.package, &library.name));
    times.sort_unstable();
    let at = |part: usize| times.get((times.len() * part / 1000).min(times.len().saturating_sub(1)));
    let [median, slow, most] =
        [500, 990, 1000].map(|part| at(part).map_or(0, |time: &Duration| time.as_micros()));
    println!("times\t{median}\t{slow}\t{most}");
    Ok(all.iter().all(|sums| sums.failures.is_empty()))
}

/// Translates modules, and returns for each whether it succeeded.
fn translate_all(
    args: &CheckArgs,
    modules: &[Vec<u8>],
    sums: &mut Sums,
    times: &mut Vec<Duration>,
) -> Vec<bool> {
    let numbers: Vec<usize> = (0..modules.len()).collect();
    let state = Mutex::new((sums, times, vec![false; modules.len()]));
    let done = in_threads(&numbers, args.jobs, |numbers| {
        for &number in numbers {
            let Some(module) = modules.get(number) else { continue };
            let start = Instant::now();
            let result = translated(module, Dialect::Llvm7);
            let time = start.elapsed();
            let mut state = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (sums, times, fine) = &mut *state;
            times.push(time);
            match result {
                Ok(translation) => {
                    sums.translated += 1;
                    sums.kernels += translation.kernels.len();
                    let refused: Vec<&String> =
                        translation.kernels.iter().filter_map(|kernel| kernel.refused.as_ref()).collect();
                    let file = if refused.is_empty() { String::new() } else { keep(&args.keep, module) };
                    refused.iter().for_each(|why| sums.refuse(1, why, &file));
                    if let Some(place) = fine.get_mut(number) {
                        *place = true;
                    }
                }
                Err(why) => {
                    // A module without kernels counts as one kernel.
                    let kernels = stock::kernels(module);
                    sums.kernels += kernels;
                    sums.refuse(kernels.max(1), &why, &keep(&args.keep, module));
                }
            }
        }
        Ok(())
    });
    if let Err(error) = done {
        println!("progress\t{error}");
    }
    state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).2
}

fn compile_all(args: &CheckArgs, chosen: &[Chosen], all: &mut [Sums]) -> Result<()> {
    let state = Mutex::new((all, 0, Instant::now()));
    in_threads(chosen, args.jobs, |chosen_here| {
        let chain = Chain::new(&args.ptxas)?;
        for (library, module) in chosen_here {
            let mut results = Vec::new();
            for architecture in ARCHITECTURES {
                results.push(chain.run(module, architecture)?);
            }
            let mut state = state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (all, done, said) = &mut *state;
            *done += 1;
            if said.elapsed() > Duration::from_secs(1) {
                *said = Instant::now();
                println!("progress\tcompiling: {done} of {} modules", chosen.len());
            }
            let Some(sums) = all.get_mut(*library) else { continue };
            sums.sampled += 1;
            for (at, result) in results.iter().enumerate() {
                let count = |counts: &mut [usize; 2], is| {
                    if let Some(count) = counts.get_mut(at) {
                        *count += usize::from(is);
                    }
                };
                count(&mut sums.compiled, result.compiled);
                count(&mut sums.assembled, result.assembled);
                sums.unoptimized += usize::from(result.unoptimized);
                if let Some((stage, why)) = &result.failure {
                    sums.fail(stage, why, &keep(&args.keep, module));
                }
            }
        }
        Ok(())
    })
}

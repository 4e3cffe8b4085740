//! Rewrites all modules of packages for drivers, and validates the results.

use std::collections::HashSet;
use std::fs;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use sycl_pi_image::spirv::{Legalized, SpirvError, legalize};
use testing_nvvm::stock::{self, in_threads, keep, reason};

use crate::counts::Counts;
use crate::validator::Validator;
use crate::{CheckArgs, Driver};

/// Separates the name of a refused kernel from the reason, in an error's text.
const REFUSED: &str = " is refused: ";

/// The modules of a package.
struct Package {
    name: String,
    /// The number of modules that its libraries contain.
    found: usize,
    /// The different ones, or some of them.
    modules: Vec<Vec<u8>>,
}

/// Returns whether nothing failed.
pub(crate) fn run(args: &CheckArgs) -> Result<bool> {
    fs::create_dir_all(&args.common.keep)?;
    let mut fine = true;
    for package in packages(args)? {
        let counts = check(args, &package)?;
        let kernels: usize = package.modules.iter().map(|module| stock::kernels(module)).sum();
        println!("package\t{}\t{}\t{}\t{kernels}", package.name, package.found, package.modules.len());
        for (driver, counts) in args.common.drivers.iter().zip(&counts) {
            counts.print(&package.name, &driver.name);
            fine &= counts.failed == 0 && counts.invalid == 0;
        }
    }
    Ok(fine)
}

/// Reads the libraries.
fn packages(args: &CheckArgs) -> Result<Vec<Package>> {
    let mut packages: Vec<Package> = Vec::new();
    let (mut seen, mut different) = (HashSet::new(), 0);
    for library in stock::named(&args.common.libraries)? {
        println!("progress\treading {} {}", library.package, library.name);
        if packages.last().is_none_or(|package| package.name != library.package) {
            packages.push(Package { name: library.package.clone(), found: 0, modules: Vec::new() });
            (seen, different) = (HashSet::new(), 0);
        }
        let (found, modules) = library.modules()?;
        let Some(package) = packages.last_mut() else { continue };
        package.found += found;
        for module in modules {
            if seen.insert(module.clone()) {
                if different % args.every.max(1) == 0 {
                    package.modules.push(module);
                }
                different += 1;
            }
        }
    }
    Ok(packages)
}

/// Returns the counts of each driver.
fn check(args: &CheckArgs, package: &Package) -> Result<Vec<Counts>> {
    let drivers = &args.common.drivers;
    let counts: Vec<Counts> = drivers.iter().map(|_| Counts::default()).collect();
    let state = Mutex::new((counts, 0, Instant::now()));
    in_threads(&package.modules, args.common.jobs, |modules| {
        let validator = Validator::new(&args.validator)?;
        for module in modules {
            let before = validator.complaint(module)?;
            let mut judged: Vec<(Vec<u8>, Option<String>)> = Vec::new();
            for (at, driver) in drivers.iter().enumerate() {
                let start = Instant::now();
                let made = rewritten(module, driver);
                let took = start.elapsed();
                let after = match &made {
                    Ok(made) if *made.module != **module => {
                        let known = judged.iter().find(|(bytes, _)| *bytes == *made.module);
                        let verdict = match known {
                            Some((_, verdict)) => verdict.clone(),
                            None => validator.complaint(&made.module)?,
                        };
                        judged.push((made.module.to_vec(), verdict.clone()));
                        verdict
                    }
                    _ => before.clone(),
                };
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(counts) = state.0.get_mut(at) else { continue };
                counts.slowest = counts.slowest.max(took.as_micros());
                count(counts, module, &made, before.as_deref(), after.as_deref(), || {
                    keep(&args.common.keep, module)
                });
            }
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.1 += 1;
            if state.2.elapsed() > Duration::from_secs(1) {
                state.2 = Instant::now();
                println!("progress\t{}: {} of {} modules", package.name, state.1, package.modules.len());
            }
        }
        Ok(())
    })?;
    Ok(state.into_inner().unwrap_or_else(PoisonError::into_inner).0)
}

/// Rewrites a module. A panic is an error.
fn rewritten<'m>(module: &'m [u8], driver: &Driver) -> Result<Legalized<'m>, String> {
    let work = || legalize(module, &driver.needs).map_err(|error: SpirvError| error.to_string());
    std::panic::catch_unwind(work).unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// Counts what came of a module for one driver, and what the validator says before and after.
fn count(
    counts: &mut Counts,
    module: &[u8],
    made: &Result<Legalized<'_>, String>,
    before: Option<&str>,
    after: Option<&str>,
    file: impl Fn() -> String,
) {
    let made = match made {
        Ok(made) => made,
        Err(text) => {
            return match text.split_once(REFUSED) {
                Some((_, why)) => {
                    counts.refused += 1;
                    counts.refused_kernels += stock::kernels(module);
                    counts.add_reason("module", reason(why), file);
                }
                None => {
                    counts.failed += 1;
                    counts.add_reason("failed", reason(text), file);
                }
            };
        }
    };
    let is_same = *made.module == *module;
    *(if is_same { &mut counts.same } else { &mut counts.rewritten }) += 1;
    for refusal in &made.refused {
        counts.refused_kernels += usize::from(refusal.is_kernel);
        counts.add_reason("kernel", reason(&refusal.reason), &file);
    }
    match (before, after) {
        (_, None) => counts.valid += 1,
        (None, Some(text)) => {
            counts.invalid += 1;
            counts.add_reason("invalid", reason(text), file);
        }
        (Some(before), Some(after)) => {
            counts.not_judged += 1;
            let (before, after) = (reason(before), reason(after));
            let text = if before == after { after } else { format!("{after} (and before: {before})") };
            counts.add_reason("not judged", text, file);
        }
    }
}

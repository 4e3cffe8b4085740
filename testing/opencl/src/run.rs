//! A whole run: which tests, with which expectations, and the line at its end.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::expectations::{self, Expectation, Kind};
use crate::{Case, Driver, Registry, child};

/// Runs everything that was registered, or in a child the one case that it was started for.
pub fn run(registry: Registry) -> ExitCode {
    if let Ok(name) = std::env::var(child::CASE) {
        return run_one(&registry, &name);
    }
    let arguments = Arguments::from_args();
    let driver = Driver::of_environment();
    if !arguments.list {
        println!("driver: {driver:?}, plugin: {}", crate::plugin::path().display());
    }
    let unknown = expectations::unknown(&registry);
    assert!(unknown.is_empty(), "expectations about tests that do not exist: {unknown:?}");

    let known_failures = Arc::new(AtomicUsize::new(0));
    let mut notes = Vec::new();
    let trials = registry.cases.into_iter().map(|case| {
        let expected = expectations::of(driver, &case.name);
        if let Some(expectation) = &expected {
            notes.push(format!("{}: {} ({})", case.name, expectation.kind, expectation.reason));
        }
        trial(case, expected, Arc::clone(&known_failures))
    });
    let trials = trials.collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        notes.iter().for_each(|note| println!("{note}"));
        let failing = known_failures.load(Ordering::Relaxed);
        if failing > 0 {
            println!("{failing} failed as expected");
        }
        println!(
            "{} passed, {} failed, {} skipped",
            conclusion.num_passed, conclusion.num_failed, conclusion.num_ignored
        );
    }
    ExitCode::from(u8::from(conclusion.has_failed()))
}

fn run_one(registry: &Registry, name: &str) -> ExitCode {
    match registry.cases.iter().find(|case| case.name == name) {
        Some(case) => {
            (case.body)();
            println!("{}", child::DONE);
            ExitCode::SUCCESS
        }
        None => panic!("no test of the name {name}"),
    }
}

fn trial(case: Case, expected: Option<Expectation>, known_failures: Arc<AtomicUsize>) -> Trial {
    let skipped = expected.as_ref().is_some_and(|expectation| expectation.kind == Kind::Skip);
    let fails = expected.as_ref().is_some_and(|expectation| expectation.kind == Kind::Fails);
    let Case { name, isolated, body } = case;
    let title = name.clone();
    let run = move || -> Result<(), Failed> {
        let result = if isolated || fails {
            child::run(&name, &[]).map(|_| ()).map_err(Failed::from)
        } else {
            body();
            Ok(())
        };
        match (fails, result) {
            (false, result) => result,
            (true, Err(_)) => {
                known_failures.fetch_add(1, Ordering::Relaxed);
                Ok(())
            }
            (true, Ok(())) => {
                Err("passes, though the table of expectations says it fails: take it out".into())
            }
        }
    };
    Trial::test(title, run).with_ignored_flag(skipped)
}

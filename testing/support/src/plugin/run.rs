//! A runner for named tests, and their expected results.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use libtest_mimic::{Arguments, Failed, Trial};

use crate::child;

/// A named test.
pub type Case = (&'static str, fn());

/// The expected result of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// It passes.
    Pass,
    /// It is not run, for this reason.
    Skip(String),
    /// It fails, for this reason. If it passes, the run fails.
    Fail(String),
}

struct Test {
    name: String,
    isolated: bool,
    body: Box<dyn Fn() + Send + Sync>,
}

/// All tests of a program, in the order of their registration.
#[derive(Default)]
pub struct Registry {
    tests: Vec<Test>,
}

impl Registry {
    /// Adds a test. An isolated one runs in a separate process.
    pub fn add(&mut self, name: impl Into<String>, isolated: bool, body: impl Fn() + Send + Sync + 'static) {
        self.tests.push(Test { name: name.into(), isolated, body: Box::new(body) });
    }

    /// Returns the names of all tests.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tests.iter().map(|test| test.name.as_str())
    }

    /// Runs the tests that the arguments select or, in a child, the test for which it was started.
    pub fn run(self, arguments: &Arguments, expected: impl Fn(&str) -> Expected) -> ExitCode {
        if let Ok(name) = std::env::var(child::CASE) {
            return self.run_one(&name);
        }
        let known_failures = Arc::new(AtomicUsize::new(0));
        let mut notes = Vec::new();
        let trials = self.tests.into_iter().map(|test| {
            let expected = expected(&test.name);
            match &expected {
                Expected::Pass => {}
                Expected::Skip(reason) => notes.push(format!("{}: skipped ({reason})", test.name)),
                Expected::Fail(reason) => notes.push(format!("{}: expected to fail ({reason})", test.name)),
            }
            test.trial(&expected, Arc::clone(&known_failures))
        });
        let trials = trials.collect();
        let conclusion = libtest_mimic::run(arguments, trials);
        if !arguments.list {
            notes.iter().for_each(|note| println!("{note}"));
            let failed = known_failures.load(Ordering::Relaxed);
            if failed > 0 {
                println!("{failed} failed as expected");
            }
        }
        let ran_none = conclusion.num_passed + conclusion.num_failed == 0;
        if ran_none
            && !arguments.list
            && !is_selected(arguments)
            && std::env::var_os(WITHOUT_DRIVER).is_none()
        {
            println!("no test was run, which counts as a failure where {WITHOUT_DRIVER} is not set");
            return ExitCode::FAILURE;
        }
        conclusion.exit_code()
    }

    fn run_one(&self, name: &str) -> ExitCode {
        let test = self.tests.iter().find(|test| test.name == name);
        (test.unwrap_or_else(|| panic!("there is no test {name}")).body)();
        println!("{}", child::DONE);
        ExitCode::SUCCESS
    }
}

/// Set if the run includes tests that need no driver.
const WITHOUT_DRIVER: &str = "PI_TEST_WITHOUT_DRIVER";

/// Returns whether the caller has selected some of the tests. Another program may have them.
fn is_selected(arguments: &Arguments) -> bool {
    arguments.filter.is_some() || !arguments.skip.is_empty() || arguments.ignored
}

impl FromIterator<Case> for Registry {
    fn from_iter<I: IntoIterator<Item = Case>>(cases: I) -> Self {
        let mut registry = Self::default();
        cases.into_iter().for_each(|(name, case)| registry.add(name, false, case));
        registry
    }
}

impl Test {
    fn trial(self, expected: &Expected, known_failures: Arc<AtomicUsize>) -> Trial {
        let Self { name, isolated, body } = self;
        let title = name.clone();
        let fails = matches!(expected, Expected::Fail(_));
        let run = move || -> Result<(), Failed> {
            let result = if isolated || fails {
                child::run(&name, &[]).map(drop).map_err(Failed::from)
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
                    Err("it passes, but the expectations say that it fails: remove the entry".into())
                }
            }
        };
        Trial::test(title, run).with_ignored_flag(matches!(expected, Expected::Skip(_)))
    }
}

/// Registers functions of a module as `family::function`: those that run in this process, then those in separate
/// processes.
#[macro_export]
macro_rules! cases {
    ($registry:ident, $family:literal, [$($name:ident),* $(,)?] $(, isolated [$($risky:ident),* $(,)?])?) => {
        // As pointers, all bodies have one type, and one copy of `add`.
        $($registry.add(concat!($family, "::", stringify!($name)), false, $name as fn());)*
        $($($registry.add(concat!($family, "::", stringify!($risky)), true, $risky as fn());)*)?
    };
}

//! The device-image tools where their output goes: to linkers, to runtimes, to drivers.
//!
//! `PI_TEST_TOOL` is the `pi` tool, `PI_TEST_PLUGIN` a plugin, `PI_TEST_RUNTIME` libpi_runtime.so, by default those in
//! target/release; `PI_TEST_LIBSYCL` lists folders with a stock libsycl, by default those under target/clients. A test whose
//! tool, driver or library is not there is declared as skipped, with the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod ahead;
mod emulated;
mod libsycl;
mod scripts;
mod split;
mod tools;
mod valid;
mod world;
mod wrapped;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// A test, and why it cannot be run here, if it cannot.
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) run: Box<dyn FnOnce() + Send>,
    pub(crate) skip: Option<String>,
}

impl Test {
    pub(crate) fn new(name: &str, run: impl FnOnce() + Send + 'static, skip: Option<String>) -> Self {
        Self { name: name.into(), run: Box::new(run), skip }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut tests = Vec::new();
    for all in [split::all(), emulated::all(), wrapped::all(), libsycl::all(), scripts::all(), valid::all()] {
        tests.extend(all);
    }
    let trials = tests.into_iter().map(|test| {
        if let Some(reason) = &test.skip {
            eprintln!("{} is skipped: {reason}", test.name);
        }
        let run = test.run;
        Trial::test(test.name, move || {
            run();
            Ok(())
        })
        .with_ignored_flag(test.skip.is_some())
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

//! Tests of the device-image tools with the consumers of their output: linkers, runtimes, drivers.
//!
//! `PI_TEST_TOOL` is the `pi` tool, `PI_TEST_PLUGIN` a plugin, `PI_TEST_RUNTIME` libpi_runtime.so, by default those in
//! target/release; `PI_TEST_LIBSYCL` lists folders with a stock libsycl, by default those that `cargo xtask` has
//! installed. A test whose tool, driver or library is missing is declared as skipped, with the reason.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, missing_docs)]

mod ahead;
mod emulated;
mod fixture;
mod libsycl;
mod linked;
mod scripts;
mod split;
mod tools;
mod valid;
mod wrapped;

use std::collections::HashMap;
use std::process::ExitCode;

use libtest_mimic::Arguments;
use testing_support::{Expected, Registry};

/// A test, and why it cannot run here, if it cannot.
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) run: Box<dyn Fn() + Send + Sync>,
    pub(crate) skip: Option<String>,
}

impl Test {
    pub(crate) fn new(name: &str, run: impl Fn() + Send + Sync + 'static, skip: Option<String>) -> Self {
        Self { name: name.into(), run: Box::new(run), skip }
    }
}

fn main() -> ExitCode {
    let (mut registry, mut missing) = (Registry::default(), HashMap::new());
    for all in [
        split::all(),
        linked::all(),
        emulated::all(),
        wrapped::all(),
        libsycl::all(),
        scripts::all(),
        valid::all(),
    ] {
        for Test { name, run, skip } in all {
            missing.extend(skip.map(|reason| (name.clone(), reason)));
            registry.add(name, false, run);
        }
    }
    registry.run(&Arguments::from_args(), |name| {
        missing.get(name).cloned().map_or(Expected::Pass, Expected::Skip)
    })
}

//! Counts the plugin's own instructions per command with callgrind on the software driver.
//!
//! The count is the difference between two runs of different lengths, inside libpi_cuda.so, which must be optimized:
//!
//!     cargo build -p benches-cuda
//!     PI_TEST_BUILT=target/release cargo test -p testing-cuda --test instructions
//!
//! The limits are 15 % above measured counts, and catch regressions on any machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the counts are what a reader comes for")]

mod environment;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::LazyLock;

use environment::Environment;
use libtest_mimic::Arguments;
use testing_support::{Expected, Registry, process};

/// The operations of `pi-cuda-cost`, with the maximum number of instructions.
const LIMITS: [(&str, u64); 6] = [
    ("no event", 628),
    ("event, released at once", 967),
    ("event, held until the next", 1006),
    ("event waited for", 1298),
    ("copy, event waited for", 989),
    ("blocking", 626),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let why_not = if cfg!(debug_assertions) && std::env::var_os("PI_TEST_BUILT").is_none() {
        Some("the plugin is built without optimization; PI_TEST_BUILT names a folder with an optimized one")
    } else if !has_valgrind() {
        Some("there is no valgrind")
    } else {
        None
    };
    let mut registry = Registry::default();
    for (way, most) in LIMITS {
        let name = format!("instructions_of_{}", way.replace([' ', ','], "_"));
        registry.add(name, false, move || check(way, most));
    }
    registry.run(&arguments, |_| why_not.map_or(Expected::Pass, |why| Expected::Skip(why.to_owned())))
}

fn has_valgrind() -> bool {
    let mut command = Command::new("valgrind");
    command.arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn check(way: &str, most: u64) {
    const FEW: u64 = 400;
    const MORE: u64 = 1400;
    // All trials share one environment, as they run in parallel and its files must not change under one of them.
    static ENVIRONMENT: LazyLock<(Environment, PathBuf)> = LazyLock::new(|| {
        let environment = Environment::new(&["benches-cuda"]);
        // The optimized folder has no programs of tests.
        (environment, process::profile_folder().unwrap().join("pi-cuda-cost"))
    });
    let (environment, program) = &*ENVIRONMENT;
    let executed = |count| executed(environment, program, way, count);
    let each = (executed(MORE) - executed(FEW)) / (MORE - FEW);
    println!("{way}: {each} instructions");
    assert!(each <= most, "{way}: {each} instructions, {most} are the limit");
}

/// Returns the number of instructions inside the plugin for `count` repetitions of an operation.
fn executed(environment: &Environment, program: &Path, way: &str, count: u64) -> u64 {
    // Trials run in parallel.
    let name = format!("pi-cuda-callgrind-{}-{}-{count}", std::process::id(), way.replace([' ', ','], "-"));
    let out = std::env::temp_dir().join(name);
    let mut file = std::ffi::OsString::from("--callgrind-out-file=");
    file.push(&out);
    let output = environment
        .command(Path::new("valgrind"))
        .arg("--tool=callgrind")
        .arg(file)
        .arg(program)
        .args(["--repeat", way, &count.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&out).unwrap();
    std::fs::remove_file(&out).unwrap();
    own(&text, "libpi_cuda.so")
}

/// Returns the instructions that callgrind counted inside one object, without its callees.
fn own(text: &str, object: &str) -> u64 {
    let mut names = std::collections::HashMap::new();
    let (mut inside, mut called, mut sum) = (false, false, 0);
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("ob=") {
            // "(3) /path" defines the name of number 3, and "(3)" refers to it.
            let (number, path) = name.split_once(' ').unwrap_or((name, ""));
            if !path.is_empty() {
                names.insert(number.to_owned(), path.ends_with(object));
            }
            inside = names.get(number).copied().unwrap_or(false);
        } else if let Some(name) = line.strip_prefix("cob=") {
            if let Some((number, path)) = name.split_once(' ') {
                names.insert(number.to_owned(), path.ends_with(object));
            }
        } else if line.starts_with("calls=") {
            // The next line is the cost of the callee.
            called = true;
        } else if line
            .starts_with(|first: char| first.is_ascii_digit() || first == '+' || first == '-' || first == '*')
        {
            if inside && !called {
                sum += line.split_whitespace().nth(1).and_then(|cost| cost.parse::<u64>().ok()).unwrap_or(0);
            }
            called = false;
        }
    }
    sum
}

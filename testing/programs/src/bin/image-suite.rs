//! `image-suite DIR PLUGIN`: tries every image of a folder, each in a process of its own, and prints a line for each:
//! name, outcome, detail. `cargo xtask images` makes tables of it.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::Path;
use std::process::ExitCode;

use testing_programs::{self as suite, ImageResult};

fn main() -> ExitCode {
    if suite::child() {
        return ExitCode::SUCCESS;
    }
    let args: Vec<String> = std::env::args().collect();
    let [_, folder, plugin] = args.as_slice() else {
        eprintln!("usage: image-suite DIR PLUGIN");
        return ExitCode::from(2);
    };
    match suite::open(Path::new(plugin)).and_then(|plugin| plugin.first_device()) {
        Ok(device) => println!("device\t{}\t{}", device.info().name, device.info().driver_version),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(3);
        }
    }
    for name in suite::names(Path::new(folder)) {
        let (kind, detail) = match suite::try_in_child(Path::new(folder), &name, Path::new(plugin)) {
            ImageResult::Ran(detail) => ("ran", detail),
            ImageResult::Refused(detail) => ("refused", detail),
            ImageResult::Wrong(detail) => ("wrong", detail),
            ImageResult::Crashed(detail) => ("driver crash", detail),
        };
        println!("image\t{name}\t{kind}\t{detail}");
    }
    ExitCode::SUCCESS
}

//! `stock-kernels describe LIB...`, `build PLUGIN LIB FROM STEP`, `code LIB KERNEL OUT`, `launch PLUGIN SEED COUNT FROM
//! LIB...`: tests the kernels of libraries that vendors ship. `testing/images/stock_kernels.py` reads the output.
#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use testing_programs::stock;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let number = |word: &str| word.parse::<usize>().unwrap_or(0);
    match words.as_slice() {
        ["describe", libraries @ ..] => {
            libraries.iter().for_each(|library| stock::describe(Path::new(library)))
        }
        ["build", plugin, library, from, step] => {
            stock::build(Path::new(plugin), Path::new(library), number(from), number(step).max(1));
        }
        ["code", library, kernel, out] => stock::write_code(Path::new(library), kernel, Path::new(out)),
        ["launch", plugin, seed, count, from, libraries @ ..] => {
            let libraries: Vec<PathBuf> = libraries.iter().map(PathBuf::from).collect();
            stock::launch(Path::new(plugin), number(seed) as u64, number(count), number(from), &libraries);
        }
        _ => {
            eprintln!("usage: stock-kernels describe|build|launch ...");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

//! Makes the same queries to several adapters of Unified Runtime (UR), and shows where their answers differ.
//!
//! `questions.txt` has the calls: creations of objects, queries of each object, and calls with one fault each. Each
//! adapter is queried in separate processes. A call that ends its process is recorded as `CRASH`, and the next process
//! continues after it.
//!
//! ```text
//! ur_answers LAYOUT ADAPTER [ADAPTER]    # 2025.3 vendor's.so ours.so: the answers that differ
//! ur_answers LAYOUT ADAPTER              # all answers of one
//! ```
#![expect(unsafe_code, reason = "calls an adapter")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people")]

mod ask;
mod call;
mod journal;
mod names;
mod script;
mod values;
mod worker;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use testing_support::process::{End, run_while};

/// The time limit for a call.
const LIMIT: Duration = Duration::from_secs(20);

/// A process's answer: the number of a call, its text, and the answer if there was one.
struct Line {
    number: usize,
    text: String,
    answer: Option<String>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--worker", layout, adapter, first, left_out] => {
            worker::run(layout, adapter.as_ref(), first, left_out)
        }
        [layout, adapter] => all(layout, adapter).map(|lines| {
            for line in lines {
                println!("{} | {}", line.text, line.answer.unwrap_or_default());
            }
        }),
        [layout, one, other] => compare(layout, one, other),
        _ => Err("ur_answers LAYOUT ADAPTER [ADAPTER]".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// Prints the calls that two adapters answer differently: the call, the header's rule if there is one, and both
/// answers.
fn compare(layout: &str, one: &str, other: &str) -> Result<(), String> {
    let (one, other) = (all(layout, one)?, all(layout, other)?);
    let mut differences = 0;
    for line in &one {
        let Some(twin) = other.iter().find(|twin| twin.text == line.text) else { continue };
        if twin.answer != line.answer {
            differences += 1;
            let [left, right] = [line, twin].map(|line| line.answer.as_deref().unwrap_or_default());
            println!("{} | {left} | {right}", line.text);
        }
    }
    println!("{} calls, {differences} answers differ", one.len());
    Ok(())
}

/// Returns all answers of an adapter.
fn all(layout: &str, adapter: &str) -> Result<Vec<Line>, String> {
    let output = std::env::temp_dir().join(format!("ur-answers-{}", std::process::id()));
    let result = ask_in_processes(layout, adapter, &output);
    // A temporary file. It does no harm if it stays.
    let _ = fs::remove_file(&output);
    result
}

fn ask_in_processes(layout: &str, adapter: &str, output: &PathBuf) -> Result<Vec<Line>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut lines: Vec<Line> = Vec::new();
    let mut ended = BTreeSet::new();
    loop {
        let first = lines.last().map_or(0, |line| line.number + 1).to_string();
        let left_out: Vec<String> = ended.iter().map(usize::to_string).collect();
        let file = File::create(output).map_err(|error| error.to_string())?;
        let mut worker = Command::new(&program);
        worker.args(["--worker", layout, adapter, &first, &left_out.join(",")]).stdout(file);
        let length = || fs::metadata(output).map_or(0, |metadata| metadata.len());
        let finished = run_while(&mut worker, LIMIT, length).map_err(|error| error.to_string())?;
        let text = fs::read(output).map_err(|error| error.to_string())?;
        let (new, last) = read(&String::from_utf8_lossy(&text));
        // A later process creates the objects again. The earlier answers stay.
        let known = lines.last().map(|line| line.number);
        lines.extend(new.into_iter().filter(|line| Some(line.number) > known));
        match (finished.end, last) {
            (End::Code(0), _) => return Ok(lines),
            (_, None) => return Err(format!("{adapter}: {}", finished.summary(5))),
            (end, Some(mut last)) => {
                let word = if end.is_timeout() { "HANGS" } else { "CRASH" };
                ended.insert(last.number);
                // The process may have ended in a call that creates an object, which an earlier process answered.
                if lines.iter().all(|line| line.number < last.number) {
                    last.answer = Some(word.into());
                    lines.push(last);
                }
            }
        }
    }
}

/// Returns the lines of a worker, and the call that did not return.
fn read(text: &str) -> (Vec<Line>, Option<Line>) {
    let mut lines: Vec<Line> = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, '\t');
        match (parts.next(), parts.next(), parts.next()) {
            (Some("@call"), Some(number), Some(text)) => {
                let number = number.parse().unwrap_or_default();
                lines.push(Line { number, text: text.into(), answer: None });
            }
            (Some("@answer"), Some(_), Some(answer)) => {
                if let Some(last) = lines.last_mut() {
                    last.answer = Some(answer.into());
                }
            }
            _ => {}
        }
    }
    let open = lines.last().is_some_and(|line| line.answer.is_none());
    let last = if open { lines.pop() } else { None };
    (lines, last)
}

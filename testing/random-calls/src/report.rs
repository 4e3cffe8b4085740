//! The result of a run, for people and for programs.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use anyhow::Result;
use serde_json::{Value, json};
use sycl_pi_core::table::ENTRY_POINTS;
use sycl_pi_loader::Version;

use crate::cli::Arguments;
use crate::journal::{COUNTS, Count, Journal};

/// Entry points that no argument can make fail. Even calls such as retains can get a wrong handle, but these take no
/// handle.
const CANNOT_FAIL: [&str; 2] = ["piTearDown", "piPluginGetLastError"];

/// Returns whether this is a library that crashes on behalf of others.
fn is_system(name: &str) -> bool {
    ["libc.so", "libm.so", "libpthread", "ld-linux", "libstdc++", "libgcc", "libtbb"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// A batch that did not end well.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) version: &'static str,
    pub(crate) batch: u64,
    pub(crate) how: String,
    pub(crate) hung: bool,
    pub(crate) stage: String,
    /// The index of the call in the batch, from 1.
    pub(crate) number: u64,
    pub(crate) call: String,
    /// The process's output to standard error, which may contain a backtrace.
    pub(crate) errors: String,
}

/// Declared crashes of drivers: library, entry point, reason.
const KNOWN: &str = include_str!("../known.txt");

impl Broken {
    /// Returns why this crash is only the driver's fault, if that is declared.
    fn known(&self) -> Option<&'static str> {
        let entry = self.call.split('(').next().unwrap_or_default();
        let libraries = libraries(&self.errors);
        let innermost = libraries.iter().find(|name| !is_system(name))?;
        KNOWN.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
            let mut words = line.splitn(3, ' ');
            let here = innermost.starts_with(words.next()?) && words.next()? == entry;
            words.next().filter(|_| here)
        })
    }

    fn json(&self) -> Value {
        json!({
            "pi_version": self.version, "batch": self.batch, "how": self.how, "hung": self.hung, "stage": self.stage,
            "number": self.number, "call": self.call, "known": self.known(), "libraries": libraries(&self.errors), "errors": self.errors,
        })
    }
}

/// The totals of a run.
#[derive(Default)]
pub(crate) struct Totals {
    batches: u64,
    counts: BTreeMap<(Version, usize), [u64; COUNTS]>,
    broken: Vec<Broken>,
    /// Refusals without a good message: each kind of complaint once per entry point, with its count.
    without_message: BTreeMap<(String, String), (u64, Value)>,
    /// Fills and copies with wrong results, with the batch.
    wrong: Vec<Value>,
    /// Batches that could not start.
    pub(crate) not_run: Vec<String>,
}

impl Totals {
    /// Adds a batch.
    pub(crate) fn add(
        &mut self,
        version: Version,
        journal: &Journal,
        broken: Option<Broken>,
        complaints: &[String],
    ) {
        self.batches += 1;
        for entry in 0..ENTRY_POINTS.len() {
            let sum = self.counts.entry((version, entry)).or_default();
            sum.iter_mut().zip(journal.counts(entry)).for_each(|(sum, more)| *sum += more);
        }
        self.broken.extend(broken);
        for line in complaints {
            let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
            if value["wrong"].is_string() {
                self.wrong.push(value);
                continue;
            }
            let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
            let key = (text("entry_point"), text("complaint"));
            self.without_message.entry(key).or_insert((0, value)).0 += 1;
        }
    }

    fn sum(&self, what: Count) -> u64 {
        self.counts.values().map(|counts| counts[what as usize]).sum()
    }

    fn known(&self) -> usize {
        self.broken.iter().filter(|broken| broken.known().is_some()).count()
    }

    fn crashed(&self) -> usize {
        self.broken.iter().filter(|broken| !broken.hung && broken.known().is_none()).count()
    }

    fn hung(&self) -> usize {
        self.broken.iter().filter(|broken| broken.hung && broken.known().is_none()).count()
    }

    /// Returns a summary in one line.
    pub(crate) fn in_short(&self) -> String {
        let (succeeded, refused) = (self.sum(Count::Succeeded), self.sum(Count::Refused));
        format!(
            "{} calls in {} batches: {succeeded} succeeded, {refused} refused, {} wrong, {} crashed, {} hung, {} ended by \
             a known crash of the driver, {} without a good message",
            succeeded + refused,
            self.batches,
            self.wrong.len(),
            self.crashed(),
            self.hung(),
            self.known(),
            self.sum(Count::WithoutMessage)
        )
    }

    /// Returns the entry points of these versions that were never refused.
    fn never_refused(&self, versions: &[Version]) -> Vec<&'static str> {
        let entries = ENTRY_POINTS.iter().enumerate().filter(|(_, entry)| !CANNOT_FAIL.contains(&entry.name));
        let here = entries.filter(|(_, entry)| versions.iter().any(|version| entry.slot(*version).is_some()));
        let refused = |number: usize| {
            let counts = self.counts.iter().filter(|((_, entry), _)| *entry == number);
            counts.map(|(_, counts)| counts[Count::Refused as usize]).sum::<u64>()
        };
        here.filter(|(number, _)| refused(*number) == 0).map(|(_, entry)| entry.name).collect()
    }

    /// Writes the report to standard output.
    pub(crate) fn print(&self, arguments: &Arguments, versions: &[Version]) -> Result<()> {
        if arguments.json {
            let entries: BTreeMap<&str, Value> = ENTRY_POINTS
                .iter()
                .enumerate()
                .map(|(number, entry)| {
                    let mut sum = [0; COUNTS];
                    for (_, counts) in self.counts.iter().filter(|((_, entry), _)| *entry == number) {
                        sum.iter_mut().zip(counts).for_each(|(sum, more)| *sum += more);
                    }
                    let [succeeded, refused, with_message, without_message] = sum;
                    (
                        entry.name,
                        json!({"succeeded": succeeded, "refused": refused, "with_message": with_message, "without_message": without_message}),
                    )
                })
                .collect();
            let document = json!({
                "plugin": arguments.plugin, "seed": arguments.seed, "batches": self.batches,
                "pi_versions": versions.iter().map(|version| version.text()).collect::<Vec<_>>(),
                "succeeded": self.sum(Count::Succeeded), "refused": self.sum(Count::Refused),
                "wrong": self.wrong, "crashed": self.crashed(), "hung": self.hung(), "known_crashes": self.known(), "without_a_good_message": self.sum(Count::WithoutMessage),
                "broken": self.broken.iter().map(Broken::json).collect::<Vec<_>>(),
                "messages": self.without_message.values().map(|(times, value)| json!({"times": times, "first": value})).collect::<Vec<_>>(),
                "never_refused": self.never_refused(versions), "not_run": self.not_run, "entry_points": entries,
            });
            println!("{}", serde_json::to_string_pretty(&document)?);
            return Ok(());
        }
        for broken in &self.broken {
            println!(
                "\nPI {}, batch {}: {} at call {} ({})",
                broken.version, broken.batch, broken.how, broken.number, broken.stage
            );
            println!("  {}", broken.call);
            println!("  libraries, from the crash outwards: {}", libraries(&broken.errors).join(", "));
            broken.errors.lines().take(24).for_each(|line| println!("    {line}"));
            println!(
                "  again: testing-random-calls {} --pi-version {} --seed {} --from {} --batches 1 --calls {}{} --trace",
                arguments.plugin.display(),
                broken.version,
                arguments.seed,
                broken.batch,
                arguments.calls,
                if arguments.random_ends { " --random-ends" } else { "" }
            );
        }
        for wrong in &self.wrong {
            println!(
                "\nbatch {}, before call {}: {}",
                wrong["batch"],
                wrong["before"],
                wrong["wrong"].as_str().unwrap_or_default()
            );
        }
        for ((entry, complaint), (times, first)) in &self.without_message {
            println!("\n{entry}: {complaint} ({times} times), for instance");
            println!("  {}", first["call"].as_str().unwrap_or_default());
            println!("  {}: {:?}", first["code"], first["text"].as_str().unwrap_or_default());
        }
        self.not_run.iter().for_each(|problem| println!("{problem}"));
        let never = self.never_refused(versions);
        println!(
            "\n{} entry points never seen refused{}{}",
            never.len(),
            if never.is_empty() { "" } else { ": " },
            never.join(", ")
        );
        println!("{}", self.in_short());
        Ok(())
    }

    /// Returns the program's exit code.
    pub(crate) fn verdict(&self, arguments: &Arguments, versions: &[Version]) -> ExitCode {
        let incomplete = arguments.complete && !self.never_refused(versions).is_empty();
        if self.batches == 0 || !self.not_run.is_empty() {
            ExitCode::from(2)
        } else if self.crashed() + self.hung() + self.wrong.len() > 0
            || (self.sum(Count::WithoutMessage) > 0 && !arguments.tolerate_messages)
            || incomplete
        {
            ExitCode::FAILURE
        } else {
            ExitCode::SUCCESS
        }
    }
}

/// Returns the libraries in a backtrace from the crash outwards, each once.
fn libraries(errors: &str) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let files = errors.lines().filter_map(|line| line.split_once('(').map(|(file, _)| file));
    let names = files.filter_map(|file| file.rsplit('/').next()).filter(|name| name.contains(".so"));
    names.filter(|name| seen.insert(name.to_string())).map(str::to_owned).collect()
}

//! Runs kernels on a plugin, and compares the results with another plugin's.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result};

use crate::explain::{Comparison, Fault};
use crate::generate;
use crate::job::Job;
use crate::pool::{self, Plugin, count};
use crate::results::{Answer, difference};

/// Groups similar kernels into modules.
fn jobs(seed: u64, numbers: &[u64]) -> Vec<Job> {
    let modules = numbers.chunk_by(|one, other| one / generate::ALIKE == other / generate::ALIKE);
    modules.map(|numbers| Job::of(seed, numbers)).collect()
}

/// Runs kernels on a plugin, and writes a line for each. The first line contains the seed.
pub(crate) fn write(
    plugin: &Plugin,
    seed: u64,
    numbers: std::ops::Range<u64>,
    processes: usize,
    file: &Path,
) -> Result<()> {
    let numbers: Vec<u64> = numbers.collect();
    let mut answers = BTreeMap::new();
    let mut said = Instant::now();
    pool::run(plugin, jobs(seed, &numbers), processes, |index, answer| {
        answers.insert(index, answer);
        progress(&mut said, answers.len(), numbers.len());
        Ok(())
    })?;
    let mut out = std::io::BufWriter::new(fs::File::create(file)?);
    writeln!(out, "seed {seed}")?;
    for (index, answer) in &answers {
        writeln!(out, "{index}\t{answer}")?;
    }
    out.flush()?;
    let mut reasons = BTreeMap::new();
    for (index, answer) in &answers {
        if let Answer::Failed(why) = answer {
            count(&mut reasons, *index, why);
        }
    }
    println!("{} kernels ran, {} failed", answers.len() - failures(&reasons), failures(&reasons));
    print(&reasons);
    Ok(())
}

fn failures(reasons: &BTreeMap<String, (usize, u64)>) -> usize {
    reasons.values().map(|(count, _)| count).sum()
}

fn print(reasons: &BTreeMap<String, (usize, u64)>) {
    for (why, (count, first)) in reasons {
        println!("  {count} times, the first is {first}: {why}");
    }
}

fn list(what: &str, mut numbers: Vec<u64>) {
    if !numbers.is_empty() {
        numbers.sort_unstable();
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        println!("{what}: {}", numbers.join(" "));
    }
}

fn progress(said: &mut Instant, done: usize, all: usize) {
    if said.elapsed().as_secs() >= 15 {
        *said = Instant::now();
        eprintln!("{done} of {all} kernels");
    }
}

/// How kernels are compared.
pub(crate) struct Options<'a> {
    /// The plugin that wrote the file, with which kernels that differ are explained.
    pub(crate) reference: Option<&'a Plugin>,
    /// Known faults of the other plugin's driver.
    pub(crate) known: &'a [Fault],
    pub(crate) processes: usize,
    /// The maximum number of kernels to reduce.
    pub(crate) most: usize,
}

/// Runs the kernels of a file on a plugin, and compares. Returns whether nothing differs, except by known faults.
pub(crate) fn compare(plugin: &Plugin, file: &Path, options: &Options<'_>) -> Result<bool> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut lines = text.lines();
    let seed: u64 =
        lines.next().and_then(|line| line.strip_prefix("seed ")).context("the file has no seed")?.parse()?;
    let mut expected = BTreeMap::new();
    for line in lines {
        let (index, answer) = line.split_once('\t').context("a line without fields")?;
        expected.insert(index.parse::<u64>()?, answer.parse::<Answer>()?);
    }
    let numbers: Vec<u64> = expected
        .iter()
        .filter(|(_, answer)| matches!(answer, Answer::Done { .. }))
        .map(|(index, _)| *index)
        .collect();
    let (mut same, mut refused) = (0, 0);
    let (mut different, mut reasons, mut failed) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    let mut said = Instant::now();
    pool::run(plugin, jobs(seed, &numbers), options.processes, |index, answer| {
        let kernel = generate::kernel(seed, index);
        let Some(wanted) = expected.get(&index) else { return Ok(()) };
        if let Answer::Failed(why) = &answer {
            if answer.is_refused() {
                refused += 1
            } else {
                failed.push(index)
            }
            count(&mut reasons, index, why);
        } else if let Some(what) = difference(wanted, &answer, &kernel.approximate, kernel.shape.launched()) {
            eprintln!("kernel {index} differs: {what}");
            different.insert(index, what);
        } else {
            same += 1;
        }
        progress(&mut said, same + different.len(), numbers.len());
        Ok(())
    })?;
    let mut faults = BTreeMap::new();
    if let Some(reference) = options.reference {
        let differing: Vec<u64> = different.keys().copied().collect();
        let comparison = Comparison { reference, plugin, seed, known: options.known, most: options.most };
        for (index, names) in comparison.explain(&differing, options.processes)? {
            different.remove(&index);
            count(&mut faults, index, &names);
        }
    }
    println!(
        "{} kernels: {same} the same, {} different, {} only by known faults, {refused} refused, {} failed here, {} failed on the reference",
        expected.len(),
        different.len(),
        failures(&faults),
        failed.len(),
        expected.len() - numbers.len()
    );
    print(&reasons);
    print(&faults);
    for (what, numbers) in [("different", different.keys().copied().collect()), ("failed", failed)] {
        list(what, numbers);
    }
    Ok(different.is_empty() && failures(&reasons) == refused && same > 0)
}

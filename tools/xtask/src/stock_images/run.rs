//! Runs of `stock-kernels`, each in a process of its own: drivers die of some kernels.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use testing_process::Process;

use super::wheels::Library;
use crate::process;
use crate::provision::opencl::{Driver, OpenClEnvironment};
use crate::{release, workspace};

/// How long a driver may take for one kernel: it does not come back from some.
pub(super) const LIMIT: Duration = Duration::from_secs(120);

/// How often a kernel is tried at which the process ends. The compilers of both runtimes die of some kernels in one build of
/// two to twelve (docs/reports/robustness.md).
pub(super) const TRIES: usize = 8;

/// Which kernels are built, and how.
#[derive(Debug, Clone, Copy)]
pub(super) struct How {
    /// Every `step`-th.
    pub(super) step: usize,
    /// Without the driver's vectorizer.
    pub(super) scalar: bool,
}

impl How {
    /// Intel's variable for its vectorizer; 1 is none.
    pub(super) fn variables(self) -> Option<(&'static str, &'static str)> {
        self.scalar.then_some(("CL_CONFIG_CPU_VECTORIZER_MODE", "1"))
    }

    /// The folder of what was built so.
    fn folder(self, driver: Driver) -> PathBuf {
        let scalar = if self.scalar { "-scalar" } else { "" };
        workspace::target().join("stock-images").join("built").join(format!("{driver}-{}{scalar}", self.step))
    }
}

/// What is in a library.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Described {
    pub(super) images: u64,
    /// As the linker's own list has them.
    pub(super) listed: u64,
    pub(super) kernels: u64,
    pub(super) aspects: String,
    pub(super) compressed: u64,
    pub(super) milliseconds: u64,
    pub(super) unreadable: Vec<String>,
}

/// What came of a library's kernels on a driver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Built {
    pub(super) kernels: u64,
    pub(super) built: u64,
    /// Reasons with their numbers: refused by the runtime because the device lacks something, by the driver, or its death.
    pub(super) refused: BTreeMap<String, u64>,
    pub(super) failed: BTreeMap<String, u64>,
    /// Kernels at which the process ended, with how: once for each time.
    pub(super) crashed: Vec<(String, String)>,
    /// How many of them were not built in any try.
    pub(super) given_up: u64,
    pub(super) milliseconds: u64,
}

/// A kernel that was launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Launched {
    pub(super) library: String,
    pub(super) kernel: String,
    pub(super) outcome: String,
    pub(super) detail: String,
}

fn program() -> PathBuf {
    release::file("stock-kernels")
}

/// Reads every image of a library.
pub(super) fn describe(library: &Library) -> Result<Described> {
    let text = process::text(Command::new(program()).arg("describe").arg(&library.file))?;
    let mut found = Described::default();
    for line in text.lines() {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["library", _, images, listed, kernels, aspects, compressed, time] => {
                let number =
                    |text: &str| text.parse::<u64>().with_context(|| format!("{text:?} is no number"));
                (found.images, found.listed, found.kernels) =
                    (number(images)?, number(listed)?, number(kernels)?);
                (found.compressed, found.milliseconds) = (number(compressed)?, number(time)?);
                found.aspects = (*aspects).to_owned();
            }
            ["unreadable", problem] => found.unreadable.push((*problem).to_owned()),
            _ => bail!("stock-kernels describe printed {line:?}"),
        }
    }
    Ok(found)
}

/// Builds kernels of a library. What an earlier run did is kept, and gone on with.
pub(super) fn build(
    library: &Library,
    driver: Driver,
    environment: &OpenClEnvironment,
    how: How,
) -> Result<Built> {
    let (folder, step) = (how.folder(driver), how.step);
    fs::create_dir_all(&folder)?;
    let record = folder.join(format!("{} {}.txt", library.package, library.name));
    loop {
        let text = fs::read_to_string(&record).unwrap_or_default();
        let (from, step) = if text.lines().any(|line| line == "end") {
            match again(&text) {
                Some(number) => (number, usize::MAX),
                None => return Ok(read_built(&text)),
            }
        } else {
            (next(&text, step), step)
        };
        let mut file = OpenOptions::new().create(true).append(true).open(&record)?;
        let mut command = Command::new(program());
        command.arg("build").arg(workspace::our_plugin()).arg(&library.file);
        command
            .args([from.to_string(), step.to_string()])
            .envs(environment.variables())
            .envs(how.variables());
        let begin = Instant::now();
        let mut running =
            Process::start(command.stdout(Stdio::from(file.try_clone()?)).stderr(Stdio::null()))?;
        let written = || fs::metadata(&record).map_or(0, |file| file.len());
        let end = running.wait_while(LIMIT, written)?;
        let time = begin.elapsed().as_millis();
        let text = fs::read_to_string(&record)?;
        let ended = text.lines().last().is_some_and(|line| line.starts_with("end"));
        // The last line stays "end".
        match (end.is_success(), ended) {
            (true, true) => writeln!(file, "time\t{time}\nend")?,
            (true, false) => bail!("stock-kernels ended before its end: {}", record.display()),
            (false, _) if text.lines().last().is_some_and(|line| line.starts_with("next")) => {
                writeln!(file, "crashed\t{end}\ntime\t{time}")?;
            }
            (false, _) => bail!("stock-kernels ended with {end} between two kernels: {}", record.display()),
        }
    }
}

fn end_of(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    status.signal().map_or_else(|| format!("{status}"), |signal| format!("signal {signal}"))
}

/// The first word of each line of a record, and its number if it has one.
fn steps(record: &str) -> impl Iterator<Item = (&str, Option<usize>)> {
    record.lines().map(|line| {
        let (word, rest) = line.split_once('\t').unwrap_or((line, ""));
        (word, rest.split('\t').next().and_then(|number| number.parse().ok()))
    })
}

/// The number of the kernel to go on with: one whose outcome is not known, or the one behind the last.
fn next(record: &str, step: usize) -> usize {
    let mut next = 0;
    for (word, number) in steps(record) {
        match (word, number) {
            ("next", Some(number)) => next = number,
            ("built" | "refused" | "failed" | "crashed", _) => next += step,
            _ => {}
        }
    }
    next
}

/// How often the process ended at each kernel that has no other outcome yet, by its number.
fn without_outcome(record: &str) -> BTreeMap<usize, usize> {
    let mut crashes = BTreeMap::new();
    let mut current = 0;
    for (word, number) in steps(record) {
        match (word, number) {
            ("next", Some(number)) => current = number,
            ("built" | "refused" | "failed", _) => drop(crashes.remove(&current)),
            ("crashed", _) => *crashes.entry(current).or_default() += 1,
            _ => {}
        }
    }
    crashes
}

/// A kernel to try once more.
fn again(record: &str) -> Option<usize> {
    without_outcome(record).into_iter().find(|(_, crashes)| *crashes < TRIES).map(|(number, _)| number)
}

fn read_built(record: &str) -> Built {
    let mut found = Built { given_up: without_outcome(record).len() as u64, ..Built::default() };
    let mut kernel = "";
    for line in record.lines() {
        let (word, detail) = line.split_once('\t').unwrap_or((line, ""));
        let reasons = match word {
            "kernels" => {
                found.kernels = detail.parse().unwrap_or(0);
                continue;
            }
            "built" => {
                found.built += 1;
                continue;
            }
            "time" => {
                found.milliseconds += detail.parse::<u64>().unwrap_or(0);
                continue;
            }
            "refused" => &mut found.refused,
            "failed" | "malformed" => &mut found.failed,
            "next" => {
                kernel = detail.split_once('\t').map_or("", |(_, kernel)| kernel);
                continue;
            }
            "crashed" => {
                found.crashed.push((kernel.to_owned(), detail.to_owned()));
                continue;
            }
            _ => continue,
        };
        *reasons.entry(reason(detail)).or_default() += 1;
    }
    found
}

/// A message without the names of images and kernels, so that equal reasons are one.
fn reason(text: &str) -> String {
    let text = text.split(" (image ").next().unwrap_or(text);
    let text = text.split_once("failed: ").map_or(text, |(_, reason)| reason);
    let word = |word: &str| match word.trim_matches(|c: char| !c.is_ascii_alphanumeric()) {
        name if name.starts_with("ZTS") || name.len() > 60 => "...".to_owned(),
        _ => word.to_owned(),
    };
    let words: Vec<String> = text.split(' ').map(word).collect();
    words.join(" ").chars().take(200).collect()
}

/// The code of a kernel's image, in a file.
pub(super) fn code(library: &Library, kernel: &str, out: &Path) -> Result<()> {
    process::output(Command::new(program()).arg("code").arg(&library.file).arg(kernel).arg(out))?;
    Ok(())
}

/// Launches `count` kernels of the libraries, chosen at random by the seed.
pub(super) fn launch(
    libraries: &[&Library],
    environment: &OpenClEnvironment,
    seed: u64,
    count: usize,
) -> Result<Vec<Launched>> {
    let mut launched: Vec<Launched> = Vec::new();
    let mut from = 0;
    while launched.len() < count {
        let mut command = Command::new(program());
        command.arg("launch").arg(workspace::our_plugin());
        command.args([seed.to_string(), (count - launched.len()).to_string(), from.to_string()]);
        command.args(libraries.iter().map(|library| &library.file)).envs(environment.variables());
        let output = command.stderr(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        from = read_launched(&text, libraries, from, &mut launched);
        if text.lines().last().is_some_and(|line| line.starts_with("end")) {
            break;
        }
        // The driver ended the process in the kernel that was begun last.
        let Some(last) = launched.last_mut().filter(|last| last.outcome.is_empty()) else {
            bail!("stock-kernels launch: {}", process::tail(&output, 5));
        };
        "crashed".clone_into(&mut last.outcome);
        last.detail = end_of(output.status);
    }
    Ok(launched)
}

/// Reads lines of launches and returns the number of the last kernel that was begun.
fn read_launched(text: &str, libraries: &[&Library], before: usize, launched: &mut Vec<Launched>) -> usize {
    let mut from = before;
    for line in text.lines() {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            ["next", number, file, kernel] => {
                from = number.parse().unwrap_or(from);
                let library = libraries.iter().find(|library| library.file == Path::new(file));
                let library =
                    library.map_or_else(String::new, |found| format!("{}, {}", found.package, found.name));
                let kernel = (*kernel).to_owned();
                launched.push(Launched { library, kernel, outcome: String::new(), detail: String::new() });
            }
            ["other", ..] => drop(launched.pop()),
            [outcome @ ("right" | "wrong" | "refused"), detail @ ..] => {
                if let Some(last) = launched.last_mut() {
                    last.outcome = (*outcome).to_owned();
                    last.detail = detail.join(" ");
                }
            }
            _ => {}
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_on_behind_a_crash_and_at_what_was_interrupted() {
        assert_eq!(next("kernels\t9\n", 2), 0);
        assert_eq!(next("next\t0\t_ZTS1K\nbuilt\t\nnext\t2\t_ZTS1L\n", 2), 2);
        assert_eq!(next("next\t2\t_ZTS1L\ncrashed\tsignal 11\ntime\t5\n", 2), 4);
    }

    #[test]
    fn a_kernel_that_ends_the_process_is_tried_again() {
        let crash = "next\t4\t_ZTS1K\ncrashed\tsignal 11\ntime\t5\n";
        let first = format!("kernels\t9\n{crash}next\t6\t_ZTS1L\nbuilt\t\nend\n");
        assert_eq!((again(&first), read_built(&first).given_up), (Some(4), 1));
        let built = format!("{first}{crash}kernels\t9\nnext\t4\t_ZTS1K\nbuilt\t\nend\n");
        let found = read_built(&built);
        assert_eq!(again(&built), None);
        assert_eq!((found.built, found.crashed.len(), found.given_up), (2, 2, 0));
        assert_eq!(again(&format!("{first}{}", crash.repeat(TRIES - 1))), None);
    }

    #[test]
    fn equal_reasons_are_counted_together() {
        let refused = "refused\tKernel uses 'aspect::fp16'. (image a.so image 7)\n";
        let found =
            read_built(&format!("kernels\t3\n{refused}{refused}built\t\ncrashed\tsignal 11\ntime\t7\nend"));
        assert_eq!((found.kernels, found.built, found.milliseconds), (3, 1, 7));
        assert_eq!(found.refused, BTreeMap::from([("Kernel uses 'aspect::fp16'.".to_owned(), 2)]));
        assert_eq!(found.crashed.len(), 1);
    }
}

//! The stock libsycl's persistent cache and ours in one folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Args;

use crate::cache::programs::Programs;
use crate::cache::run::{self, Side};
use crate::process;
use crate::release;
use crate::releases::{self, Release};
use crate::totals::Totals;
use crate::ui::Step;

/// Arguments of `cache beside`.
#[derive(Debug, Args)]
pub(crate) struct BesideArgs {
    /// The release whose libsycl uses the same folder
    #[arg(long, value_parser = releases::find, default_value = RELEASE)]
    release: &'static Release,
}

const RELEASE: &str = "2023.2.4";

/// Checks and shows; ends with 1 if one cache disturbs the other.
pub(crate) fn run(args: &BesideArgs) -> Result<ExitCode> {
    let totals = check_release(args.release)?;
    Ok(if totals.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The same, as tests.
pub(crate) fn check() -> Result<Totals> {
    check_release(releases::find(RELEASE).map_err(anyhow::Error::msg)?)
}

/// Every file below a folder with its bytes.
type Files = BTreeMap<PathBuf, Vec<u8>>;

fn files(root: &Path) -> Files {
    let entries =
        walkdir::WalkDir::new(root).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    entries.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap_or_default())).collect()
}

/// Whether all of these are as they were.
fn untouched(before: &Files, now: &Files) -> bool {
    before.iter().all(|(path, bytes)| now.get(path) == Some(bytes))
}

/// Those that were not there before.
fn added(before: &Files, now: Files) -> Files {
    now.into_iter().filter(|(path, _)| !before.contains_key(path)).collect()
}

#[derive(Default)]
struct Checks(Totals);

impl Checks {
    fn that(&mut self, what: &str, holds: bool) {
        println!("{}  {what}", if holds { "ok  " } else { "FAIL" });
        self.0 += Totals::of_one(holds);
    }
}

/// How many programs the stock side made from binaries and from SPIR-V, as its own trace of calls tells.
fn stock_calls(stock: &Side, root: &Path) -> Result<(usize, usize)> {
    let text = process::text(stock.command(root).env("SYCL_PI_TRACE", "-1"))?;
    let calls = |name: &str| text.lines().filter(|line| line.starts_with(&format!("---> {name}("))).count();
    Ok((calls("piProgramCreateWithBinary"), calls("piProgramCreate")))
}

fn pi(words: &[&str], root: &Path) -> Result<serde_json::Value> {
    let tool = release::file("pi");
    let text =
        process::text(Command::new(tool).arg("cache").args(words).arg("--json").arg("--dir").arg(root))?;
    Ok(serde_json::from_str(&text)?)
}

fn check_release(release: &'static Release) -> Result<Totals> {
    let (programs, driver) = (Programs::build()?, run::driver()?);
    let (ours, stock) = (Side::ours(&programs, &driver), Side::stock(&programs, release, &driver)?);
    let count = programs.kernels.len();
    let step = Step::start(format!("our cache and that of libsycl {} in one folder", release.version));
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("cache");
    let mut checks = Checks::default();

    stock.run(&root)?;
    let theirs = files(&root);
    let binaries = theirs.keys().filter(|path| path.extension().is_some_and(|end| end == "bin")).count();
    checks.that(&format!("the stock cache keeps {binaries} binaries"), binaries == count);
    let items = pi(&["ls"], &root)?;
    checks.that("pi cache ls lists none of them", items["items"].as_array().is_some_and(Vec::is_empty));

    let built = ours.run(&root)?;
    checks.that("ours builds its own programs", (built.built, built.loaded) == (count as u64, 0));
    let both = files(&root);
    checks.that("and leaves the stock cache's files as they are", untouched(&theirs, &both));
    let mine = added(&theirs, both);
    let items = pi(&["ls"], &root)?;
    checks
        .that("pi cache ls lists ours", items["items"].as_array().is_some_and(|items| items.len() == count));

    let (from_binaries, from_spirv) = stock_calls(&stock, &root)?;
    checks.that(
        &format!("the stock libsycl makes {from_binaries} programs from binaries and compiles {from_spirv}"),
        (from_binaries, from_spirv) == (count, 0),
    );
    checks.that("and leaves our files as they are", untouched(&mine, &files(&root)));

    let warm = ours.run(&root)?;
    checks.that("ours finds its programs", (warm.built, warm.loaded) == (0, count as u64));
    pi(&["verify"], &root)?;
    checks.that("pi cache verify finds nothing to repair", untouched(&theirs, &files(&root)));

    pi(&["clear"], &root)?;
    checks.that("pi cache clear removes ours and nothing of the stock cache", {
        let left = files(&root);
        untouched(&theirs, &left) && !mine.keys().any(|path| is_item(path) && left.contains_key(path))
    });
    let (from_binaries, from_spirv) = stock_calls(&stock, &root)?;
    checks.that("the stock libsycl still compiles nothing", (from_binaries, from_spirv) == (count, 0));

    let before = files(&root);
    let off = run::parse(&process::text(ours.command(&root).env("SYCL_CACHE_PERSISTENT", "0"))?)?;
    checks
        .that("ours with SYCL_CACHE_PERSISTENT=0 gets all kernels", off.kernels == count && off.loaded == 0);
    checks.that("and leaves no file", added(&before, files(&root)).is_empty());
    step.done("");
    Ok(checks.0)
}

fn is_item(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "bin" || end == "src")
}

//! Cold, warm-disk and warm-memory starts of the same 20 kernels, alternating with the stock libsycl.

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use comfy_table::Table;
use serde::Serialize;

use super::programs::Programs;
use super::run::{self, Side, Times};
use crate::releases::{self, Release};
use crate::ui::Step;

/// Arguments of `cache bench`.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// The release whose libsycl is compared with our runtime
    #[arg(long, value_parser = releases::find, default_value = "2023.2.4")]
    release: &'static Release,
    /// Starts with an empty cache. Five starts from the disk that ask for all kernels at once follow each, and five that ask for one
    /// after the other
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const WARM_STARTS: usize = 5;

/// Seconds on both sides for one kind of start.
#[derive(Debug, Serialize)]
struct Row {
    what: &'static str,
    ours: f64,
    stock: f64,
    /// The median of the ratios of runs that followed each other.
    ratio: f64,
}

/// Pairs of runs, ours first.
#[derive(Debug, Default)]
struct Pairs(Vec<(Times, Times)>);

impl Pairs {
    fn row(&self, what: &'static str, of: impl Fn(&Times) -> f64) -> Row {
        let all = |pick: &dyn Fn(&(Times, Times)) -> f64| median(self.0.iter().map(pick).collect());
        Row {
            what,
            ours: all(&|(ours, _)| of(ours)),
            stock: all(&|(_, stock)| of(stock)),
            ratio: all(&|(ours, stock)| of(ours) / of(stock)),
        }
    }
}

/// Measures and shows.
pub(crate) fn run(args: &BenchArgs) -> Result<ExitCode> {
    let (programs, driver) = (Programs::build()?, run::driver()?);
    let (ours, stock) = (Side::ours(&programs, &driver), Side::stock(&programs, args.release, &driver)?);
    let step = Step::start(format!(
        "{} kernels, ours and libsycl of {}",
        programs.kernels.len(),
        args.release.version
    ));
    let (ours_each, stock_each) = (ours.one_by_one(), stock.one_by_one());
    let (mut cold, mut warm, mut each) = (Pairs::default(), Pairs::default(), Pairs::default());
    for round in 0..args.rounds.max(1) {
        step.note(&format!("round {} of {}", round + 1, args.rounds));
        let folder = tempfile::tempdir()?;
        let (our_root, stock_root) = (folder.path().join("ours"), folder.path().join("stock"));
        let pair = |ours: &Side, stock: &Side, ours_first: bool| -> Result<(Times, Times)> {
            if ours_first {
                Ok((ours.run(&our_root)?, stock.run(&stock_root)?))
            } else {
                let stock = stock.run(&stock_root)?;
                Ok((ours.run(&our_root)?, stock))
            }
        };
        cold.0.push(expect(pair(&ours, &stock, round % 2 == 0)?, &programs, true)?);
        for start in 0..WARM_STARTS {
            let ours_first = start % 2 == 0;
            warm.0.push(expect(pair(&ours, &stock, ours_first)?, &programs, false)?);
            each.0.push(expect(pair(&ours_each, &stock_each, ours_first)?, &programs, false)?);
        }
    }
    let rows = [
        cold.row("cold: kernels ready", |times| times.first),
        cold.row("cold: kernels ready, processor time", |times| times.first_cpu),
        cold.row("cold: the whole process", |times| times.process),
        warm.row("warm disk: kernels ready", |times| times.first),
        warm.row("warm disk: kernels ready, processor time", |times| times.first_cpu),
        warm.row("warm disk: the whole process", |times| times.process),
        each.row("warm disk, one by one: kernels ready", |times| times.first),
        each.row("warm disk, one by one: kernels ready, processor time", |times| times.first_cpu),
        each.row("warm disk, one by one: the whole process", |times| times.process),
        warm.row("warm memory: kernels ready", |times| times.again),
        warm.row("warm memory: kernels ready, processor time", |times| times.again_cpu),
        each.row("warm memory, one by one: kernels ready", |times| times.again),
        each.row("warm memory, one by one: kernels ready, processor time", |times| times.again_cpu),
    ];
    step.done("");
    if args.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        let mut table = Table::new();
        table.load_preset(comfy_table::presets::ASCII_MARKDOWN);
        table.set_header(["20 kernels", "ours, ms", "stock libsycl, ms", "ratio"]);
        for row in &rows {
            let ms = |seconds: f64| format!("{:.3}", seconds * 1e3);
            table.add_row([row.what.to_owned(), ms(row.ours), ms(row.stock), format!("{:.2}", row.ratio)]);
        }
        println!("{table}");
    }
    Ok(ExitCode::SUCCESS)
}

/// Both got all kernels, and ours from where it must.
fn expect(pair: (Times, Times), programs: &Programs, cold: bool) -> Result<(Times, Times)> {
    let count = programs.kernels.len();
    let (ours, stock) = &pair;
    let (built, loaded) = if cold { (count, 0) } else { (0, count) };
    if ours.kernels != count || stock.kernels != count {
        bail!("not all kernels were got: {pair:?}");
    }
    if (ours.built, ours.loaded) != (built as u64, loaded as u64) {
        bail!("{built} programs were to be built and {loaded} to be loaded: {ours:?}");
    }
    Ok(pair)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

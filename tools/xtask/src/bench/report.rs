//! The table, and `docs/reports/benchmarks.md` around it.

use std::fmt::Write as _;
use std::fs;

use anyhow::Result;
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use crate::bench::chart;
use crate::bench::row::{OWN_SHARE_NS, Row, Rows};
use crate::process;
use crate::workspace;

/// All calls as a Markdown table.
pub(super) fn table(rows: &Rows) -> Table {
    let is_timed = rows.device.is_some();
    let mut table = empty_table(is_timed);
    for row in &rows.rows {
        table.add_row(cells(row, is_timed));
    }
    table
}

fn empty_table(is_timed: bool) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let mut head = vec!["operation"];
    if is_timed {
        head.extend([
            "ours ns",
            "vendor ns",
            "bare ns",
            "ours / vendor",
            "quartiles",
            "equal code",
            "own ns per call",
            "",
        ]);
    }
    head.extend(["instr. to the driver: ours", "vendor", "bare", "driver calls: ours", "vendor"]);
    table.set_header(head);
    table
}

fn cells(row: &Row, is_timed: bool) -> Vec<String> {
    let mut cells = vec![row.name.clone()];
    match &row.time {
        Some(time) => {
            let own = if row.queued && time.own.confidence[0] < 0.0 && time.own.confidence[1] > OWN_SHARE_NS {
                // The workers' noise hides it.
                format!("({:.0})", time.own.median)
            } else {
                format!("{:.1}", time.own.median)
            };
            cells.extend([
                format!("{:.1}", time.ours),
                format!("{:.1}", time.vendor),
                format!("{:.1}", time.bare),
                format!("{:.3}", time.ratio.median),
                format!("{:.3} to {:.3}", time.ratio.quartiles[0], time.ratio.quartiles[1]),
                format!("{:.3} to {:.3}", time.equal.confidence[0], time.equal.confidence[1]),
                own,
                match (time.is_slower(), time.is_over()) {
                    (_, true) => "over 10 ns".to_owned(),
                    (true, _) => "slower".to_owned(),
                    _ => String::new(),
                },
            ]);
        }
        None if is_timed => cells.extend(std::iter::repeat_n(String::new(), 8)),
        None => {}
    }
    let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
    cells.extend([
        row.instructions.ours.to_string(),
        number(row.instructions.vendor),
        row.instructions.bare.to_string(),
        row.instructions.our_driver_calls.to_string(),
        number(row.instructions.vendor_driver_calls),
    ]);
    cells
}

/// The result in a few words.
pub(super) fn summary(rows: &Rows) -> String {
    let times = || rows.rows.iter().filter_map(|row| row.time.as_ref());
    if times().next().is_none() {
        return format!("{} calls counted", rows.rows.len());
    }
    let over = times().filter(|time| time.is_over()).count();
    let slower = times().filter(|time| time.is_slower()).count();
    let faster = times().filter(|time| time.is_faster()).count();
    let by_one_percent = times().filter(|time| time.is_slower_by(0.01)).count();
    format!(
        "{} operations: {over} with more than {OWN_SHARE_NS} ns of our own per call. Beside the vendor's plugin {faster} are \
         faster, {} the same, {slower} slower ({by_one_percent} of them by more than 1 %), each with 99 % confidence.",
        times().count(),
        times().count() - faster - slower
    )
}

/// Writes the page and the chart; the other releases with their summaries and whatever is slower or over the bar there.
pub(super) fn write(rows: &Rows, others: &[Rows]) -> Result<()> {
    let docs = workspace::root().join("docs/reports");
    fs::write(docs.join("benchmarks.svg"), chart::svg(rows))?;
    let notes = fs::read_to_string(workspace::root().join("benches").join("NOTES.md"))?;
    let mut out = String::from(HEAD);
    writeln!(out, "\n{}\n", summary(rows))?;
    writeln!(
        out,
        "PI {} (release {}), {}. Machine: {}. {} rounds per operation. Date: {}.\n",
        rows.pi,
        rows.release,
        rows.device.as_deref().unwrap_or("no device"),
        machine(),
        rows.rounds,
        process::text(std::process::Command::new("date").arg("+%F"))?
    )?;
    writeln!(out, "![What each plugin adds to the driver's own time](benchmarks.svg)\n\n{}\n", table(rows))?;
    out.push_str(METHOD);
    writeln!(out, "## Other releases\n")?;
    for other in others {
        writeln!(out, "PI {} (release {}): {}\n", other.pi, other.release, summary(other))?;
        let is_notable =
            |row: &&Row| row.time.as_ref().is_some_and(|time| time.is_slower_by(0.01) || time.is_over());
        let mut table = empty_table(true);
        other.rows.iter().filter(is_notable).for_each(|row| {
            table.add_row(cells(row, true));
        });
        if table.row_count() > 0 {
            writeln!(out, "Of these slower by more than 1 % or over {OWN_SHARE_NS} ns:\n\n{table}\n")?;
        }
    }
    out.push_str(&notes);
    fs::write(docs.join("benchmarks.md"), out)?;
    Ok(())
}

fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{cores} cores of {}", model.trim_start_matches([' ', '\t', ':']))
}

const HEAD: &str = "\
# What a call costs

Each operation through our OpenCL plugin, through the vendor's plugin of the same PI version, and on the bare driver, on
Intel's CPU OpenCL runtime. Written by `cargo xtask bench --report`; anyone can run it.
";

const METHOD: &str = "\
## Method

- One process holds both plugins, a copy of the vendor's, and the driver's own functions (that they come from different files
  is checked), and all work on the same OpenCL objects. A round is a batch of about 75 microseconds on each side; the order of
  the sides changes so that each follows each other one. Rounds of five processes are taken together. What goes into a queue is
  waited for outside of the measured time.
- *ours / vendor* is the median of the rounds' ratios. *equal code* is where the same ratio of the vendor's copy to the vendor's
  own lies: what equal code differs by. *slower* means that the median is above that and above 1, with 99 % confidence
  (order statistics, which assume nothing about the noise). *own ns per call* is the median difference to the bare driver by
  the number of PI calls in the operation; in brackets where worker threads' noise hides it. *over 10 ns*: with 99 %
  confidence.
- Instructions are counted exactly and do not drift: a child process is stepped instruction by instruction through one
  operation, with the release's own ICD loader (libOpenCL) and behind it a driver that does nothing
  (`benches/stub-opencl`). What is neither in that driver nor in the measuring program is the way to the driver: the
  plugin's code and the loader's. *bare* is the loader's alone. `-`: the vendor's plugin throws exceptions there, which
  does not survive stepping, or refuses the driver's answers.
  `cargo xtask bench --check` holds our counts to `benches/instructions.json`.
- Where the vendor's count is the bare one, its table holds the loader's function itself: no check of any handle, no
  fence, no error text.

";

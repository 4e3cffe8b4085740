//! `docs/reports/conformance.md`: families of cases by plugin, and what failed by name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result};
use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;

use super::results::{CaseTotals, Results};
use crate::workspace;

/// What a family is about, in the order of the list of cases.
const FAMILIES: [(&str, &str); 23] = [
    ("LD", "load and table"),
    ("PLT", "platforms"),
    ("DEV", "devices"),
    ("SEL", "choice among binaries"),
    ("CTX", "contexts"),
    ("QUE", "queues"),
    ("MEM", "buffers"),
    ("IMG", "images"),
    ("SMP", "samplers"),
    ("PRG", "programs"),
    ("SPC", "specialization constants"),
    ("KRN", "kernels"),
    ("ENQ", "rules for all commands"),
    ("BUF", "buffer commands"),
    ("LCH", "kernel launches"),
    ("EVT", "events"),
    ("USM", "USM"),
    ("DGV", "device globals"),
    ("PIP", "host pipes"),
    ("NAT", "native handles"),
    ("CMB", "command buffers"),
    ("THR", "threads"),
    ("TDN", "tear-down"),
];

const INTRODUCTION: &str = "\
# Conformance

The results of `pi-conformance` for this project's plugins and, for comparison, for the vendor's OpenCL plugin. Written by
`cargo xtask conformance`; `testing/conformance/cases.txt` has the 423 behaviours, `pi-conformance --list` the case of each or the
reason why it has none. How the harness works is in [conformance-harness.md](conformance-harness.md).

Our plugins are the OpenCL one on Intel's CPU runtime (of 2023.2.4 and of 2026) and on PoCL 3.1, the Level Zero one on the software
driver under the stock loader, whose kernels run on Intel's CPU runtime, and the CUDA one on the software libcuda, whose kernels are C.
What the CUDA plugin gives on a GPU is in [gpu.md](gpu.md).

Our plugins are tested with `--strict`: a refusal must have the interface's own code and a text with the reason. The vendor's plugins are
tested without it: either code is accepted, and no text is needed.

A cell is *passed / failed / crashed / skipped*, added up over the PI versions that the plugin serves: seven for each of ours, one for
each of the vendor's. Crashed cases (the process was ended, or hung) are not among the failed ones here. Skipped are cases about another
backend or another PI version, and what the expectations files name as missing or wrong in a driver.

Not every failure of the vendor's plugins is one that its runtime would meet. libsycl checks most arguments before it calls; the OpenCL
plugins of 2022 and 2023 take native handles without a reference of their own, as their libsycl expects (NAT-04, 11 to 14).
";

/// Writes the document.
pub(crate) fn write(all: &[Results]) -> Result<()> {
    let file = workspace::root().join("docs/reports").join("conformance.md");
    fs::create_dir_all(file.parent().unwrap_or(&file))?;
    fs::write(&file, text(all)?).with_context(|| format!("cannot write {}", file.display()))
}

fn text(all: &[Results]) -> Result<String> {
    let mut out = String::from(INTRODUCTION);
    writeln!(out, "\n{}", families(all))?;
    writeln!(out, "\n## Our plugins by PI version\n\n{}", versions(all))?;
    for results in all.iter().filter(|results| results.libraries.is_some()) {
        failures(&mut out, results)?;
    }
    Ok(out)
}

fn cell(totals: CaseTotals) -> String {
    let failed = totals.failed - totals.crashed;
    format!("{} / {failed} / {} / {}", totals.passed, totals.crashed, totals.skipped)
}

fn families(all: &[Results]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let heads = all.iter().map(|results| format!("{} on {}", results.plugin, results.driver));
    table.set_header(std::iter::once("family".to_owned()).chain(heads));
    let counts: Vec<BTreeMap<&str, CaseTotals>> = all.iter().map(Results::by_family).collect();
    for (family, about) in FAMILIES {
        let cells = counts.iter().map(|counts| cell(counts.get(family).copied().unwrap_or_default()));
        table.add_row(std::iter::once(format!("{family}: {about}")).chain(cells));
    }
    let sums = all.iter().map(|results| cell(results.totals()));
    table.add_row(std::iter::once("all".to_owned()).chain(sums));
    table
}

fn versions(all: &[Results]) -> Table {
    let mut table = Table::new();
    table.load_preset(ASCII_MARKDOWN);
    let ours: Vec<&Results> = all.iter().filter(|results| results.libraries.is_none()).collect();
    let versions: Vec<&str> =
        ours.first().iter().flat_map(|first| &first.runs).map(|run| run.pi_version.as_str()).collect();
    table.set_header(std::iter::once("driver").chain(versions.iter().copied()));
    for results in ours {
        let cells = results.runs.iter().map(|run| {
            let mut totals = CaseTotals::default();
            run.cases.iter().for_each(|case| totals += case.totals());
            cell(totals)
        });
        table.add_row(std::iter::once(results.driver.clone()).chain(cells));
    }
    table
}

/// The failed and crashed cases of a vendor's plugin by id; what each is stands in `cases.txt`.
fn failures(out: &mut String, results: &Results) -> Result<()> {
    writeln!(out, "\n## {} on {}\n", results.plugin, results.driver)?;
    for (title, crashed) in [("Crashed", true), ("Failed", false)] {
        let ids: BTreeSet<&str> = results
            .runs
            .iter()
            .flat_map(|run| &run.cases)
            .filter(|case| case.totals().failed > 0 && (case.totals().crashed > 0) == crashed)
            .map(|case| case.id.as_str())
            .collect();
        let ids =
            if ids.is_empty() { "none".to_owned() } else { ids.into_iter().collect::<Vec<_>>().join(" ") };
        writeln!(out, "{title}: {ids}\n")?;
    }
    Ok(())
}

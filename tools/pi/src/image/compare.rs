//! `pi image compare`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use sycl_pi_image::derive::{Comparison, SetDifference, compare};

use super::file;
use crate::output::{CommandStatus, Output, Style};

#[derive(Args)]
pub struct CompareArguments {
    /// A folder with NAME.spv and NAME.props.json files, or any input of pi image show.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print the page for the documentation.
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// An image with the comparison of its property sets.
type Row = (String, Vec<Comparison>);

pub fn run(arguments: &CompareArguments, output: &mut Output) -> Result<CommandStatus> {
    let rows = rows(&arguments.folder)?;
    if arguments.markdown {
        output.text(page(&rows).trim_end())?;
    } else if output.is_json() {
        let sets = |sets: &[Comparison]| {
            sets.iter()
                .map(|set| (set.set.clone(), json!(in_words(&set.outcome))))
                .collect::<serde_json::Map<_, _>>()
        };
        let rows = rows.iter().map(|(name, compared)| json!({ "image": name, "sets": sets(compared) }));
        output.value(&rows.collect::<Vec<_>>())?;
    } else {
        let all = || rows.iter().flat_map(|(_, sets)| sets);
        let equal = all().filter(|set| set.outcome == SetDifference::Equal).count();
        output.line(format!("{} images, {} property sets, {equal} equal", rows.len(), all().count()))?;
        for (name, compared) in &rows {
            let other: Vec<_> = compared.iter().filter(|set| set.outcome != SetDifference::Equal).collect();
            let word = match other.as_slice() {
                [] => output.paint(Style::Good, "equal"),
                _ => format!("{} of {} sets equal", compared.len() - other.len(), compared.len()),
            };
            output.line(format!("{name}: {word}"))?;
            for set in other {
                output.line(format!("    {}: {}", set.set, in_words(&set.outcome)))?;
            }
        }
    }
    Ok(CommandStatus::Fine)
}

fn rows(folder: &Path) -> Result<Vec<Row>> {
    if !folder.is_dir() {
        let row = |image: file::Image| Ok((image.parts.name.to_string(), compare(&image.parts)?));
        return file::read(folder)?.into_iter().map(row).collect();
    }
    let files = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for file in files {
        let name = file?.file_name().into_string().unwrap_or_default();
        names.extend(name.strip_suffix(".props.json").map(str::to_owned));
    }
    names.sort();
    if names.is_empty() {
        bail!("{} has no NAME.props.json", folder.display());
    }
    let mut rows = Vec::new();
    for name in names {
        for image in file::read(&folder.join(format!("{name}.props.json")))? {
            rows.push((name.clone(), compare(&image.parts)?));
        }
    }
    Ok(rows)
}

fn in_words(outcome: &SetDifference) -> String {
    match outcome {
        SetDifference::Equal => "equal".into(),
        SetDifference::EqualBut(what) => format!("equal except for {what}"),
        SetDifference::Differs(reason) => reason.clone(),
    }
}

/// Returns the page for the documentation: a count for each property set, and each image that has differences.
fn page(rows: &[Row]) -> String {
    let mut page = format!(
        "# Property sets derived from SPIR-V\n\nWritten by `pi image compare DIR --markdown` over the {} images of \
         `lib/image/tests/images`: for each property set, what `pi image` derives from the code alone beside what the \
         compiler wrote, byte by byte. \"Equal except\" counts sets whose differences cannot be derived or do not matter.\n\n\
         | property set | images | equal | equal except | not derivable |\n| --- | --- | --- | --- | --- |\n",
        rows.len()
    );
    let mut sets: Vec<&str> =
        rows.iter().flat_map(|(_, sets)| sets.iter().map(|set| set.set.as_str())).collect();
    sets.sort_unstable();
    sets.dedup();
    for name in sets {
        let all = || rows.iter().flat_map(|(_, sets)| sets).filter(|set| set.set == name);
        let equal = all().filter(|set| set.outcome == SetDifference::Equal).count();
        let but = all().filter(|set| matches!(set.outcome, SetDifference::EqualBut(_))).count();
        let count = all().count();
        page += &format!("| {name} | {count} | {equal} | {but} | {} |\n", count - equal - but);
    }
    let mut reasons: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for set in rows.iter().flat_map(|(_, sets)| sets).filter(|set| set.outcome != SetDifference::Equal) {
        *reasons.entry((in_words(&set.outcome), set.set.as_str())).or_default() += 1;
    }
    page += "\n| why a set is not equal | set | images |\n| --- | --- | --- |\n";
    for ((reason, set), count) in reasons {
        page += &format!("| {reason} | {set} | {count} |\n");
    }
    page += "\n| image | sets | equal | the others |\n| --- | --- | --- | --- |\n";
    for (name, sets) in rows {
        let other: Vec<String> = sets
            .iter()
            .filter(|set| set.outcome != SetDifference::Equal)
            .map(|set| format!("{}: {}", set.set.trim_start_matches("SYCL/"), in_words(&set.outcome)))
            .collect();
        page +=
            &format!("| {name} | {} | {} | {} |\n", sets.len(), sets.len() - other.len(), other.join("; "));
    }
    page
}

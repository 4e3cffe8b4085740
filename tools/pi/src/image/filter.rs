//! `pi image filter`, also as `sycl-aspect-filter`: drops the rows of a file table whose images a target cannot run
//! ("Behavior for optional kernel features", Aspect filter tool).

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use sycl_pi_image::filter::{DEFAULT_CONFIG, DeviceConfig, DeviceEntry, check};
use sycl_pi_image::text::{FileTable, read_prop};
use sycl_pi_image::{ImageParts, Properties};

use super::file;
use crate::output::{CommandStatus, Output};
use crate::written::Written;

#[derive(Args)]
pub struct FilterArguments {
    /// -target=T, -device-config-file=FILE, -o OUT, and the file table.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    pub words: Vec<String>,
}

/// The tool's arguments, spelled as in the design, with one dash or two.
#[derive(Default)]
struct FilterWords {
    target: Option<String>,
    config: Option<PathBuf>,
    input: Option<PathBuf>,
    output: Option<PathBuf>,
}

impl FilterWords {
    fn read(words: &[String]) -> Result<Self> {
        let mut arguments = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix('-').map(|rest| rest.strip_prefix('-').unwrap_or(rest))
            else {
                if arguments.input.replace(word.into()).is_some() {
                    bail!("only one file table can be filtered at a time; {word} is the second");
                }
                continue;
            };
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (option, words.next().cloned()),
            };
            let value = value.with_context(|| format!("{word} needs a value"))?;
            match name {
                "target" => arguments.target = Some(value),
                "device-config-file" => arguments.config = Some(value.into()),
                "o" | "out" | "output" => arguments.output = Some(value.into()),
                _ => bail!(
                    "{word} is not an option; the options are -target=T, -device-config-file=FILE and -o FILE"
                ),
            }
        }
        Ok(arguments)
    }
}

pub fn run(arguments: &FilterArguments, output: &mut Output) -> Result<CommandStatus> {
    let arguments = FilterWords::read(&arguments.words)?;
    let input = arguments
        .input
        .context("the file table is missing; usage: -target=T [-device-config-file=FILE] TABLE [-o OUT]")?;
    let name = input.display().to_string();
    let mut table = FileTable::read(&name, &file::text(&input)?)?;
    let before = table.rows().len();
    let mut dropped = Vec::new();
    let mut read: Vec<PathBuf> = [input.clone()].into_iter().chain(arguments.config.clone()).collect();
    // Without properties there is nothing to check, and no target is needed.
    if let Some(column) = table.column("Properties") {
        let target = arguments.target.context("the target is missing; give it with -target=T")?;
        let entry = entry(&target, arguments.config.as_deref())?;
        let folder = input.parent().unwrap_or(Path::new("")).to_owned();
        let mut keep = Vec::with_capacity(before);
        // Several rows can name the same file.
        let mut reasons: HashMap<&str, Option<String>> = HashMap::new();
        for row in table.rows() {
            let cell = row.get(column).map(String::as_str).unwrap_or_default();
            if !reasons.contains_key(cell) {
                let file = (!cell.is_empty()).then(|| file::of_cell(cell, &folder));
                reasons.insert(cell, file.as_deref().map_or(Ok(None), |file| reason(file, &entry))?);
                read.extend(file);
            }
            let reason = reasons.get(cell).cloned().flatten();
            keep.push(reason.is_none());
            dropped.extend(reason.map(|reason| (row.join("|"), reason)));
        }
        let mut keep = keep.into_iter();
        table.retain(|_| keep.next().unwrap_or(true));
    }
    match &arguments.output {
        Some(path) => {
            let mut written = Written::apart_from(read.iter().map(PathBuf::as_path));
            written.add(path, table.write().as_bytes())?;
            written.finish()?;
        }
        None if output.is_json() => {}
        None => return output.text(table.write().trim_end()).map(|()| CommandStatus::Fine),
    }
    if output.is_json() {
        let dropped = dropped.iter().map(|(row, reason)| json!({ "row": row, "reason": reason }));
        output.value(&json!({ "rows": table.rows(), "dropped": dropped.collect::<Vec<_>>() }))?;
        return Ok(CommandStatus::Fine);
    }
    for (row, reason) in &dropped {
        output.line(format!("dropped {row}: {reason}"))?;
    }
    output.line(format!("kept {} of {before} images", table.rows().len()))?;
    Ok(CommandStatus::Fine)
}

fn entry(target: &str, config: Option<&Path>) -> Result<DeviceEntry> {
    let (name, text) = match config {
        Some(path) => (path.display().to_string(), file::text(path)?),
        None => ("the default device configuration".to_owned(), DEFAULT_CONFIG.to_owned()),
    };
    let mut config = DeviceConfig::read(&name, &text)?;
    let near = || config.devices.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let problem = format!("{name} has no target {target}; it has {}", near());
    config.devices.remove(target).context(problem)
}

/// Returns the reason why the target cannot run an image, if there is one.
fn reason(path: &Path, target: &DeviceEntry) -> Result<Option<String>> {
    let name = path.display().to_string();
    let property_sets = read_prop(&name, &file::text(path)?)?;
    let mut image = ImageParts::default();
    image.name = name.into();
    image.property_sets =
        property_sets.into_iter().filter(|set| set.name == "SYCL/device requirements").collect();
    Ok(check(&Properties::decode(&image)?.requirements, target).err().map(|unfit| unfit.to_string()))
}

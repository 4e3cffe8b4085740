//! `pi image split`

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use serde_json::json;
use sycl_pi_image::SetKind;
use sycl_pi_image::aspect;
use sycl_pi_image::derive::derive;
use sycl_pi_image::property::Requirements;
use sycl_pi_image::spirv::{Index, Module, SplitImage, SplitMode, SplitOptions, split};
use sycl_pi_image::text::{FileTable, write_prop};

use super::file::{self, Original};
use crate::output::{CommandStatus, Output};
use crate::written::Written;

#[derive(Args)]
pub struct SplitArguments {
    /// The SPIR-V file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// How far to split.
    #[arg(long, value_enum, default_value_t = Granularity::Auto)]
    pub mode: Granularity,
    /// The file table to write. The images' files get its name and a number.
    #[arg(short, long, value_name = "NAME.table")]
    pub output: PathBuf,
    /// Also export this function, by its name in the code. May be given more than once.
    #[arg(long, value_name = "SYMBOL")]
    pub export: Vec<String>,
    /// Import exported functions from the image that contains them, instead of copying them.
    #[arg(long)]
    pub dependencies: bool,
    /// With --dependencies: copy functions into images with kernels, so that only images of exported functions import
    /// them.
    #[arg(long, requires = "dependencies")]
    pub self_contained_kernels: bool,
    /// The images are only for devices of this architecture, e.g. intel_gpu_pvc, or with this aspect. May be given
    /// more than once. Entries that need different aspects then share images.
    #[arg(long, value_name = "TARGET")]
    pub fixed_target: Vec<String>,
}

/// `-fsycl-device-code-split`
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
pub enum Granularity {
    /// Same as per_source.
    Auto,
    /// One image for each kernel and each exported function.
    PerKernel,
    /// By source file, from the line information in the code.
    PerSource,
    /// Only where requirements differ.
    Off,
}

pub fn run(arguments: &SplitArguments, output: &mut Output) -> Result<CommandStatus> {
    let name = arguments.file.display().to_string();
    let mut options = SplitOptions::new(match arguments.mode {
        Granularity::Auto => SplitMode::Auto,
        Granularity::PerKernel => SplitMode::PerKernel,
        Granularity::PerSource => SplitMode::PerSource,
        Granularity::Off => SplitMode::Off,
    });
    options.exports = arguments.export.clone();
    options.dependencies = arguments.dependencies;
    options.self_contained_kernels = arguments.self_contained_kernels;
    options.for_fixed_targets = !arguments.fixed_target.is_empty();
    let original = file::original(&arguments.file)?;
    let module = Module::parse(&original.code).map_err(|error| error.in_file(&name))?;
    let index = Index::new(&module).map_err(|error| error.in_file(&name))?;
    let images = split(&index, &options).map_err(|error| error.in_file(&name))?;

    let Some(stem) = arguments.output.to_str().and_then(|table| table.strip_suffix(".table")) else {
        bail!("{} does not end with .table", arguments.output.display());
    };
    let mut written = Written::apart_from(original.files.iter().map(PathBuf::as_path));
    let mut table = FileTable::new(["Code", "Properties", "Symbols"]);
    let mut shown = Vec::new();
    for (number, image) in images.iter().enumerate() {
        let row = write(&format!("{stem}_{number}"), image, &original, arguments, &mut written)?;
        shown.push(json!({ "code": row[0], "entries": image.entries }));
        table.push(row);
    }
    written.add(&arguments.output, table.write().as_bytes())?;
    written.finish()?;

    if output.is_json() {
        output.value(&json!({ "table": arguments.output, "images": shown }))?;
        return Ok(CommandStatus::Fine);
    }
    for (image, row) in images.iter().zip(table.rows()) {
        output.line(format!("{}: {}", row[0], image.entries.join(" ")))?;
    }
    output.line(format!("{}: {} images", arguments.output.display(), images.len()))?;
    Ok(CommandStatus::Fine)
}

/// Returns the aspects of the only devices that the user names, if any.
fn fixed_targets(names: &[String]) -> Result<Option<Vec<u32>>> {
    let number = |name: &String| {
        aspect::number(name).with_context(|| format!("there is no aspect or architecture {name}"))
    };
    let numbers: Vec<u32> = names.iter().map(number).collect::<Result<_>>()?;
    Ok((!numbers.is_empty()).then_some(numbers))
}

/// Writes an image's files and returns its row.
fn write(
    stem: &str,
    image: &SplitImage,
    original: &Original,
    arguments: &SplitArguments,
    written: &mut Written,
) -> Result<[String; 3]> {
    let [code, prop, symbols] = ["spv", "prop", "sym"].map(|extension| format!("{stem}.{extension}"));
    let bytes = image.module.to_bytes()?;
    let derived = derive(&bytes)?;
    written.add(Path::new(&code), &bytes)?;
    let entries = derived.entries.clone();
    let mut properties = original.carried_to(derived);
    for (kind, symbols, variables) in [
        (SetKind::Exports, &mut properties.exports, &image.variable_exports),
        (SetKind::Imports, &mut properties.imports, &image.variable_imports),
    ] {
        let mut all: Vec<String> = symbols.iter().map(str::to_owned).collect();
        let known: HashSet<String> = all.iter().cloned().collect();
        all.extend(variables.iter().filter(|name| !known.contains(*name)).cloned());
        *symbols = all.into_iter().collect();
        if !variables.is_empty() && !properties.sets.contains(&kind) {
            properties.sets.push(kind);
        }
    }
    // The user states that these devices support all that the code needs.
    if let Some(targets) = fixed_targets(&arguments.fixed_target)? {
        properties.requirements = Requirements { fixed_targets: Some(targets), ..Requirements::default() };
    }
    written.add(Path::new(&prop), write_prop(&prop, &properties.encode())?.as_bytes())?;
    let lines: String = entries.iter().map(|entry| format!("{entry}\n")).collect();
    written.add(Path::new(&symbols), lines.as_bytes())?;
    Ok([code, prop, symbols])
}

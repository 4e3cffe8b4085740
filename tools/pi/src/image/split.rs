//! `pi image split`

use std::path::Path;

use anyhow::{Result, bail};
use serde_json::json;
use sycl_pi_image::derive::derive;
use sycl_pi_image::spirv::{Index, Module, SplitImage, SplitMode, SplitOptions, split};
use sycl_pi_image::text::{FileTable, write_prop};

use super::cli::{Granularity, SplitArguments};
use super::file;
use super::written::Written;
use crate::CommandStatus;
use crate::output::Output;

pub fn run(arguments: &SplitArguments, output: &mut Output) -> Result<CommandStatus> {
    let name = arguments.file.display().to_string();
    let options = SplitOptions {
        mode: match arguments.mode {
            Granularity::Auto => SplitMode::Auto,
            Granularity::PerKernel => SplitMode::PerKernel,
            Granularity::PerSource => SplitMode::PerSource,
            Granularity::Off => SplitMode::Off,
        },
        exports: arguments.export.clone(),
        dependencies: arguments.dependencies,
    };
    let module = Module::parse(&file::bytes(&arguments.file)?).map_err(|error| error.in_file(&name))?;
    let index = Index::new(&module).map_err(|error| error.in_file(&name))?;
    let images = split(&index, &options).map_err(|error| error.in_file(&name))?;

    let Some(stem) = arguments.output.to_str().and_then(|table| table.strip_suffix(".table")) else {
        bail!("{} does not end with .table", arguments.output.display());
    };
    let mut written = Written::default();
    let mut table = FileTable::new(["Code", "Properties", "Symbols"]);
    let mut shown = Vec::new();
    for (number, image) in images.iter().enumerate() {
        let row = write(&format!("{stem}_{number}"), image, &mut written)?;
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

/// Writes an image's files and returns its row.
fn write(stem: &str, image: &SplitImage, written: &mut Written) -> Result<[String; 3]> {
    let [code, prop, symbols] = ["spv", "prop", "sym"].map(|extension| format!("{stem}.{extension}"));
    let bytes = image.module.to_bytes();
    let derived = derive(&bytes)?;
    written.add(Path::new(&code), &bytes)?;
    written.add(Path::new(&prop), write_prop(&prop, &derived.properties.encode())?.as_bytes())?;
    let lines: String = derived.entries.iter().map(|entry| format!("{entry}\n")).collect();
    written.add(Path::new(&symbols), lines.as_bytes())?;
    Ok([code, prop, symbols])
}

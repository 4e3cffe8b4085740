//! `pi image extract`

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use sycl_pi_image::text::{FileTable, write_json, write_prop};
use sycl_pi_image::{ImageParts, Properties};

use super::file;
use crate::output::{CommandStatus, Output};
use crate::written::Written;

#[derive(Args)]
pub struct ExtractArguments {
    /// An ELF object, program or shared library, or any other input of pi image show.
    #[arg(value_name = "LIB")]
    pub file: PathBuf,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

pub fn run(arguments: &ExtractArguments, output: &mut Output) -> Result<CommandStatus> {
    let images = file::read(&arguments.file)?;
    let folder = &arguments.output;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let stem = stem(&arguments.file);
    let mut written = Written::apart_from(file::files(&images));
    let mut table = FileTable::new(["Code", "Properties", "Symbols"]);
    for (number, image) in images.iter().enumerate() {
        // Otherwise other tools would refuse a malformed image later, without naming its library.
        Properties::decode(&image.parts)?;
        table.push(write(folder, &format!("{stem}_{number}"), &image.parts, &mut written)?);
    }
    let path = folder.join(format!("{stem}.table"));
    written.add(&path, table.write().as_bytes())?;
    written.finish()?;
    if output.is_json() {
        let codes: Vec<PathBuf> =
            table.rows().iter().filter_map(|row| Some(folder.join(row.first()?))).collect();
        output.value(&serde_json::json!({ "table": path, "images": codes }))?;
    } else {
        output.line(format!("{}: {} images", path.display(), images.len()))?;
    }
    Ok(CommandStatus::Fine)
}

/// Returns the file's name without its extensions: `libkernels` for `libkernels.so.4`.
fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split_once('.').map_or(name.clone(), |(stem, _)| stem.to_owned())
}

/// Writes an image's files and returns its row, with names relative to the table.
fn write(folder: &Path, stem: &str, image: &ImageParts<'_>, written: &mut Written) -> Result<[String; 3]> {
    let ending = match *image.bytes {
        [3, 2, 0x23, 7, ..] | [7, 0x23, 2, 3, ..] => "spv",
        [b'B', b'C', 0xc0, 0xde, ..] => "bc",
        _ => "bin",
    };
    let [code, prop, symbols, json] =
        [ending, "prop", "sym", "props.json"].map(|ending| format!("{stem}.{ending}"));
    let lines: String = image.entries.iter().map(|entry| format!("{entry}\n")).collect();
    written.add(&folder.join(&code), &image.bytes)?;
    written.add(&folder.join(&prop), write_prop(&prop, &image.property_sets)?.as_bytes())?;
    written.add(&folder.join(&symbols), lines.as_bytes())?;
    written.add(&folder.join(json), write_json(image).as_bytes())?;
    Ok([code, prop, symbols])
}

//! `pi image emulate`

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::json;
use sycl_pi_image::emulate::{EmulatedImage, emulate};
use sycl_pi_image::text::write_prop;

use super::file;
use crate::output::{CommandStatus, Output};
use crate::written::{Written, has_neighbours};

#[derive(Args)]
pub struct EmulateArguments {
    /// The SPIR-V image, with its properties next to it or derived from it.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The SPIR-V file to write. The property file gets the same name with .prop.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

pub fn run(arguments: &EmulateArguments, output: &mut Output) -> Result<CommandStatus> {
    file::check_spirv_output(&arguments.output)?;
    let images = file::read(&arguments.file)?;
    let [image] = images.as_slice() else {
        bail!("{} has {} images; only one can be emulated at a time", arguments.file.display(), images.len());
    };
    let EmulatedImage { image, kernels } = emulate(&image.parts)?;
    let prop = arguments.output.with_extension("prop");
    let mut written = Written::apart_from(file::files(&images));
    written.add(&arguments.output, &image.bytes)?;
    let text = write_prop(&prop.display().to_string(), &image.property_sets)?;
    let neighbours = has_neighbours(&arguments.output);
    if neighbours {
        written.add(&prop, text.as_bytes())?;
    }
    written.finish()?;
    if output.is_json() {
        let prop = neighbours.then_some(prop);
        output.value(&json!({ "file": arguments.output, "properties": prop, "kernels": kernels }))?;
        return Ok(CommandStatus::Fine);
    }
    for kernel in &kernels {
        output.line(format!("{kernel} takes the buffer as its last argument"))?;
    }
    let beside = if neighbours { format!(" and {}", prop.display()) } else { String::new() };
    output.line(format!("{}{beside}: no constant remains", arguments.output.display()))?;
    Ok(CommandStatus::Fine)
}

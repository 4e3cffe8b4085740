//! `pi image wrap`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use sycl_pi_image::{ImageParts, wrap};

use super::file;
use crate::output::{CommandStatus, Output};
use crate::written::Written;

#[derive(Args)]
pub struct WrapArguments {
    /// Images with their properties, or file tables.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The object file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// The target of all images, e.g. spir64, instead of their own.
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// Options for the device compiler, instead of those of the images.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub compile_options: Option<String>,
    /// Write for the runtime of DPC++ 2026 (libsycl.so.9), which reads images without a manifest.
    #[arg(long)]
    pub without_manifest: bool,
}

pub fn run(arguments: &WrapArguments, output: &mut Output) -> Result<CommandStatus> {
    let (mut images, mut files): (Vec<ImageParts<'static>>, Vec<PathBuf>) = Default::default();
    for path in &arguments.files {
        for image in file::read(path)? {
            images.push(image.parts);
            files.extend(image.files);
        }
    }
    for image in &mut images {
        if let Some(target) = &arguments.target {
            image.target = target.clone().into();
        }
        if let Some(options) = &arguments.compile_options {
            image.compile_options = options.clone().into();
        }
        // Otherwise a malformed image would fail at run time.
        sycl_pi_image::Properties::decode(image)?;
    }
    let version = match arguments.without_manifest {
        false => wrap::ImageVersion::WithManifest,
        true => wrap::ImageVersion::WithoutManifest,
    };
    let mut written = Written::apart_from(files.iter().map(PathBuf::as_path));
    written.add(&arguments.output, &wrap::wrap_as(&images, version)?)?;
    written.finish()?;
    let names: Vec<&str> = images.iter().map(|image| image.name.as_ref()).collect();
    if output.is_json() {
        output.value(&serde_json::json!({ "file": arguments.output, "images": names }))?;
    } else {
        output.line(format!("{}: {} images", arguments.output.display(), names.len()))?;
    }
    Ok(CommandStatus::Fine)
}

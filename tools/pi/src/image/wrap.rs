//! `pi image wrap`

use anyhow::Result;
use sycl_pi_image::{ImageParts, wrap};

use super::cli::WrapArguments;
use super::file;
use super::written::Written;
use crate::CommandStatus;
use crate::output::Output;

pub fn run(arguments: &WrapArguments, output: &mut Output) -> Result<CommandStatus> {
    let mut images: Vec<ImageParts<'static>> = Vec::new();
    for path in &arguments.files {
        images.extend(file::read(path)?.into_iter().map(|image| image.parts));
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
    let mut written = Written::default();
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

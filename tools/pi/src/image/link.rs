//! `pi image link`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use sycl_pi_image::derive::{ImagePart, Renumbered, United, unite};
use sycl_pi_image::spirv::Module;
use sycl_pi_image::text::write_prop;

use super::file::{self, Original};
use crate::output::{CommandStatus, Output};
use crate::written::{Written, has_neighbours};

#[derive(Args)]
pub struct LinkArguments {
    /// The SPIR-V files.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    /// Keep imports without a definition.
    #[arg(long)]
    pub allow_missing: bool,
}

pub fn run(arguments: &LinkArguments, output: &mut Output) -> Result<CommandStatus> {
    file::check_spirv_output(&arguments.output)?;
    let mut inputs: Vec<(String, Module, Original)> = Vec::new();
    for path in &arguments.files {
        for image in file::read(path)? {
            let name = image.parts.name.clone().into_owned();
            let module = Module::parse(&image.parts.bytes).map_err(|error| error.in_file(&name))?;
            inputs.push((name, module, Original::from_image(image)?));
        }
    }
    let files: Vec<PathBuf> = inputs.iter().flat_map(|(.., original)| original.files.clone()).collect();
    let parts: Vec<ImagePart<'_>> = inputs.iter().map(part).collect();
    let made = unite(&parts, arguments.allow_missing)?;
    let mut written = Written::apart_from(files.iter().map(PathBuf::as_path));
    written.add(&arguments.output, &made.code.to_bytes()?)?;
    if has_neighbours(&arguments.output) {
        let path = arguments.output.with_extension("prop");
        written.add(&path, write_prop(&path.display().to_string(), &made.properties.encode())?.as_bytes())?;
    }
    written.finish()?;
    report(arguments, &parts, made, output)
}

fn part((name, code, original): &(String, Module, Original)) -> ImagePart<'_> {
    ImagePart { name, code, file: original.file() }
}

fn report(
    arguments: &LinkArguments,
    parts: &[ImagePart<'_>],
    made: United,
    output: &mut Output,
) -> Result<CommandStatus> {
    let name = |part: usize| parts.get(part).map_or("", |part| part.name);
    if output.is_json() {
        let renumbered =
            |one: &Renumbered| json!({ "image": name(one.part), "from": one.from, "to": one.to });
        let report = json!({
            "file": arguments.output, "entries": made.entries, "imports": made.imports, "warnings": made.warnings,
            "renumbered": made.renumbered.iter().map(renumbered).collect::<Vec<_>>(),
        });
        output.value(&report)?;
        return Ok(CommandStatus::Fine);
    }
    for warning in made.warnings {
        output.warning(&warning);
    }
    output.line(format!("{}: {}", arguments.output.display(), made.entries.join(" ")))?;
    for Renumbered { part, from, to } in made.renumbered {
        output.line(format!("constant {from} of {} is constant {to} here", name(part)))?;
    }
    for name in made.imports {
        output.line(format!("still imports {name}"))?;
    }
    Ok(CommandStatus::Fine)
}

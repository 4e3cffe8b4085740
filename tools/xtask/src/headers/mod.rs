//! Generates constants, structures and lists of pi-core and ur-core from their golden data, the C header from pi-core, and
//! level-zero-sys from the C headers of Level Zero. The files are committed: `cargo xtask headers` writes them, and `cargo xtask check` fails if one is not up to date.

mod bindgen;
mod files;
mod function_list;
mod layouts;
mod level_zero;
mod level_zero_text;
mod output;
mod pi_constants;
mod pi_functions;
mod pi_h;
mod pi_structs;
mod pi_types;
mod prototypes;
mod ur_constants;
mod ur_enums;
mod ur_functions;
mod ur_layouts;
mod ur_queries;
mod ur_structs;
mod view;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

pub(crate) use self::level_zero::FOLDER as LEVEL_ZERO;
use self::output::PI_H;
pub(crate) use self::output::{Output, is_generated};
use crate::ui;
use crate::workspace;

/// Arguments of `cargo xtask headers`.
#[derive(Debug, clap::Args)]
pub(crate) struct HeadersArgs {}

/// The generated files.
#[derive(Debug)]
pub(crate) struct Generated {
    pub(crate) outputs: Vec<Output>,
    /// The reason why the files in [`LEVEL_ZERO`] are not among them, if they are not.
    pub(crate) without_level_zero: Option<String>,
}

/// Generates all files in memory.
pub(crate) fn generate(root: &Path) -> Result<Generated> {
    let (constants, structs) = (pi_constants::read(root)?, ur_structs::read(root)?);
    let ur_enums = ur_enums::read(root)?;
    let mut outputs = ur_constants::generate(&ur_enums)?;
    outputs.push(ur_queries::generate(&ur_enums)?);
    outputs.extend(ur_structs::generate(&structs)?);
    outputs.push(ur_functions::generate(root, &structs)?);
    outputs.push(pi_functions::generate(root)?);
    let (pi_types, pi_structs) = (pi_types::read(root)?, pi_structs::generate(root)?);
    outputs.push(pi_types::generate(&pi_types, &constants));
    outputs.extend(pi_constants::generate(&constants)?);
    let text = pi_h::text(root, &pi_types, &pi_structs.text, &constants)?;
    outputs.push(Output { path: PI_H.to_owned(), text });
    outputs.push(pi_structs);
    let without_level_zero = level_zero::why_not()?;
    if without_level_zero.is_none() {
        outputs.extend(level_zero::generate(root)?);
    }
    Ok(Generated { outputs, without_level_zero })
}

/// `cargo xtask headers`: writes the files that are not up to date.
pub(crate) fn run(_: &HeadersArgs) -> Result<ExitCode> {
    let root = workspace::root();
    let Generated { outputs, without_level_zero } = generate(&root)?;
    if let Some(reason) = without_level_zero {
        ui::info(&format!("the bindings of Level Zero are left as they are: {reason}"));
    }
    let mut written = 0;
    for Output { path, text } in &outputs {
        if !fs::read_to_string(root.join(path)).is_ok_and(|current| current == *text) {
            fs::write(root.join(path), text).with_context(|| format!("cannot write {path}"))?;
            ui::info(&format!("{path} written"));
            written += 1;
        }
    }
    ui::info(&format!("{} files are current", outputs.len() - written));
    Ok(ExitCode::SUCCESS)
}

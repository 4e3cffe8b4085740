//! `pi image legalize`

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::json;
use sycl_pi_image::spirv::{DriverFacts, Needs, legalize};

use super::file;
use crate::output::{CommandStatus, Output};
use crate::written::Written;

#[derive(Args)]
pub struct LegalizeArguments {
    /// The SPIR-V file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The driver: pocl-6.0, pocl-7.1, rusticl-25.0 or rusticl-26.1.
    #[arg(long = "for", value_name = "DRIVER")]
    pub driver: String,
    /// The SPIR-V file to write.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}

pub fn run(arguments: &LegalizeArguments, output: &mut Output) -> Result<CommandStatus> {
    file::check_spirv_output(&arguments.output)?;
    let Some(facts) = DriverFacts::named(&arguments.driver) else {
        let known: Vec<&str> = DriverFacts::names().collect();
        bail!("driver {:?} is not known; the drivers are {}", arguments.driver, known.join(", "));
    };
    let code = file::bytes(&arguments.file)?;
    let name = arguments.file.display().to_string();
    let made = legalize(&code, &Needs::of(&facts)).map_err(|error| error.in_file(name))?;
    let is_same = *made.module == *code;
    let mut written = Written::apart_from([arguments.file.as_path()]);
    written.add(&arguments.output, &made.module).context("the module cannot be written")?;
    written.finish()?;
    if output.is_json() {
        let refused: Vec<_> = made
            .refused
            .iter()
            .map(|refusal| json!({ "name": refusal.name, "reason": refusal.reason }))
            .collect();
        output.value(&json!({ "file": arguments.output, "changed": !is_same, "refused": refused }))?;
    } else {
        let said = if is_same { "it takes this module as it is" } else { "rewritten" };
        output.line(format!("{} for {}: {said}", arguments.output.display(), arguments.driver))?;
        for refusal in &made.refused {
            output.line(refusal.to_string())?;
        }
    }
    Ok(CommandStatus::Fine)
}

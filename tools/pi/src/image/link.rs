//! `pi image link`

use anyhow::Result;
use pi_image::derive::derive;
use pi_image::spirv::{Index, LinkOptions, Module, link};
use serde_json::json;

use super::cli::LinkArguments;
use super::file;
use super::written::Written;
use crate::Outcome;
use crate::output::Output;

pub fn run(arguments: &LinkArguments, output: &mut Output) -> Result<Outcome> {
    let mut modules = Vec::new();
    for path in &arguments.files {
        let name = path.display().to_string();
        let module = Module::parse(&file::bytes(path)?).map_err(|error| error.in_file(&name))?;
        modules.push((name, module));
    }
    let mut indices = Vec::new();
    for (name, module) in &modules {
        indices.push((name.as_str(), Index::new(module).map_err(|error| error.in_file(name))?));
    }
    let named: Vec<(&str, &Index<'_>)> = indices.iter().map(|(name, index)| (*name, index)).collect();
    let bytes = link(&named, LinkOptions { allow_missing: arguments.allow_missing })?.to_bytes();
    let derived = derive(&bytes)?;
    let mut written = Written::default();
    written.add(&arguments.output, &bytes)?;
    written.finish()?;
    let imports: Vec<&str> = derived.properties.imports.iter().collect();
    if output.is_json() {
        let report = json!({ "file": arguments.output, "entries": derived.entries, "imports": imports });
        output.value(&report)?;
    } else {
        output.line(format!("{}: {}", arguments.output.display(), derived.entries.join(" ")))?;
        for name in imports {
            output.line(format!("still imports {name}"))?;
        }
    }
    Ok(Outcome::Fine)
}

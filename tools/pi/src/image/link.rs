//! `pi image link`

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use serde_json::json;
use sycl_pi_image::derive::derive;
use sycl_pi_image::spirv::{Index, LinkOptions, Module, Reflection, link, mismatches};
use sycl_pi_image::text::write_prop;
use sycl_pi_image::{ImageParts, Properties};

use super::cli::LinkArguments;
use super::file::{self, Original};
use super::written::{Written, has_neighbours};
use crate::CommandStatus;
use crate::output::Output;

/// A module, and what its properties say.
struct Input {
    name: String,
    module: Module,
    properties: Properties,
    original: Original,
}

pub fn run(arguments: &LinkArguments, output: &mut Output) -> Result<CommandStatus> {
    let mut inputs = Vec::new();
    for path in &arguments.files {
        for image in file::read(path)? {
            let ImageParts { name, bytes, .. } = &image.parts;
            let name = name.clone().into_owned();
            let module = Module::parse(bytes).map_err(|error| error.in_file(&name))?;
            let properties = Properties::decode(&image.parts)?;
            inputs.push(Input { name, module, properties, original: Original::of(image)? });
        }
    }
    let mut indices = Vec::new();
    for Input { name, module, .. } in &inputs {
        indices.push((name.as_str(), Index::new(module).map_err(|error| error.in_file(name))?));
    }
    let named: Vec<(&str, &Index<'_>)> = indices.iter().map(|(name, index)| (*name, index)).collect();
    let mut options = LinkOptions::default();
    options.allow_missing = arguments.allow_missing;
    let made = link(&named, options)?;
    let warnings = warnings(&inputs, &named, &made)?;
    let bytes = made.to_bytes();
    let derived = derive(&bytes)?;
    let mut written = Written::default();
    written.add(&arguments.output, &bytes)?;
    let imports: Vec<String> = derived.properties.imports.iter().map(str::to_owned).collect();
    let entries = derived.entries.clone();
    let originals: Vec<&Original> = inputs.iter().map(|input| &input.original).collect();
    let properties = file::carried(&originals, derived);
    if has_neighbours(&arguments.output) {
        let path = arguments.output.with_extension("prop");
        written.add(&path, write_prop(&path.display().to_string(), &properties.encode())?.as_bytes())?;
    }
    written.finish()?;
    if output.is_json() {
        let report = json!({
            "file": arguments.output, "entries": entries, "imports": imports, "warnings": warnings,
        });
        output.value(&report)?;
        return Ok(CommandStatus::Fine);
    }
    for warning in warnings {
        output.warning(&warning);
    }
    output.line(format!("{}: {}", arguments.output.display(), entries.join(" ")))?;
    for name in imports {
        output.line(format!("still imports {name}"))?;
    }
    Ok(CommandStatus::Fine)
}

/// What a kernel's own module lets it expect, against what it gets from the others.
fn warnings(inputs: &[Input], named: &[(&str, &Index<'_>)], made: &Module) -> Result<Vec<String>> {
    let mut expected: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let mut warnings = Vec::new();
    for (input, (_, index)) in inputs.iter().zip(named) {
        let own = Reflection::of(index)?;
        let declared = input.properties.requirements.aspects.iter().flatten();
        for entry in &own.entry_points {
            let aspects = own.call_graph.aspects(entry.id).into_iter().chain(declared.clone().copied());
            expected.entry(entry.name.clone()).or_default().extend(aspects);
        }
        let targets = |input: &Input| -> BTreeSet<u32> {
            input.properties.requirements.fixed_targets.iter().flatten().copied().collect()
        };
        for symbol in input.properties.imports.iter().filter(|_| !own.entry_points.is_empty()) {
            let other = inputs.iter().find(|other| other.properties.exports.contains(symbol));
            if other.is_some_and(|other| targets(other) != targets(input)) {
                warnings.push(format!(
                    "warning: function '{symbol}' compiled with a different `-fsycl-fixed-targets` switch than its calling \
                     kernel."
                ));
            }
        }
    }
    let index = Index::new(made)?;
    let found = mismatches(&index, &Reflection::of(&index)?, &expected);
    warnings.extend(found.iter().map(ToString::to_string));
    Ok(warnings)
}

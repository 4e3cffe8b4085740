//! `pi image show`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::document::{ConstantRow, Document, Kernel};
use super::file::{self, Image};
use crate::output::{CommandStatus, Output, Style};
use crate::written::Written;

#[derive(Args)]
pub struct ShowArguments {
    /// SPIR-V, a property file, a file table, an ELF file, or a cache item.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Draw the call graph and the links between images to this file. Needs graphviz.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "dot"])]
    pub svg: Option<PathBuf>,
    /// Print the call graph and the links between images for graphviz's dot.
    #[arg(long, conflicts_with = "json")]
    pub dot: bool,
}

pub fn run(arguments: &ShowArguments, output: &mut Output) -> Result<CommandStatus> {
    let mut images: Vec<Image> = Vec::new();
    for path in &arguments.files {
        images.extend(file::read(path)?);
    }
    if let Some(path) = &arguments.svg {
        let mut written = Written::apart_from(file::files(&images));
        written.add(path, &super::dot::svg(&super::dot::graph(&images)?)?)?;
        written.finish()?;
        return Ok(CommandStatus::Fine);
    }
    if arguments.dot {
        output.text(super::dot::graph(&images)?.trim_end())?;
        return Ok(CommandStatus::Fine);
    }
    let documents: Vec<Document> = images.iter().map(Document::from_image).collect::<Result<_>>()?;
    if output.is_json() {
        output.value(&documents)?;
        return Ok(CommandStatus::Fine);
    }
    for (at, document) in documents.iter().enumerate() {
        if at > 0 {
            output.line("")?;
        }
        show(document, output)?;
    }
    Ok(CommandStatus::Fine)
}

fn show(document: &Document, output: &mut Output) -> Result<()> {
    let code = match (&document.spirv, document.bytes) {
        (Some(version), bytes) => format!("SPIR-V {version}, {bytes} bytes"),
        (None, 0) => "properties only".into(),
        (None, bytes) => format!("a device's own code, {bytes} bytes"),
    };
    output.line(format!("{}: {code}", output.paint(Style::Strong, &document.image)))?;
    let kept = |name: &str| !matches!(name, "Addresses" | "Linkage" | "Kernel");
    let capabilities: Vec<&str> =
        document.capabilities.iter().map(String::as_str).filter(|name| kept(name)).collect();
    words("capabilities", &capabilities.join(" "), output)?;
    words("target", &document.target, output)?;
    words("properties from", &document.properties_from, output)?;
    words("options", &document.compile_options, output)?;
    for line in &document.requirements {
        words("requires", line, output)?;
    }
    for kernel in &document.kernels {
        show_kernel(kernel, output)?;
    }
    constants(&document.constants, output)?;
    for global in &document.globals {
        let scope = if global.image_scope { ", image scope" } else { "" };
        let name = global.name.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
        words("device global", &format!("{}{name}: {} bytes{scope}", global.unique_id, global.size), output)?;
    }
    for name in &document.imports {
        words("imports", name, output)?;
    }
    for name in &document.exports {
        words("exports", name, output)?;
    }
    for line in &document.other {
        words("says", line, output)?;
    }
    Ok(())
}

fn words(head: &str, text: &str, output: &mut Output) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    output.line(format!("  {head:16} {text}"))
}

fn show_kernel(kernel: &Kernel, output: &mut Output) -> Result<()> {
    words("kernel", &output.paint(Style::Good, &kernel.name), output)?;
    for (at, argument) in kernel.arguments.iter().enumerate() {
        let name = argument.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let size = argument.size.map(|size| format!(", {size} bytes")).unwrap_or_default();
        words("", &format!("  {at}{name}: {} {}{size}", argument.kind, argument.type_name), output)?;
    }
    if kernel.removed_arguments > 0 {
        words("", &format!("  and {} removed by the compiler", kernel.removed_arguments), output)?;
    }
    for line in kernel.modes.iter().chain(&kernel.aspects) {
        words("", &format!("  {line}"), output)?;
    }
    match &kernel.local_memory {
        Some(place) => words("", &format!("  work-group memory: {place}"), output),
        None => Ok(()),
    }
}

fn constants(constants: &[ConstantRow], output: &mut Output) -> Result<()> {
    if !constants.is_empty() && output.has_tables() {
        let row = |constant: &ConstantRow| {
            let ids: Vec<String> = constant.ids.iter().map(u32::to_string).collect();
            let default = constant.default_hex.clone().unwrap_or_default();
            vec![constant.name.clone(), constant.size.to_string(), ids.join(" "), default]
        };
        return output.table(&["Constant", "Bytes", "Ids", "Default"], constants.iter().map(row).collect());
    }
    for constant in constants {
        let ids: Vec<String> = constant.ids.iter().map(u32::to_string).collect();
        let default = constant.default_hex.as_ref().map(|hex| format!(", default {hex}")).unwrap_or_default();
        let text = format!("{}: {} bytes, ids {}{default}", constant.name, constant.size, ids.join(" "));
        words("constant", &text, output)?;
    }
    Ok(())
}

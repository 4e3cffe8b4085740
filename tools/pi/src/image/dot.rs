//! The call graph and the links between images, for graphviz's dot.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;
use std::io::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use sycl_pi_image::Properties;
use sycl_pi_image::spirv::{Index, Module, Reflection, SpirvError};

use super::file::Image;
use crate::output::escaped;

/// Returns the graph of all images.
pub fn graph(images: &[Image]) -> Result<String> {
    let mut text =
        String::from("digraph images {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    let mut exporters: BTreeMap<String, usize> = BTreeMap::new();
    let properties: Vec<Properties> =
        images.iter().map(|image| Properties::decode(&image.parts)).collect::<Result<_, _>>()?;
    for (at, properties) in properties.iter().enumerate() {
        exporters.extend(properties.exports.iter().map(|name| (name.to_owned(), at)));
    }
    for (at, image) in images.iter().enumerate() {
        writeln!(text, "  subgraph cluster_{at} {{\n    label={};", quoted(&image.parts.name))?;
        if image.is_spirv() {
            let error = |error: SpirvError| error.in_file(image.parts.name.clone());
            let module = Module::parse(&image.parts.bytes).map_err(error)?;
            let index = Index::new(&module).map_err(error)?;
            calls(at, &index, &Reflection::of(&index).map_err(error)?, &mut text)?;
        }
        text.push_str("  }\n");
    }
    for (at, properties) in properties.iter().enumerate() {
        for name in properties.imports.iter() {
            let from = quoted(&format!("{at} {name}"));
            match exporters.get(name) {
                Some(to) => writeln!(text, "  {from} -> {} [style=bold];", quoted(&format!("{to} {name}")))?,
                None => writeln!(text, "  {from} [color=red];")?,
            }
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// Draws the graph with graphviz's dot.
pub fn svg(graph: &str) -> Result<Vec<u8>> {
    const NEEDED: &str = "the picture needs the program dot of graphviz; --dot prints the graph without it";
    // Never runs a program from the current folder.
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let folders = sycl_pi_host_process::folders(&folders).filter(|folder| folder.is_absolute());
    let program = folders.map(|folder| folder.join("dot")).find(|program| program.is_file());
    let mut dot = Command::new(program.context(NEEDED)?)
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context(NEEDED)?;
    let mut input = dot.stdin.take().context("dot takes no input")?;
    // dot reads all of its input before it writes.
    input.write_all(graph.as_bytes()).context("dot does not read its input")?;
    drop(input);
    let done = dot.wait_with_output().context("dot did not end")?;
    if !done.status.success() {
        bail!("dot: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    Ok(done.stdout)
}

fn calls(at: usize, index: &Index<'_>, reflection: &Reflection, text: &mut String) -> Result<()> {
    // A kernel's entry point only calls the function of the same name, so both become one node.
    let mut entries: HashMap<u32, &str> = HashMap::new();
    for entry in &reflection.entry_points {
        entries.entry(entry.id).or_insert(&entry.name);
    }
    let names: HashSet<&str> = reflection.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    let name = |id: u32| {
        let entry = entries.get(&id).map(|&name| name.to_owned());
        let name = entry.or_else(|| index.name(id)).unwrap_or_else(|| format!("%{id}"));
        (quoted(&format!("{at} {name}")), name)
    };
    for entry in &reflection.entry_points {
        let (node, label) = name(entry.id);
        writeln!(text, "    {node} [label={}, style=filled, fillcolor=lightblue];", quoted(&label))?;
    }
    for function in &reflection.call_graph.functions {
        let (node, label) = name(function.id);
        if !names.contains(label.as_str()) {
            writeln!(text, "    {node} [label={}];", quoted(&label))?;
        }
        let edges = function.calls.iter().map(|&callee| (callee, ""));
        let pointers = function.takes_address_of.iter().map(|&callee| (callee, " [style=dashed]"));
        for (callee, style) in edges.chain(pointers) {
            let (to, _) = name(callee);
            if to != node {
                writeln!(text, "    {node} -> {to}{style};")?;
            }
        }
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text).replace('\\', "\\\\").replace('"', "\\\""))
}

//! `pi image compile`

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use serde_json::json;
use sycl_pi_compiler::{Language, Source};
use sycl_pi_image::derive;
use sycl_pi_image::text::write_prop;

use super::file;
use crate::output::{CommandStatus, Output};
use crate::written::{Written, has_neighbours};

#[derive(Args)]
pub struct CompileArguments {
    /// The source file: .cl is OpenCL C, .clcpp is C++ for OpenCL.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The SPIR-V file to write. The property file gets the same name with .prop.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The language, if the file's extension does not determine it.
    #[arg(long, value_enum)]
    pub language: Option<SourceLanguage>,
    /// Options for clang.
    #[arg(last = true, value_name = "CLANG_OPTION")]
    pub options: Vec<OsString>,
}

/// A language that `pi image compile` accepts.
#[derive(Clone, Copy, ValueEnum)]
pub enum SourceLanguage {
    /// OpenCL C, version 2.0 unless an option selects another.
    OpenclC,
    /// C++ for OpenCL 2021.
    CppForOpencl,
}

pub fn run(arguments: &CompileArguments, output: &mut Output) -> Result<CommandStatus> {
    let (path, text) = (&arguments.file, file::text(&arguments.file)?);
    let name = path.display().to_string();
    file::check_spirv_output(&arguments.output)?;
    let source = Source::new(&name, &text).with_language(language(arguments, &name)?);
    // Includes of files next to the source are found as if clang had opened it itself.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let source = source.with_folder(folder).with_options(&arguments.options);
    let compiler = sycl_pi_compiler::find()?;
    let compiled = compiler.compile(&source)?;
    let included = compiler.included(&source)?;
    let derived = derive::derive(&compiled.code).map_err(|error| error.in_file(&name))?;

    let prop = arguments.output.with_extension("prop");
    let inputs = included.iter().map(PathBuf::as_path).chain([path.as_path()]);
    let mut written = Written::apart_from(inputs);
    written.add(&arguments.output, &compiled.code)?;
    let neighbours = has_neighbours(&arguments.output);
    if neighbours {
        let text = write_prop(&prop.display().to_string(), &derived.properties.encode())?;
        written.add(&prop, text.as_bytes())?;
    }
    written.finish()?;
    if !compiled.log.is_empty() {
        output.warning(&compiled.log);
    }
    let used = compiler.candidate().to_string();
    if output.is_json() {
        let prop = neighbours.then_some(prop);
        output.value(&json!({
            "file": arguments.output, "properties": prop, "entries": derived.entries, "compiler": used,
            "warnings": compiled.log,
        }))?;
        return Ok(CommandStatus::Fine);
    }
    output.line(format!("{}: {}", arguments.output.display(), derived.entries.join(" ")))?;
    output.line(format!("compiled by {used}"))?;
    Ok(CommandStatus::Fine)
}

/// Returns the requested language, or the one of the file's extension.
fn language(arguments: &CompileArguments, name: &str) -> Result<Language> {
    match arguments.language {
        Some(SourceLanguage::OpenclC) => Ok(Language::OpenClC),
        Some(SourceLanguage::CppForOpencl) => Ok(Language::CppForOpenCl),
        None => Language::of_name(name).with_context(|| {
            format!(
                "{name}: the ending does not determine the language; .cl is OpenCL C and .clcpp is C++ for OpenCL, or pass --language. SYCL needs a \
                 SYCL compiler: docs/guide/compile.md"
            )
        }),
    }
}

//! `cargo xtask docs`: the documentation as a searchable book in `target/book/html`.

use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Args;

use crate::cargo_tool::CargoTool;
use crate::process;
use crate::provision::python;
use crate::ui::Step;
use crate::workspace;

/// Without its server, which is not needed here and takes most of the build time.
const MDBOOK: CargoTool = CargoTool {
    name: "mdbook",
    file: "mdbook",
    version: "0.5.4",
    options: &["--no-default-features", "--features", "search"],
};

/// Arguments of `docs`.
#[derive(Debug, Args)]
pub(crate) struct DocsArgs {}

/// Creates the book. A broken link is an error.
pub(crate) fn run(_args: &DocsArgs) -> Result<ExitCode> {
    let mdbook = MDBOOK.ensure()?;
    let step = Step::start("making the book");
    let mut script = Command::new(python::any()?);
    script
        .arg("-B")
        .arg(workspace::root().join("docs/book.py"))
        .arg(mdbook)
        .arg(workspace::target().join("book"));
    step.done(&process::text(&mut script)?);
    Ok(ExitCode::SUCCESS)
}

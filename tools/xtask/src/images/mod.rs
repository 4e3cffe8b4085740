//! `cargo xtask images`: every device image of a folder through the runtime, on each plugin and driver, as a table.

mod page;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::provision::opencl::{self, Driver};
use crate::ui::Step;
use crate::{plugin, process, workspace};

/// Releases whose plugins are tried beside ours, where `cargo xtask clients` has unpacked them.
const VENDORS: [&str; 2] = ["2023.2.4", "2024.2.2"];

/// Arguments of `images`.
#[derive(Debug, Args)]
pub(crate) struct ImagesArgs {
    /// The folder with NAME.spv and NAME.props.json; by default the repository's copy
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// A plugin to try, several times for several; by default ours and the vendor's that are at hand
    #[arg(long, value_name = "FILE")]
    plugin: Vec<PathBuf>,
    /// Where the page is written
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A plugin on a driver, and what came of each image.
#[derive(Debug)]
struct Stack {
    plugin: String,
    driver: String,
    device: String,
    images: Vec<Line>,
}

/// What came of an image.
#[derive(Debug)]
struct Line {
    image: String,
    outcome: String,
    detail: String,
}

/// Tries every image on every stack and writes the page; fails where a refusal or a success is not the right one.
pub(crate) fn run(args: &ImagesArgs) -> Result<ExitCode> {
    let root = workspace::root();
    let folder = args.images.clone().unwrap_or_else(|| root.join("runtime/image/tests/images"));
    let plugins = if args.plugin.is_empty() { plugins()? } else { named(&args.plugin) };
    let suite = build()?;
    let mut stacks = Vec::new();
    for driver in [Driver::Intel2023, Driver::IntelCurrent] {
        let environment = opencl::ensure(driver)?;
        for (name, plugin) in &plugins {
            let step = Step::start(format!("images on {name} with {driver}"));
            let mut command = Command::new(&suite);
            command.arg(&folder).arg(plugin).envs(environment.variables());
            let output = match process::output(&mut command) {
                Ok(output) => output,
                Err(error) => {
                    step.done(&format!("not tried: {error:#}"));
                    continue;
                }
            };
            let stack = read(name, &format!("{driver}"), &String::from_utf8_lossy(&output.stdout));
            step.done(&page::sum(&stack));
            stacks.push(stack);
        }
    }
    ensure!(!stacks.is_empty(), "no plugin could be tried");
    let out = args.out.clone().unwrap_or_else(|| root.join("docs/images.md"));
    std::fs::write(&out, page::page(&stacks)).with_context(|| format!("cannot write {}", out.display()))?;
    let wrong = stacks.iter().flat_map(|stack| &stack.images).any(|line| line.outcome == "wrong");
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn plugins() -> Result<Vec<(String, PathBuf)>> {
    plugin::build()?;
    let mut all = vec![("ours".to_owned(), workspace::our_plugin())];
    for release in VENDORS {
        let folder = workspace::target().join("clients").join(release).join("vendor/lib");
        let plugin = folder.join("libpi_opencl.so");
        if plugin.exists() {
            all.push((format!("vendor's of {release}"), plugin));
        }
    }
    Ok(all)
}

fn named(plugins: &[PathBuf]) -> Vec<(String, PathBuf)> {
    let name = |path: &Path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    plugins.iter().map(|plugin| (name(plugin), plugin.clone())).collect()
}

/// Builds the runtime's `image-suite`.
fn build() -> Result<PathBuf> {
    let step = Step::start("build of the image suite");
    let mut command = process::cargo();
    command.args(["build", "--release", "-p", "pi-runtime", "--example", "image-suite", "--target-dir"]);
    process::output(command.arg(workspace::target()))?;
    step.done("");
    Ok(workspace::target().join("release/examples/image-suite"))
}

fn read(plugin: &str, driver: &str, text: &str) -> Stack {
    let mut stack =
        Stack { plugin: plugin.into(), driver: driver.into(), device: String::new(), images: Vec::new() };
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields.as_slice() {
            ["device", name, version] => stack.device = format!("{name}, driver {version}"),
            ["image", image, outcome, detail] => stack.images.push(Line {
                image: (*image).into(),
                outcome: (*outcome).into(),
                detail: (*detail).into(),
            }),
            _ => {}
        }
    }
    stack
}

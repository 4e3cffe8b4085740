//! `cargo xtask images`: every device image of a folder through the runtime, on each plugin and driver, as a table.

pub(crate) mod bare;
mod page;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::backend::Backend;
use crate::provision::environment::{self, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::releases;
use crate::ui::Step;
use crate::{process, release, workspace};

/// Releases whose plugins are tried too.
const VENDORS: [&str; 2] = ["2023.2.4", "2024.2.2"];

/// Arguments of `images`.
#[derive(Debug, Args)]
pub(crate) struct ImagesArgs {
    /// The folder with NAME.spv and NAME.props.json; by default the repository's copy
    #[arg(long, value_name = "DIR")]
    images: Option<PathBuf>,
    /// A plugin to try, several times for several; by default ours and two of the vendor's
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

/// Tries every image on every stack and writes the page; fails where a refusal or a success is not the right one, or where a
/// process ended that does not end with the driver alone.
pub(crate) fn run(args: &ImagesArgs) -> Result<ExitCode> {
    let root = workspace::root();
    let folder = args.images.clone().unwrap_or_else(|| root.join("runtime/image/tests/images"));
    let plugins = if args.plugin.is_empty() { plugins()? } else { named(&args.plugin) };
    let suite = release::build_test_program("testing-programs", "image-suite")?;
    let bare = bare::program()?;
    let mut stacks = Vec::new();
    for driver in [Driver::Intel2023, Driver::IntelCurrent] {
        let environment = opencl::ensure(driver)?;
        let alone = bare::run(&bare, driver, &environment, &folder)?;
        let first = stacks.len();
        for (name, plugin) in &plugins {
            let step = Step::start(format!("images on {name} with {driver}"));
            let mut command = Command::new(&suite);
            command.arg(&folder).arg(plugin).envs(environment.variables());
            let output = process::output(&mut command)
                .with_context(|| format!("{name} ({}) on {driver}", plugin.display()))?;
            let mut stack = read(name, &format!("{driver}"), &String::from_utf8_lossy(&output.stdout));
            judge_crashes(&mut stack, &alone);
            step.done(&page::sum(&stack));
            stacks.push(stack);
        }
        let device = stacks.get(first).map_or_else(String::new, |stack| stack.device.clone());
        stacks.insert(first, Stack { device, ..alone });
    }
    let out = args.out.clone().unwrap_or_else(|| root.join("docs/reports/images.md"));
    std::fs::write(&out, page::page(&stacks)).with_context(|| format!("cannot write {}", out.display()))?;
    let wrong: Vec<&Line> =
        stacks.iter().flat_map(|stack| &stack.images).filter(|line| line.outcome == "wrong").collect();
    for line in &wrong {
        println!("{}: {}", line.image, line.detail);
    }
    println!("{} stacks, {} wrong outcomes; {}", stacks.len(), wrong.len(), out.display());
    Ok(if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A crash is the driver's if the driver dies of the same image alone; otherwise it is a mistake.
fn judge_crashes(stack: &mut Stack, alone: &Stack) {
    for line in stack.images.iter_mut().filter(|line| line.outcome == "driver crash") {
        let dies = alone.images.iter().any(|other| other.image == line.image && other.outcome == "dies");
        if !dies {
            line.outcome = "wrong".into();
            line.detail =
                format!("the process ended ({}), though it does not with the driver alone", line.detail);
        }
    }
}

fn plugins() -> Result<Vec<(String, PathBuf)>> {
    release::build(Backend::OpenCl.packages())?;
    let mut all = vec![("ours".to_owned(), workspace::our_plugin())];
    for version in VENDORS {
        let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
        let environment = environment::ensure(release, Flavour::Vendor)?;
        all.push((format!("vendor's of {version}"), environment.plugin().to_path_buf()));
    }
    Ok(all)
}

fn named(plugins: &[PathBuf]) -> Vec<(String, PathBuf)> {
    let name = |path: &Path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    plugins.iter().map(|plugin| (name(plugin), plugin.clone())).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(outcome: &str) -> Stack {
        let line = Line { image: "a".into(), outcome: outcome.into(), detail: "build: signal 11".into() };
        Stack { plugin: String::new(), driver: String::new(), device: String::new(), images: vec![line] }
    }

    #[test]
    fn a_crash_counts_as_the_drivers_only_where_the_driver_dies_alone() {
        let mut crashed = stack("driver crash");
        judge_crashes(&mut crashed, &stack("dies"));
        assert_eq!(crashed.images[0].outcome, "driver crash");
        judge_crashes(&mut crashed, &stack("builds"));
        assert_eq!(crashed.images[0].outcome, "wrong");
    }
}

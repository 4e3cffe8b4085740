//! What the driver itself makes of an image, without any plugin: a C program of one page that builds it, in a process of its
//! own. With it a crash is known to be the driver's.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use testing_process::{End, Finished};

use super::{Line, Stack};
use crate::fsutil;
use crate::process;
use crate::provision::opencl::{Driver, OpenClEnvironment};
use crate::ui::Step;
use crate::workspace;

const SOURCE: &str = include_str!("../../shim/bare_build.c");

/// Builds the program.
pub(crate) fn program() -> Result<PathBuf> {
    let folder = workspace::target().join("images").join("bare");
    fsutil::build_folder(&folder, &format!("1 {SOURCE}"), |inside| {
        let source = inside.join("bare_build.c");
        std::fs::write(&source, SOURCE)?;
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1"]).arg(&source);
        process::output(cc.arg("-o").arg(inside.join("bare_build")).arg("-ldl"))?;
        Ok(())
    })?;
    Ok(folder.join("bare_build"))
}

/// Builds every image of a folder with the driver alone.
pub(super) fn run(
    program: &Path,
    driver: Driver,
    environment: &OpenClEnvironment,
    folder: &Path,
) -> Result<Stack> {
    let step = Step::start(format!("images on {driver} without a plugin"));
    let mut images = Vec::new();
    for image in names(folder)? {
        step.note(&image);
        let properties = std::fs::read_to_string(folder.join(format!("{image}.props.json")))?;
        // One that imports is complete only with others: it is compiled, not built.
        let how = if properties.contains("SYCL/imported symbols") { "compile" } else { "build" };
        let mut command = Command::new(program);
        command.arg(folder.join(format!("{image}.spv"))).args([how, ""]);
        let finished = process::tested(command.envs(environment.variables()))?;
        let (outcome, detail) = outcome(&finished)?;
        images.push(Line { image, outcome: outcome.into(), detail });
    }
    let stack = Stack {
        plugin: "none: the bare driver".into(),
        driver: driver.to_string(),
        device: String::new(),
        images,
    };
    step.done(&super::page::sum(&stack));
    Ok(stack)
}

fn outcome(finished: &Finished) -> Result<(&'static str, String)> {
    let text = finished.stdout_text().split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(match finished.end {
        End::Code(0) => ("builds", text),
        End::Code(1) => ("refuses", text),
        End::Signal(signal) => ("dies", format!("signal {signal}")),
        _ => bail!("bare_build: {}", finished.summary(20)),
    })
}

/// The images of a folder.
fn names(folder: &Path) -> Result<Vec<String>> {
    let files = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let files = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> =
        files.filter_map(|file| file.strip_suffix(".props.json").map(str::to_owned)).collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(end: End, stdout: &str) -> Finished {
        Finished { end, stdout: stdout.into(), stderr: Vec::new() }
    }

    #[test]
    fn a_signal_is_the_drivers_death() {
        assert_eq!(outcome(&finished(End::Signal(11), "")).unwrap(), ("dies", "signal 11".into()));
        assert_eq!(
            outcome(&finished(End::Code(1), "-11: no\nmore")).unwrap(),
            ("refuses", "-11: no more".into())
        );
        assert_eq!(outcome(&finished(End::Code(0), "")).unwrap().0, "builds");
        assert!(outcome(&finished(End::Code(2), "")).is_err());
    }
}

//! Mutated modules: what they give on the software GPU, beside what they give on Intel's CPU runtime.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::provision::opencl::{self, Driver};
use crate::provision::software_cuda;
use crate::release;
use crate::ui::Step;
use crate::workspace;

/// What came of mutated modules.
#[derive(Debug, Default)]
pub(super) struct Mutated {
    count: u64,
    /// Both gave the same.
    same: u64,
    /// The CPU runtime refused them, or ended.
    not_on_cpu: u64,
    /// They failed to build here.
    not_here: u64,
    /// Both gave something, and not the same; or the process here ended.
    pub(super) broken: Vec<String>,
}

impl fmt::Display for Mutated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for broken in &self.broken {
            writeln!(f, "{broken}")?;
        }
        write!(
            f,
            "{} mutated modules: {} give what they give on the CPU runtime, {} fail to build, {} have no result on the CPU runtime, \
             {} are wrong",
            self.count,
            self.same,
            self.not_here,
            self.not_on_cpu,
            self.broken.len()
        )
    }
}

/// The packages that have to be built.
const PACKAGES: &[&str] = &["pi_opencl", "pi_cuda", "pi-nvvm", "software-cuda", "software-nvvm"];

/// Writes so many mutated modules, runs each on both, and compares.
pub(super) fn mutate(count: u64, seed: u64) -> Result<Mutated> {
    release::build(PACKAGES)?;
    let [modules, runner] = programs()?;
    let folder = workspace::target().join("mutants");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut write = Command::new(modules);
    write.arg("mutate").arg(format!("--count={count}")).arg(format!("--seed={seed}")).arg(&folder);
    process::output(&mut write)?;
    let cpu = opencl::ensure(Driver::Intel2023)?;
    let cpu: Vec<_> = cpu.variables().map(|(name, value)| (name, value.clone())).collect();
    // The software GPU needs no other library.
    let gpu = software_cuda::variables(Path::new("/nowhere"))?;
    for (suffix, plugin, variables) in [("cpu", "libpi_opencl.so", cpu), ("gpu", "libpi_cuda.so", gpu)] {
        let step = Step::start(format!("{count} mutated modules on {plugin}"));
        let mut from = 0;
        // A driver may end the process: the next one goes on behind that module.
        while from < count {
            let mut command = Command::new(&runner);
            command.arg(release::file(plugin)).arg(&folder).arg(suffix).arg(from.to_string());
            command.envs(variables.iter().cloned()).stdin(Stdio::null());
            let output = command.output().context("mutants cannot be started")?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            match text.lines().last() {
                Some("end") => break,
                Some(number) => {
                    let number: u64 =
                        number.parse().with_context(|| format!("mutants printed {number:?}"))?;
                    let why = format!("the process ended with {}", output.status);
                    fs::write(folder.join(format!("{number}.{suffix}.ended")), why)?;
                    from = number + 1;
                }
                None => bail!("mutants on {plugin}: {}", process::tail(&output, 20)),
            }
        }
        step.done("");
    }
    compare(&folder, count)
}

/// The two programs, which need no optimisation.
fn programs() -> Result<[PathBuf; 2]> {
    let step = Step::start("building nvvm-modules and mutants");
    for (package, program) in [("testing-nvvm", "nvvm-modules"), ("testing-programs", "mutants")] {
        let mut command = process::cargo();
        command.args(["build", "--package", package, "--bin", program, "--target-dir"]);
        process::output(command.arg(workspace::target()))?;
    }
    step.done("");
    Ok(["nvvm-modules", "mutants"].map(|name| workspace::target().join("debug").join(name)))
}

fn compare(folder: &Path, count: u64) -> Result<Mutated> {
    let mut mutated = Mutated { count, ..Mutated::default() };
    for number in 0..count {
        let file = |end: &str| folder.join(format!("{number}.{end}"));
        let (cpu, gpu) = (fs::read(file("cpu")).ok(), fs::read(file("gpu")).ok());
        let ended = fs::read_to_string(file("gpu.ended")).ok();
        match (cpu, gpu, ended) {
            (_, _, Some(why)) => mutated.broken.push(format!("{}: {why}", file("text").display())),
            (_, None, None) => mutated.not_here += 1,
            (None, Some(_), None) => mutated.not_on_cpu += 1,
            (Some(cpu), Some(gpu), None) => {
                let is_float = ["float", "double"].iter().any(|ty| file(&format!("{ty}.spv")).exists());
                match difference(&cpu, &gpu, is_float) {
                    None => mutated.same += 1,
                    Some(at) => mutated.broken.push(format!(
                        "{}: row {at} differs: {}.cpu and {number}.gpu",
                        file("text").display(),
                        number
                    )),
                }
            }
        }
    }
    Ok(mutated)
}

/// Rows of each module's numbers.
const ROWS: usize = 64;

/// The first row that differs. Integers are equal bit by bit. Floating-point numbers are equal, or none of both is a number.
fn difference(cpu: &[u8], gpu: &[u8], is_float: bool) -> Option<usize> {
    let number = |bytes: &[u8]| match bytes.len() {
        4 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap_or_default())),
        _ => f64::from_le_bytes(bytes.try_into().unwrap_or_default()),
    };
    let same = |cpu: &[u8], gpu: &[u8]| {
        let (a, b) = (number(cpu), number(gpu));
        cpu == gpu || is_float && (a == b || a.is_nan() && b.is_nan())
    };
    if cpu.len() != gpu.len() || cpu.len() < ROWS {
        return Some(0);
    }
    let size = cpu.len() / ROWS;
    cpu.chunks(size).zip(gpu.chunks(size)).position(|(cpu, gpu)| !same(cpu, gpu))
}

#[cfg(test)]
mod tests {
    use super::{ROWS, difference};

    #[test]
    fn integers_are_equal_bit_by_bit_and_zeros_of_both_signs_are_one_number() {
        let bytes = |first: f32| {
            [vec![first], vec![f32::NAN; ROWS - 1]]
                .concat()
                .iter()
                .flat_map(|n| n.to_le_bytes())
                .collect::<Vec<u8>>()
        };
        assert_eq!(difference(&bytes(0.0), &bytes(-0.0), true), None);
        assert_eq!(difference(&bytes(0.0), &bytes(-0.0), false), Some(0));
        assert_eq!(difference(&bytes(1.0), &bytes(1.000_000_1), true), Some(0));
    }
}

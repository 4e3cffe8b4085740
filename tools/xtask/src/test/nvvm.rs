//! SPIR-V for NVIDIA GPUs, without one.

use std::process::Command;

use anyhow::{Result, anyhow};

use crate::backend::Backend;
use crate::process;
use crate::provision::environment::{self, Flavour};
use crate::provision::{libnvvm, software_cuda};
use crate::release;
use crate::releases;
use crate::sample;
use crate::script;
use crate::test::clients;
use crate::test_programs::Tests;
use crate::totals::{self, Totals};
use crate::workspace;

/// The release whose stock dpctl is executed through the translator.
const EXECUTED: &str = "2023.2.4";

/// Runs the tests of the translator, and a sample of stock modules.
pub(crate) fn run() -> Result<Totals> {
    software_cuda::ensure_llvm()?;
    release::build(&["pi-nvvm", "software-nvvm", "software-cuda"])?;
    let libnvvm = libnvvm::ensure()?;
    let mut sum = totals::step("what the translator from SPIR-V to NVVM IR means", || {
        let tests = Tests::of("testing-nvvm")?.arg("--include-ignored");
        let built = workspace::target().join("release");
        tests
            .env("PI_NVVM", &libnvvm)
            .env("PI_NVVM_COMPILER", release::file("pi-nvvm"))
            .env("PI_TEST_BUILT", built)
            .run()
    })?;
    for what in [&["--sample", "30"], &["--fuzz", "20000"], &["--mutate", "60"]] {
        let arguments = ["--release", "2026.2.0", "--seed", "7"].into_iter().chain(*what);
        sum += script::run("testing/nvvm/nvvm.py", &arguments.collect::<Vec<_>>())?;
    }
    // The last eighth of 256 neighbouring seeds requires sub-groups of a certain size.
    let kernels = ["--seed", "7", "--from", "192", "--count", "64"];
    sum += script::run("testing/random-kernels/random_kernels.py", &kernels)?;
    release::build(Backend::Cuda.packages())?;
    release::build(&["testing-builtins"])?;
    let thirds = ["0", "1", "2"];
    for first in sample::of_the_day("every third built-in function from number", "nvvm", &thirds, 1, 0) {
        let few = ["--sample", "--every", "3", "--from", first];
        sum += script::run("testing/builtins/builtins.py", &few)?;
    }
    // Sums, with barriers and sub-groups. `testing/clients/clients.py --backend cuda` runs whole suites.
    sum += clients::dpctl(EXECUTED, Backend::Cuda, "dpctl/tests/test_tensor_")?;
    sum += totals::step("a second start of stock dpctl compiles nothing", second_start)?;
    Ok(sum)
}

/// Sums a row with an empty cache of programs, and again. The plugin logs each compilation.
fn second_start() -> Result<Totals> {
    let release = releases::find_any(EXECUTED).map_err(|_| anyhow!("release {EXECUTED} is not known"))?;
    let environment = environment::ensure_for(release, Flavour::Ours, Backend::Cuda)?;
    let cache = tempfile::tempdir()?;
    let compilations = || {
        let mut python = Command::new(environment.python());
        python.args(["-c", "import dpctl.tensor as t; print(int(t.sum(t.arange(1000))))"]);
        python.envs(environment.variables()?).env("SYCL_CACHE_DIR", cache.path()).env("PI_LOG", "debug");
        let output = process::output(&mut python)?;
        let sum = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok::<_, anyhow::Error>((sum, log.matches("bytes of IR in").count()))
    };
    let (first, second) = (compilations()?, compilations()?);
    println!("compilations: {} at the first start, {} at the second", first.1, second.1);
    Ok(Totals::of_one(first.0 == "499500" && second.0 == first.0 && first.1 > 0 && second.1 == 0))
}

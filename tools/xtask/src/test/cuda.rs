//! The CUDA plugin on the software driver: its tests, the conformance harness, stock releases of DPC++, stock dpnp.

use anyhow::Result;

use crate::conformance;
use crate::conformance::{object_counter, subject};
use crate::provision::libnvvm;
use crate::script;
use crate::test::harness;
use crate::test_programs::Tests;
use crate::totals::{self, Totals};
use crate::workspace;

/// Runs all of them.
pub(crate) fn run() -> Result<Totals> {
    let mut sum = tests()?;
    sum += libnvvm_tests()?;
    let cuda = subject::software_cuda()?;
    let what = "the CUDA plugin on the software driver";
    sum += harness::conformance(
        what,
        &cuda.file,
        &conformance::versions(what, "cuda", 0),
        Some(&object_counter::of(&cuda)?),
        cuda.variables.iter().cloned(),
    )?;
    sum += harness::without_options(what, &cuda.file, "15.47", cuda.variables)?;
    sum += script::run("testing/gpu-bundle/stock.py", &["--test"])?;
    sum += script::run("testing/cuda/dpctl/dpnp_suite.py", &["--every", "80"])?;
    Ok(sum)
}

fn tests() -> Result<Totals> {
    totals::step("the CUDA plugin's tests on the software driver", || {
        Tests::of("testing-cuda")?.env("PI_TEST_BUILT", workspace::target().join("release")).run()
    })
}

/// Tests workers with NVIDIA's own library.
fn libnvvm_tests() -> Result<Totals> {
    let libnvvm = libnvvm::ensure()?;
    totals::step("workers that run libnvvm", || {
        let tests = Tests::of("pi-nvvm")?.arg("--include-ignored").arg("--skip=as_a_child");
        tests.env("PI_NVVM", &libnvvm).run()
    })
}

//! C and C++ programs that include `pi.h` and load the built plugin: CMake and CTest.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::release;
use crate::totals::{self, Totals};
use crate::workspace;

/// Configures, builds and runs `ctests/`.
pub(crate) fn run() -> Result<Totals> {
    if !process::succeeds(Command::new("cmake").arg("--version")) {
        python::install_debian_packages(&["cmake"])?;
    }
    totals::step("C and C++ programs on the header and the plugin", || {
        let build = workspace::target().join("ctests");
        let mut plugin = OsString::from("-DPI_OPENCL_PLUGIN=");
        plugin.push(workspace::our_plugin());
        let mut configure = Command::new("cmake");
        let mut runtime = OsString::from("-DPI_RUNTIME_LIBRARY=");
        runtime.push(release::file("libpi_runtime.so"));
        configure
            .arg("-S")
            .arg(workspace::root().join("ctests"))
            .arg("-B")
            .arg(&build)
            .args([plugin, runtime]);
        process::output(&mut configure)?;
        process::output(Command::new("cmake").arg("--build").arg(&build).args(["--parallel", "2"]))?;
        let driver = opencl::ensure(Driver::IntelCurrent)?;
        let mut ctest = Command::new("ctest");
        Totals::of_ctest(
            ctest.arg("--test-dir").arg(&build).arg("--output-on-failure").envs(driver.variables()),
        )
    })
}

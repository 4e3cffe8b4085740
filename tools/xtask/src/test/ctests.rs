//! C and C++ programs that include `pi.h` and load the built plugin: CMake and CTest.

use std::ffi::OsString;
use std::process::Command;

use anyhow::Result;

use crate::process;
use crate::provision::python;
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
        configure.arg("-S").arg(workspace::root().join("ctests")).arg("-B").arg(&build).arg(plugin);
        process::output(&mut configure)?;
        process::output(Command::new("cmake").arg("--build").arg(&build))?;
        Totals::of_ctest(Command::new("ctest").arg("--test-dir").arg(&build).arg("--output-on-failure"))
    })
}

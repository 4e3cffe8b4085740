//! The Debian package: what `lintian` says, and programs that find the library with CMake and with pkg-config.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::wheel::{outcome, said};
use crate::dist;
use crate::process;
use crate::provision::opencl::{self, Driver};
use crate::provision::python;
use crate::totals::Totals;
use crate::workspace;

/// A project that uses the package, with one of our examples as its program.
const PROJECT: &str = include_str!("../../../dist/find_package.cmake");

/// Unpacks the package and tries it.
pub(super) fn run(deb: &Path) -> Result<Totals> {
    for (program, package) in [("lintian", "lintian"), ("cmake", "cmake"), ("pkg-config", "pkg-config")] {
        if !process::succeeds(Command::new(program).arg("--version")) {
            python::install_debian_packages(&[package])?;
        }
    }
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let root = scratch.path().join("root");
    process::output(Command::new("dpkg-deb").arg("--extract").arg(deb).arg(&root))?;
    let work = scratch.path().join("work");
    fs::create_dir(&work)?;
    let mut sum = Totals::default();
    for (what, done) in [
        ("lintian", lintian(deb)),
        ("the files of the package", files(&root)),
        ("find_package(sycl-pi)", find_package(&root, &work)),
        ("pkg-config", pkg_config(&root, &work)),
    ] {
        if let Err(error) = &done {
            println!("{what}: {error:#}");
        }
        sum += Totals::of_one(done.is_ok());
    }
    Ok(sum)
}

fn lintian(deb: &Path) -> Result<()> {
    let mut command = Command::new("lintian");
    let output = outcome(command.args(["--fail-on", "error", "--allow-root"]).arg(deb))?;
    let text = said(&output);
    // A crash of lintian is no verdict.
    if !output.status.success() || text.lines().any(|line| line.starts_with("E: ")) {
        bail!("{}\n{text}", output.status);
    }
    Ok(())
}

/// The link to `pi` leads to the program, which finds its libraries and its man pages lie beside those of others.
fn files(root: &Path) -> Result<()> {
    let version = process::text(Command::new(root.join("usr/bin/pi")).arg("--version"))?;
    if version != format!("pi {}", dist::VERSION) {
        bail!("pi --version says {version:?}");
    }
    for file in [
        "lib/sycl-pi/libpi_opencl.so",
        "lib/sycl-pi/libur_adapter_opencl.so",
        "lib/sycl-pi/pi-nvvm",
        "include/pi/pi.h",
        "share/man/man1/pi-install.1.gz",
        "share/bash-completion/completions/pi",
        "share/zsh/vendor-completions/_pi",
        "share/fish/vendor_completions.d/pi.fish",
        "share/doc/sycl-pi/copyright",
    ] {
        let file = root.join("usr").join(file);
        if !file.is_file() {
            bail!("there is no {}", file.display());
        }
    }
    Ok(())
}

fn find_package(root: &Path, work: &Path) -> Result<()> {
    let source = work.join("source");
    fs::create_dir(&source)?;
    fs::write(source.join("CMakeLists.txt"), PROJECT)?;
    let build = work.join("build");
    let define = |name: &str, value: PathBuf| format!("-D{name}={}", value.display());
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(&source).arg("-B").arg(&build);
    configure.arg(define("CMAKE_PREFIX_PATH", root.join("usr"))).arg(define("EXAMPLES", examples()));
    process::output(&mut configure)?;
    process::output(Command::new("cmake").arg("--build").arg(&build))?;
    adds_two_vectors(&build.join("add_two_vectors"))
}

fn pkg_config(root: &Path, work: &Path) -> Result<()> {
    let mut flags = Command::new("pkg-config");
    flags.args(["--cflags", "--libs", "sycl-pi"]);
    flags.env("PKG_CONFIG_PATH", root.join("usr/lib/pkgconfig")).env("PKG_CONFIG_ALLOW_SYSTEM_CFLAGS", "1");
    let flags = process::text(&mut flags)?;
    let program = work.join("with_pkg_config");
    let mut cc = Command::new("cc");
    cc.arg(examples().join("add_two_vectors.c")).arg("-o").arg(&program).args(flags.split_whitespace());
    process::output(&mut cc)?;
    adds_two_vectors(&program)
}

/// Runs the program, which checks its sums itself, on a driver. The plugin is the one beside `libpi_runtime.so`: nothing else names one.
fn adds_two_vectors(program: &Path) -> Result<()> {
    let driver = opencl::ensure(Driver::IntelCurrent)?;
    let mut command = Command::new(program);
    command.arg(workspace::root().join("runtime/image/tests/images")).envs(driver.variables());
    for name in ["PI_PLUGIN_PATH", "SYCL_OVERRIDE_PI_OPENCL", "ONEAPI_DEVICE_SELECTOR", "SYCL_DEVICE_FILTER"]
    {
        command.env_remove(name);
    }
    let text = process::text(&mut command).context("the program failed")?;
    if !text.contains("= 3.75") {
        bail!("the program says {text:?}");
    }
    Ok(())
}

fn examples() -> PathBuf {
    workspace::root().join("ctests/examples")
}

//! The real thing about two runtimes: stock libsycl.so.6 and libsycl.so.7 in one process, both on the one file of our plugin.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::provision::environment::{self, Environment, Flavour};
use crate::provision::opencl::{self, Driver};
use crate::releases;
use crate::test::tally::Tally;
use crate::ui::Step;
use crate::workspace;

/// One release of each libsycl, with its name.
const RELEASES: [(&str, &str); 2] = [("2023.2.4", "libsycl.so.6"), ("2024.2.2", "libsycl.so.7")];

/// Both copy through device memory at once; the plugin is loaded once.
pub(crate) fn run() -> Result<Tally> {
    let driver = opencl::ensure(Driver::Intel2023)?;
    let mut folders = Vec::new();
    let mut clients = Vec::new();
    for (version, library) in RELEASES {
        let Ok(release) = releases::find(version) else { bail!("release {version} is not known") };
        let vendor = environment::ensure(release, Flavour::Vendor)?;
        folders.push(with_our_plugin(version, library, &vendor)?);
        clients.push(vendor.site_packages().join("dpctl"));
    }
    let step = Step::start("stock libsycl.so.6 and libsycl.so.7 in one process on our plugin");
    let program = workspace::target().join("two-libsycl").join("two_libsycl");
    let source = workspace::root().join("testing/robustness/programs/two_libsycl.c");
    process::output(Command::new("cc").arg(source).arg("-o").arg(&program).args(["-lpthread", "-ldl"]))?;
    let mut command = Command::new(&program);
    command.args(&clients).envs(driver.variables());
    command.env("LD_LIBRARY_PATH", std::env::join_paths(&folders).context("a folder's name has a colon")?);
    let output = process::tested(&mut command)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let both = RELEASES.iter().all(|(_, library)| text.contains(library));
    let good = output.status.success() && both && text.lines().last() == Some("1 plugin files");
    if !good {
        println!("{}\n{}", output.status, process::tail(&output, 20));
    }
    let tally = Tally { passed: usize::from(good), failed: usize::from(!good), skipped: 0 };
    step.done(&tally.to_string());
    Ok(tally)
}

/// A folder with a release's libraries, and in the vendor's plugin's place the built one: the same file in both folders.
fn with_our_plugin(version: &str, library: &str, vendor: &Environment) -> Result<PathBuf> {
    let folder = workspace::target().join("two-libsycl").join(version);
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(vendor.lib())?.flatten().filter(|entry| entry.path().is_file()) {
        let name = entry.file_name();
        let text = name.to_string_lossy().into_owned();
        // Where a libsycl lies it looks for plugins, links followed: that one is copied.
        if text == library {
            place(&folder.join(&name), |to| fs::copy(entry.path(), to).map(drop))?;
        } else if !text.starts_with("libpi_") && !text.starts_with("libsycl.so") {
            place(&folder.join(&name), |to| symlink(entry.path(), to))?;
        }
    }
    let plugin = OsString::from("libpi_opencl.so");
    place(&folder.join(plugin), |to| symlink(workspace::our_plugin(), to))?;
    Ok(folder)
}

/// Makes a file anew.
fn place(path: &Path, make: impl FnOnce(&Path) -> std::io::Result<()>) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        fs::remove_file(path)?;
    }
    make(path).with_context(|| path.display().to_string())
}

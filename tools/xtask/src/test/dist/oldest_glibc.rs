//! The wheel's files on the glibc that they are built for. A cross-compiler for Node's add-ons brings one along, with its dynamic loader.
//!
//! Newer releases of glibc keep what older ones have. So this holds for all that are not older.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::wheel::{outcome, said};
use crate::dist;
use crate::fsutil;
use crate::process;
use crate::provision::debian::inside;
use crate::provision::wheels;
use crate::totals::Totals;
use crate::ui::Step;
use crate::workspace;

/// A package of Node's registry, and what its file is.
const PACKAGE: &str = "@napi-rs/cross-toolchain-x64-target-x86_64@1.0.0";
const SHA256: &str = "351f6ee9bc8e444dfb8ac6eddfe9daed02c9508399bd20c511e3f9e027d6e988";

/// Where the libraries are in the archive that the package has.
const LIBRARIES: &str = "./x86_64-unknown-linux-gnu/sysroot/lib";

/// Has the old loader resolve every symbol of every file, and runs `pi` where no other glibc is.
pub(super) fn run(wheel: &Path) -> Result<Totals> {
    if !process::succeeds(Command::new("npm").arg("--version")) {
        println!("there is no npm, which downloads the old glibc");
        return Ok(Totals { skipped: 1, ..Totals::default() });
    }
    let libraries = libraries()?;
    let scratch = tempfile::tempdir_in(workspace::target())?;
    let root = scratch.path().join("root");
    wheels::unpack(&[wheel.to_path_buf()], &root)?;
    let mut sum = Totals::default();
    let mut check = |what: &str, done: Result<()>| {
        if let Err(error) = &done {
            println!("{what}: {error:#}");
        }
        sum += Totals::of_one(done.is_ok());
    };
    let files = fs::read_dir(root.join(FILES))?.collect::<std::io::Result<Vec<_>>>()?;
    for file in &files {
        check(&file.file_name().to_string_lossy(), resolves(&libraries, &file.path()));
    }
    if process::succeeds(&mut inside(Path::new("/"), Path::new("true"))) {
        process::output(Command::new("cp").arg("--archive").arg(&libraries).arg(root.join("lib")))?;
        symlink("lib", root.join("lib64"))?;
        fs::create_dir(root.join("proc"))?;
        check("pi --version", pi(&root, &["--version"], &format!("pi {}", dist::VERSION)));
        // No driver is there. Each plugin is loaded all the same, and answers that it has no platform.
        for plugin in ["libpi_opencl.so", "libpi_level_zero.so", "libpi_cuda.so"] {
            check(plugin, pi(&root, &["ls", "-v"], &format!("/{FILES}/{plugin}")));
        }
    } else {
        println!("this user may not change the root folder: run it as root");
        sum.skipped += 1;
    }
    Ok(sum)
}

/// Where the wheel has its libraries and programs.
const FILES: &str = "sycl_pi/bin";

/// What `ldd -r` does, by the old loader: it finds each library and each symbol, also of functions that nobody has called yet.
fn resolves(libraries: &Path, file: &Path) -> Result<()> {
    let mut loader = Command::new(libraries.join("ld-linux-x86-64.so.2"));
    loader.arg("--library-path").arg(libraries).arg("--list").arg(file);
    let output = outcome(loader.env("LD_WARN", "yes").env("LD_BIND_NOW", "yes"))?;
    let text = said(&output);
    let finds_libc = text.contains(&format!("{}/libc.so.6", libraries.display()));
    if !output.status.success()
        || text.contains("undefined symbol")
        || text.contains("not found")
        || !finds_libc
    {
        bail!("{}\n{text}", output.status);
    }
    Ok(())
}

/// Runs `pi` in the root folder, where its output must have a text.
fn pi(root: &Path, arguments: &[&str], expected: &str) -> Result<()> {
    let mut pi = inside(root, &Path::new("/").join(FILES).join("pi"));
    let output = outcome(
        pi.args(arguments).env_clear().env("HOME", "/").env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
    )?;
    let text = said(&output);
    if !text.contains(expected) {
        bail!("{}, and its output does not have {expected:?}:\n{text}", output.status);
    }
    Ok(())
}

/// The folder with the old libraries, downloaded if it is not there.
fn libraries() -> Result<PathBuf> {
    let folder = workspace::roots().join(format!("glibc-{}", dist::GLIBC));
    if !fsutil::is_stamped(&folder, SHA256) {
        let step = Step::start(format!("downloading glibc {}, once", dist::GLIBC));
        fsutil::build_folder(&folder, SHA256, |inside| {
            let scratch = tempfile::tempdir_in(inside)?;
            process::output(
                Command::new("npm").args(["pack", "--silent", PACKAGE]).current_dir(scratch.path()),
            )?;
            let file = fs::read_dir(scratch.path())?.next().context("npm downloaded nothing")??.path();
            if process::sha256(&file)? != SHA256 {
                bail!("{PACKAGE} is not the file that it was");
            }
            let tar = |what: &Path, names: &str, to: &Path| {
                let mut tar = Command::new("tar");
                tar.arg("--extract").arg("--file").arg(what).arg("-C").arg(to).arg(names);
                process::output(&mut tar).map(drop)
            };
            let inner = "package/x86_64-unknown-linux-gnu.tar.xz";
            tar(&file, inner, scratch.path())?;
            tar(&scratch.path().join(inner), LIBRARIES, scratch.path())?;
            Ok(fs::rename(scratch.path().join(LIBRARIES), inside.join("lib"))?)
        })?;
        step.done("");
    }
    Ok(folder.join("lib"))
}

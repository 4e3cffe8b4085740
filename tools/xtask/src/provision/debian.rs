//! Debian in folders: root file systems made of its packages, and programs in them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::python;
use crate::ui::Step;
use crate::{fsutil, process, workspace};

/// A program in another root folder, with a /proc of its own that ends with it, and with the host's /sys: drivers read it.
pub(crate) fn inside(root: &Path, program: &Path) -> Command {
    const SCRIPT: &str = "root=$1; shift; mkdir -p \"$root/sys\" && mount --rbind /sys \"$root/sys\" && exec chroot \"$root\" \"$@\"";
    let mut command = Command::new("/usr/bin/unshare");
    let proc = root.join("proc");
    command.args(["--mount", "--pid", "--fork"]).arg(format!("--mount-proc={}", proc.display()));
    command.args(["/bin/sh", "-c", SCRIPT, "sh"]).arg(root).arg(program);
    command
}

/// The root folder of a release of Debian with some packages besides its base, made if it is not there.
pub(crate) fn root(suite: &str, packages: &str) -> Result<PathBuf> {
    let folder = workspace::roots().join(suite);
    let content = format!("1 {suite} {packages}");
    if !fsutil::is_stamped(&folder, &content) {
        if !process::succeeds(Command::new("debootstrap").arg("--version")) {
            python::install_debian_packages(&["debootstrap"])?;
        }
        let step = Step::start(format!("installing Debian {suite} into a folder, once"));
        fsutil::build_folder(&folder, &content, |inside| {
            let mut debootstrap = Command::new("debootstrap");
            debootstrap.arg("--variant=minbase").arg(format!("--include={packages}")).arg(suite);
            process::output(debootstrap.arg(inside)).map(drop)
        })?;
        step.done("");
    }
    Ok(folder)
}

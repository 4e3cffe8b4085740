//! Newer releases of Debian in folders, for OpenCL drivers that need a newer C library than the machine's.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;
use crate::provision::python;
use crate::ui::Step;
use crate::workspace;

/// A release of Debian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Suite {
    /// Debian 13: PoCL 6.0, Mesa 25.0.
    Trixie,
    /// The one after Debian 13, while it is made: PoCL 7.1, Mesa 26.1.
    Forky,
}

impl Suite {
    fn name(self) -> &'static str {
        match self {
            Suite::Trixie => "trixie",
            Suite::Forky => "forky",
        }
    }

    /// Returns the path of the folder, even if it does not exist yet.
    pub(crate) fn folder(self) -> PathBuf {
        workspace::roots().join(self.name())
    }

    /// Whether the folder is complete.
    pub(crate) fn is_made(self) -> bool {
        workspace::roots().join(format!("{}.packages", self.name())).exists()
    }
}

/// The drivers, and Python with the libraries that other builds of it need.
const PACKAGES: [&str; 5] = ["python3", "ocl-icd-libopencl1", "clinfo", "pocl-opencl-icd", "mesa-opencl-icd"];

/// Makes the folder if it is not there: minutes, and 1.1 GB.
pub(crate) fn ensure(suite: Suite) -> Result<PathBuf> {
    if !process::succeeds(Command::new("unshare").args(["--mount", "true"])) {
        bail!("programs cannot be run on another /usr here, which takes root's rights: run this as root");
    }
    if !suite.is_made() {
        let step = Step::start(format!("installing Debian {} into a folder, once", suite.name()));
        let script = workspace::root().join("packaging").join("debian.py");
        process::output(Command::new(python::any()?).arg(script).arg(suite.name()).args(PACKAGES))?;
        step.done("");
    }
    Ok(suite.folder())
}

/// Mounts are seen by the command alone. It has the folder's libraries and programs, and all other folders of the machine: the
/// repository, the caches, the home folder and /usr/local.
const SCRIPT: &str = r#"mount --bind /usr/local "$0/usr/local" &&
mount --rbind "$0/usr" /usr &&
mount --bind "$0/etc/ld.so.cache" /etc/ld.so.cache &&
exec "$@""#;

/// The words that run the command after them on the folder's `/usr`.
pub(crate) fn launcher(folder: &Path) -> Vec<OsString> {
    let words = ["unshare", "--mount", "/bin/sh", "-c", SCRIPT].map(OsStr::new);
    words.into_iter().chain([folder.as_os_str()]).map(OsStr::to_owned).collect()
}

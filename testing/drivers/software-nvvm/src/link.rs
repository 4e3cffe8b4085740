//! Links objects to shared objects.

use std::fs;
use std::process::{Command, Stdio};

/// Links an object. Missing functions are resolved at load time by the software driver and the processor's math
/// library.
pub(crate) fn shared_object(object: &[u8]) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("a folder for ld: {error}"))?;
    let (from, to) = (folder.path().join("kernels.o"), folder.path().join("kernels.so"));
    fs::write(&from, object).map_err(|error| format!("{}: {error}", from.display()))?;
    let mut linker = Command::new("ld");
    // Uses the software driver's function instead of libgcc_s's.
    linker.arg("--wrap=__truncdfhf2");
    linker.args(["-shared", "-Bsymbolic", "--strip-all", "-z", "noseparate-code", "-o"]).arg(&to).arg(&from);
    let output = linker.stdin(Stdio::null()).output().map_err(|error| format!("ld: {error}"))?;
    if !output.status.success() {
        return Err(format!("ld: {}", String::from_utf8_lossy(&output.stderr)));
    }
    fs::read(&to).map_err(|error| format!("{}: {error}", to.display()))
}

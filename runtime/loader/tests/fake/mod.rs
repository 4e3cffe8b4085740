//! A fake plugin for tests.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Compiles the fake plugin.
pub(crate) fn fake(folder: &Path, name: &str, defines: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/plugin.c");
    let file = folder.join(name);
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-o"]).arg(&file).arg(source);
    let done = command.args(defines.iter().map(|define| format!("-D{define}"))).status();
    assert!(done.expect("these tests need a C compiler, cc").success());
    file
}

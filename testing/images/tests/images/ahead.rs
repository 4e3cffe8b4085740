//! Compiles ahead of time with a small program that calls the driver, like a compiler for one device.

use std::path::Path;
use std::process::Command;

use crate::tools;

/// Returns the device's own code for SPIR-V.
pub(crate) fn compile(spirv: &[u8], folder: &Path) -> Vec<u8> {
    let [input, output, program] = ["in.spv", "out.bin", "compile"].map(|name| folder.join(name));
    std::fs::write(&input, spirv).unwrap();
    tools::output(
        Command::new("cc").arg(tools::own("programs/compile.c")).arg("-o").arg(&program).arg("-ldl"),
    );
    tools::output(Command::new(&program).arg(&input).arg(&output));
    std::fs::read(&output).unwrap()
}

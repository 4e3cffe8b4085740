//! Compiles NVVM IR to fake PTX.

use std::fmt;
use std::fmt::Write;

use crate::{COMPILATION, Code, INVALID_OPTION};
use crate::{host_ir, kernels, link, llvm};

/// The first architecture whose IR belongs to a recent LLVM, and cannot be read by LLVM 14.
const MODERN: u32 = 100;

/// Why a module is not compiled.
pub(crate) enum Failure {
    Option(String),
    Code(String),
}

impl Failure {
    /// Returns libnvvm's code for it.
    pub(crate) fn code(&self) -> Code {
        match self {
            Self::Option(_) => INVALID_OPTION,
            Self::Code(_) => COMPILATION,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(text) | Self::Code(text) => f.write_str(text),
        }
    }
}

/// Compiles a module with libnvvm's options.
pub(crate) fn compile(module: &str, options: &[String]) -> Result<Vec<u8>, Failure> {
    let mut architecture = 0;
    let mut optimize = true;
    for option in options {
        if let Some(number) = option.strip_prefix("-arch=compute_") {
            architecture = number.parse().unwrap_or(MODERN);
        }
        optimize &= option != "-opt=0";
    }
    if !(50..MODERN).contains(&architecture) {
        return Err(Failure::Option(format!("{options:?}: an architecture from compute_50 on is needed")));
    }
    let image = image(module, optimize).map_err(Failure::Code)?;
    // libnvvm's PTX names its release after ", V".
    let mut ptx = format!(
        "// Stand-in for libnvvm, V{}\n.version 7.8\n.target sm_{architecture}\n.address_size 64\n// software-cuda: ",
        llvm::VERSION
    );
    ptx.reserve(2 * image.len() + 1);
    for byte in image {
        let _ = write!(ptx, "{byte:02x}");
    }
    ptx.push('\n');
    Ok(ptx.into_bytes())
}

/// Returns the shared object for a module.
fn image(module: &str, optimize: bool) -> Result<Vec<u8>, String> {
    let mut ir = host_ir::rewrite(module);
    kernels::add(module, &mut ir)?;
    let object = llvm::object(&ir, optimize)?;
    link::shared_object(&object)
}

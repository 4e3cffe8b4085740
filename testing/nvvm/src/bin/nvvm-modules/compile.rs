//! Compiles a module from SPIR-V to machine code like the CUDA plugin and the driver.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;
use sycl_pi_nvvm::{Dialect, Options, Translation, translate};
use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmLibrary, NvvmOptions, worker_program};
use tempfile::TempDir;

/// The compute capabilities to compile for: the oldest that CUDA 13 supports, and a newer one.
pub(crate) const ARCHITECTURES: [u32; 2] = [75, 90];

/// The time limit for one module. ptxas needs a minute for kernels of Blender and llama.cpp, and the machine may
/// have other work.
const LIMIT: Duration = Duration::from_secs(900);

/// Translates a module.
pub(crate) fn translated(module: &[u8], dialect: Dialect) -> Result<Translation, String> {
    let mut options = Options::default();
    options.dialect = dialect;
    let work = || translate(&[module], &options).map_err(|error| error.to_string());
    std::panic::catch_unwind(work).unwrap_or_else(|_| Err("a panic".to_owned()))
}

/// The compiler and the assembler, for one thread.
pub(crate) struct Chain {
    compiler: NvvmCompiler,
    ptxas: PathBuf,
    folder: TempDir,
}

/// The result of a module for an architecture: how far it came, and the failure.
#[derive(Debug, Default)]
pub(crate) struct Compiled {
    pub(crate) compiled: bool,
    pub(crate) assembled: bool,
    pub(crate) unoptimized: bool,
    pub(crate) failure: Option<(&'static str, String)>,
}

impl Chain {
    pub(crate) fn new(ptxas: &Path) -> Result<Self> {
        let compiler = NvvmCompiler::new(NvvmLibrary::find()?, worker_program()?, LIMIT);
        Ok(Self { compiler, ptxas: ptxas.to_owned(), folder: tempfile::tempdir()? })
    }

    /// Compiles a module for an architecture.
    pub(crate) fn run(&self, module: &[u8], architecture: u32) -> Result<Compiled> {
        let target = self.compiler.target(architecture)?;
        let dialect = if target.modern { Dialect::Modern } else { Dialect::Llvm7 };
        let failed = |stage, why: String| Ok(Compiled { failure: Some((stage, why)), ..Compiled::default() });
        let translation = match translated(module, dialect) {
            Ok(translation) => translation,
            Err(why) => return failed("translator", why),
        };
        let mut options = NvvmOptions::default();
        options.contract = !translation.contraction_off;
        let made = match self.compiler.compile(&target, &translation.ir, &options) {
            Ok(made) => made,
            Err(error) => return failed("libnvvm", error.to_string()),
        };
        let (ptx, cubin) = (self.folder.path().join("module.ptx"), self.folder.path().join("module.cubin"));
        fs::write(&ptx, &made.ptx)?;
        let mut command = Command::new(&self.ptxas);
        command.arg(format!("-arch=sm_{architecture}")).arg(&ptx).arg("-o").arg(cubin);
        let finished = testing_support::process::run(&mut command, LIMIT)?;
        let assembled = finished.end.is_success();
        let why = || ("ptxas", format!("{} {}", finished.end, String::from_utf8_lossy(&finished.stderr)));
        Ok(Compiled {
            compiled: true,
            assembled,
            unoptimized: made.unoptimized,
            failure: (!assembled).then(why),
        })
    }
}

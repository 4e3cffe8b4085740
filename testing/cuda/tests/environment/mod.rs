//! Builds the software driver, the plugin and the kernels, and puts them into one folder for a test run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment of a test run.
pub(crate) struct Environment {
    /// The folder with libcuda.so.1 and kernels.so.
    pub(crate) folder: PathBuf,
    /// The folder of the programs of this profile.
    pub(crate) built: PathBuf,
}

impl Environment {
    /// Takes the files of the folder that PI_TEST_BUILT names, or builds everything and the packages in `more`.
    pub(crate) fn new(more: &[&str]) -> Self {
        let built = testing_support::process::built(&[&["pi_cuda", "software-cuda"], more].concat()).unwrap();
        let folder = built.join("cuda-tests");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::copy(built.join("libsoftware_cuda.so"), folder.join("libcuda.so.1")).unwrap();
        kernels(&folder);
        Self { folder, built }
    }

    /// Returns a command that runs a program in this environment.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env("LD_LIBRARY_PATH", &self.folder)
            .env("PI_TEST_PLUGIN", self.built.join("libpi_cuda.so"))
            .env("PI_TEST_IMAGES", &self.folder)
            // Every run must compile.
            .env("SYCL_CACHE_PERSISTENT", "0");
        command
    }
}

fn kernels(folder: &Path) {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../kernels/cuda/kernels.c");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-fPIC", "-shared", "-w", "-o"]).arg(folder.join("kernels.so")).arg(source);
    assert!(cc.status().unwrap().success(), "{cc:?}");
}

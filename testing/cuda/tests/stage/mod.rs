//! The software driver, the plugin and the kernels, built and put where a run finds them.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run needs.
pub(crate) struct Stage {
    /// The folder with libcuda.so.1 and kernels.so.
    pub(crate) folder: PathBuf,
    /// The folder of the programs of this profile.
    pub(crate) built: PathBuf,
}

impl Stage {
    /// Builds everything.
    pub(crate) fn new() -> Self {
        let this = env::current_exe().expect("this program has a path");
        let built = this.ancestors().nth(2).expect("programs lie in target/profile/deps").to_path_buf();
        build(&built);
        let folder = built.join("cuda-tests");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::copy(built.join("libsoftware_cuda.so"), folder.join("libcuda.so.1")).unwrap();
        kernels(&folder);
        Self { folder, built }
    }

    /// A program that finds it all.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env("LD_LIBRARY_PATH", &self.folder)
            .env("PI_TEST_PLUGIN", self.built.join("libpi_cuda.so"))
            .env("PI_TEST_IMAGES", &self.folder);
        command
    }
}

/// Has cargo build the two libraries beside this program.
fn build(built: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--quiet", "-p", "pi_cuda", "-p", "software-cuda"]);
    if built.ends_with("release") {
        cargo.arg("--release");
    }
    cargo.arg("--target-dir").arg(built.parent().unwrap());
    assert!(cargo.status().unwrap().success(), "{cargo:?}");
}

fn kernels(stage: &Path) {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("kernels/kernels.c");
    let mut cc = Command::new("cc");
    cc.args(["-O1", "-fPIC", "-shared", "-w", "-o"]).arg(stage.join("kernels.so")).arg(source);
    assert!(cc.status().unwrap().success(), "{cc:?}");
}

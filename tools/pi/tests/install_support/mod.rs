//! Fake environments for the tests of `pi install`.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic)]

pub mod case;
pub mod ur_tree;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use tempfile::TempDir;

pub const EVERY_VERSION: &str = "SERVES=\"9.11 11.15 12.21 12.27 14.37 14.39 15.47\"";
pub const NAME: &str = "libpi_opencl.so";

/// An environment with a libsycl, a vendor's plugin, and our plugins outside of it.
pub struct Tree {
    pub root: TempDir,
    pub lib: PathBuf,
    pub ours: PathBuf,
}

/// Compiles a fake plugin.
pub fn compile(file: &Path, defines: &[&str]) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/loader/tests/fake/plugin.c");
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-o"]).arg(file).arg(source);
    command.args(defines.iter().map(|define| format!("-D{define}")));
    assert!(command.status().unwrap().success());
}

/// Compiles a fake libsycl with these C strings, which opens these files next to its real file, or next to the name
/// by which it was found.
pub fn libsycl(texts: &[&str], files: &[&str], beside_real_file: bool) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libsycl.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/install_support/libsycl.c");
    let mut command = Command::new("cc");
    // Three octal digits, because a digit may follow the NUL.
    command.arg(format!("-DTEXTS=\"{}\"", texts.join("\\000")));
    command.arg(format!(
        "-DFILES={}",
        files.iter().map(|file| format!("\"{file}\"")).collect::<Vec<_>>().join(",")
    ));
    command.args(beside_real_file.then_some("-DREAL")).args(["-shared", "-fPIC", "-o"]);
    assert!(command.arg(&library).arg(source).arg("-ldl").status().unwrap().success());
    fs::read(library).unwrap()
}

impl Tree {
    /// Creates a release of PI 14.39.
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let lib = root.path().join("venv/lib");
        let ours = root.path().join("ours").join(NAME);
        compile(&ours, &[EVERY_VERSION]);
        compile(&lib.join(NAME), &["OWN=\"14.39.1\""]);
        static LIBSYCL: OnceLock<Vec<u8>> = OnceLock::new();
        let libsycl = LIBSYCL.get_or_init(|| libsycl(&["14.39"], &[NAME], true));
        for name in ["libsycl.so", "libsycl.so.7", "libsycl.so.7.1.0"] {
            fs::write(lib.join(name), libsycl).unwrap();
        }
        let vendor = fs::File::options().write(true).open(lib.join(NAME)).unwrap();
        vendor.set_permissions(fs::Permissions::from_mode(0o555)).unwrap();
        vendor.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)).unwrap();
        Self { root, lib, ours }
    }

    pub fn venv(&self) -> PathBuf {
        self.root.path().join("venv")
    }

    pub fn place(&self) -> PathBuf {
        self.lib.join(NAME)
    }

    pub fn kept(&self) -> PathBuf {
        self.lib.join(format!("{NAME}.vendor"))
    }

    pub fn manifest(&self) -> PathBuf {
        self.lib.join(".sycl-pi-install.json")
    }

    /// Runs `pi COMMAND venv`, with `ours` for an install. Returns the exit code and the first entry.
    pub fn pi(&self, command: &str) -> (i32, Value) {
        let mut words = vec![command.to_owned(), self.venv().to_str().unwrap().to_owned()];
        if command == "install" {
            words.extend(["--plugin".to_owned(), self.ours.to_str().unwrap().to_owned()]);
        }
        let (code, value) = pi(&words);
        (code, value.get("entries").map(|entries| entries[0].clone()).unwrap_or(value))
    }

    /// Runs `pi COMMAND venv`, which must succeed, and returns the reported action.
    pub fn done(&self, command: &str) -> String {
        let (code, entry) = self.pi(command);
        assert_eq!(code, 0, "{command}: {entry}");
        entry["action"].as_str().unwrap().to_owned()
    }

    pub fn state(&self) -> String {
        self.pi("status").1["state"].as_str().unwrap().to_owned()
    }
}

pub fn pi(words: &[String]) -> (i32, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_pi"))
        .arg("--json")
        .args(words)
        .env_remove("SYCL_OVERRIDE_PI_OPENCL")
        .env_remove("UR_ADAPTERS_FORCE_LOAD")
        .output()
        .unwrap();
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{words:?}: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), value)
}

/// Returns everything about every file of a folder: name, inode, mode, modification time, bytes or link.
pub fn picture(folder: &Path) -> Vec<(String, u64, u32, i64, Vec<u8>)> {
    let mut entries: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let data = fs::symlink_metadata(&path).unwrap();
            let content = match fs::read_link(&path) {
                Ok(link) => link.to_str().unwrap().into(),
                Err(_) => fs::read(&path).unwrap(),
            };
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, data.ino(), data.mode(), data.mtime(), content)
        })
        .collect();
    entries.sort();
    entries
}

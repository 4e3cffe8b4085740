//! Environments of releases from 2025.0 on, with files named as in the vendor's wheels.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use super::pi;

/// Each release of the wheels, with the version of its Unified Runtime files and the major version of its libsycl.
pub const RELEASES: [(&str, &str, u32); 20] = [
    ("2025.0.0", "0.10.8", 8),
    ("2025.0.1", "0.10.13", 8),
    ("2025.0.2", "0.10.13", 8),
    ("2025.0.3", "0.10.13", 8),
    ("2025.0.4", "0.10.15", 8),
    ("2025.0.5", "0.10.15", 8),
    ("2025.1.0", "0.11.10", 8),
    ("2025.1.1", "0.11.10", 8),
    ("2025.2.0", "0.12.0", 8),
    ("2025.2.1", "0.12.0", 8),
    ("2025.2.2", "0.12.0", 8),
    ("2025.3.0", "0.12.0", 8),
    ("2025.3.1", "0.12.0", 8),
    ("2025.3.2", "0.12.0", 8),
    ("2025.3.3", "0.12.0", 8),
    ("2026.0.0", "0.12.0", 9),
    ("2026.1.0", "0.12.0", 9),
    ("2026.1.1", "0.12.0", 9),
    ("2026.1.2", "0.12.0", 9),
    ("2026.2.0", "0.12.0", 9),
];

/// Content of our adapters that the vendor's do not have.
const OURS: &str = "our adapter\0sycl_pi_backend\0";

pub struct UrTree {
    pub root: TempDir,
    pub lib: PathBuf,
    pub packages: PathBuf,
    release: &'static str,
    files: &'static str,
}

impl UrTree {
    /// Creates a virtual environment of one of `RELEASES`.
    pub fn new(release: &str) -> Self {
        let (release, files, major) = RELEASES.into_iter().find(|known| known.0 == release).unwrap();
        let root = tempfile::tempdir().unwrap();
        let lib = root.path().canonicalize().unwrap().join("venv/lib");
        let packages = lib.join("python3.12/site-packages");
        fs::create_dir_all(packages.join(format!("intel_sycl_rt-{release}.dist-info"))).unwrap();
        let tree = Self { root, lib, packages, release, files };
        let libsycl = if tree.has_opencl_inside() {
            "\0UR_ADAPTERS_FORCE_LOAD\0libOpenCL.so.1\0".to_owned()
        } else {
            let (node, _) = files.rsplit_once('.').unwrap();
            format!("\0libur_loader.so.0\0LIBUR_LOADER_{node}\0")
        };
        for name in [format!("libsycl.so.{major}"), format!("libsycl.so.{major}.0.0")] {
            fs::write(tree.lib.join(name), &libsycl).unwrap();
        }
        for name in tree.vendors() {
            fs::write(tree.lib.join(&name), format!("the vendor's {name}")).unwrap();
        }
        fs::create_dir(tree.root.path().join("ours")).unwrap();
        for backend in ["opencl", "level_zero", "cuda"] {
            fs::write(tree.ours(backend), OURS).unwrap();
        }
        tree
    }

    pub fn venv(&self) -> String {
        self.lib.parent().unwrap().to_str().unwrap().to_owned()
    }

    /// Returns our adapter, which is outside the environment.
    pub fn ours(&self, backend: &str) -> PathBuf {
        self.root.path().join("ours").join(format!("libur_adapter_{backend}.so"))
    }

    pub fn has_opencl_inside(&self) -> bool {
        self.release.starts_with("2026.2")
    }

    pub fn has_v2(&self) -> bool {
        !self.release.starts_with("2025.0") && !self.release.starts_with("2025.1")
    }

    /// Returns the names of an adapter's copies in a wheel.
    pub fn names(&self, adapter: &str) -> Vec<String> {
        ["".into(), ".0".into(), format!(".{}", self.files)]
            .map(|end: String| format!("libur_adapter_{adapter}.so{end}"))
            .into()
    }

    /// Returns the adapters in the wheels.
    fn vendors(&self) -> Vec<String> {
        let adapters =
            [("opencl", !self.has_opencl_inside()), ("level_zero", true), ("level_zero_v2", self.has_v2())];
        let there = adapters.into_iter().filter(|(_, there)| *there);
        there.flat_map(|(adapter, _)| self.names(adapter)).collect()
    }

    pub fn is_ours(&self, name: &str) -> bool {
        fs::read_to_string(self.lib.join(name)).is_ok_and(|text| text == OURS)
    }

    /// Returns the file that names the adapters to Python.
    pub fn pth(&self) -> PathBuf {
        self.packages.join("sycl-pi.pth")
    }

    /// Runs `pi COMMAND venv`, with our adapters for these backends.
    pub fn pi(&self, command: &str, backends: &[&str]) -> (i32, Value) {
        let mut words = vec![command.to_owned(), self.venv()];
        for backend in backends {
            words.extend(["--plugin".to_owned(), self.ours(backend).to_str().unwrap().to_owned()]);
        }
        pi(&words)
    }

    /// Installs our adapters for these backends, which must succeed.
    pub fn install(&self, backends: &[&str]) {
        let (code, value) = self.pi("install", backends);
        assert_eq!(code, 0, "{}: {value:#}", self.release);
    }

    pub fn uninstall(&self) {
        let (code, value) = self.pi("uninstall", &[]);
        assert_eq!(code, 0, "{}: {value:#}", self.release);
    }

    /// Returns the state of one backend's adapter.
    pub fn state(&self, backend: &str) -> String {
        let (_, value) = self.pi("status", &[]);
        let start = format!("libur_adapter_{backend}.so");
        let entries = value["entries"].as_array().unwrap().iter();
        let of_backend = |entry: &&Value| entry["plugin"].as_str().unwrap().starts_with(&start);
        entries.clone().find(of_backend).unwrap()["state"].as_str().unwrap().to_owned()
    }

    /// Returns everything about the files of the environment that an install may change.
    pub fn picture(&self) -> Vec<Picture> {
        files_below(&self.lib)
    }
}

/// The name of a file, its bytes or link target, and its permissions.
pub type Picture = (PathBuf, Vec<u8>, u32);

/// Returns all files of the folder and its subfolders.
pub fn files_below(folder: &Path) -> Vec<Picture> {
    every(folder, &|path, data| {
        let link = fs::read_link(path).map(|link| link.to_str().unwrap().into());
        let content = link.unwrap_or_else(|_| fs::read(path).unwrap());
        (path.to_path_buf(), content, data.permissions().mode())
    })
}

/// Returns the inode, size and modification time of all these files, for folders of many gigabytes.
pub fn numbers_below(folder: &Path) -> Vec<(PathBuf, u64, u64, i64)> {
    every(folder, &|path, data| (path.to_path_buf(), data.ino(), data.len(), data.mtime()))
}

fn every<T: Ord>(folder: &Path, told: &impl Fn(&Path, &fs::Metadata) -> T) -> Vec<T> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let data = fs::symlink_metadata(&path).unwrap();
        if data.is_dir() {
            found.extend(every(&path, told));
        } else {
            found.push(told(&path, &data));
        }
    }
    found.sort();
    found
}

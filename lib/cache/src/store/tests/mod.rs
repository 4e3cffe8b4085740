//! Tests of the store in one process. Those with several processes are in `tests/processes.rs`.

mod basics;
mod damage;
mod faults;
mod faulty;
mod keys;
mod trust;
mod upkeep;
mod waits;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use super::layout::{self, ItemFile};
use super::{Built, DeviceIdentity, KeyParts, ProgramSource, Store, StoreKey};
use crate::Config;

/// A separate root, and a store in it.
pub(super) struct Bed {
    pub(super) home: TempDir,
}

impl Bed {
    pub(super) fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    /// Creates a bed in memory if possible, for tests that write hundreds of times.
    pub(super) fn fast() -> Self {
        let home = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self { home: home.unwrap() }
    }

    pub(super) fn root(&self) -> PathBuf {
        self.home.path().join("cache")
    }

    pub(super) fn config(&self) -> Config {
        Config {
            root: Some(self.root()),
            wait: Duration::from_millis(300),
            background: false,
            ..Config::default()
        }
    }

    pub(super) fn store(&self) -> Store {
        Store::open(&self.config())
    }

    pub(super) fn folder(&self, key: &StoreKey) -> PathBuf {
        key.folder(&self.root())
    }

    pub(super) fn file(&self, key: &StoreKey, number: u64, kind: ItemFile) -> PathBuf {
        layout::file(&self.folder(key), number, kind)
    }
}

pub(super) fn parts(image: &str) -> KeyParts {
    KeyParts {
        device: DeviceIdentity {
            platform: "Platform".into(),
            name: "Device".into(),
            version: "OpenCL 3.0".into(),
            driver: "2024.17".into(),
            plugin: "libpi_opencl.so 15.47".into(),
            runtime: "0.1.0".into(),
        },
        images: vec![image.into()],
        spec_constants: vec![0, 1, 2, 0],
        compile_options: "-O2".into(),
        link_options: String::new(),
    }
}

pub(super) fn key(image: &str) -> StoreKey {
    StoreKey::new(&parts(image))
}

/// Returns what a "driver" makes of an image.
pub(super) fn binary(image: &str) -> Vec<u8> {
    format!("built from {image}").into_bytes()
}

/// Gets a program like the runtime; the "program" is its binary.
pub(super) fn get(store: &Store, image: &str) -> (Vec<u8>, ProgramSource) {
    get_key(store, &key(image), image)
}

pub(super) fn get_key(store: &Store, key: &StoreKey, image: &str) -> (Vec<u8>, ProgramSource) {
    let open = |found: &[u8]| if found == binary(image) { Ok(found.to_vec()) } else { Err("wrong binary") };
    let build = || {
        let value = binary(image);
        Ok(Built { binary: Some(value.clone()), value, kernels: vec![format!("kernel of {image}")] })
    };
    store.load_or_build(key, open, build).unwrap()
}

/// Returns every file below a folder.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { all.extend(files(&path)) } else { all.push(path) }
    }
    all.sort();
    all
}

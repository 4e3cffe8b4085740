//! The wheels whose libraries have device images, unpacked.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use walkdir::WalkDir;

use crate::fsutil;
use crate::provision::wheels;
use crate::releases::{Pin, pin};
use crate::workspace;

/// Packages with the Python (3.x) of their wheel.
const PACKAGES: [(Pin, u8); 37] = [
    (pin("dpctl", "0.11.3"), 9),
    (pin("dpctl", "0.14.5"), 9),
    (pin("dpctl", "0.15.0"), 9),
    (pin("dpctl", "0.16.0"), 10),
    (pin("dpctl", "0.17.0"), 10),
    (pin("dpctl", "0.18.3"), 12),
    (pin("dpctl", "0.19.0"), 12),
    (pin("dpctl", "0.20.2"), 12),
    (pin("dpctl", "0.21.1"), 12),
    (pin("dpctl", "0.22.1"), 12),
    (pin("dpnp", "0.12.1"), 9),
    (pin("dpnp", "0.13.0"), 9),
    (pin("dpnp", "0.14.0"), 9),
    (pin("dpnp", "0.15.0"), 10),
    (pin("dpnp", "0.16.3"), 10),
    (pin("dpnp", "0.17.0"), 12),
    (pin("dpnp", "0.18.1"), 12),
    (pin("dpnp", "0.19.1"), 12),
    (pin("dpnp", "0.20.0"), 12),
    (pin("mkl-dpcpp", "2023.2.0"), 12),
    (pin("onemkl-sycl-blas", "2024.2.2"), 12),
    (pin("onemkl-sycl-datafitting", "2024.2.2"), 12),
    (pin("onemkl-sycl-dft", "2024.2.2"), 12),
    (pin("onemkl-sycl-lapack", "2024.2.2"), 12),
    (pin("onemkl-sycl-rng", "2024.2.2"), 12),
    (pin("onemkl-sycl-sparse", "2024.2.2"), 12),
    (pin("onemkl-sycl-stats", "2024.2.2"), 12),
    (pin("onemkl-sycl-vm", "2024.2.2"), 12),
    (pin("onemkl-sycl-blas", "2026.2.0"), 12),
    (pin("onemkl-sycl-datafitting", "2026.2.0"), 12),
    (pin("onemkl-sycl-dft", "2026.2.0"), 12),
    (pin("onemkl-sycl-distributed-dft", "2026.2.0"), 12),
    (pin("onemkl-sycl-lapack", "2026.2.0"), 12),
    (pin("onemkl-sycl-rng", "2026.2.0"), 12),
    (pin("onemkl-sycl-sparse", "2026.2.0"), 12),
    (pin("onemkl-sycl-stats", "2026.2.0"), 12),
    (pin("onemkl-sycl-vm", "2026.2.0"), 12),
];

/// A library of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Library {
    /// `dpctl 0.14.5`
    pub(crate) package: String,
    /// `_tensor_impl.so`: without the Python that it is for.
    pub(crate) name: String,
    pub(crate) file: PathBuf,
}

/// The libraries of the packages that are named like `dpctl-0.14.5`, or start like it; of all packages if there is no name.
pub(crate) fn libraries(names: &[String]) -> Result<Vec<Library>> {
    let mut all = Vec::new();
    for (pin, minor) in PACKAGES {
        let label = format!("{}-{}", pin.name, pin.version);
        if names.is_empty() || names.iter().any(|name| label.starts_with(name.as_str())) {
            all.extend(of_package(pin, minor, &label)?);
        }
    }
    Ok(all)
}

fn of_package(pin: Pin, minor: u8, label: &str) -> Result<Vec<Library>> {
    let folder = workspace::target().join("stock-images").join("libraries").join(label);
    let content = format!("1 {pin} 3.{minor}");
    if !fsutil::is_stamped(&folder, &content) {
        let files = wheels::ensure(&[pin], minor)?;
        fsutil::build_folder(&folder, &content, |inside| {
            let all = inside.join("all");
            wheels::unpack(&files, &all)?;
            for file in shared_objects(&all) {
                let Some(name) = file.file_name() else { continue };
                fs::rename(&file, inside.join(name))?;
            }
            Ok(fs::remove_dir_all(all)?)
        })?;
    }
    let mut files = shared_objects(&folder);
    files.sort();
    // A library stands in a wheel under each of its names: the same bytes. The shortest name comes first.
    let mut seen: Vec<(u64, String)> = Vec::new();
    files.retain(|file| {
        let size = fs::metadata(file).map_or(0, |data| data.len());
        let name = short_name(file);
        let again = seen.iter().any(|(other, before)| *other == size && *before == name);
        seen.push((size, name));
        !again
    });
    let library = |file: PathBuf| Library {
        package: label.replacen(&format!("-{}", pin.version), &format!(" {}", pin.version), 1),
        name: short_name(&file),
        file,
    };
    Ok(files.into_iter().map(library).collect())
}

fn shared_objects(folder: &Path) -> Vec<PathBuf> {
    let files = WalkDir::new(folder).into_iter().flatten().filter(|entry| entry.file_type().is_file());
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.ends_with(".so") || name.contains(".so.")
    };
    files.map(walkdir::DirEntry::into_path).filter(is_library).collect()
}

/// `_tensor_impl.so` of `_tensor_impl.cpython-310-x86_64-linux-gnu.so`, `libmkl_sycl.so` of `libmkl_sycl.so.3`.
fn short_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.split_once('.').map_or(name.clone(), |(stem, _)| format!("{stem}.so"))
}

//! The compiler's device libraries: `assert`, `<cmath>`, `<complex>` and `<cstring>` for devices whose compiler lacks
//! these functions.
//!
//! libsycl ships them as SPIR-V files in its own folder, and links those that a program needs. This runtime uses the
//! same files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sycl_pi_host_process::{folders, is_own_or_of_root, read_file, trusted_variable};

use crate::call::Device;
use crate::error::ImageError;
use crate::registry::{Format, Image};

/// The files: first those with the functions `__devicelib_NAME`, then those whose C functions call these.
const FILES: [&str; 15] = [
    "libsycl-fallback-cassert.spv",
    "libsycl-fallback-cmath.spv",
    "libsycl-fallback-cmath-fp64.spv",
    "libsycl-fallback-complex.spv",
    "libsycl-fallback-complex-fp64.spv",
    "libsycl-fallback-cstring.spv",
    "libsycl-fallback-imf.spv",
    "libsycl-fallback-imf-fp64.spv",
    "libsycl-fallback-imf-bf16.spv",
    "libsycl-fallback-bfloat16.spv",
    "libsycl-crt.spv",
    "libsycl-cmath.spv",
    "libsycl-cmath-fp64.spv",
    "libsycl-complex.spv",
    "libsycl-complex-fp64.spv",
];

/// The most bytes of one file.
const LIMIT: u64 = 64 << 20;

/// Returns the libraries that images need on this device, or none if the device's compiler provides the functions.
pub(crate) fn device_libraries(
    images: &[Arc<Image>],
    device: &Device,
) -> Result<Vec<Arc<Image>>, ImageError> {
    let mut taken: Vec<Arc<Image>> = Vec::new();
    let mut wanted: Vec<&str> = wanted(images, device)?.into_iter().map(|(_, name)| name).collect();
    let mut seen = HashSet::new();
    while let Some(name) = wanted.pop() {
        let has_it = |library: &&Arc<Image>| library.properties().exports.contains(name);
        let library = libraries().iter().find(has_it).filter(|_| seen.insert(name));
        let Some(library) = library.filter(|library| taken.iter().all(|one| one.id() != library.id())) else {
            continue;
        };
        wanted.extend(library.library_functions()?);
        taken.push(library.clone());
    }
    Ok(taken)
}

/// Returns a possible cause of a failed build: functions that no library provides, the missing file, and the remedy.
pub(crate) fn missing_libraries(images: &[Arc<Image>], device: &Device) -> String {
    let mut text = String::new();
    for (image, name) in wanted(images, device).unwrap_or_default() {
        if libraries().iter().any(|library| library.properties().exports.contains(name)) {
            continue;
        }
        let (image, file) = (image.name(), file_of(name));
        text.push_str(&format!(
            "\nImage {image} needs {name} of {file}, unless the device's compiler has that function: "
        ));
        match folder() {
            Some(folder) => text.push_str(&format!("{} has no such function", folder.display())),
            None => text.push_str(
                "no such file is next to a libsycl that is loaded or in LD_LIBRARY_PATH; type pip install intel-sycl-rt, and \
                 set LD_LIBRARY_PATH to the folder of its libsycl.so",
            ),
        }
    }
    text
}

/// Returns the file that defines a function, judging by its name.
fn file_of(function: &str) -> &'static str {
    let Some(name) = function.strip_prefix("__devicelib_") else { return "libsycl-cmath*.spv" };
    match name {
        _ if name.starts_with("assert") => "libsycl-fallback-cassert.spv",
        _ if name.starts_with("mem") => "libsycl-fallback-cstring.spv",
        _ if name.starts_with("imf_") => "libsycl-fallback-imf*.spv",
        _ if name.contains("BF16") => "libsycl-fallback-bfloat16.spv",
        _ => "libsycl-fallback-cmath*.spv or libsycl-fallback-complex*.spv",
    }
}

/// Returns the device library functions that images import and that the device's compiler lacks.
fn wanted<'i>(images: &'i [Arc<Image>], device: &Device) -> Result<Vec<(&'i Image, &'i str)>, ImageError> {
    let is_native = device.info().extensions.iter().any(|name| name.starts_with("cl_intel_devicelib_"));
    let spirv = images.iter().filter(move |image| !is_native && image.format() == Format::Spirv);
    let mut all = Vec::new();
    for image in spirv {
        all.extend(image.library_functions()?.map(|name| (&**image, name)));
    }
    Ok(all)
}

/// Returns the libraries in libsycl's folder, or none while no libsycl is found.
fn libraries() -> &'static [Arc<Image>] {
    static LIBRARIES: OnceLock<Vec<Arc<Image>>> = OnceLock::new();
    if let Some(libraries) = LIBRARIES.get() {
        return libraries;
    }
    let Some(folder) = folder() else { return &[] };
    LIBRARIES.get_or_init(|| FILES.iter().filter_map(|name| library(&folder, name)).collect())
}

fn library(folder: &Path, name: &str) -> Option<Arc<Image>> {
    let code = read_file(&folder.join(name), LIMIT).ok()?;
    Image::device_library(name, &code).ok().map(Arc::new)
}

/// Returns the first folder that contains one of the files: the folder of the loaded libsycl, or one in
/// `LD_LIBRARY_PATH`.
fn folder() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let beside = maps.lines().filter_map(|line| loaded_libsycl(line)?.parent().map(Path::to_owned));
    let searched = trusted_variable("LD_LIBRARY_PATH").unwrap_or_default();
    let mut all = beside.chain(folders(&searched));
    all.find(|folder| FILES.iter().any(|name| folder.join(name).is_file()))
}

/// Returns the file in a line of `/proc/self/maps`, if it is code of a libsycl that belongs to this user or to root.
fn loaded_libsycl(line: &str) -> Option<&Path> {
    let rights = line.split(' ').nth(1)?;
    let path = Path::new(line.get(line.find('/')?..)?);
    let is_libsycl = path.file_name()?.to_str()?.starts_with("libsycl.so");
    (is_libsycl && rights.contains('x') && is_own_or_of_root(path)).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loaded_libsycl_is_code_of_this_users() {
        let folder = tempfile::tempdir().unwrap();
        let [libsycl, other] = ["libsycl.so.8", "libother.so"].map(|name| folder.path().join(name));
        let line = |rights: &str, path: &Path| {
            format!("7f00-7f01 {rights} 00001000 fe:00 77                 {}", path.display())
        };
        let found = |rights: &str, path: &Path| loaded_libsycl(&line(rights, path)).map(Path::to_owned);
        assert_eq!(found("r-xp", &libsycl), None, "there is no such file");
        for file in [&libsycl, &other] {
            std::fs::write(file, "").unwrap();
        }
        assert_eq!(found("r-xp", &libsycl), Some(libsycl.clone()));
        assert_eq!((found("r--p", &libsycl), found("r-xp", &other)), (None, None));
        assert_eq!((loaded_libsycl("7f00-7f01 r-xp 0 00:00 0"), loaded_libsycl("")), (None, None));
    }

    #[test]
    fn a_functions_name_tells_its_file() {
        for (function, file) in [
            ("__devicelib_assert_fail", "libsycl-fallback-cassert.spv"),
            ("__devicelib_memcpy", "libsycl-fallback-cstring.spv"),
            ("__devicelib_imf_fmaf", "libsycl-fallback-imf*.spv"),
            ("__devicelib_ConvertFToBF16INTEL", "libsycl-fallback-bfloat16.spv"),
            ("__devicelib_sinf", "libsycl-fallback-cmath*.spv or libsycl-fallback-complex*.spv"),
            ("sinf", "libsycl-cmath*.spv"),
        ] {
            assert_eq!(file_of(function), file, "{function}");
        }
    }
}

//! NVIDIA's driver and libnvvm without a GPU: the software driver, and the fake libnvvm that compiles for it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::provision::{adapter, opencl, python};
use crate::release;
use crate::releases::Release;
use crate::workspace;

/// LLVM, which the fake libnvvm opens.
const LLVM: &str = "/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1";

/// The file name of a plugin that calls itself OpenCL.
const AS_OPENCL: &str = "libpi_opencl.so";

/// Returns the file name by which a release's libsycl loads a plugin as an OpenCL one. Releases of 2023 and before
/// determine that from the file name, later ones from the platform's answer.
pub(crate) fn file_name(release: &Release) -> &'static str {
    let by_name = ["2022", "2023"].iter().any(|year| release.version.starts_with(year));
    if by_name { AS_OPENCL } else { "libpi_cuda.so" }
}

/// Returns the variables with which a program finds only the software GPU, by a plugin of this name.
pub(crate) fn variables(plugin: &Path, lib: &Path) -> Result<Vec<(&'static str, OsString)>> {
    let (driver, toolkit) = (driver()?, toolkit()?);
    let name = if plugin.ends_with(AS_OPENCL) { "opencl" } else { "level_zero" };
    Ok(vec![
        ("LD_LIBRARY_PATH", opencl::library_path(&[&driver, lib])),
        ("PI_CUDA_AS", name.into()),
        ("PI_NVVM", toolkit.into_os_string()),
        ("PI_NVVM_COMPILER", release::file("pi-nvvm").into_os_string()),
        ("PI_SOFTWARE_CUDA_DEVICES", "1".into()),
        // The user's cache is not used.
        ("SYCL_CACHE_DIR", workspace::target().join("software-cuda-programs").into_os_string()),
        // An OpenCL plugin next to ours finds no driver.
        ("OCL_ICD_VENDORS", "/nowhere".into()),
        ("ONEAPI_DEVICE_SELECTOR", "*:gpu".into()),
    ])
}

/// Creates a folder with the software driver under the name of NVIDIA's.
pub(crate) fn driver() -> Result<PathBuf> {
    let folder = workspace::target().join("software-cuda");
    put("libsoftware_cuda.so", &folder.join("libcuda.so.1"))?;
    Ok(folder)
}

/// Installs the library that the fake libnvvm opens.
pub(crate) fn ensure_llvm() -> Result<()> {
    if Path::new(LLVM).exists() { Ok(()) } else { python::install_debian_packages(&["libllvm14"]) }
}

/// Creates a folder that looks like CUDA's toolkit, with the fake libnvvm.
pub(crate) fn toolkit() -> Result<PathBuf> {
    ensure_llvm()?;
    let folder = workspace::target().join("software-nvvm");
    put("libsoftware_nvvm.so", &folder.join("nvvm/lib64/libnvvm.so"))?;
    let libdevice = folder.join("nvvm/libdevice/libdevice.10.bc");
    if !libdevice.exists() {
        fs::create_dir_all(libdevice.parent().unwrap_or(&folder))?;
        fs::write(&libdevice, "The software driver has these functions.\n")?;
    }
    Ok(folder)
}

/// Copies a built library to a place, unless it is already there.
fn put(name: &str, place: &Path) -> Result<()> {
    let built = release::file(name);
    let content = fs::read(&built).with_context(|| format!("{}: build it first", built.display()))?;
    if fs::read(place).is_ok_and(|there| there == content) {
        return Ok(());
    }
    adapter::put(&built, place)
}

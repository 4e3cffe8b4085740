//! Determines the DPC++ release and the interface of a libsycl without running it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use memchr::memmem;
use sycl_pi_loader::Version;

use super::adapter_names;
use super::pi_version::pi_version;
use super::tree::{self, LibsyclFolder};
use crate::regular;

/// The release of a libsycl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// E.g. `2025.3.3`, or `2025.3` if only the library reveals it. `None` if unknown.
    pub name: Option<String>,
    /// The interface of the files that it loads.
    pub interface: Interface,
}

/// The interface between a libsycl and the files that it loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interface {
    /// It loads plugins of this PI version, e.g. `15.47`.
    Pi(String),
    /// It loads adapters.
    Ur(UnifiedRuntime),
}

/// The properties of a libsycl that loads adapters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnifiedRuntime {
    /// The version of the loader's symbols, e.g. `0.12`. `None` if the loader is part of libsycl.
    pub loader_version: Option<String>,
    /// Whether libsycl also contains the OpenCL adapter. If so, no file can replace it.
    pub opencl_inside: bool,
    /// The functions with which the loader gets an adapter's tables.
    pub getters: BTreeSet<String>,
}

impl Release {
    /// Reads the release from libsycl and the files around it.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or the PI version cannot be found.
    pub fn find(libsycl: &LibsyclFolder) -> Result<Self> {
        let bytes = regular::read(&libsycl.libsycl)?;
        let series = series_in(&bytes);
        // The version of a package does not apply to a library of another release that was copied there.
        let fits = |name: &String| series.as_ref().is_none_or(|series| is_of_series(name, series));
        let name = packaged(libsycl).filter(fits).or(series.clone());
        if libsycl.speaks_ur() {
            return Ok(Self { name, interface: Interface::Ur(UnifiedRuntime::from_bytes(libsycl, &bytes)?) });
        }
        let Some(version) = pi_version(libsycl, &bytes) else {
            bail!(
                "{}: the PI version of this libsycl is unknown; nothing was changed",
                libsycl.libsycl.display()
            )
        };
        let known = || Some(Version::from_text(version.as_bytes())?.release().to_owned());
        Ok(Self { name: name.or_else(known), interface: Interface::Pi(version) })
    }

    /// Returns the DPC++ release in brackets, if it is known.
    pub fn describe(&self) -> String {
        self.name.as_ref().map(|name| format!(" (DPC++ {name})")).unwrap_or_default()
    }

    /// Returns the interface, e.g. `PI 15.47`.
    pub fn interface_text(&self) -> String {
        match &self.interface {
            Interface::Pi(version) => format!("PI {version}"),
            Interface::Ur(UnifiedRuntime { loader_version: Some(version), .. }) => {
                format!("Unified Runtime {version}")
            }
            Interface::Ur(_) => "Unified Runtime".into(),
        }
    }

    /// Returns the PI version, if it loads plugins.
    pub fn pi_version(&self) -> Option<&String> {
        match &self.interface {
            Interface::Pi(version) => Some(version),
            Interface::Ur(_) => None,
        }
    }

    /// Returns its properties, if it loads adapters.
    pub fn unified_runtime(&self) -> Option<&UnifiedRuntime> {
        match &self.interface {
            Interface::Pi(_) => None,
            Interface::Ur(unified_runtime) => Some(unified_runtime),
        }
    }
}

impl UnifiedRuntime {
    fn from_bytes(libsycl: &LibsyclFolder, bytes: &[u8]) -> Result<Self> {
        let has = |text: &'static str| texts(bytes, text).any(|found| found == text);
        let loader_inside = has(adapter_names::FORCE_LOAD);
        // A libsycl that opens the OpenCL library itself contains the adapter.
        let opencl_inside = loader_inside && has("libOpenCL.so.1");
        let loader = libsycl.folder.join("libur_loader.so.0");
        let getters = if loader_inside {
            getters_in(bytes)
        } else if loader.exists() {
            getters_in(&regular::read(&loader)?)
        } else {
            BTreeSet::new()
        };
        Ok(Self { loader_version: loader_version_in(bytes), opencl_inside, getters })
    }

    /// Returns whether both Level Zero adapters are loaded and agree on which of them is used. Before that, in
    /// 2025.2, the loader loads only one of them.
    pub fn level_zero_adapters_agree(&self) -> bool {
        !self.getters.contains("urGetGlobalProcAddrTable")
    }
}

/// Returns the version of the loader's symbols in a libsycl or a loader.
pub fn loader_version_in(bytes: &[u8]) -> Option<String> {
    Some(texts(bytes, "LIBUR_LOADER_").next()?.strip_prefix("LIBUR_LOADER_")?.to_owned())
}

/// Returns the names of functions in a loader or an adapter that return an adapter's tables.
pub fn getters_in(bytes: &[u8]) -> BTreeSet<String> {
    let getters = texts(bytes, "urGet").filter(|text| text.ends_with("ProcAddrTable"));
    getters.map(str::to_owned).collect()
}

/// Returns the C strings that begin with `start`.
fn texts<'b>(bytes: &'b [u8], start: &str) -> impl Iterator<Item = &'b str> {
    let whole = format!("\0{start}");
    let found: Vec<usize> = memmem::find_iter(bytes, &whole).collect();
    found.into_iter().filter_map(|before| {
        let text = bytes.get(before + 1..)?;
        std::str::from_utf8(text.split(|byte| *byte == 0).next()?).ok()
    })
}

/// Returns `2025.3` for `Intel(R) oneAPI DPC++/C++ Compiler 2025.3.3 (...)`. The last number differs from the
/// package's because a release is compiled with the previous one.
fn series_in(bytes: &[u8]) -> Option<String> {
    let text = texts(bytes, "Intel(R) oneAPI DPC++/C++ Compiler ").next()?;
    let numbers = text.split(' ').find(|word| word.starts_with("20"))?;
    let series: Vec<&str> = numbers.split('.').take(2).collect();
    Some(series.join("."))
}

fn is_of_series(name: &str, series: &str) -> bool {
    name == series || name.starts_with(&format!("{series}."))
}

/// Returns the version of the pip or conda package that contains libsycl.
fn packaged(libsycl: &LibsyclFolder) -> Option<String> {
    let wheels = tree::site_packages(&libsycl.folder);
    let conda = libsycl.folder.join("../conda-meta");
    let folders = wheels.iter().map(|folder| (folder.as_path(), '_', ".dist-info"));
    let mut folders = folders.chain([(conda.as_path(), '-', ".json")]);
    folders.find_map(|(folder, separator, end)| {
        let names = entries(folder);
        ["intel_sycl_rt", "dpcpp_cpp_rt", "intel_cmplr_lib_rt"].iter().find_map(|package| {
            let start = format!("{}-", package.replace('_', &separator.to_string()));
            let rest = names.iter().find_map(|name| name.strip_prefix(&start)?.strip_suffix(end))?;
            // In conda's names the build follows.
            rest.split('-').next().map(str::to_owned)
        })
    })
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name())
        .filter_map(|name| OsStr::to_str(&name).map(str::to_owned))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMPILER: &str = "Intel(R) oneAPI DPC++/C++ Compiler 2025.0.4 (2025.0.4.20241205)";

    /// Creates a folder with a libsycl that contains these C strings.
    fn libsycl(root: &Path, major: u32, texts: &[&str]) -> LibsyclFolder {
        let libsycl = root.join(format!("libsycl.so.{major}"));
        fs::write(&libsycl, format!("\x7fELF\0{}\0", texts.join("\0"))).unwrap();
        LibsyclFolder { folder: root.into(), libsycl, major, outside: false }
    }

    #[test]
    fn the_package_tells_the_release_unless_it_is_anothers() {
        let root = tempfile::tempdir().unwrap();
        let name = || Release::find(&libsycl(root.path(), 8, &[COMPILER])).unwrap().name;
        assert_eq!(name().as_deref(), Some("2025.0"));
        let packages = root.path().join("python3.12/site-packages");
        fs::create_dir_all(packages.join("intel_sycl_rt-2025.0.5.dist-info")).unwrap();
        assert_eq!(name().as_deref(), Some("2025.0.5"));
        fs::remove_dir(packages.join("intel_sycl_rt-2025.0.5.dist-info")).unwrap();
        fs::create_dir(packages.join("intel_sycl_rt-2025.3.3.dist-info")).unwrap();
        assert_eq!(name().as_deref(), Some("2025.0"));
    }

    #[test]
    fn a_series_has_the_releases_of_its_two_numbers() {
        let of_2025_3 = |name| is_of_series(name, "2025.3");
        assert!(of_2025_3("2025.3") && of_2025_3("2025.3.3"));
        assert!(!of_2025_3("2025.30.1") && !of_2025_3("2025.2.3"));
    }

    #[test]
    fn conda_tells_the_release() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("lib")).unwrap();
        fs::create_dir(root.path().join("conda-meta")).unwrap();
        fs::write(root.path().join("conda-meta/intel-sycl-rt-2026.1.2-intel_9.json"), "{}").unwrap();
        let release = Release::find(&libsycl(&root.path().join("lib"), 9, &[])).unwrap();
        assert_eq!(release.name.as_deref(), Some("2026.1.2"));
    }

    #[test]
    fn the_loader_is_told_by_the_strings_of_libsycl() {
        let root = tempfile::tempdir().unwrap();
        let of = |major, texts: &[&str]| {
            let release = Release::find(&libsycl(root.path(), major, texts)).unwrap();
            release.unified_runtime().unwrap().clone()
        };
        let beside = of(8, &["libur_loader.so.0", "LIBUR_LOADER_0.10"]);
        assert_eq!((beside.loader_version.as_deref(), beside.opencl_inside), (Some("0.10"), false));
        let inside = of(9, &["UR_ADAPTERS_FORCE_LOAD", "libOpenCL.so.1", "urGetAdapterProcAddrTable"]);
        assert_eq!((inside.loader_version.as_deref(), inside.opencl_inside), (None, true));
        assert!(inside.getters.contains("urGetAdapterProcAddrTable"));

        fs::write(root.path().join("libur_loader.so.0"), "\0urGetGlobalProcAddrTable\0").unwrap();
        let old = of(8, &["LIBUR_LOADER_0.12"]);
        assert!(!old.level_zero_adapters_agree() && inside.level_zero_adapters_agree());
    }
}

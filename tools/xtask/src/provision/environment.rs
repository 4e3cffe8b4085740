//! Two virtual environments for each release with its stock client: as shipped by the vendor, and with our plugin.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::backend::Backend;
use crate::fsutil;
use crate::process;
use crate::provision::opencl::OpenClEnvironment;
use crate::provision::{adapter, level_zero, opencl, python, shim, software_cuda, wheels};
use crate::releases::{Interface, Pin, Release};
use crate::ui::Step;
use crate::workspace;

/// The origin of an environment's plugin or adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Flavour {
    /// The one of the release
    Vendor,
    /// The one of this repository
    Ours,
}

impl fmt::Display for Flavour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Flavour::Vendor => "vendor",
            Flavour::Ours => "ours",
        })
    }
}

/// A release's client, installed.
#[derive(Debug, Clone)]
pub(crate) struct Environment {
    python_minor: u8,
    root: PathBuf,
    backend: Backend,
    plugin: PathBuf,
    /// Whether its libsycl loads adapters.
    has_adapters: bool,
    /// The variable that makes this libsycl use only the backend's devices.
    selector: (&'static str, &'static str),
    shim: Option<PathBuf>,
    /// The OpenCL driver, if it is not the release's own.
    driver: Option<OpenClEnvironment>,
    more: Vec<(&'static str, OsString)>,
}

impl Environment {
    /// Returns the virtual environment's folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder with libsycl, its plugins and the OpenCL driver.
    pub(crate) fn lib(&self) -> PathBuf {
        self.root.join("lib")
    }

    /// Returns the backend of the plugin that it is used for.
    pub(crate) fn backend(&self) -> Backend {
        self.backend
    }

    /// Returns the same environment with additional variables.
    pub(crate) fn with(mut self, variables: Vec<(&'static str, OsString)>) -> Self {
        self.more.extend(variables);
        self
    }

    /// The same environment on another OpenCL driver than the release's own.
    pub(crate) fn on(mut self, driver: OpenClEnvironment) -> Self {
        self.driver = Some(driver);
        self
    }

    /// The words before a command that runs in it.
    pub(crate) fn launcher(&self) -> Vec<OsString> {
        self.driver.as_ref().map(OpenClEnvironment::launcher).unwrap_or_default()
    }

    /// Returns the same environment of a release with adapters, for one of them.
    pub(crate) fn with_adapter(mut self, release: &Release, flavour: Flavour, backend: Backend) -> Self {
        let lib = self.lib();
        self.has_adapters = true;
        let ours = (flavour == Flavour::Ours).then(|| adapter::ours(release, backend));
        self.backend = backend;
        self.more.extend(adapter::variables(backend, &lib, ours.as_deref()));
        self.plugin = ours.unwrap_or_else(|| adapter::vendors(release, backend, &lib));
        self
    }

    /// Returns its Python.
    pub(crate) fn python(&self) -> PathBuf {
        self.root.join("bin").join("python")
    }

    /// Returns the folder of its packages.
    pub(crate) fn site_packages(&self) -> PathBuf {
        self.lib().join(format!("python3.{}", self.python_minor)).join("site-packages")
    }

    /// Returns the plugin or adapter that its libsycl uses. The adapter may be part of libsycl.
    pub(crate) fn plugin(&self) -> &Path {
        &self.plugin
    }

    /// Returns the environment variables of the client, for this release's libraries and its own OpenCL driver.
    pub(crate) fn variables(&self) -> Result<Vec<(&'static str, OsString)>> {
        let mut variables = match &self.driver {
            Some(driver) => driver.variables_on(&self.lib()),
            None => opencl::intel_variables(&self.lib())?,
        };
        if self.backend == Backend::LevelZero {
            variables.extend(if self.has_adapters {
                level_zero::adapter_variables(&self.lib())?
            } else {
                level_zero::software_variables()?
            });
            variables.push((self.selector.0, OsString::from(self.selector.1)));
        }
        if self.backend == Backend::Cuda {
            variables = software_cuda::variables(self.plugin(), &self.lib())?;
        }
        // libsycl of 2025.3 asks the system's loader for the adapter by its name, as docs/guide/install.md says.
        let folder = self.plugin().parent().filter(|folder| self.has_adapters && *folder != self.lib());
        if let Some((folder, (_, path))) =
            folder.zip(variables.iter_mut().find(|(name, _)| *name == "LD_LIBRARY_PATH"))
        {
            *path = [folder.as_os_str(), path].join(OsStr::new(":"));
        }
        variables.push(("PYTHONNOUSERSITE", OsString::from("1")));
        variables.push(("PYTHONDONTWRITEBYTECODE", OsString::from("1")));
        variables.extend(self.more.iter().cloned());
        if let Some(shim) = &self.shim {
            variables.push(("LD_PRELOAD", shim.clone().into_os_string()));
        }
        Ok(variables)
    }
}

/// Returns the location of a release's environment of that flavour. The vendor's is the same for all backends. One
/// with adapters is the same for both flavours, because ours is elsewhere.
fn folder(release: &Release, flavour: Flavour, backend: Backend) -> PathBuf {
    if release.has_adapters() || flavour == Flavour::Vendor {
        return workspace::environments().join(release.name());
    }
    workspace::target().join("clients").join(release.name()).join(format!("{flavour}{}", backend.suffix()))
}

/// Installs a release's client for its OpenCL plugin, if necessary.
pub(crate) fn ensure(release: &'static Release, flavour: Flavour) -> Result<Environment> {
    ensure_for(release, flavour, Backend::OpenCl)
}

/// Installs a release's client, if necessary.
pub(crate) fn ensure_for(
    release: &'static Release,
    flavour: Flavour,
    backend: Backend,
) -> Result<Environment> {
    let backend = if flavour == Flavour::Vendor { backend.of_vendor() } else { backend };
    let pins: Vec<Pin> = release.pins().collect();
    if release.has_adapters() {
        let root = folder(release, flavour, backend);
        let environment = install(release.version, release.python_minor, &pins, &root)?;
        return Ok(environment.with_adapter(release, flavour, backend));
    }
    let vendor = folder(release, Flavour::Vendor, backend);
    let mut environment = install(release.version, release.python_minor, &pins, &vendor)?;
    if flavour == Flavour::Ours {
        let root = folder(release, flavour, backend);
        fsutil::build_folder(&root, &content(release.python_minor, &pins), |inside| {
            copy_by_links(&vendor, inside)
        })?;
        environment.root = root;
    }
    environment.backend = backend;
    let file = if backend == Backend::Cuda { software_cuda::file_name(release) } else { backend.file_name() };
    environment.plugin = environment.lib().join(file);
    if release.interface == Interface::Pi("9.11") {
        environment.selector = ("SYCL_DEVICE_FILTER", "level_zero");
    }
    if release.shim {
        environment.shim = Some(shim::ensure(release, &vendor.join("lib"))?);
    }
    Ok(environment)
}

/// Creates an environment of these packages, of DPC++ `version`, in `root`, if necessary.
pub(crate) fn install(version: &str, minor: u8, pins: &[Pin], root: &Path) -> Result<Environment> {
    let content = content(minor, pins);
    if !fsutil::is_stamped(root, &content) {
        let base = python::find(minor).with_context(|| {
            format!("DPC++ {version} needs a Python 3.{minor} and none was found; name one in PYTHON3{minor}")
        })?;
        let files = wheels::ensure(pins, minor)?;
        let step = Step::start(format!("installing DPC++ {version} and its clients for Python 3.{minor}"));
        fsutil::build_folder(root, &content, |inside| {
            process::output(Command::new(&base).args(["-m", "venv", "--copies"]).arg(inside))?;
            let mut pip = Command::new(inside.join("bin").join("python"));
            pip.args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-deps",
                "--no-index",
            ]);
            process::output(pip.args(&files))?;
            Ok(())
        })?;
        fsutil::share_equal_files(&workspace::environments());
        step.done("");
    }
    Ok(Environment {
        python_minor: minor,
        root: root.to_path_buf(),
        backend: Backend::default(),
        plugin: root.join("lib").join(Backend::default().file_name()),
        has_adapters: false,
        selector: ("ONEAPI_DEVICE_SELECTOR", "level_zero:*"),
        shim: None,
        driver: None,
        more: Vec::new(),
    })
}

/// Returns the content that an environment's stamp identifies.
fn content(minor: u8, pins: &[Pin]) -> String {
    let names: Vec<String> = pins.iter().map(ToString::to_string).collect();
    format!("1 python3.{minor} {}", names.join(" "))
}

/// Copies a folder with hard links, which takes neither space nor time. A file in it must only be changed by
/// replacing it. If the cache is on another file system, the files are copied.
fn copy_by_links(from: &Path, to: &Path) -> Result<()> {
    for entry in walkdir::WalkDir::new(from).min_depth(1) {
        let entry = entry?;
        let place = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir_all(&place)?;
        } else if entry.file_type().is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, &place)?;
        } else if entry.file_name() != ".stamp" {
            fs::hard_link(entry.path(), &place)
                .or_else(|_| fs::copy(entry.path(), &place).map(drop))
                .with_context(|| format!("cannot link {}", place.display()))?;
        }
    }
    Ok(())
}

//! The data of `pi ls --json`, whose keys are stable.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sycl_pi_loader::filter::{DeviceId, Filters};
use sycl_pi_loader::search::Candidate;
use sycl_pi_loader::{Attempt, Backend, DeviceInfo, Environment, PlatformInfo, PlatformInventory, filter};
use sycl_ur_host::Layout;

use crate::install::{Found, PluginState, adapter_names};
use crate::plugins;

/// The complete listing.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Listing {
    pub plugins: Vec<PluginReport>,
    pub platforms: Vec<PlatformReport>,
    pub devices: Vec<DeviceReport>,
    pub filters: Vec<FilterReport>,
    pub adapters: Vec<AdapterReport>,
    /// The folders of libsycl in which `--spirv-on-nvidia` is installed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spirv_on_nvidia: Vec<PathBuf>,
}

/// An adapter that a libsycl from 2025.0 on loads.
#[derive(Debug, Serialize, Deserialize)]
pub struct AdapterReport {
    pub backend: String,
    /// The file, or that of libsycl if the adapter is part of it.
    pub path: PathBuf,
    /// The DPC++ release that loads it, if known.
    pub release: Option<String>,
    /// Its origin. `None` for a named file that belongs to no libsycl.
    pub state: Option<PluginState>,
    pub description: String,
    /// The reason why its devices cannot be listed.
    pub error: Option<String>,
}

/// A file that was tried.
#[derive(Debug, Serialize, Deserialize)]
pub struct PluginReport {
    pub backend: String,
    pub path: PathBuf,
    /// The reason why it was tried.
    pub origin: String,
    /// Whether the user named exactly this file, so that its absence is an error.
    pub wanted: bool,
    pub loaded: bool,
    pub pi_version: Option<String>,
    pub plugin_version: Option<String>,
    pub functions: Option<usize>,
    pub error: Option<String>,
    pub hint: Option<String>,
    /// Whether the file does not exist.
    pub absent: bool,
    /// Its own explanation for having no device.
    pub why_no_device: Option<String>,
}

/// A platform.
#[derive(Debug, Serialize, Deserialize)]
pub struct PlatformReport {
    pub backend: String,
    pub plugin: PathBuf,
    pub name: String,
    pub vendor: String,
    pub version: String,
    pub error: Option<String>,
}

/// A device.
#[derive(Debug, Serialize, Deserialize)]
pub struct DeviceReport {
    pub backend: String,
    pub number: u32,
    #[serde(rename = "type")]
    pub kind: String,
    pub name: String,
    pub vendor: String,
    pub platform: String,
    pub version: String,
    pub driver_version: String,
    pub plugin: PathBuf,
    /// `None` for an adapter's.
    pub pi_version: Option<String>,
    pub global_memory: Option<u64>,
    pub local_memory: Option<u64>,
    pub compute_units: Option<u64>,
    pub max_work_group_size: Option<u64>,
    pub sub_group_sizes: Vec<u64>,
    pub il_version: String,
    pub aspects: Vec<String>,
    /// The filter that hides it. `None` if it is visible.
    pub hidden_by: Option<String>,
    /// The selector's pattern, if only its sub-devices are visible.
    pub only_sub_devices: Option<String>,
    /// The interface that it was queried through, e.g. `PI 15.47` or `UR 2025.3`.
    pub interface: String,
    /// The libsycl whose programs see it, if one was asked.
    pub libsycl: Option<PathBuf>,
}

/// A variable that filters.
#[derive(Debug, Serialize, Deserialize)]
pub struct FilterReport {
    pub variable: String,
    pub value: String,
    pub error: Option<String>,
}

impl Listing {
    /// Creates a listing with the filters that the environment sets, without devices.
    pub(super) fn with_filters(environment: &Environment) -> Self {
        let errors = Filters::from_environment(environment).1;
        let mut report = Listing::default();
        for variable in [filter::SELECTOR_VARIABLE, filter::FILTER_VARIABLE, filter::ALLOWLIST_VARIABLE] {
            let Some(value) = environment.text(variable) else { continue };
            let error = errors.iter().map(ToString::to_string).find(|text| text.starts_with(variable));
            report.filters.push(FilterReport { variable: variable.into(), value, error });
        }
        report
    }

    /// Inspects the named plugins, or those found by a search. It opens them, so call it in a separate process.
    pub fn of_plugins(named: &[PathBuf], backend: Option<Backend>) -> Self {
        let environment = Environment::from_env();
        let attempts: Vec<Attempt> = if named.is_empty() {
            let backends = Backend::ALL.into_iter().filter(|one| backend.is_none_or(|wanted| wanted == *one));
            backends.flat_map(|backend| plugins::discover(backend, &environment)).collect()
        } else {
            named.iter().map(|file| plugins::attempt(Candidate::explicit(file))).collect()
        };
        let (mut report, filters) =
            (Listing::with_filters(&environment), Filters::from_environment(&environment).0);
        for attempt in &attempts {
            report.add(attempt, &filters);
        }
        report
    }

    /// Inspects an adapter like the loader of a layout. It should be called in a separate process.
    ///
    /// # Errors
    /// Fails if the adapter provides no tables.
    pub fn of_adapter(file: &Path, layout: Layout) -> Result<Self> {
        let adapter = plugins::open_adapter_at(file, layout)?;
        let environment = Environment::from_env();
        let (mut report, filters) =
            (Listing::with_filters(&environment), Filters::from_environment(&environment).0);
        let backend = adapter_names::serving(file).map_or("", Backend::name);
        // An adapter without its driver may report an error here.
        let found = adapter.inventory();
        let failed = found.is_err();
        let interface = format!("UR {}", layout.name());
        let asked = AskedFile { backend, file: &adapter.path, pi_version: None, interface };
        report.add_devices(&asked, found.unwrap_or_default(), &filters);
        if report.devices.is_empty() {
            let told = adapter.last_error_message().map(Into::into);
            let guess = failed.then(|| "its driver is missing, or finds no device".to_owned());
            report.plugins.push(PluginReport::of_adapter(file, told.or(guess)));
        }
        Ok(report)
    }

    /// Adds the findings of another process.
    pub(super) fn take(&mut self, mut other: Listing, libsycl: Option<&Path>) {
        for device in &mut other.devices {
            device.libsycl = libsycl.map(PathBuf::from);
        }
        self.plugins.extend(other.plugins);
        self.platforms.extend(other.platforms);
        self.devices.extend(other.devices);
        self.adapters.extend(other.adapters);
    }

    fn add(&mut self, attempt: &Attempt, filters: &Filters) {
        let mut tried = PluginReport::new(attempt);
        if let Ok(plugin) = &attempt.outcome {
            let backend = attempt.candidate.backend.name();
            let version = plugin.version.text();
            let interface = format!("PI {version}");
            let asked = AskedFile { backend, file: &plugin.path, pi_version: Some(version), interface };
            let before = self.devices.len();
            match plugin.inventory() {
                Ok(found) => self.add_devices(&asked, found, filters),
                Err(error) => tried.error = Some(error.to_string()),
            }
            if tried.error.is_none() && self.devices.len() == before {
                tried.why_no_device = plugin.table().last_error_message().map(Into::into);
            }
        }
        self.plugins.push(tried);
    }

    fn add_devices<E: Display>(
        &mut self,
        asked: &AskedFile<'_>,
        found: Vec<PlatformInventory<E>>,
        filters: &Filters,
    ) {
        let mut number = 0;
        for PlatformInventory { platform, devices } in found {
            let error = devices.as_ref().err().map(ToString::to_string);
            self.platforms.push(PlatformReport::new(asked, &platform, error));
            for info in devices.unwrap_or_default() {
                let id = DeviceId { backend: asked.backend, kind: info.kind, number };
                self.devices.push(DeviceReport::new(id, asked, &platform, info, filters));
                number += 1;
            }
        }
    }
}

/// The file that was asked for devices.
struct AskedFile<'s> {
    backend: &'s str,
    file: &'s Path,
    /// The negotiated version of a plugin.
    pi_version: Option<&'s str>,
    /// The interface through which it was asked.
    interface: String,
}

impl AdapterReport {
    pub fn new(found: &Found) -> Self {
        let path = if found.is_file() { found.file() } else { &found.libsycl.libsycl };
        Self {
            backend: found.backend.name().into(),
            path: path.into(),
            state: Some(found.state()),
            description: found.said().into(),
            release: found.release.as_ref().and_then(|release| release.name.clone()),
            error: None,
        }
    }

    /// Creates the report for a file with an adapter's name.
    pub fn named(file: &Path) -> Option<Self> {
        let backend = adapter_names::backend_of(file)?.name().into();
        let description = "an adapter that was named".into();
        Some(Self { backend, path: file.into(), release: None, state: None, description, error: None })
    }
}

impl PluginReport {
    /// Creates the report for an adapter that loads, but has no device.
    fn of_adapter(file: &Path, why: Option<String>) -> Self {
        Self {
            backend: adapter_names::serving(file).map_or("", Backend::name).into(),
            path: file.into(),
            origin: "an adapter of its libsycl".into(),
            wanted: false,
            loaded: true,
            pi_version: None,
            plugin_version: None,
            functions: None,
            error: None,
            hint: None,
            absent: false,
            why_no_device: why,
        }
    }

    /// Creates the report for a plugin whose process ended while it was asked.
    pub(super) fn ended_the_process(candidate: &Candidate, error: &anyhow::Error) -> Self {
        let error = format!("the plugin or its driver ended the process that asked it: {error:#}");
        let hint = "install its driver again, or hide the driver".to_owned();
        Self { error: Some(error), hint: Some(hint), ..Self::not_loaded(candidate) }
    }

    fn not_loaded(candidate: &Candidate) -> Self {
        use sycl_pi_loader::search::Origin;
        Self {
            backend: candidate.backend.name().into(),
            path: candidate.path.clone(),
            origin: candidate.origin.to_string(),
            wanted: matches!(candidate.origin, Origin::Explicit | Origin::Override(_)),
            loaded: false,
            pi_version: None,
            plugin_version: None,
            functions: None,
            error: None,
            hint: None,
            absent: false,
            why_no_device: None,
        }
    }

    fn new(attempt: &Attempt) -> Self {
        use sycl_pi_loader::LoadError;
        let candidate = &attempt.candidate;
        let base = Self::not_loaded(candidate);
        match &attempt.outcome {
            Ok(plugin) => Self {
                path: plugin.path.clone(),
                loaded: true,
                pi_version: Some(plugin.version.text().into()),
                plugin_version: Some(plugin.plugin_version_text.clone()),
                functions: Some(plugin.table().function_count()),
                ..base
            },
            Err(error) => {
                let name = candidate.backend.file_name();
                let absent = match error {
                    LoadError::NotFound { .. } => true,
                    // The system's search reports a missing file with a general error.
                    LoadError::Open { reason, .. } => {
                        candidate.is_bare_name() && reason.starts_with(&format!("{name}: cannot open shared"))
                    }
                    _ => false,
                };
                let hint = if absent { None } else { error.hint() };
                Self { error: Some(error.to_string()), hint, absent, ..base }
            }
        }
    }
}

impl PlatformReport {
    fn new(asked: &AskedFile<'_>, info: &PlatformInfo, error: Option<String>) -> Self {
        Self {
            backend: asked.backend.into(),
            plugin: asked.file.into(),
            name: info.name.clone(),
            vendor: info.vendor.clone(),
            version: info.version.clone(),
            error,
        }
    }
}

impl DeviceReport {
    fn new(
        id: DeviceId<'_>,
        asked: &AskedFile<'_>,
        platform: &PlatformInfo,
        info: DeviceInfo,
        filters: &Filters,
    ) -> Self {
        Self {
            backend: id.backend.into(),
            number: id.number,
            kind: id.kind.name().into(),
            hidden_by: filters.hides(id, platform, &info).map(|hidden| hidden.to_string()),
            only_sub_devices: filters.only_sub_devices(id),
            name: info.name,
            vendor: info.vendor,
            platform: platform.name.clone(),
            version: info.version,
            driver_version: info.driver_version,
            plugin: asked.file.into(),
            pi_version: asked.pi_version.map(Into::into),
            interface: asked.interface.clone(),
            libsycl: None,
            global_memory: info.global_memory,
            local_memory: info.local_memory,
            compute_units: info.compute_units,
            max_work_group_size: info.max_work_group_size,
            sub_group_sizes: info.sub_group_sizes,
            il_version: info.il_version,
            aspects: info.aspects.into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns the tag, e.g. `[opencl:cpu:0]`.
    pub fn tag(&self) -> String {
        format!("[{}:{}:{}]", self.backend, self.kind, self.number)
    }
}

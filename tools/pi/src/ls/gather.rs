//! Inspects plugins and adapters, each in a separate process. If one crashes, only its own devices are missing.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use sycl_pi_loader::search::{self, Candidate, Origin, SEARCH_PATH_VARIABLE};
use sycl_pi_loader::{Backend, Environment};
use sycl_ur_host::{Layout, layout_of_release};

use super::report::{AdapterReport, Listing, PluginReport};
use crate::child::{self, ChildEnvironment};
use crate::install::{Found, Seen, nvidia, tree};
use crate::sycl;

impl Listing {
    /// Collects the devices that programs see. They come from the named files, else from the plugins or adapters that
    /// the environments' libsycl loads, else from the plugins that programs of the runtime find.
    pub fn gather(seen: &Seen, named: &[PathBuf], environment: &Environment) -> Self {
        let mut report = Listing::with_filters(environment);
        let folder = seen.libsycls.first().map(|libsycl| &*libsycl.folder);
        if !named.is_empty() {
            let mut plugins = Vec::new();
            for file in named {
                match AdapterReport::named(file) {
                    Some(adapter) => report.add_adapter(adapter, layout_beside(file), folder, None),
                    None => plugins.push(file.clone()),
                }
            }
            if !plugins.is_empty() {
                report.take(
                    of_plugins(&plugins, &folder.map(ChildEnvironment::of_libsycl).unwrap_or_default()),
                    None,
                );
            }
            return report;
        }
        for libsycl in &seen.libsycls {
            // A folder that cannot be read is reported by pi doctor.
            for found in Found::in_folder(libsycl).unwrap_or_default() {
                report.add_found(&found);
            }
            if nvidia::is_in(&libsycl.folder) {
                report.spirv_on_nvidia.push(libsycl.folder.clone());
            }
        }
        let named =
            Backend::ALL.iter().any(|backend| environment.text(backend.override_variable()).is_some())
                || environment.text(SEARCH_PATH_VARIABLE).is_some();
        if named || seen.libsycls.is_empty() {
            let place = seen.active.first().map(|root| ChildEnvironment::of_libsycl(&root.join("lib")));
            // Its own folder has no libraries for others.
            let place = ChildEnvironment { folder: None, ..place.unwrap_or_default() };
            report.take(of_plugins(&[], &place), None);
        }
        report
    }

    /// Adds the devices of a plugin or adapter that a libsycl loads.
    fn add_found(&mut self, found: &Found) {
        let libsycl = &found.libsycl;
        if !libsycl.speaks_ur() {
            if found.is_file() {
                let place = ChildEnvironment::of_libsycl(&libsycl.folder);
                self.take(of_plugins(&[found.file().to_path_buf()], &place), Some(&libsycl.libsycl));
            }
            return;
        }
        let adapter = AdapterReport::new(found);
        if found.is_file() {
            let layout = adapter.release.as_deref().and_then(layout_of_release);
            self.add_adapter(adapter, layout, Some(&libsycl.folder), Some(&libsycl.libsycl));
        } else {
            self.add_inside(adapter, found);
        }
    }

    fn add_adapter(
        &mut self,
        mut adapter: AdapterReport,
        layout: Option<Layout>,
        folder: Option<&Path>,
        libsycl: Option<&Path>,
    ) {
        let place =
            folder.map_or_else(|| ChildEnvironment::beside(&adapter.path), ChildEnvironment::of_libsycl);
        match layout {
            None => adapter.error = Some("its release is not known, so it cannot be asked".into()),
            Some(layout) => match of_adapter(&adapter.path, layout, &place) {
                Ok(other) => self.take(other, libsycl),
                Err(error) => adapter.error = Some(format!("{error:#}")),
            },
        }
        self.adapters.push(adapter);
    }

    /// Adds the devices of an OpenCL adapter that is part of libsycl, by asking libsycl.
    fn add_inside(&mut self, mut adapter: AdapterReport, found: &Found) {
        match sycl::ask(&found.libsycl, &ChildEnvironment::of_libsycl(&found.libsycl.folder)) {
            Ok(seen) => {
                let devices = seen.devices.into_iter().filter(|device| device.backend == adapter.backend);
                let numbered = (0..).zip(devices);
                self.devices
                    .extend(numbered.map(|(number, device)| device.report(number, &found.libsycl.libsycl)));
            }
            Err(error) => adapter.error = Some(format!("{error:#}")),
        }
        self.adapters.push(adapter);
    }
}

/// Lists the plugins in these files, or those found by a search. If one ends the process that asks all of them,
/// each is asked in a separate one.
fn of_plugins(files: &[PathBuf], place: &ChildEnvironment) -> Listing {
    let ask = |words: &[&OsStr]| child::ask(&[&[OsStr::new("__plugins")], words].concat(), place);
    let all: Vec<&OsStr> = files.iter().map(|file| file.as_os_str()).collect();
    if let Ok(listing) = ask(&all) {
        return listing;
    }
    let mut listing = Listing::default();
    let mut add = |candidate: Candidate, words: &[&OsStr]| match ask(words) {
        Ok(one) => listing.take(one, None),
        Err(error) => listing.plugins.push(PluginReport::ended_the_process(&candidate, &error)),
    };
    for file in files {
        add(Candidate::explicit(file), &[file.as_os_str()]);
    }
    for backend in Backend::ALL.into_iter().filter(|_| files.is_empty()) {
        let words = ["--backend", backend.name()].map(OsStr::new);
        add(first_there(backend), &words);
    }
    listing
}

/// Returns the file that a search for a backend's plugin loads first.
fn first_there(backend: Backend) -> Candidate {
    let folder = search::executable_folder();
    let mut all = search::candidates(backend, &Environment::from_env(), folder.as_deref()).into_iter();
    let there = all.find(|candidate| candidate.path.exists());
    there.unwrap_or(Candidate { backend, path: backend.file_name().into(), origin: Origin::System })
}

fn of_adapter(file: &Path, layout: Layout, place: &ChildEnvironment) -> Result<Listing> {
    let words = [OsStr::new("__adapter"), file.as_os_str(), OsStr::new(layout.name())];
    let answer: Result<Listing, String> = child::ask(&words, place)?;
    answer.map_err(anyhow::Error::msg)
}

/// Returns the layout of the libsycl next to an adapter. For an adapter elsewhere it returns the newest one,
/// because ours support all.
fn layout_beside(file: &Path) -> Option<Layout> {
    let libsycl = file.parent().and_then(|folder| tree::folders(folder).ok()?.into_iter().next());
    match libsycl.and_then(|libsycl| Found::in_folder(&libsycl).ok()?.into_iter().next()) {
        Some(found) => layout_of_release(found.release?.name.as_deref()?),
        None => Some(Layout::NEWEST),
    }
}

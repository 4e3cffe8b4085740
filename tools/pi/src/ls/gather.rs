//! Looks at plugins and adapters, each in a process of its own: one that crashes costs its own devices.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sycl_pi_loader::search::SEARCH_PATH_VARIABLE;
use sycl_pi_loader::{Backend, Environment};
use sycl_ur_host::{Layout, layout_of_release};

use super::report::{AdapterReport, Listing};
use crate::child::{self, Place};
use crate::install::{Found, Seen, adapter_names, tree};
use crate::sycl;

impl Listing {
    /// What programs see: the devices of the files that were named, else of the plugins or adapters that the environments' libsycl
    /// loads, else of the plugins that programs of the runtime find.
    pub fn gather(seen: &Seen, named: &[PathBuf], environment: &Environment) -> Result<Self> {
        let mut report = Listing::with_filters(environment);
        if !named.is_empty() {
            let (adapters, plugins): (Vec<_>, Vec<_>) =
                named.iter().partition(|file| adapter_names::backend_of(file).is_some());
            if !plugins.is_empty() {
                let place = seen.libsycls.first().map(|libsycl| Place::of_libsycl(&libsycl.folder));
                report.take(of_plugins(&plugins, &place.unwrap_or_default())?, None);
            }
            for file in adapters {
                let adapter = AdapterReport::named(file).context("no adapter")?;
                report.add_adapter(
                    adapter,
                    layout_beside(file),
                    seen.libsycls.first().map(|one| &*one.folder),
                    None,
                );
            }
            return Ok(report);
        }
        for libsycl in &seen.libsycls {
            // A folder that cannot be read has a finding of pi doctor's.
            for found in Found::of(libsycl).unwrap_or_default() {
                report.add_found(&found)?;
            }
        }
        let named =
            Backend::ALL.iter().any(|backend| environment.text(backend.override_variable()).is_some())
                || environment.text(SEARCH_PATH_VARIABLE).is_some();
        if named || seen.libsycls.is_empty() {
            let place = seen.active.first().map(|root| Place::of_libsycl(&root.join("lib")));
            // Its own folder has no libraries for others.
            let place = Place { folder: None, ..place.unwrap_or_default() };
            report.take(of_plugins(&[], &place)?, None);
        }
        Ok(report)
    }

    /// The devices of one plugin or adapter that a libsycl loads.
    fn add_found(&mut self, found: &Found) -> Result<()> {
        let libsycl = &found.libsycl;
        if !libsycl.speaks_ur() {
            if found.is_file() {
                let place = Place::of_libsycl(&libsycl.folder);
                self.take(of_plugins(&[&found.file().to_path_buf()], &place)?, Some(&libsycl.libsycl));
            }
            return Ok(());
        }
        let adapter = AdapterReport::of(found);
        if found.is_file() {
            let layout = adapter.release.as_deref().and_then(layout_of_release);
            self.add_adapter(adapter, layout, Some(&libsycl.folder), Some(&libsycl.libsycl));
        } else {
            self.add_inside(adapter, found);
        }
        Ok(())
    }

    fn add_adapter(
        &mut self,
        mut adapter: AdapterReport,
        layout: Option<Layout>,
        folder: Option<&Path>,
        libsycl: Option<&Path>,
    ) {
        let place = folder.map_or_else(|| Place::beside(&adapter.path), Place::of_libsycl);
        match layout {
            None => adapter.error = Some("its release is not known here, so that it cannot be asked".into()),
            Some(layout) => match of_adapter(&adapter.path, layout, &place) {
                Ok(other) => self.take(other, libsycl),
                Err(error) => adapter.error = Some(format!("{error:#}")),
            },
        }
        self.adapters.push(adapter);
    }

    /// The OpenCL adapter is a part of libsycl, which is asked itself.
    fn add_inside(&mut self, mut adapter: AdapterReport, found: &Found) {
        match sycl::ask(&found.libsycl, &Place::of_libsycl(&found.libsycl.folder)) {
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

fn of_plugins(files: &[&PathBuf], place: &Place) -> Result<Listing> {
    let mut words: Vec<&OsStr> = vec![OsStr::new("__plugins")];
    words.extend(files.iter().map(|file| file.as_os_str()));
    child::ask(&words, place).context("a plugin or a driver ended the process that asked it")
}

fn of_adapter(file: &Path, layout: Layout, place: &Place) -> Result<Listing> {
    let words = [OsStr::new("__adapter"), file.as_os_str(), OsStr::new(layout.name())];
    let answer: Result<Listing, String> = child::ask(&words, place)?;
    answer.map_err(anyhow::Error::msg)
}

/// The layout of the libsycl beside an adapter; the newest one for an adapter that lies elsewhere, as ours know all.
fn layout_beside(file: &Path) -> Option<Layout> {
    let libsycl = file.parent().and_then(|folder| tree::folders(folder).ok()?.into_iter().next());
    match libsycl.and_then(|libsycl| Found::of(&libsycl).ok()?.into_iter().next()) {
        Some(found) => layout_of_release(found.release?.name.as_deref()?),
        None => Some(Layout::NEWEST),
    }
}

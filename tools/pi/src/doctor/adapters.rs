//! Finds the reasons why the loader of a release from 2025.0 on does not use an adapter. The loader reports them in its
//! log only.

use std::path::{Path, PathBuf};

use sycl_pi_loader::filter::SELECTOR_VARIABLE;
use sycl_pi_loader::{Backend, Environment};

use super::finding::Finding;
use super::libraries::find;
use super::variables::unset;
use crate::install::adapter_names::FORCE_LOAD;
use crate::install::release::{Release, loader_version_in};
use crate::install::tree::LibsyclFolder;
use crate::install::{Found, PluginState, Seen, force_load};
use crate::{probe, regular, shell};

/// Disables the loader's choice of files by the selector.
const NO_FILTER: &str = "UR_LOADER_PRELOAD_FILTER";

pub fn check(seen: &Seen, environment: &Environment, findings: &mut Vec<Finding>) {
    let named = environment.text(FORCE_LOAD);
    if let Some(value) = &named {
        force_loaded(value, seen, findings);
    }
    for libsycl in seen.with_adapters() {
        loader(libsycl, environment, findings);
        for found in Found::in_folder(libsycl).unwrap_or_default() {
            opens(&found, findings);
            if named.is_none() {
                selected(&found, environment, findings);
            }
        }
    }
    if seen.with_adapters().next().is_none() {
        return;
    }
    for variable in Backend::ALL.map(Backend::override_variable) {
        if environment.text(variable).is_some() {
            findings.push(
                Finding::info(format!("{variable} is set; releases from 2025.0 on do not read it"))
                    .fix("use pi run DIR PROGRAM: it sets the variables that the release in DIR reads")
                    .typed(unset(variable)),
            );
        }
    }
}

/// Checks that the variable can be read, and that each file that it names exists.
fn force_loaded(value: &str, seen: &Seen, findings: &mut Vec<Finding>) {
    let files = match force_load::files_of(value) {
        Ok(files) => files,
        Err(error) => {
            findings.push(
                Finding::error(format!("{FORCE_LOAD} cannot be read: {error:#}"), unset(FORCE_LOAD))
                    .why("programs end with an exception when they first look for a device")
                    .fix("write files with commas between them, or unset the variable"),
            );
            return;
        }
    };
    // The system searches for a name without a folder.
    let gone = |file: &&PathBuf| file.components().count() > 1 && !file.exists();
    for file in files.iter().filter(gone) {
        findings.push(
            Finding::error(format!("{FORCE_LOAD} names {}, which does not exist", file.display()), unset(FORCE_LOAD))
                .why("the loader reports this in its log only; adapters that the variable does not name are not loaded")
                .fix("correct the variable, or unset it"),
        );
    }
    // The environment's own Python sets this value, and may have started pi.
    let own = |folder: &Path| files.iter().all(|file| file.parent() == Some(folder));
    let is_own = seen.with_adapters().any(|libsycl| own(&libsycl.folder));
    if !is_own && !files.iter().any(|file| gone(&file)) {
        findings.push(Finding::info(format!("{FORCE_LOAD}={value}: no other adapter is loaded")));
    }
}

/// Checks for a loader of another release in LD_LIBRARY_PATH, which precedes the folder of libsycl.
fn loader(libsycl: &LibsyclFolder, environment: &Environment, findings: &mut Vec<Finding>) {
    let needed = Release::find(libsycl).ok();
    let needed = needed.as_ref().and_then(Release::unified_runtime);
    // A libsycl that contains the loader needs no other.
    let Some(needed) = needed.and_then(|told| told.loader_version.as_ref()) else { return };
    let Some(file) = find(&environment.paths("LD_LIBRARY_PATH"), &["libur_loader.so.0"]) else { return };
    let Ok(bytes) = regular::read(&file) else { return };
    let remedy = format!(
        "keep the folders of one release only in LD_LIBRARY_PATH, {} before others",
        libsycl.folder.display()
    );
    let what = format!("{} finds the loader {}", libsycl.libsycl.display(), file.display());
    let typed = format!("export LD_LIBRARY_PATH={}:\"$LD_LIBRARY_PATH\"", shell::path(&libsycl.folder));
    match loader_version_in(&bytes) {
        Some(version) if version != *needed => findings.push(
            Finding::error(format!("{what}, which belongs to another release"), typed)
                .why(format!("programs end with \"version `LIBUR_LOADER_{needed}' not found\"; this loader has {version}"))
                .fix(remedy),
        ),
        _ if !is_own(libsycl, &bytes) => findings.push(
            Finding::warning(format!("{what}, not the one next to it"))
                .why("its symbols have the same version, but each release has other tables")
                .fix(remedy),
        ),
        _ => {}
    }
}

fn is_own(libsycl: &LibsyclFolder, loader: &[u8]) -> bool {
    let own = libsycl.folder.join("libur_loader.so.0");
    regular::read(&own).map_or(true, |bytes| bytes == loader)
}

/// Checks that an adapter opens. The loader skips an adapter if one function is missing.
fn opens(found: &Found, findings: &mut Vec<Finding>) {
    if !found.is_file() {
        return;
    }
    let Err(error) = probe::opens(found.file()) else { return };
    let what = format!("The {} adapter {} does not open", found.backend, found.file().display());
    let again = format!("pi install {}", shell::path(&found.libsycl.folder));
    let finding = if found.state() == PluginState::Ours {
        Finding::error(what, again)
    } else {
        Finding::warning(what).typed(again)
    };
    findings.push(finding.why(format!("{error:#}; its devices are missing then")));
}

/// Checks that the selector names the backend. The loader opens no other adapters.
fn selected(found: &Found, environment: &Environment, findings: &mut Vec<Finding>) {
    let Some(selector) = environment.text(SELECTOR_VARIABLE) else { return };
    let off = environment.text(NO_FILTER).is_some_and(|value| value == "0");
    if off || names(&selector, found.backend) {
        return;
    }
    let what = format!(
        "{SELECTOR_VARIABLE}={selector} keeps the {} adapter of {} from being loaded",
        found.backend,
        found.libsycl.folder.display()
    );
    let ours = found.state() == PluginState::Ours;
    let finding = if ours { Finding::warning(what) } else { Finding::info(what) };
    findings.push(
        finding
            .why("the loader opens the adapters of the backends that it names, no others")
            .fix(format!("to use it, name {}:* too, or unset the variable", found.backend)),
    );
}

/// Returns whether a term of the selector accepts devices of the backend.
fn names(selector: &str, backend: Backend) -> bool {
    let selector = selector.to_ascii_lowercase();
    let terms = || selector.split(';').map(str::trim).filter(|term| !term.is_empty());
    let of_backend =
        |term: &str| term.split(':').next().is_some_and(|name| name == "*" || name == backend.name());
    let mut accepting = terms().filter(|term| !term.starts_with('!')).peekable();
    let named = accepting.peek().is_none() || accepting.any(of_backend);
    let all =
        |term: &str| term.strip_prefix('!').is_some_and(|term| of_backend(term) && term.ends_with(":*"));
    named && !terms().any(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Severity;

    /// Creates a folder with a libsycl and a loader with this version of its symbols.
    fn release(folder: &Path, version: &str) -> String {
        let text = format!("\x7fELF\0LIBUR_LOADER_{version}\0");
        for name in ["libsycl.so.8", "libur_loader.so.0", "libur_adapter_opencl.so.0"] {
            std::fs::write(folder.join(name), &text).unwrap();
        }
        folder.to_str().unwrap().to_owned()
    }

    fn found(pairs: &[(&str, &str)]) -> Vec<(Severity, String)> {
        let environment = Environment::from_pairs(pairs.iter().copied());
        let mut findings = Vec::new();
        for libsycl in Seen::from(&environment).with_adapters() {
            loader(libsycl, &environment, &mut findings);
            for found in Found::in_folder(libsycl).unwrap() {
                selected(&found, &environment, &mut findings);
            }
        }
        findings.into_iter().map(|finding| (finding.severity, finding.what)).collect()
    }

    #[test]
    fn a_loader_of_another_release_is_told() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (venv, other) = (release(old.path(), "0.10"), release(new.path(), "0.12"));
        assert!(found(&[("VIRTUAL_ENV", &venv)]).is_empty());
        assert!(found(&[("VIRTUAL_ENV", &venv), ("LD_LIBRARY_PATH", &venv)]).is_empty());
        let mixed = found(&[("VIRTUAL_ENV", &venv), ("LD_LIBRARY_PATH", &other)]);
        assert_eq!(mixed.len(), 1);
        assert_eq!(mixed[0].0, Severity::Error);
        assert!(mixed[0].1.contains("belongs to another release"));

        release(new.path(), "0.10");
        std::fs::write(new.path().join("libur_loader.so.0"), "\0LIBUR_LOADER_0.10\0another build").unwrap();
        let mixed = found(&[("VIRTUAL_ENV", &venv), ("LD_LIBRARY_PATH", &other)]);
        assert_eq!(mixed[0].0, Severity::Warning);
    }

    #[test]
    fn a_selector_that_names_other_backends_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = release(folder.path(), "0.12");
        let with = |selector: &str| found(&[("VIRTUAL_ENV", &path), (SELECTOR_VARIABLE, selector)]);
        assert!(with("opencl:cpu").is_empty() && with("*:gpu").is_empty() && with("!opencl:gpu").is_empty());
        assert_eq!(with("level_zero:gpu").len(), 1);
        assert!(with("!opencl:*")[0].1.contains("keeps the opencl adapter"));
        let off = [("VIRTUAL_ENV", path.as_str()), (SELECTOR_VARIABLE, "cuda:*"), (NO_FILTER, "0")];
        assert!(found(&off).is_empty());
    }

    #[test]
    fn a_file_that_is_not_there_is_told() {
        let told = |value: &str| {
            let mut findings = Vec::new();
            force_loaded(value, &Seen { active: vec![], libsycls: vec![] }, &mut findings);
            findings.into_iter().map(|finding| (finding.severity, finding.what)).collect::<Vec<_>>()
        };
        assert_eq!(told("/no/such.so,/")[0].0, Severity::Error);
        assert!(told("/no/such.so,/")[0].1.contains("names /no/such.so"));
        assert!(told("/a.so:/b.so")[0].1.contains("cannot be read"));
        assert_eq!(told("libur_adapter_opencl.so.0")[0].0, Severity::Info);
    }
}

//! Asks the environment's own libsycl for its devices as its programs do. Also checks whether the library path contains
//! several libsycl: the first one with a name is loaded, whichever a program was built for.

use std::path::{Path, PathBuf};

use sycl_pi_loader::Environment;

use super::finding::Finding;
use super::remedy;
use crate::child::ChildEnvironment;
use crate::install::tree::{self, LibsyclFolder, libraries};
use crate::install::{Found, PluginState, Seen, force_load};
use crate::ls::DeviceReport;
use crate::{probe, shell, sycl};

/// The finding about a dpctl that cannot be loaded.
pub const DPCTL_LACKS_LIBRARIES: &str = "Python's dpctl does not find the libraries that it needs";

/// Asks each libsycl for its devices, with the variables that an install sets for Python programs and no others.
/// `devices` are those that its plugins or adapters have if a variable names the environment's driver.
pub fn ask(seen: &Seen, devices: &[DeviceReport], findings: &mut Vec<Finding>) {
    for libsycl in &seen.libsycls {
        let mut place = ChildEnvironment::of_programs(libsycl);
        place.variables = force_load::for_programs(libsycl).unwrap_or_default();
        let file = libsycl.libsycl.display();
        let is_visible = |device: &&DeviceReport| {
            device.hidden_by.is_none() && device.libsycl.as_ref() == Some(&libsycl.libsycl)
        };
        let expected = devices.iter().filter(is_visible).count();
        match sycl::ask(libsycl, &place) {
            Ok(found) if found.devices.len() < expected => {
                findings.push(sees_less(seen, libsycl, found.devices.len(), expected));
            }
            Ok(found) if !found.devices.is_empty() => {
                let count = found.devices.len();
                let plural = if count == 1 { "" } else { "s" };
                let through: Vec<String> =
                    found.loaded.iter().map(|file| file.display().to_string()).collect();
                let through =
                    if through.is_empty() { "an adapter of its own".into() } else { through.join(", ") };
                findings.push(Finding::ok(format!(
                    "{file} sees {count} device{plural}; it has opened {through}"
                )));
            }
            // The reason has been reported.
            Ok(_) => findings.push(Finding::info(format!("{file} sees no device"))),
            Err(error) => findings.push(cannot_be_asked(seen, libsycl, &format!("{error:#}"))),
        }
        findings.extend(python(libsycl));
    }
}

/// Reports a libsycl whose plugin or adapter has a device that its programs do not see.
fn sees_less(seen: &Seen, libsycl: &LibsyclFolder, count: usize, expected: usize) -> Finding {
    let root = shell::path(remedy::root_of(seen, &libsycl.folder));
    let file = libsycl.libsycl.display();
    let what = match count {
        0 => format!("Programs of {file} see no device"),
        _ => format!("Programs of {file} see {count} of {expected} devices"),
    };
    let ours =
        Found::in_folder(libsycl).is_ok_and(|all| all.iter().any(|found| found.state() == PluginState::Ours));
    if ours {
        return Finding::error(what, format!("eval \"$(pi env {root})\""))
            .why("our files have one, but its programs do not load them or do not find the driver")
            .fix("name both in this shell");
    }
    Finding::error(what, format!("pi install {root}"))
        .why("the vendor's files find Intel's CPU runtime only where a variable names it")
        .fix("install ours, which find it, or let pi env or pi run set the variable")
}

/// Checks Python's dpctl. In some releases it looks for libsycl and its dependencies in a folder of the machine
/// that built it.
fn python(libsycl: &LibsyclFolder) -> Option<Finding> {
    let packages = tree::site_packages(&libsycl.folder);
    let file = packages.iter().map(|folder| folder.join("dpctl").join("libDPCTLSyclInterface.so.0"));
    let file = file.into_iter().find(|file| file.exists())?;
    let error = probe::library_opens(&file).err()?;
    let folder = shell::path(&libsycl.folder);
    let set = format!("export LD_LIBRARY_PATH={folder}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}");
    Some(
        Finding::error(DPCTL_LACKS_LIBRARIES, set)
            .why(format!("{error:#}"))
            .fix("name their folder, or start programs by pi run, which does that"),
    )
}

/// The vendor's packages, and the libraries that each of them contains.
const PACKAGES: [(&str, &[&str]); 5] = [
    ("intel-cmplr-lib-rt", &["libintlc", "libsvml", "libimf", "libirng"]),
    ("intel-cmplr-lib-ur", &["libur_loader", "libur_adapter"]),
    ("umf", &["libumf"]),
    ("tbb", &["libtbb"]),
    ("tcmlib", &["libhwloc", "libtcm"]),
];

/// Reports a libsycl that does not start. Usually a library that it needs is in a package that was not installed.
fn cannot_be_asked(seen: &Seen, libsycl: &LibsyclFolder, why: &str) -> Finding {
    let what = format!("{} cannot be asked for its devices", libsycl.libsycl.display());
    let lacks = |library: &&str| why.contains(*library) && why.contains("cannot open shared object file");
    let of_library = PACKAGES.iter().find(|(_, libraries)| libraries.iter().any(&lacks));
    let package = of_library.map_or("dpcpp-cpp-rt", |(package, _)| package);
    let typed = remedy::package(seen, package).unwrap_or_else(|| format!("pip install {package}"));
    Finding::error(what, typed).why(why.to_owned())
}

pub fn check(environment: &Environment, findings: &mut Vec<Finding>) {
    let mut found: Vec<(u32, PathBuf)> = Vec::new();
    for folder in environment.paths("LD_LIBRARY_PATH") {
        let mut here = libraries(&folder);
        here.sort_by_key(|(major, _)| *major);
        here.dedup_by_key(|(major, _)| *major);
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.into());
        for (major, file) in here {
            // One folder under two names counts once.
            if !found.iter().any(|(other, known)| *other == major && real(known) == real(&file)) {
                found.push((major, file));
            }
        }
    }
    found.sort();
    let list = |files: &[(u32, PathBuf)]| {
        files.iter().map(|(_, file)| file.display().to_string()).collect::<Vec<_>>().join(", ")
    };
    let mut majors: Vec<u32> = found.iter().map(|(major, _)| *major).collect();
    let total = majors.len();
    majors.dedup();
    if majors.len() < total {
        findings.push(
            Finding::warning(format!("LD_LIBRARY_PATH has one libsycl more than once: {}", list(&found)))
                .why("the first is used by all programs, and its plugins too; parts of two releases do not fit together")
                .fix("keep the folders of one release only in LD_LIBRARY_PATH"),
        );
    } else if majors.len() > 1 {
        findings.push(
            Finding::info(format!("LD_LIBRARY_PATH has several releases of libsycl: {}", list(&found)))
                .why("each program takes the one that it was built with; libraries under them may still be mixed up"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts() {
        let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let path = format!("{}:{}", one.path().display(), two.path().display());
        let count = || {
            let mut findings = Vec::new();
            check(&Environment::from_pairs([("LD_LIBRARY_PATH", path.as_str())]), &mut findings);
            findings.into_iter().map(|finding| finding.what).collect::<Vec<_>>()
        };
        std::fs::write(one.path().join("libsycl.so.7"), "").unwrap();
        assert!(count().is_empty());
        std::fs::write(two.path().join("libsycl.so.6"), "").unwrap();
        assert!(count()[0].contains("several releases"));
        std::fs::write(two.path().join("libsycl.so.7"), "").unwrap();
        assert!(count()[0].contains("more than once"));
        // One folder under two names has it once.
        let [folder, link] = [one.path().to_owned(), two.path().join("link")];
        std::os::unix::fs::symlink(&folder, &link).unwrap();
        let twice = format!("{}:{}", folder.display(), link.display());
        let mut findings = Vec::new();
        check(&Environment::from_pairs([("LD_LIBRARY_PATH", twice.as_str())]), &mut findings);
        assert!(findings.is_empty());
    }
}

//! The environment's own libsycl, asked as its programs ask it; and several libsycl on the library path, of which the first one of a
//! name is taken, whatever a program was built for.

use std::path::{Path, PathBuf};

use sycl_pi_loader::Environment;

use super::finding::Finding;
use super::remedy;
use crate::install::tree::{LibsyclFolder, libraries};
use crate::install::{Seen, force_load};
use crate::{shell, sycl};

/// Asks each libsycl for its devices, with what an install sets for Python programs. `devices` says whether its plugin or adapter has
/// one.
pub fn ask(seen: &Seen, devices: bool, findings: &mut Vec<Finding>) {
    for libsycl in &seen.libsycls {
        let variables = force_load::for_programs(libsycl).unwrap_or_default();
        let root = shell::path(remedy::root_of(seen, &libsycl.folder));
        let file = libsycl.libsycl.display();
        match sycl::ask(libsycl, &variables) {
            Ok(found) if !found.devices.is_empty() => {
                let count = found.devices.len();
                let plural = if count == 1 { "" } else { "s" };
                let through: Vec<String> = found.loaded.iter().map(|file| file.display().to_string()).collect();
                let through = if through.is_empty() { "no file of its own".into() } else { through.join(", ") };
                findings.push(Finding::ok(format!("{file} sees {count} device{plural}, through {through}")));
            }
            Ok(_) if devices => findings.push(
                Finding::error(format!("{file} sees no device, although its plugin or adapter has one"), format!("pi run {root} env"))
                    .why("its programs end with \"No device of requested type available\"")
                    .fix("compare the variables below with what your program gets"),
            ),
            // The reason was told.
            Ok(_) => findings.push(Finding::info(format!("{file} sees no device"))),
            Err(error) => findings.push(cannot_be_asked(seen, libsycl, &format!("{error:#}"))),
        }
    }
}

/// A libsycl that does not start: a library that it needs is mostly in a package that was left out.
fn cannot_be_asked(seen: &Seen, libsycl: &LibsyclFolder, why: &str) -> Finding {
    let what = format!("{} cannot be asked for its devices", libsycl.libsycl.display());
    let lacks = |library: &str| why.contains(library) && why.contains("cannot open shared object file");
    let package = match () {
        _ if lacks("libintlc") || lacks("libsvml") || lacks("libimf") || lacks("libirng") => "intel-cmplr-lib-rt",
        _ if lacks("libur_loader") || lacks("libur_adapter") => "intel-cmplr-lib-ur",
        _ if lacks("libumf") => "umf",
        _ if lacks("libtbb") => "tbb",
        _ if lacks("libhwloc") || lacks("libtcm") => "tcmlib",
        _ => "dpcpp-cpp-rt",
    };
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
            // One folder under two names is one folder.
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
    }
}

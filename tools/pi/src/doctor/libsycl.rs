//! Several libsycl on the library path: the first one of a name is taken, whatever a program was built for.

use std::path::{Path, PathBuf};

use sycl_pi_loader::Environment;

use super::finding::Finding;
use crate::install::tree::libraries;

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

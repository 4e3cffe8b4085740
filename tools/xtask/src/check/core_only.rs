//! Checks that pi-core and ur-core need no standard library, and read nothing at compile time. Their layers ensure
//! that they have no dependencies.

use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::sources;

const FOLDERS: [&str; 2] = ["pi-core/src", "ur-core/src"];

/// Code that would need more than the core library, or the environment of the build.
const FORBIDDEN: [&str; 3] = ["extern crate", "env!", "include!"];

/// Checks every source of the two crates. Their tests may use anything.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let mut findings = Vec::new();
    for source in sources::read(root, &FOLDERS, &["rs"])? {
        let code = source.code();
        let is_root = FOLDERS.iter().any(|folder| source.path == format!("{folder}/lib.rs"));
        if is_root && !code.contains("#![no_std]") {
            findings.push(format!("{}: #![no_std] is missing", source.path));
        }
        findings.extend(forbidden(&code).map(|word| format!("{}: {word}", source.path)));
    }
    Ok(findings)
}

fn forbidden(code: &str) -> impl Iterator<Item = &'static str> {
    FORBIDDEN.into_iter().filter(|word| code.contains(word))
}

#[cfg(test)]
mod tests {
    use super::forbidden;

    #[test]
    fn other_libraries_and_the_environment_are_found() {
        let found: Vec<_> = forbidden("extern crate alloc; const A: &str = option_env!(X);").collect();
        assert_eq!(found, ["extern crate", "env!"]);
        assert_eq!(forbidden("use core::ffi::c_void;").count(), 0);
    }
}

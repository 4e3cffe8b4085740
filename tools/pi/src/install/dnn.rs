//! The drop-in for oneDNN, which `--spirv-on-nvidia` installs instead of the vendor's library.
//!
//! oneDNN's library has one name with all major versions of libsycl, so there is a drop-in for each of them, next to
//! those for oneMKL. It forwards to the vendor's file for every engine except those on our devices.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use memchr::memmem;

use super::drop_ins::{self, DropIns};
use super::files;
use super::math::{self, MathState};
use super::release::Release;

/// oneDNN's library. Wheels have copies of it under the names that compilers and people use, which no program loads.
const NAME: &str = "libdnnl.so.3";
/// The libraries that the drop-in needs. oneMKL's drop-ins need the first one, too.
const LIBRARIES: [&str; 2] = [drop_ins::LIBRARY, OWN];
/// The library that only it needs.
const OWN: &str = "libpi_dnn.so";

/// The major versions of libsycl with a drop-in, which belong to 2025 and 2026.
const LIBSYCLS: [u32; 2] = [8, 9];

/// Installs the drop-in in the folder of an environment if that has oneDNN. Returns whether anything is changed, and a
/// description.
///
/// # Errors
/// Fails if a file cannot be read, or the folder cannot be written.
pub fn enable(folder: &Path, release: &Release, dry_run: bool) -> Result<(bool, Vec<String>)> {
    let target = folder.join(NAME);
    if !files::exists(&target) {
        return Ok((false, Vec::new()));
    }
    let sources = match DropIns::find(folder)? {
        DropIns::In(sources) => sources,
        // oneMKL's report has the reason, too.
        DropIns::TooNew(why) if math::state(folder) == MathState::Absent => {
            return Ok((
                false,
                vec![format!("{NAME} stays Intel's, which has no engine for NVIDIA GPUs: {why}")],
            ));
        }
        // oneMKL's report, or pi doctor, says that the drop-ins are missing.
        DropIns::TooNew(_) | DropIns::Absent => return Ok((false, Vec::new())),
    };
    // Ours needs the same libsycl as the vendor's, so it does not matter which of them is installed.
    let source = libsycl_of(&target)?.map(|major| sources.join(format!("{NAME}.sycl{major}")));
    let Some(source) = source.filter(|source| source.is_file()) else {
        let note = format!("{NAME} stays Intel's: there is no drop-in with the libsycl that it needs");
        return Ok((false, vec![note]));
    };
    let (mut changed, mut notes) = (false, Vec::new());
    let libraries = LIBRARIES.map(|name| (name, sources.join(name)));
    for (name, source) in libraries.into_iter().chain([(NAME, source)]) {
        let status = math::location(folder, name).install(&source, release, dry_run)?;
        // The first one was reported with oneMKL's.
        if status.changed || name == NAME {
            notes.push(format!("{name}: {}", status.action));
        }
        changed |= status.changed;
    }
    Ok((changed, notes))
}

/// Restores the vendor's file. Returns a description, and whether the vendor's file is lost. The library that oneMKL's
/// drop-ins also need stays.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn disable(folder: &Path, dry_run: bool) -> Result<(Vec<String>, bool)> {
    math::restore(folder, [NAME, OWN].into_iter(), dry_run)
}

/// Returns the origin of a folder's oneDNN, if there is a drop-in for it.
pub fn state(folder: &Path) -> MathState {
    let libsycl = libsycl_of(&folder.join(NAME)).ok().flatten();
    match libsycl.is_some_and(|major| LIBSYCLS.contains(&major)) {
        false => MathState::Absent,
        true if is_in(folder) => MathState::Ours,
        true => MathState::Vendor,
    }
}

/// Returns whether an install has left something in a folder.
pub fn is_in(folder: &Path) -> bool {
    math::has_traces(folder, [NAME, OWN].into_iter())
}

/// Returns the major version of the libsycl that a library needs. The name of libsycl is near the beginning of the
/// library, which has hundreds of megabytes.
fn libsycl_of(library: &Path) -> Result<Option<u32>> {
    const STEM: &[u8] = b"libsycl.so.";
    const PART: u64 = 1 << 20;
    let failed = || format!("{} cannot be read", library.display());
    let mut file = File::open(library).with_context(failed)?;
    let mut bytes = Vec::new();
    loop {
        // The end of the previous part, which may contain the beginning of the name.
        bytes.drain(..bytes.len().saturating_sub(STEM.len() + 8));
        if file.by_ref().take(PART).read_to_end(&mut bytes).with_context(failed)? == 0 {
            return Ok(None);
        }
        for place in memmem::find_iter(&bytes, STEM) {
            let after = bytes.get(place + STEM.len()..).unwrap_or_default();
            let digits = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number =
                after.get(..digits).and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
            if number.is_some() && after.get(digits) == Some(&0) {
                return Ok(number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libsycl_of_a_library_is_found_wherever_its_name_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(NAME);
        let found = |bytes: &[u8]| {
            std::fs::write(&file, bytes).unwrap();
            libsycl_of(&file).unwrap()
        };
        assert_eq!(found(b"\0libsycl.so.8\0"), Some(8));
        assert_eq!(found(b"\0libsycl.so.\0libsycl.so\0libsycl.so.10\0"), Some(10));
        assert_eq!(found(b"\0libsycl.so.8.0.1\0"), None);
        // The two parts of the name are read separately.
        let far = |before: usize| [vec![1; before], b"libsycl.so.9\0".to_vec(), vec![1; 1 << 20]].concat();
        for before in (1 << 20) - 13..=1 << 20 {
            assert_eq!(found(&far(before)), Some(9), "{before}");
        }
    }
}

//! Determines the PI version of a libsycl without running it.

use sycl_pi_loader::Version;

use super::files::vendor_name;
use super::tree::{LibsyclFolder, version_of};
use crate::probe;

/// PI versions by the library's own version, for libraries that do not contain it. Includes releases before 2022.2.
const BY_LIBRARY: [((u32, u32), &str); 10] = [
    ((5, 5), "5.7"),
    ((5, 6), "6.8"),
    ((5, 7), "9.11"),
    ((6, 0), "11.15"),
    ((6, 1), "12.21"),
    ((6, 2), "12.27"),
    ((7, 0), "14.37"),
    ((7, 1), "14.39"),
    ((7, 2), "15.47"),
    ((5, 4), "5.7"),
];

/// Reads the PI version, e.g. `15.47`, from libsycl's bytes. Otherwise asks the vendor's plugin next to it in a
/// separate process, and finally uses the library's file name. All three may fail.
pub fn pi_version(libsycl: &LibsyclFolder, bytes: &[u8]) -> Option<String> {
    match versions_in(bytes).as_slice() {
        [one] => Some(one.text().to_owned()),
        _ => by_plugin(libsycl).or_else(|| by_name(libsycl)),
    }
}

/// Returns the known versions that occur in the bytes as C strings.
fn versions_in(bytes: &[u8]) -> Vec<Version> {
    let mut found: Vec<Version> = Vec::new();
    for text in bytes.split(|byte| *byte == 0).filter(|text| (4..=5).contains(&text.len())) {
        if let Some(version) = Version::from_text(text).filter(|version| !found.contains(version)) {
            found.push(version);
        }
    }
    found
}

/// Returns the version of a vendor's plugin. It supports only the version of its release. One that supports several
/// is ours.
fn by_plugin(libsycl: &LibsyclFolder) -> Option<String> {
    let name = "libpi_opencl.so";
    let files = [libsycl.folder.join(vendor_name(name)), libsycl.folder.join(name)];
    let served = files.iter().filter(|file| file.exists()).find_map(|file| probe::served(file).ok())?;
    match served.as_slice() {
        [one] => Some(one.clone()),
        _ => None,
    }
}

fn by_name(libsycl: &LibsyclFolder) -> Option<String> {
    let real = libsycl.libsycl.canonicalize().ok();
    let numbers = version_of(real.as_ref().unwrap_or(&libsycl.libsycl).file_name()?)?;
    let &[major, minor, ..] = numbers.as_slice() else { return None };
    BY_LIBRARY.iter().find(|(library, _)| *library == (major, minor)).map(|(_, pi)| (*pi).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_stand_alone_in_the_bytes() {
        assert_eq!(versions_in(b"\x7fELF\0\x0014.37\0other"), [Version::V14_37]);
        assert_eq!(versions_in(b"x14.37\0 14.37\x00114.370"), []);
        assert_eq!(versions_in(b"\x009.11\x009.11\0"), [Version::V9_11]);
    }

    #[test]
    fn the_file_name_is_the_last_resort() {
        let root = tempfile::tempdir().unwrap();
        let version = |name: &str| {
            let libsycl = root.path().join(name);
            pi_version(
                &LibsyclFolder { folder: root.path().into(), libsycl, major: 0, outside: false },
                b"nothing",
            )
        };
        assert_eq!(version("libsycl.so.6.2.0").as_deref(), Some("12.27"));
        assert_eq!(version("libsycl.so.6"), None);
    }
}

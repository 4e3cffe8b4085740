//! Tests the handshake with fake plugins.
#![expect(unsafe_code, reason = "the tests open plugins")]
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod fake;

use std::path::Path;
use std::process::Command;

use fake::fake;
use sycl_pi_loader::{
    Answer, Backend, CallError, DeviceType, Environment, LoadError, Plugin, Question, Version, discover,
};

fn open(file: &Path) -> Result<Plugin, LoadError> {
    // SAFETY: the file is a plugin of these tests, or the one that the developer named.
    unsafe { Plugin::open(file) }
}

fn open_version(file: &Path, version: Version) -> Result<Plugin, LoadError> {
    // SAFETY: the file is a plugin of these tests, or the one that the developer named.
    unsafe { Plugin::open_version(file, version) }
}

fn questions(file: &Path) -> Result<Vec<Question>, LoadError> {
    // SAFETY: the file is a plugin of these tests, or the one that the developer named.
    unsafe { Plugin::questions(file) }
}

#[test]
fn takes_the_newest_common_version() {
    let folder = tempfile::tempdir().unwrap();
    let file = fake(folder.path(), "many.so", &["SERVES=\"9.11 12.21 14.39\""]);
    let plugin = open(&file).unwrap();
    assert_eq!(plugin.version, Version::V14_39);
    assert_eq!(plugin.path, file);
    assert_eq!(plugin.table().function_count(), 2);
    assert_eq!(open_version(&file, Version::V12_21).unwrap().version, Version::V12_21);
    assert!(open_version(&file, Version::V15_47).is_err());
    let served: Vec<Version> = questions(&file)
        .unwrap()
        .into_iter()
        .filter(|question| question.answer == Answer::Served)
        .map(|question| question.version)
        .collect();
    assert_eq!(served, [Version::V9_11, Version::V12_21, Version::V14_39]);
}

#[test]
fn finds_the_true_version_of_a_plugin_that_compares_text() {
    let folder = tempfile::tempdir().unwrap();
    for (own, version) in
        [("12.27.1", Version::V12_27), ("9.11", Version::V9_11), ("15.47.1", Version::V15_47)]
    {
        let file = fake(folder.path(), own, &[&format!("OWN=\"{own}\"")]);
        match open(&file) {
            Ok(plugin) => {
                assert_eq!((plugin.version, plugin.plugin_version_text.as_str()), (version, own));
            }
            Err(error) => panic!("{error}"),
        }
        // A caller that asks for another version does not get this one.
        let other = if version == Version::V14_39 { Version::V14_37 } else { Version::V14_39 };
        assert!(open_version(&file, other).is_err(), "{own}");
    }
}

#[test]
fn reads_what_a_plugin_offers() {
    let folder = tempfile::tempdir().unwrap();
    let file = fake(folder.path(), "one.so", &["OWN=\"14.37.1\""]);
    let plugin = open(&file).unwrap();
    let platforms = plugin.platforms().unwrap();
    assert_eq!(platforms[0].info().name, "Fake platform");
    let error = platforms[0].devices().err().unwrap();
    assert_eq!(error, CallError::Missing { function: "piDevicesGet", version: Version::V14_37 });
    assert_eq!(error.to_string(), "piDevicesGet is not in this plugin (PI 14.37)");
}

#[test]
fn says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.so");
    assert!(matches!(open(&missing), Err(LoadError::NotFound { .. })));

    let text = folder.path().join("text.so");
    std::fs::write(&text, "no library").unwrap();
    let error = open(&text).err().unwrap();
    assert!(error.to_string().contains("cannot be opened"), "{error}");
    assert!(error.hint().unwrap().contains("damaged"));

    let newer = fake(folder.path(), "newer.so", &["OWN=\"15.99.1\""]);
    let error = open(&newer).err().unwrap();
    assert!(error.to_string().contains("serves no PI version known here"), "{error}");

    let wide = fake(folder.path(), "wide.so", &["SERVES=\"15.47\"", "OVERRUN"]);
    let error = open(&wide).err().unwrap();
    assert!(error.to_string().contains("more was written"), "{error}");

    let bare = open(Path::new("libpi_of_nobody.so")).err().unwrap();
    assert!(matches!(bare, LoadError::Open { .. }));
}

/// The first file that loads ends the search, and the earlier attempts are reported.
#[test]
fn the_search_ends_at_the_first_plugin_that_loads() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    std::fs::write(folders[0].path().join("libpi_opencl.so"), "no library").unwrap();
    let name = "libpi_opencl.so";
    let good = fake(folders[1].path(), name, &["OWN=\"14.37.1\""]);
    fake(folders[2].path(), name, &["OWN=\"15.47.1\""]);
    let path = std::env::join_paths(folders.iter().map(|folder| folder.path())).unwrap();
    let environment = Environment::from_pairs([("PI_PLUGIN_PATH", path)]);
    // SAFETY: the files are plugins of these tests.
    let attempts = unsafe { discover(Backend::OpenCl, &environment) };
    assert_eq!(attempts.len(), 2);
    assert!(matches!(attempts[0].outcome, Err(LoadError::Open { .. })));
    let plugin = attempts[1].outcome.as_ref().unwrap();
    assert_eq!((plugin.version, &plugin.path), (Version::V14_37, &good));
    // Files with the same name are distinguished by their size and time.
    let about = std::fs::metadata(&good).unwrap();
    let since = about.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    let of = format!("{} bytes of {}.{:09}", about.len(), since.as_secs(), since.subsec_nanos());
    assert_eq!(plugin.identity(), format!("{name} 14.37.1 at PI 14.37, {of}"));
}

/// The system's loader would wait for a writer, and read a device forever.
#[test]
fn opens_regular_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.so");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&pipe, Path::new("/dev/zero"), folder.path()] {
        let error = open(path).err().unwrap().to_string();
        assert_eq!(error, format!("{} cannot be opened: it is not a regular file", path.display()));
    }
    let link = folder.path().join("link.so");
    std::os::unix::fs::symlink(fake(folder.path(), "one.so", &["OWN=\"14.37.1\""]), &link).unwrap();
    // The path is that of the file that the process has already loaded.
    let one = folder.path().join("one.so");
    assert_eq!(open(&one).unwrap().path, one);
    assert_eq!(open(&link).unwrap().path, one);
    let below = folder.path().join("one.so/plugin.so");
    assert!(open(&below).err().unwrap().to_string().contains("cannot be opened: Not a directory"));
}

#[test]
fn kinds_of_devices_are_shown_as_selectors_write_them() {
    let kinds = [DeviceType::Cpu, DeviceType::Gpu, DeviceType::Accelerator, DeviceType::Custom];
    assert_eq!(kinds.map(|kind| kind.to_string()), ["cpu", "gpu", "acc", "custom"]);
}

/// Opens a real plugin in every version that it serves and tests each device. `PI_TEST_PLUGIN` names
/// the plugin; `cargo xtask test` sets it to ours on a driver.
#[test]
#[ignore = "needs a plugin with a device: PI_TEST_PLUGIN names it"]
fn every_version_of_a_real_plugin_works() {
    let file = std::env::var_os("PI_TEST_PLUGIN").expect("PI_TEST_PLUGIN names a plugin");
    let file = Path::new(&file);
    let served = questions(file).unwrap().into_iter().filter(|question| question.answer == Answer::Served);
    let versions: Vec<Version> = served.map(|question| question.version).collect();
    assert!(!versions.is_empty(), "{} serves no version", file.display());
    for version in versions {
        let plugin = open_version(file, version).unwrap();
        let platforms = plugin.platforms().unwrap();
        let devices: Vec<_> = platforms.iter().flat_map(|platform| platform.devices().unwrap()).collect();
        assert!(!devices.is_empty(), "{} has no device at PI {}", file.display(), version.text());
        for device in devices {
            device.smoke_test().unwrap();
            let info = device.info();
            assert!(!info.name.is_empty());
            if info.il_version.contains("SPIR-V") {
                device.kernel_test().unwrap();
            }
        }
    }
}

//! The handshake against plugins made up for the purpose.

use std::path::{Path, PathBuf};
use std::process::Command;

use sycl_pi_loader::{Answer, CallError, LoadError, Plugin, Question, Version};

/// Compiles the made-up plugin; none where there is no C compiler.
fn fake(folder: &Path, name: &str, defines: &[&str]) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake/plugin.c");
    let file = folder.join(name);
    let mut command = Command::new("cc");
    command.args(["-shared", "-fPIC", "-o"]).arg(&file).arg(source);
    let done = command.args(defines.iter().map(|define| format!("-D{define}"))).status().ok()?;
    assert!(done.success());
    Some(file)
}

fn open(file: &Path) -> Result<Plugin, LoadError> {
    // SAFETY: the file is a plugin of these tests, or the one that the developer named.
    unsafe { Plugin::open(file) }
}

fn open_version(file: &Path, version: Version) -> Result<Plugin, LoadError> {
    // SAFETY: as above.
    unsafe { Plugin::open_version(file, version) }
}

fn questions(file: &Path) -> Result<Vec<Question>, LoadError> {
    // SAFETY: as above.
    unsafe { Plugin::questions(file) }
}

#[test]
fn takes_the_newest_common_version() {
    let folder = tempfile::tempdir().unwrap();
    let Some(file) = fake(folder.path(), "many.so", &["SERVES=\"9.11 12.21 14.39\""]) else { return };
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
        let Some(file) = fake(folder.path(), own, &[&format!("OWN=\"{own}\"")]) else { return };
        match open(&file) {
            Ok(plugin) => {
                assert_eq!((plugin.version, plugin.plugin_version_text.as_str()), (version, own));
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn reads_what_a_plugin_offers() {
    let folder = tempfile::tempdir().unwrap();
    let Some(file) = fake(folder.path(), "one.so", &["OWN=\"14.37.1\""]) else { return };
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

    let Some(newer) = fake(folder.path(), "newer.so", &["OWN=\"15.99.1\""]) else { return };
    let error = open(&newer).err().unwrap();
    assert!(error.to_string().contains("serves no PI version known here"), "{error}");

    let Some(wide) = fake(folder.path(), "wide.so", &["SERVES=\"15.47\"", "OVERRUN"]) else { return };
    let error = open(&wide).err().unwrap();
    assert!(error.to_string().contains("more was written"), "{error}");

    let bare = open(Path::new("libpi_of_nobody.so")).err().unwrap();
    assert!(matches!(bare, LoadError::Open { .. }));
}

/// A real plugin, which `PI_TEST_PLUGIN` names: the first sign of life of every device, in every version it serves.
#[test]
fn every_version_of_a_real_plugin_works() {
    let Some(file) = std::env::var_os("PI_TEST_PLUGIN") else { return };
    let file = Path::new(&file);
    for question in questions(file).unwrap() {
        if question.answer != Answer::Served {
            continue;
        }
        let plugin = open_version(file, question.version).unwrap();
        for platform in plugin.platforms().unwrap() {
            for device in platform.devices().unwrap() {
                device.smoke_test().unwrap();
                assert!(!device.info().name.is_empty());
            }
        }
    }
}

//! Environments of links, hard links and copies: `pi install` changes nothing outside the named folder, and says
//! "installed" only if the environment's libsycl opens our file.
#![allow(clippy::unwrap_used, clippy::panic)]

mod install_support;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use install_support::ur_tree::{Picture, files_below};
use install_support::{EVERY_VERSION, compile, libsycl, pi};
use serde_json::Value;
use tempfile::TempDir;

/// A fake release in the form of its packages: two packages, one of which contains libsycl.
struct Packages {
    root: TempDir,
    release: &'static str,
    libsycl: &'static str,
    /// The file that libsycl opens.
    file: &'static str,
    ours: PathBuf,
}

impl Packages {
    fn new(release: &'static str) -> Self {
        let root = tempfile::tempdir().unwrap();
        let (libsycl_name, file) = match release {
            "2024.2.2" => ("libsycl.so.7", "libpi_opencl.so"),
            "2025.3.3" => ("libsycl.so.8", "libur_adapter_opencl.so.0"),
            _ => ("libsycl.so.9", "libur_adapter_level_zero.so.0"),
        };
        let ours = root.path().join("ours").join(match release {
            "2024.2.2" => "libpi_opencl.so",
            "2025.3.3" => "libur_adapter_opencl.so",
            _ => "libur_adapter_level_zero.so",
        });
        let packages = Self { root, release, libsycl: libsycl_name, file, ours };
        let texts: &[&str] = match release {
            "2024.2.2" => &["15.47"],
            "2025.3.3" => &["libur_loader.so.0", "LIBUR_LOADER_0.12"],
            _ => &["UR_ADAPTERS_FORCE_LOAD", "libOpenCL.so.1"],
        };
        let library = libsycl(texts, &[file], release != "2025.3.3");
        let (one, other) = (packages.cache("one"), packages.cache("other"));
        fs::create_dir_all(&one).unwrap();
        fs::write(one.join(libsycl_name), library).unwrap();
        compile(&other.join(file), &["OWN=\"15.47.1\""]);
        if release != "2024.2.2" {
            fs::copy(other.join(file), other.join(file.trim_end_matches(".0"))).unwrap();
        }
        compile(&packages.ours, &[EVERY_VERSION]);
        let bytes = [fs::read(&packages.ours).unwrap().as_slice(), b"\0sycl_pi_backend\0"].concat();
        fs::write(&packages.ours, bytes).unwrap();
        packages
    }

    fn base(&self) -> PathBuf {
        self.root.path().canonicalize().unwrap()
    }

    fn cache(&self, package: &str) -> PathBuf {
        self.base().join("cache").join(package)
    }

    fn venv(&self) -> PathBuf {
        self.base().join("venv")
    }

    fn lib(&self) -> PathBuf {
        self.venv().join("lib")
    }

    /// Creates the environment from the packages' files, in one of the ways of package managers.
    fn make(&self, how: Way) {
        fs::create_dir_all(self.lib().join("python3.12/site-packages")).unwrap();
        for package in ["one", "other"] {
            for entry in fs::read_dir(self.cache(package)).unwrap() {
                let entry = entry.unwrap();
                how(&entry.path(), &self.lib().join(entry.file_name())).unwrap();
            }
        }
    }

    fn install(&self) -> (i32, Value) {
        self.pi("install")
    }

    fn pi(&self, command: &str) -> (i32, Value) {
        pi_on(command, &self.venv(), &self.ours)
    }
}

fn pi_on(command: &str, folder: &Path, ours: &Path) -> (i32, Value) {
    let mut words = vec![command.to_owned(), folder.to_str().unwrap().to_owned()];
    if command == "install" {
        words.extend(["--plugin".to_owned(), ours.to_str().unwrap().to_owned()]);
    }
    pi(&words)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::copy(from, to).map(drop)
}

fn hard_link(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::hard_link(from, to)
}

fn soft_link(from: &Path, to: &Path) -> std::io::Result<()> {
    symlink(from, to)
}

const RELEASES: [&str; 3] = ["2024.2.2", "2025.3.3", "2026.2.0"];
/// A way to put a package's file into an environment.
type Way = fn(&Path, &Path) -> std::io::Result<()>;
/// Those of uv, pip and conda.
const WAYS: [(&str, Way); 3] = [("links", soft_link), ("hard links", hard_link), ("copies", copy)];

/// Reads the environment's own file of that name.
fn own(file: &Path) -> Vec<u8> {
    assert!(fs::symlink_metadata(file).unwrap().is_file(), "{}", file.display());
    fs::read(file).unwrap()
}

#[test]
fn each_way_of_a_package_manager_gets_ours_and_its_cache_stays_as_it_is() {
    for release in RELEASES {
        for (way, how) in WAYS {
            let packages = Packages::new(release);
            packages.make(how);
            let outside: Vec<Picture> = files_below(&packages.base().join("cache"));
            let before = files_below(&packages.venv());
            for _ in 0..2 {
                let (code, told) = packages.install();
                let entry = &told["entries"][0];
                assert_eq!((code, entry["opened"].as_bool()), (0, Some(true)), "{release}, {way}: {told:#}");
                assert!(entry["action"].as_str().unwrap().contains("installed"), "{told:#}");
                assert_eq!(entry["folder"], packages.lib().to_str().unwrap());
            }
            assert_eq!(own(&packages.lib().join(packages.file)), fs::read(&packages.ours).unwrap());
            let (code, told) = packages.pi("status");
            let opened = told["entries"].as_array().unwrap().iter().any(|entry| entry["opened"] == true);
            assert_eq!((code, opened), (0, true), "{told:#}");
            assert!(files_below(&packages.base().join("cache")) == outside, "{release}, {way}");

            assert_eq!(packages.pi("uninstall").0, 0);
            assert!(files_below(&packages.venv()) == before, "{release}, {way}: not as before");
            assert!(files_below(&packages.base().join("cache")) == outside, "{release}, {way}");
        }
    }
}

/// Conda creates such folders if it cannot make hard links, and users do: all files are in one folder.
#[test]
fn a_folder_of_links_to_a_base_leaves_the_base_alone() {
    for release in RELEASES {
        let packages = Packages::new(release);
        packages.make(copy);
        let (base, before) = (packages.venv(), files_below(&packages.venv()));
        let linked = packages.base().join("linked");
        fs::create_dir_all(linked.join("lib")).unwrap();
        for entry in fs::read_dir(base.join("lib")).unwrap() {
            let entry = entry.unwrap();
            symlink(entry.path(), linked.join("lib").join(entry.file_name())).unwrap();
        }
        let links = files_below(&linked);
        let (code, told) = pi_on("install", &linked, &packages.ours);
        assert_eq!((code, told["entries"][0]["opened"].as_bool()), (0, Some(true)), "{release}: {told:#}");
        assert!(files_below(&base) == before, "{release}");
        // Its Python packages are those of the base.
        assert!(!linked.join("lib/python3.12/site-packages/sycl-pi.pth").exists());
        assert_eq!(pi_on("uninstall", &linked, &packages.ours).0, 0);
        assert!(files_below(&linked) == links && files_below(&base) == before, "{release}");
    }
}

#[test]
fn a_link_in_the_place_of_lib_is_named_and_not_followed() {
    let packages = Packages::new("2025.3.3");
    packages.make(copy);
    let before = files_below(&packages.venv());
    let other = packages.base().join("other");
    fs::create_dir(&other).unwrap();
    symlink(packages.lib(), other.join("lib")).unwrap();
    for command in ["install", "uninstall"] {
        let (code, told) = pi_on(command, &other, &packages.ours);
        let why = told["error"].as_str().unwrap();
        assert_eq!(code, 1);
        assert!(why.contains(&format!("pi {command} {}", packages.lib().display())), "{why}");
        assert!(files_below(&packages.venv()) == before);
    }
    // Only the named folder is changed.
    assert_eq!(pi_on("install", &packages.lib(), &packages.ours).0, 0);
    let installed = files_below(&packages.venv());
    assert_eq!(pi_on("uninstall", &other, &packages.ours).0, 1);
    assert!(files_below(&packages.venv()) == installed);
}

#[test]
fn a_libsycl_that_opens_another_file_has_ours_not_installed() {
    let packages = Packages::new("2025.3.3");
    packages.make(copy);
    let texts = ["libur_loader.so.0", "LIBUR_LOADER_0.12"];
    let other = libsycl(&texts, &["other/libur_adapter_opencl.so.0"], false);
    fs::write(packages.lib().join(packages.libsycl), other).unwrap();
    fs::create_dir(packages.lib().join("other")).unwrap();
    fs::copy(packages.lib().join(packages.file), packages.lib().join("other").join(packages.file)).unwrap();
    for command in ["install", "install", "status"] {
        let (code, told) = packages.pi(command);
        let entry = &told["entries"][0];
        assert_eq!(entry["opened"], false, "{told:#}");
        assert_eq!(code, i32::from(command == "install"), "{told:#}");
        assert!(!entry["action"].as_str().unwrap().contains("installed,"), "{told:#}");
        let notes = entry["notes"].to_string();
        assert!(
            notes.contains("libsycl.so.8 opens ")
                && notes.contains("lib/other/libur_adapter_opencl.so.0 instead of it"),
            "{notes}"
        );
    }
}

#[test]
fn a_libsycl_that_cannot_be_asked_says_why() {
    let packages = Packages::new("2025.3.3");
    packages.make(copy);
    fs::write(packages.lib().join(packages.libsycl), "\0libur_loader.so.0\0").unwrap();
    let (code, told) = packages.install();
    let entry = &told["entries"][0];
    assert_eq!((code, entry["opened"].is_null()), (0, true), "{told:#}");
    assert_eq!(entry["action"], "put in place, the vendor's file kept aside");
    let note = entry["notes"][0].as_str().unwrap();
    assert!(
        note.starts_with("libsycl.so.8 could not be asked whether it opens it: ")
            && note.contains("too short"),
        "{note}"
    );
}

/// A user's choices for one program do not affect the check of the environment.
#[test]
fn a_selector_does_not_keep_libsycl_from_being_asked() {
    for (name, value) in [("ONEAPI_DEVICE_SELECTOR", "level_zero:*"), ("UR_ADAPTERS_FORCE_LOAD", "/none.so")]
    {
        let packages = Packages::new("2025.3.3");
        packages.make(copy);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pi"));
        command.args(["--json", "install"]).arg(packages.venv()).arg("--plugin").arg(&packages.ours);
        let told: Value = serde_json::from_slice(&command.env(name, value).output().unwrap().stdout).unwrap();
        assert_eq!(told["entries"][0]["opened"], true, "{name}: {told:#}");
    }
}

#[test]
fn a_copy_of_a_libsycl_that_was_updated_is_told_and_made_anew() {
    let packages = Packages::new("2024.2.2");
    packages.make(soft_link);
    let before = files_below(&packages.venv());
    assert_eq!(packages.install().0, 0);
    let real = packages.cache("one").join("libsycl.so.7");
    fs::write(&real, libsycl(&["15.47", "newer"], &[packages.file], true)).unwrap();
    let notes = packages.pi("status").1["entries"][0]["notes"].to_string();
    assert!(notes.contains("was updated: run pi install again"), "{notes}");
    assert_eq!(packages.install().0, 0);
    assert_eq!(own(&packages.lib().join("libsycl.so.7")), fs::read(&real).unwrap());
    assert!(packages.pi("status").1["entries"][0]["notes"].is_null());
    assert_eq!(packages.pi("uninstall").0, 0);
    assert!(files_below(&packages.venv()) == before);
}

/// Writes the record of a package in pip's format.
fn record(packages: &Packages, release: &str, names: &[&str]) -> PathBuf {
    let info = format!("python3.12/site-packages/intel_cmplr_lib_ur-{release}.dist-info");
    let folder = packages.lib().join(info);
    fs::create_dir_all(&folder).unwrap();
    let lines: String = names.iter().map(|name| format!("../../../lib/{name},sha256=x,1\n")).collect();
    fs::write(folder.join("RECORD"), lines).unwrap();
    folder
}

/// pip removes a package's files by their names, whatever their contents, and then writes the new ones.
#[test]
fn an_update_to_a_release_without_the_file_brings_nothing_of_the_old_one_back() {
    let names = ["libur_adapter_opencl.so", "libur_adapter_opencl.so.0"];
    for again in [false, true] {
        let packages = Packages::new("2025.3.3");
        packages.make(copy);
        let old = record(&packages, "2025.3.3", &names);
        assert_eq!(packages.install().0, 0);
        for name in names {
            fs::remove_file(packages.lib().join(name)).unwrap();
        }
        fs::remove_file(packages.lib().join("libsycl.so.8")).unwrap();
        fs::remove_dir_all(old).unwrap();
        let newer =
            libsycl(&["UR_ADAPTERS_FORCE_LOAD", "libOpenCL.so.1"], &["libur_adapter_opencl.so.0"], true);
        fs::write(packages.lib().join("libsycl.so.9"), newer).unwrap();
        record(&packages, "2026.2.0", &["libsycl.so.9"]);
        if again {
            assert_eq!(packages.install().0, 0);
            assert!(
                !packages.lib().join("libur_adapter_opencl.so").exists(),
                "the old release's second name"
            );
        }
        let (code, told) = packages.pi("uninstall");
        assert_eq!(code, 0, "{told:#}");
        assert!(!told.to_string().contains("put back"), "{told:#}");
        let left: Vec<PathBuf> = files_below(&packages.lib()).into_iter().map(|file| file.0).collect();
        let is_known = |file: &PathBuf| file.ends_with("RECORD") || file.ends_with("libsycl.so.9");
        assert!(left.len() == 2 && left.iter().all(is_known), "{left:?}");
    }
}

#[test]
fn an_update_leaves_no_file_of_the_old_release() {
    let names = ["libur_adapter_opencl.so", "libur_adapter_opencl.so.0"];
    for again in [false, true] {
        let packages = Packages::new("2025.3.3");
        packages.make(copy);
        let old = record(&packages, "2025.3.2", &names);
        assert_eq!(packages.install().0, 0);
        fs::remove_dir_all(old).unwrap();
        record(&packages, "2025.3.3", &names);
        for name in names {
            fs::remove_file(packages.lib().join(name)).unwrap();
            fs::write(packages.lib().join(name), "newer").unwrap();
        }
        let before: Vec<PathBuf> = names.map(|name| packages.lib().join(name)).into();
        if again {
            assert_eq!(packages.install().0, 0);
        }
        assert_eq!(packages.pi("uninstall").0, 0);
        let left = files_below(&packages.lib()).into_iter().map(|file| file.0);
        let left: Vec<PathBuf> = left.filter(|file| file.to_str().unwrap().contains("adapter")).collect();
        assert_eq!(left, before);
        assert!(before.iter().all(|file| fs::read(file).unwrap() == b"newer"));
    }
}

/// If no package's record shows that a kept file is obsolete, it stays and is named.
#[test]
fn an_uninstall_names_what_it_leaves() {
    let packages = Packages::new("2025.3.3");
    packages.make(copy);
    assert_eq!(packages.install().0, 0);
    fs::remove_file(packages.lib().join(packages.file)).unwrap();
    fs::write(packages.lib().join(packages.file), "newer").unwrap();
    let (code, told) = packages.pi("uninstall");
    assert_eq!(code, 0);
    let notes = told["entries"][0]["notes"].to_string();
    assert!(notes.contains("libur_adapter_opencl.so.0.vendor.") && notes.contains("remove it"), "{told:#}");
    // The package is still installed, so that the file belongs to it.
    record(&packages, packages.release, &["libur_adapter_opencl.so.0"]);
    let (_, told) = packages.pi("install");
    assert!(told["entries"][0]["action"].as_str().unwrap().contains("kept aside"), "{told:#}");
    fs::remove_file(packages.lib().join(packages.file)).unwrap();
    let (code, told) = packages.pi("uninstall");
    assert_eq!(
        (code, fs::read(packages.lib().join(packages.file)).unwrap().as_slice()),
        (0, b"newer".as_slice()),
        "{told:#}"
    );
}

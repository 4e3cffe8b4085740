//! `pi cache` with a fake store.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use sycl_pi_cache::store::{DeviceIdentity, KeyParts, Notes};
use sycl_pi_cache::{Config, Store, StoreKey};
use tempfile::TempDir;

struct Bed {
    home: TempDir,
}

struct Run {
    code: i32,
    text: String,
    errors: String,
}

impl Run {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.text, self.errors))
    }
}

/// The platform of compiled sources, which are for any device.
const SOURCE: &str = "SPIR-V of a source";

/// Day 0 is today.
const ITEMS: [(&str, &str, u64); 4] =
    [("cpu", "add", 0), ("cpu", "mul", 3), ("gpu", "add", 10), ("gpu", "dot", 20)];

impl Bed {
    /// Creates four items of two devices, of different ages.
    fn new() -> Self {
        let bed = Self { home: tempfile::tempdir().unwrap() };
        let store = Store::open(&Config::default().with_root(Some(bed.root())).with_eviction(false));
        for (device, kernel, days) in ITEMS {
            let key = Self::key(device, kernel);
            let notes = Notes {
                kernels: vec![format!("_ZTS{kernel}")],
                build_time: Duration::from_millis(1500),
                built_at: Some(SystemTime::now()),
            };
            store.save(&key, &notes, format!("binary of {kernel}").as_bytes());
            let then = SystemTime::now() - Duration::from_secs(days * 86400 + 60);
            for entry in fs::read_dir(key.folder(&bed.root())).unwrap() {
                let file = File::options().append(true).open(entry.unwrap().path()).unwrap();
                file.set_modified(then).unwrap();
            }
        }
        bed
    }

    fn key(device: &str, kernel: &str) -> StoreKey {
        let device = DeviceIdentity {
            name: format!("Fake {device}"),
            driver: "1.2".into(),
            ..DeviceIdentity::default()
        };
        StoreKey::new(&KeyParts {
            device,
            images: vec![format!("image of {kernel}").into_bytes()],
            spec_constants: vec![1, 171],
            compile_options: "-O2\0-g\0".into(),
            link_options: String::new(),
        })
    }

    fn root(&self) -> PathBuf {
        self.home.path().join("cache")
    }

    fn file(&self, device: &str, kernel: &str, name: &str) -> PathBuf {
        Self::key(device, kernel).folder(&self.root()).join(name)
    }

    fn run(&self, words: &[&str]) -> Run {
        run(words, &[("SYCL_CACHE_DIR", self.root().to_str().unwrap())])
    }

    fn names(&self) -> Vec<String> {
        let report = self.run(&["--json", "cache", "ls"]).json();
        let items = report["items"].as_array().unwrap();
        items
            .iter()
            .map(|item| format!("{} {}", item["device"], item["kernels"][0]).replace('"', ""))
            .collect()
    }
}

fn run(words: &[&str], variables: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pi"));
    let output = command.args(words).env_clear().envs(variables.iter().copied()).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        text: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn lists_what_is_there() {
    let bed = Bed::new();
    let listed = bed.run(&["cache", "ls"]);
    assert_eq!((listed.code, listed.errors.as_str()), (0, ""));
    let lines: Vec<&str> = listed.text.lines().collect();
    assert!(
        lines[0].contains("Fake cpu: _ZTSadd (") && lines[0].contains("used 1min ago, 0 hits"),
        "{}",
        lines[0]
    );
    assert_eq!(lines[1..3], ["    options: -O2 -g", "    constants: 01ab"]);
    assert!(listed.text.contains("used 20d ago"));
    assert!(lines.last().unwrap().starts_with("4 items, "));
    assert_eq!(bed.names(), ["Fake cpu _ZTSadd", "Fake cpu _ZTSmul", "Fake gpu _ZTSadd", "Fake gpu _ZTSdot"]);
    let some = bed.run(&["cache", "ls", "--device", "GPU", "--kernel", "dot"]);
    assert!(some.text.contains("1 item, ") && some.text.contains("_ZTSdot"), "{}", some.text);
}

#[test]
fn items_are_listed_in_the_order_that_is_asked_for() {
    let bed = Bed::new();
    let store = Store::open(&Config::default().with_root(Some(bed.root())).with_eviction(false));
    store.save(&Bed::key("gpu", "large"), &Notes::default(), &[7; 5000]);
    let open = |binary: &[u8]| Ok::<_, &str>(binary.to_vec());
    for _ in 0..2 {
        let build = || -> Result<_, &str> { panic!("it is there") };
        store.load_or_build(&Bed::key("gpu", "dot"), open, build).unwrap();
    }
    store.shut_down();
    let first = |sort: &str| {
        let report = bed.run(&["--json", "cache", "ls", "--sort", sort]).json();
        report["items"][0].clone()
    };
    assert!(first("size")["size_bytes"].as_u64() > Some(5000));
    let loaded = first("hits");
    assert_eq!((loaded["kernels"][0].as_str(), loaded["hits"].as_u64()), (Some("_ZTSdot"), Some(2)));
    let store = Store::open(&Config::default().with_root(Some(bed.root())).with_eviction(false));
    let build = || -> Result<_, &str> { panic!("it is there") };
    store.load_or_build(&Bed::key("cpu", "mul"), open, build).unwrap();
    store.shut_down();
    let listed = bed.run(&["cache", "ls"]).text;
    assert!(listed.contains(" ago, 1 hit)") && listed.contains(" ago, 2 hits)"), "{listed}");
}

/// If there are many kernels, some are named. A compiled source has no kernels.
#[test]
fn an_item_is_shown_by_its_kernels_or_as_a_source() {
    let bed = Bed { home: tempfile::tempdir().unwrap() };
    let store = Store::open(&Config::default().with_root(Some(bed.root())).with_eviction(false));
    let save = |platform: &str, kernels: &[&str]| {
        let device = DeviceIdentity { platform: platform.into(), ..DeviceIdentity::default() };
        let notes = Notes { kernels: kernels.iter().map(|&name| name.into()).collect(), ..Notes::default() };
        store.save(&StoreKey::new(&KeyParts { device, ..KeyParts::default() }), &notes, b"binary");
    };
    save("one", &["a", "b", "c"]);
    save("two", &["a", "b", "c", "d", "e"]);
    save(SOURCE, &[]);
    let listed = bed.run(&["cache", "ls"]).text;
    for part in [": a, b, c (", ": a, b, c, and 2 more (", &format!(": {SOURCE} (")] {
        assert!(listed.contains(part), "{part}: {listed}");
    }
}

#[test]
fn an_item_has_to_fit_each_part_of_a_selection() {
    let bed = Bed::new();
    let count = |words: &[&str]| {
        let words = [&["--json", "cache", "ls"], words].concat();
        bed.run(&words).json()["items"].as_array().unwrap().len()
    };
    assert_eq!(count(&["--device", "cpu", "--kernel", "dot"]), 0);
    assert_eq!(count(&["--device", "gpu", "--kernel", "dot"]), 1);
    assert_eq!(count(&["--kernel", "add"]), 2);
    assert_eq!(count(&["--device", "1.2"]), 4, "the driver's version counts too");
}

#[test]
fn the_keys_of_the_json_stay() {
    let bed = Bed::new();
    let report = bed.run(&["--json", "cache", "ls"]).json();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&report), "root size_bytes items");
    assert_eq!(
        keys(&report["items"][0]),
        "item folder number image_set size_bytes hits age_seconds problem platform device device_version \
         driver_version plugin runtime kernels compile_options link_options spec_constants images built_at build_seconds"
    );
}

#[test]
fn shows_one_and_writes_its_parts() {
    let bed = Bed::new();
    let name = bed.run(&["--json", "cache", "ls"]).json()["items"][0]["item"].as_str().unwrap().to_owned();
    let shown = bed.run(&["cache", "show", &name]);
    for part in ["Fake cpu", "driver version   1.2", "_ZTSadd", "in 1.500 s", "digest "] {
        assert!(shown.text.contains(part), "{part}: {}", shown.text);
    }
    let file = bed.home.path().join("out");
    let path = file.to_str().unwrap();
    assert_eq!(bed.run(&["cache", "show", &name, "--binary", path, "--images", path]).code, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), "binary of add");
    assert_eq!(fs::read_to_string(file.with_extension("0")).unwrap(), "image of add");
    let none = bed.run(&["cache", "show", "zzz"]);
    assert_eq!(none.code, 1);
    assert!(none.errors.contains("there is no item zzz"));
}

#[test]
fn one_item_is_exported_and_a_damaged_one_is_told() {
    let bed = Bed::new();
    let (file, all) = (bed.home.path().join("out"), bed.run(&["--json", "cache", "ls"]).json());
    let [first, second] = [0, 1].map(|at| all["items"][at]["item"].as_str().unwrap().to_owned());
    let both = bed.run(&["cache", "show", &first, &second, "--binary", file.to_str().unwrap()]);
    assert_eq!(both.code, 1);
    assert!(
        both.errors.contains("the pattern matches 2 items; select exactly one to export"),
        "{}",
        both.errors
    );
    assert!(!file.exists());
    fs::write(bed.file("cpu", "add", "0.src"), b"not a source").unwrap();
    let shown = bed.run(&["cache", "show", &first, &second]);
    assert_eq!(shown.code, 1);
    assert!(shown.text.contains("it cannot be used: ") && shown.text.contains("_ZTSmul"), "{}", shown.text);
}

/// The files of the cache are no place for what is exported from them.
#[test]
fn an_export_does_not_replace_the_item() {
    let bed = Bed::new();
    let item = bed.run(&["--json", "cache", "ls"]).json()["items"][0]["item"].as_str().unwrap().to_owned();
    let bin = bed.file("cpu", "add", "0.bin");
    let before = fs::read(&bin).unwrap();
    assert_ne!(bed.run(&["cache", "show", &item, "--binary", bin.to_str().unwrap()]).code, 0);
    assert_eq!(fs::read(&bin).unwrap(), before);
}

#[test]
fn verify_finds_and_removes_what_is_damaged() {
    let bed = Bed::new();
    assert_eq!(bed.run(&["cache", "verify"]).text, "4 items checked, 4 good, 0 damaged\n");
    let bin = bed.file("cpu", "add", "0.bin");
    let mut bytes = fs::read(&bin).unwrap();
    bytes[60] ^= 1;
    fs::write(&bin, bytes).unwrap();
    fs::write(bed.file("gpu", "dot", "0.src"), b"not a source").unwrap();
    let stray = bed.file("cpu", "mul", "tmp-1-2-3");
    fs::write(&stray, b"half").unwrap();
    let old = SystemTime::now() - Duration::from_secs(3600);
    File::options().append(true).open(&stray).unwrap().set_modified(old).unwrap();

    let dry = bed.run(&["cache", "verify", "--dry-run"]);
    assert_eq!(dry.code, 1);
    assert!(dry.text.contains("its checksum differs") && dry.text.contains("; left"), "{}", dry.text);
    assert!(bed.run(&["cache", "ls"]).text.contains("1 of them cannot be used"));

    let report = bed.run(&["--json", "cache", "verify"]).json();
    assert_eq!((report["good"].as_u64(), report["damaged"].as_array().unwrap().len()), (Some(2), 2));
    assert_eq!(report["leftovers"][0]["removed"], true);
    assert!(!stray.exists() && !bin.exists());
    assert_eq!(bed.run(&["cache", "verify", "--dry-run"]).code, 0);
    assert_eq!(bed.names(), ["Fake cpu _ZTSmul", "Fake gpu _ZTSadd"]);
}

#[test]
fn prunes_by_age_size_device_and_image() {
    let bed = Bed::new();
    // The default limit is 7 days.
    let dry = bed.run(&["cache", "prune", "--dry-run"]);
    assert!(dry.text.contains("2 items would be removed"), "{}", dry.text);
    assert_eq!(bed.names().len(), 4);
    assert!(bed.run(&["cache", "prune", "--older-than", "15days"]).text.contains("1 item removed"));
    assert_eq!(bed.run(&["cache", "prune", "--older-than", "1h", "--device", "gpu"]).code, 0);
    assert_eq!(bed.names(), ["Fake cpu _ZTSadd", "Fake cpu _ZTSmul"]);

    let item = &bed.run(&["--json", "cache", "ls"]).json()["items"][0];
    let size = item["size_bytes"].to_string();
    assert_eq!(bed.run(&["cache", "prune", "--max-size", &size]).code, 0);
    assert_eq!(bed.names(), ["Fake cpu _ZTSadd"]);
    assert_eq!(bed.run(&["cache", "prune", "--image", "zz"]).code, 0);
    assert_eq!(bed.names().len(), 1);
    let image = item["image_set"].as_str().unwrap();
    assert_eq!(bed.run(&["cache", "prune", "--image", &image[..8]]).code, 0);
    assert_eq!(bed.names().len(), 0);
    let wrong = bed.run(&["cache", "prune", "--max-size", "much"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.errors.contains("number of bytes"));
}

/// The digest of an image is that which `ls --json` and `show` tell.
#[test]
fn an_image_is_selected_by_the_beginning_of_its_name_or_digest() {
    let bed = Bed::new();
    let all = bed.run(&["--json", "cache", "ls"]).json();
    let item = all["items"].as_array().unwrap().iter().find(|item| item["kernels"][0] == "_ZTSmul").unwrap();
    let [set, digest] = [&item["image_set"], &item["images"][0]["digest"]].map(|text| text.as_str().unwrap());
    assert_ne!(set[..8], digest[..8]);
    let kernels = |start: &str| -> Vec<Value> {
        let found = bed.run(&["--json", "cache", "ls", "--image", start]).json();
        found["items"].as_array().unwrap().iter().map(|item| item["kernels"][0].clone()).collect()
    };
    for start in [&set[..8], set, &digest[..8], digest] {
        assert_eq!(kernels(start), ["_ZTSmul"], "{start}");
    }
    for other in [&digest[1..], &format!("{digest}0")] {
        assert!(kernels(other).is_empty(), "{other}");
    }
    // Any image of a linked program counts.
    let images = vec![b"first".to_vec(), b"second".to_vec()];
    let key = StoreKey::new(&KeyParts { images, ..KeyParts::default() });
    let notes = Notes { kernels: vec!["linked".into()], ..Notes::default() };
    Store::open(&Config::default().with_root(Some(bed.root())).with_eviction(false))
        .save(&key, &notes, b"binary");
    for image in ["first", "second"] {
        assert_eq!(kernels(&sycl_pi_cache::Digest::of(image.as_bytes()).to_string()), ["linked"], "{image}");
    }
}

/// Items that are too old are removed first, and the size limit applies to the rest.
#[test]
fn prunes_by_age_and_size_together() {
    let bed = Bed::new();
    let items = bed.run(&["--json", "cache", "ls"]).json()["items"].clone();
    let sizes: Vec<u64> = (0..4).map(|at| items[at]["size_bytes"].as_u64().unwrap()).collect();
    let left: u64 = sizes[..3].iter().sum();
    let (size, words) =
        (left.to_string(), ["--json", "cache", "prune", "--older-than", "15days", "--max-size"]);
    let report = bed.run(&[&words[..], &[&size]].concat()).json();
    assert_eq!(report["removed"].as_array().unwrap().len(), 1);
    assert_eq!((report["removed_bytes"].as_u64(), report["left"].as_u64()), (Some(sizes[3]), Some(3)));
    assert_eq!(report["left_bytes"].as_u64(), Some(left));
    // Without limits nothing says what to remove.
    let root = bed.root();
    let variables = [("SYCL_CACHE_DIR", root.to_str().unwrap()), ("SYCL_CACHE_EVICTION_DISABLE", "1")];
    let none = run(&["cache", "prune"], &variables);
    assert_eq!(none.code, 1);
    assert!(none.errors.contains("the variables set no limit"), "{}", none.errors);
    // A selection says it.
    let some = run(&["cache", "prune", "--kernel", "mul"], &variables);
    assert!(some.code == 0 && some.text.contains("1 item removed"), "{} {}", some.text, some.errors);
}

#[test]
fn an_item_at_which_a_program_works_stays() {
    let bed = Bed::new();
    let lock = bed.file("gpu", "dot", "lock");
    let held = File::options().create(true).append(true).open(&lock).unwrap();
    held.lock().unwrap();
    let pruned = bed.run(&["cache", "prune", "--older-than", "5days"]);
    assert_eq!(pruned.code, 1);
    assert!(pruned.text.contains("a program is at work on it; left"), "{}", pruned.text);
    assert!(
        pruned.text.contains("1 item removed") && pruned.text.contains("; 3 items left"),
        "{}",
        pruned.text
    );
    drop(held);
    assert_eq!(bed.run(&["cache", "prune", "--older-than", "5days"]).code, 0);
    assert_eq!(bed.names(), ["Fake cpu _ZTSadd", "Fake cpu _ZTSmul"]);
}

#[test]
fn clears_its_own_items_only() {
    let bed = Bed::new();
    let other = bed.root().join("9183745/12/0.bin");
    fs::create_dir_all(other.parent().unwrap()).unwrap();
    fs::write(&other, b"another cache's").unwrap();
    let stray = bed.file("cpu", "mul", "tmp-1-2-3");
    fs::write(&stray, b"half").unwrap();
    let old = SystemTime::now() - Duration::from_secs(3600);
    File::options().append(true).open(&stray).unwrap().set_modified(old).unwrap();
    assert!(bed.run(&["cache", "clear", "--dry-run"]).text.contains("4 items would be removed"));
    assert!(stray.exists());
    assert!(bed.run(&["cache", "clear"]).text.contains("4 items removed"));
    assert_eq!(bed.names().len(), 0);
    assert!(other.exists());
    let left = fs::read_dir(bed.root()).unwrap().count();
    assert_eq!(left, 1, "empty folders go");
}

#[test]
fn the_path_is_where_programs_look() {
    let path = |variables: &[(&str, &str)]| run(&["cache", "path"], variables).text.trim().to_owned();
    assert_eq!(path(&[("HOME", "/home/me")]), "/home/me/.cache/libsycl_cache");
    assert_eq!(path(&[("HOME", "/home/me"), ("XDG_CACHE_HOME", "/x")]), "/x/libsycl_cache");
    assert_eq!(path(&[("SYCL_CACHE_DIR", "/c")]), "/c");
    let none = run(&["cache", "path"], &[]);
    assert_eq!(none.code, 1);
    let off = run(&["--json", "cache", "path"], &[("SYCL_CACHE_DIR", "/c"), ("SYCL_CACHE_PERSISTENT", "0")]);
    assert_eq!(off.json()["persistent"], false);
    let off = run(&["cache", "path"], &[("SYCL_CACHE_DIR", "/c"), ("SYCL_CACHE_PERSISTENT", "0")]);
    assert_eq!((off.code, off.text.as_str()), (0, "/c\n"));
    assert!(off.errors.contains("programs keep nothing there"), "{}", off.errors);
    let empty = run(&["cache", "ls", "--dir", "/nowhere/at/all"], &[]);
    assert_eq!((empty.code, empty.text.as_str()), (0, "0 items, 0.0 KiB in /nowhere/at/all\n"));
    let garbage = run(&["cache", "path"], &[("SYCL_CACHE_DIR", "/c"), ("SYCL_CACHE_MAX_SIZE", "-3")]);
    assert!(garbage.errors.contains("SYCL_CACHE_MAX_SIZE=\"-3\""));
    assert!(!Path::new("/c").exists());
}

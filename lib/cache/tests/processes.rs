//! Several processes on one store. The test starts its own binary again.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sycl_pi_cache::store::{Built, DeviceIdentity, KeyParts, ProgramSource};
use sycl_pi_cache::{Config, Store, StoreKey};

const ROLE: &str = "PI_CACHE_TEST_ROLE";
const ROOT: &str = "PI_CACHE_TEST_ROOT";
const KERNELS: usize = 20;

fn key(kernel: usize) -> StoreKey {
    let device = DeviceIdentity { name: "Device".into(), ..DeviceIdentity::default() };
    let images = vec![format!("image {kernel}").repeat(1000).into_bytes()];
    StoreKey::new(&KeyParts { device, images, ..KeyParts::default() })
}

fn binary(kernel: usize) -> Vec<u8> {
    format!("binary {kernel}").repeat(1000).into_bytes()
}

fn store(root: &Path) -> Store {
    let config = Config::default().with_root(Some(root.join("cache")));
    // A durable write takes long while a disk has much else to do.
    Store::open(&config.with_wait(Duration::from_secs(300)))
}

/// Gets a program. Each build appends a byte to a file that all processes share.
fn get(store: &Store, root: &Path, kernel: usize, build_time: Duration) -> ProgramSource {
    let build = || {
        let mut log = OpenOptions::new().create(true).append(true).open(root.join("builds")).unwrap();
        log.write_all(b"b").unwrap();
        std::thread::sleep(build_time);
        Ok(Built { value: binary(kernel), binary: Some(binary(kernel)), kernels: vec![] })
    };
    let open = |found: &[u8]| Ok::<_, String>(found.to_vec());
    let (value, source) = store.load_or_build(&key(kernel), open, build).unwrap();
    assert_eq!(value, binary(kernel));
    source
}

fn builds(root: &Path) -> u64 {
    root.join("builds").metadata().map_or(0, |metadata| metadata.len())
}

fn start(role: &str, root: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", "as_a_child", "--nocapture"]).env(ROLE, role).env(ROOT, root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

/// Runs the children's roles.
#[test]
#[ignore = "started by the tests beside it, with a role"]
fn as_a_child() {
    let role = std::env::var_os(ROLE).unwrap();
    let root = PathBuf::from(std::env::var_os(ROOT).unwrap());
    let store = store(&root);
    match role.to_str().unwrap() {
        "workload" => {
            for kernel in 0..KERNELS {
                get(&store, &root, kernel, Duration::from_millis(15));
            }
            store.shut_down();
        }
        "hang" => {
            get(&store, &root, 0, Duration::from_secs(600));
        }
        role => panic!("{role}"),
    }
}

#[test]
fn eight_processes_build_twenty_kernels_twenty_times_in_all() {
    let home = tempfile::tempdir().unwrap();
    let children: Vec<Child> = (0..8).map(|_| start("workload", home.path())).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(builds(home.path()), KERNELS as u64);
    let store = store(home.path());
    assert!(
        (0..KERNELS).all(|kernel| get(&store, home.path(), kernel, Duration::ZERO) == ProgramSource::Disk)
    );
}

#[test]
fn a_killed_builder_blocks_nobody() {
    let home = tempfile::tempdir().unwrap();
    let mut child = start("hang", home.path());
    let end = Instant::now() + Duration::from_secs(20);
    while builds(home.path()) == 0 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9));
    });
    // It waits for the other's build, and takes over when the other has died, long before its own time limit.
    let started = Instant::now();
    let store = store(home.path());
    assert_eq!(get(&store, home.path(), 0, Duration::ZERO), ProgramSource::Build);
    let waited = started.elapsed();
    assert!(waited >= Duration::from_millis(100) && waited < Duration::from_secs(10), "{waited:?}");
    killer.join().unwrap();
    assert_eq!(builds(home.path()), 2);
    assert_eq!(get(&store, home.path(), 0, Duration::ZERO), ProgramSource::Disk);
}

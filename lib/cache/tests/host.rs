//! Tests what a program may do while its cache is working: fork, close descriptors, have a file size limit, end soon.
//! Each test runs in a separate process, this test's binary started again.
#![expect(unsafe_code, reason = "a child of a test sets limits of the system")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sycl_pi_cache::memory::{self, BuildOnce, Failure};
use sycl_pi_cache::store::{Built, FileInfo, Fs, KeyParts, OsFs, ProgramSource};
use sycl_pi_cache::{Config, Store, StoreKey};

/// The role of a child, and the folder in which it works.
const ROLE: &str = "PI_CACHE_TEST_ROLE";
const FOLDER: &str = "PI_CACHE_TEST_FOLDER";

fn start(role: &str, folder: &Path) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--ignored", "--exact", "as_a_child", "--nocapture"]).env(ROLE, role).env(FOLDER, folder);
    child.stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

/// Runs a role in a separate process.
fn in_child(role: &str) {
    let folder = tempfile::tempdir().unwrap();
    let status = start(role, folder.path()).wait().unwrap();
    assert!(status.success(), "{status}");
}

#[test]
#[ignore = "started by the tests beside it, with a role"]
fn as_a_child() {
    let role = std::env::var_os(ROLE).unwrap();
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    match role.to_str().unwrap() {
        "fork" => fork_while_the_writer_works(&folder),
        "fork in a build" => fork_while_a_thread_builds(),
        "forks in lookups" => fork_while_threads_look_up(),
        "fork in a long lookup" => fork_while_a_lookup_takes_long(),
        "descriptors closed" => descriptors_closed(&folder),
        "more rights" => {
            let config = Config::from_env();
            assert!(!config.persistent && config.root.is_none(), "{config:?}");
        }
        "the same rights" => assert_eq!(Config::from_env().root, Some(folder.join("from a variable"))),
        "small files" => small_files(&folder, true),
        "small files, no thread" => small_files(&folder, false),
        role => match role.strip_prefix("short ") {
            Some(program) => short(&folder, program),
            None => panic!("{role}"),
        },
    }
}

fn config(folder: &Path) -> Config {
    Config::default().with_root(Some(folder.join("cache"))).with_wait(Duration::from_secs(20))
}

fn key(program: &str) -> StoreKey {
    StoreKey::new(&KeyParts { images: vec![program.as_bytes().to_vec()], ..KeyParts::default() })
}

/// Gets a program of this many bytes.
fn get(store: &Store, program: &str, size: usize) -> ProgramSource {
    let binary = program.bytes().cycle().take(size).collect::<Vec<_>>();
    let build = || Ok(Built { value: binary.clone(), binary: Some(binary.clone()), kernels: vec![] });
    let (value, source) =
        store.load_or_build(&key(program), |found| Ok::<_, String>(found.to_vec()), build).unwrap();
    assert_eq!(value, binary);
    source
}

/// Files on a slow disk.
#[derive(Debug)]
struct SlowFs(OsFs);

const SLOW: Duration = Duration::from_millis(300);

macro_rules! as_it_is {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        $(fn $name(&self, $($argument: $kind),*) -> io::Result<$result> {
            self.0.$name($($argument),*)
        })*
    };
}

impl Fs for SlowFs {
    as_it_is! {
        open(path: &Path) -> File;
        create(path: &Path) -> File;
        open_append(path: &Path) -> File;
        open_lock(path: &Path) -> File;
        info(file: &File) -> FileInfo;
        info_at(path: &Path) -> FileInfo;
        read(file: &File, length: u64) -> Vec<u8>;
        write(file: &File, bytes: &[u8]) -> ();
        overwrite(file: &File, bytes: &[u8]) -> ();
        touch(path: &Path) -> ();
        clear(file: &File) -> ();
        sync_folder(path: &Path) -> ();
        rename(from: &Path, to: &Path) -> ();
        remove_file(path: &Path) -> ();
        remove_folder(path: &Path) -> ();
        create_folder(path: &Path) -> ();
        list(path: &Path) -> Vec<OsString>;
        try_lock(file: &File) -> bool;
        unlock(file: &File) -> ();
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        thread::sleep(SLOW);
        self.0.sync(file)
    }
}

/// Runs `child` in a forked child, and waits for its end.
fn fork(child: impl FnOnce()) {
    // SAFETY: the child makes only calls that a forking program may make.
    let number = unsafe { libc::fork() };
    if number == 0 {
        // SAFETY: takes a number. The signal ends a child that would wait forever.
        unsafe { libc::alarm(15) };
        child();
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) };
    }
    let mut status = -1;
    // SAFETY: there is space for a number.
    unsafe { libc::waitpid(number, &raw mut status, 0) };
    assert_eq!(status, 0, "how the child ended");
}

fn fork_while_the_writer_works(folder: &Path) {
    let store = Store::with_fs(&config(folder), Box::new(SlowFs(OsFs::new(&folder.join("cache")))));
    for program in ["a", "b", "c"] {
        get(&store, program, 5000);
    }
    fork(|| {
        get(&store, "child's", 5000);
        let start = Instant::now();
        store.shut_down();
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert_eq!(get(&Store::open(&config(folder)), "child's", 5000), ProgramSource::Disk);
    });
    // The locks of unwritten items outlive the child, so a request for one waits and finds it.
    assert!(!store.flush(Duration::ZERO), "the test must be faster than the disk");
    assert_eq!(get(&Store::open(&config(folder)), "c", 5000), ProgramSource::Disk);
    assert!(store.flush(Duration::from_secs(20)));
    assert_eq!(store.stats().saved, 3);
}

fn fork_while_a_thread_builds() {
    let cache = BuildOnce::<u32, &str, String>::new(None, |_| Failure::Lasting);
    let built = |value| Ok(memory::Built { value, size: 1 });
    let building = Arc::new(Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            let build = || {
                building.wait();
                thread::sleep(Duration::from_secs(1));
                built("parent's")
            };
            assert_eq!(*cache.get_or_build(&1, build).unwrap(), "parent's");
        });
        building.wait();
        fork(|| {
            assert_eq!(*cache.get_or_build(&1, || built("child's")).unwrap(), "child's");
            assert_eq!(*cache.get_or_build(&1, || built("again")).unwrap(), "child's");
            assert_eq!(*cache.get_or_build(&2, || built("other")).unwrap(), "other");
        });
    });
    assert_eq!(*cache.get_or_build(&1, || built("again")).unwrap(), "parent's");
}

/// Threads look values up, build and remove them, and so hold the map's lock for most of the time.
fn fork_while_threads_look_up() {
    let cache = BuildOnce::<u32, u32, String>::new(None, |_| Failure::Lasting);
    let get = |key| *cache.get_or_build(&key, || Ok(memory::Built { value: key, size: 1 })).unwrap();
    let built_before = cache.get_or_build(&0, || Ok(memory::Built { value: 7, size: 1 })).unwrap();
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while start.elapsed() < Duration::from_secs(3) {
                    assert_eq!((0..200).map(get).max(), Some(199));
                    cache.forget(|key| *key < 100);
                }
            });
        }
        for _ in 0..40 {
            fork(|| {
                assert_eq!([0, 1, 150, 999].map(get), [7, 1, 150, 999]);
                assert_eq!(cache.forget(|key| *key != 999), 1);
            });
        }
    });
    assert_eq!((get(0), *built_before), (7, 7));
}

fn fork_while_a_lookup_takes_long() {
    let cache = BuildOnce::<u32, u32, String>::new(None, |_| Failure::Lasting);
    let get = |key, value| *cache.get_or_build(&key, || Ok(memory::Built { value, size: 1 })).unwrap();
    get(1, 1);
    let looking = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            cache.with(&1, |_| {
                looking.wait();
                // Longer than a fork waits.
                thread::sleep(Duration::from_secs(3));
            })
        });
        looking.wait();
        fork(|| {
            assert_eq!((cache.get(&1), cache.len(), cache.forget(|_| false)), (None, 0, 0));
            assert_eq!([2, 3].map(|value| get(1, value)), [2, 3]);
        });
    });
    assert_eq!(get(1, 4), 1);
}

fn descriptors_closed(folder: &Path) {
    let store = Store::with_fs(&config(folder), Box::new(SlowFs(OsFs::new(&folder.join("cache")))));
    for program in ["a", "b"] {
        get(&store, program, 5000);
    }
    thread::sleep(SLOW / 2);
    // As a daemon does. SAFETY: takes numbers.
    unsafe { libc::close_range(3, u32::MAX, 0) };
    let names: Vec<_> = (0..20).map(|number| folder.join(format!("mine{number}"))).collect();
    let mine: Vec<_> = names.iter().map(|name| File::create(name).unwrap()).collect();
    assert!(store.flush(Duration::from_secs(20)));
    assert_eq!(get(&store, "c", 5000), ProgramSource::Build);
    store.shut_down();
    for (name, file) in names.iter().zip(&mine) {
        let here = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap();
        assert_eq!((&here, file.metadata().unwrap().len()), (name, 0));
    }
    assert_eq!(get(&Store::open(&config(folder)), "c", 5000), ProgramSource::Disk);
}

fn small_files(folder: &Path, background: bool) {
    let maximum = getrlimit(Resource::Fsize).maximum;
    setrlimit(Resource::Fsize, Rlimit { current: Some(1000), maximum }).unwrap();
    let store = Store::open(&config(folder).with_background(background));
    assert_eq!(get(&store, "large", 5000), ProgramSource::Build);
    assert!(store.flush(Duration::from_secs(20)));
    assert_eq!(get(&store, "large", 5000), ProgramSource::Build);
    // Items that are short enough are stored.
    get(&store, "small", 100);
    store.shut_down();
    assert_eq!(store.stats().saved, 1);
    assert_eq!(get(&store, "small", 100), ProgramSource::Disk);
}

/// The user `nobody`.
const OTHER: u32 = 65534;

#[test]
fn a_set_user_id_program_keeps_nothing_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    // Copied by another process, because a child of a concurrent test could hold one of our files open for writing, and
    // such a program does not start.
    let copied = Command::new("cp").arg(std::env::current_exe().unwrap()).arg(&program).status();
    assert!(copied.unwrap().success());
    let run = |role: &str| {
        let mut child = Command::new(&program);
        child.args(["--ignored", "--exact", "as_a_child"]).env(ROLE, role).env(FOLDER, folder.path());
        child.env("SYCL_CACHE_DIR", folder.path().join("from a variable"));
        let output = child.output().unwrap();
        assert!(output.status.success(), "{role}: {}", String::from_utf8_lossy(&output.stdout));
    };
    run("the same rights");
    chown(&program, Some(OTHER), None).expect("needs root");
    fs::set_permissions(&program, Permissions::from_mode(0o4755)).unwrap();
    run("more rights");
}

/// The maximum total size of the programs below.
const LIMIT: u64 = 20_000;

/// Runs a program that builds one kernel and ends, orderly or not.
fn short(folder: &Path, program: &str) {
    let store = Store::open(&config(folder).with_max_size(Some(LIMIT)));
    get(&store, program, 5000);
    if program.starts_with("orderly") {
        store.shut_down();
    } else {
        store.flush(Duration::from_secs(20));
    }
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(0) };
}

fn size(folder: &Path) -> u64 {
    let items = Store::open(&config(folder)).items(|_| ()).unwrap();
    items.iter().map(|item| item.size).sum()
}

#[test]
fn a_child_that_is_forked_while_the_writer_works_keeps_its_own_programs() {
    in_child("fork");
}

#[test]
fn a_child_that_is_forked_while_a_thread_builds_builds() {
    in_child("fork in a build");
}

#[test]
fn a_child_that_is_forked_while_threads_look_up_finds_what_was_built_and_builds() {
    in_child("forks in lookups");
}

#[test]
fn a_child_for_which_a_lookup_took_too_long_builds_everything_itself() {
    in_child("fork in a long lookup");
}

#[test]
fn descriptors_that_the_program_took_over_are_left_alone() {
    in_child("descriptors closed");
}

#[test]
fn a_limit_for_files_does_not_end_the_program() {
    in_child("small files");
    in_child("small files, no thread");
}

#[test]
fn short_programs_keep_the_size_limit_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..24 {
        let order = if number % 2 == 0 { "orderly" } else { "at once" };
        assert!(start(&format!("short {order} {number}"), folder.path()).wait().unwrap().success());
        assert!(size(folder.path()) <= LIMIT, "after {number}: {}", size(folder.path()));
    }
    assert!(size(folder.path()) > LIMIT / 2);
}

#[test]
fn short_programs_keep_the_size_limit_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> =
        (0..24).map(|number| start(&format!("short at once {number}"), folder.path())).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    // Until the last one ends, another may be between storing its item and removing older ones.
    assert!(size(folder.path()) <= LIMIT, "{}", size(folder.path()));
    assert!(size(folder.path()) > LIMIT / 2);
}

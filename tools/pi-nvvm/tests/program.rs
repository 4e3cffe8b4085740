//! Things that a program may do while its kernels are compiled: handle signals, lose a worker, close descriptors, fork.
//! Each test starts its own binary again in a separate process, with a fake libnvvm.
#![expect(unsafe_code, reason = "calls of the system")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sycl_pi_nvvm_compiler::{CompiledPtx, NvvmCompiler, NvvmLibrary, NvvmOptions, NvvmTarget};

/// The action of a child, and the folder with the fake library.
const ROLE: &str = "PI_NVVM_TEST_ROLE";
const FOLDER: &str = "PI_NVVM_TEST_FOLDER";
/// A file in that folder, which shows that a worker outlived its program.
const LIVES: &str = "lives";

/// Creates a folder with the compiled fake library.
fn stand_in() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stand_in.c");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-fPIC", "-o"]).arg(folder.path().join("libnvvm.so")).arg(source);
    assert!(cc.status().unwrap().success());
    fs::write(folder.path().join("libdevice.bc"), "").unwrap();
    folder
}

/// Runs a role in a separate process.
fn in_child(role: &str) {
    let folder = stand_in();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child
        .args(["--ignored", "--exact", "as_a_child", "--nocapture"])
        .env(ROLE, role)
        .env(FOLDER, folder.path());
    let output = child.output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{}: {}{}", output.status, said[0], said[1]);
    assert!(!folder.path().join(LIVES).exists());
}

#[test]
#[ignore = "started by the tests beside it, with a role"]
fn as_a_child() {
    let role = std::env::var_os(ROLE).unwrap();
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    match role.to_str().unwrap() {
        "signals" => signals(&folder),
        "idle worker killed" => idle_worker_killed(&folder),
        "working worker killed" => working_worker_killed(&folder),
        "working worker stopped" => working_worker_stopped(&folder),
        "descriptors closed" => descriptors_closed(&folder),
        "fork" => fork_while_threads_compile(&folder),
        "old kernel" => old_kernel(&folder),
        "small files" => small_files(&folder),
        role => panic!("{role}"),
    }
}

fn compiler(folder: &Path) -> NvvmCompiler {
    compiler_with(folder, Duration::from_secs(20))
}

fn compiler_with(folder: &Path, limit: Duration) -> NvvmCompiler {
    let library = NvvmLibrary { libnvvm: folder.join("libnvvm.so"), libdevice: folder.join("libdevice.bc") };
    NvvmCompiler::new(library, env!("CARGO_BIN_EXE_pi-nvvm").into(), limit)
}

fn compile(compiler: &NvvmCompiler, ir: &str) -> CompiledPtx {
    let target = NvvmTarget { arch: "compute_90".to_owned(), modern: false, release: String::new() };
    compiler.compile(&target, ir, &NvvmOptions::default()).unwrap()
}

/// Asserts that the result was compiled from this IR, with optimization and without a log.
fn assert_optimized(compiled: &CompiledPtx, ir: &str) {
    let ptx = String::from_utf8_lossy(&compiled.ptx);
    assert!(ptx.contains(&format!("-opt=3 {ir}")), "{ptx}");
    assert!(!compiled.unoptimized && compiled.log.is_empty(), "{}", compiled.log);
}

/// Returns the processes that work for this one.
fn workers() -> Vec<i32> {
    let mark = format!("--parent\0{}\0", std::process::id());
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let is_ours = |number: &i32| {
        let line = fs::read(format!("/proc/{number}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&mark)
    };
    numbers.filter(is_ours).collect()
}

/// Kills them like a system that runs out of memory, and waits until they are gone.
fn kill_workers() {
    let found = workers();
    assert!(!found.is_empty(), "no worker to kill");
    for worker in &found {
        // SAFETY: takes numbers.
        unsafe { libc::kill(*worker, libc::SIGKILL) };
    }
    while workers().iter().any(|worker| found.contains(worker)) {
        thread::sleep(Duration::from_millis(5));
    }
}

static SIGNALS: AtomicUsize = AtomicUsize::new(0);

extern "C" fn count_signal(_: i32) {
    SIGNALS.fetch_add(1, Ordering::Relaxed);
}

fn signals(folder: &Path) {
    let compiler = compiler(folder);
    // SAFETY: a handler that only counts, and numbers.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = count_signal as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGALRM, &raw const action, null_mut());
        let pause = libc::timeval { tv_sec: 0, tv_usec: 500 };
        let timer = libc::itimerval { it_interval: pause, it_value: pause };
        // The timer's signal goes to any thread. Only this one may receive it.
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, null_mut());
    }
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert_optimized(&compile(&compiler, "slow"), "slow"));
        }
        // SAFETY: takes a local set of signals. The threads above get the signals.
        unsafe {
            let mut alarm = std::mem::zeroed();
            libc::sigemptyset(&raw mut alarm);
            libc::sigaddset(&raw mut alarm, libc::SIGALRM);
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const alarm, null_mut());
        }
    });
    assert!(SIGNALS.load(Ordering::Relaxed) > 100, "{SIGNALS:?}");
}

fn idle_worker_killed(folder: &Path) {
    let compiler = compiler(folder);
    for ir in ["first", "second"] {
        assert_optimized(&compile(&compiler, ir), ir);
        kill_workers();
    }
}

/// As a machine with much to do leaves a process no processor for long.
fn working_worker_stopped(folder: &Path) {
    let compiler = compiler_with(folder, Duration::from_secs(1));
    thread::scope(|scope| {
        let compiling = scope.spawn(|| compile(&compiler, "slow"));
        while workers().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(200));
        let found = workers();
        for (signal, pause) in [(libc::SIGSTOP, 5), (libc::SIGCONT, 0)] {
            for worker in &found {
                // SAFETY: takes numbers.
                unsafe { libc::kill(*worker, signal) };
            }
            thread::sleep(Duration::from_secs(pause));
        }
        assert_optimized(&compiling.join().unwrap(), "slow");
    });
}

fn working_worker_killed(folder: &Path) {
    let compiler = compiler(folder);
    thread::scope(|scope| {
        let compiling = scope.spawn(|| compile(&compiler, "slow"));
        while workers().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        thread::sleep(Duration::from_millis(100));
        kill_workers();
        assert_optimized(&compiling.join().unwrap(), "slow");
    });
}

fn descriptors_closed(folder: &Path) {
    let compiler = compiler(folder);
    compile(&compiler, "first");
    // As a daemon does. In this process, descriptors above 2 belong to the worker.
    // SAFETY: takes numbers.
    unsafe { libc::close_range(3, u32::MAX, 0) };
    let names: Vec<_> = (0..20).map(|number| folder.join(format!("mine{number}"))).collect();
    let mine: Vec<_> = names.iter().map(|name| File::create(name).unwrap()).collect();
    assert_optimized(&compile(&compiler, "second"), "second");
    drop(compiler);
    for (name, file) in names.iter().zip(&mine) {
        let here = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).unwrap();
        assert_eq!((&here, file.metadata().unwrap().len()), (name, 0));
    }
}

fn fork_while_threads_compile(folder: &Path) {
    let compiler = compiler(folder);
    thread::scope(|scope| {
        for _ in 0..12 {
            scope.spawn(|| compile(&compiler, "slow"));
        }
        // This thread holds the lock of the targets.
        scope.spawn(|| compiler.target(90));
        thread::sleep(Duration::from_millis(200));
        // SAFETY: the child only calls functions that a forking program may call.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // SAFETY: takes numbers. The signal ends a child that waits forever.
            unsafe { libc::alarm(15) };
            assert_optimized(&compile(&compiler, "child"), "child");
            assert_eq!(compiler.target(90).unwrap().release, "1.2.3");
            // SAFETY: ends the process.
            unsafe { libc::_exit(0) };
        }
        let mut status = -1;
        // SAFETY: `status` is valid for writing.
        unsafe { libc::waitpid(child, &raw mut status, 0) };
        assert_eq!(status, 0, "how the child ended");
    });
    assert_optimized(&compile(&compiler, "parent"), "parent");
}

/// Makes these calls fail in this thread and its children, as on a kernel that lacks them.
fn without_calls(calls: &[libc::c_long]) {
    let step = |code: u32, k: u32, jump: u8| libc::sock_filter { code: code as u16, jt: 0, jf: jump, k };
    let mut filter = vec![step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0)];
    for call in calls {
        filter.push(step(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, *call as u32, 1));
        filter.push(step(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32, 0));
    }
    filter.push(step(libc::BPF_RET | libc::BPF_K, libc::SECCOMP_RET_ALLOW, 0));
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: numbers, and a filter that lives until the call returns.
    unsafe {
        assert_eq!(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
        assert_eq!(libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program), 0);
    }
}

fn old_kernel(folder: &Path) {
    without_calls(&[libc::SYS_close_range, libc::SYS_pidfd_open, libc::SYS_memfd_create]);
    // Inherited by every process that is started, like descriptors of C programs.
    let mut ends = [0 as RawFd; 2];
    // SAFETY: room for two numbers.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: new descriptors.
    let [mut reader, writer] = ends.map(|end| unsafe { File::from_raw_fd(end) });
    let compiler = compiler(folder);
    assert_optimized(&compile(&compiler, "first"), "first");
    let worker = workers()[0];
    let start = Instant::now();
    drop(writer);
    assert_eq!(reader.read(&mut [0]).unwrap(), 0);
    assert!(start.elapsed() < Duration::from_secs(5), "the worker keeps the pipe open");
    assert_eq!(workers(), [worker], "it waits for more");
    // It ends with its parent, although it is not notified and its input stays open.
    let socket = fs::read_dir("/proc/self/fd").unwrap().flatten().find_map(|entry| {
        let number: RawFd = entry.file_name().to_str()?.parse().ok()?;
        (fs::metadata(entry.path()).ok()?.mode() & libc::S_IFMT == libc::S_IFSOCK).then_some(number)
    });
    // SAFETY: takes numbers. The descriptor stays open in processes that this one starts.
    assert_eq!(unsafe { libc::fcntl(socket.unwrap(), libc::F_SETFD, 0) }, 0);
    let wait = format!(
        "for second in 1 2 3 4 5 6 7 8; do grep -q . /proc/{worker}/cmdline || exit 0; sleep 1; done"
    );
    let script = format!("({wait}; touch {}; kill -9 {worker}) &", folder.join(LIVES).display());
    assert!(Command::new("sh").args(["-c", &script]).status().unwrap().success());
    std::mem::forget(compiler);
}

fn small_files(folder: &Path) {
    let limit = libc::rlimit { rlim_cur: 4096, rlim_max: 4096 };
    // SAFETY: a local limit.
    unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &raw const limit) };
    assert_optimized(&compile(&compiler(folder), "loud"), "loud");
}

#[test]
fn signals_that_the_program_handles_change_nothing() {
    in_child("signals");
}

#[test]
fn a_worker_that_is_killed_while_it_waits_is_replaced() {
    in_child("idle worker killed");
}

#[test]
fn a_worker_that_is_killed_at_work_is_replaced() {
    in_child("working worker killed");
}

#[test]
fn a_worker_that_is_stopped_for_longer_than_its_limit_compiles_afterwards() {
    in_child("working worker stopped");
}

#[test]
fn a_worker_that_computes_or_sleeps_too_long_is_left() {
    let folder = stand_in();
    let compiler = compiler_with(folder.path(), Duration::from_secs(1));
    for ir in ["busy", "asleep"] {
        let start = Instant::now();
        let compiled = compile(&compiler, ir);
        assert!(compiled.unoptimized && compiled.log.contains("was not ready"), "{}", compiled.log);
        assert!(start.elapsed() >= Duration::from_secs(1), "{:?}", start.elapsed());
    }
}

#[test]
fn descriptors_that_the_program_took_over_are_left_alone() {
    in_child("descriptors closed");
}

#[test]
fn a_child_that_is_forked_while_threads_compile_compiles() {
    in_child("fork");
}

#[test]
fn an_old_kernel_is_enough_for_a_worker_without_the_programs_files() {
    in_child("old kernel");
}

#[test]
fn a_limit_for_files_does_not_end_a_worker_that_prints() {
    in_child("small files");
}

#[test]
fn what_is_not_optimized_says_so_in_its_log() {
    let folder = stand_in();
    let compiled = compile(&compiler(folder.path()), "crash");
    assert!(compiled.unoptimized && String::from_utf8_lossy(&compiled.ptx).contains("-opt=0 crash"));
    let log = &compiled.log;
    assert!(log.contains("without optimization") && log.contains("LLVM ERROR: stand-in"), "{log}");
}

//! Workers with NVIDIA's libnvvm, which `PI_NVVM` names (a folder of the wheel nvidia-cuda-nvcc-cu12, 12.9).
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmError, NvvmLibrary, NvvmOptions};

const HEADER: &str = concat!(
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-",
    "f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n",
    "target triple = \"nvptx64-nvidia-cuda\"\n",
    "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n",
);

const SINE: &str = "
declare double @__nv_sin(double)
define ptx_kernel void @sine(double addrspace(1)* %x) {
  %v = load double, double addrspace(1)* %x
  %s = call double @__nv_sin(double %v)
  store double %s, double addrspace(1)* %x
  ret void
}
";

/// libnvvm has no code for this intrinsic, and ends the process.
const CRASHES: &str = "
declare float @llvm.exp.f32(float)
define ptx_kernel void @crash(float addrspace(1)* %x) {
  %v = load float, float addrspace(1)* %x
  %s = call float @llvm.exp.f32(float %v)
  store float %s, float addrspace(1)* %x
  ret void
}
";

/// libnvvm 12.9 never finishes optimizing this: a binary search from a pointer in a structure.
const HANGS: &str = "
%st = type { i8 addrspace(1)* }
define ptx_kernel void @search(%st* byval align 8 %gs, double %x, i64 %n, i64 addrspace(1)* %o) {
e:
  %gp = getelementptr %st, %st* %gs, i64 0, i32 0
  %gb = load i8 addrspace(1)*, i8 addrspace(1)** %gp
  %c0 = addrspacecast i8 addrspace(1)* %gb to i8*
  %p0 = bitcast i8* %c0 to double*
  br label %h
h:
  %p = phi double* [ %p0, %e ], [ %p2, %b ]
  %c = phi i64 [ %n, %e ], [ %c2, %b ]
  %z = icmp sgt i64 %c, 0
  br i1 %z, label %b, label %d
b:
  %half = lshr i64 %c, 1
  %q = getelementptr inbounds double, double* %p, i64 %half
  %v = load double, double* %q, align 8
  %lt = fcmp olt double %x, %v
  %q1 = getelementptr inbounds double, double* %q, i64 1
  %p2 = select i1 %lt, double* %p, double* %q1
  %r = sub i64 %c, %half
  %r1 = sub i64 %r, 1
  %c2 = select i1 %lt, i64 %half, i64 %r1
  br label %h
d:
  %pi = ptrtoint double* %p to i64
  store i64 %pi, i64 addrspace(1)* %o
  ret void
}
";

fn compiler(limit: Duration) -> NvvmCompiler {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_pi-nvvm"));
    NvvmCompiler::new(NvvmLibrary::find().unwrap(), program, limit)
}

fn compile(compiler: &NvvmCompiler, code: &str) -> Result<(String, bool), NvvmError> {
    let target = compiler.target(90)?;
    let compiled = compiler.compile(&target, &format!("{HEADER}{code}"), &NvvmOptions::default())?;
    Ok((String::from_utf8(compiled.ptx).unwrap(), compiled.unoptimized))
}

/// Counts the processes with that text in their command line.
fn processes(text: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(text)).count()
}

#[test]
#[ignore = "needs libnvvm"]
fn a_kernel_becomes_ptx_for_the_devices_architecture() {
    let compiler = compiler(Duration::from_secs(60));
    let (ptx, unoptimized) = compile(&compiler, SINE).unwrap();
    assert!(ptx.contains(".target sm_90") && ptx.contains(".entry sine("), "{ptx}");
    assert!(!unoptimized && !ptx.contains("__nv_sin"), "libdevice is linked in");
    let target = compiler.target(95).unwrap();
    assert_eq!(
        (target.arch.as_str(), target.modern),
        ("compute_90", false),
        "a GPU that libnvvm does not know"
    );
    assert!(target.release.contains('.'), "{}", target.release);
    assert!(compiler.target(120).unwrap().modern);
}

#[test]
#[ignore = "needs libnvvm"]
fn a_gpu_older_than_libnvvm_knows_is_an_error_that_names_it() {
    let error = compiler(Duration::from_secs(60)).target(35).unwrap_err();
    assert!(error.to_string().contains("compute_35"), "{error}");
}

#[test]
#[ignore = "needs libnvvm"]
fn a_refusal_has_libnvvms_words_and_the_worker_goes_on() {
    let compiler = compiler(Duration::from_secs(60));
    let error = compile(&compiler, "define void @k() {\n  %a = add i32 %b, 1\n  ret void\n}\n").unwrap_err();
    assert!(
        matches!(&error, NvvmError::Refused { log } if log.contains("kernels (") && log.contains("%b")),
        "{error}"
    );
    compile(&compiler, SINE).unwrap();
}

#[test]
#[ignore = "needs libnvvm"]
fn a_crash_of_libnvvm_is_an_error_and_the_next_kernel_compiles() {
    let compiler = compiler(Duration::from_secs(60));
    let error = compile(&compiler, CRASHES).unwrap_err();
    assert!(matches!(error, NvvmError::Crashed { .. }), "{error}");
    compile(&compiler, SINE).unwrap();
}

#[test]
#[ignore = "needs libnvvm"]
fn what_hangs_with_optimization_is_compiled_without() {
    let compiler = compiler(Duration::from_secs(1));
    let start = Instant::now();
    let (ptx, unoptimized) = compile(&compiler, HANGS).unwrap();
    assert!(unoptimized && ptx.contains(".entry search("), "{ptx}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
#[ignore = "needs libnvvm"]
fn threads_compile_at_once_and_get_their_own_kernels() {
    let compiler = compiler(Duration::from_secs(60));
    thread::scope(|scope| {
        for thread in 0..8 {
            let compiler = &compiler;
            scope.spawn(move || {
                for round in 0..4 {
                    let name = format!("sine_{thread}_{round}");
                    let (ptx, _) = compile(compiler, &SINE.replace("@sine", &format!("@{name}"))).unwrap();
                    assert!(ptx.contains(&format!(".entry {name}(")), "{name}");
                }
            });
        }
    });
}

#[test]
#[ignore = "needs libnvvm"]
fn workers_end_with_the_compiler_even_while_they_work() {
    // A library with a unique name, by which its workers are found.
    let folder = tempfile::tempdir().unwrap();
    let found = NvvmLibrary::find().unwrap();
    let libdevice = folder.path().join("libdevice.bc");
    fs::copy(&found.libdevice, &libdevice).unwrap();
    let mark = libdevice.to_str().unwrap().to_owned();
    let program = PathBuf::from(env!("CARGO_BIN_EXE_pi-nvvm"));
    let library = NvvmLibrary { libdevice, ..found };
    let waiting = NvvmCompiler::new(library.clone(), program.clone(), Duration::from_secs(60));
    compile(&waiting, SINE).unwrap();
    assert_eq!(processes(&mark), 1, "one worker waits");
    drop(waiting);
    // Aborted after one second and a grace period of two, while it is in an endless loop.
    let hanging = NvvmCompiler::new(library, program, Duration::from_secs(1));
    compile(&hanging, HANGS).unwrap();
    drop(hanging);
    let start = Instant::now();
    while processes(&mark) > 0 {
        assert!(start.elapsed() < Duration::from_secs(5), "{} workers live on", processes(&mark));
        thread::sleep(Duration::from_millis(10));
    }
}

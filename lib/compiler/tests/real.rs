//! Tests the compilers of this machine: Debian's clang-15 and llvm-spirv-15, and any others.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test fails by panicking")]

use sycl_pi_compiler::{CompileError, Compiler, Source, candidates, find, working};

const OPENCL_C: &str = "kernel void scale(global float *v, float f) { v[get_global_id(0)] *= f; }\n";
const CPP: &str = "template <class T> T twice(T x) { return x + x; }\n\
                   kernel void twice_all(global int *v) { v[get_global_id(0)] = twice(v[get_global_id(0)]); }\n";

fn assert_spirv(code: &[u8], kernel: &str) {
    assert_eq!(code[..4], [3, 2, 0x23, 7]);
    assert!(code[5] <= 2 && code[6] == 1, "SPIR-V newer than 1.2");
    assert!(code.windows(kernel.len()).any(|window| window == kernel.as_bytes()), "no {kernel}");
}

/// Returns every compiler that works.
fn all() -> Vec<Compiler> {
    let all: Vec<Compiler> =
        candidates().unwrap().into_iter().filter_map(|one| working(&[one]).ok()).collect();
    assert!(!all.is_empty(), "{}", find().unwrap_err());
    all
}

#[test]
fn every_compiler_that_is_found_takes_both_languages_and_options() {
    for compiler in all() {
        eprintln!("{}", compiler.candidate());
        assert_spirv(&compiler.compile(&Source::new("scale.cl", OPENCL_C)).unwrap().code, "scale");
        assert_spirv(&compiler.compile(&Source::new("twice.clcpp", CPP)).unwrap().code, "twice_all");
        let named =
            Source::new("a.cl", "kernel void NAME() {}").with_options(["-DNAME=other", "-cl-std=CL3.0"]);
        assert_spirv(&compiler.compile(&named).unwrap().code, "other");
    }
}

#[test]
fn an_error_has_the_compilers_own_text_with_the_sources_name_and_line() {
    let error =
        find().unwrap().compile(&Source::new("my kernel.cl", "\nkernel void a() { return x; }")).unwrap_err();
    let CompileError::Refused { name, log, .. } = &error else { panic!("{error}") };
    assert_eq!(name, "my kernel.cl");
    assert!(log.contains("my kernel.cl:2:26: error: use of undeclared identifier 'x'"), "{log}");
}

#[test]
fn warnings_come_with_the_module() {
    let compiled =
        find().unwrap().compile(&Source::new("w.cl", "#warning look here\nkernel void a() {}")).unwrap();
    assert!(compiled.log.contains("w.cl:1:2: warning: look here"), "{}", compiled.log);
}

#[test]
fn a_large_source_passes_and_nothing_is_written_to_the_current_folder() {
    let before = std::fs::read_dir(".").unwrap().count();
    let text = format!("{OPENCL_C}//{}\n", "x".repeat(4 << 20));
    assert_spirv(&find().unwrap().compile(&Source::new("large.cl", &text)).unwrap().code, "scale");
    assert_eq!(std::fs::read_dir(".").unwrap().count(), before);
}

//! `pi install --spirv-on-nvidia` says what brings the drop-ins, and `--with-libraries` has the environment's pip install
//! NVIDIA's packages. A script stands in for Python.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod install_support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use install_support::{Tree, picture};

/// The packages that pip is asked to install.
const PACKAGES: &str = "-m pip install nvidia-cuda-nvcc-cu12 nvidia-cublas-cu12 nvidia-cufft-cu12 nvidia-cusolver-cu12 nvidia-cusparse-cu12";

/// An environment whose Python keeps its arguments, and ends with a code.
fn tree(code: u8) -> Tree {
    let tree = Tree::new();
    let python = tree.venv().join("bin/python");
    fs::create_dir_all(python.parent().unwrap()).unwrap();
    fs::write(&python, format!("#!/bin/sh\necho pip works\necho \"$@\" > \"$0.asked\"\nexit {code}\n"))
        .unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(tree.root.path().join("worker"), "a worker").unwrap();
    tree
}

fn install(tree: &Tree, words: &[&str]) -> Output {
    install_with(tree, words, Path::new("/no/such/folder"))
}

/// Installs with the drop-ins of this folder.
fn install_with(tree: &Tree, words: &[&str], drop_ins: &Path) -> Output {
    let mut pi = Command::new(env!("CARGO_BIN_EXE_pi"));
    pi.args(["--json", "install"]).args(words).arg(tree.venv()).arg("--plugin").arg(&tree.ours);
    pi.env("PI_NVVM_COMPILER", tree.root.path().join("worker"))
        .env("PI_MATH", drop_ins)
        .env("PI_NVVM", "/no/such/folder")
        .output()
        .unwrap()
}

fn asked(tree: &Tree) -> Option<String> {
    fs::read_to_string(tree.venv().join("bin/python.asked")).ok()
}

#[test]
fn pip_is_run_after_its_command_is_printed_and_its_output_is_progress() {
    let tree = tree(0);
    let done = install(&tree, &["--spirv-on-nvidia", "--with-libraries"]);
    let told = String::from_utf8(done.stderr).unwrap();
    assert!(done.status.success(), "{told}");
    assert_eq!(asked(&tree).unwrap().trim(), PACKAGES);
    let command = format!("pi: running: {}/bin/python {PACKAGES}\npip works\n", tree.venv().display());
    assert_eq!(told, command);
    serde_json::from_slice::<serde_json::Value>(&done.stdout).unwrap();
}

#[test]
fn if_pip_fails_nothing_is_installed() {
    let tree = tree(7);
    let before = picture(&tree.lib);
    let done = install(&tree, &["--spirv-on-nvidia", "--with-libraries"]);
    assert!(!done.status.success());
    assert!(String::from_utf8(done.stdout).unwrap().contains("pip ended with exit status: 7"));
    assert_eq!(picture(&tree.lib), before);
}

#[test]
fn a_dry_run_asks_nothing_and_without_the_mode_there_is_nothing_to_ask() {
    let tree = tree(0);
    let done = install(&tree, &["--spirv-on-nvidia", "--with-libraries", "--dry-run"]);
    assert!(String::from_utf8(done.stderr).unwrap().starts_with("pi: planned: "));
    assert_eq!(install(&tree, &["--with-libraries"]).status.code(), Some(2));
    assert_eq!(asked(&tree), None);
}

#[test]
fn without_drop_ins_the_checkout_s_own_command_is_printed() {
    let tree = tree(0);
    fs::write(tree.lib.join("libmkl_sycl_blas.so.5"), "the vendor's").unwrap();
    let done = install(&tree, &["--spirv-on-nvidia"]);
    let told = String::from_utf8(done.stdout).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../math/mkl/rim/drop_ins.py");
    let script = fs::canonicalize(script).unwrap();
    assert!(told.contains(&format!("type python3 {} && PI_MATH=", script.display())), "{told}");
    assert!(told.contains(&format!("pi install --spirv-on-nvidia {}", tree.venv().display())), "{told}");
    // Nor is there a compiler in this environment, wherever pi itself would find one.
    let brings = format!("pi install --spirv-on-nvidia --with-libraries {} brings it", tree.venv().display());
    assert!(told.contains(&brings), "{told}");
}

#[test]
fn drop_ins_for_a_newer_system_are_left_out_with_one_reason_and_the_rest_is_installed() {
    let tree = tree(0);
    let [blas, dnn] = ["libmkl_sycl_blas.so.5", "libdnnl.so.3"].map(|name| tree.lib.join(name));
    fs::write(&blas, "the vendor's").unwrap();
    fs::write(&dnn, "the vendor's, with libsycl.so.8\0").unwrap();
    let drop_ins = tree.root.path().join("math");
    fs::create_dir(&drop_ins).unwrap();
    for name in ["libpi_math.so", "libmkl_sycl_blas.so.5", "libpi_dnn.so", "libdnnl.so.3.sycl8"] {
        fs::write(drop_ins.join(name), "ours\0GLIBC_2.99\0").unwrap();
    }
    let done = install_with(&tree, &["--spirv-on-nvidia"], &drop_ins);
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{told}");
    assert_eq!(told.matches("they need GLIBC_2.99, which ").count(), 1, "{told}");
    assert_eq!(fs::read_to_string(&blas).unwrap(), "the vendor's");
    assert!(!tree.lib.join("libpi_math.so").exists());
    // The compiler of SPIR-V does not need them.
    assert!(tree.lib.join("pi-nvvm").exists());
    // Without oneMKL, oneDNN's report has the reason.
    fs::remove_file(&blas).unwrap();
    let done = install_with(&tree, &["--spirv-on-nvidia"], &drop_ins);
    let told = String::from_utf8(done.stdout).unwrap();
    assert!(told.contains("libdnnl.so.3 stays Intel's"), "{told}");
    assert_eq!(told.matches("they need GLIBC_2.99, which ").count(), 1, "{told}");
    // With drop-ins for this system the vendor's files are replaced.
    fs::write(&blas, "the vendor's").unwrap();
    for name in ["libpi_math.so", "libmkl_sycl_blas.so.5", "libpi_dnn.so", "libdnnl.so.3.sycl8"] {
        fs::write(drop_ins.join(name), "ours\0GLIBC_2.17\0").unwrap();
    }
    let done = install_with(&tree, &["--spirv-on-nvidia"], &drop_ins);
    assert!(done.status.success(), "{}", String::from_utf8(done.stdout).unwrap());
    assert_eq!(fs::read_to_string(&blas).unwrap(), "ours\0GLIBC_2.17\0");
}

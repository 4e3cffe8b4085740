//! The options that a driver receives from images, from the environment and from the caller.

use std::ffi::CStr;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use sycl_pi_loader::DeviceType;
use sycl_pi_runtime::*;

use crate::behaviours::fixture;
use crate::cached::Run;
use crate::{Test, shim, trials};
use testing_programs::{add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("each_stage_gets_its_own", each_stage_gets_its_own),
        ("variables_of_the_environment_count", variables_of_the_environment_count),
        ("a_program_from_disk_is_built_with_its_options", a_program_from_disk_is_built_with_its_options),
    ];
    trials("options", plugin, tests)
}

/// The argument that makes a child of this program print what the plugin at a path receives in this environment.
const CHILD: &str = "--options-of";

/// Prints the options, if this process is such a child.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) fn child() -> bool {
    let args: Vec<String> = std::env::args().collect();
    let [_, word, plugin] = args.as_slice() else { return false };
    if word != CHILD {
        return false;
    }
    println!("{}", given(Path::new(plugin), None));
    true
}

/// Returns what the driver receives for one image and for linked images, all of which have their own options.
fn given(library: &Path, options: Option<BuildOptions>) -> String {
    let fixture = fixture(library, &[]);
    for name in ["dg_basic", "dl_a", "dl_b", "dl_c"] {
        let mut image = load(&default_folder(), name);
        image.compile_options = format!("-D{name}").into();
        image.link_options = format!("-L{name}").into();
        add(&fixture.registry, image).unwrap();
    }
    let runtime = match options {
        Some(options) => fixture.runtime.with_build_options(options),
        None => fixture.runtime.clone(),
    };
    for kernel in ["_ZTS5DgGet", "_ZTS3DlA"] {
        runtime.kernel(&fixture.device, kernel, &SpecValues::new()).unwrap();
    }
    seen(library)
}

/// Returns what the plugin of seen_options.c has received.
fn seen(library: &Path) -> String {
    // SAFETY: the plugin is already loaded, and has the function of seen_options.c.
    unsafe {
        let library = libloading::Library::new(library).unwrap();
        let seen = library.get::<extern "C" fn() -> *const std::ffi::c_char>("seen_options").unwrap();
        CStr::from_ptr(seen()).to_str().unwrap().to_owned()
    }
}

/// Drivers may finish a binary with them.
fn a_program_from_disk_is_built_with_its_options(plugin: &Path) {
    let (_folder, library) = shim("seen_options", plugin);
    let root = tempfile::tempdir().unwrap();
    for counts in [(0, 1, 0), (1, 0, 0)] {
        let mut image = load(&default_folder(), "dg_basic");
        (image.compile_options, image.link_options) = ("-c".into(), "-l".into());
        let run = Run::with_caches(&library, vec![image], &testing_programs::caches(root.path()));
        assert_eq!(run.once("_ZTS5DgGet", 1), 0);
        assert_eq!(run.counts(), counts);
    }
    assert_eq!(seen(&library), "build: -c -l\nbuild: -c -l\n");
}

/// A single image is built. Of several images, each is compiled with its own options, and linked with those of the
/// first.
fn each_stage_gets_its_own(plugin: &Path) {
    let new = BuildOptions::new;
    let cases = [
        (new(), "-Ddg_basic -Ldg_basic", ["-Ddl_a", "-Ddl_b", "-Ddl_c"], "-Ldl_a"),
        (
            new().append_compile("-c").append_link("-l"),
            "-Ddg_basic -c -Ldg_basic -l",
            ["-Ddl_a -c", "-Ddl_b -c", "-Ddl_c -c"],
            "-Ldl_a -l",
        ),
        (new().replace_compile("-c").replace_link("-l"), "-c -l", ["-c"; 3], "-l"),
    ];
    let gpu = testing_programs::open(plugin).unwrap().first_device().unwrap().info().kind == DeviceType::Gpu;
    let fast = if gpu { " -igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'" } else { "" };
    let given_fast = new().append_compile("-ftarget-compile-fast").append_link("-ftarget-compile-fast");
    let translated = [
        format!("-Ddg_basic{fast} -Ldg_basic{fast}"),
        format!("-Ddl_a{fast}"),
        format!("-Ddl_b{fast}"),
        format!("-Ddl_c{fast}"),
        format!("-Ldl_a{fast}"),
    ];
    let [build, a, b, c, link] = translated.each_ref().map(String::as_str);
    let translated = (given_fast, build, [a, b, c], link);
    for (options, build, [a, b, c], link) in cases.into_iter().chain([translated]) {
        let (_folder, library) = shim("seen_options", plugin);
        let wanted = format!("build: {build}\ncompile: {a}\ncompile: {b}\ncompile: {c}\nlink: {link}\n");
        assert_eq!(given(&library, Some(options)), wanted);
    }
}

fn variables_of_the_environment_count(plugin: &Path) {
    let (_folder, library) = shim("seen_options", plugin);
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.arg(CHILD).arg(&library);
    child.env("SYCL_PROGRAM_APPEND_COMPILE_OPTIONS", "-c").env("SYCL_PROGRAM_LINK_OPTIONS", "-l");
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let wanted =
        "build: -Ddg_basic -c -l\ncompile: -Ddl_a -c\ncompile: -Ddl_b -c\ncompile: -Ddl_c -c\nlink: -l\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), wanted.trim());
}

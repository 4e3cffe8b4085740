//! The compiler's device libraries, from files in libsycl's folder, for devices whose compiler lacks their functions.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use sycl_pi_runtime::*;

use crate::behaviours::{Fixture, fixture};
use crate::{Test, trials};
use testing_programs::{add, default_folder, load};

pub(crate) fn all(plugin: &Path) -> Vec<Trial> {
    let tests: &[(&str, Test)] = &[
        ("functions_come_from_files_beside_libsycl", functions_come_from_files_beside_libsycl),
        (
            "without_the_files_the_error_says_what_is_missing",
            without_the_files_the_error_says_what_is_missing,
        ),
    ];
    let device = testing_programs::open(plugin).and_then(Plugin::first_device);
    let is_native = device.is_ok_and(|device| {
        device.info().extensions.iter().any(|name| name.starts_with("cl_intel_devicelib_"))
    });
    if is_native {
        eprintln!("device_libraries::* is skipped: the device's compiler has the functions itself");
    }
    trials("device_libraries", plugin, tests)
        .into_iter()
        .map(|trial| trial.with_ignored_flag(is_native))
        .collect()
}

/// The argument that makes a child of this program run the kernel on the plugin at a path.
const CHILD: &str = "--device-libraries-of";

/// Prints the kernel's result, if this process is such a child.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) fn child() -> bool {
    let args: Vec<String> = std::env::args().collect();
    let [_, word, plugin] = args.as_slice() else { return false };
    if word != CHILD {
        return false;
    }
    println!("{}", ran(&fixture(Path::new(plugin), &[])).unwrap_or_else(|error| error.to_string()));
    true
}

/// Returns the images of the kernel, its results for 21, and the number of built programs, before and after another
/// image is registered and removed.
fn ran(fixture: &Fixture) -> Result<String> {
    let code = include_bytes!("../images/device_library_user.spv");
    // SAFETY: the code is valid.
    unsafe { fixture.registry.add_spirv("user", code, None) }?;
    let images = fixture.kernel("uses_library")?.image_names();
    let results = [fixture.once("uses_library", 21)?, {
        let other = add(&fixture.registry, load(&default_folder(), "dg_basic"))?;
        fixture.registry.remove(other);
        fixture.once("uses_library", 21)?
    }];
    Ok(format!("{images:?} {results:?} {}", fixture.runtime.caches().store().stats().builds))
}

/// Returns the output of a child whose library path starts with this folder.
fn in_child(plugin: &Path, folder: &Path) -> String {
    let path = std::env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.arg(CHILD).arg(plugin).env("LD_LIBRARY_PATH", format!("{}:{path}", folder.display()));
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// One library needs another. A third is not needed.
fn functions_come_from_files_beside_libsycl(plugin: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let files: [(&str, &[u8]); 3] = [
        ("libsycl-fallback-cmath.spv", include_bytes!("../images/device_library_outer.spv")),
        ("libsycl-fallback-cstring.spv", include_bytes!("../images/device_library_inner.spv")),
        ("libsycl-fallback-complex.spv", include_bytes!("../images/variable_library.spv")),
    ];
    for (name, code) in files {
        std::fs::write(folder.path().join(name), code).unwrap();
    }
    // Twice 21, plus 1.
    let wanted = "[\"user\", \"libsycl-fallback-cmath.spv\", \"libsycl-fallback-cstring.spv\"] [43, 43] 1";
    assert_eq!(in_child(plugin, folder.path()), wanted);
}

fn without_the_files_the_error_says_what_is_missing(plugin: &Path) {
    let folder = tempfile::tempdir().unwrap();
    // A file with another function makes the folder a library folder.
    for inner in [None, Some(include_bytes!("../images/device_library_inner.spv"))] {
        if let Some(inner) = inner {
            std::fs::write(folder.path().join("libsycl-fallback-cstring.spv"), inner).unwrap();
        }
        let error = in_child(plugin, folder.path());
        let last = error.lines().last().unwrap();
        let start = "Image user needs __devicelib_double_and_one of libsycl-fallback-cmath*.spv or \
                     libsycl-fallback-complex*.spv, unless the device's compiler has that function: ";
        assert!(last.starts_with(start), "{error}");
        let end = match inner {
            Some(_) => format!("{} has no such function", folder.path().display()),
            None => "pip install intel-sycl-rt, and set LD_LIBRARY_PATH to the folder of its libsycl.so"
                .to_owned(),
        };
        assert!(last.ends_with(&end), "{error}");
    }
}

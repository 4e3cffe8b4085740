//! Tests of wrapped images in programs with a stock libsycl, which lists their kernels, and dumps exactly the wrapped
//! bytes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fixture::{entries, of_table};
use crate::{Test, tools};

/// One release each of libsycl.so.5, libsycl.so.6 and libsycl.so.7.
const RELEASES: [&str; 3] = ["2022.2.1", "2023.2.4", "2024.2.2"];

pub(crate) fn all() -> Vec<Test> {
    let listed = std::env::var_os("PI_TEST_LIBSYCL");
    let folders: Vec<(String, PathBuf)> = match &listed {
        Some(list) => std::env::split_paths(list).map(|folder| (name(&folder), folder)).collect(),
        None => RELEASES.map(|release| (release.into(), environments().join(release).join("lib"))).into(),
    };
    let tests = folders.into_iter().map(|(name, folder)| {
        let library = library(&folder);
        let reason = || Some(format!("there is no libsycl in {}", folder.display()));
        let skip = if library.is_none() { reason() } else { tools::lacking(&[tools::pi()], &["c++"]) };
        let run = move || registers(&folder, library.as_deref().unwrap());
        Test::new(&format!("libsycl::registers_with_{name}"), run, skip)
    });
    tests.collect()
}

/// Returns the folder in which `cargo xtask` installs releases.
fn environments() -> PathBuf {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    cache.unwrap_or_default().join("sycl-pi/environments")
}

fn name(folder: &Path) -> String {
    let mut parts = folder.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.rfind(|part| part.starts_with("20")).unwrap_or_else(|| "stock".into())
}

fn library(folder: &Path) -> Option<PathBuf> {
    ["libsycl.so.7", "libsycl.so.6", "libsycl.so.5"]
        .map(|file| folder.join(file))
        .into_iter()
        .find(|file| file.exists())
}

fn registers(folder: &Path, library: &Path) {
    let work = tempfile::tempdir().unwrap();
    let [table, object, program] = ["m.table", "images.o", "program"].map(|name| work.path().join(name));
    tools::image_tool(&[&"split", &tools::image("multi_off.spv"), &"-o", &table, &"--mode", &"per_kernel"]);
    tools::image_tool(&[&"wrap", &table, &"-o", &object]);
    let mut link = Command::new("c++");
    link.args(["-std=c++17", "-Wall", "-Werror"]).arg(tools::own("programs/kernel_ids.cpp")).arg(&object);
    if library.ends_with("libsycl.so.5") {
        link.arg("-DOLD_NAMESPACE");
    }
    link.arg(library).arg("-Wl,--allow-shlib-undefined").arg("-o").arg(&program);
    tools::output(&mut link);
    let mut run = Command::new(&program);
    run.current_dir(work.path()).env("LD_LIBRARY_PATH", folder).env("SYCL_DUMP_IMAGES", "1");
    let listed: BTreeSet<String> = tools::output(&mut run).lines().map(str::to_owned).collect();

    let images = of_table(&table);
    let kernels: BTreeSet<String> =
        images.iter().flat_map(|image| entries(&image.bytes)).map(|entry| entry.name).collect();
    assert_eq!(kernels.len(), 6);
    assert_eq!(listed, kernels, "libsycl's own list of kernels");

    let files = std::fs::read_dir(work.path()).unwrap().map(|file| file.unwrap().path());
    let is_dump = |file: &PathBuf| {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("sycl_spir64") && name.ends_with(".spv")
    };
    let dumped: BTreeSet<Vec<u8>> = files.filter(is_dump).map(|file| std::fs::read(file).unwrap()).collect();
    let wrapped: BTreeSet<Vec<u8>> = images.iter().map(|image| image.bytes.to_vec()).collect();
    assert!(
        dumped == wrapped,
        "SYCL_DUMP_IMAGES wrote {} files, {} were wrapped",
        dumped.len(),
        wrapped.len()
    );
}

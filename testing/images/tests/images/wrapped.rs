//! Tests of wrapped images in C++ programs, linked with libpi_runtime.so by an ordinary linker.

use std::path::Path;
use std::process::Command;

use crate::fixture::no_device;
use crate::{Test, tools};

pub(crate) fn all() -> Vec<Test> {
    let skip = no_device().or_else(|| tools::lacking(&[tools::runtime()], &["c++"]));
    vec![
        Test::new("wrapped::runs_in_a_program", runs_in_a_program, skip.clone()),
        Test::new("wrapped::comes_and_goes_with_a_library", comes_and_goes_with_a_library, skip),
    ]
}

/// Links a program with these additional objects.
fn program(folder: &Path, objects: &[&Path]) -> std::path::PathBuf {
    let program = folder.join("program");
    let runtime = tools::runtime();
    let place = runtime.parent().unwrap();
    let mut link = Command::new("c++");
    link.args(["-std=c++17", "-Wall", "-Werror", "-I"]).arg(tools::root().join("include/pi"));
    link.arg(tools::own("programs/wrapped.cpp")).args(objects).arg("-o").arg(&program);
    link.arg("-L").arg(place).args(["-lpi_runtime", "-ldl"]).arg(format!("-Wl,-rpath,{}", place.display()));
    tools::output(&mut link);
    program
}

fn runs_in_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let [table, object] = ["m.table", "images.o"].map(|name| folder.path().join(name));
    tools::image_tool(&[&"split", &tools::image("multi_off.spv"), &"-o", &table, &"--mode", &"per_kernel"]);
    tools::image_tool(&[&"wrap", &table, &"-o", &object]);
    let program = program(folder.path(), &[&object]);
    let text = tools::output(Command::new(program).arg(tools::plugin()));
    assert_eq!(text, "KScale 7.5\nKAddOne 42\nKDouble 1.5\n");
}

/// Tests a chain over three images in a library that is loaded and unloaded.
fn comes_and_goes_with_a_library() {
    let folder = tempfile::tempdir().unwrap();
    let [object, library] = ["images.o", "images.so"].map(|name| folder.path().join(name));
    let images = ["dl_a.spv", "dl_b.spv", "dl_c.spv"].map(tools::image);
    tools::image_tool(&[&"wrap", &images[0], &images[1], &images[2], &"-o", &object]);
    let place = tools::runtime().parent().unwrap().to_owned();
    let mut link = Command::new("c++");
    link.arg("-shared").arg(&object).arg("-o").arg(&library).arg("-L").arg(&place).arg("-lpi_runtime");
    tools::output(&mut link);
    let program = program(folder.path(), &[]);
    let text = tools::output(Command::new(program).arg(tools::plugin()).arg(&library).arg("_ZTS3DlA"));
    assert_eq!(text, "loaded 71\nunloaded not found\n");
}

//! Validates every module that the tools write. The validator must accept it if it accepts the original.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Test, tools};

pub(crate) fn all() -> Vec<Test> {
    vec![Test::new(
        "valid::every_module_written",
        every_module_written,
        tools::lacking(&[tools::pi()], &["spirv-val"]),
    )]
}

/// Returns what the validator reports about a module.
fn complaint(file: &Path) -> Option<String> {
    let finished = tools::run(Command::new("spirv-val").args(["--target-env", "spv1.4"]).arg(file));
    (!finished.end.is_success()).then(|| tools::both(&finished))
}

fn every_module_written() {
    let folder = tempfile::tempdir().unwrap();
    let files = std::fs::read_dir(tools::image("")).unwrap().map(|file| file.unwrap().path());
    let images: Vec<PathBuf> = files.filter(|file| file.extension() == Some(OsStr::new("spv"))).collect();
    assert_eq!(images.len(), 81);
    let (mut checked, mut unknown) = (0, Vec::new());
    for image in images {
        let name = image.file_stem().unwrap().to_string_lossy().into_owned();
        let work = folder.path().join(&name);
        std::fs::create_dir(&work).unwrap();
        let out = |name: &str| work.join(name);
        let (per_kernel, off) = (out("per_kernel.table"), out("off.table"));
        let commands: [&[&dyn AsRef<OsStr>]; 5] = [
            &[&"split", &image, &"-o", &per_kernel, &"--mode", &"per_kernel", &"--dependencies"],
            &[&"split", &image, &"-o", &off, &"--mode", &"off"],
            &[&"link", &image, &"--allow-missing", &"-o", &out("linked.spv")],
            &[&"specialize", &image, &"--all", &"-o", &out("fixed.spv")],
            &[&"emulate", &image, &"-o", &out("emulated.spv")],
        ];
        for words in commands {
            let mut command = Command::new(tools::pi());
            command.arg("image").args(words.iter().map(|word| word.as_ref()));
            let finished = tools::run(&mut command);
            let text = tools::both(&finished);
            // The only refusal: a variable of an image cannot be in two images.
            assert!(finished.end.is_success() || text.contains("device_image_scope"), "{command:?}: {text}");
        }
        if complaint(&image).is_some() {
            unknown.push(name);
            continue;
        }
        for file in std::fs::read_dir(&work).unwrap().map(|file| file.unwrap().path()) {
            if file.extension() == Some(OsStr::new("spv")) {
                checked += 1;
                let complaint = complaint(&file);
                assert_eq!(complaint, None, "{}", file.display());
            }
        }
    }
    // The compiler's own modules that the validator refuses, because it does not know their capabilities.
    eprintln!(
        "{checked} modules are valid; what is made of {} was not judged: {}",
        unknown.len(),
        unknown.join(" ")
    );
    assert!(checked > 200, "{checked}");
}

//! The OpenCL loader, the files that name OpenCL drivers, and the other backends' drivers.

use std::fs;
use std::path::{Path, PathBuf};

use sycl_pi_loader::Environment;
use sycl_pi_nvvm_compiler::{NvvmError, NvvmLibrary, worker_program};

use super::finding::Finding;
use super::libraries::find;
use crate::install::Seen;
use crate::regular;

const INSTALL: &str = "install a driver: pip install intel-opencl-rt (Intel's CPU runtime, takes SPIR-V), \
                       intel-opencl-icd (Intel's GPUs), or another vendor's";

/// A driver library, and the file that names it.
struct Named {
    by: String,
    library: PathBuf,
}

pub fn check(environment: &Environment, folders: &[PathBuf], findings: &mut Vec<Finding>) {
    match find(folders, &["libOpenCL.so.1", "libOpenCL.so"]) {
        Some(file) => findings.push(Finding::ok(format!("OpenCL loader: {}", file.display()))),
        None => findings.push(
            Finding::error("There is no OpenCL loader (libOpenCL.so.1)")
                .why("without it, the OpenCL plugin has no platform")
                .fix("install it (Debian: ocl-icd-libopencl1; pip install intel-opencl-rt brings one), or add its \
                        folder to LD_LIBRARY_PATH"),
        ),
    }
    opencl(environment, folders, findings);
    for (names, what, to_do) in [
        (["libze_loader.so.1", "libze_loader.so"], "Level Zero loader", "Debian: libze1"),
        (["libcuda.so.1", "libcuda.so"], "CUDA driver", "it comes with NVIDIA's driver"),
    ] {
        findings.push(match find(folders, &names) {
            Some(file) => Finding::ok(format!("{what}: {}", file.display())),
            None => Finding::info(format!("No {what} here ({to_do}); it is needed for that backend only")),
        });
    }
    if find(folders, &["libcuda.so.1"]).is_some() {
        findings.push(libnvvm(NvvmLibrary::find(), worker_program()));
    }
}

/// What compiles SPIR-V for NVIDIA's GPUs.
fn libnvvm(library: Result<NvvmLibrary, NvvmError>, program: Result<PathBuf, NvvmError>) -> Finding {
    match (library, program) {
        (Ok(library), Ok(program)) => Finding::ok(format!(
            "SPIR-V for NVIDIA GPUs: {}, run by {}",
            library.libnvvm.display(),
            program.display()
        )),
        (library, program) => {
            let missing = library.err().or(program.err()).map(|error| error.to_string());
            Finding::info("The CUDA plugin takes no SPIR-V here, only images compiled for NVIDIA GPUs")
                .why(missing.unwrap_or_default())
                .fix("pip install nvidia-cuda-nvcc-cu12; pi-nvvm belongs beside the plugin")
        }
    }
}

fn opencl(environment: &Environment, folders: &[PathBuf], findings: &mut Vec<Finding>) {
    let mut named = Vec::new();
    for library in environment.paths("OCL_ICD_FILENAMES") {
        named.push(Named { by: "OCL_ICD_FILENAMES".into(), library });
    }
    let vendors = environment.text("OCL_ICD_VENDORS").map(PathBuf::from);
    let place = vendors.clone().unwrap_or_else(|| "/etc/OpenCL/vendors".into());
    if vendors.is_some() && !place.exists() {
        findings.push(
            Finding::warning(format!("OCL_ICD_VENDORS is {}, which does not exist", place.display()))
                .why("the drivers of the system are not seen then; only OCL_ICD_FILENAMES counts")
                .fix("unset it, or name an existing folder of .icd files"),
        );
    }
    for file in icd_files(&place) {
        match first_line(&file) {
            Some(library) => named.push(Named { by: file.display().to_string(), library: library.into() }),
            None => findings.push(
                Finding::warning(format!("{} names no driver", file.display()))
                    .fix("remove the file, or install its package again"),
            ),
        }
    }
    let mut usable = 0;
    for Named { by, library } in named {
        let bare = is_bare_name(&library);
        let found = if bare { find(folders, &[&library.to_string_lossy()]) } else { Some(library.clone()) };
        if let Some(file) = found.filter(|file| file.exists()) {
            usable += 1;
            findings.push(Finding::ok(format!("OpenCL driver: {} (named by {by})", file.display())));
            continue;
        }
        findings.push(
            Finding::warning(format!("{by} names {}, which is not there", library.display()))
                .why("the OpenCL loader skips it silently, and its devices are missing")
                .fix(if bare {
                    format!(
                        "add the folder of {} to LD_LIBRARY_PATH, or install the driver again",
                        library.display()
                    )
                } else {
                    "install the driver again, or remove its name".into()
                }),
        );
    }
    if usable == 0 {
        let finding = Finding::error("There is no OpenCL driver")
            .why(format!("neither OCL_ICD_FILENAMES nor {} names one that exists", place.display()));
        findings.push(finding.fix(intel_runtime(environment, folders).unwrap_or_else(|| INSTALL.into())));
    }
}

/// What makes Intel's CPU runtime known, if it lies in the active environment or in one of the folders. A wheel brings the driver, but
/// nothing reads the .icd file that a virtual environment gets with it.
pub(super) fn intel_runtime(environment: &Environment, folders: &[PathBuf]) -> Option<String> {
    let active = Seen::from(environment).active;
    let all: Vec<PathBuf> =
        active.into_iter().map(|root| root.join("lib")).chain(folders.iter().cloned()).collect();
    let file = find(&all, &["libintelocl.so"])?;
    Some(format!("Intel's CPU runtime is there: export OCL_ICD_FILENAMES={}", file.display()))
}

fn is_bare_name(library: &Path) -> bool {
    library.components().count() == 1 && library.is_relative()
}

/// OCL_ICD_VENDORS is a folder of `.icd` files, or one such file.
fn icd_files(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_path_buf()];
    }
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "icd"));
    files.sort();
    files
}

fn first_line(file: &Path) -> Option<String> {
    let text = regular::text(file).ok()?;
    text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Severity;

    fn found(pairs: &[(&str, &str)]) -> Vec<(Severity, String)> {
        let mut findings = Vec::new();
        opencl(&Environment::from_pairs(pairs.iter().copied()), &[], &mut findings);
        findings.into_iter().map(|finding| (finding.severity, finding.what)).collect()
    }

    #[test]
    fn what_spirv_lacks_on_nvidia_is_told() {
        let library = NvvmLibrary { libnvvm: "/a/libnvvm.so".into(), libdevice: "/a/libdevice.10.bc".into() };
        let good = libnvvm(Ok(library.clone()), Ok("/a/pi-nvvm".into()));
        assert_eq!(good.severity, Severity::Ok);
        assert!(good.what.contains("/a/libnvvm.so") && good.what.contains("/a/pi-nvvm"), "{}", good.what);
        let no_program = libnvvm(Ok(library), Err(NvvmError::NoProgram { tried: "it is nowhere".into() }));
        assert!(no_program.why.unwrap().contains("it is nowhere"));
        let nothing = libnvvm(Err(NvvmError::NoLibrary { tried: String::new() }), Ok("/a/pi-nvvm".into()));
        assert!(nothing.to_do.unwrap().contains("pip install nvidia-cuda-nvcc-cu12"));
    }

    #[test]
    fn a_driver_that_is_not_there_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let vendors = [("OCL_ICD_VENDORS", folder.path().to_str().unwrap())];
        assert_eq!(found(&vendors), [(Severity::Error, "There is no OpenCL driver".into())]);

        let active = tempfile::tempdir().unwrap();
        let driver = active.path().join("lib/libintelocl.so");
        fs::create_dir_all(driver.parent().unwrap()).unwrap();
        fs::write(&driver, "").unwrap();
        let pairs = [vendors[0], ("VIRTUAL_ENV", active.path().to_str().unwrap())];
        let mut findings = Vec::new();
        opencl(&Environment::from_pairs(pairs), &[], &mut findings);
        let export = format!("export OCL_ICD_FILENAMES={}", driver.display());
        assert!(findings[0].to_do.as_ref().unwrap().contains(&export));

        fs::write(path("a.icd"), "/nowhere/libgone.so\n").unwrap();
        let first = found(&vendors).remove(0);
        assert_eq!(first.0, Severity::Warning);
        assert!(first.1.contains("a.icd names /nowhere/libgone.so"), "{}", first.1);

        fs::write(path("libdriver.so"), "").unwrap();
        fs::write(path("a.icd"), path("libdriver.so")).unwrap();
        assert_eq!(found(&vendors).remove(0).0, Severity::Ok);
    }
}

//! The OpenCL library, the files that name OpenCL drivers, and the other backends' drivers.

use std::path::{Path, PathBuf};

use sycl_pi_loader::Environment;
use sycl_pi_nvvm_compiler::{NvvmError, NvvmLibrary, worker_program};

use super::finding::Finding;
use super::libraries::find;
use super::remedy;
use crate::install::with_libraries::COMPILER;
use crate::install::{Seen, nvidia};
use crate::opencl::{self, OpenClLibrary};
use crate::{probe, shell};

/// The first words of findings about a missing OpenCL library or driver.
pub(super) const NO_OPENCL: &str = "There is no OpenCL";

/// A driver library, and the place that names it.
struct Named {
    by: String,
    library: PathBuf,
}

/// The OpenCL library and drivers that were found.
pub struct OpenClFound {
    pub library: Option<OpenClLibrary>,
    /// The drivers that open.
    pub usable: Vec<PathBuf>,
}

pub fn check(
    environment: &Environment,
    seen: &Seen,
    folders: &[PathBuf],
    findings: &mut Vec<Finding>,
) -> OpenClFound {
    let library = OpenClLibrary::find(folders);
    match &library {
        Some(library) => findings
            .push(Finding::ok(format!("OpenCL library: {} ({})", library.file.display(), library.kind()))),
        None => findings.push(
            Finding::error(format!("{NO_OPENCL} library (libOpenCL.so.1)"), remedy::intel_runtime(seen))
                .why("without it, OpenCL has no platform")
                .fix("install Intel's CPU runtime, which brings one, or a package of the system (Debian: ocl-icd-libopencl1)"),
        ),
    }
    let usable = opencl(environment, seen, library.as_ref(), folders, findings);
    for (names, what, to_do) in [
        (["libze_loader.so.1", "libze_loader.so"], "Level Zero loader", "Debian: libze1"),
        (["libcuda.so.1", "libcuda.so"], "CUDA driver", "it comes with NVIDIA's driver"),
    ] {
        findings.push(match find(folders, &names) {
            Some(file) => Finding::ok(format!("{what}: {}", file.display())),
            None => Finding::info(format!("No {what} here ({to_do}); it is needed for that backend only")),
        });
    }
    // An environment that was installed for it is checked separately.
    let in_mode = seen.libsycls.iter().any(|libsycl| nvidia::is_in(&libsycl.folder));
    if !in_mode && find(folders, &["libcuda.so.1"]).is_some() {
        findings.push(libnvvm(NvvmLibrary::find(), worker_program(), &remedy::pip_install(seen)));
    }
    OpenClFound { library, usable }
}

/// Reports the compiler of SPIR-V for NVIDIA's GPUs.
fn libnvvm(
    library: Result<NvvmLibrary, NvvmError>,
    program: Result<PathBuf, NvvmError>,
    pip_install: &str,
) -> Finding {
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
                .fix("pi-nvvm belongs next to the plugin, and a package contains the compiler")
                .typed(format!("{pip_install} {COMPILER}"))
        }
    }
}

/// Opens each driver that a variable, a file or the environment names, and reports the results.
fn opencl(
    environment: &Environment,
    seen: &Seen,
    library: Option<&OpenClLibrary>,
    folders: &[PathBuf],
    findings: &mut Vec<Finding>,
) -> Vec<PathBuf> {
    let named = named(environment, seen, library, folders, findings);
    let (mut usable, mut tried) = (Vec::new(), Vec::new());
    for Named { by, library } in named {
        let bare = library.components().count() == 1 && library.is_relative();
        let found = if bare { find(folders, &[&library.to_string_lossy()]) } else { Some(library.clone()) };
        let Some(file) = found.filter(|file| file.exists()) else {
            findings.push(
                Finding::warning(format!("{by} names {}, which does not exist", library.display()))
                    .why("OpenCL libraries skip it silently, and its devices are missing")
                    .fix(if bare {
                        "add its folder to LD_LIBRARY_PATH, or install the driver again"
                    } else {
                        "install the driver again, or remove its name"
                    }),
            );
            continue;
        };
        let real = file.canonicalize().unwrap_or_else(|_| file.clone());
        if tried.contains(&real) {
            continue;
        }
        tried.push(real);
        match probe::platforms_of_driver(&file) {
            Ok(_) => {
                findings.push(Finding::ok(format!("OpenCL driver: {} (named by {by})", file.display())));
                usable.push(file);
            }
            Err(error) => findings.push(
                Finding::warning(format!("The OpenCL driver {} does not work", file.display()))
                    .why(format!("{by} names it, and: {error:#}"))
                    .fix("install that driver again, or remove its name"),
            ),
        }
    }
    if usable.is_empty() {
        let place = environment.text(opencl::VENDORS).unwrap_or_else(|| opencl::SYSTEM_VENDORS.into());
        let told = opencl::is_told(environment);
        let what = format!("{NO_OPENCL} driver");
        let environment_driver =
            in_environment(seen, folders).filter(|file| probe::platforms_of_driver(file).is_ok());
        let finding = match environment_driver {
            // The variables hide it.
            Some(_) if told => Finding::error(
                what,
                format!("unset {} {} OPENCL_VENDOR_PATH", opencl::FILENAMES, opencl::VENDORS),
            )
            .fix("Intel's CPU runtime is installed, and is found if no variable names drivers"),
            Some(file) => Finding::error(what, opencl::typed(&file, library))
                .fix("Intel's CPU runtime is installed: name it"),
            None => Finding::error(what, remedy::intel_runtime(seen))
                .fix("install Intel's CPU runtime, which takes SPIR-V, or the driver of your GPU"),
        };
        let places = format!(
            "neither {} nor {place} names one that works, and the environment has none",
            opencl::FILENAMES
        );
        findings.push(finding.why(if told {
            format!("neither {} nor {place} names one that works", opencl::FILENAMES)
        } else {
            places
        }));
    }
    usable
}

/// Returns the drivers that are named by variables, by `.icd` files, or by being in the environment.
fn named(
    environment: &Environment,
    seen: &Seen,
    library: Option<&OpenClLibrary>,
    folders: &[PathBuf],
    findings: &mut Vec<Finding>,
) -> Vec<Named> {
    let mut named = Vec::new();
    for library in environment.paths(opencl::FILENAMES) {
        named.push(Named { by: opencl::FILENAMES.into(), library });
    }
    if let (false, Some(library)) = (named.is_empty(), library.filter(|library| !library.reads_filenames)) {
        findings.push(
            Finding::info(format!("{} does not read {}", library.file.display(), opencl::FILENAMES)).why(
                "our plugins and adapters open these drivers themselves; other programs do not see them",
            ),
        );
    }
    let vendors = environment.text(opencl::VENDORS).map(PathBuf::from);
    let place = vendors.clone().unwrap_or_else(|| opencl::SYSTEM_VENDORS.into());
    if vendors.is_some() && !place.exists() {
        findings.push(
            Finding::warning(format!("{} is {}, which does not exist", opencl::VENDORS, place.display()))
                .why("the system's drivers are then not found")
                .fix("unset it, or name a folder of .icd files")
                .typed(format!("unset {}", opencl::VENDORS)),
        );
    }
    for file in opencl::icd_files(&place) {
        match opencl::first_line(&file) {
            Some(library) => named.push(Named { by: file.display().to_string(), library: library.into() }),
            None => findings.push(
                Finding::warning(format!("{} names no driver", file.display()))
                    .fix("remove the file, or install its package again")
                    .typed(format!("rm {}", shell::path(&file))),
            ),
        }
    }
    if let (false, Some(library)) = (opencl::is_told(environment), in_environment(seen, folders)) {
        named.push(Named { by: "its place in the environment".into(), library });
    }
    named
}

/// Returns Intel's CPU runtime in the active environment, or in one of the folders. A wheel contains the driver,
/// but nothing reads the .icd file that it installs in a virtual environment.
pub(super) fn in_environment(seen: &Seen, folders: &[PathBuf]) -> Option<PathBuf> {
    let active = seen.active.iter().map(|root| root.join("lib"));
    let libsycls = seen.libsycls.iter().map(|libsycl| libsycl.folder.clone());
    let all: Vec<PathBuf> = active.chain(libsycls).chain(folders.iter().cloned()).collect();
    find(&all, &[opencl::INTEL_DRIVER])
}

/// Returns whether a path is in a folder of libraries of the environment.
pub(super) fn is_in_environment(seen: &Seen, file: &Path) -> bool {
    seen.active.iter().any(|root| file.starts_with(root))
        || seen.libsycls.iter().any(|libsycl| file.starts_with(&libsycl.folder))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::doctor::finding::Severity;

    #[test]
    fn what_spirv_lacks_on_nvidia_is_told() {
        let library = NvvmLibrary { libnvvm: "/a/libnvvm.so".into(), libdevice: "/a/libdevice.10.bc".into() };
        let good = libnvvm(Ok(library.clone()), Ok("/a/pi-nvvm".into()), "pip install");
        assert_eq!(good.severity, Severity::Ok);
        assert!(good.what.contains("/a/libnvvm.so") && good.what.contains("/a/pi-nvvm"), "{}", good.what);
        let no_program =
            libnvvm(Ok(library), Err(NvvmError::NoProgram { tried: "it is nowhere".into() }), "pip install");
        assert!(no_program.why.unwrap().contains("it is nowhere"));
        let nothing = libnvvm(
            Err(NvvmError::NoLibrary { tried: String::new() }),
            Ok("/a/pi-nvvm".into()),
            "/v/bin/python -m pip install",
        );
        assert!(nothing.command.unwrap().contains("/v/bin/python -m pip install nvidia-cuda-nvcc-cu12"));
    }

    #[test]
    fn what_names_drivers_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let vendors = [(opencl::VENDORS, folder.path().to_str().unwrap())];
        let seen = Seen { active: vec![], libsycls: vec![] };
        let of = |pairs: &[(&str, &str)], library: Option<&OpenClLibrary>| {
            let mut findings = Vec::new();
            let environment = Environment::from_pairs(pairs.iter().copied());
            let named = named(&environment, &seen, library, &[], &mut findings);
            (named.into_iter().map(|one| one.library).collect::<Vec<_>>(), findings)
        };
        assert!(of(&vendors, None).0.is_empty());
        fs::write(path("a.icd"), "/nowhere/libgone.so\n").unwrap();
        fs::write(path("b.icd"), "\n").unwrap();
        let (named, findings) = of(&vendors, None);
        assert_eq!(named, [PathBuf::from("/nowhere/libgone.so")]);
        assert!(findings[0].what.contains("b.icd names no driver"), "{}", findings[0].what);
        let nowhere = of(&[(opencl::VENDORS, "/no/such/folder")], None).1;
        assert_eq!(nowhere[0].command.as_deref(), Some("unset OCL_ICD_VENDORS"));
        // ocl-icd reads one variable fewer.
        let ocl_icd = OpenClLibrary { file: "/l/libOpenCL.so.1".into(), reads_filenames: false };
        let pairs = [(opencl::FILENAMES, "/x/libdriver.so"), (opencl::VENDORS, "/no/such/folder")];
        let (named, findings) = of(&pairs, Some(&ocl_icd));
        assert_eq!(named, [PathBuf::from("/x/libdriver.so")]);
        assert_eq!(findings[0].what, "/l/libOpenCL.so.1 does not read OCL_ICD_FILENAMES");
    }
}

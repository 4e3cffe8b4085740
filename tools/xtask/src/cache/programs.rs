//! The same 20 images for both sides, and the two programs that get their kernels ready.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;
use crate::provision::environment::Environment;
use crate::provision::python;
use crate::release;
use crate::workspace;

/// Committed images of DPC++ with one kernel each, which every CPU runs and which need no other image.
const IMAGES: [&str; 20] = [
    "feat_fp64",
    "feat_sg.0",
    "feat_sg.1",
    "feat_wg.3",
    "misc_cmath",
    "misc_local",
    "misc_math",
    "misc_scratch",
    "misc_static_local",
    "misc_subgroup",
    "multi_perkernel.0",
    "multi_perkernel.1",
    "multi_perkernel.2",
    "multi_perkernel.3",
    "multi_perkernel.4",
    "multi_perkernel.5",
    "spec_array",
    "spec_one",
    "spec_scalar",
    "spec_zero",
];

const OURS: &str = include_str!("../../cache/ours.c");
const STOCK: &str = include_str!("../../cache/stock.cpp");
const CLOCK: &str = include_str!("../../cache/clock.h");

/// What the programs need: a library that registers the images, and the kernels' names.
#[derive(Debug)]
pub(super) struct Programs {
    folder: PathBuf,
    pub(super) kernels: Vec<String>,
}

impl Programs {
    /// Builds the runtime, the plugin and the `pi` tool, wraps the images, and compiles our side's program.
    pub(super) fn build() -> Result<Self> {
        if !process::succeeds(Command::new("c++").arg("--version")) {
            python::install_debian_packages(&["gcc", "g++", "libc6-dev"])?;
        }
        release::build(&["pi_runtime", "pi_opencl", "pi"])?;
        let folder = workspace::target().join("cache-programs");
        fs::create_dir_all(&folder)?;
        for (name, text) in [("ours.c", OURS), ("stock.cpp", STOCK), ("clock.h", CLOCK)] {
            fs::write(folder.join(name), text)?;
        }
        let sources = workspace::root().join("runtime/image/tests/images");
        let files = IMAGES.map(|image| sources.join(format!("{image}.spv")));
        let release = workspace::target().join("release");
        let object = folder.join("images.o");
        process::output(
            Command::new(release.join("pi")).args(["image", "wrap", "--output"]).arg(&object).args(&files),
        )?;
        let programs = Self { kernels: kernels(&sources)?, folder };
        process::output(Command::new("cc").arg("-shared").arg("-o").arg(programs.images()).arg(&object))?;
        let runtime = release.join("libpi_runtime.so");
        let mut cc = Command::new("cc");
        cc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O2", "-I"]);
        cc.arg(workspace::root().join("include/pi")).arg(programs.folder.join("ours.c"));
        cc.arg(&runtime).arg("-ldl").arg(format!("-Wl,-rpath,{}", release.display()));
        // As every SYCL program, the stock side's too: else the driver loads it, and reads on past it in each of the many
        // times that it looks itself up in the process's mappings.
        cc.args(["-Wl,--no-as-needed", "-lstdc++"]);
        process::output(cc.arg("-o").arg(programs.ours()))?;
        Ok(programs)
    }

    /// The library that registers the images with whatever runtime is there.
    pub(super) fn images(&self) -> PathBuf {
        self.folder.join("images.so")
    }

    /// Our side's program.
    pub(super) fn ours(&self) -> PathBuf {
        self.folder.join("ours")
    }

    /// The stock side's program for a release's libsycl.
    pub(super) fn stock(&self, release: &str, environment: &Environment) -> Result<PathBuf> {
        let program = self.folder.join(format!("stock-{release}"));
        let mut cxx = Command::new("c++");
        cxx.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-O2"]).arg(self.folder.join("stock.cpp"));
        cxx.arg(library(&environment.lib(), "libsycl.so.")?);
        cxx.arg(library(&environment.site_packages().join("dpctl"), "libDPCTLSyclInterface.so.0")?);
        cxx.args(["-ldl", "-Wl,--unresolved-symbols=ignore-in-shared-libs", "-o"]).arg(&program);
        process::output(&mut cxx).context("the program for the stock libsycl does not compile")?;
        Ok(program)
    }
}

/// The library with the shortest name that starts so.
fn library(folder: &Path, start: &str) -> Result<PathBuf> {
    let names = fs::read_dir(folder)?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let found = names.filter(|name| name.starts_with(start)).min_by_key(String::len);
    match found {
        Some(name) => Ok(folder.join(name)),
        None => bail!("{} has no {start}", folder.display()),
    }
}

/// The names of the images' kernels, as their property sets list them.
fn kernels(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for image in IMAGES {
        let text = fs::read_to_string(folder.join(format!("{image}.props.json")))?;
        let document: serde_json::Value = serde_json::from_str(&text)?;
        let sets = document["property_sets"].as_array().context(image)?;
        let set = sets.iter().find(|set| set["name"] == "SYCL/kernel names").context(image)?;
        let listed = set["properties"].as_array().context(image)?;
        names.extend(listed.iter().filter_map(|property| property["name"].as_str()).map(str::to_owned));
    }
    Ok(names)
}

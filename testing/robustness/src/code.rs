//! The kernels of `testing/kernels/basic.cl` in the form that a plugin's driver accepts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::null_mut;

use anyhow::{Context, Result, bail};
use sycl_pi_core::*;
use sycl_pi_loader::{Backend, Plugin};

/// A form of device code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// SPIR-V, through `piProgramCreate`.
    Spirv,
    /// OpenCL C, through `piclProgramCreateWithSource`.
    Source,
    /// An image, through `piProgramCreateWithBinary`.
    Image,
}

impl Kind {
    /// Returns the name that the programs in `programs/` use.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Spirv => "spirv",
            Kind::Source => "source",
            Kind::Image => "image",
        }
    }
}

/// Device code in a file.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) kind: Kind,
    pub(crate) file: PathBuf,
    pub(crate) bytes: Vec<u8>,
    /// The folder in which the image was built, if it was.
    _folder: Option<tempfile::TempDir>,
}

const KERNELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels");

impl Code {
    /// Returns code in the form that the plugin's first device accepts.
    pub(crate) fn of(plugin: &Path, image: Option<PathBuf>) -> Result<Self> {
        let backend = Backend::of_file(plugin).context("the file's name tells no backend")?;
        let kernels = Path::new(KERNELS);
        let (kind, file, folder) = match (backend, image) {
            (Backend::Cuda, Some(image)) => (Kind::Image, image, None),
            (Backend::Cuda, None) => {
                let folder = tempfile::tempdir()?;
                let image = folder.path().join("basic.so");
                compile(
                    Command::new("cc")
                        .args(["-O1", "-fPIC", "-shared", "-o"])
                        .arg(&image)
                        .arg(kernels.join("cuda/basic.c")),
                )?;
                (Kind::Image, image, Some(folder))
            }
            _ if takes_spirv(plugin)? => (Kind::Spirv, kernels.join("basic.spv"), None),
            _ => (Kind::Source, kernels.join("basic.cl"), None),
        };
        let mut bytes = fs::read(&file).with_context(|| file.display().to_string())?;
        if kind != Kind::Spirv {
            bytes.push(0);
        }
        Ok(Self { kind, file, bytes, _folder: folder })
    }
}

/// Runs a compiler. The error contains its output.
pub(crate) fn compile(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Queries the first device in this process.
fn takes_spirv(plugin: &Path) -> Result<bool> {
    // SAFETY: the file is the plugin under test, which the caller trusts.
    let pi = &Box::leak(Box::new(unsafe { Plugin::open(plugin) }?)).table();
    let (mut platform, mut device, mut count): (pi_platform, pi_device, _) = (null_mut(), null_mut(), 0);
    // SAFETY: room for one handle each, and for the count.
    unsafe {
        pi.piPlatformsGet(1, &mut platform, &mut count)?;
        if count == 0 {
            bail!("the plugin finds no platform: install or name its driver");
        }
        pi.piDevicesGet(platform, PI_DEVICE_TYPE_ALL, 1, &mut device, &mut count)?;
    }
    let mut text = vec![0_u8; 1 << 16];
    let mut says = |name, word: &str| {
        let (size, room, mut reported) = (text.len(), text.as_mut_ptr().cast(), 0);
        // SAFETY: a buffer of that size.
        let asked = unsafe { pi.piDeviceGetInfo(device, name, size, room, &mut reported) };
        asked.is_ok() && String::from_utf8_lossy(&text[..reported.min(size)]).contains(word)
    };
    let takes =
        says(PI_DEVICE_INFO_IL_VERSION, "SPIR-V") || says(PI_DEVICE_INFO_EXTENSIONS, "cl_khr_il_program");
    // This was a runtime, too, and the scenarios count them.
    let flag: &'static mut u64 = Box::leak(Box::new(0));
    // SAFETY: the flag is never freed.
    unsafe { pi.piTearDown(std::ptr::from_mut(flag).cast())? };
    Ok(takes)
}

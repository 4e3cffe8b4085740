//! Compiled programs on disk, so that the next process need not compile them again, as NVIDIA's own driver does with
//! PTX.
//!
//! The store is that of the runtime, with its folder, limits and trust rules (`docs/guide/cache.md`).

use std::ffi::CStr;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, Result};
use sycl_pi_cache::store::{Built, DeviceIdentity, KeyRefs};
use sycl_pi_cache::{Config, Store, StoreKey};
use sycl_pi_nvvm::Variant;
use sycl_pi_nvvm_compiler::{NvvmCompiler, NvvmTarget};

use super::compile::{TranslatedSpirv, failure, target};
use super::container::CompiledSpirv;
use super::framing::VERSION;
use super::source::SpirvSource;
use crate::device::device_object::Device;
use crate::platform::platform;
use crate::program::program_binary::ProgramBinary;

/// The extent of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Kernels are compiled one by one when they are created, if the program allows it.
    AsNeeded,
    /// All kernels together.
    Whole,
}

impl CompiledSpirv {
    /// Loads the program from disk, or translates and compiles it now. A program compiled without optimization is not
    /// stored.
    pub(crate) fn load_program(
        source: &SpirvSource,
        device: &Device,
        options: &CStr,
        extent: Extent,
    ) -> Result<Self> {
        // The key includes the modules with their constants.
        let key = key(device, &source.write(options), options, &format!("{extent:?}"))?;
        let capability = device.capability();
        let open = |bytes: &[u8]| Self::read(bytes, capability);
        let build = || {
            let target = target(device)?;
            let translated = TranslatedSpirv::new(source, &target, options, None)?;
            if extent == Extent::AsNeeded && translated.is_for_one_by_one() {
                return built(translated.without_code(&target, capability));
            }
            built(translated.compile(&target, capability)?)
        };
        store().load_or_build(&key, open, build).map(|(program, _)| program)
    }

    /// Loads one kernel of a program from disk, or compiles it alone now. It is always translated,
    /// because the code is stored by its NVVM IR. Programs with the same kernel thus share it, and no entry contains
    /// the SPIR-V of a whole program.
    pub(crate) fn load_kernel(
        source: &SpirvSource,
        device: &Device,
        options: &CStr,
        target: &NvvmTarget,
        variant: &Variant,
    ) -> Result<Self> {
        let translated = TranslatedSpirv::new(source, target, options, Some(variant))?;
        let how = format!("{target:?} {:?}", translated.nvvm);
        let key = key(device, translated.ir.as_bytes(), c"", &how)?;
        let capability = device.capability();
        // Another program may have stored the same code under another kernel's name. The facts are those of this program.
        let facts = translated.facts.clone();
        let open = |bytes: &[u8]| {
            let mut kept = Self::read(bytes, capability)?;
            kept.header.facts = facts.clone();
            Ok(kept)
        };
        let build = || built(translated.compile(target, capability)?);
        store().load_or_build(&key, open, build).map(|(kernel, _)| kernel)
    }
}

/// Returns the data of a program to store on disk.
fn built(made: CompiledSpirv) -> Result<Built<CompiledSpirv>> {
    let code = made.binary.as_ref().map_or(&[][..], ProgramBinary::bytes);
    let binary = made.is_final.then(|| made.write(&[], code));
    let kernels = made.header.facts.kernels.iter().map(|kernel| kernel.name.clone()).collect();
    Ok::<_, Error>(Built { value: made, binary, kernels })
}

fn store() -> &'static Store {
    static STORE: OnceLock<Store> = OnceLock::new();
    // A background thread could be too late, because a plugin is not notified when the process ends.
    STORE.get_or_init(|| Store::open(&Config::from_env().with_background(false)))
}

/// Returns a key of everything that the code of a program depends on: SPIR-V or NVVM IR, and how it is compiled.
fn key(device: &Device, program: &[u8], options: &CStr, how: &str) -> Result<StoreKey> {
    let compiler = NvvmCompiler::of_process().map_err(failure)?;
    let own = sycl_pi_dynload::own_file();
    let identity = DeviceIdentity {
        platform: "SPIR-V on NVIDIA GPUs".to_owned(),
        name: format!("compute capability {}", device.capability()),
        driver: platform()?.driver_version.to_string(),
        plugin: format!("{VERSION} {}", own.as_deref().map(file_identity).unwrap_or_default()),
        runtime: [&*compiler.library().libnvvm, &*compiler.library().libdevice, compiler.program()]
            .map(file_identity)
            .join("; "),
        ..DeviceIdentity::default()
    };
    let key = StoreKey::from_parts(KeyRefs {
        device: &identity,
        images: vec![program],
        spec_constants: &[],
        compile_options: &options.to_string_lossy(),
        // The key has no field for this.
        link_options: how,
    });
    key.map_err(|_| {
        Error::new(ErrorCode::OUT_OF_HOST_MEMORY, "the process gets no memory for the key of a program")
    })
}

/// Returns the identity of a file, which changes when the file is replaced or modified.
fn file_identity(file: &Path) -> String {
    let Ok(found) = std::fs::metadata(file) else { return file.display().to_string() };
    let since = found.modified().ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let since = since.unwrap_or_default();
    format!("{}, {} bytes of {}.{:09}", file.display(), found.len(), since.as_secs(), since.subsec_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_changes_is_another() {
        let file = std::env::temp_dir().join(format!("pi-cuda-identity-{}", std::process::id()));
        let missing = file_identity(&file);
        let identities = ["one", "three"].map(|content| {
            std::fs::write(&file, content).unwrap();
            assert_eq!(file_identity(&file), file_identity(&file));
            file_identity(&file)
        });
        std::fs::remove_file(&file).unwrap();
        assert_ne!(identities[0], identities[1]);
        assert!(!identities.contains(&missing));
        assert!([&missing, &identities[0]].iter().all(|text| text.contains("pi-cuda-identity")), "{missing}");
    }
}

//! Compiled programs on disk: what was compiled once is not compiled by the next process, as with NVIDIA's own driver and PTX.
//!
//! The store is the runtime's, with its folder, limits and rules of trust (`docs/guide/cache.md`).

use std::ffi::CStr;
use std::path::Path;
use std::sync::OnceLock;
use std::time::SystemTime;

use sycl_pi_backend::{Error, Result};
use sycl_pi_cache::store::{Built, DeviceIdentity, KeyRefs};
use sycl_pi_cache::{Config, Store, StoreKey};
use sycl_pi_nvvm::Variant;
use sycl_pi_nvvm_compiler::NvvmCompiler;

use super::compile::failure;
use super::container::CompiledSpirv;
use super::framing::VERSION;
use super::source::SpirvSource;
use crate::device_object::Device;
use crate::platform::platform;

impl CompiledSpirv {
    /// The program from the disk, or compiled now. A program that was compiled without optimisation is not kept.
    /// A variant is one of its kernels alone.
    pub(crate) fn load_or_compile(
        source: &SpirvSource,
        device: &Device,
        options: &CStr,
        variant: Option<&Variant>,
    ) -> Result<Self> {
        static STORE: OnceLock<Store> = OnceLock::new();
        // A background thread could be late: nothing tells a plugin that the process ends.
        let store = STORE.get_or_init(|| Store::open(&Config::from_env().with_background(false)));
        let key = key(source, device, options, variant)?;
        let open = |bytes: &[u8]| Self::read(bytes, device.capability());
        let build = || {
            let made = Self::new(source, device, options, variant)?;
            let binary = made.is_final.then(|| made.write(&[], made.binary.bytes()));
            let kernels = made.header.facts.kernels.iter().map(|kernel| kernel.name.clone()).collect();
            Ok::<_, Error>(Built { value: made, binary, kernels })
        };
        store.load_or_build(&key, open, build).map(|(program, _)| program)
    }
}

/// All that the code depends on.
fn key(source: &SpirvSource, device: &Device, options: &CStr, variant: Option<&Variant>) -> Result<StoreKey> {
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
    // The modules with their constants.
    let program = source.write(options);
    Ok(StoreKey::from_parts(KeyRefs {
        device: &identity,
        images: vec![&program],
        spec_constants: &[],
        compile_options: &options.to_string_lossy(),
        // A link of one kernel, in a way.
        link_options: &variant.map(|variant| format!("{variant:?}")).unwrap_or_default(),
    }))
}

/// A file that is replaced or changed is another one.
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

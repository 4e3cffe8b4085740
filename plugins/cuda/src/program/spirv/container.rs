//! The binary of a compiled program, which `program_info` returns and `program_create_with_binary` accepts.

use std::ffi::CStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sycl_pi_backend::Result;
use sycl_pi_nvvm_compiler::NvvmTarget;

use super::facts::{KernelFacts, ProgramFacts};
use super::framing::{VERSION, bad, check_version, cut, join, split};
use super::source::SpirvSource;
use crate::program::program_binary::ProgramBinary;

/// The prefix of a container. It changes with the format, and with the meaning of facts.
const MAGIC: &[u8] = b"sycl-pi CUDA 3\n";

/// A program compiled from SPIR-V, or only its facts if its kernels are compiled one by one.
pub(crate) struct CompiledSpirv {
    pub(crate) header: SpirvHeader,
    /// The SPIR-V of a program that was read from its binary, for variants of its kernels.
    pub(crate) source: Option<Arc<SpirvSource>>,
    /// PTX, or a cubin of it. `None` if each kernel is compiled when it is created.
    pub(crate) binary: Option<ProgramBinary>,
    /// The compiler's warnings.
    pub(crate) log: String,
    /// Whether a cache may store the code. It must not if the code is not optimized, because it may be optimized the
    /// next time.
    pub(crate) is_final: bool,
}

/// The header before the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SpirvHeader {
    /// The translator's version.
    translator: String,
    /// libnvvm's release.
    libnvvm: String,
    /// The architecture that libnvvm compiled for, such as `compute_90`.
    arch: String,
    /// The device's compute capability, such as 90 for 9.0.
    capability: u32,
    /// Bytes of SPIR-V before the code.
    #[serde(default)]
    source: usize,
    /// Whether no code follows because each kernel is compiled when it is created.
    #[serde(default)]
    one_by_one: bool,
    pub(crate) facts: ProgramFacts,
}

impl SpirvHeader {
    pub(super) fn new(target: &NvvmTarget, capability: u32, facts: ProgramFacts, one_by_one: bool) -> Self {
        Self {
            translator: VERSION.to_owned(),
            libnvvm: target.release.clone(),
            arch: target.arch.clone(),
            capability,
            source: 0,
            one_by_one,
            facts,
        }
    }

    /// Returns the target that it was translated for.
    pub(crate) fn target(&self) -> Option<NvvmTarget> {
        NvvmTarget::named(&self.arch, &self.libnvvm)
    }
}

impl CompiledSpirv {
    /// Returns whether bytes are a container of any version.
    pub(crate) fn is_container(bytes: &[u8]) -> bool {
        bytes.starts_with(b"sycl-pi CUDA ")
    }

    /// Reads a container for a device of the given compute capability.
    pub(crate) fn read(bytes: &[u8], capability: u32) -> Result<Self> {
        let (header, code): (SpirvHeader, _) = split(MAGIC, bytes)?;
        check_version(&header.translator)?;
        if header.capability != capability {
            return Err(bad(format!(
                "for GPUs of compute capability {}, the device is of {capability}",
                header.capability
            )));
        }
        let (source, code) = code.split_at_checked(header.source).ok_or_else(cut)?;
        let source = SpirvSource::read(source)?.map(Arc::new);
        let binary = if header.one_by_one { None } else { Some(ProgramBinary::new(code)?) };
        Ok(Self { header, source, binary, log: String::new(), is_final: true })
    }

    /// Returns the code, or an error for a program whose kernels are compiled one by one.
    pub(crate) fn code(&self) -> Result<&ProgramBinary> {
        self.binary.as_ref().ok_or_else(|| bad("kernels without their code".to_owned()))
    }

    /// Writes a container around this program's code, or around a cubin of it. `source` is the binary of its SPIR-V, or
    /// empty.
    pub(crate) fn write(&self, source: &[u8], code: &[u8]) -> Vec<u8> {
        join(MAGIC, &SpirvHeader { source: source.len(), ..self.header.clone() }, &[source, code])
    }

    /// Returns the symbol of a variable by its name or unique id.
    pub(crate) fn symbol(&self, name: &CStr) -> Option<&str> {
        let known = |(known, _): &&(String, String)| known.as_bytes() == name.to_bytes();
        self.header.facts.variables.iter().find(known).map(|(_, symbol)| symbol.as_str())
    }

    /// Returns the kernel with the given name.
    pub(crate) fn kernel(&self, name: &str) -> Option<&KernelFacts> {
        self.header.facts.kernels.iter().find(|kernel| kernel.name == name)
    }
}

#[cfg(test)]
mod tests {
    use sycl_pi_backend::types::ErrorCode;

    use super::*;
    use crate::program::spirv::Parameter;

    const PTX: &[u8] = b".version 8.8\n.target sm_90\n";

    fn compiled() -> CompiledSpirv {
        let kernel = KernelFacts {
            name: "k".to_owned(),
            symbol: "k".to_owned(),
            parameters: vec![Parameter::Pointer, Parameter::Value(4), Parameter::Local(8)],
            takes_offset: true,
            required: Some([8, 1, 1]),
            largest: None,
            sub_group: 16,
            required_sub_group: Some(16),
            refused: None,
        };
        let facts = ProgramFacts {
            kernels: vec![kernel],
            variables: vec![("id".to_owned(), "g1".to_owned())],
            has_variables: true,
        };
        let target = NvvmTarget::named("compute_90", "12.9.86").unwrap();
        let header = SpirvHeader::new(&target, 90, facts, false);
        let binary = Some(ProgramBinary::new(PTX).unwrap());
        CompiledSpirv { header, source: None, binary, log: String::new(), is_final: true }
    }

    #[test]
    fn a_container_comes_back_as_it_was() {
        let bytes = compiled().write(&[], PTX);
        assert!(CompiledSpirv::is_container(&bytes) && !CompiledSpirv::is_container(PTX));
        let read = CompiledSpirv::read(&bytes, 90).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.header, compiled().header);
        assert_eq!(read.code().unwrap_or_else(|error| panic!("{error}")).bytes(), PTX);
    }

    #[test]
    fn a_container_may_have_the_spirv() {
        let words = [0x0723_0203, 0x0001_0000, 0, 1, 0, 3 << 16 | 14, 2, 2_u32].map(u32::to_le_bytes);
        let source = SpirvSource::new(words.as_flattened()).unwrap_or_else(|error| panic!("{error}"));
        let bytes = compiled().write(&source.write(c"-g"), PTX);
        let read = CompiledSpirv::read(&bytes, 90).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.code().unwrap_or_else(|error| panic!("{error}")).bytes(), PTX);
        let kept = read.source.unwrap();
        assert_eq!((kept.modules[0].as_slice(), &*kept.options(c"")), (words.as_flattened(), c"-g"));
        for length in 0..bytes.len() - PTX.len() + 8 {
            assert!(CompiledSpirv::read(&bytes[..length], 90).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn a_program_whose_kernels_are_compiled_one_by_one_has_no_code() {
        let mut compiled = compiled();
        compiled.header.one_by_one = true;
        let read =
            CompiledSpirv::read(&compiled.write(&[], &[]), 90).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((read.header.target(), read.header), (compiled.header.target(), compiled.header));
        assert!(read.binary.is_none());
    }

    #[test]
    fn kernels_and_variables_are_found_by_name() {
        let compiled = compiled();
        assert_eq!(compiled.kernel("k").map(|kernel| kernel.sub_group), Some(16));
        assert!(compiled.kernel("other").is_none());
        assert_eq!((compiled.symbol(c"id"), compiled.symbol(c"g1")), (Some("g1"), None));
    }

    #[test]
    fn a_binary_of_another_version_or_gpu_is_refused_with_the_reason() {
        let text = |bytes: &[u8], capability| match CompiledSpirv::read(bytes, capability) {
            Ok(_) => panic!("it was taken"),
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::INVALID_BINARY);
                error.text().to_owned()
            }
        };
        let bytes = compiled().write(&[], PTX);
        assert!(text(&bytes, 89).contains("compute capability 90"));
        assert!(text(b"sycl-pi CUDA 0\nabc", 90).contains("another version"));
        let mut other = compiled();
        other.header.translator = "0.0.1".to_owned();
        assert!(text(&other.write(&[], PTX), 90).contains("0.0.1"));
    }

    #[test]
    fn a_cut_container_is_refused() {
        let bytes = compiled().write(&[], PTX);
        let code_starts = bytes.len() - PTX.len();
        for length in 0..code_starts + 8 {
            assert!(CompiledSpirv::read(&bytes[..length], 90).is_err(), "{length} bytes");
        }
    }
}

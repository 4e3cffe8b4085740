//! Properties of a SPIR-V module that the driver needs: its kernels and the kinds of their arguments, its imports
//! and exports, its specialization constants. OpenCL runtimes do not report these for SPIR-V.

use std::collections::{BTreeMap, BTreeSet};

use sycl_pi_image::spirv::{
    self, Argument, ArgumentKind, EntryPoint, ExecutionMode, Index, LinkageKind, Module, SpirvError,
};

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgKind {
    /// An address in global memory.
    Pointer,
    /// Local memory.
    Local,
    /// An image.
    Image,
    /// A sampler.
    Sampler,
    /// A value, with its size if it is known.
    Value(Option<usize>),
}

impl ArgKind {
    fn of(argument: &Argument) -> Self {
        match argument.kind {
            ArgumentKind::Pointer("local") => Self::Local,
            ArgumentKind::Pointer(_) => Self::Pointer,
            ArgumentKind::Structure(size) | ArgumentKind::Value(size) => {
                Self::Value(size.and_then(|size| usize::try_from(size).ok()))
            }
            ArgumentKind::Object => match argument.type_name.as_str() {
                "image" => Self::Image,
                "sampler" => Self::Sampler,
                _ => Self::Value(None),
            },
        }
    }
}

/// A kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelInfo {
    pub(crate) arguments: Vec<ArgKind>,
    /// The required group size, or zeros.
    pub(crate) group_size: [u32; 3],
    /// The required sub-group size, or 0.
    pub(crate) sub_group_size: u32,
}

impl KernelInfo {
    fn of(entry: &EntryPoint) -> Self {
        let group_size = entry.mode(ExecutionMode::LocalSize).and_then(|sizes| sizes.first_chunk());
        let sub_group_size = entry.mode(ExecutionMode::SubgroupSize).and_then(|sizes| sizes.first());
        Self {
            arguments: entry.arguments.iter().map(ArgKind::of).collect(),
            group_size: group_size.copied().unwrap_or_default(),
            sub_group_size: sub_group_size.copied().unwrap_or_default(),
        }
    }
}

/// A module.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reflection {
    pub(crate) kernels: BTreeMap<String, KernelInfo>,
    pub(crate) imports: BTreeSet<String>,
    pub(crate) exports: BTreeSet<String>,
    /// Exported variables.
    pub(crate) globals: BTreeSet<String>,
    /// Specialization constants: id and size.
    pub(crate) constants: BTreeMap<u32, usize>,
    /// The error in the module's format, if any.
    pub(crate) broken: Option<String>,
}

/// Reads a module.
pub(crate) fn reflect(spirv: &[u8]) -> Reflection {
    read(spirv)
        .unwrap_or_else(|error| Reflection { broken: Some(error.to_string()), ..Reflection::default() })
}

fn read(bytes: &[u8]) -> Result<Reflection, SpirvError> {
    let module = Module::parse(bytes)?;
    let found = spirv::Reflection::of(&Index::new(&module)?)?;
    let named = |entry: &EntryPoint| (entry.name.clone(), KernelInfo::of(entry));
    let kernels: BTreeMap<_, _> = found.entry_points.iter().map(named).collect();
    let imports = found.symbols(LinkageKind::Import).filter(|symbol| symbol.is_function);
    let imports = imports.map(|symbol| symbol.name.clone()).filter(|name| !is_built_in(name)).collect();
    // A kernel's function is exported with the same name as its entry point.
    let exports = || found.symbols(LinkageKind::Export).filter(|symbol| !kernels.contains_key(&symbol.name));
    let constants = found.spec_scalars.iter().map(|scalar| (scalar.spec_id, scalar.default.len()));
    Ok(Reflection {
        imports,
        exports: exports().map(|symbol| symbol.name.clone()).collect(),
        globals: exports().filter(|symbol| !symbol.is_function).map(|symbol| symbol.name.clone()).collect(),
        constants: constants.collect(),
        broken: None,
        kernels,
    })
}

/// Returns whether the function is built into devices.
fn is_built_in(name: &str) -> bool {
    name.contains("__spirv_")
        || name.contains("intel_sub_group")
        || name.starts_with("llvm.")
        || name == "printf"
}

//! Derives property sets from SPIR-V alone, as the compiler would write them.
//!
//! The compiler takes some of the properties from the source, and the code does not show them: the names of
//! specialization constants, removed arguments, aspects that are only declared. [`compare`] lists the missing ones,
//! with the reasons.

mod carry;
mod compare;
mod constants;
mod kernels;
mod libraries;
mod local_memory;
mod order;
mod unite;
mod uses;

pub use carry::carry;
pub use compare::{Comparison, SetDifference, compare};
pub use libraries::is_library_function;
pub use unite::{ImagePart, Renumbered, United, unite};

use std::collections::{BTreeSet, HashSet};

use crate::parts::ImageParts;
use crate::property::{
    DeviceGlobal, DeviceGlobals, MetadataEntry, MetadataValue, MiscProps, ParamMask, Properties,
    Requirements, SetKind, SpecConstants, Symbols,
};
use crate::spirv::{
    Capability, EntryPoint, Global, Index, Linkage, LinkageKind, Module, Reflection, SpirvError,
};
use kernels::{KernelUses, agreed};
use uses::Users;

/// The entries and property sets of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// The names of the entries: kernels first, then exported functions.
    pub entries: Vec<String>,
    /// The property sets.
    pub properties: Properties,
}

/// Derives an image's entries and property sets from its code.
pub fn derive(bytes: &[u8]) -> Result<Derived, SpirvError> {
    let module = Module::parse(bytes)?;
    let index = Index::new(&module)?;
    Ok(of_module(&index, &Reflection::of(&index)?))
}

/// Makes an image of this code, with derived entries and property sets.
pub fn image<'a>(name: &str, bytes: &'a [u8]) -> Result<ImageParts<'a>, SpirvError> {
    let derived = derive(bytes)?;
    Ok(ImageParts {
        name: name.to_owned().into(),
        target: "spir64".into(),
        bytes: bytes.into(),
        entries: derived.entries.into_iter().map(Into::into).collect(),
        property_sets: derived.properties.encode(),
        ..ImageParts::default()
    })
}

/// Derives the entries and property sets of a module.
pub fn of_module(index: &Index<'_>, reflection: &Reflection) -> Derived {
    let kernels: Vec<KernelUses> =
        reflection.entry_points.iter().map(|entry| KernelUses::new(entry, reflection)).collect();
    let exports = exports(reflection);
    let optimized = !reflection.has_capability(Capability::OptNoneEXT);
    let mut properties = Properties {
        requirements: requirements(&kernels, reflection),
        kernel_names: kernels.iter().map(|kernel| kernel.name.clone()).collect(),
        exports: exports.iter().map(|symbol| symbol.name.clone()).collect(),
        imports: imports(index, reflection),
        device_globals: device_globals(reflection),
        misc: misc(&kernels, reflection, optimized),
        implicit_local_args: local_memory::implicit_args(index, reflection),
        ..Properties::default()
    };
    properties.device_lib.mask = Some(0);
    let spec_constants = reflection.spec_constants.iter();
    properties.spec_constants = SpecConstants::new(spec_constants.clone().map(|constant| {
        let first = constant.leaves.first().map_or(0, |leaf| leaf.id);
        (constants::made_name(first), constant.leaves.clone())
    }));
    if spec_constants.len() > 0 {
        let all = spec_constants.flat_map(|constant| constant.default.iter().copied());
        properties.spec_defaults.all = Some(all.collect());
    }
    if optimized {
        let with_constants = Users::new(index, reflection, &uses::spec_constants(index));
        let mask = |entry: &EntryPoint| {
            let arguments = entry.arguments.len() as u64;
            // The front end gives such a kernel an extra argument, the emulation buffer, which native constants make
            // superfluous ("Specialization constants", SYCL Kernel function transformations).
            match with_constants.has(entry.id) {
                false => ParamMask::all_kept(entry.name.clone(), arguments),
                true => ParamMask::last_removed(entry.name.clone(), arguments + 1),
            }
        };
        let names: Vec<&str> = reflection.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        let in_order = order::as_in_table(&names).into_iter();
        properties.param_opt.kernels =
            in_order.filter_map(|number| reflection.entry_points.get(number)).map(mask).collect();
    }
    let of_kernels = kernels.iter().flat_map(KernelUses::metadata);
    let imported = imported_ids(reflection);
    let of_globals = reflection.globals.iter().filter_map(|global| {
        let (_, unique_id) = global.host_access.as_ref().filter(|_| !imported.contains(&global.id))?;
        let value = MetadataValue::Text(global.name.clone()?);
        Some(MetadataEntry { subject: unique_id.clone(), tag: Some("global_id_mapping".into()), value })
    });
    properties.metadata.entries = of_kernels.chain(of_globals).collect();
    properties.sets = SetKind::ALL.into_iter().filter(|&kind| is_written(&properties, kind)).collect();
    let functions = exports.into_iter().filter(|symbol| symbol.is_function).map(|symbol| symbol.name.clone());
    let entries = kernels.into_iter().map(|kernel| kernel.name).chain(functions).collect();
    Derived { entries, properties }
}

/// Returns whether the set is written: some always are, the others only if they are not empty.
fn is_written(properties: &Properties, kind: SetKind) -> bool {
    let always = matches!(kind, SetKind::DeviceLib | SetKind::Requirements | SetKind::ParamOpt);
    always || properties.encode_set(kind).is_some_and(|set| !set.properties.is_empty())
}

fn requirements(kernels: &[KernelUses], reflection: &Reflection) -> Requirements {
    let functions = reflection.call_graph.functions.iter();
    let mut aspects: BTreeSet<u32> =
        functions.flat_map(|function| function.aspects.iter().copied()).collect();
    if reflection.has_capability(Capability::VectorComputeINTEL) {
        aspects.insert(crate::aspect::EXT_INTEL_ESIMD);
    }
    let size = agreed(kernels.iter().map(|kernel| kernel.work_group_size.clone()));
    let sub_group = agreed(kernels.iter().map(|kernel| kernel.sub_group_size));
    Requirements {
        aspects: Some(aspects.into_iter().collect()),
        work_group_sizes: size.map(|dimensions| {
            let dimensions = dimensions.into_iter().map(u64::from).collect();
            vec![crate::property::WorkGroupSize { dimensions }]
        }),
        sub_group_sizes: sub_group.map(|size| vec![size]),
        sub_group_number: sub_group.is_some(),
        work_group_num_dim: kernels.iter().find_map(|kernel| kernel.dimensions),
        ..Requirements::default()
    }
}

/// The prefix with which clang since LLVM 21 names the body of a kernel. It exports the body like any function that is
/// not static.
const KERNEL_BODY: &str = "__clang_ocl_kern_imp_";

/// Returns the exported functions and variables. Skips clang's copies of kernel bodies, kernels (which are exported
/// under their own names) and device globals (which the host finds by their unique ids).
fn exports(reflection: &Reflection) -> Vec<&Linkage> {
    let kernels: HashSet<&str> = reflection.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    let of_host = device_global_ids(reflection);
    let symbols = reflection.symbols(LinkageKind::Export).filter(|symbol| !symbol.is_built_in);
    symbols
        .filter(|symbol| !symbol.name.starts_with(KERNEL_BODY))
        .filter(|symbol| !kernels.contains(symbol.name.as_str()) && !of_host.contains(&symbol.id))
        .collect()
}

/// Returns the functions and variables that other images must provide ("Device code dynamic linking", sycl-post-link
/// changes). Leaves out those that the device or the compiler's libraries provide, and those that no code calls or
/// names. Virtual functions are called through pointers.
fn imports(index: &Index<'_>, reflection: &Reflection) -> Symbols {
    let called: BTreeSet<u32> =
        reflection.call_graph.functions.iter().flat_map(|function| function.calls.iter().copied()).collect();
    let of_host = device_global_ids(reflection);
    let symbols = reflection.symbols(LinkageKind::Import);
    let foreign = symbols.filter(|symbol| {
        if symbol.is_function {
            return !is_library_function(&symbol.name)
                && called.contains(&symbol.id)
                && index.function(symbol.id).is_some();
        }
        !symbol.is_built_in && !symbol.name.starts_with("__spirv_") && !of_host.contains(&symbol.id)
    });
    foreign.map(|symbol| symbol.name.clone()).collect()
}

/// Returns the ids of device globals: variables that the host can name, and variables that are a pointer with a value,
/// such as imported ones.
fn device_global_ids(reflection: &Reflection) -> HashSet<u32> {
    let is_of_host = |global: &&Global| global.host_access.is_some() || !global.image_scope;
    reflection.globals.iter().filter(is_of_host).map(|global| global.id).collect()
}

fn imported_ids(reflection: &Reflection) -> HashSet<u32> {
    reflection.symbols(LinkageKind::Import).map(|symbol| symbol.id).collect()
}

fn device_globals(reflection: &Reflection) -> DeviceGlobals {
    let imported = imported_ids(reflection);
    let globals = reflection.globals.iter().filter(|global| !imported.contains(&global.id));
    let mut seen = HashSet::new();
    let globals = globals.filter_map(|global| {
        let (_, unique_id) = global.host_access.as_ref()?;
        let size = u32::try_from(global.value_size?).ok().filter(|&size| size > 0)?;
        seen.insert(unique_id).then(|| DeviceGlobal {
            unique_id: unique_id.clone(),
            size,
            image_scope: global.image_scope,
        })
    });
    DeviceGlobals { globals: globals.collect() }
}

fn misc(kernels: &[KernelUses], reflection: &Reflection, optimized: bool) -> MiscProps {
    if reflection.call_graph.functions.is_empty() {
        return MiscProps::default();
    }
    let esimd = reflection.has_capability(Capability::VectorComputeINTEL).then_some(("isEsimdImage", 1));
    let registers = kernels.iter().find_map(|kernel| kernel.registers).map(|size| ("sycl-grf-size", size));
    let level = ("optLevel", if optimized { 2 } else { 0 });
    MiscProps::new(esimd.into_iter().chain(registers).chain([level]))
}

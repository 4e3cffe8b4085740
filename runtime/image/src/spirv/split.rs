//! Splits a module into device images ("Behavior for optional kernel features", Changes to the device code split
//! algorithm; "Device code dynamic linking", sycl-post-link changes).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::error::SpirvError;
use super::extract::{Extraction, Extractor};
use super::home;
use super::index::Index;
use super::module::Module;
use super::op::{self, mode};
use super::reflect::{LinkageKind, Reflection};

/// `-fsycl-device-code-split`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SplitMode {
    /// As `per_source`.
    #[default]
    Auto,
    /// An image for each kernel and each exported function.
    PerKernel,
    /// An image for each source file, by the line information in the code; without it everything is one source.
    PerSource,
    /// One image.
    Off,
}

/// How to split.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SplitOptions {
    /// The granularity; kernels with different requirements never share an image.
    pub mode: SplitMode,
    /// Names of functions to export besides those that the module exports.
    pub exports: Vec<String>,
    /// Import exported functions from the image that they are in, and do not copy them
    /// (`-fsycl-allow-device-image-dependencies`). A variable that several images need is in one of them, and the others import it.
    pub dependencies: bool,
    /// With dependencies: images with kernels are self-contained all the same. Only images of exported functions import.
    pub self_contained_kernels: bool,
    /// Entries with different aspects may share an image: it is for fixed targets (`-fsycl-fixed-targets`), which have them all.
    pub across_aspects: bool,
}

impl SplitOptions {
    /// Everything but the granularity as it is by default.
    pub fn new(mode: SplitMode) -> Self {
        Self { mode, ..Self::default() }
    }
}

/// An image of a module that was split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitImage {
    /// Its entries: kernels and exported functions.
    pub entries: Vec<String>,
    /// Variables that other images of the split import from this one.
    pub variable_exports: Vec<String>,
    /// Variables that it imports from others.
    pub variable_imports: Vec<String>,
    /// Its code.
    pub module: Module,
}

/// What two entries must share to share an image.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupKey {
    source: String,
    aspects: BTreeSet<u32>,
    work_group_size: Option<Vec<u32>>,
    sub_group_size: Option<u32>,
    alone: usize,
}

struct SplitEntry {
    id: u32,
    name: String,
    is_kernel: bool,
}

/// Splits a module.
pub fn split(index: &Index<'_>, options: &SplitOptions) -> Result<Vec<SplitImage>, SpirvError> {
    let reflection = Reflection::of(index)?;
    let entries = entries(index, &reflection, &options.exports)?;
    let modes: HashMap<u32, _> = reflection.entry_points.iter().map(|entry| (entry.id, entry)).collect();
    let mut groups: BTreeMap<GroupKey, Vec<&SplitEntry>> = BTreeMap::new();
    let mut order: Vec<GroupKey> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let point = modes.get(&entry.id);
        let size = |number| point.and_then(|point| point.mode(number)).map(<[u32]>::to_vec);
        let source = match options.mode {
            SplitMode::Auto | SplitMode::PerSource => source(index, entry.id),
            SplitMode::PerKernel | SplitMode::Off => String::new(),
        };
        let key = GroupKey {
            source,
            aspects: match options.across_aspects {
                true => BTreeSet::new(),
                false => reflection.call_graph.aspects(entry.id),
            },
            work_group_size: size(mode::LocalSize).or_else(|| size(mode::LocalSizeId)),
            sub_group_size: size(mode::SubgroupSize).and_then(|size| size.first().copied()),
            alone: if options.mode == SplitMode::PerKernel { at } else { 0 },
        };
        let group = groups.entry(key.clone()).or_default();
        if group.is_empty() {
            order.push(key);
        }
        group.push(entry);
    }
    check_image_scope(&groups, &reflection, index)?;
    let mut extractor = Extractor::new(index)?;
    let exported: Vec<&SplitEntry> = entries.iter().filter(|entry| !entry.is_kernel).collect();
    let groups: Vec<_> = order.iter().filter_map(|key| groups.get(key)).collect();
    let mut parts = Vec::with_capacity(groups.len());
    for group in &groups {
        let self_contained = options.self_contained_kernels && group.iter().any(|entry| entry.is_kernel);
        let here = |id: u32| group.iter().any(|entry| entry.id == id);
        let imports =
            exported.iter().filter(|entry| options.dependencies && !self_contained && !here(entry.id));
        parts.push(Extraction {
            entries: group.iter().filter(|entry| entry.is_kernel).map(|entry| entry.id).collect(),
            exports: group
                .iter()
                .filter(|entry| !entry.is_kernel)
                .map(|entry| (entry.id, entry.name.clone()))
                .collect(),
            imports: imports.map(|entry| (entry.id, entry.name.clone())).collect(),
            ..Extraction::default()
        });
    }
    if options.dependencies && parts.len() > 1 {
        home::give_homes(index, &reflection, &mut extractor, &mut parts)?;
    }
    let image = |(group, part): (&&Vec<&SplitEntry>, &Extraction)| {
        let entries = group.iter().map(|entry| entry.name.clone()).collect();
        let names = |symbols: &HashMap<u32, String>| {
            let mut names: Vec<String> = symbols.values().cloned().collect();
            names.sort();
            names
        };
        Ok(SplitImage {
            entries,
            variable_exports: names(&part.variable_exports),
            variable_imports: names(&part.variable_imports),
            module: extractor.extract(part)?,
        })
    };
    groups.iter().zip(&parts).map(image).collect()
}

/// Kernels, and the functions that others may call.
fn entries(
    index: &Index<'_>,
    reflection: &Reflection,
    exports: &[String],
) -> Result<Vec<SplitEntry>, SpirvError> {
    let mut entries: Vec<SplitEntry> = Vec::new();
    for entry in &reflection.entry_points {
        entries.push(SplitEntry { id: entry.id, name: entry.name.clone(), is_kernel: true });
    }
    let kernels: BTreeSet<&str> = reflection.entry_points.iter().map(|entry| entry.name.as_str()).collect();
    for symbol in reflection.symbols(LinkageKind::Export) {
        if symbol.is_function && !kernels.contains(symbol.name.as_str()) {
            entries.push(SplitEntry { id: symbol.id, name: symbol.name.clone(), is_kernel: false });
        }
    }
    for name in exports {
        let mut functions = index.functions.iter().filter(|function| function.has_body);
        let found = functions.find(|function| index.name(function.id).as_ref() == Some(name));
        let found = found
            .ok_or_else(|| SpirvError::whole(format!("no function {name} is defined here to export")))?;
        if entries.iter().all(|entry| entry.id != found.id) {
            entries.push(SplitEntry { id: found.id, name: name.clone(), is_kernel: false });
        }
    }
    Ok(entries)
}

/// The file of the first line of a function, or of the function that an entry point stands for.
fn source(index: &Index<'_>, id: u32) -> String {
    let line = |id: u32| {
        let function = index.function(id)?;
        let line = index.module.range(function.first, function.end).find(|inst| inst.opcode == op::OpLine)?;
        index.definition(line.operand(0))?.text(1).map(|(file, _)| file)
    };
    let called = || {
        let function = index.function(id)?;
        let mut insts = index.module.range(function.first, function.end);
        line(insts.find(|inst| inst.opcode == op::OpFunctionCall)?.operand(2))
    };
    line(id).or_else(called).unwrap_or_default()
}

/// "Implementation design for device_global", Changes to the sycl-post-link tool: a variable with image scope is in one
/// image at most.
fn check_image_scope(
    groups: &BTreeMap<GroupKey, Vec<&SplitEntry>>,
    reflection: &Reflection,
    index: &Index<'_>,
) -> Result<(), SpirvError> {
    let scoped =
        reflection.globals.iter().filter(|global| global.image_scope && global.host_access.is_some());
    let scoped: HashMap<u32, &str> =
        scoped.map(|global| (global.id, global.name.as_deref().unwrap_or_default())).collect();
    if scoped.is_empty() || groups.len() < 2 {
        return Ok(());
    }
    let mut owners: HashMap<u32, &GroupKey> = HashMap::new();
    for (key, group) in groups {
        let mut functions: BTreeSet<u32> = BTreeSet::new();
        functions.extend(group.iter().flat_map(|entry| reflection.call_graph.reachable(entry.id)));
        for function in functions.into_iter().filter_map(|id| index.function(id)) {
            for inst in index.module.range(function.first, function.end) {
                let mut twice = None;
                let _ = index.ids(&inst, |_, id| {
                    if scoped.contains_key(&id) && *owners.entry(id).or_insert(key) != key {
                        twice = Some(id);
                    }
                });
                if let Some(name) = twice.and_then(|id| scoped.get(&id)) {
                    return Err(SpirvError::whole(format!(
                        "device_global variable {name} with property \"device_image_scope\" is used in more than one \
                         device image."
                    )));
                }
            }
        }
    }
    Ok(())
}

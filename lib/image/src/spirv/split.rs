//! Splits a module into device images ("Behavior for optional kernel features", Changes to the device code split
//! algorithm; "Device code dynamic linking", sycl-post-link changes).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rspirv::spirv::{ExecutionMode, Op};

use super::Index;
use super::Module;
use super::SpirvError;
use super::extract::{Extraction, Extractor};
use super::home;
use super::reflect::{LinkageKind, Reflection};
use super::together;

/// `-fsycl-device-code-split`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SplitMode {
    /// Equals `per_source`.
    #[default]
    Auto,
    /// One image for each kernel and each exported function.
    PerKernel,
    /// One image for each source file, determined by the line information in the code. Without line information
    /// everything counts as one source.
    PerSource,
    /// A single image.
    Off,
}

/// The options of a split.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SplitOptions {
    /// The granularity. Kernels with different requirements never share an image, unless they need the same writable
    /// variable.
    pub mode: SplitMode,
    /// Names of functions to export in addition to those that the module exports.
    pub exports: Vec<String>,
    /// Whether images import exported functions from the image that defines them instead of copying them
    /// (`-fsycl-allow-device-image-dependencies`). If several images need a variable, one of them defines it and the
    /// others import it.
    pub dependencies: bool,
    /// With dependencies: whether images with kernels are self-contained nevertheless, so that only images of exported
    /// functions import.
    pub self_contained_kernels: bool,
    /// Whether entries with different requirements may share an image, because it is for fixed targets
    /// (`-fsycl-fixed-targets`), which meet them all. Only the granularity then decides which entries share an image.
    pub for_fixed_targets: bool,
}

impl SplitOptions {
    /// Returns the default options with this granularity.
    pub fn new(mode: SplitMode) -> Self {
        Self { mode, ..Self::default() }
    }
}

/// One image of a split module.
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

/// The properties that entries must have in common to share an image.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
    let groups = groups(index, &reflection, &entries, options)?;
    let mut extractor = Extractor::new(index)?;
    let exported: HashMap<u32, String> =
        entries.iter().filter(|entry| !entry.is_kernel).map(|entry| (entry.id, entry.name.clone())).collect();
    let mut parts = Vec::with_capacity(groups.len());
    for group in &groups {
        let self_contained = options.self_contained_kernels && group.iter().any(|entry| entry.is_kernel);
        let (kernels, exports): (Vec<&SplitEntry>, Vec<&SplitEntry>) =
            group.iter().partition(|entry| entry.is_kernel);
        parts.push(Extraction {
            entries: kernels.into_iter().map(|entry| entry.id).collect(),
            exports: exports.into_iter().map(|entry| (entry.id, entry.name.clone())).collect(),
            imports: (options.dependencies && !self_contained).then_some(&exported),
            ..Extraction::default()
        });
    }
    if options.dependencies && parts.len() > 1 {
        home::give_homes(index, &reflection, &mut extractor, &mut parts)?;
    }
    let image = |(group, part): (&Vec<&SplitEntry>, &Extraction<'_>)| {
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

/// Groups the entries by image.
fn groups<'e>(
    index: &Index<'_>,
    reflection: &Reflection,
    entries: &'e [SplitEntry],
    options: &SplitOptions,
) -> Result<Vec<Vec<&'e SplitEntry>>, SpirvError> {
    let modes: HashMap<u32, _> = reflection.entry_points.iter().map(|entry| (entry.id, entry)).collect();
    let aspects = reflection.call_graph.all_aspects();
    let mut sources: HashMap<u32, String> = HashMap::new();
    let mut first: HashMap<u32, usize> = HashMap::new();
    let mut known: BTreeMap<GroupKey, usize> = BTreeMap::new();
    let mut numbers = Vec::with_capacity(entries.len());
    for (at, entry) in entries.iter().enumerate() {
        let point = modes.get(&entry.id);
        let size = |number| point.and_then(|point| point.mode(number)).map(<[u32]>::to_vec);
        let source = match options.mode {
            SplitMode::Auto | SplitMode::PerSource => {
                sources.entry(entry.id).or_insert_with(|| source(index, entry.id)).clone()
            }
            SplitMode::PerKernel | SplitMode::Off => String::new(),
        };
        let mut key = GroupKey { source, ..GroupKey::default() };
        if !options.for_fixed_targets {
            key.aspects = aspects.get(&entry.id).cloned().unwrap_or_default();
            key.work_group_size = size(ExecutionMode::LocalSize).or_else(|| size(ExecutionMode::LocalSizeId));
            key.sub_group_size = size(ExecutionMode::SubgroupSize).and_then(|size| size.first().copied());
        }
        if options.mode == SplitMode::PerKernel {
            // Kernels that share a function are one piece of code.
            key.alone = *first.entry(entry.id).or_insert(at);
        }
        let next = known.len();
        numbers.push(*known.entry(key).or_insert(next));
    }
    let ids: Vec<u32> = entries.iter().map(|entry| entry.id).collect();
    together::keep_together(index, reflection, &ids, &mut numbers)?;
    together::check_image_scope(index, reflection, &ids, &numbers)?;
    let mut groups: BTreeMap<usize, Vec<&SplitEntry>> = BTreeMap::new();
    for (entry, number) in entries.iter().zip(numbers) {
        groups.entry(number).or_default().push(entry);
    }
    Ok(groups.into_values().collect())
}

/// Returns the kernels, and the functions that other modules may call.
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
    let mut found: HashSet<u32> = entries.iter().map(|entry| entry.id).collect();
    let defined = index.functions.iter().filter(|function| function.has_body).rev();
    let named: HashMap<String, u32> = match exports {
        [] => HashMap::new(),
        _ => defined.filter_map(|function| Some((index.name(function.id)?, function.id))).collect(),
    };
    for name in exports {
        let problem = || SpirvError::whole(format!("no function {name} is defined here to export"));
        let &id = named.get(name).ok_or_else(problem)?;
        if found.insert(id) {
            entries.push(SplitEntry { id, name: name.clone(), is_kernel: false });
        }
    }
    Ok(entries)
}

/// Returns the file of the first line of a function, or of the function that an entry point stands for.
fn source(index: &Index<'_>, id: u32) -> String {
    let line = |id: u32| {
        let function = index.function(id)?;
        let line = index.module.range(function.first, function.end).find(|inst| inst.opcode == Op::Line)?;
        index.definition(line.operand(0))?.text(1).map(|(file, _)| file)
    };
    let called = || {
        let function = index.function(id)?;
        let mut insts = index.module.range(function.first, function.end);
        line(insts.find(|inst| inst.opcode == Op::FunctionCall)?.operand(2))
    };
    line(id).or_else(called).unwrap_or_default()
}

//! Carries over information from the property files of modules to the modules made from them: the pieces of a split, a
//! module with fixed constants, several modules linked into one.

use std::collections::{BTreeSet, HashMap};

use super::constants::{self, NamedConstant};
use super::{Derived, is_written};
use crate::property::{Leaf, MetadataEntry, PADDING, ParamMask, Properties, Requirements, SetKind};

/// Returns the properties of code that was made from other code: what the new code itself shows, plus everything in the
/// originals' property files that still holds.
///
/// - Aspects that an original's file names but its code does not show were declared, so each piece with a kernel needs
///   them.
/// - Fixed targets stay if all originals with entries have them. Those common to all remain, possibly none.
/// - Constants keep their names and defaults, including those in a buffer for emulation. Constants that the code no
///   longer has are dropped.
/// - Kernels keep their removed arguments, and variables their sizes and scopes.
///
/// `originals` are pairs of the properties in the file and those that the code shows.
pub fn carry(originals: &[(Properties, Properties)], made: Derived) -> Properties {
    let mut properties = made.properties;
    let kernels: BTreeSet<String> = properties.kernel_names.iter().map(str::to_owned).collect();
    let files = || originals.iter().map(|(file, _)| file);
    let has = |kind: SetKind| files().any(|file| file.sets.contains(&kind));
    requirements(originals, !kernels.is_empty(), &mut properties.requirements);
    constants(originals, &mut properties);
    let masks = files().flat_map(|file| &file.param_opt.kernels).map(|mask| (mask.kernel.clone(), mask));
    // The first file with a mask for the kernel wins.
    let masks: HashMap<String, &ParamMask> = masks.collect::<Vec<_>>().into_iter().rev().collect();
    for mask in &mut properties.param_opt.kernels {
        if let Some(said) = masks.get(&mask.kernel).copied().filter(|said| said.kept() == mask.kept()) {
            *mask = said.clone();
        }
    }
    for global in &mut properties.device_globals.globals {
        if let Some(said) = files().find_map(|file| file.device_globals.get(&global.unique_id)) {
            *global = said.clone();
        }
    }
    let asserting = files().flat_map(|file| file.assert_used.iter());
    properties.assert_used = asserting.filter(|name| kernels.contains(*name)).collect();
    if has(SetKind::ImplicitLocalArgs) {
        let all = files().flat_map(|file| file.implicit_local_args.kernels.iter());
        properties.implicit_local_args.kernels =
            all.filter(|(name, _)| kernels.contains(name)).cloned().collect();
    }
    let registered = files().flat_map(|file| file.registered_kernels.kernels.iter());
    properties.registered_kernels.kernels =
        registered.filter(|(_, kernel)| kernels.contains(kernel)).cloned().collect();
    if has(SetKind::Metadata) {
        let globals = properties.device_globals.clone();
        let stays = |entry: &&MetadataEntry| {
            kernels.contains(&entry.subject) || globals.get(&entry.subject).is_some()
        };
        properties.metadata.entries =
            files().flat_map(|file| file.metadata.entries.iter()).filter(stays).cloned().collect();
    }
    if let Some(file) = files().find(|file| file.sets.contains(&SetKind::Misc)) {
        properties.misc = file.misc.clone();
    }
    if let Some(file) = files().find(|file| file.sets.contains(&SetKind::VirtualFunctions)) {
        properties.virtual_functions = file.virtual_functions.clone();
    }
    properties.sets = SetKind::ALL.into_iter().filter(|&kind| is_written(&properties, kind)).collect();
    properties
}

fn requirements(originals: &[(Properties, Properties)], has_kernel: bool, made: &mut Requirements) {
    let mut aspects: BTreeSet<u32> = made.aspects.iter().flatten().copied().collect();
    for (file, code) in originals.iter().filter(|_| has_kernel) {
        let shown: BTreeSet<u32> = code.requirements.aspects.iter().flatten().copied().collect();
        aspects.extend(file.requirements.aspects.iter().flatten().filter(|aspect| !shown.contains(aspect)));
    }
    made.aspects = Some(aspects.into_iter().collect());
    made.fixed_targets = fixed_targets(originals);
    made.other = originals.iter().flat_map(|(file, _)| file.requirements.other.clone()).collect();
    made.other.dedup_by(|one, other| one.name == other.name);
    if let Some(targets) = made.fixed_targets.take() {
        *made = Requirements { fixed_targets: Some(targets), ..Requirements::default() };
    }
}

/// Returns the fixed targets of the result ("Behavior for optional kernel features", Error checking for SYCL_EXTERNAL
/// functions): kernels compiled for fixed targets restrict the image to them, but the functions that they call do not.
fn fixed_targets(originals: &[(Properties, Properties)]) -> Option<Vec<u32>> {
    let with_kernels = || originals.iter().filter(|(_, code)| !code.kernel_names.is_empty());
    let entries: Vec<&(Properties, Properties)> = match with_kernels().next() {
        Some(_) => with_kernels().collect(),
        None => originals.iter().collect(),
    };
    let mut common: Option<BTreeSet<u32>> = None;
    for (file, _) in entries {
        let targets: BTreeSet<u32> = file.requirements.fixed_targets.as_ref()?.iter().copied().collect();
        common = Some(match common {
            Some(common) => common.intersection(&targets).copied().collect(),
            None => targets,
        });
    }
    common.map(|targets| targets.into_iter().collect())
}

/// Collects the constants under their names in the files, and the code's constants that no file mentions.
fn constants(originals: &[(Properties, Properties)], made: &mut Properties) {
    let there = constants::ids(made);
    let mut named: Vec<NamedConstant> = Vec::new();
    let mut found: BTreeSet<u32> = BTreeSet::new();
    let mut names: HashMap<String, usize> = HashMap::new();
    for (file, code) in originals {
        let in_code = constants::ids(code);
        for mut constant in NamedConstant::all(file) {
            // A scalar that the original's code lacks is in the buffer, so changes to the code do not affect it.
            let stays = |id: u32| there.contains(&id) || !in_code.contains(&id);
            let fixed = |leaf: &Leaf| Leaf { id: if stays(leaf.id) { leaf.id } else { PADDING }, ..*leaf };
            constant.leaves = constant.leaves.iter().map(fixed).collect();
            if constant.ids().next().is_none() || names.contains_key(&constant.name) {
                continue;
            }
            found.extend(constant.ids());
            names.insert(constant.name.clone(), named.len());
            named.push(constant);
        }
    }
    if named.is_empty() {
        return;
    }
    let unknown = NamedConstant::all(made).into_iter();
    named.extend(unknown.filter(|constant| !constant.ids().any(|id| found.contains(&id))));
    if originals.len() > 1 {
        named.sort_by_key(|constant| constant.ids().min());
    }
    constants::set(made, named);
}

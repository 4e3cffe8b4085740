//! What a property file says of a module, carried over to modules that are made of it: pieces of a split, a module with fixed
//! constants, several modules linked to one.

use std::collections::{BTreeMap, BTreeSet};

use super::{Derived, is_written};
use crate::property::{Leaf, MetadataEntry, PADDING, Properties, Requirements, SetKind, SpecConstants};

/// The properties of code that was made of other code: those that its own code tells, and of what the property files of the
/// originals say all that is still true of it.
///
/// - Aspects that an original's file names and its code does not show were declared: each piece with a kernel needs them.
/// - Fixed targets are those of all originals that have any, in common: maybe none.
/// - Constants keep their names and defaults; those that the code has no more are gone.
/// - Kernels keep their removed arguments, variables their sizes and scopes.
///
/// `originals` are pairs of what a file says and what the code tells.
pub fn carry(originals: &[(Properties, Properties)], made: Derived) -> Properties {
    let mut properties = made.properties;
    let kernels: BTreeSet<String> = properties.kernel_names.iter().map(str::to_owned).collect();
    let files = || originals.iter().map(|(file, _)| file);
    let has = |kind: SetKind| files().any(|file| file.sets.contains(&kind));
    requirements(originals, !kernels.is_empty(), &mut properties.requirements);
    constants(originals, &mut properties);
    for mask in &mut properties.param_opt.kernels {
        let said = files().find_map(|file| file.param_opt.get(&mask.kernel));
        if let Some(said) = said.filter(|said| said.kept() == mask.kept()) {
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
    let mut fixed = originals.iter().filter_map(|(file, _)| file.requirements.fixed_targets.as_ref());
    if let Some(first) = fixed.next() {
        let mut common: BTreeSet<u32> = first.iter().copied().collect();
        fixed.for_each(|other| common.retain(|target| other.contains(target)));
        made.fixed_targets = Some(common.into_iter().collect());
    }
    made.other = originals.iter().flat_map(|(file, _)| file.requirements.other.clone()).collect();
    made.other.dedup_by(|one, other| one.name == other.name);
}

/// Constants under their names in the files, where the files know all that the code has.
fn constants(originals: &[(Properties, Properties)], made: &mut Properties) {
    let there: BTreeSet<u32> =
        made.spec_constants.iter().flat_map(|constant| constant.leaves.iter().map(|leaf| leaf.id)).collect();
    let mut named: Vec<(String, Vec<Leaf>)> = Vec::new();
    let mut defaults: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut found: BTreeSet<u32> = BTreeSet::new();
    for (file, _) in originals {
        for constant in file.spec_constants.iter() {
            let fixed =
                |leaf: &Leaf| Leaf { id: if there.contains(&leaf.id) { leaf.id } else { PADDING }, ..*leaf };
            let leaves: Vec<Leaf> = constant.leaves.iter().map(fixed).collect();
            let ids: Vec<u32> = leaves.iter().map(|leaf| leaf.id).filter(|&id| id != PADDING).collect();
            // Two originals with constants of one number or name are told apart by the code alone.
            if !ids.is_empty()
                && ids.iter().all(|id| found.insert(*id))
                && !defaults.contains_key(&constant.name)
            {
                let default = file.spec_default(constant).unwrap_or_default().to_vec();
                defaults.insert(constant.name.clone(), default);
                named.push((constant.name.clone(), leaves));
            }
        }
    }
    if !there.iter().all(|id| *id == PADDING || found.contains(id)) || named.is_empty() {
        return;
    }
    let constants = SpecConstants::new(named);
    let mut all = vec![0; usize::try_from(constants.size()).unwrap_or(0)];
    for constant in constants.iter() {
        let begin = usize::try_from(constant.blob_offset).unwrap_or(usize::MAX);
        let default = defaults.get(&constant.name).map(Vec::as_slice).unwrap_or_default();
        if let Some(place) = begin.checked_add(default.len()).and_then(|end| all.get_mut(begin..end)) {
            place.copy_from_slice(default);
        }
    }
    made.spec_constants = constants;
    made.spec_defaults.all = Some(all);
}

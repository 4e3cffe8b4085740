//! Entries of a split that must stay in one image, and variables that may not be in two.

use rspirv::spirv::{Decoration, StorageClass};

use super::Index;
use super::SpirvError;
use super::references::References;
use super::reflect::Reflection;
use crate::room::filled;

/// Merges the images of entries whose code needs the same writable variable, because each image would otherwise have
/// its own copy. A device global whose value the host provides can be in several images, since all of them point to the
/// same value.
///
/// `groups` has the index of each entry's image; `ids` are the entries' functions.
pub(super) fn keep_together(
    index: &Index<'_>,
    reflection: &Reflection,
    ids: &[u32],
    groups: &mut [usize],
) -> Result<(), SpirvError> {
    let variables: Vec<u32> = reflection
        .globals
        .iter()
        .filter(|global| global.storage == Some(StorageClass::CrossWorkgroup) && !global.is_built_in)
        .filter(|global| global.host_access.is_none())
        .filter(|global| index.decorations(global.id, Decoration::Constant).next().is_none())
        .map(|global| global.id)
        .collect();
    if variables.is_empty() || groups.windows(2).all(|pair| matches!(pair, [one, other] if one == other)) {
        return Ok(());
    }
    let references = References::from_index(index)?;
    // Everything that leads to a variable.
    let leads = references.inverted()?.marked(variables)?;
    let leads = |id: u32| leads.get(id as usize).copied().unwrap_or(false);
    // The group that reached each id first. The next group to reach it is merged with that one.
    let mut owners: Vec<Option<usize>> = filled(None, index.module.bound() as usize)?;
    let mut joined = JoinedGroups::new(groups);
    for (&entry, &group) in ids.iter().zip(groups.iter()) {
        let mut open = vec![entry];
        while let Some(id) = open.pop().filter(|&id| leads(id)) {
            match owners.get_mut(id as usize) {
                Some(Some(owner)) => joined.join(*owner, group),
                Some(owner) => {
                    *owner = Some(group);
                    open.extend(references.from(id).iter().filter(|&&id| leads(id)));
                }
                None => {}
            }
        }
    }
    for group in groups {
        *group = joined.find(*group);
    }
    Ok(())
}

/// Sets of merged groups.
struct JoinedGroups(Vec<usize>);

impl JoinedGroups {
    fn new(groups: &[usize]) -> Self {
        Self((0..groups.iter().max().map_or(0, |last| last + 1)).collect())
    }

    /// Returns the first group of the set that a group is in.
    fn find(&mut self, mut group: usize) -> usize {
        while let Some(&next) = self.0.get(group).filter(|&&next| next != group) {
            // Path halving, which shortens later searches.
            let after = self.0.get(next).copied().unwrap_or(next);
            if let Some(place) = self.0.get_mut(group) {
                *place = after;
            }
            group = after;
        }
        group
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        if let Some(place) = self.0.get_mut(one.max(other)) {
            *place = one.min(other);
        }
    }
}

/// Checks that a variable with image scope is in at most one image ("Implementation design for device_global", Changes
/// to the sycl-post-link tool).
pub(super) fn check_image_scope(
    index: &Index<'_>,
    reflection: &Reflection,
    ids: &[u32],
    groups: &[usize],
) -> Result<(), SpirvError> {
    let scoped =
        || reflection.globals.iter().filter(|global| global.image_scope && global.host_access.is_some());
    if scoped().next().is_none() {
        return Ok(());
    }
    /// The images that contain a variable.
    #[derive(Clone, Copy, PartialEq)]
    enum Owner {
        None,
        One(usize),
        Several,
    }
    let references = References::from_index(index)?;
    let mut owners = filled(Owner::None, index.module.bound() as usize)?;
    for (&entry, &group) in ids.iter().zip(groups) {
        let mut open = vec![(entry, Owner::One(group))];
        while let Some((id, new)) = open.pop() {
            let Some(owner) = owners.get_mut(id as usize) else { continue };
            let both = match *owner {
                Owner::None => new,
                old if old == new => continue,
                Owner::Several => continue,
                Owner::One(_) => Owner::Several,
            };
            *owner = both;
            open.extend(references.from(id).iter().map(|&id| (id, both)));
        }
    }
    let twice = scoped().find(|global| owners.get(global.id as usize) == Some(&Owner::Several));
    match twice {
        Some(global) => {
            let name = global.name.as_deref().unwrap_or_default();
            Err(SpirvError::whole(format!(
                "device_global variable {name} with property \"device_image_scope\" is used in more than one device image."
            )))
        }
        None => Ok(()),
    }
}

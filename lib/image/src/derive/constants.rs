//! Specialization constants with their names and default values, independent of the image that declares them.

use std::collections::BTreeSet;

use crate::property::{Leaf, PADDING, Properties, SpecConstants};
use crate::spirv::SpecId;

/// A constant as a property file describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedConstant {
    pub(super) name: String,
    pub(super) leaves: Vec<Leaf>,
    pub(super) default: Vec<u8>,
}

/// Makes a name, from its first id, for a constant without a name in the source.
pub(super) fn made_name(id: SpecId) -> String {
    format!("spec_constant_{id}")
}

impl NamedConstant {
    /// Returns the constants of an image, in the image's order.
    pub(super) fn all(properties: &Properties) -> Vec<Self> {
        let constants = properties.spec_constants.iter().map(|constant| Self {
            name: constant.name.clone(),
            leaves: constant.leaves.clone(),
            default: properties.spec_default(constant).unwrap_or_default().to_vec(),
        });
        constants.collect()
    }

    /// Returns the ids of its scalars.
    pub(super) fn ids(&self) -> impl Iterator<Item = SpecId> + '_ {
        self.leaves.iter().map(|leaf| leaf.id).filter(|&id| id != PADDING)
    }

    /// Returns whether its name was made up because the source gives none.
    pub(super) fn has_made_name(&self) -> bool {
        self.ids().next().is_some_and(|id| self.name == made_name(id))
    }

    /// Returns whether both consist of scalars of the same sizes at the same offsets.
    pub(super) fn has_layout_of(&self, other: &Self) -> bool {
        let places = |constant: &Self| -> Vec<(u32, u32, bool)> {
            constant.leaves.iter().map(|leaf| (leaf.offset, leaf.size, leaf.id == PADDING)).collect()
        };
        places(self) == places(other)
    }
}

/// Replaces an image's constants with these.
pub(super) fn set(properties: &mut Properties, constants: Vec<NamedConstant>) {
    let leaves = constants.iter().map(|constant| (constant.name.clone(), constant.leaves.clone()));
    let layout = SpecConstants::new(leaves);
    let mut all = vec![0; usize::try_from(layout.size()).unwrap_or(0)];
    for (placed, constant) in layout.iter().zip(&constants) {
        let begin = usize::try_from(placed.blob_offset).unwrap_or(usize::MAX);
        let end = begin.checked_add(constant.default.len());
        if let Some(place) = end.and_then(|end| all.get_mut(begin..end)) {
            place.copy_from_slice(&constant.default);
        }
    }
    properties.spec_constants = layout;
    properties.spec_defaults.all = (!constants.is_empty()).then_some(all);
}

/// Returns the ids of an image's constants.
pub(super) fn ids(properties: &Properties) -> BTreeSet<SpecId> {
    let leaves = properties.spec_constants.iter().flat_map(|constant| constant.leaves.iter());
    leaves.map(|leaf| leaf.id).filter(|&id| id != PADDING).collect()
}

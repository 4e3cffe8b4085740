//! Makes the ids of specialization constants unique across modules.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::spirv::{Decoration, Op};

use crate::property::PADDING;
use crate::spirv::Index;
use crate::spirv::SpirvError;
use crate::spirv::constants::SpecId;

/// The new ids of a module's specialization constants by their old ids. Missing ids stay unchanged.
pub type SpecIdMap = BTreeMap<SpecId, SpecId>;

/// Returns the ids of a module's specialization constants.
pub(crate) fn spec_ids(index: &Index<'_>) -> BTreeSet<SpecId> {
    let decorations = index.globals().filter(|inst| inst.opcode == Op::Decorate);
    decorations
        .filter(|inst| inst.decoration() == Some(Decoration::SpecId))
        .map(|inst| inst.operand(2))
        .collect()
}

/// The ids in use, and the next free one.
#[derive(Debug)]
pub(crate) struct UsedSpecIds {
    taken: BTreeSet<SpecId>,
    next: u64,
}

impl UsedSpecIds {
    /// Starts with no id in use. New ids follow all of these.
    pub(crate) fn after(all: impl IntoIterator<Item = SpecId>) -> Self {
        let greatest = all.into_iter().filter(|&id| id != PADDING).max();
        Self { taken: BTreeSet::new(), next: greatest.map_or(0, |id| u64::from(id) + 1) }
    }

    /// Reserves the ids of a module. If one of them is already in use, all of them are replaced, which preserves their
    /// order.
    pub(crate) fn take(&mut self, ids: &BTreeSet<SpecId>) -> Result<SpecIdMap, SpirvError> {
        let mut map = SpecIdMap::new();
        if !ids.is_disjoint(&self.taken) {
            for &id in ids.iter().filter(|&&id| id != PADDING) {
                let new = u32::try_from(self.next).ok().filter(|&new| new != PADDING);
                let new = new.ok_or_else(|| {
                    SpirvError::whole("there are no ids left for the specialization constants")
                })?;
                self.next += 1;
                map.insert(id, new);
            }
        }
        self.taken.extend(ids.iter().map(|id| map.get(id).copied().unwrap_or(*id)));
        Ok(map)
    }
}

/// Returns, for each module, the ids of all its constants in a module that [`link`](super::link) makes of these. They
/// are new if an earlier module uses one of their ids.
pub fn linked_spec_ids(modules: &[(&str, &Index<'_>)]) -> Result<Vec<SpecIdMap>, SpirvError> {
    let all: Vec<BTreeSet<SpecId>> = modules.iter().map(|(_, index)| spec_ids(index)).collect();
    let mut used = UsedSpecIds::after(all.iter().flatten().copied());
    let complete = |ids: &BTreeSet<SpecId>| {
        let new = used.take(ids)?;
        Ok(ids.iter().map(|id| (*id, *new.get(id).unwrap_or(id))).collect())
    };
    all.iter().map(complete).collect()
}

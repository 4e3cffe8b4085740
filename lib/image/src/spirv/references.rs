//! References between ids, inside functions and outside them.

use super::Index;
use super::Inst;
use super::SpirvError;
use super::grammar;
use crate::room::{OutOfMemory, filled, list_of, reserve, room};

/// The ids to which each id refers: for a function those in its code, otherwise those in its definition. Excludes types
/// and the ids that functions define locally.
#[derive(Debug)]
pub(super) struct References {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl References {
    /// Collects the references of a module. An unknown instruction is an error.
    pub(super) fn from_index(index: &Index<'_>) -> Result<Self, SpirvError> {
        let is_value = |id: u32| {
            index.function(id).is_some()
                || index.definition(id).is_some_and(|inst| {
                    inst.number < index.first_function && grammar::result_type(&inst).is_some()
                })
        };
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut add = |from: u32, inst: &Inst<'_>| {
            reserve(&mut pairs, inst.operands.len())?;
            let each = |_, id| pairs.extend((id != from && is_value(id)).then_some((from, id)));
            if index.is_debug(inst) { Ok(()) } else { index.ids(inst, each) }
        };
        for inst in index.globals().filter(|inst| grammar::result_type(inst).is_some()) {
            if let Some(from) = grammar::result(&inst) {
                add(from, &inst)?;
            }
        }
        for function in &index.functions {
            for inst in index.module.range(function.first, function.end) {
                add(function.id, &inst)?;
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(Self::new(index.module.bound(), &pairs)?)
    }

    /// Creates the table from sorted `pairs`.
    fn new(bound: u32, pairs: &[(u32, u32)]) -> Result<Self, OutOfMemory> {
        let mut starts = filled(0, bound as usize + 1)?;
        for &(from, _) in pairs {
            if let Some(count) = starts.get_mut(from as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut starts {
            sum += *count;
            *count = sum;
        }
        Ok(Self { starts, targets: list_of(pairs.iter().map(|&(_, to)| to))? })
    }

    /// Returns the ids to which an id refers.
    pub(super) fn from(&self, id: u32) -> &[u32] {
        let at = id as usize;
        let range = self.starts.get(at).zip(self.starts.get(at + 1));
        range.and_then(|(&from, &to)| self.targets.get(from as usize..to as usize)).unwrap_or_default()
    }

    /// Returns, for each id, the ids that refer to it.
    pub(super) fn inverted(&self) -> Result<Self, OutOfMemory> {
        let bound = self.starts.len().saturating_sub(1) as u32;
        let mut pairs: Vec<(u32, u32)> = room(self.targets.len())?;
        pairs.extend((0..bound).flat_map(|id| self.from(id).iter().map(move |&to| (to, id))));
        pairs.sort_unstable();
        Self::new(bound, &pairs)
    }

    /// Returns for each id whether it is among these ids or reachable from them.
    pub(super) fn marked(&self, ids: impl IntoIterator<Item = u32>) -> Result<Vec<bool>, OutOfMemory> {
        let mut marked = filled(false, self.starts.len())?;
        let mut open: Vec<u32> = ids.into_iter().collect();
        while let Some(id) = open.pop() {
            if let Some(mark) = marked.get_mut(id as usize).filter(|mark| !**mark) {
                *mark = true;
                reserve(&mut open, self.from(id).len())?;
                open.extend(self.from(id));
            }
        }
        Ok(marked)
    }
}

//! Which kernels use some of a module's ids.

use std::collections::BTreeSet;

use crate::spirv::op;
use crate::spirv::{Index, References};

/// Tells of functions whether they, or what they reach, use some ids.
#[derive(Debug, Default)]
pub(super) struct Users(Vec<bool>);

impl Users {
    /// The users of these ids.
    pub(super) fn of(index: &Index<'_>, ids: impl IntoIterator<Item = u32>) -> Self {
        let ids: Vec<u32> = ids.into_iter().collect();
        if ids.is_empty() {
            return Self::default();
        }
        // What the grammar does not know uses nothing that is known.
        Self(References::known(index).inverted().marked(ids))
    }

    /// Whether a function is one.
    pub(super) fn has(&self, function: u32) -> bool {
        self.0.get(function as usize).copied().unwrap_or(false)
    }
}

/// Ids of all specialization constants.
pub(super) fn spec_constants(index: &Index<'_>) -> BTreeSet<u32> {
    let constants = index.globals().filter(|inst| op::is_spec_constant(inst.opcode));
    constants.map(|inst| inst.operand(1)).collect()
}

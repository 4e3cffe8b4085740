//! Finds the kernels that use some of a module's ids.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::spirv::{Index, Reflection, grammar};

/// The functions that name some ids in their code, or that call such functions directly or indirectly.
#[derive(Debug, Default)]
pub(super) struct Users(HashSet<u32>);

impl Users {
    /// Finds the users of these ids.
    pub(super) fn new(index: &Index<'_>, reflection: &Reflection, ids: &BTreeSet<u32>) -> Self {
        let mut users = Self::default();
        if ids.is_empty() {
            return users;
        }
        let mut open = Vec::new();
        for function in &index.functions {
            for inst in index.module.range(function.first, function.end) {
                // Instructions unknown to the grammar use no known id.
                let _ = index.ids(&inst, |_, id| open.extend(ids.contains(&id).then_some(function.id)));
            }
        }
        let mut callers: HashMap<u32, Vec<u32>> = HashMap::new();
        for callee in &reflection.call_graph.functions {
            for &next in callee.calls.iter().chain(&callee.takes_address_of) {
                callers.entry(next).or_default().push(callee.id);
            }
        }
        while let Some(id) = open.pop() {
            if users.0.insert(id) {
                open.extend(callers.get(&id).into_iter().flatten());
            }
        }
        users
    }

    /// Returns whether a function is a user.
    pub(super) fn has(&self, function: u32) -> bool {
        self.0.contains(&function)
    }
}

/// Returns the ids of all specialization constants.
pub(super) fn spec_constants(index: &Index<'_>) -> BTreeSet<u32> {
    let constants = index.globals().filter(|inst| grammar::is_spec_constant(inst.opcode));
    constants.map(|inst| inst.operand(1)).collect()
}

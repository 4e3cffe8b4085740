//! Kernels that a driver cannot be made to run, and modules without them.

use std::collections::{HashMap, HashSet};
use std::fmt;

use rspirv::spirv::{Decoration, LinkageType, Op};

use crate::room::filled;
use crate::spirv::Index;
use crate::spirv::Module;
use crate::spirv::SpirvError;
use crate::spirv::extract::{Extraction, Extractor};
use crate::spirv::references::References;

/// A kernel, or a function for other modules, that a driver cannot be made to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Its name.
    pub name: String,
    /// Whether it is a kernel.
    pub is_kernel: bool,
    /// The reason, as a sentence about "it".
    pub reason: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.is_kernel { "kernel" } else { "function" };
        write!(out, "{kind} {} is refused: {}", self.name, self.reason)
    }
}

/// A function or a variable that the driver cannot handle, with the reason.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) id: u32,
    pub(super) reason: String,
}

/// A function that is called from outside its module.
pub(super) struct Root {
    pub(super) id: u32,
    name: String,
    is_kernel: bool,
}

/// Returns the kernels, and the functions that other modules may call.
pub(super) fn roots(index: &Index<'_>) -> Vec<Root> {
    let entries = index.globals().filter(|inst| inst.opcode == Op::EntryPoint).map(|inst| {
        let name = inst.text(2).map(|(name, _)| name).unwrap_or_default();
        Root { id: inst.operand(1), name, is_kernel: true }
    });
    let mut roots: Vec<Root> = entries.collect();
    let kernels: HashSet<u32> = roots.iter().map(|root| root.id).collect();
    for function in index.functions.iter().filter(|function| !kernels.contains(&function.id)) {
        for linkage in index.decorations(function.id, Decoration::LinkageAttributes) {
            let exported =
                linkage.text(2).filter(|(_, after)| linkage.operand(*after) == LinkageType::Export as u32);
            roots.extend(exported.map(|(name, _)| Root { id: function.id, name, is_kernel: false }));
        }
    }
    roots
}

/// Returns the module without the kernels and exported functions that reach a fault, and adds these to `refused`.
///
/// # Errors
/// Fails if nothing is left.
pub(super) fn without(
    index: &Index<'_>,
    faults: &[Fault],
    refused: &mut Vec<Refusal>,
) -> Result<Module, SpirvError> {
    let reasons = reasons(index, faults)?;
    let (lost, kept): (Vec<Root>, Vec<Root>) =
        roots(index).into_iter().partition(|root| reasons.contains_key(&root.id));
    let earlier = refused.len();
    refused.extend(lost.into_iter().map(|root| Refusal {
        reason: reasons.get(&root.id).map(|fault| fault.reason.clone()).unwrap_or_default(),
        name: root.name,
        is_kernel: root.is_kernel,
    }));
    let first = || match (refused.first(), faults.first()) {
        (Some(refusal), _) => SpirvError::whole(refusal.to_string()),
        (None, Some(fault)) => SpirvError::whole(fault.reason.clone()),
        (None, None) => SpirvError::whole("a kernel is refused"),
    };
    if kept.is_empty() {
        return Err(first());
    }
    let (kernels, functions): (Vec<Root>, Vec<Root>) = kept.into_iter().partition(|root| root.is_kernel);
    let part = Extraction {
        entries: kernels.into_iter().map(|root| root.id).collect(),
        exports: functions.into_iter().map(|root| (root.id, root.name)).collect(),
        ..Extraction::default()
    };
    let rest = Extractor::new(index)?.extract(&part)?;
    // Functions that nothing calls are gone now, too, so each round leaves less.
    if refused.len() == earlier && rest.len() >= index.module.len() {
        return Err(first());
    }
    Ok(rest)
}

/// Returns the first fault that each id reaches.
fn reasons<'f>(index: &Index<'_>, faults: &'f [Fault]) -> Result<HashMap<u32, &'f Fault>, SpirvError> {
    let users = References::from_index(index)?.inverted()?;
    let mut seen = filled(false, index.module.bound() as usize)?;
    let mut reasons = HashMap::new();
    for fault in faults {
        let mut open = vec![fault.id];
        while let Some(id) = open.pop() {
            if let Some(mark) = seen.get_mut(id as usize).filter(|mark| !**mark) {
                *mark = true;
                reasons.insert(id, fault);
                open.extend(users.from(id));
            }
        }
    }
    Ok(reasons)
}

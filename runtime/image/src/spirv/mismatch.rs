//! Functions that need more than their kernels say ("Behavior for optional kernel features", Error checking for SYCL_EXTERNAL
//! functions).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::index::Index;
use super::op;
use super::reflect::Reflection;
use crate::aspect;

/// A function that uses an aspect that its kernel does not expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The function.
    pub function: String,
    /// The aspect.
    pub aspect: u32,
    /// Where the function uses it: `file:line:column`, if the code has lines.
    pub used_at: Option<String>,
    /// The way from the kernel to the function: names, and where each is called.
    pub chain: Vec<(String, Option<String>)>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.used_at {
            write!(out, "{place}: ")?;
        }
        writeln!(
            out,
            "warning: function '{}' uses aspect '{}' not expected by its calling kernel. Missing [[sycl::device_has()]] on \
             SYCL_EXTERNAL function?",
            self.function,
            aspect::describe(self.aspect)
        )?;
        write!(out, "use is from this call chain:")?;
        for (name, place) in &self.chain {
            write!(out, "\n  {name}()")?;
            if let Some(place) = place {
                write!(out, " {place}")?;
            }
        }
        if self.used_at.is_none() {
            write!(out, "\ncompile with '-g' to get source location")?;
        }
        Ok(())
    }
}

/// For each kernel with the aspects that it expects, the functions that it reaches and that use others: each function and
/// aspect once.
pub fn mismatches(
    index: &Index<'_>,
    reflection: &Reflection,
    expected: &BTreeMap<String, BTreeSet<u32>>,
) -> Vec<Mismatch> {
    let mut found: Vec<Mismatch> = Vec::new();
    let mut told = BTreeSet::new();
    for entry in &reflection.entry_points {
        let Some(expected) = expected.get(&entry.name) else { continue };
        let calls = &reflection.call_graph;
        for id in calls.reachable(entry.id).into_iter().filter(|&id| id != entry.id) {
            let Some(callee) = calls.get(id) else { continue };
            let surplus = callee.aspects.difference(expected);
            for &aspect in surplus.filter(|&&aspect| told.insert((id, aspect))) {
                let ids = calls.chain(entry.id, id).unwrap_or_default();
                let mut chain: Vec<(String, Option<String>)> = Vec::new();
                for (at, &id) in ids.iter().enumerate() {
                    let caller = at.checked_sub(1).and_then(|at| ids.get(at));
                    let name = name(index, reflection, id);
                    // An entry point stands for the function of the same name, which it calls.
                    let doubled = chain.last().is_some_and(|(last, _)| *last == name);
                    if !doubled {
                        chain.push((
                            name,
                            caller.and_then(|&caller| place(index, caller, |inst| calls_it(inst, id))),
                        ));
                    }
                }
                let used_at = place(index, id, |inst| uses_it(index, inst, aspect));
                found.push(Mismatch { function: name(index, reflection, id), aspect, used_at, chain });
            }
        }
    }
    found
}

fn name(index: &Index<'_>, reflection: &Reflection, id: u32) -> String {
    let entry = reflection.entry_points.iter().find(|entry| entry.id == id);
    let symbol =
        || reflection.linkage.iter().find(|symbol| symbol.id == id).map(|symbol| symbol.name.clone());
    let name = entry.map(|entry| entry.name.clone()).or_else(symbol).or_else(|| index.name(id));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("%{id}"))
}

fn calls_it(inst: &super::Inst<'_>, id: u32) -> bool {
    inst.opcode == op::OpFunctionCall && inst.operand(2) == id
}

/// Whether the type of an instruction's result needs an aspect.
fn uses_it(index: &Index<'_>, inst: &super::Inst<'_>, aspect: u32) -> bool {
    let mut kind = super::grammar::result_type(inst).and_then(|id| index.definition(id));
    if kind.is_some_and(|kind| matches!(kind.opcode, op::OpTypeVector | op::OpTypeArray)) {
        kind = kind.and_then(|kind| index.definition(kind.operand(1)));
    }
    let width = kind.filter(|kind| kind.opcode == op::OpTypeFloat).map(|kind| kind.operand(1));
    match aspect {
        aspect::FP16 => width == Some(16),
        aspect::FP64 => width == Some(64),
        aspect::ATOMIC64 => (op::OpAtomicLoad..=op::OpAtomicXor).contains(&inst.opcode),
        _ => false,
    }
}

/// The line of the first instruction of a function for which `is_it` holds.
fn place(index: &Index<'_>, function: u32, is_it: impl Fn(&super::Inst<'_>) -> bool) -> Option<String> {
    let function = index.function(function)?;
    let mut line = None;
    for inst in index.module.range(function.first, function.end) {
        match inst.opcode {
            op::OpLine => line = Some(inst),
            // What holds for one block does not for the next.
            op::OpNoLine | op::OpLabel => line = None,
            _ if is_it(&inst) => {
                let line = line?;
                let (file, _) = index.definition(line.operand(0))?.text(1)?;
                return Some(format!("{file}:{}:{}", line.operand(1), line.operand(2)));
            }
            _ => {}
        }
    }
    None
}

//! Finds functions that need more than their kernels declare ("Behavior for optional kernel features", Error checking
//! for SYCL_EXTERNAL functions).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use rspirv::spirv::Op;

use super::Index;
use super::reflect::Reflection;
use crate::aspect;

/// A function that uses an aspect that its kernel does not expect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The function.
    pub function: String,
    /// The aspect.
    pub aspect: u32,
    /// The place where the function uses it, as `file:line:column`, if the code has line information.
    pub used_at: Option<String>,
    /// The calls from the kernel to the function: names, and the place of each call.
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

/// Returns the functions that use aspects which the kernels calling them, directly or indirectly, do not expect. Each
/// pair of function and aspect is returned once. `expected` has each kernel's aspects.
pub fn mismatches(
    index: &Index<'_>,
    reflection: &Reflection,
    expected: &BTreeMap<String, BTreeSet<u32>>,
) -> Vec<Mismatch> {
    let mut found: Vec<Mismatch> = Vec::new();
    let mut told = BTreeSet::new();
    let names = FunctionNames::new(reflection);
    let calls = &reflection.call_graph;
    // If one kernel reached a function, other kernels that expect the same aspects need not check it again.
    let mut seen: BTreeMap<&BTreeSet<u32>, BTreeSet<u32>> = BTreeMap::new();
    for entry in &reflection.entry_points {
        let Some(expected) = expected.get(&entry.name) else { continue };
        let reached = calls.reachable_beside(entry.id, seen.entry(expected).or_default());
        for id in reached.into_iter().filter(|&id| id != entry.id) {
            let Some(callee) = calls.get(id) else { continue };
            let surplus = callee.aspects.difference(expected);
            for &aspect in surplus.filter(|&&aspect| told.insert((id, aspect))) {
                let ids = calls.chain(entry.id, id).unwrap_or_default();
                let mut chain: Vec<(String, Option<String>)> = Vec::new();
                for (at, &id) in ids.iter().enumerate() {
                    let caller = at.checked_sub(1).and_then(|at| ids.get(at));
                    let name = names.get(index, id);
                    // An entry point stands for the function of the same name that it calls.
                    let doubled = chain.last().is_some_and(|(last, _)| *last == name);
                    if !doubled {
                        chain.push((
                            name,
                            caller.and_then(|&caller| place(index, caller, |inst| calls_it(inst, id))),
                        ));
                    }
                }
                let used_at = place(index, id, |inst| uses_it(index, inst, aspect));
                found.push(Mismatch { function: names.get(index, id), aspect, used_at, chain });
            }
        }
    }
    found
}

/// Returns the exported functions that kernels for fixed targets reach but that support other targets ("Behavior for
/// optional kernel features", Error checking for SYCL_EXTERNAL functions), each once, by name. Both maps have targets
/// by names.
pub fn target_mismatches(
    reflection: &Reflection,
    kernels: &BTreeMap<String, BTreeSet<u32>>,
    functions: &BTreeMap<String, BTreeSet<u32>>,
) -> BTreeSet<String> {
    let symbols: HashMap<u32, &String> =
        reflection.linkage.iter().map(|symbol| (symbol.id, &symbol.name)).collect();
    let mut seen: BTreeMap<&BTreeSet<u32>, BTreeSet<u32>> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for entry in &reflection.entry_points {
        let Some(expected) = kernels.get(&entry.name) else { continue };
        for id in reflection.call_graph.reachable_beside(entry.id, seen.entry(expected).or_default()) {
            let symbol = symbols.get(&id).filter(|_| id != entry.id);
            let targets = symbol.and_then(|name| Some((*name, functions.get(*name)?)));
            if let Some((name, _)) = targets.filter(|(_, targets)| !targets.is_subset(expected)) {
                found.insert(name.clone());
            }
        }
    }
    found
}

/// The names of kernels and symbols, by function.
struct FunctionNames<'r>(HashMap<u32, &'r str>);

impl<'r> FunctionNames<'r> {
    fn new(reflection: &'r Reflection) -> Self {
        let symbols = reflection.linkage.iter().rev().map(|symbol| (symbol.id, symbol.name.as_str()));
        let kernels = reflection.entry_points.iter().rev().map(|entry| (entry.id, entry.name.as_str()));
        Self(symbols.chain(kernels).filter(|(_, name)| !name.is_empty()).collect())
    }

    fn get(&self, index: &Index<'_>, id: u32) -> String {
        let name = self.0.get(&id).map(|name| (*name).to_owned()).or_else(|| index.name(id));
        name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("%{id}"))
    }
}

fn calls_it(inst: &super::Inst<'_>, id: u32) -> bool {
    inst.opcode == Op::FunctionCall && inst.operand(2) == id
}

/// Returns whether the type of an instruction's result needs an aspect.
fn uses_it(index: &Index<'_>, inst: &super::Inst<'_>, aspect: u32) -> bool {
    let mut kind = super::grammar::result_type(inst).and_then(|id| index.definition(id));
    if kind.is_some_and(|kind| matches!(kind.opcode, Op::TypeVector | Op::TypeArray)) {
        kind = kind.and_then(|kind| index.definition(kind.operand(1)));
    }
    let width = kind.filter(|kind| kind.opcode == Op::TypeFloat).map(|kind| kind.operand(1));
    match aspect {
        aspect::FP16 => width == Some(16),
        aspect::FP64 => width == Some(64),
        aspect::ATOMIC64 => (Op::AtomicLoad..=Op::AtomicXor).contains(&inst.opcode),
        _ => false,
    }
}

/// Returns the line of the first instruction in a function for which `is_it` holds.
fn place(index: &Index<'_>, function: u32, is_it: impl Fn(&super::Inst<'_>) -> bool) -> Option<String> {
    let function = index.function(function)?;
    let mut line = None;
    for inst in index.module.range(function.first, function.end) {
        match inst.opcode {
            Op::Line => line = Some(inst),
            // A line applies only within its block.
            Op::NoLine | Op::Label => line = None,
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

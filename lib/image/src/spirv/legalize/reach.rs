//! The variables that each kernel reaches.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::Op;

use super::draft::Draft;
use super::line::Line;
use crate::spirv::grammar;

/// Returns, for the function of each entry point, the variables outside functions that its code reaches through calls,
/// addresses of functions, and initial values.
pub(super) fn variables(draft: &Draft) -> HashMap<u32, HashSet<u32>> {
    let variables: HashSet<u32> = draft
        .globals
        .iter()
        .filter(|line| line.opcode() == Op::Variable)
        .map(|line| line.operand(1))
        .collect();
    let mut names: HashMap<u32, Vec<u32>> = HashMap::new();
    // The ids through which code can reach a variable.
    let leads: HashSet<u32> = draft
        .globals
        .iter()
        .filter(|line| grammar::result_type(&line.inst()).is_some())
        .map(|line| line.operand(1))
        .chain(draft.functions.iter().map(super::draft::Function::id))
        .collect();
    let mut add = |from: u32, line: &Line| {
        let named = names.entry(from).or_default();
        // Without a grammar for the instruction, any operand may be an id.
        let ids = draft.ids(line).unwrap_or_else(|_| line.operands.clone());
        named.extend(ids.into_iter().filter(|id| *id != from && leads.contains(id)));
    };
    for line in draft.globals.iter().filter(|line| leads.contains(&line.operand(1))) {
        if grammar::result_type(&line.inst()).is_some() {
            add(line.operand(1), line);
        }
    }
    for function in &draft.functions {
        function.lines.iter().for_each(|line| add(function.id(), line));
    }
    let entries = draft.globals.iter().filter(|line| line.opcode() == Op::EntryPoint);
    entries.map(|line| (line.operand(1), reached(line.operand(1), &names, &variables))).collect()
}

fn reached(from: u32, names: &HashMap<u32, Vec<u32>>, variables: &HashSet<u32>) -> HashSet<u32> {
    let mut seen = HashSet::from([from]);
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        let named = names.get(&id).into_iter().flatten();
        open.extend(named.copied().filter(|id| seen.insert(*id)));
    }
    seen.retain(|id| variables.contains(id));
    seen
}

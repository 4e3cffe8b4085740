//! Makes the values that leave a loop look different to each work-item.
//!
//! PoCL keeps a value for each work-item only if it seems to depend on the work-item. A value computed from a loop's
//! counter does not seem to, but it does depend on it if work-items leave the loop at different times. Behind a barrier,
//! all of them then get the value of the last one. Where several ways leave a loop, LLVM also computes from the counter
//! which value a phi chooses.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use rspirv::spirv::{MemoryAccess, Op, StorageClass};

use super::draft::{Draft, Function};
use super::flow::{self, Dominators};
use super::line::Line;
use super::loops::Loops;
use super::work_items;
use crate::room::{reserve, room};
use crate::spirv::{SpirvError, grammar};

/// Replaces the values that are used outside their loops.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.each_function(|draft, function| {
        let values = values(draft, function)?;
        if values.is_empty() { Ok(()) } else { replace(draft, function, values) }
    })
}

/// The values of loops that are used outside them.
#[derive(Default)]
struct Values {
    /// Those that a loop computes, with the places of the instructions outside the loop that use each.
    computed: BTreeMap<u32, Vec<usize>>,
    /// Those that a phi chooses where several ways leave a loop.
    chosen: BTreeSet<u32>,
}

impl Values {
    fn is_empty(&self) -> bool {
        self.computed.is_empty() && self.chosen.is_empty()
    }
}

/// Returns these values of a function. PoCL keeps those that a phi chooses inside a loop.
fn values(draft: &Draft, function: &Function) -> Result<Values, SpirvError> {
    let mut values = Values::default();
    let lines = &function.lines;
    if !lines.iter().any(|line| line.opcode() == Op::Phi) {
        return Ok(values);
    }
    let blocks = flow::blocks(draft, lines)?;
    let loops = Loops::of(&blocks, &Dominators::of(&blocks)?, |_| false)?;
    let mut owners = HashMap::new();
    let mut labels = HashMap::new();
    for (number, block) in blocks.iter().enumerate() {
        let code = lines.get(block.lines.clone()).unwrap_or_default();
        labels.insert(code.first().map_or(0, |label| label.operand(0)), number);
        let Some(around) = loops.innermost(number) else { continue };
        for line in code.iter().filter(|line| is_computed(line)) {
            grammar::result(&line.inst()).map(|id| owners.insert(id, around));
        }
    }
    let replaced = replaced(draft, lines);
    for (number, block) in blocks.iter().enumerate() {
        for at in block.lines.clone() {
            let Some(line) = lines.get(at) else { continue };
            let is_phi = line.opcode() == Op::Phi;
            let before = |label: Option<&u32>| labels.get(label?).copied();
            if is_phi && !replaced.contains(&line.operand(1)) {
                let parents = line.operands.iter().skip(3).step_by(2).filter_map(|label| before(Some(label)));
                let leaves = |from: &usize| loops.outermost_without(*from, number).is_some();
                if parents.filter(leaves).count() > 1 {
                    values.chosen.insert(line.operand(1));
                }
            }
            let ids = draft.ids(line).unwrap_or_default();
            for (place, id) in ids.iter().enumerate() {
                let Some(&around) = owners.get(id).filter(|_| !replaced.contains(id)) else { continue };
                // A phi takes a value at the end of the block before, which is its next operand.
                let block = before(ids.get(place + 1)).filter(|_| is_phi).unwrap_or(number);
                if !loops.contains(around, block) {
                    values.computed.entry(*id).or_default().push(at);
                }
            }
        }
    }
    let is_known = |id: &u32| {
        let kind = draft.kind(*id).and_then(|kind| draft.definition(kind)).map(Line::opcode);
        let kinds = [Op::TypeBool, Op::TypeInt, Op::TypeFloat, Op::TypeVector, Op::TypePointer];
        kind.is_some_and(|kind| kinds.contains(&kind))
    };
    values.computed.retain(|id, _| is_known(id));
    values.chosen.retain(is_known);
    Ok(values)
}

/// Returns whether an instruction computes a value of others, except for a phi.
fn is_computed(line: &Line) -> bool {
    !matches!(line.opcode(), Op::Phi | Op::Label | Op::Variable | Op::FunctionCall)
        && grammar::result_type(&line.inst()).is_some()
}

/// Returns the values that this rewrite has replaced or made.
fn replaced(draft: &Draft, lines: &[Line]) -> HashSet<u32> {
    let mut never = HashSet::new();
    let mut replaced = HashSet::new();
    for line in lines {
        match line.opcode() {
            Op::IEqual if work_items::is_never(draft, line) => drop(never.insert(line.operand(1))),
            Op::CompositeConstruct if never.contains(&line.operand(2)) => drop(never.insert(line.operand(1))),
            Op::Select if never.contains(&line.operand(2)) => {
                replaced.extend([line.operand(1), line.operand(4)]);
            }
            Op::Store if line.operand(2) == MemoryAccess::VOLATILE.bits() => {
                replaced.insert(line.operand(1));
            }
            Op::Load if line.operand(3) == MemoryAccess::VOLATILE.bits() => {
                replaced.insert(line.operand(1));
            }
            _ => {}
        }
    }
    replaced
}

/// Selects each computed value by a truth value that is always true, but computed from the work-item's number. Stores
/// those that phis choose, and loads them again.
fn replace(draft: &mut Draft, function: &mut Function, values: Values) -> Result<(), SpirvError> {
    const PRIVATE: u32 = StorageClass::Function as u32;
    let volatile = MemoryAccess::VOLATILE.bits();
    let mut renamed: BTreeMap<u32, u32> = BTreeMap::new();
    let mut uses: HashMap<usize, Vec<u32>> = HashMap::new();
    for (id, places) in values.computed {
        renamed.insert(id, draft.id()?);
        places.iter().for_each(|&place| uses.entry(place).or_default().push(id));
    }
    let mut loaded = HashMap::new();
    for &id in &values.chosen {
        loaded.insert(id, draft.id()?);
    }
    let before = std::mem::take(&mut function.lines);
    let label = before.iter().position(|line| line.opcode() == Op::Label).unwrap_or(0);
    let first = before.iter().skip(label + 1).take_while(|line| line.opcode() == Op::Variable).count();
    let mut code = room(before.len())?;
    let mut variables = Vec::new();
    let mut never = 0;
    let mut chosen: Vec<u32> = Vec::new();
    for (at, line) in before.into_iter().enumerate() {
        if at == label + 1 + first && !renamed.is_empty() {
            never = work_items::never(draft, &mut code)?;
        }
        let is_phi = line.opcode() == Op::Phi;
        for id in chosen.drain(..if is_phi { 0 } else { chosen.len() }) {
            let kind = draft.kind(id).unwrap_or(0);
            let pointer = draft.type_of(Op::TypePointer, &[PRIVATE, kind])?;
            let variable = draft.emit(&mut variables, Op::Variable, pointer, &[PRIVATE])?;
            code.push(Line::new(Op::Store, &[variable, id, volatile]));
            let new = loaded.get(&id).copied().unwrap_or(0);
            draft.emit_as(&mut code, new, Op::Load, kind, &[variable, volatile])?;
        }
        let made = grammar::result(&line.inst());
        let own = made.and_then(|id| loaded.remove_entry(&id));
        let mut line = draft.with_ids(&line, &loaded)?;
        loaded.extend(own);
        if let Some(ids) = uses.get(&at) {
            let new = ids.iter().filter_map(|id| Some((*id, *renamed.get(id)?))).collect();
            line = draft.with_ids(&line, &new)?;
        }
        reserve(&mut code, 1)?;
        code.push(line);
        chosen.extend(made.filter(|id| loaded.contains_key(id)));
        if let Some((id, new)) = made.and_then(|id| Some((id, *renamed.get(&id)?))) {
            let kind = draft.kind(id).unwrap_or(0);
            let none = draft.no_value(kind)?;
            let condition = draft.spread(&mut code, never, kind)?;
            draft.emit_as(&mut code, new, Op::Select, kind, &[condition, none, id])?;
        }
    }
    code.splice(label + 1..label + 1, variables);
    function.lines = code;
    Ok(())
}

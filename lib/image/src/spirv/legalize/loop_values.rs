//! Makes what a loop leaves behind look different to each work-item.
//!
//! PoCL keeps a value for each work-item only if it seems to depend on the work-item. What a loop computes from its counter
//! does not, although it does as soon as work-items leave the loop at different times. Behind a barrier, all of them then
//! get the value of the last one.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::Op;

use super::draft::{Draft, Function};
use super::flow::{self, Dominators};
use super::line::Line;
use super::loops::Loops;
use super::work_items;
use crate::room::{reserve, room};
use crate::spirv::{SpirvError, grammar};

/// Replaces the values that are used outside their loops.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let mut functions = std::mem::take(&mut draft.functions);
    for function in &mut functions {
        let values = values(draft, function)?;
        if !values.is_empty() {
            replace(draft, function, &values)?;
        }
    }
    draft.functions = functions;
    Ok(())
}

/// Returns the values that a loop computes, with the places of the instructions outside the loop that use each. PoCL keeps
/// those that a phi chooses.
fn values(draft: &Draft, function: &Function) -> Result<HashMap<u32, Vec<usize>>, SpirvError> {
    let lines = &function.lines;
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
    let mut values: HashMap<u32, Vec<usize>> = HashMap::new();
    if owners.is_empty() {
        return Ok(values);
    }
    let varied = varied(draft, lines);
    for (number, block) in blocks.iter().enumerate() {
        for at in block.lines.clone() {
            let Some(line) = lines.get(at) else { continue };
            let is_phi = line.opcode() == Op::Phi;
            let ids = draft.ids(line).unwrap_or_default();
            for (place, id) in ids.iter().enumerate() {
                let Some(&around) = owners.get(id).filter(|_| !varied.contains(id)) else { continue };
                // A phi takes a value at the end of the block before, which is its next operand.
                let before = ids.get(place + 1).and_then(|label| labels.get(label)).copied();
                let block = before.filter(|_| is_phi).unwrap_or(number);
                if !loops.contains(around, block) {
                    values.entry(*id).or_default().push(at);
                }
            }
        }
    }
    Ok(values)
}

/// Returns whether an instruction computes a value of others, except for a phi.
fn is_computed(line: &Line) -> bool {
    !matches!(line.opcode(), Op::Phi | Op::Label | Op::Variable | Op::FunctionCall)
        && grammar::result_type(&line.inst()).is_some()
}

/// Returns the values that this rewrite has made.
fn varied(draft: &Draft, lines: &[Line]) -> HashSet<u32> {
    let mut never = HashSet::new();
    let mut varied = HashSet::new();
    for line in lines {
        match line.opcode() {
            Op::IEqual if work_items::is_never(draft, line) => drop(never.insert(line.operand(1))),
            Op::CompositeConstruct if never.contains(&line.operand(2)) => drop(never.insert(line.operand(1))),
            Op::Select if never.contains(&line.operand(2)) => {
                varied.extend([line.operand(1), line.operand(4)]);
            }
            _ => {}
        }
    }
    varied
}

/// Selects each value by a truth value that is always true, but computed from the work-item's number.
fn replace(
    draft: &mut Draft,
    function: &mut Function,
    values: &HashMap<u32, Vec<usize>>,
) -> Result<(), SpirvError> {
    let mut renamed: HashMap<u32, u32> = HashMap::new();
    let mut uses: HashMap<usize, Vec<u32>> = HashMap::new();
    for (&id, places) in values {
        let kind = draft.kind(id).and_then(|kind| draft.definition(kind)).map(Line::opcode);
        let is_chosen = matches!(
            kind,
            Some(Op::TypeBool | Op::TypeInt | Op::TypeFloat | Op::TypeVector | Op::TypePointer)
        );
        if is_chosen {
            renamed.insert(id, draft.id()?);
            places.iter().for_each(|&place| uses.entry(place).or_default().push(id));
        }
    }
    if renamed.is_empty() {
        return Ok(());
    }
    let before = std::mem::take(&mut function.lines);
    let label = before.iter().position(|line| line.opcode() == Op::Label).unwrap_or(0);
    let variables = before.iter().skip(label + 1).take_while(|line| line.opcode() == Op::Variable).count();
    let mut code = room(before.len())?;
    let mut never = 0;
    for (at, mut line) in before.into_iter().enumerate() {
        if at == label + 1 + variables {
            never = work_items::never(draft, &mut code)?;
        }
        if let Some(ids) = uses.get(&at) {
            let new = ids.iter().filter_map(|id| Some((*id, *renamed.get(id)?))).collect();
            line = draft.with_ids(&line, &new)?;
        }
        let made = grammar::result(&line.inst()).filter(|id| renamed.contains_key(id));
        reserve(&mut code, 1)?;
        code.push(line);
        if let Some((id, new)) = made.and_then(|id| Some((id, *renamed.get(&id)?))) {
            let kind = draft.kind(id).unwrap_or(0);
            let none = draft.no_value(kind)?;
            let condition = draft.spread(&mut code, never, kind)?;
            draft.emit_as(&mut code, new, Op::Select, kind, &[condition, none, id])?;
        }
    }
    function.lines = code;
    Ok(())
}

//! Makes loops look different to each work-item.
//!
//! PoCL adds barriers to a loop that all work-items repeat equally often, so that it can run each round for all of them.
//! Next to branches, that makes barriers that not all ways pass. Then 7.1 runs code before or behind the loop twice, and
//! aborts at some switches. It adds no barriers to a loop that seems to depend on the work-item.

use std::collections::HashSet;

use rspirv::spirv::Op;

use super::barriers;
use super::draft::{Draft, Function};
use super::flow::{self, Block, Dominators};
use super::line::Line;
use super::loops::Loops;
use super::work_items;
use crate::room::{reserve, room};
use crate::spirv::SpirvError;

/// Changes the conditions by which loops without barriers are left, where a function has other branches. A function that
/// is called becomes part of its callers.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let mut found = room(draft.functions.len())?;
    for function in &draft.functions {
        found.push(branches(draft, function)?);
    }
    let mut lines = draft.functions.iter().flat_map(|function| &function.lines);
    let has_calls = lines.any(|line| line.opcode() == Op::FunctionCall);
    let is_any_chosen = has_calls && found.iter().any(|branches| branches.has_choice);
    let mut found = found.into_iter();
    draft.each_function(|draft, function| match found.next() {
        Some(branches) if !branches.exits.is_empty() && (branches.has_choice || is_any_chosen) => {
            vary(draft, function, &branches.exits)
        }
        _ => Ok(()),
    })
}

/// The branches of a function.
#[derive(Default)]
struct Branches {
    /// The places of those that leave a loop without barriers.
    exits: HashSet<usize>,
    /// Whether there are others, except for tests whether a loop has a first round.
    has_choice: bool,
}

fn branches(draft: &Draft, function: &Function) -> Result<Branches, SpirvError> {
    let lines = &function.lines;
    let mut found = Branches::default();
    if !lines.iter().any(is_choice) {
        return Ok(found);
    }
    let blocks = flow::blocks(draft, lines)?;
    let dominators = Dominators::of(&blocks)?;
    let code =
        |at: usize| blocks.get(at).and_then(|block| lines.get(block.lines.clone())).unwrap_or_default();
    let waits = |at: usize| code(at).iter().any(|line| barriers::is_barrier(line.opcode()));
    let loops = Loops::of(&blocks, &dominators, waits)?;
    for (at, block) in blocks.iter().enumerate() {
        let Some(place) = code(at).iter().rposition(is_choice) else { continue };
        let around = loops.innermost(at);
        let leaves = |&to: &usize| around.is_some_and(|id| !loops.contains(id, to));
        if let Some(&to) = block.next.iter().find(|to| leaves(to)) {
            if !loops.is_left_together(at, to) {
                found.exits.insert(block.lines.start + place);
            }
        } else {
            let graph = LoopGraph { lines, blocks: &blocks, loops: &loops };
            found.has_choice = found.has_choice || !graph.is_guard(at);
        }
    }
    Ok(found)
}

fn is_choice(line: &Line) -> bool {
    matches!(line.opcode(), Op::BranchConditional | Op::Switch)
}

struct LoopGraph<'f> {
    lines: &'f [Line],
    blocks: &'f [Block],
    loops: &'f Loops,
}

impl LoopGraph<'_> {
    /// Returns whether a block ends with the test whether a loop has a first round: one way leads straight to the loop, and
    /// the other one straight to where the loop leads.
    fn is_guard(&self, at: usize) -> bool {
        let &[one, other] = self.next(at) else { return false };
        let leads = |start: usize, past: usize| {
            let inside = self.straight(start).into_iter().find_map(|block| self.loops.innermost(block));
            let Some(id) = inside.filter(|&id| !self.loops.contains(id, at)) else { return false };
            let is_inside = |block: &usize| self.loops.contains(id, *block);
            let exits = (0..self.blocks.len()).filter(is_inside).flat_map(|block| self.next(block));
            exits.filter(|to| !is_inside(to)).all(|&exit| self.straight(exit).contains(&past))
        };
        leads(one, other) || leads(other, one)
    }

    fn code(&self, block: usize) -> &[Line] {
        self.blocks.get(block).and_then(|block| self.lines.get(block.lines.clone())).unwrap_or_default()
    }

    fn next(&self, block: usize) -> &[usize] {
        self.blocks.get(block).map(|block| block.next.as_slice()).unwrap_or_default()
    }

    /// Returns the blocks on the only way from a block, up to the first one that does something.
    fn straight(&self, start: usize) -> Vec<usize> {
        let mut way = vec![start];
        let mut at = start;
        while let ([next], false) = (self.next(at), flow::has_effect(self.code(at))) {
            if way.len() > self.blocks.len() {
                break;
            }
            at = *next;
            way.push(at);
        }
        way
    }
}

/// Changes the conditions of branches by a truth value that is always false, but computed from the work-item's number.
fn vary(draft: &mut Draft, function: &mut Function, branches: &HashSet<usize>) -> Result<(), SpirvError> {
    let boolean = draft.boolean()?;
    let before = std::mem::take(&mut function.lines);
    let mut code: Vec<Line> = room(before.len())?;
    for (at, mut line) in before.into_iter().enumerate() {
        let is_done = || code.iter().rev().take(5).any(|line| work_items::is_never(draft, line));
        if branches.contains(&at) && !is_done() {
            let merge = code.pop_if(|line| matches!(line.opcode(), Op::SelectionMerge | Op::LoopMerge));
            let never = work_items::never(draft, &mut code)?;
            let chosen = line.operand(0);
            let varied = if line.opcode() == Op::Switch {
                let kind =
                    draft.kind(chosen).ok_or_else(|| SpirvError::whole("a switch's number has no type"))?;
                let (one, none) = (draft.constant(kind, 1)?, draft.constant(kind, 0)?);
                let more = draft.emit(&mut code, Op::Select, kind, &[never, one, none])?;
                draft.emit(&mut code, Op::IAdd, kind, &[chosen, more])?
            } else {
                draft.emit(&mut code, Op::LogicalNotEqual, boolean, &[chosen, never])?
            };
            line.operands.first_mut().into_iter().for_each(|chosen| *chosen = varied);
            reserve(&mut code, 1)?;
            code.extend(merge);
        }
        reserve(&mut code, 1)?;
        code.push(line);
    }
    function.lines = code;
    Ok(())
}

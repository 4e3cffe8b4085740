//! Makes branches around loops look different to each work-item.
//!
//! PoCL adds barriers to a loop that all work-items repeat equally often, so that it can run each round for all of them.
//! If branches lead to the loop, that makes barriers that not all ways pass. Then 7.1 runs code before the loop twice in a
//! work-group of one work-item, and aborts at some switches. It adds no barriers behind a branch that looks different to
//! each work-item.

use std::collections::HashSet;

use rspirv::spirv::Op;

use super::draft::{Draft, Function};
use super::flow::{self, Block, Dominators};
use super::line::Line;
use super::loops::Loops;
use super::work_items;
use crate::room::{filled, reserve, room};
use crate::spirv::SpirvError;

/// The most blocks that are looked at for the loops of a function. If there are more, all branches are taken.
const MOST_VISITS: usize = 1 << 22;

/// Changes the conditions and numbers of these branches in each function.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let mut functions = std::mem::take(&mut draft.functions);
    for function in &mut functions {
        let branches = branches(draft, function)?;
        if !branches.is_empty() {
            vary(draft, function, &branches)?;
        }
    }
    draft.functions = functions;
    Ok(())
}

/// Returns the places of the branches that decide whether a loop runs, except for the last conditional branch before it,
/// which tests whether the loop has a round. A function that is called may have loops.
fn branches(draft: &Draft, function: &Function) -> Result<HashSet<usize>, SpirvError> {
    let lines = &function.lines;
    let is_choice = |line: &Line| matches!(line.opcode(), Op::BranchConditional | Op::Switch);
    if !lines.iter().any(is_choice) {
        return Ok(HashSet::new());
    }
    let blocks = flow::blocks(draft, lines)?;
    let dominators = Dominators::of(&blocks)?;
    let loops = Loops::of(&blocks, &dominators, |_| false)?;
    let code =
        |at: usize| blocks.get(at).and_then(|block| lines.get(block.lines.clone())).unwrap_or_default();
    let is_head = |at: usize| {
        let before = dominators.before.get(at).into_iter().flatten();
        before.copied().any(|from| dominators.dominates(at, from))
    };
    // A branch that leaves a loop decides how often that runs.
    let is_branch = |at: usize| {
        let next = blocks.get(at).map(|block| block.next.as_slice()).unwrap_or_default();
        let stays = |&next: &usize| loops.innermost(at).is_none_or(|id| loops.contains(id, next));
        code(at).iter().any(is_choice) && next.iter().all(stays)
    };
    let heads: Vec<usize> = dominators.order.iter().copied().filter(|&at| is_head(at)).collect();
    let has_call = |at: usize| code(at).iter().any(|line| line.opcode() == Op::FunctionCall);
    let calls: Vec<usize> = dominators.order.iter().copied().filter(|&at| has_call(at)).collect();
    let mut found = HashSet::new();
    if (heads.len() + calls.len()).saturating_mul(blocks.len()) > MOST_VISITS {
        found.extend(dominators.order.iter().copied().filter(|&at| is_branch(at)));
    } else {
        for &head in heads.iter().chain(&calls) {
            let mut decide = deciders(&blocks, &dominators, head)?;
            decide.retain(|&at| is_branch(at));
            let above = std::iter::successors(dominators.nearest(head), |&at| dominators.nearest(at));
            let last = above.take(blocks.len()).find(|&at| code(at).iter().any(is_choice));
            let is_guard =
                |at: &usize| Some(*at) == last && !code(*at).iter().any(|line| line.opcode() == Op::Switch);
            found.extend(decide.iter().filter(|at| !(is_head(head) && is_guard(at))));
        }
    }
    let place = |at: usize| {
        let block = blocks.get(at)?;
        let branch = lines.get(block.lines.clone())?.iter().rposition(is_choice)?;
        Some(block.lines.start + branch)
    };
    Ok(found.into_iter().filter_map(place).collect())
}

/// Returns the blocks from which some ways lead to this one, and others do not, without another round of a loop.
fn deciders(blocks: &[Block], dominators: &Dominators, to: usize) -> Result<Vec<usize>, SpirvError> {
    let mut leads = filled(false, blocks.len())?;
    let mut open = vec![to];
    while let Some(at) = open.pop() {
        if leads.get_mut(at).is_none_or(|leads| std::mem::replace(leads, true)) {
            continue;
        }
        let before = dominators.before.get(at).into_iter().flatten().copied();
        open.extend(before.filter(|&from| !dominators.dominates(at, from)));
    }
    let leads = |at: usize| leads.get(at).copied().unwrap_or(false);
    let decides = |at: &usize| {
        let next = blocks.get(*at).map(|block| block.next.as_slice()).unwrap_or_default();
        *at != to && leads(*at) && !next.iter().all(|&next| leads(next))
    };
    Ok((0..blocks.len()).filter(decides).collect())
}

/// Changes the conditions of branches by a truth value that is always false, but computed from the work-item's number.
fn vary(draft: &mut Draft, function: &mut Function, branches: &HashSet<usize>) -> Result<(), SpirvError> {
    let boolean = draft.boolean()?;
    let before = std::mem::take(&mut function.lines);
    let mut code: Vec<Line> = room(before.len())?;
    for (at, mut line) in before.into_iter().enumerate() {
        let is_done = code.iter().rev().take(5).any(|line| work_items::is_never(draft, line));
        if branches.contains(&at) && !is_done {
            let is_merge = |line: &Line| matches!(line.opcode(), Op::SelectionMerge | Op::LoopMerge);
            let merge = code.pop_if(|line| is_merge(line));
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

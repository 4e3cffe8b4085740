//! Replaces switches around loops by conditional branches.
//!
//! PoCL adds barriers to a loop that all work-items repeat as often, so that it can run each round for all of them. If
//! only one case of a switch leads to the loop, 7.1 aborts while it compiles the kernel.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{MemoryAccess, Op, StorageClass};

use super::draft::{Draft, Function};
use super::flow::{self, Dominators};
use super::line::Line;
use crate::room::{reserve, room};
use crate::spirv::SpirvError;

/// Replaces such switches in each function.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let mut functions = std::mem::take(&mut draft.functions);
    for function in &mut functions {
        let switches = switches(draft, function)?;
        if !switches.is_empty() {
            Replacement::default().replace(draft, function, &switches)?;
        }
    }
    draft.functions = functions;
    Ok(())
}

/// Returns the labels of the blocks of a function that end with such a switch. A function that is called may have loops.
fn switches(draft: &Draft, function: &Function) -> Result<Vec<u32>, SpirvError> {
    let lines = &function.lines;
    if !lines.iter().any(|line| line.opcode() == Op::Switch) {
        return Ok(Vec::new());
    }
    let blocks = flow::blocks(draft, lines)?;
    let dominators = Dominators::of(&blocks)?;
    let has = |at: usize, opcode: Op| {
        let code = blocks.get(at).and_then(|block| lines.get(block.lines.clone())).unwrap_or_default();
        code.iter().any(|line| line.opcode() == opcode)
    };
    let (mut switches, mut around) = (Vec::new(), HashSet::new());
    for &at in &dominators.order {
        if has(at, Op::Switch) {
            switches.push(at);
        }
        let before = dominators.before.get(at).into_iter().flatten();
        if has(at, Op::FunctionCall) || before.copied().any(|from| dominators.dominates(at, from)) {
            let above = |&at: &usize| dominators.nearest(at);
            around.extend(
                std::iter::successors(dominators.nearest(at), above)
                    .take_while(|at| !around.contains(at))
                    .collect::<Vec<_>>(),
            );
        }
    }
    switches.retain(|at| around.contains(at));
    let label = |&at: &usize| Some(lines.get(blocks.get(at)?.lines.start)?.operand(0));
    Ok(switches.iter().filter_map(label).collect())
}

/// The code of a function in which switches are replaced.
#[derive(Default)]
struct Replacement {
    code: Vec<Line>,
    variables: Vec<Line>,
    /// The new block that leads to a target, by the switch's block and the target.
    parents: HashMap<(u32, u32), u32>,
}

impl Replacement {
    fn replace(
        mut self,
        draft: &mut Draft,
        function: &mut Function,
        switches: &[u32],
    ) -> Result<(), SpirvError> {
        let before = std::mem::take(&mut function.lines);
        self.code = room(before.len())?;
        let mut block = 0;
        for line in before {
            if line.opcode() == Op::Label {
                block = line.operand(0);
            }
            match line.opcode() {
                Op::Switch if switches.contains(&block) => self.branch(draft, block, &line)?,
                _ => self.code.push(line),
            }
        }
        let mut block = 0;
        for line in &mut self.code {
            match line.opcode() {
                Op::Label => block = line.operand(0),
                Op::Phi => {
                    for parent in line.operands.iter_mut().skip(3).step_by(2) {
                        *parent = self.parents.get(&(*parent, block)).copied().unwrap_or(*parent);
                    }
                }
                _ => {}
            }
        }
        let first = self.code.iter().position(|line| line.opcode() == Op::Label).map_or(0, |first| first + 1);
        self.code.splice(first..first, self.variables);
        function.lines = self.code;
        Ok(())
    }

    /// Branches to one target after the other. The number is loaded from memory each time, so that no compiler makes a
    /// switch of the branches.
    fn branch(&mut self, draft: &mut Draft, switch_block: u32, switch: &Line) -> Result<(), SpirvError> {
        let (selector, default) = (switch.operand(0), switch.operand(1));
        let kind = draft.kind(selector).ok_or_else(|| SpirvError::whole("a switch's number has no type"))?;
        self.code.pop_if(|line| line.opcode() == Op::SelectionMerge);
        let (private, volatile) = (StorageClass::Function as u32, MemoryAccess::VOLATILE.bits());
        let pointer = draft.type_of(Op::TypePointer, &[private, kind])?;
        let variable = draft.emit(&mut self.variables, Op::Variable, pointer, &[private])?;
        self.code.push(Line::new(Op::Store, &[variable, selector, volatile]));
        let boolean = draft.boolean()?;
        let targets = targets(draft, switch, kind)?;
        let mut block = switch_block;
        for (at, Target { label, numbers }) in targets.iter().enumerate() {
            let loaded = draft.emit(&mut self.code, Op::Load, kind, &[variable, volatile])?;
            let mut is_target = draft.truth(false)?;
            for number in numbers {
                let number = draft.constant_of(Op::Constant, kind, number)?;
                let is_number = draft.emit(&mut self.code, Op::IEqual, boolean, &[loaded, number])?;
                is_target = draft.emit(&mut self.code, Op::LogicalOr, boolean, &[is_target, is_number])?;
            }
            let is_last = at + 1 == targets.len();
            let next = if is_last { default } else { draft.id()? };
            self.code.push(Line::new(Op::BranchConditional, &[is_target, *label, next]));
            self.parents.insert((switch_block, *label), block);
            if is_last {
                self.parents.insert((switch_block, default), block);
            } else {
                self.code.push(Line::new(Op::Label, &[next]));
                block = next;
            }
        }
        if targets.is_empty() {
            self.code.push(Line::new(Op::Branch, &[default]));
        }
        Ok(())
    }
}

/// A target of a switch.
struct Target {
    label: u32,
    /// Its numbers, of one word or two.
    numbers: Vec<Vec<u32>>,
}

/// Returns the targets of a switch other than its default.
fn targets(draft: &Draft, switch: &Line, kind: u32) -> Result<Vec<Target>, SpirvError> {
    let default = switch.operand(1);
    let is_wide = draft.definition(kind).is_some_and(|kind| kind.operand(1) == 64);
    let cases = switch.operands.get(2..).unwrap_or_default();
    let mut targets: Vec<Target> = Vec::new();
    for case in cases.chunks_exact(if is_wide { 3 } else { 2 }) {
        let Some((&label, number)) = case.split_last() else { continue };
        if label == default {
            continue;
        }
        match targets.iter_mut().find(|target| target.label == label) {
            Some(target) => target.numbers.push(number.to_vec()),
            None => {
                reserve(&mut targets, 1)?;
                targets.push(Target { label, numbers: vec![number.to_vec()] });
            }
        }
    }
    Ok(targets)
}

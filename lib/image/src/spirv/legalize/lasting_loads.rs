//! Keeps a driver from repeating loads.
//!
//! PoCL runs a kernel from barrier to barrier, for all work-items each time, and adds barriers to loops. 7.1 keeps few of
//! the values that are needed behind a barrier: it computes them again, and repeats the loads that they come from,
//! although the memory may have changed. It does not repeat volatile loads.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{MemoryAccess, Op, StorageClass};

use super::barriers::is_barrier;
use super::draft::{Draft, Function};
use super::early_casts::class;
use super::flow::{self, Block, Dominators};
use super::line::Line;
use super::loops::Loops;
use crate::room::{filled, reserve, room};
use crate::spirv::{SpirvError, grammar};

/// The most blocks that are looked at in a function. If there are more, other blocks count as behind a barrier.
const MOST_VISITS: usize = 1 << 22;

/// Makes each load volatile on which a value depends that is needed behind a barrier, or behind the start or end of a loop.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.each_function(|draft, function| {
        let loads = loads(draft, function)?;
        for line in &mut function.lines {
            if line.opcode() == Op::Load && loads.contains(&line.operand(1)) {
                let volatile = MemoryAccess::VOLATILE.bits();
                match line.operands.get_mut(3) {
                    Some(access) => *access |= volatile,
                    None => line.operands.push(volatile),
                }
            }
        }
        Ok(())
    })
}

/// Returns the results of these loads.
fn loads(draft: &Draft, function: &Function) -> Result<HashSet<u32>, SpirvError> {
    let mut loads = HashSet::new();
    if !function.lines.iter().any(|line| is_repeated(draft, line)) {
        return Ok(loads);
    }
    let mut definitions: HashMap<u32, &Line> = HashMap::new();
    let mut open = lasting(draft, function)?;
    for line in &function.lines {
        if let Some(id) = grammar::result(&line.inst()) {
            definitions.insert(id, line);
        }
    }
    let mut seen: HashSet<u32> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let Some(line) = definitions.get(&id) else { continue };
        match line.opcode() {
            Op::Load if is_repeated(draft, line) => drop(loads.insert(id)),
            // These are kept.
            Op::Phi | Op::FunctionCall | Op::Variable | Op::Load => {}
            _ => {
                let ids = draft.ids(line).unwrap_or_default();
                open.extend(ids.into_iter().filter(|id| seen.insert(*id)));
            }
        }
    }
    Ok(loads)
}

/// Returns whether an instruction is a load from memory that may change.
fn is_repeated(draft: &Draft, line: &Line) -> bool {
    const UNCHANGED: [StorageClass; 2] = [StorageClass::Input, StorageClass::UniformConstant];
    let pointer = line.operand(2);
    let memory = draft.kind(pointer).and_then(|kind| class(draft, kind));
    let is = |one: StorageClass| memory == Some(one as u32);
    line.opcode() == Op::Load && !UNCHANGED.into_iter().any(is)
}

/// Returns the values that are used by a function, or behind a barrier or the start or end of a loop.
fn lasting(draft: &Draft, function: &Function) -> Result<Vec<u32>, SpirvError> {
    let lines = &function.lines;
    let blocks = flow::blocks(draft, lines)?;
    let dominators = Dominators::of(&blocks)?;
    let loops = Loops::of(&blocks, &dominators, |_| false)?;
    let mut sections = Sections { dominators, loops, lasts: Vec::new(), behind: HashMap::new(), blocks };
    let mut places = HashMap::new();
    let mut labels = HashMap::new();
    for (number, block) in sections.blocks.iter().enumerate() {
        let mut section = 0;
        for line in lines.get(block.lines.clone()).unwrap_or_default() {
            section += usize::from(is_divider(line));
            grammar::result(&line.inst()).map(|id| places.insert(id, Point { block: number, section }));
        }
        labels.insert(lines.get(block.lines.start).map_or(0, |line| line.operand(0)), number);
        reserve(&mut sections.lasts, 1)?;
        sections.lasts.push(section);
    }
    let mut lasting = Vec::new();
    for number in 0..sections.blocks.len() {
        let range = sections.blocks.get(number).map_or(0..0, |block| block.lines.clone());
        let mut section = 0;
        for line in lines.get(range).unwrap_or_default() {
            section += usize::from(is_divider(line));
            let ids = draft.ids(line).unwrap_or_default();
            match line.opcode() {
                Op::FunctionCall | Op::ReturnValue => lasting.extend(ids),
                // It takes a value at the end of the block before.
                Op::Phi => {
                    for pair in line.operands.get(2..).unwrap_or_default().chunks_exact(2) {
                        let &[value, label] = pair else { continue };
                        let Some(&block) = labels.get(&label) else { continue };
                        let section = sections.lasts.get(block).copied().unwrap_or(0);
                        let Some(&from) = places.get(&value) else { continue };
                        if sections.divide(from, Point { block, section })? {
                            lasting.push(value);
                        }
                    }
                }
                _ => {
                    for id in ids {
                        let Some(&from) = places.get(&id) else { continue };
                        if sections.divide(from, Point { block: number, section })? {
                            lasting.push(id);
                        }
                    }
                }
            }
        }
    }
    Ok(lasting)
}

/// Returns whether work-items may wait for each other at an instruction.
fn is_divider(line: &Line) -> bool {
    line.opcode() == Op::FunctionCall || is_barrier(line.opcode())
}

/// Where an instruction is: its block, and how many barriers are before it there.
#[derive(Clone, Copy)]
struct Point {
    block: usize,
    section: usize,
}

/// The parts of a function between barriers, and between the starts and ends of loops.
struct Sections {
    blocks: Vec<Block>,
    dominators: Dominators,
    loops: Loops,
    /// The last section of each block.
    lasts: Vec<usize>,
    /// For a block, those that are reached from its end only through a barrier, or in one of several ways.
    behind: HashMap<usize, Vec<bool>>,
}

impl Sections {
    /// Returns whether a barrier, or the start or end of a loop, may be between two instructions.
    fn divide(&mut self, from: Point, to: Point) -> Result<bool, SpirvError> {
        if from.block == to.block {
            return Ok(from.section != to.section);
        }
        if self.lasts.get(from.block) != Some(&from.section) || to.section > 0 {
            return Ok(true);
        }
        if self.behind.len().saturating_mul(self.blocks.len()) > MOST_VISITS {
            return Ok(true);
        }
        if !self.behind.contains_key(&from.block) {
            let behind = self.behind(from.block)?;
            self.behind.insert(from.block, behind);
        }
        Ok(self.behind.get(&from.block).and_then(|behind| behind.get(to.block)).copied().unwrap_or(true))
    }

    fn behind(&self, start: usize) -> Result<Vec<bool>, SpirvError> {
        let mut reached: Vec<[bool; 2]> = filled([false; 2], self.blocks.len())?;
        let mut open = vec![(start, false)];
        while let Some((at, is_behind)) = open.pop() {
            for &next in self.blocks.get(at).into_iter().flat_map(|block| &block.next) {
                let is_behind = is_behind
                    || self.loops.innermost(at) != self.loops.innermost(next)
                    || self.dominators.dominates(next, at);
                let seen = reached.get_mut(next).and_then(|seen| seen.get_mut(usize::from(is_behind)));
                if seen.is_some_and(|seen| !std::mem::replace(seen, true)) && next != start {
                    open.push((next, is_behind || self.lasts.get(next).is_some_and(|&last| last > 0)));
                }
            }
        }
        let mut behind = room(reached.len())?;
        behind.extend(reached.into_iter().map(|[_, is_behind]| is_behind));
        Ok(behind)
    }
}

//! Adds barriers that a program lacks between writing to local memory and reading what other work-items wrote.
//!
//! Such a program has a data race, which a runtime hides if it runs enough work-items at once: dpnp's histograms of two
//! and more dimensions are right on Intel's. PoCL runs each work-item to the next barrier before it starts another one, and
//! rusticl on CPUs runs only a few at once.
//!
//! A barrier is added only where all work-items pass once, as they do at another barrier of the function, so it changes
//! no program without a race.

use rspirv::spirv::{Op, Scope, StorageClass};

use super::barriers;
use super::draft::Draft;
use super::early_casts::class;
use super::flow::{self, Block, Dominators};
use super::line::Line;
use super::loops::Loops;
use super::scope;
use crate::room::{filled, reserve};
use crate::spirv::SpirvError;

/// Adds the barriers.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.each_function(|draft, function| {
        let places = places(draft, &function.lines)?;
        if places.is_empty() {
            return Ok(());
        }
        let barrier = barriers::of_local_memory(draft)?;
        let mut places = places.into_iter().peekable();
        let before = std::mem::take(&mut function.lines);
        for (at, line) in before.into_iter().enumerate() {
            if places.next_if_eq(&at).is_some() {
                function.lines.push(barrier.clone());
            }
            function.lines.push(line);
        }
        Ok(())
    })
}

/// The effects of code on local memory.
#[derive(Clone, Copy, Default)]
struct Effects {
    reads: bool,
    writes: bool,
    waits: bool,
}

impl Effects {
    fn of(draft: &Draft, line: &Line) -> Self {
        let is_local = |at: usize| {
            let kind = draft.kind(line.operand(at));
            kind.and_then(|kind| class(draft, kind)) == Some(StorageClass::Workgroup as u32)
        };
        let none = Self::default();
        match line.opcode() {
            Op::Load => Self { reads: is_local(2), ..none },
            Op::Store | Op::AtomicStore => Self { writes: is_local(0), ..none },
            Op::CopyMemory | Op::CopyMemorySized => Self { writes: is_local(0), reads: is_local(1), ..none },
            // The others write as well, but programs expect those of other work-items at any time.
            opcode if (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode) => {
                Self { reads: is_local(2), ..none }
            }
            opcode => Self { waits: barriers::is_barrier(opcode), ..none },
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            reads: self.reads || other.reads,
            writes: self.writes || other.writes,
            waits: self.waits || other.waits,
        }
    }
}

/// Returns the places for barriers in a function.
fn places(draft: &Draft, lines: &[Line]) -> Result<Vec<usize>, SpirvError> {
    let mut places = Vec::new();
    let is_written = lines.iter().any(|line| Effects::of(draft, line).writes);
    if !is_written || !lines.iter().any(|line| is_barrier(draft, line)) {
        return Ok(places);
    }
    let blocks = flow::blocks(draft, lines)?;
    let Some(course) = Course::of(draft, lines, &blocks)? else { return Ok(places) };
    let mut is_written = false;
    for (&common, between) in course.common.iter().zip(&course.between) {
        let Some(block) = blocks.get(common) else { continue };
        let mut add = |place: usize| -> Result<(), SpirvError> {
            reserve(&mut places, 1)?;
            places.push(place);
            Ok(())
        };
        for place in block.lines.clone() {
            let effects = lines.get(place).map(|line| Effects::of(draft, line)).unwrap_or_default();
            if is_written && effects.reads {
                add(place)?;
            }
            is_written = effects.writes || (is_written && !effects.reads && !effects.waits);
        }
        let is_end = |&at: &usize| lines.get(at).is_some_and(|line| flow::is_branch(line) || is_merge(line));
        if is_written && between.reads && !between.waits {
            block.lines.clone().find(is_end).map(add).transpose()?;
            is_written = false;
        }
        is_written = !between.waits && (is_written || between.writes);
    }
    Ok(places)
}

fn is_barrier(draft: &Draft, line: &Line) -> bool {
    line.opcode() == Op::ControlBarrier && scope::is(draft, line.operand(0), Scope::Workgroup)
}

fn is_merge(line: &Line) -> bool {
    matches!(line.opcode(), Op::SelectionMerge | Op::LoopMerge)
}

/// The course that all work-items take through a function.
struct Course {
    /// The blocks that each work-item passes once, in this order.
    common: Vec<usize>,
    /// The effects of the blocks between each of these and the next one.
    between: Vec<Effects>,
}

impl Course {
    /// Returns nothing if no barrier is in such a block: then some work-items may not enter the function.
    fn of(draft: &Draft, lines: &[Line], blocks: &[Block]) -> Result<Option<Self>, SpirvError> {
        let dominators = Dominators::of(blocks)?;
        let after = Dominators::of(&flow::reversed(lines, blocks)?)?;
        let loops = Loops::of(blocks, &dominators, |_| false)?;
        let code =
            |at: usize| blocks.get(at).and_then(|block| lines.get(block.lines.clone())).unwrap_or_default();
        let mut course = Self { common: Vec::new(), between: Vec::new() };
        // The number of the last common block before or at each block.
        let mut last = filled(0, blocks.len())?;
        let mut has_barrier = false;
        for &at in &dominators.order {
            if loops.innermost(at).is_none() && after.dominates(at + 1, 1) {
                last.get_mut(at).into_iter().for_each(|last| *last = course.common.len());
                reserve(&mut course.common, 1)?;
                reserve(&mut course.between, 1)?;
                course.common.push(at);
                course.between.push(Effects::default());
                has_barrier = has_barrier || code(at).iter().any(|line| is_barrier(draft, line));
                continue;
            }
            let number = dominators.nearest(at).and_then(|nearest| last.get(nearest)).copied().unwrap_or(0);
            last.get_mut(at).into_iter().for_each(|last| *last = number);
            if let Some(between) = course.between.get_mut(number) {
                *between = code(at).iter().fold(*between, |sum, line| sum.and(Effects::of(draft, line)));
            }
        }
        // A branch back to an earlier part is a loop without a first block.
        let number = |at: usize| last.get(at).copied().unwrap_or(0);
        let goes_back = |&at: &usize| {
            blocks.get(at).is_some_and(|block| block.next.iter().any(|&to| number(to) < number(at)))
        };
        Ok((has_barrier && !dominators.order.iter().any(goes_back)).then_some(course))
    }
}

//! The blocks that are added to a function.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{MemoryAccess, Op, Scope, StorageClass};

use crate::room::room;
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::flow::{self, Block};
use crate::spirv::legalize::line::Line;

/// A barrier that is added on the way to a block.
pub(super) struct Join {
    /// The blocks from which work-items come: those of the function, followed by those of the earlier joins.
    pub(super) from: Vec<usize>,
    pub(super) to: usize,
    /// No other way to `to` ends with a barrier. A compiler makes one barrier of those of several ways, and that is too
    /// late.
    pub(super) is_alone: bool,
}

/// Code that is added.
struct Added {
    label: u32,
    /// The block of the function at whose end it stands, if it is no block of its own.
    block: Option<usize>,
    /// The place in the function before which it stands.
    place: usize,
    code: Vec<Line>,
}

/// Adds a block with a barrier for each join.
pub(super) fn insert(
    draft: &mut Draft,
    lines: &mut Vec<Line>,
    blocks: &[Block],
    joins: &[Join],
) -> Result<(), SpirvError> {
    let mut added: Vec<Added> = Vec::new();
    let mut variables = Vec::new();
    for join in joins {
        let mut one = add(draft, lines, blocks, &mut added, join)?;
        if !join.is_alone {
            keep(draft, &mut one.code, &mut variables)?;
        }
        added.push(one);
    }
    if let Some(first) = blocks.first() {
        added.push(Added { label: 0, block: None, place: first.lines.start + 1, code: variables });
    }
    added.sort_by_key(|added| added.place);
    let mut added = added.into_iter().peekable();
    let before = std::mem::take(lines);
    let mut after = room(before.len() + 4 * joins.len())?;
    for (at, line) in before.into_iter().enumerate() {
        while let Some(one) = added.next_if(|added| added.place == at) {
            after.extend(one.code);
        }
        after.push(line);
    }
    *lines = after;
    Ok(())
}

/// Makes the block of a join, and leads the ways to it.
fn add(
    draft: &mut Draft,
    lines: &mut [Line],
    blocks: &[Block],
    added: &mut [Added],
    join: &Join,
) -> Result<Added, SpirvError> {
    if let Some(one) = at_end(draft, lines, blocks, join)? {
        return Ok(one);
    }
    let Some(target) = blocks.get(join.to) else { return Err(SpirvError::whole("a block is missing")) };
    let goal = lines.get(target.lines.start).map_or(0, |line| line.operand(0));
    let label = draft.id()?;
    let moved = HashMap::from([(goal, label)]);
    let (mut from, mut place) = (HashSet::new(), 0);
    for &at in &join.from {
        let earlier = added.get(at.wrapping_sub(blocks.len()));
        let at = earlier.and_then(|one| one.block).unwrap_or(at);
        let (code, start) = match (blocks.get(at), added.get_mut(at.saturating_sub(blocks.len()))) {
            (Some(block), _) => {
                place = place.max(block.lines.end);
                let code = lines.get_mut(block.lines.clone()).unwrap_or_default();
                let start = code.first().map(|line| line.operand(0));
                (code, start)
            }
            (None, Some(one)) => {
                place = place.max(one.place);
                (one.code.as_mut_slice(), Some(one.label))
            }
            (None, None) => continue,
        };
        from.extend(start);
        if let Some(branch) = code.iter_mut().rfind(|line| flow::is_branch(line)) {
            *branch = draft.with_ids(branch, &moved)?;
        }
    }
    let mut code = vec![Line::new(Op::Label, &[label])];
    let phis = lines.get_mut(target.lines.clone()).unwrap_or_default().iter_mut();
    for phi in phis.filter(|line| line.opcode() == Op::Phi) {
        lead(draft, phi, &from, label, &mut code)?;
    }
    code.push(barrier(draft)?);
    code.push(Line::new(Op::Branch, &[goal]));
    Ok(Added { label, block: None, place, code })
}

/// Makes a barrier at the end of a block from which the only way leads. PoCL loses work-items where the barrier has a
/// block of its own behind it.
fn at_end(
    draft: &mut Draft,
    lines: &[Line],
    blocks: &[Block],
    join: &Join,
) -> Result<Option<Added>, SpirvError> {
    let &[at] = join.from.as_slice() else { return Ok(None) };
    let Some(block) = blocks.get(at).filter(|block| block.next.len() == 1) else { return Ok(None) };
    let code = lines.get(block.lines.clone()).unwrap_or_default();
    let Some(end) = code.iter().rposition(|line| line.opcode() == Op::Branch) else { return Ok(None) };
    let label = code.first().map_or(0, |line| line.operand(0));
    let place = block.lines.start + end;
    Ok(Some(Added { label, block: Some(at), place, code: vec![barrier(draft)?] }))
}

/// Returns a barrier of the work-group, which orders no memory.
pub(super) fn barrier(draft: &mut Draft) -> Result<Line, SpirvError> {
    let (group, none) = (draft.word(Scope::Workgroup as u32)?, draft.word(0)?);
    Ok(Line::new(Op::ControlBarrier, &[group, group, none]))
}

/// Keeps a compiler from making one block of several that are added: each writes to a variable of its own.
fn keep(draft: &mut Draft, code: &mut Vec<Line>, variables: &mut Vec<Line>) -> Result<(), SpirvError> {
    let private = StorageClass::Function as u32;
    let word = draft.int(32)?;
    let kind = draft.type_of(Op::TypePointer, &[private, word])?;
    let variable = draft.emit(variables, Op::Variable, kind, &[private])?;
    let zero = draft.word(0)?;
    let store = Line::new(Op::Store, &[variable, zero, MemoryAccess::VOLATILE.bits()]);
    let barrier = code.iter().rposition(|line| line.opcode() == Op::ControlBarrier).unwrap_or(0);
    code.insert(barrier, store);
    Ok(())
}

/// Moves the choice between the values from these blocks into the block with this label.
fn lead(
    draft: &mut Draft,
    phi: &mut Line,
    from: &HashSet<u32>,
    label: u32,
    code: &mut Vec<Line>,
) -> Result<(), SpirvError> {
    let kind = phi.operand(0);
    let pairs: Vec<[u32; 2]> =
        phi.operands.get(2..).unwrap_or_default().chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let (here, others): (Vec<[u32; 2]>, Vec<[u32; 2]>) =
        pairs.into_iter().partition(|[_, parent]| from.contains(parent));
    let Some(&[first, _]) = here.first() else { return Ok(()) };
    let value = match here.iter().all(|[value, _]| *value == first) {
        true => first,
        false => draft.emit(code, Op::Phi, kind, &here.concat())?,
    };
    phi.operands.truncate(2);
    phi.operands.extend(others.concat());
    phi.operands.extend([value, label]);
    Ok(())
}

//! The block with the barrier to which all ways lead.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{MemorySemantics, Op};

use super::find::SharedBarrier;
use crate::spirv::SpirvError;
use crate::spirv::grammar;
use crate::spirv::legalize::barriers;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::flow;
use crate::spirv::legalize::line::Line;

/// A way, once it leads to the new block.
struct Arrival {
    /// The label of its last block, and the one that it had before.
    label: u32,
    before: u32,
    /// The number of its goal. That of the code behind the barrier is 0.
    goal: usize,
}

/// Moves the barrier to a block of its own. All ways lead there, and each goes on to its goal after it.
pub(super) fn insert(
    draft: &mut Draft,
    lines: &mut Vec<Line>,
    found: &SharedBarrier,
) -> Result<(), SpirvError> {
    let label_of = |at: usize| {
        found.blocks.get(at).and_then(|block| lines.get(block.lines.start)).map_or(0, |line| line.operand(0))
    };
    let own = label_of(found.block);
    let (shared, rest) = (draft.id()?, draft.id()?);
    let mut goals = vec![(found.block, rest)];
    let mut arrivals = vec![Arrival { label: own, before: own, goal: 0 }];
    let mut landings = Vec::new();
    // The new targets of the branches of each block.
    let mut moved: HashMap<usize, HashMap<u32, u32>> = HashMap::new();
    for &(from, to) in &found.ways.ends {
        let goal =
            goals.iter().skip(1).position(|&(goal, _)| goal == to).map_or(goals.len(), |goal| goal + 1);
        if goal == goals.len() {
            goals.push((to, label_of(to)));
        }
        let label = draft.id()?;
        landings.extend([Line::new(Op::Label, &[label]), Line::new(Op::Branch, &[shared])]);
        moved.entry(from).or_default().insert(label_of(to), label);
        arrivals.push(Arrival { label, before: label_of(from), goal });
    }
    let mut code = landings;
    code.push(Line::new(Op::Label, &[shared]));
    let numbers = (0..goals.len()).map(|goal| draft.word(goal as u32)).collect::<Result<Vec<u32>, _>>()?;
    let number = |goal: usize| numbers.get(goal).copied().unwrap_or(0);
    let pairs: Vec<u32> = arrivals.iter().flat_map(|arrival| [number(arrival.goal), arrival.label]).collect();
    let word = draft.int(32)?;
    let chosen = draft.emit(&mut code, Op::Phi, word, &pairs)?;

    // Values from the blocks before the barrier are needed behind it.
    let behind = Behind::of(found, lines);
    let names = behind.names(draft, lines, &arrivals, &mut code)?;
    for (goal, &(to, _)) in goals.iter().enumerate().skip(1) {
        let block = found.blocks.get(to).and_then(|block| lines.get_mut(block.lines.clone()));
        for phi in block.unwrap_or_default().iter_mut().filter(|line| line.opcode() == Op::Phi) {
            lead(draft, phi, &arrivals, goal, shared, &mut code)?;
        }
    }
    let there = lines.get(found.place).filter(|_| found.is_there);
    code.push(match there {
        Some(line) => draft.with_ids(line, &names)?,
        None => barriers::of_work_group(draft, MemorySemantics::empty())?,
    });
    branch(draft, &mut code, chosen, &goals, &numbers)?;
    code.push(Line::new(Op::Label, &[rest]));

    let before = std::mem::take(lines);
    let mut block = 0;
    for (at, mut line) in before.into_iter().enumerate() {
        if at > 0 && found.blocks.get(block + 1).is_some_and(|next| next.lines.start == at) {
            block += 1;
        }
        if line.opcode() == Op::Phi {
            behind.rename_phi(&mut line, &names, (own, rest));
        } else if behind.has(block, at) {
            line = draft.with_ids(&line, &names)?;
        }
        if let Some(moved) = moved.get(&block).filter(|_| flow::is_branch(&line)) {
            line = draft.with_ids(&line, moved)?;
        }
        if at == found.place {
            lines.push(Line::new(Op::Branch, &[shared]));
            lines.append(&mut code);
        }
        if at != found.place || !found.is_there {
            lines.push(line);
        }
    }
    // They name blocks where ways no longer meet.
    lines.retain(|line| !matches!(line.opcode(), Op::SelectionMerge));
    Ok(())
}

/// The code behind the barrier that is reached only through it.
struct Behind<'f> {
    found: &'f SharedBarrier,
    /// The blocks by their labels.
    blocks: HashMap<u32, usize>,
}

impl<'f> Behind<'f> {
    fn of(found: &'f SharedBarrier, lines: &[Line]) -> Self {
        let label = |(at, block): (usize, &flow::Block)| Some((lines.get(block.lines.start)?.operand(0), at));
        Self { found, blocks: found.blocks.iter().enumerate().filter_map(label).collect() }
    }

    /// Returns whether a place in a block is behind the barrier. The barrier itself counts.
    fn has(&self, block: usize, place: usize) -> bool {
        let SharedBarrier { block: own, place: barrier, dominators, .. } = self.found;
        if block == *own { place >= *barrier } else { dominators.dominates(*own, block) }
    }

    /// Returns whether the end of the block with this label is behind the barrier.
    fn has_end(&self, label: u32) -> bool {
        self.blocks.get(&label).is_some_and(|&block| self.found.dominators.dominates(self.found.block, block))
    }

    /// Returns new names for the values that are needed there, and from which it is no longer certain that they exist.
    fn names(
        &self,
        draft: &mut Draft,
        lines: &[Line],
        arrivals: &[Arrival],
        code: &mut Vec<Line>,
    ) -> Result<HashMap<u32, u32>, SpirvError> {
        let mut values = HashSet::new();
        let mut needed = Vec::new();
        for (block, one) in self.found.blocks.iter().enumerate() {
            let is_before = self.found.ways.blocks.get(block).copied().unwrap_or(false);
            for at in one.lines.clone() {
                let Some(line) = lines.get(at) else { continue };
                if is_before && !self.has(block, at) {
                    values.extend(grammar::result(&line.inst()));
                }
                if line.opcode() == Op::Phi {
                    let (pairs, _) = line.operands.get(2..).unwrap_or_default().as_chunks::<2>();
                    needed.extend(pairs.iter().filter(|pair| self.has_end(pair[1])).map(|pair| pair[0]));
                } else if self.has(block, at) {
                    let ids = draft.ids(line);
                    needed.extend(
                        ids.map_err(|unclear| SpirvError::whole(unclear.describe(line.inst().raw_opcode)))?,
                    );
                }
            }
        }
        let mut names = HashMap::new();
        for id in needed {
            let Some(kind) = draft.kind(id).filter(|_| values.contains(&id) && !names.contains_key(&id))
            else {
                continue;
            };
            let none = draft.no_value(kind)?;
            let value = |goal: usize| if goal == 0 { id } else { none };
            let pairs = arrivals.iter().flat_map(|arrival| [value(arrival.goal), arrival.label]);
            let pairs: Vec<u32> = pairs.collect();
            names.insert(id, draft.emit(code, Op::Phi, kind, &pairs)?);
        }
        Ok(names)
    }

    /// Renames the values that a choice takes from there, and the block that was divided.
    fn rename_phi(&self, phi: &mut Line, names: &HashMap<u32, u32>, (own, rest): (u32, u32)) {
        let (pairs, _) = phi.operands.get_mut(2..).unwrap_or_default().as_chunks_mut::<2>();
        for [value, parent] in pairs.iter_mut().filter(|pair| self.has_end(pair[1])) {
            *value = names.get(value).copied().unwrap_or(*value);
            if *parent == own {
                *parent = rest;
            }
        }
    }
}

/// Moves the choice between the values from the ways to a goal into the new block.
fn lead(
    draft: &mut Draft,
    phi: &mut Line,
    arrivals: &[Arrival],
    goal: usize,
    shared: u32,
    code: &mut Vec<Line>,
) -> Result<(), SpirvError> {
    let kind = phi.operand(0);
    let (pairs, _) = phi.operands.get(2..).unwrap_or_default().as_chunks::<2>();
    let values: HashMap<u32, u32> = pairs.iter().map(|pair| (pair[1], pair[0])).collect();
    let none = draft.no_value(kind)?;
    let here =
        |arrival: &Arrival| (arrival.goal == goal).then(|| values.get(&arrival.before).copied()).flatten();
    let arriving: Vec<u32> =
        arrivals.iter().flat_map(|arrival| [here(arrival).unwrap_or(none), arrival.label]).collect();
    let led: HashSet<u32> =
        arrivals.iter().filter(|arrival| arrival.goal == goal).map(|arrival| arrival.before).collect();
    let kept: Vec<u32> = pairs.iter().filter(|pair| !led.contains(&pair[1])).flatten().copied().collect();
    let value = draft.emit(code, Op::Phi, kind, &arriving)?;
    phi.operands.truncate(2);
    phi.operands.extend(kept);
    phi.operands.extend([value, shared]);
    Ok(())
}

/// Branches to the goal with the chosen number.
fn branch(
    draft: &mut Draft,
    code: &mut Vec<Line>,
    chosen: u32,
    goals: &[(usize, u32)],
    numbers: &[u32],
) -> Result<(), SpirvError> {
    let (&[(_, first), ref others @ ..], &[none, ..]) = (goals, numbers) else { return Ok(()) };
    match *others {
        [(_, other)] => {
            let boolean = draft.boolean()?;
            let is_first = draft.emit(code, Op::IEqual, boolean, &[chosen, none])?;
            code.push(Line::new(Op::BranchConditional, &[is_first, first, other]));
        }
        _ => {
            let cases = (1..).zip(others).flat_map(|(number, &(_, goal))| [number, goal]);
            let operands: Vec<u32> = [chosen, first].into_iter().chain(cases).collect();
            code.push(Line::new(Op::Switch, &operands));
        }
    }
    Ok(())
}

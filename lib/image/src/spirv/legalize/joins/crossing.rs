//! The blocks through which ways to different blocks are led.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{MemoryAccess, Op, StorageClass};

use super::meet;
use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::flow::{self, Block};
use crate::spirv::legalize::line::Line;

/// Ways from a barrier to different blocks.
pub(super) struct Crossing {
    /// From which block, and to which one.
    pub(super) ways: Vec<(usize, usize)>,
    /// The blocks to which they lead. The others are also reached from behind the first one, or from before it.
    pub(super) targets: Vec<usize>,
}

/// A way, once it leads to the new block.
struct Arrival {
    /// The label of the last block on the way, and the one that it had before.
    label: u32,
    before: u32,
    /// The number of its target.
    target: usize,
}

/// The new blocks.
struct Code {
    /// The block where all ways meet, with a barrier.
    meet: Vec<Line>,
    /// The block behind it, from which work-items go to their targets. All ways to the first target pass it.
    cross: Vec<Line>,
    labels: [u32; 2],
    arrivals: Vec<Arrival>,
    /// The labels of the other blocks that lead to the first target.
    others: Vec<u32>,
}

impl Crossing {
    /// Adds a block with a barrier in which all ways meet, and one before the first target from which work-items go on.
    /// Returns their labels.
    pub(super) fn insert(
        &self,
        draft: &mut Draft,
        lines: &mut Vec<Line>,
        blocks: &[Block],
    ) -> Result<[u32; 2], SpirvError> {
        let label_of = |lines: &[Line], at: usize| {
            blocks.get(at).and_then(|block| lines.get(block.lines.start)).map_or(0, |line| line.operand(0))
        };
        let goals: Vec<u32> = self.targets.iter().map(|&to| label_of(lines, to)).collect();
        let labels @ [meet, cross] = [draft.id()?, draft.id()?];
        let mut code =
            Code { meet: Vec::new(), cross: Vec::new(), labels, arrivals: Vec::new(), others: Vec::new() };
        // Two ways from one block pass blocks of their own, so that they can be told apart.
        let mut landings = Vec::new();
        let numbers: HashMap<usize, usize> = self.targets.iter().copied().zip(0..).collect();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        self.ways.iter().for_each(|way| *counts.entry(way.0).or_default() += 1);
        for &(from, to) in &self.ways {
            let is_only = counts.get(&from) == Some(&1);
            let before = label_of(lines, from);
            let label = if is_only { before } else { draft.id()? };
            if !is_only {
                landings.extend([Line::new(Op::Label, &[label]), Line::new(Op::Branch, &[meet])]);
            }
            let goal = label_of(lines, to);
            lead(draft, lines, blocks, from, goal, if is_only { meet } else { label })?;
            let target = numbers.get(&to).copied().unwrap_or(0);
            code.arrivals.push(Arrival { label, before, target });
        }
        let first = self.targets.first().copied().unwrap_or(0);
        let ways: HashSet<(usize, usize)> = self.ways.iter().copied().collect();
        for (from, block) in blocks.iter().enumerate() {
            if block.next.contains(&first) && !ways.contains(&(from, first)) {
                lead(draft, lines, blocks, from, goals.first().copied().unwrap_or(0), cross)?;
                code.others.push(label_of(lines, from));
            }
        }
        let variable = code.write(draft, lines, blocks, self, &goals)?;
        let place =
            self.ways.iter().filter_map(|&(from, _)| blocks.get(from)).map(|block| block.lines.end).max();
        let after = landings.into_iter().chain(code.meet).collect();
        let mut added = vec![
            (place.unwrap_or(0), after),
            (blocks.get(first).map_or(0, |block| block.lines.start), code.cross),
            (blocks.first().map_or(0, |block| block.lines.start + 1), vec![variable]),
        ];
        // From the end on, so that the places stay. At the same place, what is added later comes first.
        added.sort_by_key(|(place, _)| *place);
        for (place, code) in added.into_iter().rev() {
            lines.splice(place..place, code);
        }
        // What was moved from the first target left instructions that do nothing.
        lines.retain(|line| line.inst().raw_opcode != Op::Nop as u16);
        Ok(labels)
    }
}

/// Returns a value for ways on which there is none. PoCL 7.1 crashes at some undefined ones.
fn no_value(draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
    let opcode = draft.definition(kind).map(Line::opcode);
    let is_opaque = matches!(opcode, Some(Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage));
    draft.constant_of(if is_opaque { Op::Undef } else { Op::ConstantNull }, kind, &[])
}

/// Leads a block's branches from one label to another one.
fn lead(
    draft: &Draft,
    lines: &mut [Line],
    blocks: &[Block],
    from: usize,
    goal: u32,
    label: u32,
) -> Result<(), SpirvError> {
    let code = blocks.get(from).and_then(|block| lines.get_mut(block.lines.clone())).unwrap_or_default();
    if let Some(branch) = code.iter_mut().rfind(|line| flow::is_branch(line)) {
        *branch = draft.with_ids(branch, &HashMap::from([(goal, label)]))?;
    }
    Ok(())
}

impl Code {
    /// Writes both blocks, and moves the choice of values there. Returns the variable that the function needs.
    fn write(
        &mut self,
        draft: &mut Draft,
        lines: &mut [Line],
        blocks: &[Block],
        crossing: &Crossing,
        goals: &[u32],
    ) -> Result<Line, SpirvError> {
        let [meet, cross] = self.labels;
        self.meet.push(Line::new(Op::Label, &[meet]));
        self.cross.push(Line::new(Op::Label, &[cross]));
        let word = draft.int(32)?;
        let mut numbers = Vec::new();
        for number in 0..goals.len() as u32 {
            numbers.push(draft.word(number)?);
        }
        let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
        let pairs = self.arrivals.iter().flat_map(|arrival| [number(arrival.target), arrival.label]);
        let chosen = draft.emit(&mut self.meet, Op::Phi, word, &pairs.collect::<Vec<u32>>())?;
        let others = self.others.iter().flat_map(|&label| [number(0), label]);
        let others: Vec<u32> = others.chain([chosen, meet]).collect();
        let chosen = draft.emit(&mut self.cross, Op::Phi, word, &others)?;
        for (target, &at) in crossing.targets.iter().enumerate() {
            let code =
                blocks.get(at).and_then(|block| lines.get_mut(block.lines.clone())).unwrap_or_default();
            for phi in code.iter_mut().filter(|line| line.opcode() == Op::Phi) {
                self.choose(draft, target, phi)?;
            }
        }
        self.meet.push(meet::barrier(draft)?);
        self.meet.push(Line::new(Op::Branch, &[cross]));
        self.branch(draft, chosen, goals, &numbers)
    }

    /// Moves the choice of a value from a target to the new blocks.
    fn choose(&mut self, draft: &mut Draft, target: usize, phi: &mut Line) -> Result<(), SpirvError> {
        let [meet, cross] = self.labels;
        let (kind, id) = (phi.operand(0), phi.operand(1));
        let (pairs, _) = phi.operands.get(2..).unwrap_or_default().as_chunks::<2>();
        let pairs = pairs.to_vec();
        let values: HashMap<u32, u32> = pairs.iter().map(|pair| (pair[1], pair[0])).collect();
        let none = no_value(draft, kind)?;
        let value = |parent: u32| values.get(&parent).copied().unwrap_or(none);
        let arriving = self.arrivals.iter().flat_map(|arrival| {
            let is_here = arrival.target == target;
            [if is_here { value(arrival.before) } else { none }, arrival.label]
        });
        let arriving: Vec<u32> = arriving.collect();
        let met = draft.emit(&mut self.meet, Op::Phi, kind, &arriving)?;
        let is_first = target == 0;
        let others = self.others.iter();
        let others = others.flat_map(|&label| [if is_first { value(label) } else { none }, label]);
        let crossing: Vec<u32> = others.chain([met, meet]).collect();
        if is_first {
            draft.emit_as(&mut self.cross, id, Op::Phi, kind, &crossing)?;
            *phi = Line::new(Op::Nop, &[]);
            return Ok(());
        }
        let crossed = draft.emit(&mut self.cross, Op::Phi, kind, &crossing)?;
        let here = self.arrivals.iter().filter(|arrival| arrival.target == target);
        let here: HashSet<u32> = here.map(|arrival| arrival.before).collect();
        let kept = pairs.iter().filter(|pair| !here.contains(&pair[1])).flatten().copied();
        phi.operands = [kind, id].into_iter().chain(kept).chain([crossed, cross]).collect();
        Ok(())
    }

    /// Branches to the chosen target. Its number passes through memory that has to be written and read, so that no
    /// compiler leads a way around the new block.
    fn branch(
        &mut self,
        draft: &mut Draft,
        chosen: u32,
        goals: &[u32],
        numbers: &[u32],
    ) -> Result<Line, SpirvError> {
        let (private, volatile) = (StorageClass::Function as u32, MemoryAccess::VOLATILE.bits());
        let (word, boolean) = (draft.int(32)?, draft.boolean()?);
        let pointer = draft.type_of(Op::TypePointer, &[private, word])?;
        let variable = draft.id()?;
        let code = &mut self.cross;
        code.push(Line::new(Op::Store, &[variable, chosen, volatile]));
        let chosen = draft.emit(code, Op::Load, word, &[variable, volatile])?;
        match *goals {
            [first, second] => {
                let one = numbers.get(1).copied().unwrap_or(0);
                let is_second = draft.emit(code, Op::IEqual, boolean, &[chosen, one])?;
                code.push(Line::new(Op::BranchConditional, &[is_second, second, first]));
            }
            _ => {
                let first = goals.first().copied().unwrap_or(0);
                let cases = (0..).zip(goals).skip(1).flat_map(|(number, &goal)| [number, goal]);
                let operands: Vec<u32> = [chosen, first].into_iter().chain(cases).collect();
                code.push(Line::new(Op::Switch, &operands));
            }
        }
        Ok(Line::new(Op::Variable, &[pointer, variable, private]))
    }
}

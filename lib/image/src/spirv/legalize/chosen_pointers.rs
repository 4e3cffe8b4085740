//! Accesses memory through the pointers among which generic ones are chosen.
//!
//! rusticl does not determine at run time which memory a generic pointer points to. Where a pointer is one of two, each to
//! a known memory, the same choice is made between truth values, and a branch by the result leads to an access through
//! the right one of both.

use std::collections::HashMap;

use rspirv::spirv::{Op, StorageClass};

use super::draft::Draft;
use super::early_casts::{class, in_class, passes_on};
use super::line::Line;
use super::mixed_pointers::{accesses, places};
use crate::room::{reserve, room};
use crate::spirv::SpirvError;
use crate::spirv::grammar;

/// Divides the accesses of functions that choose between pointers to different memories.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.each_function(|draft, function| {
        if accesses(draft, function) {
            function.lines = divided(draft, &function.lines)?;
        }
        Ok(())
    })
}

/// A pointer in the storage class of its memory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Own {
    class: u32,
    pointer: u32,
}

/// The pointers that a generic pointer may be.
#[derive(Clone, Copy)]
enum Known {
    One(Own),
    /// It is the first one of two if a truth value says so.
    Either {
        is_first: u32,
        both: [Own; 2],
    },
}

impl Known {
    fn pointers(&self) -> &[Own] {
        match self {
            Self::One(own) => std::slice::from_ref(own),
            Self::Either { both, .. } => both,
        }
    }

    /// Returns the pointer for a storage class, if it may be one to that.
    fn in_class(&self, class: u32) -> Option<u32> {
        self.pointers().iter().find(|own| own.class == class).map(|own| own.pointer)
    }

    /// Returns a truth value that says whether it points to the first of two storage classes.
    fn is_first(&self, draft: &mut Draft, first: u32) -> Result<u32, SpirvError> {
        match *self {
            Self::One(own) => draft.truth(own.class == first),
            Self::Either { is_first, .. } => Ok(is_first),
        }
    }
}

/// A function that is being changed.
struct Division {
    code: Vec<Line>,
    known: HashMap<u32, Known>,
    /// The label of the block before it was divided, and that of its current part.
    block: u32,
    part: u32,
    /// The last part of each block that was divided.
    last_parts: HashMap<u32, u32>,
}

fn divided(draft: &mut Draft, lines: &[Line]) -> Result<Vec<Line>, SpirvError> {
    let mut division = Division {
        code: room(lines.len())?,
        known: HashMap::new(),
        block: 0,
        part: 0,
        last_parts: HashMap::new(),
    };
    for line in lines {
        division.append(draft, line)?;
    }
    for phi in division.code.iter_mut().filter(|line| line.opcode() == Op::Phi) {
        for parent in phi.operands.iter_mut().skip(3).step_by(2) {
            *parent = division.last_parts.get(parent).copied().unwrap_or(*parent);
        }
    }
    Ok(division.code)
}

impl Division {
    fn append(&mut self, draft: &mut Draft, line: &Line) -> Result<(), SpirvError> {
        let (kind, id, first) = (line.operand(0), line.operand(1), line.operand(2));
        let is_generic = class(draft, kind) == Some(StorageClass::Generic as u32);
        match line.opcode() {
            Op::Label => (self.block, self.part) = (kind, kind),
            // It belongs to the first part of a block, and says nothing that a kernel needs.
            Op::LoopMerge if self.part != self.block => return Ok(()),
            Op::PtrCastToGeneric => {
                let memory = draft.kind(first).and_then(|kind| class(draft, kind));
                self.known.extend(memory.map(|class| (id, Known::One(Own { class, pointer: first }))));
            }
            opcode if passes_on(opcode) && is_generic => {
                if let Some(known) = self.known.get(&first).copied() {
                    let known = self.computed(draft, line, known)?;
                    self.known.insert(id, known);
                }
            }
            Op::Select | Op::Phi if is_generic => {
                let known = self.chosen(draft, line)?;
                self.known.extend(known.map(|known| (id, known)));
            }
            opcode => {
                if let &[place] = places(opcode)
                    && let Some(Known::Either { is_first, both }) = self.known.get(&line.operand(place))
                {
                    return self.access(draft, line, place, *is_first, *both);
                }
            }
        }
        reserve(&mut self.code, 1)?;
        self.code.push(line.clone());
        Ok(())
    }

    /// Repeats a computation in the memories of a pointer.
    fn computed(&mut self, draft: &mut Draft, line: &Line, known: Known) -> Result<Known, SpirvError> {
        let mut repeat = |own: Own| {
            let kind = in_class(draft, line.operand(0), own.class)?;
            let operands = [&[own.pointer], line.operands.get(3..).unwrap_or_default()].concat();
            let pointer = draft.emit(&mut self.code, line.opcode(), kind, &operands)?;
            Ok::<_, SpirvError>(Own { pointer, ..own })
        };
        Ok(match known {
            Known::One(own) => Known::One(repeat(own)?),
            Known::Either { is_first, both: [one, other] } => {
                Known::Either { is_first, both: [repeat(one)?, repeat(other)?] }
            }
        })
    }

    /// Makes a choice in each of the memories. Returns nothing if a pointer is not known here, or there are more than two
    /// memories.
    fn chosen(&mut self, draft: &mut Draft, line: &Line) -> Result<Option<Known>, SpirvError> {
        let (first, step) = if line.opcode() == Op::Phi { (2, 2) } else { (3, 1) };
        let ids: Vec<u32> = line.operands.iter().skip(first).step_by(step).copied().collect();
        let Some(all) = ids.iter().map(|id| self.known.get(id).copied()).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let mut classes: Vec<u32> = all.iter().flat_map(Known::pointers).map(|own: &Own| own.class).collect();
        classes.sort_unstable();
        classes.dedup();
        match *classes.as_slice() {
            [class] => Ok(Some(Known::One(self.choice_in(draft, line, &all, class)?))),
            [one, other] => {
                let firsts =
                    all.iter().map(|known| known.is_first(draft, one)).collect::<Result<Vec<_>, _>>()?;
                let boolean = draft.boolean()?;
                let is_first = self.choice(draft, line, boolean, &firsts)?;
                let both =
                    [self.choice_in(draft, line, &all, one)?, self.choice_in(draft, line, &all, other)?];
                Ok(Some(Known::Either { is_first, both }))
            }
            _ => Ok(None),
        }
    }

    /// Chooses between the pointers to one memory. Null stands for those to the other one.
    fn choice_in(
        &mut self,
        draft: &mut Draft,
        line: &Line,
        all: &[Known],
        class: u32,
    ) -> Result<Own, SpirvError> {
        let kind = in_class(draft, line.operand(0), class)?;
        let mut pointers = Vec::new();
        for known in all {
            let pointer = known.in_class(class);
            pointers.push(match pointer {
                Some(pointer) => pointer,
                None => draft.constant_of(Op::ConstantNull, kind, &[])?,
            });
        }
        Ok(Own { class, pointer: self.choice(draft, line, kind, &pointers)? })
    }

    /// Makes the same choice between other values.
    fn choice(
        &mut self,
        draft: &mut Draft,
        line: &Line,
        kind: u32,
        values: &[u32],
    ) -> Result<u32, SpirvError> {
        let operands: Vec<u32> = match line.opcode() {
            Op::Phi => {
                let parents = line.operands.iter().skip(3).step_by(2);
                values.iter().zip(parents).flat_map(|(value, parent)| [*value, *parent]).collect()
            }
            _ => [line.operand(2)].into_iter().chain(values.iter().copied()).collect(),
        };
        draft.emit(&mut self.code, line.opcode(), kind, &operands)
    }

    /// Appends a branch to one of two accesses.
    fn access(
        &mut self,
        draft: &mut Draft,
        line: &Line,
        place: usize,
        is_first: u32,
        both: [Own; 2],
    ) -> Result<(), SpirvError> {
        let labels = [draft.id()?, draft.id()?];
        let after = draft.id()?;
        self.code.push(Line::new(Op::BranchConditional, &[is_first, labels[0], labels[1]]));
        let result = grammar::result(&line.inst());
        let mut results = Vec::new();
        for (label, own) in labels.into_iter().zip(both) {
            self.code.push(Line::new(Op::Label, &[label]));
            let mut access = line.clone();
            if let Some(address) = access.operands.get_mut(place) {
                *address = own.pointer;
            }
            if result.is_some() {
                let new = draft.id()?;
                access.operands.iter_mut().skip(1).take(1).for_each(|result| *result = new);
                draft.note(&access);
                results.extend([new, label]);
            }
            self.code.push(access);
            self.code.push(Line::new(Op::Branch, &[after]));
        }
        self.code.push(Line::new(Op::Label, &[after]));
        if let Some(result) = result {
            draft.emit_as(&mut self.code, result, Op::Phi, line.operand(0), &results)?;
        }
        self.part = after;
        self.last_parts.insert(self.block, after);
        Ok(())
    }
}

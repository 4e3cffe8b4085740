//! Replaces calls by the code of the functions that they call.

use std::collections::HashMap;

use rspirv::spirv::Op;

use crate::room::{reserve, room};
use crate::spirv::SpirvError;
use crate::spirv::grammar;
use crate::spirv::legalize::draft::{Draft, Function};
use crate::spirv::legalize::line::Line;

/// Pastes functions into others.
pub(super) struct Paste {
    /// The decorations of each id.
    decorations: HashMap<u32, Vec<Line>>,
    /// The instructions that may still be added.
    left: usize,
}

/// A function into which others are pasted.
struct Caller {
    code: Vec<Line>,
    /// The variables of the functions in it. All variables of a function are in its first block.
    variables: Vec<Line>,
    /// The label of the current block.
    block: u32,
}

impl Paste {
    pub(super) fn new(draft: &Draft, left: usize) -> Self {
        let mut decorations: HashMap<u32, Vec<Line>> = HashMap::new();
        for line in draft.globals.iter().filter(|line| line.opcode() != Op::Name) {
            if let Some(id) = line.annotated() {
                decorations.entry(id).or_default().push(line.clone());
            }
        }
        Self { decorations, left }
    }

    /// Replaces the calls of these functions. Returns one of them if this would add too many instructions.
    pub(super) fn calls(
        &mut self,
        draft: &mut Draft,
        function: &mut Function,
        inlined: &HashMap<u32, Function>,
    ) -> Result<Option<u32>, SpirvError> {
        let callee = |line: &Line| {
            Some(line.operand(2)).filter(|id| line.opcode() == Op::FunctionCall && inlined.contains_key(id))
        };
        if !function.lines.iter().any(|line| callee(line).is_some()) {
            return Ok(None);
        }
        let mut caller = Caller { code: room(function.lines.len())?, variables: Vec::new(), block: 0 };
        // The last part of each block that a call divides, and where the function's own instructions are that name
        // the blocks before theirs.
        let (mut last_parts, mut phis, mut own) = (HashMap::new(), Vec::new(), 0);
        for line in &function.lines {
            if let Some(callee) = callee(line).and_then(|id| inlined.get(&id)) {
                let Some(left) = self.left.checked_sub(callee.lines.len()) else {
                    return Ok(Some(callee.id()));
                };
                self.left = left;
                self.call(draft, line, callee, &mut caller)?;
                last_parts.insert(own, caller.block);
                continue;
            }
            match line.opcode() {
                Op::Label => (own, caller.block) = (line.operand(0), line.operand(0)),
                Op::Phi => phis.push(caller.code.len()),
                // It belongs to the first part, and says nothing that a kernel needs.
                Op::LoopMerge if caller.block != own => continue,
                _ => {}
            }
            reserve(&mut caller.code, 1)?;
            caller.code.push(line.clone());
        }
        for at in phis {
            let parents = caller.code.get_mut(at).map(|phi| phi.operands.iter_mut().skip(3).step_by(2));
            for parent in parents.into_iter().flatten() {
                *parent = last_parts.get(parent).copied().unwrap_or(*parent);
            }
        }
        let first = caller.code.iter().position(|line| line.opcode() == Op::Label).map_or(0, |at| at + 1);
        caller.code.splice(first..first, caller.variables);
        function.lines = caller.code;
        Ok(None)
    }

    /// Appends the code of a function in place of a call.
    fn call(
        &mut self,
        draft: &mut Draft,
        call: &Line,
        callee: &Function,
        caller: &mut Caller,
    ) -> Result<(), SpirvError> {
        let (kind, result) = (call.operand(0), call.operand(1));
        let mut ids = renamed(draft, callee, call)?;
        // A first block is no branch's target, so that its code continues the current block.
        let has_blocks = callee.lines.iter().filter(|line| line.opcode() == Op::Label).count() > 1;
        let after = draft.id()?;
        let mut returned = Vec::new();
        let mut is_first = true;
        for line in &callee.lines {
            match line.opcode() {
                Op::Function | Op::FunctionParameter | Op::FunctionEnd => {}
                Op::Label if std::mem::take(&mut is_first) => {
                    ids.insert(line.operand(0), caller.block);
                }
                Op::Return | Op::ReturnValue => {
                    let value = line.operand(0);
                    returned.extend([ids.get(&value).copied().unwrap_or(value), caller.block]);
                    if has_blocks {
                        caller.code.push(Line::new(Op::Branch, &[after]));
                    }
                }
                _ => self.copy(draft, line, &ids, caller)?,
            }
        }
        if has_blocks {
            caller.code.push(Line::new(Op::Label, &[after]));
            caller.block = after;
        }
        if draft.definition(kind).is_some_and(|kind| kind.opcode() == Op::TypeVoid) {
            return Ok(());
        }
        match returned.as_slice() {
            [] => draft.emit_as(&mut caller.code, result, Op::Undef, kind, &[]),
            [value, _] if !has_blocks => {
                draft.emit_as(&mut caller.code, result, Op::CopyObject, kind, &[*value])
            }
            pairs => draft.emit_as(&mut caller.code, result, Op::Phi, kind, pairs),
        }
    }

    /// Appends an instruction with other ids.
    fn copy(
        &self,
        draft: &mut Draft,
        line: &Line,
        ids: &HashMap<u32, u32>,
        caller: &mut Caller,
    ) -> Result<(), SpirvError> {
        if draft.is_debug(line) {
            return Ok(());
        }
        let mut copy = draft.with_ids(line, ids)?;
        draft.note(&copy);
        let new = grammar::result(&copy.inst()).filter(|_| grammar::result(&line.inst()).is_some());
        if let Some((old, new)) = grammar::result(&line.inst()).zip(new) {
            for decoration in self.decorations.get(&old).into_iter().flatten() {
                let mut decoration = decoration.clone();
                decoration.operands.iter_mut().take(1).for_each(|id| *id = new);
                draft.add_global(decoration)?;
            }
        }
        match copy.opcode() {
            Op::Label => caller.block = copy.operand(0),
            Op::Variable => {
                // It has its initial value each time that the function is called.
                if let Some(value) = copy.operands.get(3).copied() {
                    caller.code.push(Line::new(Op::Store, &[copy.operand(1), value]));
                    copy.operands.truncate(3);
                }
                caller.variables.push(copy);
                return Ok(());
            }
            _ => {}
        }
        reserve(&mut caller.code, 1)?;
        caller.code.push(copy);
        Ok(())
    }
}

/// Returns the ids that a call's copy of a function has in place of the function's own.
fn renamed(draft: &mut Draft, callee: &Function, call: &Line) -> Result<HashMap<u32, u32>, SpirvError> {
    let mut ids = HashMap::new();
    let mut arguments = call.operands.iter().skip(3).copied();
    for line in callee.lines.iter().skip(1) {
        let Some(old) = grammar::result(&line.inst()) else { continue };
        let new = match line.opcode() {
            Op::FunctionParameter => arguments.next(),
            _ => None,
        };
        let new = new.map_or_else(|| draft.id(), Ok)?;
        ids.insert(old, new);
    }
    Ok(ids)
}

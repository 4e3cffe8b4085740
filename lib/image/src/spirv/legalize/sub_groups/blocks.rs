//! Rewrites block reads and writes of a sub-group of one work-item to accesses to consecutive elements.

use rspirv::spirv::{MemoryAccess, Op};

use crate::spirv::SpirvError;
use crate::spirv::grammar;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::vector_type::VectorType;

/// Replaces a block access. Returns whether it was one.
pub(super) fn rewrite(draft: &mut Draft, line: &Line, code: &mut Vec<Line>) -> Result<bool, SpirvError> {
    match line.opcode() {
        Op::SubgroupBlockReadINTEL => read(draft, line, code).map(|()| true),
        Op::SubgroupBlockWriteINTEL => write(draft, line, code).map(|()| true),
        opcode
            if (Op::SubgroupImageBlockReadINTEL..=Op::SubgroupImageMediaBlockWriteINTEL)
                .contains(&opcode) =>
        {
            let name = grammar::name(opcode as u16).unwrap_or_default();
            Err(SpirvError::whole(format!("Op{name} is not known on a driver without sub-groups")))
        }
        _ => Ok(false),
    }
}

/// The elements of a block.
struct Block {
    /// The type of a pointer to one.
    pointer: u32,
    element: u32,
    /// The number of elements that a work-item reads or writes.
    count: u32,
    /// Their size in bytes, which is the only alignment that is guaranteed.
    size: u32,
}

impl Block {
    fn of(draft: &Draft, pointer: u32, kind: u32) -> Result<Self, SpirvError> {
        let unknown = || SpirvError::whole("a block access has an operand of an unknown type");
        let vector = VectorType::of(draft, kind);
        let (element, count) = vector.map_or((kind, 1), |vector| (vector.component, vector.count));
        let pointer = draft.kind(pointer).ok_or_else(unknown)?;
        let bits = draft.definition(element).map(|number| number.operand(1)).ok_or_else(unknown)?;
        Ok(Self { pointer, element, count, size: bits / 8 })
    }

    fn place(&self, draft: &mut Draft, code: &mut Vec<Line>, base: u32, at: u32) -> Result<u32, SpirvError> {
        let index = draft.size_type()?;
        let index = draft.constant(index, at.into())?;
        draft.emit(code, Op::PtrAccessChain, self.pointer, &[base, index])
    }

    fn access(&self) -> [u32; 2] {
        [MemoryAccess::ALIGNED.bits(), self.size]
    }
}

fn read(draft: &mut Draft, line: &Line, code: &mut Vec<Line>) -> Result<(), SpirvError> {
    let (kind, id, base) = (line.operand(0), line.operand(1), line.operand(2));
    let block = Block::of(draft, base, kind)?;
    let [mask, size] = block.access();
    if block.count == 1 {
        return draft.emit_as(code, id, Op::Load, kind, &[base, mask, size]);
    }
    let mut whole = draft.emit(code, Op::Undef, kind, &[])?;
    for at in 0..block.count {
        let place = block.place(draft, code, base, at)?;
        let part = draft.emit(code, Op::Load, block.element, &[place, mask, size])?;
        if at + 1 == block.count {
            draft.emit_as(code, id, Op::CompositeInsert, kind, &[part, whole, at])?;
        } else {
            whole = draft.emit(code, Op::CompositeInsert, kind, &[part, whole, at])?;
        }
    }
    Ok(())
}

fn write(draft: &mut Draft, line: &Line, code: &mut Vec<Line>) -> Result<(), SpirvError> {
    let (base, value) = (line.operand(0), line.operand(1));
    let kind = draft.kind(value).ok_or_else(|| SpirvError::whole("a block write's value has no type"))?;
    let block = Block::of(draft, base, kind)?;
    let [mask, size] = block.access();
    if block.count == 1 {
        code.push(Line::new(Op::Store, &[base, value, mask, size]));
        return Ok(());
    }
    for at in 0..block.count {
        let place = block.place(draft, code, base, at)?;
        let part = draft.emit(code, Op::CompositeExtract, block.element, &[value, at])?;
        code.push(Line::new(Op::Store, &[place, part, mask, size]));
    }
    Ok(())
}

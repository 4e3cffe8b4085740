//! Functions that return in several blocks.

use rspirv::spirv::Op;

use crate::spirv::SpirvError;
use crate::spirv::legalize::draft::Draft;
use crate::spirv::legalize::flow;
use crate::spirv::legalize::line::Line;

/// Makes a function return in its last block only, if it returns in several.
pub(super) fn unite(draft: &mut Draft, lines: &mut Vec<Line>) -> Result<(), SpirvError> {
    let returns = |line: &&Line| matches!(line.opcode(), Op::Return | Op::ReturnValue);
    if lines.iter().filter(returns).count() < 2 {
        return Ok(());
    }
    let blocks = flow::blocks(draft, lines)?;
    let exit = draft.id()?;
    let mut pairs = Vec::new();
    for block in &blocks {
        let code = lines.get_mut(block.lines.clone()).unwrap_or_default();
        let label = code.first().map_or(0, |line| line.operand(0));
        let last = code.iter_mut().find(|line| matches!(line.opcode(), Op::Return | Op::ReturnValue));
        if let Some(last) = last {
            pairs.extend([last.operand(0), label]);
            *last = Line::new(Op::Branch, &[exit]);
        }
    }
    let mut code = vec![Line::new(Op::Label, &[exit])];
    match pairs.first().and_then(|&value| draft.kind(value)) {
        Some(kind) => {
            let value = draft.emit(&mut code, Op::Phi, kind, &pairs)?;
            code.push(Line::new(Op::ReturnValue, &[value]));
        }
        None => code.push(Line::new(Op::Return, &[])),
    }
    let end = blocks.last().map_or(lines.len(), |block| block.lines.end);
    lines.splice(end..end, code);
    Ok(())
}

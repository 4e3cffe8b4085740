//! Has a driver compute sums, differences, products and quotients as a module says.
//!
//! rusticl 26.1 takes `(a + b) - a` for `b`, and 25.0 takes `a * 0` for 0, unless an instruction is decorated.

use std::collections::HashSet;

use rspirv::spirv::{Decoration, FPFastMathMode, Op};

use super::draft::Draft;
use super::line::Line;
use crate::room::room;
use crate::spirv::SpirvError;

/// Decorates what has no decoration that allows more. Products of vectors and scalars become those of vectors.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    draft.rewrite(|draft, mut line, code| {
        if let (Op::VectorTimesScalar, &[kind, id, vector, scalar]) =
            (line.opcode(), line.operands.as_slice())
        {
            let factor = draft.splat(code, scalar, kind)?;
            line = Line::new(Op::FMul, &[kind, id, vector, factor]);
        }
        code.push(line);
        Ok(())
    })?;
    let is_mode = |line: &&Line| line.opcode() == Op::Decorate && line.decorates(Decoration::FPFastMathMode);
    let decorated: HashSet<u32> = draft.globals.iter().filter(is_mode).map(|line| line.operand(0)).collect();
    let is_exact = |line: &&Line| {
        let computes = matches!(line.opcode(), Op::FAdd | Op::FSub | Op::FMul | Op::FDiv);
        computes && !decorated.contains(&line.operand(1))
    };
    let lines = || draft.functions.iter().flat_map(|function| &function.lines).filter(is_exact);
    let mut results = room(lines().count())?;
    results.extend(lines().map(|line| line.operand(1)));
    for result in results {
        let operands = [result, Decoration::FPFastMathMode as u32, FPFastMathMode::NONE.bits()];
        draft.add_global(Line::new(Op::Decorate, &operands))?;
    }
    Ok(())
}

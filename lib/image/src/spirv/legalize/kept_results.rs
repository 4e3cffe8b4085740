//! Keeps the memory for results of mathematical functions until a kernel returns.
//!
//! On a CPU, rusticl passes such memory to functions that it does not inline. A kernel with barriers loses it at a barrier
//! if no result is used behind it, and a function whose result is not used then writes to where it was.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{BuiltIn, Op, OpenclStd100Op as CLOp, StorageClass};

use super::barriers;
use super::draft::Draft;
use super::line::Line;
use super::work_items;
use crate::room::{reserve, room};
use crate::spirv::SpirvError;

/// Uses a result before each end of the kernels that have barriers and call such functions, in code that never runs.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    let kernels = kernels(draft);
    let mut functions = std::mem::take(&mut draft.functions);
    for function in functions.iter_mut().filter(|function| kernels.contains(&function.id())) {
        let mut after = room(function.lines.len())?;
        for line in std::mem::take(&mut function.lines) {
            if line.opcode() == Op::Return && !uses_a_result(&after) {
                use_a_result(draft, &mut after)?;
            }
            reserve(&mut after, 1)?;
            after.push(line);
        }
        function.lines = after;
    }
    draft.functions = functions;
    Ok(())
}

/// Returns the functions of the kernels that reach a barrier and a call of a mathematical function.
fn kernels(draft: &Draft) -> HashSet<u32> {
    let is_mathematical = |line: &Line| {
        let function = draft.function_of_opencl(line);
        function.is_some_and(|function| (CLOp::acos..=CLOp::native_tan).contains(&function))
    };
    let all = draft.functions.iter().map(|function| {
        let called = function.lines.iter().filter(|line| line.opcode() == Op::FunctionCall);
        let called: Vec<u32> = called.map(|line| line.operand(2)).collect();
        (function.id(), (barriers::waits(function), function.lines.iter().any(is_mathematical), called))
    });
    let functions: HashMap<u32, _> = all.collect();
    let reaches_both = |kernel: u32| {
        let mut reached = (false, false);
        let (mut seen, mut open) = (HashSet::from([kernel]), vec![kernel]);
        while let Some(id) = open.pop() {
            let Some((waits, computes, called)) = functions.get(&id) else { continue };
            reached = (reached.0 || *waits, reached.1 || *computes);
            open.extend(called.iter().filter(|id| seen.insert(**id)));
        }
        reached == (true, true)
    };
    let entries = draft.globals.iter().filter(|line| line.opcode() == Op::EntryPoint);
    entries.map(|line| line.operand(1)).filter(|kernel| reaches_both(*kernel)).collect()
}

/// Returns whether a result is used at the end of this code.
fn uses_a_result(code: &[Line]) -> bool {
    let opcodes: Vec<Op> = code.iter().rev().take(4).map(Line::opcode).collect();
    opcodes == [Op::Label, Op::Branch, Op::Store, Op::ConvertUToPtr]
}

/// Appends code that stores a result to the address that it is, if a condition holds that is always false.
fn use_a_result(draft: &mut Draft, code: &mut Vec<Line>) -> Result<(), SpirvError> {
    let (size, bits, float) = (draft.size_type()?, draft.int(32)?, draft.type_of(Op::TypeFloat, &[32])?);
    let pointer = draft.type_of(Op::TypePointer, &[StorageClass::CrossWorkgroup as u32, size])?;
    let (then, done) = (draft.id()?, draft.id()?);
    let set = draft.opencl()?;
    // Mesa knows that the number of a work-item in its work-group is not the largest, but not that this one is not.
    let [number, ..] = work_items::extent(draft, code, BuiltIn::GlobalInvocationId)?;
    let never = work_items::is_largest(draft, code, number)?;
    code.push(Line::new(Op::BranchConditional, &[never, then, done]));
    code.push(Line::new(Op::Label, &[then]));
    let argument = work_items::convert(draft, code, number, bits)?;
    let argument = draft.emit(code, Op::Bitcast, float, &[argument])?;
    // rusticl does not inline this function.
    let result = draft.emit(code, Op::ExtInst, float, &[set, CLOp::erf as u32, argument])?;
    let result = draft.emit(code, Op::Bitcast, bits, &[result])?;
    let result = work_items::convert(draft, code, result, size)?;
    let address = draft.emit(code, Op::ConvertUToPtr, pointer, &[result])?;
    code.push(Line::new(Op::Store, &[address, result]));
    code.push(Line::new(Op::Branch, &[done]));
    code.push(Line::new(Op::Label, &[done]));
    Ok(())
}

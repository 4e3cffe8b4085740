//! Keeps a driver from loads that no work-item makes.
//!
//! llvmpipe runs eight work-items as the lanes of a vector, with a mask of those that take part. It goes on behind a
//! `break`, and into short conditional blocks, even if none does. A load at an address that is the same in all lanes
//! is a scalar one, for which llvmpipe 26.1 does not look at the mask: a loop over a list that ends with a null
//! pointer reads that pointer. A load at an address that differs is masked.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{BuiltIn, Op, OpenclStd100Op as CLOp, StorageClass};

use super::draft::{Draft, Function};
use super::early_casts::{base, class, passes_on};
use super::line::Line;
use super::work_items;
use crate::room::{reserve, room};
use crate::spirv::SpirvError;
use crate::spirv::grammar::InstructionSet;

/// The name of the variable that this rewrite adds.
const LANE: &str = "sycl_pi_lane";

/// Returns the variable that this rewrite has added to a module.
pub(super) fn lane(draft: &Draft) -> Option<u32> {
    let mut names = draft.globals.iter().filter(|line| line.opcode() == Op::Name);
    names.find(|line| line.text(1) == LANE).map(|line| line.operand(0))
}

/// Makes the address of each load that may not be made look different in each lane: adds a number that is always zero,
/// but that the driver computes from the lane.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    if lane(draft).is_some() {
        return Ok(());
    }
    let entries = draft.globals.iter().filter(|line| line.opcode() == Op::EntryPoint);
    let kernels: HashSet<u32> = entries.map(|line| line.operand(1)).collect();
    let built_ins: HashSet<u32> = draft.built_ins().map(|(id, _)| id).collect();
    let mut variable = None;
    let mut functions = std::mem::take(&mut draft.functions);
    for function in &mut functions {
        let places = places(draft, function, kernels.contains(&function.id()), &built_ins);
        if !places.is_empty() {
            let lane = variable.map_or_else(|| add_lane(draft), Ok)?;
            variable = Some(lane);
            function.lines = changed(draft, function, &places, lane)?;
        }
    }
    draft.functions = functions;
    Ok(())
}

/// Adds the variable.
fn add_lane(draft: &mut Draft) -> Result<u32, SpirvError> {
    let kind = draft.int(32)?;
    let id = work_items::add_variable(draft, BuiltIn::SubgroupLocalInvocationId, kind)?;
    draft.add_name(id, LANE)?;
    Ok(id)
}

/// Returns the loads that may not be made, with the operands that are their addresses. Only the first block of a kernel
/// always runs.
fn places(
    draft: &Draft,
    function: &Function,
    is_kernel: bool,
    built_ins: &HashSet<u32>,
) -> HashMap<usize, usize> {
    let steps = function.lines.iter().filter(|line| passes_on(line.opcode()));
    let from: HashMap<u32, u32> = steps.map(|line| (line.operand(1), line.operand(2))).collect();
    let mut blocks = 0;
    let mut places = HashMap::new();
    for (at, line) in function.lines.iter().enumerate() {
        blocks += usize::from(line.opcode() == Op::Label);
        if is_kernel && blocks < 2 {
            continue;
        }
        let address =
            address(draft, line).filter(|&operand| !built_ins.contains(&base(&from, line.operand(operand))));
        places.extend(address.map(|operand| (at, operand)));
    }
    places
}

/// Returns the operand that is the address of a load from memory that all work-items share.
fn address(draft: &Draft, line: &Line) -> Option<usize> {
    let operand = match line.opcode() {
        Op::Load | Op::AtomicLoad => 2,
        Op::CopyMemory | Op::CopyMemorySized => 1,
        Op::ExtInst if draft.set(line.operand(2)) == InstructionSet::OpenCl && is_load(line.operand(3)) => 5,
        _ => return None,
    };
    let kind = draft.kind(line.operand(operand))?;
    let shared = [StorageClass::CrossWorkgroup, StorageClass::Generic, StorageClass::UniformConstant];
    let is_shared =
        class(draft, kind).is_some_and(|class| shared.iter().any(|shared| *shared as u32 == class));
    let pointee = draft.definition(draft.definition(kind)?.operand(2))?.opcode();
    // Images and samplers are in such memory, too.
    let is_data = matches!(
        pointee,
        Op::TypeBool
            | Op::TypeInt
            | Op::TypeFloat
            | Op::TypeVector
            | Op::TypeArray
            | Op::TypeStruct
            | Op::TypePointer
    );
    (is_shared && is_data).then_some(operand)
}

fn is_load(instruction: u32) -> bool {
    let loads = [CLOp::vloadn, CLOp::vload_half, CLOp::vload_halfn, CLOp::vloada_halfn];
    loads.iter().any(|load| *load as u32 == instruction)
}

/// Returns the function with changed addresses of these loads.
fn changed(
    draft: &mut Draft,
    function: &mut Function,
    places: &HashMap<usize, usize>,
    lane: u32,
) -> Result<Vec<Line>, SpirvError> {
    let lines = std::mem::take(&mut function.lines);
    let label = lines.iter().position(|line| line.opcode() == Op::Label).unwrap_or(0);
    let variables = lines.iter().skip(label + 1).take_while(|line| line.opcode() == Op::Variable).count();
    let start = label + 1 + variables;
    let mut code = room(lines.len() + places.len())?;
    let mut zero = 0;
    for (at, mut line) in lines.into_iter().enumerate() {
        if at == start {
            zero = add_zero(draft, &mut code, lane)?;
        }
        if let Some(address) = places.get(&at).and_then(|&operand| line.operands.get_mut(operand)) {
            let kind = draft.kind(*address).unwrap_or_default();
            *address = draft.emit(&mut code, Op::InBoundsPtrAccessChain, kind, &[*address, zero])?;
        }
        reserve(&mut code, 1)?;
        code.push(line);
    }
    Ok(code)
}

/// Appends code that computes zero from the lane: the product of its number and the next one is even.
fn add_zero(draft: &mut Draft, code: &mut Vec<Line>, lane: u32) -> Result<u32, SpirvError> {
    let kind = draft.int(32)?;
    let one = draft.word(1)?;
    let lane = draft.emit(code, Op::Load, kind, &[lane])?;
    let square = draft.emit(code, Op::IMul, kind, &[lane, lane])?;
    let even = draft.emit(code, Op::IAdd, kind, &[square, lane])?;
    draft.emit(code, Op::BitwiseAnd, kind, &[even, one])
}

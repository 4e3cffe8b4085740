//! Asks a driver for IEEE 754's results of zeros, infinities and NaN (SPV_KHR_float_controls).
//!
//! rusticl 25.0 takes a product with 0 for 0 otherwise, even if the other number is infinite or NaN.

use rspirv::spirv::{Capability, ExecutionMode, Op};

use super::draft::Draft;
use super::line::Line;
use crate::spirv::SpirvError;
use crate::spirv::build::text;

const EXTENSION: &str = "SPV_KHR_float_controls";

/// Asks for it in each kernel, for each width of floating-point numbers in the module.
pub(super) fn rewrite(draft: &mut Draft) -> Result<(), SpirvError> {
    const PRESERVE: ExecutionMode = ExecutionMode::SignedZeroInfNanPreserve;
    let operands = |opcode: Op, at: usize| -> Vec<u32> {
        let lines = draft.globals.iter().filter(|line| line.opcode() == opcode);
        lines.map(|line| line.operand(at)).collect()
    };
    let (kernels, widths) = (operands(Op::EntryPoint, 1), operands(Op::TypeFloat, 1));
    let is_extension = |line: &Line| line.opcode() == Op::Extension && line.text(0) == EXTENSION;
    if widths.is_empty() || kernels.is_empty() {
        return Ok(());
    }
    if !draft.globals.iter().any(is_extension) {
        draft.add_global(Line::new(Op::Extension, &text(EXTENSION).collect::<Vec<_>>()))?;
    }
    draft.require(Capability::SignedZeroInfNanPreserve)?;
    for kernel in kernels {
        for &width in &widths {
            let mode = Line::new(Op::ExecutionMode, &[kernel, PRESERVE as u32, width]);
            if !draft.globals.contains(&mode) {
                draft.add_global(mode)?;
            }
        }
    }
    Ok(())
}

//! Extended instructions: OpenCL.std.

mod common;
mod float;
mod geometry;
mod integer;
mod memory;
mod printf;
mod tables;

use sycl_pi_image::spirv::Op;

use crate::code::body::Body;
use crate::error::Step;

impl Body<'_, '_> {
    /// Extended instructions. Answers whether the instruction is one.
    pub(crate) fn extended_instruction(&mut self) -> Step<bool> {
        if self.inst.opcode != Op::ExtInst {
            return Ok(false);
        }
        if self.program.index.is_debug(&self.inst) {
            return Ok(true);
        }
        let set = self.program.index.sets.get(&self.operand(2)).map(String::as_str).unwrap_or_default();
        if set.starts_with("NonSemantic.") {
            return Ok(true);
        }
        if set != "OpenCL.std" {
            return Err(format!("instructions of {set:?} are not supported on CUDA").into());
        }
        let number = self.operand(3);
        let operands = self.inst.operands.get(4..).unwrap_or_default();
        let known = self.opencl_table(number, operands)?
            || self.opencl_integer(number, operands)?
            || self.opencl_common(number, operands)?
            || self.opencl_float(number, operands)?
            || self.opencl_geometry(number, operands)?
            || self.opencl_memory(number, operands)?
            || self.opencl_printf(number, operands)?;
        match known {
            true => Ok(true),
            false => Err(format!("OpenCL.std instruction {number} is not supported on CUDA").into()),
        }
    }
}

//! Which file translates an instruction.

use sycl_pi_image::spirv::Op;

use crate::code::body::Body;
use crate::error::Step;

impl Body<'_, '_> {
    /// Translates the instruction.
    pub(crate) fn translate(&mut self) -> Step {
        let opcode = self.inst.opcode;
        // What says nothing about the code, or promises what is not used.
        if matches!(opcode, Op::Line | Op::NoLine | Op::FunctionParameter | Op::Function | Op::FunctionEnd)
            || (Op::AliasDomainDeclINTEL..=Op::AliasScopeListDeclINTEL).contains(&opcode)
        {
            return Ok(());
        }
        let known = self.memory()?
            || self.pointer()?
            || self.control()?
            || self.arithmetic()?
            || self.compare()?
            || self.composite()?
            || self.convert()?
            || self.call()?
            || self.extended_instruction()?
            || self.atomics()?
            || self.groups()?
            || self.subgroups()?;
        if known { Ok(()) } else { Err("the instruction is not supported on CUDA".into()) }
    }
}

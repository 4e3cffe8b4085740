//! Which file translates an instruction.

use crate::code::body::Body;
use crate::error::Step;
use crate::op;

impl Body<'_, '_> {
    /// Translates the instruction.
    pub(crate) fn translate(&mut self) -> Step {
        let opcode = self.inst.opcode;
        // What says nothing about the code, or promises what is not used.
        if matches!(
            opcode,
            op::OpLine | op::OpNoLine | op::OpFunctionParameter | op::OpFunction | op::OpFunctionEnd
        ) || (op::OpAliasDomainDeclINTEL..=op::OpAliasScopeListDeclINTEL).contains(&opcode)
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

//! Asynchronous copies of a work-group. All work-items copy immediately; waiting for the copy is a barrier.

use crate::code::body::{Body, emit};
use crate::error::Result;
use crate::types::AddressSpace;

impl Body<'_, '_> {
    /// SPIR-V specification, OpGroupAsyncCopy: the stride counts elements of the memory that is not local.
    pub(crate) fn group_async_copy(&mut self) -> Result<()> {
        let (scope, to, from, event) = (self.operand(2), self.operand(3), self.operand(4), self.operand(7));
        if self.is_subgroup(scope)? {
            return Err("an asynchronous copy is a work-group's".into());
        }
        let (to_space, element) = self.program.types.pointer(self.type_of(to)?)?;
        let (from_space, source) = self.program.types.pointer(self.type_of(from)?)?;
        if self.type_text(element)? != self.type_text(source)? {
            return Err("the destination and the source have different types".into());
        }
        // OpenCL C specification, async_work_group_copy: for vectors of three, all four components are copied.
        let ty = self.program.types.written(element)?;
        let (count, stride) = (self.as_long(self.operand(5))?, self.as_long(self.operand(6))?);
        let strides = match to_space {
            AddressSpace::Shared => format!("i64 1, i64 {stride}"),
            _ => format!("i64 {stride}, i64 1"),
        };
        let guarded = self.may_be_null(to)? || self.may_be_null(from)?;
        let helper = self.helpers.async_copy(&ty, to_space, from_space, guarded);
        let (to, from) = (self.typed(to)?, self.typed(from)?);
        let (to_type, from_type) = (to_space.pointer_to(&ty), from_space.pointer_to(&ty));
        let to = self.new_value(format_args!("bitcast {to} to {to_type}"));
        let from = self.new_value(format_args!("bitcast {from} to {from_type}"));
        let event = self.value(event)?;
        emit!(self, "call void @{helper}({to_type} {to}, {from_type} {from}, i64 {count}, {strides})");
        self.set_result(format_args!("add i64 {event}, 0"));
        Ok(())
    }

    /// SPIR-V specification, OpGroupWaitEvents: after it, the copies of all work-items are visible.
    pub(crate) fn group_wait_events(&mut self) -> Result<()> {
        if self.is_subgroup(self.operand(0))? {
            return Err("a wait for an asynchronous copy is a work-group's".into());
        }
        let helper = self.helpers.group_barrier();
        emit!(self, "call void @{helper}()");
        Ok(())
    }

    /// Returns an address-sized number as an `i64`.
    fn as_long(&mut self, id: u32) -> Result<String> {
        let value = self.value(id)?;
        match self.type_text(self.type_of(id)?)? {
            "i64" => Ok(value),
            "i32" => Ok(self.new_value(format_args!("zext i32 {value} to i64"))),
            other => Err(format!("a count of type {other} is not a size").into()),
        }
    }
}

//! Group operations: barriers, votes, reductions, broadcasts.

use std::fmt::Write;

use sycl_pi_image::spirv::Scope;

use crate::code::body::{Body, emit};
use crate::error::Result;
use crate::helpers::lanes::{ExchangedType, Shuffle};
use crate::helpers::reduce::{Reduction, ReductionKind};
use crate::helpers::synchronize::{MemoryOrder, scope_from, scope_name};
use crate::helpers::work_items::SpecialRegister;
use crate::masks::{Edge, GIVEN, Mask};
use crate::types::TypeKind;

impl Body<'_, '_> {
    pub(crate) fn memory_barrier(&mut self) -> Result<()> {
        let (scope, semantics) = (self.operand(0), self.operand(1));
        self.fence_for(scope, semantics)
    }

    /// Returns whether the execution scope is a sub-group rather than a work-group.
    pub(crate) fn is_subgroup(&self, scope: u32) -> Result<bool> {
        let number = self.number(scope).ok_or("the scope is not a constant")?;
        match scope_from(number) {
            Some(Scope::Workgroup) => Ok(false),
            Some(Scope::Subgroup) => Ok(true),
            _ => Err(format!("scope {number} is neither a work-group nor a sub-group").into()),
        }
    }

    pub(crate) fn control_barrier(&mut self) -> Result<()> {
        let (scope, memory, semantics) = (self.operand(0), self.operand(1), self.operand(2));
        let wide = self
            .number(memory)
            .is_none_or(|memory| matches!(scope_from(memory), Some(Scope::CrossDevice | Scope::Device)));
        let helper = match self.is_subgroup(scope)? {
            true => {
                let mask = self.taking_part();
                format!("{}(i32 {mask})", self.helpers.subgroup_barrier(self.size))
            }
            false => format!("{}()", self.helpers.group_barrier()),
        };
        // A barrier orders memory only within its own group; other work-groups need a fence.
        if wide {
            self.fence_for(memory, semantics)?;
        }
        emit!(self, "call void @{helper}");
        if wide {
            self.fence_for(memory, semantics)?;
        }
        Ok(())
    }

    fn fence_for(&mut self, scope: u32, semantics: u32) -> Result<()> {
        let scope = self.number(scope).unwrap_or(Scope::CrossDevice as u64);
        let order = MemoryOrder::from_semantics(self.number(semantics));
        if order != MemoryOrder::Relaxed && scope_from(scope) != Some(Scope::Invocation) {
            let helper = self.helpers.fence(order, scope_name(scope)?);
            emit!(self, "call void @{helper}()");
        }
        Ok(())
    }

    /// Returns the active mask: the work-items that take part in an instruction, excluding those that have exited the
    /// kernel.
    pub(crate) fn active_mask(&mut self) -> String {
        let mask = self.taking_part();
        if self.program.masks.of_block(self.block) != Mask::Whole {
            return mask;
        }
        let helper = self.helpers.ballot(self.size);
        self.new_value(format_args!("call i32 @{helper}(i32 {mask}, i1 true)"))
    }

    /// Returns the mask of the work-items that take part in an instruction, which waits for them: the whole sub-group,
    /// or those that reached the block. The mask of the whole sub-group includes work-items that have exited the
    /// kernel; no work-item waits for them.
    pub(crate) fn taking_part(&mut self) -> String {
        self.mask(self.program.masks.of_block(self.block))
    }

    fn mask(&mut self, mask: Mask) -> String {
        let helper = match mask {
            Mask::Kept(variable) => {
                return self.new_value(format_args!("load i32, i32* {variable}, align 4"));
            }
            Mask::Given => return GIVEN.to_owned(),
            Mask::Whole => self.helpers.subgroup_mask(self.size),
            Mask::Unknown => self.helpers.active_mask(self.size),
        };
        self.new_value(format_args!("call i32 @{helper}()"))
    }

    /// Writes the masks of a branch's target blocks that need them.
    pub(crate) fn write_masks(&mut self, condition: Option<&str>) {
        let program = self.program;
        let written = program.masks.written_by(self.block);
        if written.is_empty() {
            return;
        }
        let all = self.active_mask();
        let is_conditional = written.iter().any(|(_, edge)| *edge != Edge::Always);
        let chosen = condition.filter(|_| is_conditional).map(|condition| {
            let helper = self.helpers.ballot(self.size);
            let yes = self.new_value(format_args!("call i32 @{helper}(i32 {all}, i1 {condition})"));
            let other = self.new_value(format_args!("xor i32 {yes}, -1"));
            let no = self.new_value(format_args!("and i32 {all}, {other}"));
            (yes, no)
        });
        for (variable, edge) in written {
            let mask = match (edge, &chosen) {
                (Edge::IfTrue, Some((yes, _))) => yes,
                (Edge::IfFalse, Some((_, no))) => no,
                _ => &all,
            };
            emit!(self, "store i32 {mask}, i32* {variable}, align 4");
        }
    }

    /// Writes the votes on the edge to another block. A work-item waits there until all work-items of the mask have
    /// voted.
    pub(crate) fn vote_on_edge(&mut self, to: u32) {
        let program = self.program;
        let votes = program.masks.votes_between(self.block, to);
        if votes.is_empty() {
            return;
        }
        let _ = writeln!(self.out, "b{}.{to}:", self.block);
        for vote in votes {
            let (mask, helper) = (self.mask(vote.among), self.helpers.ballot(self.size));
            let reaching =
                self.new_value(format_args!("call i32 @{helper}(i32 {mask}, i1 {})", vote.reaches));
            if vote.reaches {
                emit!(self, "store i32 {reaching}, i32* {}, align 4", vote.variable);
            }
        }
        emit!(self, "br label %b{to}");
    }

    /// Translates a vote: whether a condition holds for any, or for all, work-items of a group.
    pub(crate) fn vote(&mut self, any: bool) -> Result<()> {
        let condition = self.value(self.operand(3))?;
        if self.is_subgroup(self.operand(2))? {
            let mask = self.taking_part();
            return self.masked_vote(any, &mask, &condition);
        }
        let helper = self.helpers.group_vote(any);
        self.set_result(format_args!("call i1 @{helper}(i1 {condition})"));
        Ok(())
    }

    /// Votes whether a condition holds for any, or for all, work-items of a mask.
    pub(crate) fn masked_vote(&mut self, any: bool, mask: &str, condition: &str) -> Result<()> {
        let helper = self.helpers.ballot(self.size);
        // "All" means that no work-item votes no, so that work-items that have exited the kernel do not count.
        let asked = match any {
            true => condition.to_owned(),
            false => self.new_value(format_args!("xor i1 {condition}, true")),
        };
        let ballot = self.new_value(format_args!("call i32 @{helper}(i32 {mask}, i1 {asked})"));
        let comparison = if any { "ne" } else { "eq" };
        self.set_result(format_args!("icmp {comparison} i32 {ballot}, 0"));
        Ok(())
    }

    /// Returns the scalar type that work-items exchange.
    pub(crate) fn exchanged(&self, ty: u32) -> Result<ExchangedType> {
        let element = self.program.types.scalar(ty)?.0;
        let (bits, is_pointer) = match self.kind(element)? {
            TypeKind::Bool => (1, false),
            TypeKind::Int(bits) | TypeKind::Float(bits) if *bits <= 64 => (*bits, false),
            TypeKind::Bfloat16 => (16, false),
            TypeKind::Pointer { .. } => (64, true),
            _ => return Err("values of this type cannot be exchanged".into()),
        };
        Ok(ExchangedType { text: self.type_text(element)?.to_owned(), bits, is_pointer })
    }

    /// Translates a reduction or scan of a group that all its work-items reach.
    pub(crate) fn reduce(&mut self, reduction: Reduction) -> Result<()> {
        let (scope, value) = (self.operand(2), self.operand(4));
        let part = ReductionKind::from_operand(self.operand(3))?;
        let ty = self.exchanged(self.result_type())?;
        if self.is_subgroup(scope)? {
            let there = self.active_mask();
            return self.reduce_among(part, reduction, &there, &ty);
        }
        let helper = self.helpers.group_reduce(part, reduction, &ty);
        let ty = ty.text;
        self.lanes(&[value], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            Ok(body.new_value(format_args!("call {ty} @{helper}({ty} {value})")))
        })
    }

    /// Writes a reduction or scan over the work-items of a mask.
    pub(crate) fn reduce_among(
        &mut self,
        part: ReductionKind,
        reduction: Reduction,
        mask: &str,
        exchanged: &ExchangedType,
    ) -> Result<()> {
        let (helper, ty) =
            (self.helpers.subgroup_reduce(self.size, part, reduction, exchanged), &exchanged.text);
        self.lanes(&[self.operand(4)], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            Ok(body.new_value(format_args!("call {ty} @{helper}(i32 {mask}, {ty} {value})")))
        })
    }

    pub(crate) fn broadcast(&mut self) -> Result<()> {
        let (scope, value, owner) = (self.operand(2), self.operand(3), self.operand(4));
        let ty = self.exchanged(self.result_type())?.text;
        if self.is_subgroup(scope)? {
            let (mask, lane) = (self.taking_part(), self.lane_number(owner)?);
            return self.shuffled(Shuffle::Index, &mask, value, &lane);
        }
        let owner = self.linear_number(owner)?;
        let helper = self.helpers.group_broadcast(&ty);
        self.lanes(&[value], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            Ok(body.new_value(format_args!("call {ty} @{helper}({ty} {value}, i32 {owner})")))
        })
    }

    /// Returns a lane number as an `i32`.
    pub(crate) fn lane_number(&mut self, id: u32) -> Result<String> {
        let ty = self.type_of(id)?;
        if self.program.types.scalar(ty)?.1.is_some() {
            return Err("a lane has one number".into());
        }
        let (bits, value) = (self.int_bits(ty)?, self.value(id)?);
        Ok(self.resize(&value, bits, 32))
    }

    /// Returns the linear number in the work-group of the work-item with a local id, which is a number or a vector.
    fn linear_number(&mut self, id: u32) -> Result<String> {
        let ty = self.type_of(id)?;
        let (element, count) = self.program.types.scalar(ty)?;
        let bits = self.int_bits(element)?;
        let mut sum: Option<String> = None;
        for axis in (0..count.unwrap_or(1)).rev() {
            let value = self.lane_of(id, axis)?;
            let value = self.resize(&value, bits, 32);
            sum = Some(match sum {
                None => value,
                Some(sum) => {
                    let helper = self.helpers.special_register(SpecialRegister::LocalSize, axis as usize);
                    let size = self.new_value(format_args!("call i32 @{helper}()"));
                    let rows = self.new_value(format_args!("mul i32 {sum}, {size}"));
                    self.new_value(format_args!("add i32 {rows}, {value}"))
                }
            });
        }
        sum.ok_or_else(|| "a local id is missing".into())
    }

    /// Sets the result to another lane's operand.
    pub(crate) fn shuffled(&mut self, how: Shuffle, mask: &str, value: u32, lane: &str) -> Result<()> {
        let ty = self.exchanged(self.result_type())?;
        let helper = self.helpers.shuffle(self.size, how, &ty);
        let ty = ty.text;
        self.lanes(&[value], |body, operands| {
            let [value] = operands else { return Err("an operand is missing".into()) };
            Ok(body.new_value(format_args!("call {ty} @{helper}(i32 {mask}, {ty} {value}, i32 {lane})")))
        })
    }
}

//! The functions that compute collectives. Each work-item stores its value in local memory, one of them combines all
//! values, and each loads its result.

use std::collections::HashMap;

use rspirv::spirv::{BuiltIn, FunctionControl, GroupOperation, Op, StorageClass};

use crate::spirv::SpirvError;
use crate::spirv::legalize::arithmetic::Combine;
use crate::spirv::legalize::barriers;
use crate::spirv::legalize::draft::{Draft, Function};
use crate::spirv::legalize::line::Line;
use crate::spirv::legalize::vector_type::VectorType;
use crate::spirv::legalize::work_items;

/// The functions that were generated, and their memory.
pub(super) struct Helpers {
    most_items: u32,
    /// The array with a slot of 8 bytes for each work-item.
    slots: Option<u32>,
    combines: HashMap<(Combine, u32, u32), u32>,
    broadcasts: HashMap<u32, u32>,
}

/// A function that is being generated.
struct Body {
    id: u32,
    parameters: Vec<u32>,
    code: Vec<Line>,
    /// The type of sizes.
    size: u32,
    /// The type of the values.
    kind: u32,
    slots: u32,
}

impl Helpers {
    pub(super) fn new(most_items: u32) -> Self {
        Self { most_items, slots: None, combines: HashMap::new(), broadcasts: HashMap::new() }
    }

    /// Returns a function that combines the values of all work-items of this type.
    pub(super) fn combine(
        &mut self,
        draft: &mut Draft,
        combine: Combine,
        operation: GroupOperation,
        kind: u32,
    ) -> Result<u32, SpirvError> {
        let key = (combine, operation as u32, kind);
        if let Some(&helper) = self.combines.get(&key) {
            return Ok(helper);
        }
        let slots = self.slots(draft)?;
        let mut body = Body::start(draft, kind, &[kind], slots)?;
        let size = body.size;
        let value = body.parameters.first().copied().unwrap_or(0);
        let own = work_items::index(draft, &mut body.code)?;
        let own_slot = body.slot(draft, own)?;
        body.code.push(Line::new(Op::Store, &[own_slot, value]));
        body.barrier(draft)?;

        let boolean = draft.boolean()?;
        let (zero, one) = (draft.constant(size, 0)?, draft.constant(size, 1)?);
        let [combining, head, next, stored, done] =
            [draft.id()?, draft.id()?, draft.id()?, draft.id()?, draft.id()?];
        let is_first = draft.emit(&mut body.code, Op::IEqual, boolean, &[own, zero])?;
        body.code.push(Line::new(Op::BranchConditional, &[is_first, combining, done]));

        body.code.push(Line::new(Op::Label, &[combining]));
        let exclusive = operation == GroupOperation::ExclusiveScan;
        let first_slot = body.slot(draft, zero)?;
        let (from, start) = if exclusive {
            (zero, combine.identity(draft, kind)?)
        } else {
            (one, draft.emit(&mut body.code, Op::Load, kind, &[first_slot])?)
        };
        let count = work_items::count(draft, &mut body.code, BuiltIn::WorkgroupSize)?;
        body.code.push(Line::new(Op::Branch, &[head]));

        body.code.push(Line::new(Op::Label, &[head]));
        let [at, sum, at_next, sum_next] = [draft.id()?, draft.id()?, draft.id()?, draft.id()?];
        draft.emit_as(&mut body.code, at, Op::Phi, size, &[from, combining, at_next, next])?;
        draft.emit_as(&mut body.code, sum, Op::Phi, kind, &[start, combining, sum_next, next])?;
        let is_more = draft.emit(&mut body.code, Op::ULessThan, boolean, &[at, count])?;
        body.code.push(Line::new(Op::BranchConditional, &[is_more, next, stored]));

        body.code.push(Line::new(Op::Label, &[next]));
        let slot = body.slot(draft, at)?;
        let part = draft.emit(&mut body.code, Op::Load, kind, &[slot])?;
        let combined = combine.apply(draft, &mut body.code, kind, [sum, part])?;
        draft.emit_as(&mut body.code, sum_next, Op::CopyObject, kind, &[combined])?;
        match operation {
            GroupOperation::ExclusiveScan => body.code.push(Line::new(Op::Store, &[slot, sum])),
            GroupOperation::InclusiveScan => body.code.push(Line::new(Op::Store, &[slot, sum_next])),
            _ => {}
        }
        draft.emit_as(&mut body.code, at_next, Op::IAdd, size, &[at, one])?;
        body.code.push(Line::new(Op::Branch, &[head]));

        body.code.push(Line::new(Op::Label, &[stored]));
        let is_reduce = operation == GroupOperation::Reduce;
        if is_reduce {
            body.code.push(Line::new(Op::Store, &[first_slot, sum]));
        }
        body.code.push(Line::new(Op::Branch, &[done]));

        body.code.push(Line::new(Op::Label, &[done]));
        body.barrier(draft)?;
        let result_slot = if is_reduce { body.slot(draft, zero)? } else { own_slot };
        let helper = body.finish(draft, result_slot)?;
        self.combines.insert(key, helper);
        Ok(helper)
    }

    /// Returns a function that returns the value of the work-item with a given number.
    pub(super) fn broadcast(&mut self, draft: &mut Draft, kind: u32) -> Result<u32, SpirvError> {
        if let Some(&helper) = self.broadcasts.get(&kind) {
            return Ok(helper);
        }
        let slots = self.slots(draft)?;
        let size = draft.size_type()?;
        let mut body = Body::start(draft, kind, &[kind, size], slots)?;
        let [value, from] = [0, 1].map(|at| body.parameters.get(at).copied().unwrap_or(0));
        let own = work_items::index(draft, &mut body.code)?;
        let slot = body.slot(draft, own)?;
        body.code.push(Line::new(Op::Store, &[slot, value]));
        body.barrier(draft)?;
        let slot = body.slot(draft, from)?;
        let helper = body.finish(draft, slot)?;
        self.broadcasts.insert(kind, helper);
        Ok(helper)
    }

    /// Returns the array in local memory.
    fn slots(&mut self, draft: &mut Draft) -> Result<u32, SpirvError> {
        if let Some(slots) = self.slots {
            return Ok(slots);
        }
        let local = StorageClass::Workgroup as u32;
        let (element, count) = (draft.int(64)?, draft.word(self.most_items)?);
        let array = draft.type_of(Op::TypeArray, &[element, count])?;
        let pointer = draft.type_of(Op::TypePointer, &[local, array])?;
        let id = draft.id()?;
        draft.add_global(Line::new(Op::Variable, &[pointer, id, local]))?;
        // PoCL 6.0 fails if the first kernel of a module does not use a variable without a name.
        draft.add_name(id, "sycl_pi_slots")?;
        self.slots = Some(id);
        Ok(id)
    }
}

impl Body {
    /// Starts a function that returns a `kind`, with parameters of these types.
    fn start(draft: &mut Draft, kind: u32, parameters: &[u32], slots: u32) -> Result<Self, SpirvError> {
        let is_number =
            |line: &Line| matches!(line.opcode(), Op::TypeInt | Op::TypeFloat) && line.operand(1) <= 64;
        if !draft.definition(kind).is_some_and(is_number) {
            return Err(SpirvError::whole(format!("type {kind} of a work-group's operation is not known")));
        }
        let size = draft.size_type()?;
        let function = draft.type_of(Op::TypeFunction, &[&[kind], parameters].concat())?;
        let id = draft.id()?;
        let mut code = vec![Line::new(Op::Function, &[kind, id, FunctionControl::NONE.bits(), function])];
        let mut values = Vec::new();
        for &parameter in parameters {
            values.push(draft.emit(&mut code, Op::FunctionParameter, parameter, &[])?);
        }
        code.push(Line::new(Op::Label, &[draft.id()?]));
        Ok(Self { id, parameters: values, code, size, kind, slots })
    }

    /// Appends the address of the slot with this number.
    fn slot(&mut self, draft: &mut Draft, at: u32) -> Result<u32, SpirvError> {
        let local = StorageClass::Workgroup as u32;
        let word = draft.int(64)?;
        let pointer = draft.type_of(Op::TypePointer, &[local, word])?;
        let slot = draft.emit(&mut self.code, Op::AccessChain, pointer, &[self.slots, at])?;
        if self.kind == word {
            return Ok(slot);
        }
        let pointer = draft.type_of(Op::TypePointer, &[local, self.kind])?;
        draft.emit(&mut self.code, Op::Bitcast, pointer, &[slot])
    }

    /// Appends a barrier of the work-group that orders its local memory.
    fn barrier(&mut self, draft: &mut Draft) -> Result<(), SpirvError> {
        self.code.push(barriers::of_local_memory(draft)?);
        Ok(())
    }

    /// Returns the value in a slot. No work-item returns before all of them have loaded it, because the slots are
    /// reused.
    fn finish(mut self, draft: &mut Draft, slot: u32) -> Result<u32, SpirvError> {
        let value = draft.emit(&mut self.code, Op::Load, self.kind, &[slot])?;
        self.barrier(draft)?;
        self.code.push(Line::new(Op::ReturnValue, &[value]));
        self.code.push(Line::new(Op::FunctionEnd, &[]));
        draft.functions.push(Function { lines: self.code });
        Ok(self.id)
    }
}

/// Appends code for the number, in its work-group, of the work-item that a broadcast names by one to three coordinates.
pub(super) fn item_at(draft: &mut Draft, code: &mut Vec<Line>, local_id: u32) -> Result<u32, SpirvError> {
    let unknown = || SpirvError::whole("a broadcast's work-item has no integer type");
    let size = draft.size_type()?;
    let kind = draft.kind(local_id).ok_or_else(unknown)?;
    let Some(vector) = VectorType::of(draft, kind) else {
        return work_items::convert(draft, code, local_id, size);
    };
    let extent = work_items::extent(draft, code, BuiltIn::WorkgroupSize)?;
    let mut number = draft.constant(size, 0)?;
    // z, y, x: each step multiplies by the size in the next dimension.
    for at in (0..vector.count.min(3)).rev() {
        let part = draft.emit(code, Op::CompositeExtract, vector.component, &[local_id, at])?;
        let part = work_items::convert(draft, code, part, size)?;
        let scaled =
            draft.emit(code, Op::IMul, size, &[number, extent.get(at as usize).copied().unwrap_or(0)])?;
        number = draft.emit(code, Op::IAdd, size, &[scaled, part])?;
    }
    Ok(number)
}

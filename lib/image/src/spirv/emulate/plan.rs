//! Finds the constants and their places in the buffer, and the functions that need the buffer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::RangeInclusive;

use rspirv::spirv::{Decoration, Op};

use crate::property::{PADDING, SpecConstants};
use crate::spirv::Index;
use crate::spirv::Inst;
use crate::spirv::SpirvError;
use crate::spirv::reflect::{LinkageKind, Reflection};
use crate::spirv::{Types, grammar};

/// The instructions that compute a value from others: access chains, parts of composites, conversions, arithmetic and
/// logic.
const COMPUTE: [RangeInclusive<Op>; 4] = [
    Op::AccessChain..=Op::InBoundsPtrAccessChain,
    Op::VectorShuffle..=Op::CompositeInsert,
    Op::ConvertFToU..=Op::Bitcast,
    Op::SNegate..=Op::Not,
];

/// A specialization constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    /// A scalar with its offset and size in the buffer, in bytes.
    Scalar { offset: u32, size: u32 },
    /// A composite of other constants.
    Composite,
    /// An `OpSpecConstantOp` on other constants.
    Computed,
}

/// The changes to make.
#[derive(Debug, Default)]
pub(super) struct EmulationPlan {
    /// Every constant whose value is known only at launch.
    pub(super) constants: HashMap<u32, Constant>,
    /// The functions that need the buffer, with the constants that their own code uses, parts before wholes.
    pub(super) functions: HashMap<u32, Vec<u32>>,
    /// The kernels among them, by name.
    pub(super) kernels: Vec<String>,
}

impl EmulationPlan {
    pub(super) fn new(
        index: &Index<'_>,
        types: &Types<'_>,
        layout: &SpecConstants,
    ) -> Result<Self, SpirvError> {
        let mut plan = Self::default();
        plan.find_constants(index, types, &places(layout)?)?;
        plan.refuse_early_uses(index)?;
        let (direct, callers) = plan.look_through(index)?;
        let mut open: Vec<u32> = direct.keys().copied().collect();
        let mut seen: BTreeSet<u32> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            for &caller in callers.get(&id).into_iter().flatten() {
                if seen.insert(caller) {
                    open.push(caller);
                }
            }
        }
        for id in seen {
            let used: Vec<u32> = direct.get(&id).into_iter().flatten().map(|&(_, id)| id).collect();
            plan.functions.insert(id, used);
        }
        plan.refuse_foreign_callers(index)?;
        Ok(plan)
    }

    fn find_constants(
        &mut self,
        index: &Index<'_>,
        types: &Types<'_>,
        places: &HashMap<u32, (u32, u32)>,
    ) -> Result<(), SpirvError> {
        for inst in index.globals().filter(|inst| grammar::is_spec_constant(inst.opcode)) {
            let id = inst.operand(1);
            let constant = match inst.opcode {
                Op::SpecConstantComposite | Op::SpecConstantOp => {
                    let mut depends = false;
                    index.ids(&inst, |at, part| depends |= at >= 2 && self.constants.contains_key(&part))?;
                    match inst.opcode {
                        _ if !depends => continue,
                        Op::SpecConstantComposite => Constant::Composite,
                        _ if !computes(inst.operand(2)) => {
                            let problem = "OpSpecConstantOp has an operation that computes nothing";
                            return Err(inst.error(format!("{problem}: {}", inst.operand(2))));
                        }
                        _ => Constant::Computed,
                    }
                }
                _ => {
                    let Some(spec_id) = index.decorations(id, Decoration::SpecId).next() else { continue };
                    let spec_id = spec_id.operand(2);
                    let &(offset, size) = places.get(&spec_id).ok_or_else(|| {
                        let problem = "is not in the property set SYCL/specialization constants";
                        inst.error(format!("specialization constant {spec_id} {problem}"))
                    })?;
                    if types.size(inst.operand(0)) != Some(size.into()) {
                        let kind = types.describe(inst.operand(0));
                        let problem =
                            format!("specialization constant {spec_id} has type {kind}, not {size} bytes");
                        return Err(inst.error(problem));
                    }
                    Constant::Scalar { offset, size }
                }
            };
            self.constants.insert(id, constant);
        }
        Ok(())
    }

    /// Refuses constants that something outside functions, other than another constant, uses.
    fn refuse_early_uses(&self, index: &Index<'_>) -> Result<(), SpirvError> {
        for inst in index.globals() {
            let own = grammar::result(&inst).is_some_and(|id| self.constants.contains_key(&id));
            if own || matches!(inst.opcode, Op::Name | Op::Decorate) {
                continue;
            }
            if index.is_debug(&inst) {
                continue;
            }
            let mut used = None;
            index.ids(&inst, |_, id| used = used.or(self.constants.contains_key(&id).then_some(id)))?;
            if let Some(id) = used {
                let name = index.name(id).unwrap_or_else(|| format!("%{id}"));
                let by = grammar::name(inst.raw_opcode).unwrap_or("an instruction");
                return Err(inst.error(format!(
                    "specialization constant {name} cannot be emulated: Op{by} needs its value before the code runs"
                )));
            }
        }
        Ok(())
    }

    /// Collects the constants that each function's code uses, in the module's order, and each function's callers.
    #[allow(clippy::type_complexity, reason = "both come of one pass")]
    fn look_through(
        &self,
        index: &Index<'_>,
    ) -> Result<(BTreeMap<u32, BTreeSet<(u32, u32)>>, HashMap<u32, BTreeSet<u32>>), SpirvError> {
        let mut direct: BTreeMap<u32, BTreeSet<(u32, u32)>> = BTreeMap::new();
        let mut callers: HashMap<u32, BTreeSet<u32>> = HashMap::new();
        for function in &index.functions {
            let mut open = Vec::new();
            for inst in index.module.range(function.first, function.end) {
                if index.is_debug(&inst) {
                    continue;
                }
                if inst.opcode == Op::FunctionCall {
                    callers.entry(inst.operand(2)).or_default().insert(function.id);
                }
                index.ids(&inst, |_, id| open.extend(self.constants.contains_key(&id).then_some(id)))?;
            }
            let mut used = BTreeSet::new();
            while let Some(inst) = open.pop().and_then(|id| index.definition(id)) {
                // A part is defined before its whole.
                if used.insert((inst.number, inst.operand(1))) {
                    index.ids(&inst, |at, id| {
                        open.extend((at >= 2 && self.constants.contains_key(&id)).then_some(id));
                    })?;
                }
            }
            if !used.is_empty() {
                direct.insert(function.id, used);
            }
        }
        Ok((direct, callers))
    }

    /// Checks that every caller of a function with the new argument is in the module and calls it directly.
    fn refuse_foreign_callers(&mut self, index: &Index<'_>) -> Result<(), SpirvError> {
        let reflection = Reflection::of(index)?;
        let kernels: BTreeSet<&str> =
            reflection.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        for symbol in reflection.linkage.iter().filter(|symbol| self.functions.contains_key(&symbol.id)) {
            if symbol.kind != LinkageKind::Import && !kernels.contains(symbol.name.as_str()) {
                let problem = "uses specialization constants and is exported: its callers would have to know of the buffer";
                return Err(SpirvError::whole(format!("function {} {problem}", symbol.name)));
            }
        }
        for inst in index.module.instructions() {
            let plain = matches!(
                inst.opcode,
                Op::Name
                    | Op::Decorate
                    | Op::EntryPoint
                    | Op::ExecutionMode
                    | Op::ExecutionModeId
                    | Op::Function
            );
            if plain || index.is_debug(&inst) {
                continue;
            }
            let mut taken = None;
            index.ids(&inst, |at, id| {
                let call = inst.opcode == Op::FunctionCall && at == 2;
                if !call && self.functions.contains_key(&id) {
                    taken = Some(id);
                }
            })?;
            if let Some(id) = taken {
                return Err(address_taken(index, &inst, id));
            }
        }
        let entries = reflection.entry_points.into_iter();
        self.kernels =
            entries.filter(|entry| self.functions.contains_key(&entry.id)).map(|entry| entry.name).collect();
        Ok(())
    }
}

/// Returns whether the operation with this number computes a value.
fn computes(opcode: u32) -> bool {
    Op::from_u32(opcode).is_some_and(|opcode| COMPUTE.iter().any(|range| range.contains(&opcode)))
}

fn address_taken(index: &Index<'_>, inst: &Inst<'_>, id: u32) -> SpirvError {
    let name = index.name(id).unwrap_or_else(|| format!("%{id}"));
    inst.error(format!(
        "function {name} uses specialization constants and its address is taken: a call through a pointer would not give \
         it the buffer"
    ))
}

/// Returns the offset and size of each scalar in the buffer.
fn places(layout: &SpecConstants) -> Result<HashMap<u32, (u32, u32)>, SpirvError> {
    let mut places = HashMap::new();
    for constant in layout.iter() {
        for leaf in constant.leaves.iter().filter(|leaf| leaf.id != PADDING) {
            let offset = constant.blob_offset.saturating_add(leaf.offset.into());
            // Offsets are added to pointers as signed numbers.
            let offset = u32::try_from(offset).ok().filter(|&offset| i32::try_from(offset).is_ok());
            let offset = offset.ok_or_else(|| {
                SpirvError::whole(format!("specialization constant {} is beyond 2 GiB", constant.name))
            })?;
            places.insert(leaf.id, (offset, leaf.size));
        }
    }
    Ok(places)
}

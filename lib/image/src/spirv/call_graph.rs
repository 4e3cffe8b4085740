//! The call graph, and the optional features that each function uses.

use std::collections::{BTreeSet, HashMap};

use rspirv::spirv::{Op, StorageClass};

use super::Index;
use super::Inst;
use super::grammar;
use crate::aspect;

/// A function and the functions that it calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Callee {
    /// The function's id.
    pub id: u32,
    /// Ids of the functions that it calls.
    pub calls: BTreeSet<u32>,
    /// Ids of the functions whose address it takes.
    pub takes_address_of: BTreeSet<u32>,
    /// Aspects that its own instructions need.
    pub aspects: BTreeSet<u32>,
}

/// The call graph of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallGraph {
    /// The functions, in the module's order.
    pub functions: Vec<Callee>,
    numbers: HashMap<u32, usize>,
}

const HALF: u8 = 1;
const DOUBLE: u8 = 2;
const LONG: u8 = 4;

impl CallGraph {
    /// Builds the call graph of a module. Skips what cannot be read.
    pub fn new(index: &Index<'_>) -> Self {
        let kinds = kinds(index);
        let mut pointers: HashMap<u32, u32> = HashMap::new();
        for inst in index.globals().filter(|inst| inst.opcode == Op::ConstantFunctionPointerINTEL) {
            pointers.insert(inst.operand(1), inst.operand(2));
        }
        let mut graph = Self::default();
        for function in &index.functions {
            let mut callee = Callee { id: function.id, ..Callee::default() };
            let mut uses = 0;
            for inst in index.module.range(function.first, function.end) {
                let kind = |id: u32| kinds.get(&id).copied().unwrap_or(0);
                let result = grammar::result_type(&inst);
                uses |= result.map_or(0, kind) & (HALF | DOUBLE);
                match inst.opcode {
                    Op::FunctionCall => {
                        callee.calls.insert(inst.operand(2));
                    }
                    Op::Variable | Op::FunctionParameter if is_own_memory(index, &inst) => {
                        let pointee = result.and_then(|pointer| index.definition(pointer));
                        uses |= pointee.map_or(0, |pointer| kind(pointer.operand(2))) & (HALF | DOUBLE);
                    }
                    _ => {}
                }
                if is_atomic(inst.opcode) {
                    let value = match inst.opcode {
                        Op::AtomicStore => {
                            index.definition(inst.operand(3)).and_then(|value| grammar::result_type(&value))
                        }
                        _ => result,
                    };
                    if value.is_some_and(|value| kind(value) & (LONG | DOUBLE) != 0) {
                        callee.aspects.insert(aspect::ATOMIC64);
                    }
                }
                // A literal, such as a line number, can equal the id of a constant. In an instruction unknown to the
                // grammar, any word may be an id.
                let may_matter = |word| kinds.contains_key(word) || pointers.contains_key(word);
                if inst.operands.iter().any(may_matter) {
                    let mut see = |id: u32| {
                        uses |= kind(id) & constant_mask(index, id);
                        callee.takes_address_of.extend(pointers.get(&id));
                    };
                    if index.ids(&inst, |_, id| see(id)).is_err() {
                        inst.operands.iter().copied().for_each(see);
                    }
                }
            }
            for (bit, aspect) in [(HALF, aspect::FP16), (DOUBLE, aspect::FP64)] {
                if uses & bit != 0 {
                    callee.aspects.insert(aspect);
                }
            }
            graph.numbers.insert(callee.id, graph.functions.len());
            graph.functions.push(callee);
        }
        graph
    }

    /// Returns the function with this id.
    pub fn get(&self, id: u32) -> Option<&Callee> {
        self.functions.get(*self.numbers.get(&id)?)
    }

    /// Returns the ids of the functions that can run when this one does: itself, the functions that it calls or takes
    /// the address of, and so on, in the order of discovery.
    pub fn reachable(&self, from: u32) -> Vec<u32> {
        self.reachable_beside(from, &mut BTreeSet::new())
    }

    /// Works like `reachable` but skips the functions in `seen` and those that only they reach, and adds the functions
    /// found to `seen`.
    pub(super) fn reachable_beside(&self, from: u32, seen: &mut BTreeSet<u32>) -> Vec<u32> {
        let mut order: Vec<u32> = seen.insert(from).then_some(from).into_iter().collect();
        let mut at = 0;
        while let Some(&id) = order.get(at) {
            at += 1;
            let Some(callee) = self.get(id) else { continue };
            for &next in callee.calls.iter().chain(&callee.takes_address_of) {
                if seen.insert(next) {
                    order.push(next);
                }
            }
        }
        order
    }

    /// Returns the aspects needed by a function and by all functions that it reaches.
    pub fn aspects(&self, from: u32) -> BTreeSet<u32> {
        let reached = self.reachable(from);
        reached
            .iter()
            .filter_map(|&id| self.get(id))
            .flat_map(|callee| callee.aspects.iter().copied())
            .collect()
    }

    /// Returns the aspects needed by each function and by all functions that it reaches, for functions that need any.
    pub fn all_aspects(&self) -> HashMap<u32, BTreeSet<u32>> {
        let mut callers: HashMap<u32, Vec<u32>> = HashMap::new();
        for callee in &self.functions {
            for &next in callee.calls.iter().chain(&callee.takes_address_of) {
                callers.entry(next).or_default().push(callee.id);
            }
        }
        let own = self.functions.iter().filter(|callee| !callee.aspects.is_empty());
        let mut all: HashMap<u32, BTreeSet<u32>> =
            own.map(|callee| (callee.id, callee.aspects.clone())).collect();
        // Each function is visited at most once per aspect.
        let mut open: Vec<u32> = all.keys().copied().collect();
        while let Some(id) = open.pop() {
            let aspects = all.get(&id).cloned().unwrap_or_default();
            for &caller in callers.get(&id).into_iter().flatten() {
                let of_caller = all.entry(caller).or_default();
                let before = of_caller.len();
                of_caller.extend(&aspects);
                if of_caller.len() > before {
                    open.push(caller);
                }
            }
        }
        all
    }

    /// Returns how one function reaches another: the chain of calls, including both ends.
    pub fn chain(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let mut came: HashMap<u32, u32> = HashMap::from([(from, from)]);
        let mut order = vec![from];
        let mut at = 0;
        while let Some(&id) = order.get(at) {
            if id == to {
                let mut chain = vec![to];
                let mut last = to;
                while last != from {
                    last = *came.get(&last)?;
                    chain.push(last);
                }
                chain.reverse();
                return Some(chain);
            }
            at += 1;
            let Some(callee) = self.get(id) else { continue };
            for &next in callee.calls.iter().chain(&callee.takes_address_of) {
                came.entry(next).or_insert_with(|| {
                    order.push(next);
                    id
                });
            }
        }
        None
    }
}

/// Returns whether a variable or argument is the function's own memory, and not just a pointer to memory.
fn is_own_memory(index: &Index<'_>, inst: &Inst<'_>) -> bool {
    let pointer = index.definition(inst.operand(0)).filter(|kind| kind.opcode == Op::TypePointer);
    pointer.is_some_and(|pointer| pointer.storage_class() == Some(StorageClass::Function))
}

/// Considers operands only if they are constants, because a literal may look like any id.
fn constant_mask(index: &Index<'_>, id: u32) -> u8 {
    let constant = index.definition(id).is_some_and(|inst| is_constant(inst.opcode));
    if constant { HALF | DOUBLE } else { 0 }
}

/// Returns which kinds of numbers each type and constant contains. Pointers to them do not count.
fn kinds(index: &Index<'_>) -> HashMap<u32, u8> {
    let mut kinds: HashMap<u32, u8> = HashMap::new();
    for inst in index.globals() {
        let of = |id: &u32| kinds.get(id).copied().unwrap_or(0);
        let (id, kind) = match inst.opcode {
            Op::TypeFloat => match (inst.operand(1), inst.operands.len()) {
                (16, 2) => (inst.operand(0), HALF),
                (64, _) => (inst.operand(0), DOUBLE),
                _ => continue,
            },
            Op::TypeInt if inst.operand(1) == 64 => (inst.operand(0), LONG),
            Op::TypeVector | Op::TypeArray => (inst.operand(0), of(&inst.operand(1))),
            Op::TypeStruct => {
                (inst.operand(0), inst.operands.iter().skip(1).fold(0, |kind, id| kind | of(id)))
            }
            opcode if is_constant(opcode) => (inst.operand(1), of(&inst.operand(0))),
            _ => continue,
        };
        if kind != 0 {
            kinds.insert(id, kind);
        }
    }
    kinds
}

fn is_constant(opcode: Op) -> bool {
    (Op::ConstantTrue..=Op::SpecConstantOp).contains(&opcode) || opcode == Op::Undef
}

fn is_atomic(opcode: Op) -> bool {
    (Op::AtomicLoad..=Op::AtomicXor).contains(&opcode)
        || matches!(opcode, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT)
}

//! Rewrites a module to a form that more drivers accept.
//!
//! Three constructs are valid SPIR-V, but drivers of 2023 fail on them:
//! - Compilers with opaque pointers read a component of a built-in vector (`GlobalInvocationId`) through a bitcast
//!   pointer. These drivers end the process.
//! - A host-accessible variable of internal linkage has no linkage name. These drivers do not find it.
//! - Our emulation of specialization constants composes structures of values that are not constants. These drivers end
//!   the process.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Capability, Decoration, LinkageType, Op};

use super::Index;
use super::Inst;
use super::Module;
use super::SpirvError;
use super::build::text;
use super::continued::{write, write_raw};
use super::types::Types;

/// The revision of this rewriting, which caches of built programs include in their keys. It increases whenever a module
/// is rewritten to different code than before.
pub const PORTABLE_REVISION: u32 = 2;

/// A built-in variable that is a vector.
#[derive(Clone, Copy, Debug)]
struct BuiltIn {
    vector: u32,
    component: u32,
    /// The size of a component in bytes.
    size: u64,
    count: u64,
}

/// An offset in a built-in vector.
#[derive(Clone, Copy, Debug)]
struct BuiltinComponent {
    variable: u32,
    offset: u64,
}

/// Rewrites a module: components of built-in vectors are extracted from the whole vector, host-accessible variables
/// without linkage are exported by their unique ids, and structures and arrays are composed member by member. Returns
/// `None` if there is nothing to rewrite, or if the module has unknown instructions.
///
/// # Errors
/// Fails if the module is malformed or has no ids left.
pub fn portable(module: &Module) -> Result<Option<Module>, SpirvError> {
    let index = Index::new(module)?;
    let reads = Reads::find(&index);
    let exports = exports(&index);
    let wholes = wholes(&index);
    if reads.of.is_empty() && exports.is_empty() && wholes.is_empty() {
        return Ok(None);
    }
    let mut words: Vec<u32> = module.words().get(..5).unwrap_or_default().to_vec();
    let mut bound = module.bound();
    let mut id = || {
        let id = bound;
        bound = bound.checked_add(1).ok_or_else(|| SpirvError::whole("there are no ids left"))?;
        Ok::<u32, SpirvError>(id)
    };
    for inst in module.instructions() {
        if let Some(place) = reads.of.get(&inst.number) {
            let Some(built_in) = reads.built_ins.get(&place.variable) else { continue };
            let whole = id()?;
            write(&mut words, Op::Load, [built_in.vector, whole, place.variable])?;
            let at = (place.offset / built_in.size) as u32;
            let operands = [inst.operand(0), inst.operand(1), whole, at];
            write(&mut words, Op::CompositeExtract, operands)?;
            continue;
        }
        if wholes.contains(&inst.number) {
            let (kind, result) = (inst.operand(0), inst.operand(1));
            let members = inst.operands.get(2..).unwrap_or_default();
            let mut before = if members.is_empty() { result } else { id()? };
            write(&mut words, Op::Undef, [kind, before])?;
            for (at, member) in members.iter().enumerate() {
                let after = if at + 1 == members.len() { result } else { id()? };
                write(&mut words, Op::CompositeInsert, [kind, after, *member, before, at as u32])?;
                before = after;
            }
            continue;
        }
        let target = match inst.opcode {
            Op::Name | Op::Decorate | Op::DecorateId | Op::DecorateString => inst.operand(0),
            Op::Bitcast | Op::PtrAccessChain | Op::InBoundsPtrAccessChain => inst.operand(1),
            _ => 0,
        };
        if reads.gone.contains(&target) {
            continue;
        }
        write_raw(&mut words, inst.raw_opcode, inst.operands.iter().copied())?;
        if let Some(name) = exports.get(&inst.number) {
            let mut operands = vec![inst.operand(0), Decoration::LinkageAttributes as u32];
            operands.extend(text(name));
            operands.push(LinkageType::Export as u32);
            write(&mut words, Op::Decorate, operands)?;
        }
    }
    if let Some(word) = words.get_mut(3) {
        *word = bound;
    }
    Module::from_words(words).map(Some)
}

/// Finds the instructions in functions that compose structures and arrays.
fn wholes(index: &Index<'_>) -> HashSet<u32> {
    let is_whole = |inst: &Inst<'_>| {
        let kind = index.definition(inst.operand(0)).map(|kind| kind.opcode);
        inst.opcode == Op::CompositeConstruct && matches!(kind, Some(Op::TypeStruct | Op::TypeArray))
    };
    let all = index.module.range(index.first_function, index.module.len());
    all.filter(is_whole).map(|inst| inst.number).collect()
}

/// The reads of components of built-in vectors through pointers.
#[derive(Debug, Default)]
struct Reads {
    built_ins: HashMap<u32, BuiltIn>,
    /// The loads, by instruction number.
    of: HashMap<u32, BuiltinComponent>,
    /// Pointers that are no longer needed.
    gone: HashSet<u32>,
}

impl Reads {
    fn find(index: &Index<'_>) -> Self {
        let types = Types::new(index);
        let built_ins: HashMap<u32, BuiltIn> = index
            .globals()
            .filter(|inst| inst.opcode == Op::Variable)
            .filter_map(|inst| Some((inst.operand(1), built_in(index, &types, &inst)?)))
            .collect();
        let mut places: HashMap<u32, BuiltinComponent> = HashMap::new();
        let mut loads: HashMap<u32, BuiltinComponent> = HashMap::new();
        let mut stuck: HashSet<u32> = HashSet::new();
        let place = |places: &HashMap<u32, BuiltinComponent>, id: u32| match built_ins.contains_key(&id) {
            true => Some(BuiltinComponent { variable: id, offset: 0 }),
            false => places.get(&id).copied(),
        };
        for inst in index.module.range(index.first_function, index.module.len()) {
            let base = inst.operand(2);
            let step = match inst.opcode {
                Op::Bitcast => Some(0),
                Op::PtrAccessChain | Op::InBoundsPtrAccessChain if inst.operands.len() == 4 => {
                    stride(index, &types, base)
                        .zip(types.number(inst.operand(3)))
                        .and_then(|(a, b)| a.checked_mul(b))
                }
                _ => None,
            };
            let moved = place(&places, base).zip(step).and_then(|(from, step)| {
                Some(BuiltinComponent { offset: from.offset.checked_add(step)?, ..from })
            });
            if let Some(moved) = moved {
                places.insert(inst.operand(1), moved);
                continue;
            }
            if inst.opcode == Op::Load
                && let Some(&from) = places.get(&base)
                && built_ins
                    .get(&from.variable)
                    .is_some_and(|built_in| built_in.has(inst.operand(0), from.offset))
            {
                loads.insert(inst.number, from);
                continue;
            }
            let used = index.ids(&inst, |_, id| stuck.extend(places.get(&id).map(|place| place.variable)));
            if used.is_err() {
                return Self::default();
            }
        }
        loads.retain(|_, place| !stuck.contains(&place.variable));
        places.retain(|_, place| !stuck.contains(&place.variable));
        Self { built_ins, of: loads, gone: places.into_keys().collect() }
    }
}

impl BuiltIn {
    /// Returns whether a component of this type is at this offset.
    fn has(&self, kind: u32, offset: u64) -> bool {
        kind == self.component && offset.is_multiple_of(self.size) && offset / self.size < self.count
    }
}

fn built_in(index: &Index<'_>, types: &Types<'_>, variable: &Inst<'_>) -> Option<BuiltIn> {
    index.decorations(variable.operand(1), Decoration::BuiltIn).next()?;
    let vector = index.definition(variable.operand(0))?.operand(2);
    let definition = index.definition(vector).filter(|vector| vector.opcode == Op::TypeVector)?;
    let component = definition.operand(1);
    let size = types.size(component).filter(|&size| size != 0)?;
    Some(BuiltIn { vector, component, size, count: definition.operand(2).into() })
}

/// Returns the stride of a pointer's elements, in bytes.
fn stride(index: &Index<'_>, types: &Types<'_>, pointer: u32) -> Option<u64> {
    let kind = index.definition(index.definition(pointer)?.operand(0))?;
    (kind.opcode == Op::TypePointer).then(|| types.size(kind.operand(2)))?
}

/// Returns the unique ids of host-accessible variables without linkage, by the number of the decoration that marks
/// them.
fn exports(index: &Index<'_>) -> HashMap<u32, String> {
    let links =
        |inst: &Inst<'_>| inst.opcode == Op::Capability && inst.operand(0) == Capability::Linkage as u32;
    if !index.globals().any(|inst| links(&inst)) {
        return HashMap::new();
    }
    let variables = index.globals().filter(|inst| inst.opcode == Op::Variable);
    let inner = variables
        .filter(|inst| index.decorations(inst.operand(1), Decoration::LinkageAttributes).next().is_none());
    inner
        .filter_map(|inst| {
            let tells = index.decorations(inst.operand(1), Decoration::HostAccessINTEL).next()?;
            let (unique_id, _) = tells.text(3).filter(|(unique_id, _)| !unique_id.is_empty())?;
            Some((tells.number, unique_id))
        })
        .collect()
}

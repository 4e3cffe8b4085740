//! Specialization constants: scalars with their `SpecId`, composites flattened depth first.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Decoration, Op};

use super::Index;
use super::Inst;
use super::SpirvError;
use super::types::Types;
use crate::property::{Leaf, PADDING};

/// A `SpecId`.
pub type SpecId = u32;

/// A scalar specialization constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecScalar {
    /// Its `SpecId`.
    pub spec_id: SpecId,
    /// Its id in the module.
    pub id: u32,
    /// The description of its type.
    pub type_name: String,
    /// Its default value.
    pub default: Vec<u8>,
}

/// A specialization constant as a host sets it: a scalar, or a composite whose scalars are constants that appear
/// nowhere else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecTop {
    /// Its id in the module.
    pub id: u32,
    /// Its name in the module, if it has one.
    pub name: Option<String>,
    /// The description of its type.
    pub type_name: String,
    /// Its scalars, and the padding at its end.
    pub leaves: Vec<Leaf>,
    /// Its default value, including padding.
    pub default: Vec<u8>,
}

/// Larger (in bytes) or more deeply nested composites are refused.
const LARGEST: u64 = 1 << 24;
const DEEPEST: u32 = 255;

/// The most bytes and parts that all constants of a module may have together.
const MOST_BYTES: u64 = 1 << 26;
const MOST_PARTS: u64 = 1 << 20;

/// Returns a scalar constant's value as bytes, in the size of its type.
fn scalar(inst: &Inst<'_>, types: &Types<'_>) -> Option<Vec<u8>> {
    let size = usize::try_from(types.size(inst.operand(0))?).ok()?;
    let mut bytes: Vec<u8> = match inst.opcode {
        Op::SpecConstantTrue | Op::ConstantTrue => vec![1],
        Op::SpecConstantFalse | Op::ConstantFalse => vec![0],
        Op::SpecConstant | Op::Constant => {
            inst.operands.get(2..)?.iter().flat_map(|word| word.to_le_bytes()).collect()
        }
        _ => return None,
    };
    if size > 8 {
        return None;
    }
    bytes.resize(size, 0);
    Some(bytes)
}

/// Returns all scalars with a `SpecId`, in ascending order of the ids.
pub(super) fn scalars(index: &Index<'_>, types: &Types<'_>) -> Vec<SpecScalar> {
    let is_scalar =
        |opcode| matches!(opcode, Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse);
    let mut scalars: Vec<SpecScalar> = index
        .globals()
        .filter(|inst| is_scalar(inst.opcode))
        .filter_map(|inst| {
            let id = inst.operand(1);
            let spec_id = index.decorations(id, Decoration::SpecId).next()?.operand(2);
            let type_name = types.describe(inst.operand(0));
            Some(SpecScalar { spec_id, id, type_name, default: scalar(&inst, types)? })
        })
        .collect();
    scalars.sort_by_key(|scalar| scalar.spec_id);
    scalars
}

/// Returns all constants as a host sets them, in ascending order of the ids.
///
/// A composite is one constant if each of its parts is a specialization constant that appears only there, as SYCL
/// compilers write them. If a part is fixed, nothing sets its bytes; if a scalar appears in two places, it has two
/// values in one or two composites. The scalars of such composites are separate constants.
pub(super) fn tops(index: &Index<'_>, types: &Types<'_>) -> Result<Vec<SpecTop>, SpirvError> {
    let composites = outermost(index, types)?;
    let mut places: HashMap<SpecId, u32> = HashMap::new();
    for leaf in composites.iter().flat_map(|composite| &composite.leaves) {
        *places.entry(leaf.id).or_default() += 1;
    }
    let stands_alone = |leaf: &Leaf| places.get(&leaf.id) == Some(&1);
    let mut tops = Vec::new();
    let mut known: HashSet<SpecId> = HashSet::from([PADDING]);
    for composite in composites {
        if composite.is_whole && composite.leaves.iter().all(stands_alone) {
            known.extend(composite.leaves.iter().map(|leaf| leaf.id));
            tops.extend(composite.into_top(index, types));
        }
    }
    for SpecScalar { spec_id, id, type_name, default } in scalars(index, types) {
        if known.insert(spec_id) {
            let leaves = vec![Leaf { id: spec_id, offset: 0, size: default.len() as u32 }];
            tops.push(SpecTop { id, name: index.name(id), type_name, leaves, default });
        }
    }
    tops.sort_by_key(|top| top.leaves.iter().map(|leaf| leaf.id).min());
    Ok(tops)
}

/// Returns the composites that are not part of others, flattened. A module may contain the same one several times,
/// under different ids.
fn outermost<'f>(index: &'f Index<'f>, types: &'f Types<'f>) -> Result<Vec<Flat<'f>>, SpirvError> {
    let composites = || index.globals().filter(|inst| inst.opcode == Op::SpecConstantComposite);
    let inner: HashSet<u32> = composites().flat_map(|inst| inst.operands.iter().skip(2)).copied().collect();
    let mut found = Vec::new();
    let mut seen: HashSet<Vec<Leaf>> = HashSet::new();
    let (mut bytes, mut parts) = (MOST_BYTES, MOST_PARTS);
    for inst in composites().filter(|inst| !inner.contains(&inst.operand(1))) {
        // A composite without a size has no bytes to set.
        let Some(size) = types.size(inst.operand(0)) else { continue };
        if size > LARGEST {
            return Err(inst.error(format!("a specialization constant of {size} bytes is too large")));
        }
        let too_many = || inst.error("the specialization constants are too large together");
        bytes = bytes.checked_sub(size).ok_or_else(too_many)?;
        let mut flat = Flat {
            index,
            types,
            id: inst.operand(1),
            leaves: Vec::new(),
            default: vec![0; size as usize],
            is_whole: true,
            left: parts,
        };
        flat.add(&inst, 0, 0)?;
        parts = flat.left;
        flat.leaves.sort_by_key(|leaf| leaf.offset);
        if seen.insert(flat.leaves.clone()) {
            found.push(flat);
        }
    }
    Ok(found)
}

/// A composite that is being flattened.
struct Flat<'f> {
    index: &'f Index<'f>,
    types: &'f Types<'f>,
    /// Its id in the module.
    id: u32,
    leaves: Vec<Leaf>,
    default: Vec<u8>,
    /// Whether each part is a scalar with a `SpecId`, or padding.
    is_whole: bool,
    /// The number of constants that may still be visited.
    left: u64,
}

impl Flat<'_> {
    fn add(&mut self, inst: &Inst<'_>, offset: u64, depth: u32) -> Result<(), SpirvError> {
        // Without any bytes there is no scalar either, however many parts there are.
        if self.types.size(inst.operand(0)) == Some(0) {
            return Ok(());
        }
        if depth > DEEPEST {
            return Err(inst.error("the constant is nested too deeply"));
        }
        if matches!(inst.opcode, Op::SpecConstantComposite | Op::ConstantComposite) {
            let parts = inst.operands.get(2..).unwrap_or_default();
            let too_many = || inst.error("the specialization constants have too many parts");
            self.left = self.left.checked_sub(parts.len() as u64).ok_or_else(too_many)?;
            for (at, &id) in self.types.offsets(inst.operand(0), parts.len()).into_iter().zip(parts) {
                match self.index.definition(id) {
                    Some(part) => self.add(&part, offset.saturating_add(at), depth + 1)?,
                    None => self.is_whole = false,
                }
            }
            return Ok(());
        }
        let spec_id = self.index.decorations(inst.operand(1), Decoration::SpecId).next();
        match (scalar(inst, self.types), spec_id) {
            (Some(value), Some(spec_id)) => {
                let place = usize::try_from(offset)
                    .ok()
                    .and_then(|at| self.default.get_mut(at..at.checked_add(value.len())?));
                if let Some(place) = place {
                    place.copy_from_slice(&value);
                }
                let (id, size) = (spec_id.operand(2), value.len() as u32);
                self.leaves.push(Leaf { id, offset: offset as u32, size });
            }
            // Compilers fill the gaps between a structure's members this way.
            _ if inst.opcode == Op::Undef => {}
            _ => self.is_whole = false,
        }
        Ok(())
    }

    /// Returns the whole as a constant, with padding up to its end, or `None` if it has no scalar.
    fn into_top(self, index: &Index<'_>, types: &Types<'_>) -> Option<SpecTop> {
        let Self { id, mut leaves, default, .. } = self;
        let (end, size) = (leaves.last()?.end(), default.len() as u64);
        if end < size {
            leaves.push(Leaf { id: PADDING, offset: end as u32, size: (size - end) as u32 });
        }
        let type_name = types.describe(index.definition(id)?.operand(0));
        Some(SpecTop { id, name: index.name(id), type_name, leaves, default })
    }
}

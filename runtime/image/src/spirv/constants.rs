//! Specialization constants: scalars with their `SpecId`, composites flattened depth first.

use std::collections::HashSet;

use rspirv::spirv::{Decoration, Op};

use super::error::SpirvError;
use super::index::Index;
use super::inst::Inst;
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

/// A specialization constant as the source has it: a scalar that is in no composite, or an outermost composite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecTop {
    /// Its id in the module.
    pub id: u32,
    /// Its name in the module, if it has one.
    pub name: Option<String>,
    /// The description of its type.
    pub type_name: String,
    /// Its scalars, and padding at its end.
    pub leaves: Vec<Leaf>,
    /// Its default value, padding included.
    pub default: Vec<u8>,
}

/// Composites of more bytes, or more deeply nested, are refused.
const LARGEST: u64 = 1 << 24;
const DEEPEST: u32 = 255;

/// The constants of a module may have so many bytes and so many parts, all of them together.
const MOST_BYTES: u64 = 1 << 26;
const MOST_PARTS: u64 = 1 << 20;

/// A scalar constant's value as bytes in its type's size.
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

/// All scalars with a `SpecId`, by ascending id.
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

/// All constants as the source has them, by ascending ids.
pub(super) fn tops(index: &Index<'_>, types: &Types<'_>) -> Result<Vec<SpecTop>, SpirvError> {
    let composites = || index.globals().filter(|inst| inst.opcode == Op::SpecConstantComposite);
    let inner: HashSet<u32> = composites().flat_map(|inst| inst.operands.iter().skip(2)).copied().collect();
    let alone = scalars(index, types).into_iter().map(|scalar| scalar.id);
    let ids = alone.chain(composites().map(|inst| inst.operand(1))).filter(|id| !inner.contains(id));
    let mut tops = Vec::new();
    let (mut bytes, mut parts) = (MOST_BYTES, MOST_PARTS);
    for id in ids {
        let Some(inst) = index.definition(id) else { continue };
        let kind = inst.operand(0);
        let Some(size) = types.size(kind) else { continue };
        if size > LARGEST {
            return Err(inst.error(format!("a specialization constant of {size} bytes is too large")));
        }
        let too_many = || inst.error("the specialization constants are too large together");
        bytes = bytes.checked_sub(size).ok_or_else(too_many)?;
        let mut flat =
            Flat { index, types, leaves: Vec::new(), default: vec![0; size as usize], left: parts };
        flat.add(&inst, 0, 0)?;
        let Flat { mut leaves, default, left, .. } = flat;
        parts = left;
        leaves.sort_by_key(|leaf| leaf.offset);
        let Some(end) = leaves.last().map(Leaf::end) else { continue };
        if end < size {
            leaves.push(Leaf { id: PADDING, offset: end as u32, size: (size - end) as u32 });
        }
        let (name, type_name) = (index.name(id), types.describe(kind));
        tops.push(SpecTop { id, name, type_name, leaves, default });
    }
    // The same constant may be there more than once.
    let first = |top: &SpecTop| top.leaves.iter().map(|leaf| leaf.id).min();
    tops.sort_by_key(|top| (first(top), std::cmp::Reverse(top.leaves.len())));
    let mut seen = HashSet::new();
    tops.retain(|top| {
        let real = top.leaves.iter().filter(|leaf| leaf.id != PADDING);
        real.map(|leaf| seen.insert(leaf.id)).filter(|&new| new).count() > 0
    });
    Ok(tops)
}

/// A composite being flattened.
struct Flat<'f> {
    index: &'f Index<'f>,
    types: &'f Types<'f>,
    leaves: Vec<Leaf>,
    default: Vec<u8>,
    /// How many constants may still be visited.
    left: u64,
}

impl Flat<'_> {
    fn add(&mut self, inst: &Inst<'_>, offset: u64, depth: u32) -> Result<(), SpirvError> {
        // Without a byte there is no scalar either, however many parts there are.
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
                if let Some(part) = self.index.definition(id) {
                    self.add(&part, offset.saturating_add(at), depth + 1)?;
                }
            }
            return Ok(());
        }
        let Some(value) = scalar(inst, self.types) else { return Ok(()) };
        let place = usize::try_from(offset)
            .ok()
            .and_then(|at| self.default.get_mut(at..at.checked_add(value.len())?));
        if let Some(place) = place {
            place.copy_from_slice(&value);
        }
        let spec_id = self.index.decorations(inst.operand(1), Decoration::SpecId).next();
        if let Some(spec_id) = spec_id {
            let size = value.len() as u32;
            self.leaves.push(Leaf { id: spec_id.operand(2), offset: offset as u32, size });
        }
        Ok(())
    }
}

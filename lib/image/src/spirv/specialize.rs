//! Fixes specialization constants at their final values.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::{Decoration, Op};

use super::Index;
use super::Module;
use super::SpirvError;
use super::continued;
use super::grammar::is_spec_constant;
use super::reflect::Reflection;

/// Writes a module in which the specialization constants with these ids have these values (with the byte size of their
/// types) and can no longer be set. With `all`, the other constants are fixed at their defaults. An `OpSpecConstantOp`
/// stays as it is; the module's compiler evaluates it.
pub fn specialize(
    index: &Index<'_>,
    values: &HashMap<u32, Vec<u8>>,
    all: bool,
) -> Result<Module, SpirvError> {
    let reflection = Reflection::of(index)?;
    let mut fixed: HashMap<u32, Vec<u8>> = HashMap::new();
    for scalar in &reflection.spec_scalars {
        let value = match values.get(&scalar.spec_id) {
            Some(value) if value.len() != scalar.default.len() => {
                let (wanted, given) = (scalar.default.len(), value.len());
                let problem = format!(
                    "constant {} ({}) has {wanted} bytes, not {given}",
                    scalar.spec_id, scalar.type_name
                );
                return Err(SpirvError::whole(problem));
            }
            Some(value) => value.clone(),
            None if all => scalar.default.clone(),
            None => continue,
        };
        fixed.insert(scalar.id, value);
    }
    for id in values.keys() {
        if !reflection.spec_scalars.iter().any(|scalar| scalar.spec_id == *id) {
            let known: Vec<String> =
                reflection.spec_scalars.iter().map(|scalar| scalar.spec_id.to_string()).collect();
            let problem = format!("there is no specialization constant {id}; there are {}", known.join(", "));
            return Err(SpirvError::whole(problem));
        }
    }
    let mut fixed_composites: HashSet<u32> = HashSet::new();
    let mut words: Vec<u32> = index.module.words().get(..5).unwrap_or_default().to_vec();
    for inst in index.module.instructions() {
        let id = inst.operand(1);
        let is_spec_id = inst.opcode == Op::Decorate && inst.decoration() == Some(Decoration::SpecId);
        if is_spec_id && fixed.contains_key(&inst.operand(0)) {
            continue;
        }
        let mut operands = inst.operands.to_vec();
        let plain = match (inst.opcode, fixed.get(&id)) {
            (Op::SpecConstantTrue | Op::SpecConstantFalse, Some(value)) => {
                Some(if value.iter().any(|&byte| byte != 0) { Op::ConstantTrue } else { Op::ConstantFalse })
            }
            (Op::SpecConstant, Some(value)) => {
                operands.truncate(2);
                operands.extend(literal(value, is_signed(index, inst.operand(0))));
                Some(Op::Constant)
            }
            (Op::SpecConstantComposite, _) => {
                let constant = |id: &u32| {
                    let spec =
                        index.definition(*id).is_some_and(|definition| is_spec_constant(definition.opcode));
                    !spec || fixed.contains_key(id) || fixed_composites.contains(id)
                };
                let is_fixed = inst.operands.iter().skip(2).all(constant);
                is_fixed.then(|| {
                    fixed_composites.insert(id);
                    Op::ConstantComposite
                })
            }
            _ => None,
        };
        let opcode = plain.map_or(inst.raw_opcode, |plain| plain as u16);
        continued::write_raw(&mut words, opcode, operands)?;
    }
    Module::from_words(words)
}

/// Returns whether a type is a signed integer, whose short literals are sign-extended.
fn is_signed(index: &Index<'_>, kind: u32) -> bool {
    index.definition(kind).is_some_and(|kind| kind.opcode == Op::TypeInt && kind.operand(2) == 1)
}

fn literal(value: &[u8], signed: bool) -> Vec<u32> {
    let negative = signed && value.last().is_some_and(|last| last & 0x80 != 0);
    let word = |chunk: &[u8]| {
        let mut bytes = if negative { [0xff; 4] } else { [0; 4] };
        for (to, from) in bytes.iter_mut().zip(chunk) {
            *to = *from;
        }
        u32::from_le_bytes(bytes)
    };
    value.chunks(4).map(word).collect()
}

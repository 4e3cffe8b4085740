//! Constants defined by instructions.

use std::collections::BTreeMap;

use sycl_pi_image::spirv::{Decoration, Index, Inst, Op, grammar};

use crate::code::foreign;
use crate::constants::{Constant, ConstantValue, Constants, composite, float, integer, truth};
use crate::error::Result;
use crate::fold;
use crate::types::{TypeKind, Types};

impl Constants {
    /// Returns the constant that an instruction defines.
    pub(crate) fn defined(
        &self,
        index: &Index<'_>,
        types: &Types,
        values: Option<&BTreeMap<u32, Vec<u8>>>,
        inst: &Inst<'_>,
    ) -> Result<Constant> {
        let (ty, id) = (inst.operand(0), inst.operand(1));
        let given = match grammar::is_spec_constant(inst.opcode) {
            true => {
                let spec_id = index.decorations(id, Decoration::SpecId).next();
                values.zip(spec_id).and_then(|(values, note)| values.get(&note.operand(2)))
            }
            false => None,
        };
        let constant = match inst.opcode {
            Op::ConstantTrue | Op::SpecConstantTrue => truth_value(ty, given, true)?,
            Op::ConstantFalse | Op::SpecConstantFalse => truth_value(ty, given, false)?,
            Op::Constant | Op::SpecConstant => literal(types, ty, inst, given)?,
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let members = inst.operands.get(2..).unwrap_or_default().iter();
                let members: Result<Vec<_>> = members.map(|&id| self.required(id).cloned()).collect();
                composite(types, ty, members?)?
            }
            Op::ConstantNull => null(types, ty)?,
            Op::Undef => Constant { ty, text: "undef".into(), value: ConstantValue::Undefined },
            Op::SpecConstantOp => fold::operation(self, types, inst)?,
            _ => return Err(foreign::why(inst).into()),
        };
        types.text(ty)?;
        Ok(constant)
    }
}

fn null(types: &Types, ty: u32) -> Result<Constant> {
    match types.kind(ty)? {
        TypeKind::Bool | TypeKind::Int(_) => integer(types, ty, 0),
        TypeKind::Pointer { .. } | TypeKind::FunctionPointer => Ok(Constant::from_text(ty, "null".into())),
        _ => Ok(Constant { ty, text: "zeroinitializer".into(), value: ConstantValue::Zeros }),
    }
}

fn literal(types: &Types, ty: u32, inst: &Inst<'_>, given: Option<&Vec<u8>>) -> Result<Constant> {
    let words = inst.operands.get(2..).unwrap_or_default();
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let kind = types.kind(ty)?;
    let bits = match kind {
        TypeKind::Int(bits) | TypeKind::Float(bits) => *bits,
        TypeKind::Bfloat16 => 16,
        _ => return Err("a constant with a literal is not a number".into()),
    };
    let size = bits.div_ceil(8) as usize;
    if words.len() != bits.div_ceil(32) as usize {
        return Err(format!("a number of {bits} bits has {} words", words.len()).into());
    }
    if let Some(given) = given {
        if given.len() != size {
            return Err(format!("the constant has {size} bytes, not {}", given.len()).into());
        }
        bytes.clone_from(given);
    }
    bytes.resize(16, 0);
    let wide = u128::from_le_bytes(bytes.try_into().unwrap_or_default());
    let wide = if bits < 128 { wide & ((1 << bits) - 1) } else { wide };
    match kind {
        TypeKind::Int(..=64) => integer(types, ty, wide as u64),
        TypeKind::Int(_) | TypeKind::Bfloat16 => Ok(Constant::from_text(ty, wide.to_string())),
        _ => Ok(Constant::from_text(ty, float(bits, wide as u64))),
    }
}

fn truth_value(ty: u32, given: Option<&Vec<u8>>, default: bool) -> Result<Constant> {
    let value = match given.map(Vec::as_slice) {
        None => default,
        Some([byte]) => *byte != 0,
        Some(bytes) => return Err(format!("the constant has 1 byte, not {}", bytes.len()).into()),
    };
    Ok(truth(ty, value))
}

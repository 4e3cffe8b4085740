//! Operations on constants (`OpSpecConstantOp`).

use std::rc::Rc;

use sycl_pi_image::spirv::{Inst, Op};

use crate::constants::{Constant, ConstantValue, Constants, composite, integer};
use crate::error::Result;
use crate::types::{TypeKind, Types};

/// Zero composites with more members are not expanded.
const MOST_MEMBERS: u64 = 1 << 16;
/// SPIR-V specification, OpVectorShuffle: the index of a scalar that may have any value.
const ANY_SCALAR: u32 = u32::MAX;

/// Evaluates an operation on constants.
pub(crate) fn operation(constants: &Constants, types: &Types, inst: &Inst<'_>) -> Result<Constant> {
    let (ty, operation) = (inst.operand(0), inst.operand(2));
    let opcode = Op::from_u32(operation)
        .ok_or_else(|| format!("{operation} on specialization constants is not supported"))?;
    let operands = inst.operands.get(3..).unwrap_or_default();
    let at = |place: usize| {
        let id = operands.get(place).copied().ok_or("an operand is missing")?;
        constants.required(id)
    };
    match opcode {
        Op::CompositeExtract => {
            let mut found = at(0)?;
            for &member in operands.get(1..).unwrap_or_default() {
                if matches!(found.value, ConstantValue::Zeros | ConstantValue::Undefined) {
                    return part_of_uniform(types, found, ty);
                }
                found = found.members().get(member as usize).ok_or("a composite has no such member")?;
            }
            Ok(Constant::clone(found))
        }
        Op::CompositeInsert => {
            let path = operands.get(2..).unwrap_or_default();
            Ok(Rc::unwrap_or_clone(inserted(types, at(1)?, path, at(0)?)?))
        }
        Op::VectorShuffle => {
            let mut all = members(types, at(0)?)?;
            all.extend(members(types, at(1)?)?);
            let any =
                Constant { ty: types.scalar(ty)?.0, text: "undef".into(), value: ConstantValue::Undefined };
            let any = Rc::new(any);
            let pick = |&from: &u32| match from {
                ANY_SCALAR => Some(any.clone()),
                _ => all.get(from as usize).cloned(),
            };
            let picked: Option<Vec<_>> = operands.get(2..).unwrap_or_default().iter().map(pick).collect();
            composite(types, ty, picked.ok_or("a shuffle takes a scalar that does not exist")?)
        }
        Op::Select => {
            let [condition, yes, no] = [at(0)?, at(1)?, at(2)?];
            if !matches!(types.kind(condition.ty)?, TypeKind::Vector { .. }) {
                let chosen = if number(types, opcode, condition)?.0 != 0 { yes } else { no };
                return Ok(Constant::clone(chosen));
            }
            let sides = members(types, yes)?.into_iter().zip(members(types, no)?);
            let choose = |(condition, (yes, no)): (Rc<Constant>, (Rc<Constant>, Rc<Constant>))| {
                Ok(if number(types, opcode, &condition)?.0 != 0 { yes } else { no })
            };
            let chosen: Result<Vec<_>> =
                members(types, condition)?.into_iter().zip(sides).map(choose).collect();
            composite(types, ty, chosen?)
        }
        Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr => {
            let from = at(0)?;
            if let (Some(bits), TypeKind::Int(_)) = (from.bits(), types.kind(ty)?) {
                return integer(types, ty, bits);
            }
            cast(types, from, ty)
        }
        Op::ConvertPtrToU => expression(types, "ptrtoint", at(0)?, ty),
        Op::ConvertUToPtr => expression(types, "inttoptr", at(0)?, ty),
        Op::AccessChain | Op::InBoundsAccessChain => address(types, at(0)?, ty, true, at, operands.len()),
        Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
            address(types, at(0)?, ty, false, at, operands.len())
        }
        _ => {
            let values: Result<Vec<&Rc<Constant>>> = (0..operands.len()).map(at).collect();
            elementwise(types, opcode, ty, &values?)
        }
    }
}

/// Evaluates an operation on numbers, or on each scalar of vectors.
fn elementwise(types: &Types, opcode: Op, ty: u32, operands: &[&Rc<Constant>]) -> Result<Constant> {
    let scalar = |ty: u32, operands: &mut dyn Iterator<Item = &Constant>| {
        let values: Result<Vec<_>> = operands.map(|operand| number(types, opcode, operand)).collect();
        integer(types, ty, compute(opcode, &values?)?)
    };
    let TypeKind::Vector { element, count } = *types.kind(ty)? else {
        return scalar(ty, &mut operands.iter().map(|operand| operand.as_ref()));
    };
    let columns: Result<Vec<_>> = operands.iter().map(|operand| members(types, operand)).collect();
    let columns = columns?;
    let mut lanes = Vec::new();
    for lane in 0..count as usize {
        let row: Option<Vec<&Rc<Constant>>> = columns.iter().map(|column| column.get(lane)).collect();
        let row = row.ok_or("the operands have different numbers of scalars")?;
        lanes.push(Rc::new(scalar(element, &mut row.into_iter().map(Rc::as_ref))?));
    }
    composite(types, ty, lanes)
}

/// Returns the members of a composite, even if it is zero or undefined as a whole.
fn members(types: &Types, whole: &Constant) -> Result<Vec<Rc<Constant>>> {
    if !matches!(whole.value, ConstantValue::Zeros | ConstantValue::Undefined) {
        return Ok(whole.members().to_vec());
    }
    let part = |ty: u32| part_of_uniform(types, whole, ty).map(Rc::new);
    match types.kind(whole.ty)? {
        TypeKind::Vector { element, count } => Ok(vec![part(*element)?; *count as usize]),
        TypeKind::Array { element, count } if *count <= MOST_MEMBERS => {
            Ok(vec![part(*element)?; *count as usize])
        }
        TypeKind::Struct { members, .. } => members.iter().map(|&ty| part(ty)).collect(),
        _ => Err("a constant cannot be taken apart".into()),
    }
}

/// Replaces a part of a composite.
fn inserted(types: &Types, whole: &Rc<Constant>, path: &[u32], part: &Rc<Constant>) -> Result<Rc<Constant>> {
    let Some((&first, rest)) = path.split_first() else { return Ok(part.clone()) };
    let mut members = members(types, whole)?;
    let place = members.get_mut(first as usize).ok_or("a composite has no such member")?;
    *place = inserted(types, place, rest, part)?;
    composite(types, whole.ty, members).map(Rc::new)
}

/// Returns a part of a constant whose scalars are all 0 or all undefined.
fn part_of_uniform(types: &Types, whole: &Constant, ty: u32) -> Result<Constant> {
    Ok(match (&whole.value, types.kind(ty)?) {
        (ConstantValue::Zeros, TypeKind::Pointer { .. }) => Constant::from_text(ty, "null".into()),
        (ConstantValue::Zeros, TypeKind::Int(_) | TypeKind::Bool) => integer(types, ty, 0)?,
        _ => Constant { ty, ..whole.clone() },
    })
}

/// Returns a constant's value and its width in bits. An undefined value is 0.
fn number(types: &Types, opcode: Op, constant: &Constant) -> Result<(u64, u32)> {
    let width = match types.kind(constant.ty)? {
        TypeKind::Bool => 1,
        TypeKind::Int(bits) => *bits,
        TypeKind::Float(_) | TypeKind::Bfloat16 => {
            return Err(
                format!("Op{opcode:?} on floating-point specialization constants is not supported").into()
            );
        }
        _ => {
            return Err(
                format!("Op{opcode:?} on specialization constants of this type is not supported").into()
            );
        }
    };
    match constant.value {
        ConstantValue::Bits(bits) => Ok((bits, width)),
        ConstantValue::Undefined => Ok((0, width)),
        // An address as an integer.
        _ if width <= 64 => {
            Err(format!("Op{opcode:?} on a constant whose value only the compiler knows is not supported")
                .into())
        }
        _ => Err("an operation on constants of more than 64 bits is not supported".into()),
    }
}

fn signed((bits, width): (u64, u32)) -> i64 {
    let unused = 64_u32.saturating_sub(width);
    (bits << unused).cast_signed() >> unused
}

/// Computes an operation on integers. The caller truncates the bits above the result's width.
fn compute(opcode: Op, operands: &[(u64, u32)]) -> Result<u64> {
    let at = |place: usize| operands.get(place).copied().ok_or("an operand is missing");
    let (a, b) = (at(0)?, at(1).unwrap_or((0, 64)));
    let (signed_a, signed_b) = (signed(a), signed(b));
    let (a, b) = (a.0, b.0);
    let shift = u32::try_from(b).unwrap_or(64);
    let zero = || -> Result<u64> { Err("a constant is divided by zero".into()) };
    Ok(match opcode {
        Op::UConvert => a,
        Op::SConvert => signed_a.cast_unsigned(),
        Op::SNegate => signed_a.wrapping_neg().cast_unsigned(),
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).map_or_else(zero, Ok)?,
        Op::SDiv => {
            if signed_b == 0 {
                zero()?
            } else {
                signed_a.wrapping_div(signed_b).cast_unsigned()
            }
        }
        Op::UMod => a.checked_rem(b).map_or_else(zero, Ok)?,
        Op::SRem => {
            if signed_b == 0 {
                zero()?
            } else {
                signed_a.wrapping_rem(signed_b).cast_unsigned()
            }
        }
        Op::SMod if signed_b == 0 => zero()?,
        Op::SMod => {
            let rest = signed_a.wrapping_rem(signed_b);
            let rest =
                if rest != 0 && (rest < 0) != (signed_b < 0) { rest.wrapping_add(signed_b) } else { rest };
            rest.cast_unsigned()
        }
        Op::LogicalEqual | Op::IEqual => (a == b).into(),
        Op::LogicalNotEqual | Op::INotEqual => (a != b).into(),
        Op::LogicalOr | Op::BitwiseOr => a | b,
        Op::LogicalAnd | Op::BitwiseAnd => a & b,
        Op::LogicalNot => a ^ 1,
        Op::UGreaterThan => (a > b).into(),
        Op::SGreaterThan => (signed_a > signed_b).into(),
        Op::UGreaterThanEqual => (a >= b).into(),
        Op::SGreaterThanEqual => (signed_a >= signed_b).into(),
        Op::ULessThan => (a < b).into(),
        Op::SLessThan => (signed_a < signed_b).into(),
        Op::ULessThanEqual => (a <= b).into(),
        Op::SLessThanEqual => (signed_a <= signed_b).into(),
        Op::ShiftRightLogical => a.checked_shr(shift).unwrap_or(0),
        Op::ShiftRightArithmetic => (signed_a >> shift.min(63)).cast_unsigned(),
        Op::ShiftLeftLogical => a.checked_shl(shift).unwrap_or(0),
        Op::BitwiseXor => a ^ b,
        Op::Not => !a,
        _ => {
            return Err(format!("Op{opcode:?} on specialization constants is not supported").into());
        }
    })
}

fn expression(types: &Types, operation: &str, from: &Constant, ty: u32) -> Result<Constant> {
    let text = format!("{operation} ({} {} to {})", types.text(from.ty)?, from.text, types.text(ty)?);
    Ok(Constant::from_text(ty, text))
}

/// Casts a pointer to another type or address space.
fn cast(types: &Types, from: &Constant, ty: u32) -> Result<Constant> {
    let crosses = match (types.kind(from.ty)?, types.kind(ty)?) {
        (TypeKind::Pointer { space: a, .. }, TypeKind::Pointer { space: b, .. }) => a != b,
        _ => false,
    };
    expression(types, if crosses { "addrspacecast" } else { "bitcast" }, from, ty)
}

fn address<'c>(
    types: &Types,
    base: &Constant,
    ty: u32,
    first_is_zero: bool,
    at: impl Fn(usize) -> Result<&'c Rc<Constant>>,
    count: usize,
) -> Result<Constant> {
    let (_, pointee) = types.pointer(base.ty)?;
    let mut text =
        format!("getelementptr inbounds ({}, {} {}", types.text(pointee)?, types.text(base.ty)?, base.text);
    if first_is_zero {
        text.push_str(", i32 0");
    }
    for place in 1..count {
        let index = at(place)?;
        text.push_str(&format!(", {} {}", types.text(index.ty)?, index.text));
    }
    text.push(')');
    Ok(Constant::from_text(ty, text))
}

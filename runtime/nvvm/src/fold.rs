//! Operations on constants (`OpSpecConstantOp`).

use sycl_pi_image::spirv::{Inst, Op};

use crate::constants::{Constant, ConstantValue, Constants, integer};
use crate::error::Result;
use crate::types::{TypeKind, Types};

/// The constant that an operation on constants gives.
pub(crate) fn operation(constants: &Constants, types: &Types, inst: &Inst<'_>) -> Result<Constant> {
    let (ty, operation) = (inst.operand(0), inst.operand(2));
    let opcode = Op::from_u32(operation)
        .ok_or_else(|| format!("{operation} on specialization constants is not supported"))?;
    let operands = inst.operands.get(3..).unwrap_or_default();
    let at = |place: usize| {
        let id = operands.get(place).copied().unwrap_or(0);
        constants.get(id).ok_or_else(|| format!("operand %{id} is no constant"))
    };
    match opcode {
        Op::CompositeExtract => {
            let mut found = at(0)?;
            for &member in operands.get(1..).unwrap_or_default() {
                if matches!(found.value, ConstantValue::Zeros | ConstantValue::Undefined) {
                    return part_of_uniform(types, found, ty);
                }
                let part = found.members().get(member as usize).ok_or("a composite has no such member")?;
                found = constants.get(*part).ok_or("a member is no constant")?;
            }
            Ok(found.clone())
        }
        Op::CompositeInsert if operands.len() == 3 => {
            let mut members = at(1)?.members().to_vec();
            let place = members.get_mut(operands.get(2).copied().unwrap_or(0) as usize);
            *place.ok_or("a composite has no such member")? = operands.first().copied().unwrap_or(0);
            constants.composite(types, ty, members)
        }
        Op::VectorShuffle => {
            let mut all = at(0)?.members().to_vec();
            all.extend(at(1)?.members());
            let picked = operands.get(2..).unwrap_or_default().iter();
            let members: Option<Vec<u32>> = picked.map(|&from| all.get(from as usize).copied()).collect();
            constants.composite(types, ty, members.ok_or("a shuffle takes a scalar that is not there")?)
        }
        Op::Select => {
            let chosen =
                if at(0)?.bits().ok_or("a condition is no truth value")? != 0 { at(1)? } else { at(2)? };
            Ok(chosen.clone())
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
            let values: Result<Vec<(u64, u32)>> =
                (0..operands.len()).map(|place| number(types, at(place)?)).collect();
            integer(types, ty, compute(opcode, &values?)?)
        }
    }
}

/// A part of a constant whose scalars are all 0, or all undefined.
fn part_of_uniform(types: &Types, whole: &Constant, ty: u32) -> Result<Constant> {
    let is_pointer = matches!(types.kind(ty)?, TypeKind::Pointer { .. });
    Ok(match whole.value {
        ConstantValue::Zeros if is_pointer => Constant::from_text(ty, "null".into()),
        _ => Constant { ty, ..whole.clone() },
    })
}

/// A constant's value and width in bits.
fn number(types: &Types, constant: &Constant) -> Result<(u64, u32)> {
    let width = match types.kind(constant.ty)? {
        TypeKind::Bool => 1,
        TypeKind::Int(bits) => *bits,
        _ => return Err("an operation on constants that are no integers is not supported".into()),
    };
    let bits = constant.bits().ok_or("an operation on constants of more than 64 bits is not supported")?;
    Ok((bits, width))
}

fn signed((bits, width): (u64, u32)) -> i64 {
    let unused = 64_u32.saturating_sub(width);
    (bits << unused).cast_signed() >> unused
}

/// The value of an operation on integers. Bits above the result's width are cut off by the caller.
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

/// A pointer as one of another type or space.
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
    at: impl Fn(usize) -> Result<&'c Constant, String>,
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

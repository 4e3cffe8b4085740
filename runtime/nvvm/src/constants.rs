//! Constants: their values and their spelling.

use std::collections::{BTreeMap, HashMap};

use sycl_pi_image::spirv::{Index, Inst};

use crate::error::Step;
use crate::fold;
use crate::op::{self, decoration};
use crate::types::{Kind, Types};

/// Constants longer than this are refused one by one, and all of them together beyond the second number.
const LONGEST: usize = 8 << 20;
const LONGEST_TOGETHER: usize = 64 << 20;

/// A constant.
#[derive(Clone, Debug)]
pub(crate) struct Constant {
    /// Its type.
    pub(crate) ty: u32,
    /// Its spelling, without the type.
    pub(crate) text: String,
    /// The value of a truth value or of an integer of at most 64 bits, without its sign.
    pub(crate) bits: Option<u64>,
    /// The constants that a composite has.
    pub(crate) members: Vec<u32>,
}

/// The constants of a module, and its variables, whose addresses are constants.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    table: HashMap<u32, Constant>,
    length: usize,
}

impl Constants {
    /// The constant of an id.
    pub(crate) fn get(&self, id: u32) -> Option<&Constant> {
        self.table.get(&id)
    }

    /// The value of an integer constant.
    pub(crate) fn number(&self, id: u32) -> Option<u64> {
        self.get(id)?.bits
    }

    /// Adds a constant that was made elsewhere.
    pub(crate) fn insert(&mut self, id: u32, constant: Constant) -> Step {
        self.length += constant.text.len();
        if constant.text.len() > LONGEST || self.length > LONGEST_TOGETHER {
            return Err("the constants are too large".into());
        }
        self.table.insert(id, constant);
        Ok(())
    }

    /// Adds the constant that an instruction defines.
    pub(crate) fn add(
        &mut self,
        index: &Index<'_>,
        types: &Types,
        values: &BTreeMap<u32, Vec<u8>>,
        inst: &Inst<'_>,
    ) -> Step {
        let (ty, id) = (inst.operand(0), inst.operand(1));
        let given = match op::is_spec_constant(inst.opcode) {
            true => {
                index.decorations(id, decoration::SpecId).next().and_then(|note| values.get(&note.operand(2)))
            }
            false => None,
        };
        let constant = match inst.opcode {
            op::OpConstantTrue | op::OpSpecConstantTrue => self.truth(ty, given, true)?,
            op::OpConstantFalse | op::OpSpecConstantFalse => self.truth(ty, given, false)?,
            op::OpConstant | op::OpSpecConstant => literal(types, ty, inst, given)?,
            op::OpConstantComposite | op::OpSpecConstantComposite => {
                let members = inst.operands.get(2..).unwrap_or_default().to_vec();
                self.composite(types, ty, members)?
            }
            op::OpConstantNull => null(types, ty)?,
            op::OpUndef => Constant { ty, text: "undef".into(), bits: None, members: Vec::new() },
            op::OpSpecConstantOp => fold::operation(self, types, inst)?,
            _ => return Err("the constant is not supported on CUDA".into()),
        };
        types.text(ty)?;
        self.insert(id, constant)
    }

    fn truth(&self, ty: u32, given: Option<&Vec<u8>>, default: bool) -> Step<Constant> {
        let value = match given.map(Vec::as_slice) {
            None => default,
            Some([byte]) => *byte != 0,
            Some(bytes) => return Err(format!("the constant has 1 byte, not {}", bytes.len()).into()),
        };
        Ok(truth(ty, value))
    }

    /// A composite of constants.
    pub(crate) fn composite(&self, types: &Types, ty: u32, members: Vec<u32>) -> Step<Constant> {
        let (open, close, count) = match types.kind(ty)? {
            Kind::Vector { count, .. } => ("<", ">", u64::from(*count)),
            Kind::Array { count, .. } => ("[", "]", *count),
            Kind::Struct { members, packed: false } => ("{", "}", members.len() as u64),
            Kind::Struct { members, packed: true } => ("<{", "}>", members.len() as u64),
            _ => return Err("a composite constant has no composite type".into()),
        };
        if members.len() as u64 != count {
            return Err(format!("the constant has {} members, its type {count}", members.len()).into());
        }
        let mut text = String::from(open);
        for (at, &member) in members.iter().enumerate() {
            let part = self.get(member).ok_or_else(|| format!("%{member} is no constant"))?;
            if at > 0 {
                text.push_str(", ");
            }
            text.push_str(types.text(part.ty)?);
            text.push(' ');
            text.push_str(&part.text);
            if text.len() > LONGEST {
                return Err("the constant is too large".into());
            }
        }
        text.push_str(close);
        Ok(Constant { ty, text, bits: None, members })
    }
}

/// A truth value.
pub(crate) fn truth(ty: u32, value: bool) -> Constant {
    Constant { ty, text: value.to_string(), bits: Some(value.into()), members: Vec::new() }
}

/// An integer, or the null of a pointer or a floating-point number.
pub(crate) fn integer(types: &Types, ty: u32, value: u64) -> Step<Constant> {
    match *types.kind(ty)? {
        Kind::Bool => Ok(truth(ty, value & 1 != 0)),
        Kind::Int(bits) => {
            let value = if bits < 64 { value & ((1 << bits) - 1) } else { value };
            let bits = (bits <= 64).then_some(value);
            Ok(Constant { ty, text: value.to_string(), bits, members: Vec::new() })
        }
        _ => Err("an integer constant has no integer type".into()),
    }
}

fn null(types: &Types, ty: u32) -> Step<Constant> {
    match types.kind(ty)? {
        Kind::Bool | Kind::Int(_) => integer(types, ty, 0),
        Kind::Pointer { .. } | Kind::FunctionPointer => {
            Ok(Constant { ty, text: "null".into(), bits: None, members: Vec::new() })
        }
        _ => Ok(Constant { ty, text: "zeroinitializer".into(), bits: None, members: Vec::new() }),
    }
}

fn literal(types: &Types, ty: u32, inst: &Inst<'_>, given: Option<&Vec<u8>>) -> Step<Constant> {
    let words = inst.operands.get(2..).unwrap_or_default();
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let kind = types.kind(ty)?;
    let bits = match kind {
        Kind::Int(bits) | Kind::Float(bits) => *bits,
        _ => return Err("a constant with a literal is no number".into()),
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
        Kind::Int(..=64) => integer(types, ty, wide as u64),
        Kind::Int(_) => Ok(Constant { ty, text: wide.to_string(), bits: None, members: Vec::new() }),
        _ => Ok(Constant { ty, text: float(bits, wide as u64), bits: None, members: Vec::new() }),
    }
}

/// A floating-point number of these bits as LLVM writes it: `double`'s bits, but for `half`.
pub(crate) fn float(width: u32, bits: u64) -> String {
    match width {
        16 => format!("0xH{bits:04X}"),
        32 => {
            let value = f32::from_bits(bits as u32);
            let wide = match value.is_nan() {
                // What an extension of a NaN gives is not fixed by Rust.
                true => (bits & 0x8000_0000) << 32 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29,
                false => f64::from(value).to_bits(),
            };
            format!("0x{wide:016X}")
        }
        _ => format!("0x{bits:016X}"),
    }
}

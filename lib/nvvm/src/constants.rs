//! Constants: their values and their spelling.

use std::collections::HashMap;
use std::rc::Rc;

use crate::error::{Reason, Result};
use crate::types::{TypeKind, Types};

/// A single constant that is longer than this is refused; the second limit applies to all constants together.
pub(crate) const LONGEST: usize = 8 << 20;
const LONGEST_TOGETHER: usize = 64 << 20;
/// If more constants than this are refused, the program is refused.
const MOST_REFUSED: usize = 1000;

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constant {
    /// Its type.
    pub(crate) ty: u32,
    /// Its spelling, without the type.
    pub(crate) text: String,
    /// Its known value.
    pub(crate) value: ConstantValue,
}

/// The value of a constant, for operations on constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConstantValue {
    /// Any value is valid.
    Undefined,
    /// All scalars of a composite are 0.
    Zeros,
    /// A truth value, or an unsigned integer of at most 64 bits.
    Bits(u64),
    /// The constants of a composite.
    Members(Vec<Rc<Constant>>),
    /// A value that only the compiler knows: an address, a floating-point number, a wider integer.
    Other,
}

impl Constant {
    /// Creates a constant of which only the spelling is known.
    pub(crate) fn from_text(ty: u32, text: String) -> Self {
        Self { ty, text, value: ConstantValue::Other }
    }

    /// Returns the unsigned value of a truth value or of an integer of at most 64 bits.
    pub(crate) fn bits(&self) -> Option<u64> {
        match self.value {
            ConstantValue::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    /// Returns whether it is the number 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.value == ConstantValue::Zeros || [float(32, 0), "0".to_owned()].contains(&self.text)
    }

    /// Returns the constants of a composite.
    pub(crate) fn members(&self) -> &[Rc<Self>] {
        match &self.value {
            ConstantValue::Members(members) => members,
            _ => &[],
        }
    }
}

/// The constants of a module, and its variables, whose addresses are constants.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    table: HashMap<u32, Rc<Constant>>,
    /// The reasons why other constants cannot be translated. Functions that use them cannot be translated either.
    refused: HashMap<u32, Reason>,
    length: usize,
}

impl Constants {
    /// Returns the constant with this id.
    pub(crate) fn get(&self, id: u32) -> Option<&Constant> {
        self.table.get(&id).map(Rc::as_ref)
    }

    /// Returns the constant with this id, or the reason why there is none.
    pub(crate) fn required(&self, id: u32) -> Result<&Rc<Constant>> {
        let missing =
            || self.refusal(id).cloned().unwrap_or_else(|| format!("%{id} is not a constant").into());
        self.table.get(&id).ok_or_else(missing)
    }

    /// Returns the reason why an id has no constant.
    pub(crate) fn refusal(&self, id: u32) -> Option<&Reason> {
        self.refused.get(&id)
    }

    /// Records that an id has no constant, and why.
    pub(crate) fn refuse(&mut self, id: u32, reason: Reason) -> Result<()> {
        if self.refused.len() >= MOST_REFUSED {
            return Err(reason);
        }
        self.refused.insert(id, reason);
        Ok(())
    }

    /// Returns the value of an integer constant.
    pub(crate) fn number(&self, id: u32) -> Option<u64> {
        self.get(id)?.bits()
    }

    /// Adds a constant that was made elsewhere.
    pub(crate) fn insert(&mut self, id: u32, constant: Constant) -> Result<()> {
        self.length += constant.text.len();
        if constant.text.len() > LONGEST || self.length > LONGEST_TOGETHER {
            return Err("the constants are too large".into());
        }
        self.table.insert(id, Rc::new(constant));
        Ok(())
    }
}

/// Makes a composite of constants.
pub(crate) fn composite(types: &Types, ty: u32, members: Vec<Rc<Constant>>) -> Result<Constant> {
    if let (TypeKind::Matrix { element, count, .. }, [part]) = (types.kind(ty)?, members.as_slice()) {
        if types.text(part.ty)? != types.text(*element)? {
            return Err("the components of a matrix have another type than their value".into());
        }
        let all = vec![format!("{} {}", types.text(part.ty)?, part.text); *count as usize];
        return Ok(Constant::from_text(ty, format!("<{}>", all.join(", "))));
    }
    let (open, close, count) = match types.kind(ty)? {
        TypeKind::Vector { count, .. } => ("<", ">", u64::from(*count)),
        TypeKind::Array { count, .. } => ("[", "]", *count),
        TypeKind::Struct { members, packed: false } => ("{", "}", members.len() as u64),
        TypeKind::Struct { members, packed: true } => ("<{", "}>", members.len() as u64),
        _ => return Err("a composite constant has no composite type".into()),
    };
    if members.len() as u64 != count {
        return Err(format!("the constant has {} members, its type {count}", members.len()).into());
    }
    let mut text = String::from(open);
    for (at, part) in members.iter().enumerate() {
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
    Ok(Constant { ty, text, value: ConstantValue::Members(members) })
}

/// Makes a truth value.
pub(crate) fn truth(ty: u32, value: bool) -> Constant {
    Constant { ty, text: value.to_string(), value: ConstantValue::Bits(value.into()) }
}

/// Makes an integer, or the null of a pointer or a floating-point number.
pub(crate) fn integer(types: &Types, ty: u32, value: u64) -> Result<Constant> {
    match *types.kind(ty)? {
        TypeKind::Bool => Ok(truth(ty, value & 1 != 0)),
        TypeKind::Int(bits) => {
            let value = if bits < 64 { value & ((1 << bits) - 1) } else { value };
            let known = if bits <= 64 { ConstantValue::Bits(value) } else { ConstantValue::Other };
            Ok(Constant { ty, text: value.to_string(), value: known })
        }
        _ => Err("an integer constant has no integer type".into()),
    }
}

/// Spells a floating-point number with these bits as LLVM does: with the bits of a `double`, except for `half`.
pub(crate) fn float(width: u32, bits: u64) -> String {
    match width {
        16 => format!("0xH{bits:04X}"),
        32 => {
            let value = f32::from_bits(bits as u32);
            let wide = match value.is_nan() {
                // Rust does not specify the bits of an extended NaN.
                true => (bits & 0x8000_0000) << 32 | 0x7ff << 52 | (bits & 0x7f_ffff) << 29,
                false => f64::from(value).to_bits(),
            };
            format!("0x{wide:016X}")
        }
        _ => format!("0x{bits:016X}"),
    }
}

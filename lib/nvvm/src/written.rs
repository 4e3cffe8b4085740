//! The spelling of a variable in the module, in which vectors of three elements become vectors of four.
//!
//! A vector of three occupies the space of four. libnvvm omits the fourth element when it writes initial values, so
//! that the following parts of an array or structure are misplaced and read from the wrong offset.

use crate::constants::{Constant, ConstantValue, LONGEST};
use crate::error::Result;
use crate::types::{TypeKind, Types};

impl Types {
    /// Returns LLVM's spelling of a type in which vectors of three have become vectors of four. Sizes and offsets do
    /// not change.
    pub(crate) fn written(&self, id: u32) -> Result<String> {
        if !self.has(id, |kind| matches!(kind, TypeKind::Vector { count: 3, .. })) {
            return Ok(self.text(id)?.to_owned());
        }
        let text = match self.kind(id)? {
            TypeKind::Vector { element, .. } => format!("<4 x {}>", self.text(*element)?),
            TypeKind::Array { element, count } => format!("[{count} x {}]", self.written(*element)?),
            TypeKind::Struct { members, packed } => {
                let mut texts = Vec::new();
                let mut length = 0;
                for &member in members {
                    let text = self.written(member)?;
                    length += text.len();
                    check_length(length)?;
                    texts.push(text);
                }
                in_braces(&texts.join(", "), *packed)
            }
            _ => self.text(id)?.to_owned(),
        };
        check_length(text.len())?;
        Ok(text)
    }
}

impl Constant {
    /// Returns the spelling of a constant of a type that is written this way.
    pub(crate) fn written(&self, types: &Types) -> Result<String> {
        if types.written(self.ty)? == types.text(self.ty)? {
            return Ok(self.text.clone());
        }
        let members = match &self.value {
            ConstantValue::Undefined | ConstantValue::Zeros => return Ok(self.text.clone()),
            ConstantValue::Members(members) => members,
            ConstantValue::Bits(_) | ConstantValue::Other => {
                return Err("an initial value with vectors of three has no known members".into());
            }
        };
        let mut text = String::new();
        for (at, part) in members.iter().enumerate() {
            let separator = if at > 0 { ", " } else { "" };
            text.push_str(&format!("{separator}{} {}", types.written(part.ty)?, part.written(types)?));
            check_length(text.len())?;
        }
        Ok(match types.kind(self.ty)? {
            TypeKind::Vector { element, .. } => format!("<{text}, {} undef>", types.text(*element)?),
            TypeKind::Struct { packed, .. } => in_braces(&text, *packed),
            _ => format!("[{text}]"),
        })
    }
}

fn in_braces(members: &str, packed: bool) -> String {
    if packed { format!("<{{ {members} }}>") } else { format!("{{ {members} }}") }
}

fn check_length(length: usize) -> Result<()> {
    if length > LONGEST { Err("a variable with vectors of three is too large".into()) } else { Ok(()) }
}

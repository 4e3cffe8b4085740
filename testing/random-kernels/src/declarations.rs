//! The declarations of a module before its functions, without duplicates.

use std::collections::HashSet;

use crate::types::{Kind, Ty};

/// Lines in the required order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declarations {
    lines: Vec<String>,
    known: HashSet<String>,
}

impl Declarations {
    /// Adds a line unless it exists.
    pub(crate) fn line(&mut self, line: String) {
        if self.known.insert(line.clone()) {
            self.lines.push(line);
        }
    }

    /// Adds the declarations of another one.
    pub(crate) fn merge(&mut self, other: &Self) {
        other.lines.iter().for_each(|line| self.line(line.clone()));
    }

    pub(crate) fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Returns the variables outside the module's functions. A kernel lists those that it uses.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> {
        let variables = self.lines.iter().filter(|line| line.contains(" = OpVariable "));
        variables.filter_map(|line| line.split_whitespace().next())
    }

    /// Returns a type's id.
    pub(crate) fn ty(&mut self, ty: Ty) -> String {
        let name = format!("%{}", ty.name());
        if ty.lanes > 1 {
            let lane = self.ty(ty.lane());
            self.line(format!("{name} = OpTypeVector {lane} {}", ty.lanes));
        } else {
            let what = match ty.kind {
                Kind::Bool => "OpTypeBool".to_owned(),
                Kind::Int(bits) => format!("OpTypeInt {bits} 0"),
                Kind::Float(bits) => format!("OpTypeFloat {bits}"),
            };
            self.line(format!("{name} = {what}"));
        }
        name
    }

    /// Returns the id of a type of pointers to the type with the id `pointee`.
    pub(crate) fn pointer(&mut self, class: &str, pointee: &str) -> String {
        let name = format!("%p_{class}_{}", pointee.trim_start_matches('%'));
        self.line(format!("{name} = OpTypePointer {class} {pointee}"));
        name
    }

    /// Returns the id of a type of pointers to a number type.
    pub(crate) fn pointer_to(&mut self, class: &str, ty: Ty) -> String {
        let pointee = self.ty(ty);
        self.pointer(class, &pointee)
    }

    /// Returns the id of an array type.
    pub(crate) fn array(&mut self, element: &str, count: usize) -> String {
        let length = self.uint(count as u64);
        let name = format!("%a{count}_{}", element.trim_start_matches('%'));
        self.line(format!("{name} = OpTypeArray {element} {length}"));
        name
    }

    /// Returns the id of a constant with these bits in each lane.
    pub(crate) fn constant(&mut self, ty: Ty, bits: u64) -> String {
        let bits = if ty.bits() < 64 { bits & ((1 << ty.bits()) - 1) } else { bits };
        let name = format!("%c_{}_{bits:x}", ty.name());
        let id = self.ty(ty);
        if ty.lanes > 1 {
            let lane = self.constant(ty.lane(), bits);
            let lanes = vec![lane; ty.lanes].join(" ");
            self.line(format!("{name} = OpConstantComposite {id} {lanes}"));
        } else if ty.kind == Kind::Bool {
            let what = if bits == 1 { "OpConstantTrue" } else { "OpConstantFalse" };
            self.line(format!("{name} = {what} {id}"));
        } else {
            self.line(format!("{name} = OpConstant {id} 0x{bits:x}"));
        }
        name
    }

    /// Returns the id of a floating-point constant.
    pub(crate) fn float(&mut self, ty: Ty, value: f64) -> String {
        let bits = match ty.bits() {
            16 => u64::from(small_half(value)),
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        self.constant(ty, bits)
    }

    /// Returns the id of a 32-bit constant.
    pub(crate) fn uint(&mut self, value: u64) -> String {
        self.constant(Ty::UINT, value)
    }

    /// Returns the id of a variable that contains an identifier or a size, and the type of its value.
    pub(crate) fn builtin(&mut self, name: &str, ty: Ty) -> String {
        let pointer = self.pointer_to("Input", ty);
        self.line(format!("OpDecorate %b_{name} BuiltIn {name}"));
        self.line(format!("%b_{name} = OpVariable {pointer} Input"));
        format!("%b_{name}")
    }
}

/// Returns the bits of a half that represents the number exactly, which must be small with few digits.
fn small_half(value: f64) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023 + 15;
    if value == 0.0 || exponent <= 0 {
        return sign;
    }
    sign | (exponent.min(30) as u16) << 10 | (bits >> 42) as u16 & 0x3ff
}

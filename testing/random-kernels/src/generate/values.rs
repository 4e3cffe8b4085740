//! Randomly chosen types and operands.

use super::{Generator, Value};
use crate::types::{Kind, Ty};

/// Numbers of lanes of vectors. Wide ones are rare.
const LANES: [usize; 8] = [2, 2, 3, 3, 4, 4, 8, 16];

impl Generator {
    pub(super) fn any_kind(&mut self) -> Kind {
        let bits = [8, 16, 32, 64][self.random.below(4)];
        match self.random.below(5) {
            0 | 1 if bits > 8 => Kind::Float(bits),
            _ => Kind::Int(bits),
        }
    }

    fn lanes(&mut self) -> usize {
        if self.random.below(6) == 0 { self.vector_lanes() } else { 1 }
    }

    /// Returns the number of lanes of a vector.
    pub(super) fn vector_lanes(&mut self) -> usize {
        let most = if self.shape.sub_group.is_some() { 6 } else { LANES.len() };
        LANES[self.random.below(most)]
    }

    /// Returns an integer type, mostly one that the kernel prefers.
    pub(super) fn integer_type(&mut self) -> Ty {
        let kinds: Vec<Kind> =
            self.kinds.iter().copied().filter(|kind| matches!(kind, Kind::Int(_))).collect();
        let kind = if kinds.is_empty() || self.random.below(6) == 0 {
            Kind::Int([8, 16, 32, 64][self.random.below(4)])
        } else {
            kinds[self.random.below(kinds.len())]
        };
        Ty::scalar(kind).with_lanes(self.lanes())
    }

    /// Returns a floating-point type, mostly one that the kernel prefers.
    pub(super) fn float_type(&mut self) -> Ty {
        let kinds: Vec<Kind> =
            self.kinds.iter().copied().filter(|kind| matches!(kind, Kind::Float(_))).collect();
        let kind = if kinds.is_empty() || self.random.below(6) == 0 {
            Kind::Float([16, 32, 32, 64][self.random.below(4)])
        } else {
            kinds[self.random.below(kinds.len())]
        };
        Ty::scalar(kind).with_lanes(self.lanes())
    }

    pub(super) fn number_type(&mut self) -> Ty {
        if self.random.below(2) == 0 { self.integer_type() } else { self.float_type() }
    }

    /// Returns a value of a type: a known one, a constant, or a new one.
    pub(super) fn operand(&mut self, ty: Ty) -> Value {
        if self.random.below(12) == 0 {
            return self.some_constant(ty);
        }
        let known: Vec<usize> =
            (0..self.values.len()).rev().filter(|&at| self.values[at].ty == ty).take(6).collect();
        if known.is_empty() || self.random.below(16) == 0 {
            return self.supply(ty);
        }
        let chosen = &mut self.values[known[self.random.below(known.len())]];
        chosen.uses += 1;
        chosen.clone()
    }

    pub(super) fn some_constant(&mut self, ty: Ty) -> Value {
        const FLOATS: [f64; 8] = [0.0, -0.5, 1.0, 1.5, -3.0, 1024.0, 0.125, -2.0];
        let id = match ty.kind {
            Kind::Float(_) => self.declarations.float(ty, FLOATS[self.random.below(8)]),
            _ => {
                let bits = match self.random.below(4) {
                    0 => u64::MAX,
                    1 => 1 << (ty.bits() - 1),
                    2 => self.random.number() & 0xff,
                    _ => self.random.number(),
                };
                self.declarations.constant(ty, bits)
            }
        };
        Value { id, ty, uniform: true, uses: 0 }
    }

    /// Generates a new value of a type, from the input or from a known value of another type.
    fn supply(&mut self, ty: Ty) -> Value {
        if ty.kind == Kind::Bool {
            return self.compare(ty.lanes);
        }
        if !self.in_function && self.random.below(3) > 0 {
            return self.load_input_of(ty);
        }
        let scalars: Vec<usize> = (0..self.values.len())
            .filter(|&at| self.values[at].ty.lanes == 1 && self.values[at].ty.kind != Kind::Bool)
            .collect();
        if scalars.is_empty() {
            return self.some_constant(ty);
        }
        let value = self.values[scalars[self.random.below(scalars.len())]].clone();
        let scalar = if value.ty == ty.lane() { value } else { self.converted(&value, ty.lane()) };
        if ty.lanes == 1 {
            return scalar;
        }
        // Lanes that differ: the value, and its sums with constants.
        let mut lanes = vec![scalar.id.clone()];
        for _ in 1..ty.lanes {
            let other = self.some_constant(ty.lane()).id;
            lanes.push(if self.random.below(2) == 0 { scalar.id.clone() } else { other });
        }
        let (id, name) = (self.id(), self.declarations.ty(ty));
        let text = format!("{id} = OpCompositeConstruct {name} {}\n", lanes.join(" "));
        self.define(id, ty, scalar.uniform, text)
    }

    /// Generates a 32-bit number below a power of two.
    pub(super) fn index(&mut self, below: usize) -> Value {
        let value = self.operand(Ty::UINT);
        let (id, uint) = (self.id(), self.declarations.ty(Ty::UINT));
        let mask = self.declarations.uint(below as u64 - 1);
        let text = format!("{id} = OpBitwiseAnd {uint} {} {mask}\n", value.id);
        self.define(id, Ty::UINT, value.uniform, text)
    }
}

//! Loads of the input, private arrays, and identifiers.

use std::fmt::Write;

use super::{Generator, Value};
use crate::kernel::INPUT_BYTES;
use crate::types::{Kind, Ty};

/// The number of elements of a private array.
const ELEMENTS: usize = 8;

impl Generator {
    pub(super) fn load_input(&mut self) {
        let ty = self.number_type();
        self.load_input_of(ty);
    }

    /// Loads a value at an index of the input that depends on another value, as a whole or by `vloadn`.
    pub(super) fn load_input_of(&mut self, ty: Ty) -> Value {
        let base = self.named("in");
        let at = if self.random.below(3) > 0 {
            self.place_of_own()
        } else {
            let index = self.operand(Ty::UINT);
            (index.id, index.uniform, Ty::UINT)
        };
        let (index, uniform, index_type) = at;
        // The element's index, below the number of elements in the input.
        let by_lane = ty.lanes > 1 && self.random.below(3) == 0;
        let bytes = if by_lane { ty.lanes.max(4) * ty.bits() / 8 } else { ty.bytes() };
        let mask = self.declarations.constant(index_type, (INPUT_BYTES / bytes - 1) as u64);
        let (id, index_name) = (self.id(), self.declarations.ty(index_type));
        let mut text = format!("{id}.i = OpBitwiseAnd {index_name} {index} {mask}\n");
        let name = self.declarations.ty(ty);
        let what = if by_lane { ty.lane() } else { ty };
        let pointer = self.declarations.pointer_to("CrossWorkgroup", what);
        let bytes_pointer = self.declarations.pointer_to("CrossWorkgroup", Ty::scalar(Kind::Int(8)));
        let cast = match pointer == bytes_pointer {
            true => base,
            false => {
                let _ = writeln!(text, "{id}.b = OpBitcast {pointer} {base}");
                format!("{id}.b")
            }
        };
        if by_lane {
            let ulong = self.declarations.ty(Ty::ULONG);
            let long = match index_type.bits() {
                64 => format!("{id}.i"),
                _ => {
                    let _ = writeln!(text, "{id}.l = OpUConvert {ulong} {id}.i");
                    format!("{id}.l")
                }
            };
            let _ = writeln!(text, "{id} = OpExtInst {name} %cl vloadn {long} {cast} {}", ty.lanes);
        } else {
            let chain = ["OpPtrAccessChain", "OpInBoundsPtrAccessChain"][self.random.below(2)];
            let _ = writeln!(text, "{id}.p = {chain} {pointer} {cast} {id}.i");
            let from = match self.random.below(4) {
                0 => {
                    let generic = self.declarations.pointer_to("Generic", ty);
                    let _ = writeln!(text, "{id}.q = OpPtrCastToGeneric {generic} {id}.p");
                    format!("{id}.q")
                }
                _ => format!("{id}.p"),
            };
            let _ = writeln!(text, "{id} = OpLoad {name} {from} Aligned {}", ty.bytes());
        }
        self.define(id, ty, uniform, text)
    }

    /// Generates a table of constants, read at an index that depends on a value.
    pub(super) fn table(&mut self) {
        let ty = self.number_type();
        let element = self.declarations.ty(ty);
        let array = self.declarations.array(&element, ELEMENTS);
        let content: Vec<String> = (0..ELEMENTS).map(|_| self.some_constant(ty).id).collect();
        let (constant, variable) = (self.id(), self.id());
        let (of_array, pointer) = (
            self.declarations.pointer("UniformConstant", &array),
            self.declarations.pointer("UniformConstant", &element),
        );
        self.declarations.line(format!("{constant} = OpConstantComposite {array} {}", content.join(" ")));
        self.declarations.line(format!("{variable} = OpVariable {of_array} UniformConstant {constant}"));
        let (at, id) = (self.index(ELEMENTS), self.id());
        let text = format!(
            "{id}.p = OpInBoundsAccessChain {pointer} {variable} {}\n{id} = OpLoad {element} {id}.p Aligned {}\n",
            at.id,
            ty.bytes()
        );
        self.define(id, ty, at.uniform, text);
    }

    /// Selects a pointer to the input or to a variable by a condition.
    pub(super) fn either(&mut self) {
        let ty = self.number_type();
        let (value, condition) = (self.operand(ty), self.operand(Ty::BOOL));
        let element = self.declarations.ty(ty);
        let variable = self.variable(&element);
        let [global, generic] =
            ["CrossWorkgroup", "Generic"].map(|class| self.declarations.pointer(class, &element));
        let bytes = self.declarations.pointer_to("CrossWorkgroup", Ty::scalar(Kind::Int(8)));
        let (id, base, aligned) = (self.id(), self.named("in"), format!("Aligned {}", ty.bytes()));
        let start =
            self.declarations.constant(Ty::ULONG, (self.random.below(INPUT_BYTES / 16) & !127) as u64);
        let mut text = format!("OpStore {variable} {} {aligned}\n", value.id);
        let _ = writeln!(text, "{id}.s = OpInBoundsPtrAccessChain {bytes} {base} {start}");
        let cast = if global == bytes { format!("{id}.s") } else { format!("{id}.t") };
        if global != bytes {
            let _ = writeln!(text, "{id}.t = OpBitcast {global} {id}.s");
        }
        let _ = writeln!(text, "{id}.g = OpPtrCastToGeneric {generic} {cast}");
        let _ = writeln!(text, "{id}.v = OpPtrCastToGeneric {generic} {variable}");
        let _ = writeln!(text, "{id}.p = OpSelect {generic} {} {id}.g {id}.v", condition.id);
        let _ = writeln!(text, "{id} = OpLoad {element} {id}.p {aligned}");
        self.define(id, ty, condition.uniform && value.uniform, text);
    }

    /// Returns the work-item's number in the launch.
    fn place_of_own(&self) -> (String, bool, Ty) {
        (self.named("g"), false, Ty::ULONG)
    }

    /// Generates a private array that is filled, changed at indices that depend on values, and read at others.
    pub(super) fn private_array(&mut self) {
        let ty = self.number_type();
        let element = self.declarations.ty(ty);
        let array = self.declarations.array(&element, ELEMENTS);
        let variable = self.variable(&array);
        let pointer = self.declarations.pointer("Function", &element);
        let mut values: Vec<Value> = (0..3).map(|_| self.operand(ty)).collect();
        values.extend((3..ELEMENTS).map(|_| self.some_constant(ty)));
        let (id, aligned) = (self.id(), format!("Aligned {}", ty.bytes()));
        let zero = self.declarations.constant(ty, 0);
        let (mut text, mut zeros) = (String::new(), String::new());
        for (at, value) in values.iter().enumerate() {
            let at_id = self.declarations.uint(at as u64);
            let chain =
                format!("{id}.p{at} = OpAccessChain {pointer} {variable} {at_id}\nOpStore {id}.p{at}");
            let _ = writeln!(text, "{chain} {} {aligned}", value.id);
            let _ = writeln!(zeros, "{chain} {zero} {aligned}");
        }
        self.fill(text, zeros);
        let mut uniform = values.iter().all(|value| value.uniform);
        for _ in 0..1 + self.random.below(2) {
            let (at, value) = (self.index(ELEMENTS), self.operand(ty));
            uniform &= at.uniform && value.uniform;
            let id = self.id();
            let text = format!(
                "{id}.p = OpInBoundsAccessChain {pointer} {variable} {}\nOpStore {id}.p {} {aligned}\n",
                at.id, value.id
            );
            self.push(vec![text], Vec::new(), &[]);
        }
        for _ in 0..1 + self.random.below(2) {
            let at = self.index(ELEMENTS);
            let id = self.id();
            let mut text = format!("{id}.p = OpAccessChain {pointer} {variable} {}\n", at.id);
            let from = match self.random.below(3) {
                0 => {
                    let generic = self.declarations.pointer("Generic", &element);
                    let _ = writeln!(text, "{id}.q = OpPtrCastToGeneric {generic} {id}.p");
                    format!("{id}.q")
                }
                _ => format!("{id}.p"),
            };
            let _ = writeln!(text, "{id} = OpLoad {element} {from} {aligned}");
            self.define(id, ty, uniform && at.uniform, text);
        }
    }

    /// Generates a number of the work-item or of the launch. Skips linear ones, which Intel's CPU runtime lacks.
    pub(super) fn identifier(&mut self) {
        let three = Ty::ULONG.with_lanes(3);
        let (name, uniform) = [
            ("GlobalInvocationId", false),
            ("LocalInvocationId", false),
            ("WorkgroupId", true),
            ("NumWorkgroups", true),
            ("WorkgroupSize", true),
            ("GlobalSize", true),
            ("GlobalOffset", true),
        ][self.random.below(7)];
        let id = self.id();
        let ulong = self.declarations.ty(Ty::ULONG);
        let variable = self.declarations.builtin(name, three);
        let (v3, axis) = (self.declarations.ty(three), self.random.below(3));
        let text = format!(
            "{id}.v = OpLoad {v3} {variable} Aligned 32\n{id} = OpCompositeExtract {ulong} {id}.v {axis}\n"
        );
        self.define(id, Ty::ULONG, uniform, text);
    }
}

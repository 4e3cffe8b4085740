//! Structures that are built in memory, copied, and read.

use std::fmt::Write;

use super::{Generator, Value};
use crate::kernel::ARGUMENT;
use crate::types::{Kind, Ty};

impl Generator {
    /// Returns the type of the structure argument: a pointer to a copy.
    pub(super) fn structure_argument(&mut self) -> String {
        let names = ARGUMENT.map(|ty| self.declarations.ty(ty));
        self.declarations.line(format!("%argument = OpTypeStruct {}", names.join(" ")));
        self.declarations.line(format!("OpDecorate {} FuncParamAttr ByVal", self.named("by_value")));
        self.declarations.pointer("Function", "%argument")
    }

    /// Loads its members.
    pub(super) fn members(&mut self) -> String {
        let (mut text, base) = (String::new(), self.named("by_value"));
        for (at, ty) in ARGUMENT.into_iter().enumerate() {
            let (id, name) = (self.id(), self.declarations.ty(ty));
            let (pointer, number) =
                (self.declarations.pointer("Function", &name), self.declarations.uint(at as u64));
            let _ = writeln!(text, "{id}.p = OpInBoundsAccessChain {pointer} {base} {number}");
            let _ = writeln!(text, "{id} = OpLoad {name} {id}.p Aligned {}", ty.bytes());
            self.know(id, ty, true);
        }
        text
    }

    /// Generates a structure of two to five members in a variable. It is copied to another one, from which members are
    /// read.
    pub(super) fn structure(&mut self) {
        let members: Vec<Ty> = (0..2 + self.random.below(4)).map(|_| self.number_type()).collect();
        let values: Vec<Value> = members.iter().map(|ty| self.operand(*ty)).collect();
        let names: Vec<String> = members.iter().map(|ty| self.declarations.ty(*ty)).collect();
        let structure = format!("%s_{}", names.join("_").replace('%', ""));
        self.declarations.line(format!("{structure} = OpTypeStruct {}", names.join(" ")));
        let (from, to) = (self.variable(&structure), self.variable(&structure));
        let id = self.id();
        let ids: Vec<String> = values.iter().map(|value| value.id.clone()).collect();
        let text = self.members_of(&id, &from, &members, &ids);
        let zeros = self.zeros_of(&id, &from, &members);
        self.fill(text, zeros);
        let inserted = self.copy_structure(&structure, &members, &from, &to);
        let uniform = inserted && values.iter().all(|value| value.uniform);
        for _ in 0..1 + self.random.below(3) {
            let at = self.random.below(members.len());
            let id = self.id();
            let text = if self.random.below(3) == 0 {
                format!(
                    "{id}.s = OpLoad {structure} {to} Aligned {}\n{id} = OpCompositeExtract {} {id}.s {at}\n",
                    alignment(&members),
                    names[at]
                )
            } else {
                let pointer = self.declarations.pointer("Function", &names[at]);
                let at_id = self.declarations.uint(at as u64);
                format!(
                    "{id}.p = OpAccessChain {pointer} {to} {at_id}\n{id} = OpLoad {} {id}.p Aligned {}\n",
                    names[at],
                    members[at].bytes()
                )
            };
            self.define(id, members[at], uniform, text);
        }
    }

    /// Returns code that stores a value in each member of a structure.
    fn members_of(&mut self, id: &str, structure: &str, members: &[Ty], values: &[String]) -> String {
        let mut text = String::new();
        for (at, (ty, value)) in members.iter().zip(values).enumerate() {
            let pointer = self.declarations.pointer_to("Function", *ty);
            let at_id = self.declarations.uint(at as u64);
            let _ = writeln!(text, "{id}.p{at} = OpInBoundsAccessChain {pointer} {structure} {at_id}");
            let _ = writeln!(text, "OpStore {id}.p{at} {value} Aligned {}", ty.bytes());
        }
        text
    }

    /// Returns code that stores zeros.
    fn zeros_of(&mut self, id: &str, structure: &str, members: &[Ty]) -> String {
        let zeros: Vec<String> = members.iter().map(|ty| self.declarations.constant(*ty, 0)).collect();
        self.members_of(id, structure, members, &zeros)
    }

    /// Copies a structure as a value, with a member changed, or byte by byte. Returns whether the inputs are uniform.
    fn copy_structure(&mut self, structure: &str, members: &[Ty], from: &str, to: &str) -> bool {
        let mut uniform = true;
        let (id, aligned) = (self.id(), format!("Aligned {}", alignment(members)));
        let text = match self.random.below(3) {
            0 => format!("OpCopyMemory {to} {from} {aligned}\n"),
            1 => {
                let at = self.random.below(members.len());
                let value = self.operand(members[at]);
                uniform = value.uniform;
                format!(
                    "{id}.s = OpLoad {structure} {from} {aligned}\n\
                     {id}.t = OpCompositeInsert {structure} {} {id}.s {at}\nOpStore {to} {id}.t {aligned}\n",
                    value.id
                )
            }
            _ => {
                let bytes = self.declarations.constant(Ty::ULONG, size(members) as u64);
                let byte = self.declarations.pointer_to("Function", Ty::scalar(Kind::Int(8)));
                format!(
                    "{id}.t = OpBitcast {byte} {to}\n{id}.f = OpBitcast {byte} {from}\n\
                     OpCopyMemorySized {id}.t {id}.f {bytes} {aligned}\n"
                )
            }
        };
        let zeros = self.zeros_of(&id, to, members);
        self.fill(text, zeros);
        uniform
    }
}

fn alignment(members: &[Ty]) -> usize {
    members.iter().map(|ty| ty.bytes()).max().unwrap_or(1)
}

/// Returns the size with the gaps for alignment.
fn size(members: &[Ty]) -> usize {
    let end = members.iter().fold(0, |end: usize, ty| end.next_multiple_of(ty.bytes()) + ty.bytes());
    end.next_multiple_of(alignment(members))
}

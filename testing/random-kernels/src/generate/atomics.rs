//! Atomic operations in global memory.

use std::fmt::Write;

use super::Generator;
use crate::kernel::{OWN_WORDS, SHARED_WORDS};
use crate::types::{Kind, Ty};

/// Operations whose order does not matter.
const CHANGES: [&str; 10] = [
    "OpAtomicIAdd",
    "OpAtomicISub",
    "OpAtomicAnd",
    "OpAtomicOr",
    "OpAtomicXor",
    "OpAtomicUMin",
    "OpAtomicUMax",
    "OpAtomicSMin",
    "OpAtomicSMax",
    "OpAtomicIIncrement",
];
const DEVICE: u64 = 1;
const ORDERS: [u64; 3] = [0, 0x208, 0x210];

impl Generator {
    /// Returns a line that changes a word without using its old value.
    pub(super) fn change(&mut self, pointer: &str, id: &str, ty: Ty, value: &str, scope: u64) -> String {
        let opcode = CHANGES[self.random.below(CHANGES.len())];
        let order = [0, 8, 16][self.random.below(3)];
        let (name, scope, order) =
            (self.declarations.ty(ty), self.declarations.uint(scope), self.declarations.uint(order));
        let value = if opcode == "OpAtomicIIncrement" { "" } else { value };
        format!("{id}.old = {opcode} {name} {pointer} {scope} {order} {value}\n")
    }

    pub(super) fn atomic(&mut self) {
        if self.random.below(2) == 0 && self.shared_words < SHARED_WORDS {
            self.change_shared();
        } else {
            self.change_own();
        }
    }

    /// Changes a word that all work-items of the launch change by the same operation. Intel's CPU runtime lacks most of
    /// these operations on generic addresses.
    fn change_shared(&mut self) {
        let ty = Ty::scalar(Kind::Int([32, 64][self.random.below(2)]));
        let value = self.operand(ty);
        let base = self.named("shared");
        let id = self.id();
        let (words, pointer) = (
            self.declarations.pointer_to("CrossWorkgroup", Ty::ULONG),
            self.declarations.pointer_to("CrossWorkgroup", ty),
        );
        let at = self.declarations.constant(Ty::ULONG, self.shared_words as u64);
        self.shared_words += 1;
        let mut text = format!("{id}.w = OpInBoundsPtrAccessChain {words} {base} {at}\n");
        let mut to = format!("{id}.w");
        if pointer != words {
            let _ = writeln!(text, "{id}.p = OpBitcast {pointer} {id}.w");
            to = format!("{id}.p");
        }
        text += &self.change(&to, &id, ty, &value.id, DEVICE);
        self.push(vec![text], Vec::new(), &[]);
    }

    /// Changes a word that belongs to this work-item, so that its old value is known.
    fn change_own(&mut self) {
        let ty = Ty::scalar(Kind::Int([32, 64][self.random.below(2)]));
        let (value, expected) = (self.operand(ty), self.operand(ty));
        let (base, own) = (self.named("own"), self.named("g"));
        let (words, pointer) = (
            self.declarations.pointer_to("CrossWorkgroup", Ty::ULONG),
            self.declarations.pointer_to("CrossWorkgroup", ty),
        );
        let (name, ulong) = (self.declarations.ty(ty), self.declarations.ty(Ty::ULONG));
        let [count, at] = [OWN_WORDS, self.random.below(OWN_WORDS)]
            .map(|number| self.declarations.constant(Ty::ULONG, number as u64));
        let id = self.id();
        let mut text = format!(
            "{id}.m = OpIMul {ulong} {own} {count}\n{id}.i = OpIAdd {ulong} {id}.m {at}\n\
             {id}.w = OpInBoundsPtrAccessChain {words} {base} {id}.i\n"
        );
        let mut to = format!("{id}.w");
        if pointer != words {
            let _ = writeln!(text, "{id}.p = OpBitcast {pointer} {id}.w");
            to = format!("{id}.p");
        }
        let order = ORDERS[self.random.below(3)];
        let (scope, order) = (self.declarations.uint(DEVICE), self.declarations.uint(order));
        let _ = match self.random.below(4) {
            0 => writeln!(text, "{id} = OpAtomicExchange {name} {to} {scope} {order} {}", value.id),
            1 => {
                let acquire = self.declarations.uint(0);
                writeln!(
                    text,
                    "{id} = OpAtomicCompareExchange {name} {to} {scope} {order} {acquire} {} {}",
                    value.id, expected.id
                )
            }
            2 => {
                let order = self.declarations.uint(0);
                writeln!(text, "OpAtomicStore {to} {scope} {order} {}", value.id)
                    .and_then(|()| writeln!(text, "{id} = OpAtomicLoad {name} {to} {scope} {order}"))
            }
            _ => {
                let opcode = CHANGES[self.random.below(CHANGES.len() - 1)];
                writeln!(text, "{id} = {opcode} {name} {to} {scope} {order} {}", value.id)
            }
        };
        self.define(id, ty, false, text);
    }
}

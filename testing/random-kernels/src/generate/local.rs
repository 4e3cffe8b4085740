//! Local memory: work-items exchange values, with barriers in between.

use std::fmt::Write;

use super::Generator;
use crate::types::{Kind, Ty};

/// Work-group scope, and memory orders.
const GROUP: u64 = 2;
const RELEASE_ACQUIRE_LOCAL: u64 = 0x108;
const SEQUENTIAL_LOCAL: u64 = 0x110;
const SEQUENTIAL_BOTH: u64 = 0x310;

impl Generator {
    /// Creates a variable in local memory.
    fn local_variable(&mut self, ty: &str) -> String {
        let pointer = self.declarations.pointer("Workgroup", ty);
        let id = self.id();
        self.declarations.line(format!("{id} = OpVariable {pointer} Workgroup"));
        id
    }

    /// Returns a line with a work-group barrier.
    fn barrier(&mut self) -> String {
        let orders = [RELEASE_ACQUIRE_LOCAL, SEQUENTIAL_LOCAL, SEQUENTIAL_BOTH];
        let order = orders[self.random.below(3)];
        let (scope, order) = (self.declarations.uint(GROUP), self.declarations.uint(order));
        format!("OpControlBarrier {scope} {scope} {order}\n")
    }

    pub(super) fn local(&mut self) {
        if self.random.below(2) == 0 { self.exchange() } else { self.count_together() }
    }

    /// Lets each work-item read what another one wrote, once or several times.
    fn exchange(&mut self) {
        let items = self.shape.items();
        let ty = self.number_type();
        let element = self.declarations.ty(ty);
        let pointer = self.declarations.pointer("Workgroup", &element);
        // The kernel's argument, or a variable.
        let (base, chain, cast) = if self.random.below(3) == 0 {
            let argument = self.named("local");
            let bytes = self.declarations.pointer_to("Workgroup", Ty::scalar(Kind::Int(8)));
            match pointer == bytes {
                true => (argument, "OpInBoundsPtrAccessChain", String::new()),
                false => {
                    let id = self.id();
                    let cast = format!("{id} = OpBitcast {pointer} {argument}\n");
                    (id, "OpInBoundsPtrAccessChain", cast)
                }
            }
        } else {
            let array = self.declarations.array(&element, items);
            (self.local_variable(&array), "OpInBoundsAccessChain", String::new())
        };
        let value = self.operand(ty);
        let (ulong, own) = (self.declarations.ty(Ty::ULONG), self.named("l"));
        let aligned = format!("Aligned {}", ty.bytes());
        let id = self.id();
        let mut text = format!("{cast}{id}.p = {chain} {pointer} {base} {own}\n");
        let _ = writeln!(text, "OpStore {id}.p {} {aligned}", value.id);
        text += &self.barrier();
        let mut results = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let r = self.id();
            let (factor, step) = (1 + self.random.below(7) as u64, self.random.below(items) as u64);
            let [factor, step, count] =
                [factor, step, items as u64].map(|number| self.declarations.constant(Ty::ULONG, number));
            let _ = writeln!(text, "{r}.m = OpIMul {ulong} {own} {factor}");
            let _ = writeln!(text, "{r}.s = OpIAdd {ulong} {r}.m {step}");
            let _ = writeln!(text, "{r}.i = OpUMod {ulong} {r}.s {count}");
            let _ = writeln!(text, "{r}.p = {chain} {pointer} {base} {r}.i");
            let from = match self.random.below(4) {
                0 => {
                    let generic = self.declarations.pointer("Generic", &element);
                    let _ = writeln!(text, "{r}.q = OpPtrCastToGeneric {generic} {r}.p");
                    format!("{r}.q")
                }
                _ => format!("{r}.p"),
            };
            let _ = writeln!(text, "{r} = OpLoad {element} {from} {aligned}");
            results.push((r, ty));
        }
        text += &self.barrier();
        self.push(vec![text], Vec::new(), &results);
        for (id, ty) in results {
            self.know(id, ty, false);
        }
    }

    /// Lets all work-items change a few words atomically, each word by a single operation whose order does not matter,
    /// and then read them.
    fn count_together(&mut self) {
        let words = 4;
        let ty = Ty::scalar(Kind::Int([32, 64][self.random.below(2)]));
        let element = self.declarations.ty(ty);
        let array = self.declarations.array(&element, words);
        let variable = self.local_variable(&array);
        let pointer = self.declarations.pointer("Workgroup", &element);
        let value = self.operand(ty);
        let start = self.some_constant(ty);
        let (at, read) = (self.index(words), self.index(words));
        let own = self.named("l");
        let ulong = self.declarations.ty(Ty::ULONG);
        let bool_type = self.declarations.ty(Ty::BOOL);
        let id = self.id();
        let zero = self.declarations.constant(Ty::ULONG, 0);
        let one = self.declarations.constant(Ty::ULONG, 1);
        let end = self.declarations.constant(Ty::ULONG, words as u64);
        // The first work-item sets the words.
        let mut text = format!(
            "{id}.first = OpIEqual {bool_type} {own} {zero}\nOpSelectionMerge {id}.set None\n\
             OpBranchConditional {id}.first {id}.do {id}.set\n{id}.do = OpLabel\nOpBranch {id}.head\n{id}.head = OpLabel\n\
             {id}.n = OpPhi {ulong} {zero} {id}.do {id}.next {id}.head\n\
             {id}.np = OpInBoundsAccessChain {pointer} {variable} {id}.n\n\
             OpStore {id}.np {} Aligned {}\n{id}.next = OpIAdd {ulong} {id}.n {one}\n\
             {id}.more = OpULessThan {bool_type} {id}.next {end}\nOpLoopMerge {id}.out {id}.head None\n\
             OpBranchConditional {id}.more {id}.head {id}.out\n{id}.out = OpLabel\nOpBranch {id}.set\n{id}.set = OpLabel\n",
            start.id,
            ty.bytes()
        );
        text += &self.barrier();
        let _ = writeln!(text, "{id}.p = OpInBoundsAccessChain {pointer} {variable} {}", at.id);
        text += &self.change(&format!("{id}.p"), &id, ty, &value.id, GROUP);
        text += &self.barrier();
        let _ = writeln!(text, "{id}.q = OpInBoundsAccessChain {pointer} {variable} {}", read.id);
        let _ = writeln!(text, "{id} = OpLoad {element} {id}.q Aligned {}", ty.bytes());
        text += &self.barrier();
        self.push(vec![text], Vec::new(), &[(id.clone(), ty)]);
        self.know(id, ty, false);
    }
}

//! Branches, loops and switches. Values computed in a block are only known inside it. Results leave it through phi.

use std::fmt::Write;

use super::{Generator, Value};
use crate::node::Node;
use crate::types::Ty;

impl Generator {
    pub(super) fn control(&mut self, depth: usize) {
        match self.random.below(5) {
            0 | 1 => self.branch(depth),
            2 | 3 => self.repeat(depth),
            _ => self.switch(depth),
        }
    }

    /// Generates the statements of a block, and a resulting value of each of the types.
    fn block(&mut self, depth: usize, together: bool, types: &[Ty]) -> (Vec<Node>, Vec<Value>) {
        let (known, before) = (self.values.len(), self.together);
        self.together &= together;
        self.blocks.push(Vec::new());
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth + 1);
        }
        let results = types.iter().map(|ty| self.operand(*ty)).collect();
        self.together = before;
        self.values.truncate(known);
        (self.blocks.pop().unwrap_or_default(), results)
    }

    /// Returns one or two types for the results of a block.
    fn result_types(&mut self) -> Vec<Ty> {
        (0..1 + self.random.below(2)).map(|_| self.number_type()).collect()
    }

    /// Returns a condition, mostly one that differs among work-items.
    fn condition(&mut self) -> Value {
        let uniform: Vec<Value> =
            self.values.iter().filter(|value| value.uniform && value.ty == Ty::BOOL).cloned().collect();
        match uniform.get(self.random.below(uniform.len() * 3)) {
            Some(value) => value.clone(),
            None => self.operand(Ty::BOOL),
        }
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.condition();
        let (id, types) = (self.id(), self.result_types());
        let (yes, yes_values) = self.block(depth, condition.uniform, &types);
        let (no, no_values) = if self.random.below(3) == 0 {
            (Vec::new(), self.outer(&types))
        } else {
            self.block(depth, condition.uniform, &types)
        };
        let start = format!(
            "OpSelectionMerge {id}.m None\nOpBranchConditional {} {id}.yes {id}.no\n{id}.yes = OpLabel\n",
            condition.id
        );
        let middle =
            format!("OpBranch {id}.yes.end\n{id}.yes.end = OpLabel\nOpBranch {id}.m\n{id}.no = OpLabel\n");
        let mut end =
            format!("OpBranch {id}.no.end\n{id}.no.end = OpLabel\nOpBranch {id}.m\n{id}.m = OpLabel\n");
        let mut results = Vec::new();
        for (at, ty) in types.iter().enumerate() {
            let (result, name) = (self.id(), self.declarations.ty(*ty));
            let (yes, no) = (&yes_values[at], &no_values[at]);
            let _ = writeln!(end, "{result} = OpPhi {name} {} {id}.yes.end {} {id}.no.end", yes.id, no.id);
            results.push((result, *ty, condition.uniform && yes.uniform && no.uniform));
        }
        self.finish(vec![start, middle, end], vec![yes, no], results);
    }

    /// Returns values that are known here.
    fn outer(&mut self, types: &[Ty]) -> Vec<Value> {
        types.iter().map(|ty| self.operand(*ty)).collect()
    }

    fn finish(&mut self, pieces: Vec<String>, blocks: Vec<Vec<Node>>, results: Vec<(String, Ty, bool)>) {
        let typed: Vec<(String, Ty)> = results.iter().map(|(id, ty, _)| (id.clone(), *ty)).collect();
        self.push(pieces, blocks, &typed);
        for (id, ty, uniform) in results {
            self.know(id, ty, uniform);
        }
    }

    /// Generates a loop of up to eight iterations, possibly with an early exit, with values carried between iterations.
    fn repeat(&mut self, depth: usize) {
        let rounds = match self.random.below(2) {
            0 => {
                let id = self.declarations.uint(1 + self.random.below(6) as u64);
                Value { id, ty: Ty::UINT, uniform: true, uses: 0 }
            }
            _ => self.index(8),
        };
        let (id, types) = (self.id(), self.result_types());
        let starts = self.outer(&types);
        let leaves = self.random.below(3) == 0;
        let together = rounds.uniform && !leaves;
        let known = self.values.len();
        self.know(format!("{id}.i"), Ty::UINT, together);
        let carried: Vec<String> = types
            .iter()
            .map(|ty| {
                let carried = self.id();
                self.know(carried.clone(), *ty, false);
                carried
            })
            .collect();
        let mut wanted = types.clone();
        wanted.extend(leaves.then_some(Ty::BOOL));
        let (body, values) = self.block(depth, together, &wanted);
        self.values.truncate(known);
        let (uint, truth) = (self.declarations.ty(Ty::UINT), self.declarations.ty(Ty::BOOL));
        let (zero, one) = (self.declarations.uint(0), self.declarations.uint(1));
        let mut start = format!(
            "OpBranch {id}.pre\n{id}.pre = OpLabel\nOpBranch {id}.h\n{id}.h = OpLabel\n\
             {id}.i = OpPhi {uint} {zero} {id}.pre {id}.next {id}.latch\n"
        );
        for (at, ty) in types.iter().enumerate() {
            let name = self.declarations.ty(*ty);
            let _ = writeln!(
                start,
                "{} = OpPhi {name} {} {id}.pre {} {id}.latch",
                carried[at], starts[at].id, values[at].id
            );
        }
        let _ = write!(
            start,
            "{id}.c = OpULessThan {truth} {id}.i {}\nOpLoopMerge {id}.m {id}.latch None\n\
             OpBranchConditional {id}.c {id}.body {id}.m\n{id}.body = OpLabel\n",
            rounds.id
        );
        let leave = match values.get(types.len()) {
            Some(condition) => format!("OpBranchConditional {} {id}.m {id}.latch\n", condition.id),
            None => format!("OpBranch {id}.latch\n"),
        };
        let mut end = format!("OpBranch {id}.end\n{id}.end = OpLabel\n{leave}");
        let _ = write!(
            end,
            "{id}.latch = OpLabel\n{id}.next = OpIAdd {uint} {id}.i {one}\nOpBranch {id}.h\n{id}.m = OpLabel\n"
        );
        let mut results = Vec::new();
        for (at, ty) in types.iter().enumerate() {
            let (result, name) = (self.id(), self.declarations.ty(*ty));
            let early = if leaves { format!(" {} {id}.end", values[at].id) } else { String::new() };
            let _ = writeln!(end, "{result} = OpPhi {name} {} {id}.h{early}", carried[at]);
            results.push((result, *ty, false));
        }
        self.finish(vec![start, end], vec![body], results);
    }

    /// Generates a switch with three cases and a default.
    fn switch(&mut self, depth: usize) {
        let (selector, ty) = (self.index(4), self.number_type());
        let id = self.id();
        let mut pieces = vec![format!(
            "OpSelectionMerge {id}.m None\nOpSwitch {} {id}.d 0 {id}.c0 1 {id}.c1 3 {id}.c2\n{id}.c0 = OpLabel\n",
            selector.id
        )];
        let (mut blocks, mut incoming, mut uniform) = (Vec::new(), String::new(), selector.uniform);
        for (label, next) in [("c0", "c1"), ("c1", "c2"), ("c2", "d"), ("d", "m")] {
            let (block, values) = self.block(depth, selector.uniform, &[ty]);
            blocks.push(block);
            let _ = write!(incoming, " {} {id}.{label}.end", values[0].id);
            uniform &= values[0].uniform;
            pieces.push(format!(
                "OpBranch {id}.{label}.end\n{id}.{label}.end = OpLabel\nOpBranch {id}.m\n{id}.{next} = OpLabel\n"
            ));
        }
        let (result, name) = (self.id(), self.declarations.ty(ty));
        if let Some(last) = pieces.last_mut() {
            let _ = writeln!(last, "{result} = OpPhi {name}{incoming}");
        }
        self.finish(pieces, blocks, vec![(result, ty, uniform)]);
    }
}

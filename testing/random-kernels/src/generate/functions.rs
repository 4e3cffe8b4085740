//! Functions that the kernel calls with values and a pointer to one of its variables.

use std::fmt::Write;

use super::{Generator, Value};
use crate::kernel::Function;
use crate::types::Ty;

impl Generator {
    /// Generates a function, and calls it once or twice.
    pub(super) fn call(&mut self) {
        let types: Vec<Ty> = (0..1 + self.random.below(3)).map(|_| self.number_type()).collect();
        let (pointee, result) = (self.number_type(), self.number_type());
        let class = ["Function", "Generic"][self.random.below(2)];
        let id = self.function(&types, class, pointee, result);
        for _ in 0..1 + self.random.below(2) {
            let values: Vec<Value> = types.iter().map(|ty| self.operand(*ty)).collect();
            let start = self.operand(pointee);
            let (name, element) = (self.declarations.ty(result), self.declarations.ty(pointee));
            let (variable, pointer) = (self.variable(&element), self.declarations.pointer(class, &element));
            let (call, loaded) = (self.id(), self.id());
            let aligned = format!("Aligned {}", pointee.bytes());
            let mut text = format!("OpStore {variable} {} {aligned}\n", start.id);
            let passed = match class {
                "Function" => variable.clone(),
                _ => {
                    let _ = writeln!(text, "{call}.g = OpPtrCastToGeneric {pointer} {variable}");
                    format!("{call}.g")
                }
            };
            let ids: Vec<&str> = values.iter().map(|value| value.id.as_str()).collect();
            let _ = writeln!(text, "{call} = OpFunctionCall {name} {id} {passed} {}", ids.join(" "));
            let _ = writeln!(text, "{loaded} = OpLoad {element} {variable} {aligned}");
            self.push(vec![text], Vec::new(), &[(call.clone(), result), (loaded.clone(), pointee)]);
            let uniform = start.uniform && values.iter().all(|value| value.uniform);
            self.know(call, result, uniform);
            self.know(loaded, pointee, uniform);
        }
    }

    /// Generates a function of numbers and of a pointer, through which it changes a value. Returns its id.
    fn function(&mut self, types: &[Ty], class: &str, pointee: Ty, result: Ty) -> String {
        let id = self.id();
        let outer = (
            std::mem::take(&mut self.values),
            std::mem::replace(&mut self.blocks, vec![Vec::new()]),
            std::mem::take(&mut self.variables),
        );
        self.in_function = true;
        let pointer = self.declarations.pointer_to(class, pointee);
        let mut names = vec![pointer.clone()];
        names.extend(types.iter().map(|ty| self.declarations.ty(*ty)));
        let name = self.declarations.ty(result);
        let ty = format!("%f_{}_{}", name.trim_start_matches('%'), names.join("_").replace('%', ""));
        self.declarations.line(format!("{ty} = OpTypeFunction {name} {}", names.join(" ")));
        let mut head =
            format!("{id} = OpFunction {name} None {ty}\n{id}.p = OpFunctionParameter {pointer}\n");
        for (at, ty) in types.iter().enumerate() {
            let _ = writeln!(head, "{id}.a{at} = OpFunctionParameter {}", names[at + 1]);
            self.know(format!("{id}.a{at}"), *ty, true);
        }
        let _ = writeln!(head, "{id}.entry = OpLabel");
        let loaded = self.id();
        let aligned = format!("Aligned {}", pointee.bytes());
        let element = self.declarations.ty(pointee);
        self.define(loaded.clone(), pointee, true, format!("{loaded} = OpLoad {element} {id}.p {aligned}\n"));
        for _ in 0..2 + self.random.below(6) {
            self.statement(2);
        }
        let stored = self.operand(pointee);
        self.push(vec![format!("OpStore {id}.p {} {aligned}\n", stored.id)], Vec::new(), &[]);
        let returned = self.operand(result);
        let end = format!("OpReturnValue {}\nOpFunctionEnd\n", returned.id);
        let nodes = self.blocks.pop().unwrap_or_default();
        let variables;
        (self.values, self.blocks, variables) =
            (outer.0, outer.1, std::mem::replace(&mut self.variables, outer.2));
        self.in_function = false;
        self.functions.push(Function { id: id.clone(), head, variables, nodes, end });
        id
    }
}

//! Calls of functions.

use crate::code::body::{Body, emit};
use crate::code::c_library::ASSERT;
use crate::code::foreign;
use crate::error::Result;
use crate::signature::{Parameter, Passing};
use crate::types::TypeKind;

impl Body<'_, '_> {
    pub(crate) fn direct_call(&mut self) -> Result<()> {
        let target = self.operand(2);
        let given = self.inst.operands.get(3..).unwrap_or_default();
        let span =
            self.program.index.function(target).ok_or_else(|| format!("%{target} is not a function"))?;
        if !span.has_body {
            return self.call_import(target, given);
        }
        // A library's own only records the failure, and libsycl does not ask for it on CUDA.
        if let (ASSERT, &[expression, file, line, function, ..]) =
            (&*self.program.function_name(target), given)
        {
            return self.fail_assertion(expression, file, line, function);
        }
        let parameters = self.program.parameters(target)?;
        if parameters.len() != given.len() {
            return Err(format!("{} arguments are given for {}", given.len(), parameters.len()).into());
        }
        let mut texts = Vec::new();
        for (parameter, &argument) in parameters.iter().zip(given) {
            texts.push(self.argument(parameter, argument)?);
        }
        texts.extend(self.program.reach.hidden(target).iter().map(|name| format!("i64 {name}")));
        if self.program.masks.given.contains(&target) {
            texts.push(format!("i32 {}", self.active_mask()));
        }
        let returns = self.program.returns(target)?;
        let symbol = self.program.function_symbol((target, self.size));
        self.finish_call(returns, &format!("@{symbol}({})", texts.join(", ")))
    }

    fn argument(&mut self, parameter: &Parameter, argument: u32) -> Result<String> {
        let value = self.value_as(parameter.ty, argument)?;
        let typed = format!("{} {value}", self.type_text(parameter.ty)?);
        match parameter.passing {
            Passing::Direct => Ok(typed),
            Passing::Value(pointee) => {
                let ty = self.type_text(pointee)?.to_owned();
                let align = parameter.align.unwrap_or(self.program.types.layout(pointee)?.align);
                let value = self.new_value(format_args!("load {ty}, {typed}, align {align}"));
                Ok(format!("{ty} {value}"))
            }
            Passing::Memory(pointee) => {
                let (attribute, ty) = (self.program.byval(pointee)?, self.type_text(parameter.ty)?);
                let align = parameter.align.unwrap_or(self.program.types.layout(pointee)?.align);
                Ok(format!("{ty} {attribute} align {align} {value}"))
            }
        }
    }

    /// Returns an argument's value in the type that the function takes. Modules may disagree on a pointer's pointee, as
    /// in the library of DPC++'s `bfloat16`, so pointers into one address space are converted.
    fn value_as(&mut self, ty: u32, argument: u32) -> Result<String> {
        let own = self.type_of(argument)?;
        let want = self.type_text(ty)?.to_owned();
        if want == self.type_text(own)? {
            return self.value(argument);
        }
        let typed = self.typed(argument)?;
        match (self.kind(ty)?, self.kind(own)?) {
            (TypeKind::Pointer { space: to, .. }, TypeKind::Pointer { space: from, .. }) if to == from => {
                Ok(self.new_value(format_args!("bitcast {typed} to {want}")))
            }
            _ => Err("an argument has another type than the parameter".into()),
        }
    }

    /// Writes a call, and sets the result if there is one.
    pub(crate) fn finish_call(&mut self, returns: u32, call: &str) -> Result<()> {
        let wanted = self.result_type();
        let (kind, expected) = (self.kind(returns)?, self.kind(wanted)?);
        let are_pointers = matches!(
            (kind, expected),
            (TypeKind::Pointer { space, .. }, TypeKind::Pointer { space: other, .. }) if space == other
        );
        let is_void = *kind == TypeKind::Void;
        let (returns, wanted) = (self.type_text(returns)?.to_owned(), self.type_text(wanted)?.to_owned());
        if is_void {
            emit!(self, "call void {call}");
        } else if returns == wanted {
            self.set_result(format_args!("call {returns} {call}"));
        } else if are_pointers {
            let value = self.new_value(format_args!("call {returns} {call}"));
            self.set_result(format_args!("bitcast {returns} {value} to {wanted}"));
        } else {
            return Err("the function returns another type than the call".into());
        }
        Ok(())
    }

    pub(crate) fn indirect_call(&mut self) -> Result<()> {
        let function = self.operand(2);
        if *self.kind(self.type_of(function)?)? != TypeKind::FunctionPointer {
            return Err("the called value is not a function pointer".into());
        }
        let given = self.inst.operands.get(3..).unwrap_or_default();
        let (mut texts, mut types) = (Vec::new(), Vec::new());
        for &argument in given {
            texts.push(self.typed(argument)?);
            types.push(self.type_text(self.type_of(argument)?)?.to_owned());
        }
        for name in self.program.reach.hidden_by_address() {
            texts.push(format!("i64 {name}"));
            types.push("i64".to_owned());
        }
        let returns = self.type_text(self.result_type())?.to_owned();
        let value = self.value(function)?;
        let typed = self.new_value(format_args!("bitcast i8* {value} to {returns} ({})*", types.join(", ")));
        self.finish_call(self.result_type(), &format!("{typed}({})", texts.join(", ")))
    }

    /// Translates a call of a function that no module defines. LLVM's own functions are recognized by name.
    fn call_import(&mut self, target: u32, given: &[u32]) -> Result<()> {
        let name = self.program.function_name(target);
        if let Some(kind) =
            ["memmove", "memcpy"].into_iter().find(|kind| name.starts_with(&format!("llvm.{kind}.")))
        {
            let [to, from, size, ..] = *given else { return Err(format!("{name} has 4 arguments").into()) };
            let size = self.size(size)?;
            let volatile = given.get(3).and_then(|&id| self.number(id)).is_some_and(|volatile| volatile != 0);
            return self.copy_bytes(kind, to, from, &size, 1, volatile);
        }
        if let Some(done) = self.function_of_c(&name, given) {
            return done;
        }
        if let ([a, b], true) = (given, name.starts_with("llvm.usub.sat.")) {
            return self.saturated_difference(*a, *b);
        }
        if let Some(converted) = self.bfloat16_import(&name, given) {
            return converted;
        }
        let missing = || format!("function {name} is imported, and no module defines it");
        Err(foreign::why_imported(&name).map_or_else(missing, |why| format!("function {name}: {why}")).into())
    }

    /// Translates a difference of unsigned integers that saturates at 0.
    fn saturated_difference(&mut self, a: u32, b: u32) -> Result<()> {
        let (ty, a, b) = self.values_of_one_type(a, b)?;
        self.int_bits(ty)?;
        let (truth, zero) = (self.shaped_like(ty, "i1")?, self.splat(ty, "0")?);
        let ty = self.type_text(ty)?.to_owned();
        let above = self.new_value(format_args!("icmp ugt {ty} {a}, {b}"));
        let difference = self.new_value(format_args!("sub {ty} {a}, {b}"));
        self.set_result(format_args!("select {truth} {above}, {ty} {difference}, {ty} {zero}"));
        Ok(())
    }
}

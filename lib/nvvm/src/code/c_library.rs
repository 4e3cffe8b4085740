//! Functions of the C library that appear in device code. glibc's fortified headers call `__memcpy_chk` instead of
//! `memcpy`, and `assert` calls a function if it fails.

use crate::code::body::{Body, emit};
use crate::error::Result;

/// What `assert` calls if it fails, in device code of DPC++. It also takes the numbers of the work-item.
pub(crate) const ASSERT: &str = "__devicelib_assert_fail";

impl Body<'_, '_> {
    /// Translates a call of a C memory function, if the name is one. Each returns its first argument. A fortified
    /// function also takes the size of the destination, which is too small only if the program is wrong.
    pub(crate) fn function_of_c(&mut self, name: &str, given: &[u32]) -> Option<Result<()>> {
        if let (ASSERT | "__assert_fail", &[expression, file, line, function, ..]) = (name, given) {
            return Some(self.fail_assertion(expression, file, line, function));
        }
        let plain = name.strip_prefix("__").and_then(|name| name.strip_suffix("_chk"));
        let arguments = match (plain, given) {
            (Some(_), [arguments @ .., _]) => arguments,
            _ => given,
        };
        let &[to, second, size] = arguments else { return None };
        match plain.unwrap_or(name) {
            name @ ("memcpy" | "memmove") => Some(self.copy_as_c(name, to, second, size)),
            "memset" => Some(self.fill_as_c(to, second, size)),
            _ => None,
        }
    }

    /// Calls CUDA's own function. The driver prints the text with the numbers of the work-item, and the launch fails with
    /// `CUDA_ERROR_ASSERT`.
    pub(crate) fn fail_assertion(
        &mut self,
        expression: u32,
        file: u32,
        line: u32,
        function: u32,
    ) -> Result<()> {
        let mut text = |pointer| self.generic_bytes(pointer);
        let (expression, file, function) = (text(expression)?, text(file)?, text(function)?);
        let line = self.value(line)?;
        self.helpers.declare("void", "__assertfail", "i8*, i8*, i32, i8*, i64", "nounwind");
        // The last argument is the size of a character.
        emit!(
            self,
            "call void @__assertfail(i8* {expression}, i8* {file}, i32 {line}, i8* {function}, i64 1)"
        );
        Ok(())
    }

    fn copy_as_c(&mut self, name: &str, to: u32, from: u32, size: u32) -> Result<()> {
        let size = self.size(size)?;
        self.copy_bytes(name, to, from, &size, 1, false)?;
        self.return_destination(to)
    }

    fn fill_as_c(&mut self, to: u32, value: u32, size: u32) -> Result<()> {
        let (bytes, size, bits) =
            (self.bytes_at(to)?, self.size(size)?, self.int_bits(self.type_of(value)?)?);
        let value = self.value(value)?;
        let byte = self.resize(&value, bits, 8);
        self.fill_bytes(to, &bytes, &byte, &size)?;
        self.return_destination(to)
    }

    fn return_destination(&mut self, to: u32) -> Result<()> {
        let (typed, wanted) = (self.typed(to)?, self.type_text(self.result_type())?.to_owned());
        if wanted == "void" {
            return Ok(());
        }
        let (space, _) = self.program.types.pointer(self.type_of(to)?)?;
        if self.program.types.pointer(self.result_type())?.0 != space {
            return Err("the function returns a pointer to another storage class than it takes".into());
        }
        let result = self.result();
        emit!(self, "{result} = bitcast {typed} to {wanted}");
        Ok(())
    }
}

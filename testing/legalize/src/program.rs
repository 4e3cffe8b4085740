//! A kernel, and the text that it is assembled from.

use anyhow::{Context, Result};

use crate::prelude::kernel;

/// The number of work-items that run most kernels.
pub const ITEMS: u32 = 64;

/// A kernel `k`.
#[derive(Debug)]
pub struct Program {
    /// Its name, which [`sycl_pi_image::spirv::known_faults`] uses too.
    pub name: &'static str,
    /// The module.
    pub module: Vec<u8>,
    /// The number of work-items that run it, in one work-group.
    pub items: u32,
    /// Further arguments, in hexadecimal.
    pub arguments: &'static [&'static str],
    /// The result of a work-item, computed by hand, if each work-item is a sub-group of its own.
    pub result: fn(u32) -> u32,
}

/// A kernel as text, for [`kernel`].
pub(crate) struct Text {
    pub(crate) name: &'static str,
    pub(crate) declarations: &'static str,
    /// The parameters after the two buffers.
    pub(crate) parameters: &'static str,
    /// The code between the load of the work-item's number `%n` and the store of `%result`.
    pub(crate) code: &'static str,
    /// Functions after the kernel, or before it if they have no body.
    pub(crate) functions: &'static str,
    pub(crate) items: u32,
    pub(crate) arguments: &'static [&'static str],
    pub(crate) result: fn(u32) -> u32,
}

/// A kernel whose results are the numbers of its work-items, from 1 on.
pub(crate) const PLAIN: Text = Text {
    name: "",
    declarations: "",
    parameters: "",
    code: "",
    functions: "",
    items: ITEMS,
    arguments: &[],
    result: |item| item + 1,
};

impl Text {
    /// Assembles the kernel.
    pub(crate) fn program(&self) -> Result<Program> {
        // Constants may stand next to the code that uses them.
        let is_declaration = |line: &&str| line.contains("= OpConstant ");
        let constants: Vec<&str> = self.code.lines().filter(is_declaration).collect();
        let code: Vec<&str> = self.code.lines().filter(|line| !is_declaration(line)).collect();
        let declarations = format!("{}\n{}", self.declarations, constants.join("\n"));
        let parameters = format!("%p_uint %in, %p_uint %out{}", self.parameters);
        let code = format!(
            "%from = OpInBoundsPtrAccessChain %p_uint %in %l\n%n = OpLoad %uint %from Aligned 4\n{}\n\
             %to = OpInBoundsPtrAccessChain %p_uint %out %l\nOpStore %to %result Aligned 4\n\
             OpReturn\nOpFunctionEnd\n{}",
            code.join("\n"),
            self.functions
        );
        let module = kernel(&declarations, &parameters, &code);
        let module = module.with_context(|| format!("kernel {}", self.name))?;
        Ok(Program {
            name: self.name,
            module,
            items: self.items,
            arguments: self.arguments,
            result: self.result,
        })
    }
}

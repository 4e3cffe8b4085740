//! The sub-group sizes that kernels require. PoCL 6.0 has them in its kernels and not in its answers.

use std::collections::HashMap;

use sycl_pi_backend::Result;
use sycl_pi_image::spirv::{ExecutionMode, Module, Op};

use crate::of_programs::OfPrograms;
use crate::sys::{self, Kernel, Queried};

/// A kernel's name, and the size that it requires.
pub(crate) type RequiredSize = (String, u32);

/// The sizes of each program's kernels, for drivers whose own answers do not count.
pub(crate) static SIZES: OfPrograms<RequiredSize> = OfPrograms::new();

/// Returns the size that a kernel requires, if its program is from SPIR-V.
pub(crate) fn of_kernel(kernel: &Kernel) -> Result<Option<u32>> {
    let program: usize = kernel.value(sys::CL_KERNEL_PROGRAM, 0)?;
    let name = kernel.text(sys::CL_KERNEL_FUNCTION_NAME)?;
    let found = SIZES.find(program, |(kernel, _)| kernel.as_bytes() == name.to_bytes());
    Ok(found.map(|(_, size)| size))
}

/// Returns the sizes that the kernels of a module require.
pub(crate) fn of_module(il: &[u8]) -> Vec<RequiredSize> {
    // The driver says what is wrong with a malformed module.
    let Ok(module) = Module::parse(il) else { return Vec::new() };
    let mut names = HashMap::new();
    let mut sizes = Vec::new();
    for inst in module.instructions().take_while(|inst| inst.opcode != Op::Function) {
        match inst.opcode {
            Op::EntryPoint => {
                names.insert(inst.operand(1), inst.text(2).map(|(name, _)| name).unwrap_or_default());
            }
            Op::ExecutionMode if inst.operand(1) == ExecutionMode::SubgroupSize as u32 => {
                sizes.push((inst.operand(0), inst.operand(2)));
            }
            _ => {}
        }
    }
    let named = sizes.into_iter().filter(|(_, size)| *size != 0);
    named.filter_map(|(id, size)| Some((names.get(&id)?.clone(), size))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_s_size_is_the_one_of_its_execution_mode() {
        let il = include_bytes!("../../../testing/kernels/subgroups.spv");
        let sizes = of_module(il);
        assert_eq!(sizes, [8, 16, 32].map(|size| (format!("groups_of_{size}"), size)));
        let il = include_bytes!("../../../testing/kernels/group_of_8.spv");
        assert_eq!(of_module(il), [("group_of_8".to_owned(), 8)]);
    }

    #[test]
    fn what_is_no_module_requires_nothing() {
        assert!(of_module(b"no SPIR-V").is_empty());
    }
}

//! Build options as options of the driver's compiler.

use core::ffi::CStr;

use crate::device::device_context::DeviceContext;
use crate::sys::CUjit_option;

/// Converts the options of a compiler front end to the driver's. Others are left out, because they were for the
/// compiler that created the image.
pub(crate) fn jit_options(options: &CStr) -> Vec<(CUjit_option, usize)> {
    let text = options.to_string_lossy();
    let mut list = Vec::new();
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        let option = word.trim_start_matches('-');
        match option.split_once('=').unwrap_or((option, "")) {
            ("maxrregcount", count) => {
                let count = if count.is_empty() { words.next().unwrap_or_default() } else { count };
                if let Ok(count) = count.parse() {
                    list.push((CUjit_option::CU_JIT_MAX_REGISTERS, count));
                }
            }
            ("O0", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 0)),
            ("O1", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 1)),
            ("O2", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 2)),
            ("O3", "") => list.push((CUjit_option::CU_JIT_OPTIMIZATION_LEVEL, 3)),
            ("g", "") => list.push((CUjit_option::CU_JIT_GENERATE_DEBUG_INFO, 1)),
            ("lineinfo" | "gline-tables-only", "") => list.push((CUjit_option::CU_JIT_GENERATE_LINE_INFO, 1)),
            _ => log::debug!("build option {word:?} means nothing to the CUDA driver"),
        }
    }
    list
}

/// Returns the options for a module whose kernels use few enough registers for the largest work-group.
pub(crate) fn with_few_registers(
    mut options: Vec<(CUjit_option, usize)>,
    device_context: &DeviceContext,
) -> Vec<(CUjit_option, usize)> {
    let limits = &device_context.device.limits;
    options.retain(|(option, _)| *option != CUjit_option::CU_JIT_MAX_REGISTERS);
    options.push((CUjit_option::CU_JIT_MAX_REGISTERS, limits.registers / limits.threads.max(1)));
    options
}

#[cfg(test)]
mod tests {
    use super::jit_options;
    use crate::sys::CUjit_option::{self, *};

    #[test]
    fn options_of_the_front_end_become_the_drivers() {
        const NONE: &[(CUjit_option, usize)] = &[];
        for (text, expected) in [
            (c"-O0", &[(CU_JIT_OPTIMIZATION_LEVEL, 0)][..]),
            (c"-O1", &[(CU_JIT_OPTIMIZATION_LEVEL, 1)]),
            (c"-O2", &[(CU_JIT_OPTIMIZATION_LEVEL, 2)]),
            (c"-O3", &[(CU_JIT_OPTIMIZATION_LEVEL, 3)]),
            (c"-g", &[(CU_JIT_GENERATE_DEBUG_INFO, 1)]),
            (c"-lineinfo", &[(CU_JIT_GENERATE_LINE_INFO, 1)]),
            (c"-gline-tables-only", &[(CU_JIT_GENERATE_LINE_INFO, 1)]),
            (c"--maxrregcount=32", &[(CU_JIT_MAX_REGISTERS, 32)]),
            (c"-maxrregcount 64 -O2", &[(CU_JIT_MAX_REGISTERS, 64), (CU_JIT_OPTIMIZATION_LEVEL, 2)]),
            (c"-maxrregcount=many -cl-fast-relaxed-math -O2=1", NONE),
            (c"", NONE),
        ] {
            assert_eq!(jit_options(text), expected, "{text:?}");
        }
    }
}

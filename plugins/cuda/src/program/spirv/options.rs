//! OpenCL's build options, as far as they affect the code.

use std::ffi::CStr;

use sycl_pi_nvvm_compiler::NvvmOptions;

/// The math settings requested by build options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MathOptions {
    pub(super) nvvm: NvvmOptions,
    pub(super) fast_relaxed_math: bool,
}

impl MathOptions {
    /// Reads options. Those that have no effect here are ignored.
    pub(super) fn read(options: &CStr) -> Self {
        let (mut nvvm, mut fast_relaxed_math) = (NvvmOptions::default(), false);
        for word in options.to_string_lossy().split_ascii_whitespace() {
            match word {
                "-cl-fast-relaxed-math" => {
                    fast_relaxed_math = true;
                    nvvm.flush_denormals = true;
                    nvvm.precise_division = false;
                    nvvm.precise_sqrt = false;
                }
                "-cl-denorms-are-zero" => nvvm.flush_denormals = true,
                "-cl-opt-disable" | "-O0" => nvvm.optimize = false,
                _ => {}
            }
        }
        Self { nvvm, fast_relaxed_math }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mathematics_is_precise_unless_asked_otherwise() {
        let precise = MathOptions::read(c"-cl-mad-enable -g");
        assert_eq!(precise, MathOptions { nvvm: NvvmOptions::default(), fast_relaxed_math: false });
        let fast = MathOptions::read(c"-cl-std=CL2.0 -cl-fast-relaxed-math");
        assert!(fast.fast_relaxed_math && fast.nvvm.flush_denormals && !fast.nvvm.precise_division);
        assert!(!MathOptions::read(c" -cl-opt-disable").nvvm.optimize);
        assert!(MathOptions::read(c"-cl-denorms-are-zero").nvvm.flush_denormals);
    }
}

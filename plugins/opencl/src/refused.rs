//! Kernels that programs were built without, because their driver cannot run them, and the reasons.

use std::ffi::CStr;

use sycl_pi_backend::Error;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_image::spirv::Refusal;

use crate::of_programs::OfPrograms;
use crate::sys::Program;

/// The kernels that each program lacks.
pub(crate) static REFUSALS: OfPrograms<Refusal> = OfPrograms::new();

/// Returns the error for a kernel that its program was built without.
pub(crate) fn reason(program: &Program, kernel: &CStr) -> Option<Error> {
    let refusal = REFUSALS.find(program.cl().addr(), |refusal| is_of(refusal, kernel))?;
    Some(Error::new(ErrorCode::INVALID_OPERATION, refusal.to_string()))
}

/// Returns whether this kernel was refused. Refused functions for other modules are not kernels.
fn is_of(refusal: &Refusal, kernel: &CStr) -> bool {
    refusal.is_kernel && refusal.name.as_bytes() == kernel.to_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_for_other_modules_is_no_kernel() {
        let refusal =
            |name: &str, is_kernel| Refusal { name: name.to_owned(), is_kernel, reason: String::new() };
        assert!(is_of(&refusal("sum", true), c"sum"));
        assert!(!is_of(&refusal("sum", false), c"sum"));
        assert!(!is_of(&refusal("sums", true), c"sum"));
    }
}

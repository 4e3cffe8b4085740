//! Kernels that programs were built without, because their driver cannot run them, and the reasons.
//!
//! A program is the driver's own object, so it cannot carry them itself.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use sycl_pi_backend::types::ErrorCode;
use sycl_pi_backend::{Error, New};
use sycl_pi_image::spirv::Refusal;

use crate::sys::Program;

/// The kernels that each program lacks, by its address.
type Refusals = BTreeMap<usize, Vec<Refusal>>;

static REFUSALS: Mutex<Refusals> = Mutex::new(BTreeMap::new());
/// Whether any program lacks a kernel. On most drivers none does.
static ANY: AtomicBool = AtomicBool::new(false);

/// Records the kernels that a new program was made without.
pub(crate) fn note(program: &New<Program>, refused: Vec<Refusal>) {
    replace(program.addr(), refused);
}

/// Records that a linked program lacks the kernels that its input programs lack.
pub(crate) fn inherit(linked: &New<Program>, programs: &[&Program]) {
    if ANY.load(Ordering::Relaxed) {
        let parts = programs.iter().map(|program| program.cl().addr());
        let refused = union(&REFUSALS.lock(), parts);
        replace(linked.addr(), refused);
    }
}

/// Returns the error for a kernel that its program was built without.
pub(crate) fn reason(program: &Program, kernel: &CStr) -> Option<Error> {
    if !ANY.load(Ordering::Relaxed) {
        return None;
    }
    let refusal = find(&REFUSALS.lock(), program.cl().addr(), kernel)?;
    Some(Error::new(ErrorCode::INVALID_OPERATION, refusal.to_string()))
}

/// Takes the place of what an earlier program at this address lacked.
fn replace(address: usize, refused: Vec<Refusal>) {
    if !refused.is_empty() {
        ANY.store(true, Ordering::Relaxed);
        REFUSALS.lock().insert(address, refused);
    } else if ANY.load(Ordering::Relaxed) {
        REFUSALS.lock().remove(&address);
    }
}

fn union(refusals: &Refusals, programs: impl Iterator<Item = usize>) -> Vec<Refusal> {
    programs.filter_map(|address| refusals.get(&address)).flatten().cloned().collect()
}

fn find(refusals: &Refusals, program: usize, kernel: &CStr) -> Option<Refusal> {
    let kernel = kernel.to_bytes();
    let all = refusals.get(&program)?;
    all.iter().find(|refusal| refusal.is_kernel && refusal.name.as_bytes() == kernel).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str, is_kernel: bool) -> Refusal {
        Refusal { name: name.to_owned(), is_kernel, reason: format!("the reason of {name}") }
    }

    fn text(program: usize, kernel: &CStr) -> Option<String> {
        find(&REFUSALS.lock(), program, kernel).map(|refusal| refusal.to_string())
    }

    #[test]
    fn a_kernel_of_its_program_has_a_reason_until_another_program_takes_the_address() {
        replace(16, vec![refusal("first", true), refusal("second", true)]);
        assert_eq!(text(16, c"second").unwrap(), "kernel second is refused: the reason of second");
        assert_eq!(text(16, c"third"), None);
        assert_eq!(text(17, c"second"), None);
        replace(16, Vec::new());
        assert_eq!(text(16, c"second"), None);
    }

    #[test]
    fn a_function_for_other_modules_is_no_kernel() {
        replace(32, vec![refusal("helper", false)]);
        assert_eq!(text(32, c"helper"), None);
    }

    #[test]
    fn a_linked_program_lacks_what_its_parts_lack() {
        replace(48, vec![refusal("of_one", true)]);
        replace(49, vec![refusal("of_another", true)]);
        let parts = union(&REFUSALS.lock(), [48, 50, 49].into_iter());
        assert_eq!(parts, [refusal("of_one", true), refusal("of_another", true)]);
    }
}

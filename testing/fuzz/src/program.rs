//! Any bytes as the code of a program, through the checks of plugins before the driver.

use sycl_pi_backend::spirv;

/// Accepted code has whole instructions, and its linkage can be read.
pub(crate) fn il(input: &[u8]) {
    if spirv::check(input).is_ok() {
        assert!(
            input.len() > 20 || input.starts_with(&0x0723_0203_u32.to_be_bytes()),
            "a module without a body was accepted"
        );
    }
    // Also for refused code, because a plugin may call this in any order.
    let _ = spirv::linkage(input);
}

//! Any bytes as the code of a program, through what plugins look at before a driver sees it.

use sycl_pi_backend::spirv;

/// What is accepted has whole instructions, and its linkage can be read.
pub(crate) fn il(input: &[u8]) {
    if spirv::check(input).is_ok() {
        assert!(
            input.len() > 20 || input.starts_with(&0x0723_0203_u32.to_be_bytes()),
            "a module without a body was accepted"
        );
    }
    // Not only for what was accepted: a plugin may ask in any order.
    let _ = spirv::linkage(input);
}

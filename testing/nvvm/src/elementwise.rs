//! Kernels in which each work-item computes one number from others.

use anyhow::Result;

use crate::kernel;

/// Assembles a module whose kernel `k` loads `%v0`, `%v1` and so on of these types, and stores `%r`, which the code
/// defines. A type is `%uint`, or any other for which a `%p_uint`-like pointer type exists.
///
/// # Errors
///
/// Fails if the code cannot be assembled.
pub fn elementwise(declarations: &str, inputs: &[&str], output: &str, code: &str) -> Result<Vec<u8>> {
    let pointer = |ty: &str| ty.replacen('%', "%p_", 1);
    let mut parameters = format!("{} %out", pointer(output));
    let mut text = String::new();
    for (at, ty) in inputs.iter().enumerate() {
        let pointer = pointer(ty);
        parameters += &format!(", {pointer} %in{at}");
        text +=
            &format!("%v{at}.at = OpPtrAccessChain {pointer} %in{at} %l\n%v{at} = OpLoad {ty} %v{at}.at\n");
    }
    text += code;
    text += &format!("\n%r.at = OpPtrAccessChain {} %out %l\nOpStore %r.at %r\n", pointer(output));
    kernel(declarations, &parameters, &text)
}

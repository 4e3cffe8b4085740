//! Kernels that compute one number from others, for each work-item.

use anyhow::Result;
use sycl_pi_nvvm::Options;

use crate::{Arg, HostGpu, Launch, Scalar, bytes, kernel, numbers};

/// A module whose kernel `k` loads `%v0`, `%v1` and so on of these types, and stores `%r`, which the code defines. A type is `%uint`, or
/// any other that has a `%p_uint`.
///
/// # Errors
///
/// The code cannot be assembled.
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

/// Computes on columns of numbers, one work-item for each row. All columns have the same length, at most 1024.
///
/// # Errors
///
/// The module cannot be translated, compiled or run.
pub fn compute<R: Scalar>(module: &[u8], columns: &[Vec<u8>], rows: usize) -> Result<Vec<R>> {
    compute_with(module, &Options::default(), columns, rows)
}

/// The same with options of the translator.
///
/// # Errors
///
/// As for [`compute`].
pub fn compute_with<R: Scalar>(
    module: &[u8],
    options: &Options,
    columns: &[Vec<u8>],
    rows: usize,
) -> Result<Vec<R>> {
    let gpu = HostGpu::new(&[module], options)?;
    let zeros = vec![R::read(&[0; 8][..size_of::<R>()]); rows];
    let mut args = vec![Arg::Buffer(bytes(&zeros))];
    args.extend(columns.iter().cloned().map(Arg::Buffer));
    let out = gpu.run(Launch::group(rows as u64), &args)?;
    Ok(numbers(out.first().map(Vec::as_slice).unwrap_or_default()))
}

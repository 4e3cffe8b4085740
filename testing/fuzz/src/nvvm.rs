//! SPIR-V that is translated for NVIDIA GPUs.

use sycl_pi_nvvm::{Dialect, Options, translate};

/// Any bytes as SPIR-V, in both dialects and with exports: what is accepted has the code of its kernels, and is not much longer than
/// the module.
pub(crate) fn translated(bytes: &[u8]) {
    let mut options = Options::default();
    for dialect in [Dialect::Llvm7, Dialect::Modern] {
        options.dialect = dialect;
        options.exports = dialect == Dialect::Modern;
        let Ok(found) = translate(&[bytes], &options) else { continue };
        assert!(found.ir.len() < (1 << 20) + bytes.len() * 2000, "{} bytes of text", found.ir.len());
        for kernel in found.kernels.iter().filter(|kernel| kernel.refused.is_none()) {
            assert!(found.ir.contains(&format!("define void @{}(", kernel.symbol)), "{}", kernel.symbol);
        }
    }
    let _ = translate(&[bytes, bytes], &options);
}

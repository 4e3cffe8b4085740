//! SPIR-V that is translated for NVIDIA GPUs.

use sycl_pi_nvvm::{Argument, Dialect, Kernel, Options, Variant, translate};

/// Any bytes as SPIR-V, in both dialects and with exports. An accepted module's output has the code of its kernels, and
/// is not much longer than the module.
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
        if let Some(kernel) = found.kernels.iter().find(|kernel| kernel.refused.is_none()) {
            options.variant = Some(with_null_pointers(kernel));
            let again = translate(&[bytes], &options).map(|found| found.kernels);
            let again = again.unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
            assert!(matches!(&again[..], [only] if only.refused.is_none()), "{again:?}");
            assert_eq!(again[0].arguments, kernel.arguments);
            options.variant = None;
        }
    }
    let _ = translate(&[bytes, bytes], &options);
}

/// Returns the kernel's variant for a folded launch whose pointers are all null.
fn with_null_pointers(kernel: &Kernel) -> Variant {
    let places = (0..).zip(&kernel.arguments).filter(|(_, argument)| **argument == Argument::Pointer);
    Variant {
        kernel: kernel.name.clone(),
        folded: true,
        null_arguments: places.map(|(place, _)| place).collect(),
    }
}

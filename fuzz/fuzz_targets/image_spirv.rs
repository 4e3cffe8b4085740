//! Any bytes as SPIR-V: read, reflected, split, linked. Start with `runtime/image/tests/images/*.spv` as the corpus.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pi_image::spirv::{Index, LinkOptions, Module, SplitMode, SplitOptions, link, split};

fuzz_target!(|bytes: &[u8]| {
    let _ = pi_image::derive::derive(bytes);
    let Ok(module) = Module::parse(bytes) else { return };
    let Ok(index) = Index::new(&module) else { return };
    let options = SplitOptions { mode: SplitMode::PerKernel, dependencies: true, ..SplitOptions::default() };
    for image in split(&index, &options).into_iter().flatten() {
        assert!(Index::new(&image.module).is_ok());
    }
    let _ = link(&[("a", &index), ("b", &index)], LinkOptions { allow_missing: true });
});

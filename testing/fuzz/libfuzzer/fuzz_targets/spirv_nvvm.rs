//! Any bytes as SPIR-V that is translated for NVIDIA GPUs. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::spirv_nvvm(input));

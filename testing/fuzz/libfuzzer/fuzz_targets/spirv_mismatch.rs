//! Any bytes as SPIR-V whose functions use more aspects than their kernels declare. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::spirv_mismatch(input));

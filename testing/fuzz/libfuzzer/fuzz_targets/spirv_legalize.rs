//! Any bytes as SPIR-V that is rewritten for OpenCL drivers. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::spirv_legalize(input));

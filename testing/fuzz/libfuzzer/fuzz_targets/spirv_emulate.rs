//! Any bytes as SPIR-V whose specialization constants come from a buffer. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::spirv_emulate(input));

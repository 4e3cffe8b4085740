//! Any bytes as SPIR-V that is reflected, split and linked. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::image_spirv(input));

//! Any bytes as an ELF file with device images. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::image_unwrap(input));

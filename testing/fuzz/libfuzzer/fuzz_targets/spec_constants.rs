//! Any descriptors and default values of specialization constants. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::spec_constants(input));

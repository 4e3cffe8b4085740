//! Any bytes as the code of a program, before a driver sees it. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::program_il(input));

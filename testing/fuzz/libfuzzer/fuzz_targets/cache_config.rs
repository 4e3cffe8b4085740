//! Any bytes as the value of each of the program cache's variables. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::cache_config(input));

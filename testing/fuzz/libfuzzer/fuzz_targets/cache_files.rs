//! Any bytes as `.src`, `.bin` and key of the program cache. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::cache_files(input));

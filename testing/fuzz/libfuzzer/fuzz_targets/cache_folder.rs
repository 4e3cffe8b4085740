//! Any bytes in the place of a file in a cache folder. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::cache_folder(input));

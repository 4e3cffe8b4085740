//! Any version text in `pi_plugin`. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::plugin_init(input));

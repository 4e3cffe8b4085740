//! Whole `pi_device_binaries` structures into the registry. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::device_binaries(input));

//! Any text as a property file, a file table, an image's JSON, a device configuration. The body is in `testing/fuzz`.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing_fuzz::image_text(input));

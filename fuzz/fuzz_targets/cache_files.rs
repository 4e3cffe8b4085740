//! Any bytes as a cache's files and keys: read or refused, never a crash, and what is read has one form only. The checksum
//! is put right first, so that what stands behind it is reached.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pi_cache::store::{parse_bin, parse_src};
use pi_cache::{Digest, Key};

/// The file with a checksum that holds, `fields` being the length of its head before it.
fn mended(file: &[u8], fields: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    if file.len() >= fields + Digest::SIZE {
        let sum = Digest::of_parts(&[&file[..fields], &file[fields + Digest::SIZE..]]);
        file[fields..fields + Digest::SIZE].copy_from_slice(&sum.to_bytes());
    }
    file
}

fuzz_target!(|input: &[u8]| {
    let key_of = |bytes: &[u8]| {
        if let Some(parts) = Key::decode(bytes) {
            assert_eq!(Key::new(&parts).bytes(), bytes);
        }
    };
    key_of(input);
    for file in [input.to_vec(), mended(input, 32)] {
        if let Ok((key, _)) = parse_src(&file) {
            key_of(&key);
        }
    }
    for file in [input.to_vec(), mended(input, 40)] {
        if let Ok(binary) = parse_bin(&file, Digest::of(b"")) {
            assert_eq!(binary, file[40 + Digest::SIZE..]);
        }
    }
});

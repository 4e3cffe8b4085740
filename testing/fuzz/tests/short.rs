//! The short form of fuzzing: runs every target on its seeds and on [`ROUNDS`] damaged ones, which are the same in each
//! run.
#![allow(clippy::expect_used, clippy::panic)]

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use testing_fuzz::{TARGETS, Target};

/// The number of damaged inputs for each target, in addition to the seeds.
const ROUNDS: usize = 4000;

/// A generator (xorshift64) that makes runs repeatable.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    /// Makes one to four changes, like fuzzers do.
    fn damage(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        const NUMBERS: [u32; 8] = [0, 1, 7, 0x7f, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX];
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            match self.below(8) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, self.below(256) as u8),
                2 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                3 if at < bytes.len() => bytes[at] = self.below(256) as u8,
                4 if at + 4 <= bytes.len() => {
                    bytes[at..at + 4].copy_from_slice(&NUMBERS[self.below(NUMBERS.len())].to_le_bytes());
                }
                5 if at + 8 <= bytes.len() => {
                    let from = self.below(bytes.len() - 7);
                    bytes.copy_within(from..from + 8, at);
                }
                6 => {
                    let part = other.iter().skip(self.below(other.len())).take(1 + self.below(32));
                    bytes.splice(at..at, part.copied());
                }
                _ => bytes.extend_from_within(at..),
            }
            bytes.truncate(1 << 14);
        }
    }
}

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("libfuzzer/seeds").join(target.name);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{} has no seeds", target.name);
    files.iter().map(|file| std::fs::read(file).expect("a seed")).collect()
}

/// Runs the target on an input. If it panics, prints how to repeat it.
fn try_one(target: &Target, input: &[u8], what: &str) {
    if catch_unwind(|| (target.run)(input)).is_err() {
        let file = std::env::temp_dir().join(format!("testing-fuzz-{}", target.name));
        let kept = std::fs::write(&file, input);
        panic!(
            "{} broke on {what}; the input is in {} ({kept:?}): {:02x?}",
            target.name,
            file.display(),
            input
        );
    }
}

fn short(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target of this name");
    let seeds = seeds(target);
    for (number, seed) in seeds.iter().enumerate() {
        try_one(target, seed, &format!("seed {number}"));
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..ROUNDS {
        let mut input = seeds[round % seeds.len()].clone();
        let other = &seeds[random.below(seeds.len())];
        random.damage(&mut input, other);
        try_one(target, &input, &format!("round {round}"));
    }
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                short(stringify!($name));
            }
        )*

        #[test]
        fn every_target_has_a_test_and_a_program() {
            let tested = [$(stringify!($name)),*];
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, tested);
            let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("libfuzzer/fuzz_targets");
            for name in names {
                let text = std::fs::read_to_string(programs.join(format!("{name}.rs"))).expect(name);
                assert!(text.contains(&format!("testing_fuzz::{name}(")), "{name}");
            }
        }
    };
}

tests! {
    cache_config
    cache_files
    cache_folder
    device_binaries
    device_selector
    image_properties
    image_spirv
    image_text
    image_unwrap
    plugin_init
    program_il
    spec_constants
    spirv_emulate
    spirv_legalize
    spirv_mismatch
    spirv_nvvm
    spirv_portable
}

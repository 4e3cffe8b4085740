//! Many `pi install`, `pi uninstall` and `pi status` of one environment at the same time. PI_INSTALL_ROUNDS=200
//! runs more rounds.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

mod install_support;

use install_support::case::{Case, Work, asked};

const PROCESSES: usize = 8;

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 20).unwrap() % limit
    }
}

fn rounds(case: &Case) {
    let rounds = asked("PI_INSTALL_ROUNDS", 4);
    let mut random = Random(u64::from(std::process::id()) << 20 | 1);
    for round in 0..rounds {
        let works: Vec<Work> = (0..PROCESSES)
            .map(|_| [Work::Install, Work::Upgrade, Work::Uninstall, Work::Status][random.below(4)])
            .collect();
        let started: Vec<_> = works.iter().map(|work| case.start(*work)).collect();
        for (work, child) in works.iter().zip(started) {
            case.check(*work, &child.wait_with_output().unwrap());
        }
        case.done(Work::Uninstall);
        case.assert_as_before(&format!("round {round}, {works:?}"));
    }
    eprintln!("{}: {rounds} rounds of {PROCESSES} processes, 0 lost, 0 left over", case.name);
}

#[test]
fn plugins_are_put_back_whoever_installs_at_once() {
    rounds(&Case::plugins());
}

#[test]
fn adapters_are_put_back_whoever_installs_at_once() {
    rounds(&Case::adapters("adapters of 2025.3.3", "2025.3.3", &["opencl", "level_zero", "cuda"]));
}

#[test]
fn the_file_for_python_goes_with_its_adapter_whoever_installs_at_once() {
    rounds(&Case::adapters("adapters of 2026.2.0", "2026.2.0", &["opencl", "level_zero"]));
}

#[test]
fn links_are_put_back_and_what_they_lead_to_is_left_alone_whoever_installs_at_once() {
    rounds(&Case::links("links of 2026.2.0", "2026.2.0", &["opencl", "level_zero"]));
}

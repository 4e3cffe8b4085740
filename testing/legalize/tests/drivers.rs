//! The small kernels on an OpenCL driver that needs rewrites. `cargo test -p testing-legalize --test drivers --no-run`
//! builds and names the program, and `cargo xtask env --driver rusticl-26 -- PROGRAM --ignored` runs it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use sycl_pi_image::spirv::{Casts, Collectives, DriverFacts, KNOWN_FAULTS, Needs, legalize};
use testing_legalize::{ITEMS, Program, programs};
use testing_process::run;

/// More than a driver needs for one kernel, unless it compiles for hours.
const LIMIT: Duration = Duration::from_secs(60);

/// The program that calls the driver, because a driver's crash ends the process.
const RUN: &str = concat!(env!("OUT_DIR"), "/run");

/// The driver.
struct Host {
    folder: tempfile::TempDir,
}

impl Host {
    /// Asks the driver. Returns `None` if there is none.
    fn facts() -> Option<DriverFacts> {
        let finished = run(&mut Command::new(RUN), LIMIT).unwrap();
        let text = finished.stdout_text();
        let lines: Vec<&str> = text.lines().collect();
        let &[platform, version, kind, sub_groups, items] = lines.as_slice() else { return None };
        let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().unwrap());
        Some(DriverFacts {
            platform: platform.to_owned(),
            version: (numbers.next()?, numbers.next()?),
            is_cpu: kind == "CPU",
            most_sub_groups: sub_groups.parse().ok(),
            most_items: items.parse().unwrap(),
        })
    }

    /// Runs a program rewritten in this way. Returns its results, or what the driver did instead.
    fn results(&self, program: &Program, needs: &Needs) -> Result<Vec<u32>, String> {
        let module = legalize(&program.module, needs).map_err(|error| error.to_string())?.module;
        let file: PathBuf = self.folder.path().join("module.spv");
        std::fs::write(&file, &module).unwrap();
        let mut command = Command::new(RUN);
        command.arg(file).arg(ITEMS.to_string()).args(program.arguments);
        let finished = run(&mut command, LIMIT).unwrap();
        if !finished.end.is_success() {
            return Err(finished.summary(6));
        }
        Ok(finished.stdout_text().split_whitespace().map(|number| number.parse().unwrap()).collect())
    }
}

fn right(program: &Program) -> Result<Vec<u32>, String> {
    Ok((0..ITEMS).map(program.result).collect())
}

/// Returns what is left of a driver's needs without the one that a program shows.
fn without(mut needs: Needs, program: &str) -> Needs {
    match program {
        // The rewrites that add variables list them too, so they are left out here.
        "interface" => needs = Needs::default(),
        "casts" | "checked" => needs.casts = Casts::Native,
        "computed" => needs.early_casts = false,
        "kept" => needs.kept_pointers = false,
        "hints" => needs.no_hints = false,
        "order" => needs.ordered_blocks = false,
        "packed" | "unaligned" => needs.natural_layouts = false,
        "saturate" => needs.saturating_instructions = false,
        "variables" => needs.no_global_variables = false,
        "sums" | "least" | "products" => needs.collectives = Collectives::Native,
        "sub_groups" => needs.sub_groups_of_one = false,
        other => panic!("{other} is no program"),
    }
    needs
}

/// Every kernel computes what it says, and none does without the rewrite of a fault that the driver is said to have.
#[test]
#[ignore = "needs PoCL 6.0 or newer, or rusticl: cargo xtask env --driver rusticl-26 -- TEST --ignored"]
fn each_kernel_is_right_with_its_rewrite_and_not_without() {
    if std::fs::read(RUN).unwrap().is_empty() {
        eprintln!("skipped: {RUN} could not be built");
        return;
    }
    let Some(facts) = Host::facts() else {
        eprintln!("skipped: there is no OpenCL driver here");
        return;
    };
    let host = Host { folder: tempfile::tempdir().unwrap() };
    let needs = Needs::of(&facts);
    if needs.is_none() {
        eprintln!("skipped: {} {:?} needs no rewrite", facts.platform, facts.version);
        return;
    }
    let faults =
        KNOWN_FAULTS.iter().filter(|fault| fault.platform == facts.platform && facts.version >= fault.since);
    let mut faulty: Vec<&str> = faults.map(|fault| fault.program).collect();
    if facts.most_sub_groups == Some(0) {
        faulty.push("sub_groups");
    }
    let mut wrong = Vec::new();
    for program in programs().unwrap() {
        let name = program.name;
        let after = host.results(&program, &needs);
        let is_expected = match name {
            // PoCL 6.0 has sub-groups of other sizes.
            "sub_groups" => needs.sub_groups_of_one,
            // PoCL's own collectives return what is no number, which SPIR-V leaves open.
            "least" => needs.collectives == Collectives::ThroughLocalMemory,
            _ => true,
        };
        let refusal = match name {
            "variables" if needs.no_global_variables => Some("this driver has no such variables"),
            "unaligned" if needs.natural_layouts => Some("this driver reads them wrong"),
            _ => None,
        };
        let is_refused = refusal.is_some();
        if refusal.is_some_and(|reason| !after.as_ref().is_err_and(|text| text.contains(reason))) {
            wrong.push(format!("{name}: {after:?} in place of a refusal"));
        }
        if is_expected && !is_refused && after != right(&program) {
            wrong.push(format!("{name}: {after:?} in place of {:?}", right(&program).unwrap()));
        }
        // Whether this one compiles for hours or for a second depends on the processor.
        let is_shown = faulty.contains(&name) && name != "unrolled";
        if is_shown && host.results(&program, &without(needs, name)) == right(&program) {
            wrong.push(format!("{name}: right without the rewrite too"));
        }
    }
    assert!(wrong.is_empty(), "on {} {:?}:\n{}", facts.platform, facts.version, wrong.join("\n"));
}

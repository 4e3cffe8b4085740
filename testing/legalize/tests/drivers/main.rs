//! The small kernels on an OpenCL driver that needs rewrites. `cargo test -p testing-legalize --test drivers --no-run`
//! builds and names the program, and `cargo xtask env --driver rusticl-26 -- PROGRAM --ignored` runs it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says why it is skipped"
)]

mod collectives;
mod halves;
mod host;

use sycl_pi_image::spirv::{
    Casts, Collectives, DriverFacts, Needs, SubGroups, VectorFunctions, known_faults,
};
use testing_legalize::{Program, programs};
use testing_support::day;

use host::Host;

fn results(host: &Host, program: &Program, needs: &Needs) -> Result<Vec<u32>, String> {
    host.results(&program.module, needs, &program.items.to_string(), program.arguments)
}

fn right(program: &Program) -> Result<Vec<u32>, String> {
    Ok((0..program.items).map(program.result).collect())
}

/// Returns what is left of a driver's needs without the one that a program shows.
fn without(mut needs: Needs, program: &str) -> Needs {
    match program {
        // The rewrites that add variables list them too, so they are left out here.
        "interface" => needs = Needs::default(),
        "casts" | "checked" => needs.casts = Casts::Native,
        "computed" | "called" => needs.early_casts = false,
        "given" => (needs.early_casts, needs.kept_pointers) = (false, false),
        "nameless" => needs.named_functions = false,
        "component" => needs.whole_built_ins = false,
        "dot" | "float_remainders" | "sign" | "narrowed" | "rounded" | "remainders" | "nearest"
        | "scaled" | "saturated" | "divided" | "back" => {
            needs.exact_functions = false;
        }
        "zero" | "summed" => needs.exact_arithmetic = false,
        "angles" => needs.reduced_angles = false,
        "overwritten" => needs.typed_copies = false,
        "small" => needs.hidden_small_integers = false,
        "folded" | "raised" => needs.saturated_constants = false,
        "kept" | "mixed" => needs.kept_pointers = false,
        "from_zero" | "next" => needs.exact_nextafter = false,
        "left" => needs.varying_loop_values = false,
        "shifted" => needs.lasting_loads = false,
        "swapped" => needs.ordered_accesses = false,
        "by_zero" => needs.remainders_by_zero = false,
        "counted" | "single" => needs.varying_loops = false,
        "joined" | "returned" | "parted" | "lone" | "switched" => needs.shared_barriers = false,
        // Either rewrite mends it.
        "stored" => (needs.shared_barriers, needs.lasting_loads) = (false, false),
        "hints" | "repeated" => needs.no_hints = false,
        "order" | "late" => needs.ordered_blocks = false,
        "packed" | "unaligned" => needs.natural_layouts = false,
        "product" | "smallest" => needs.wrapping_integers = false,
        "sines" | "long" | "shuffled" => needs.vector_functions = VectorFunctions::Native,
        "saturate" => needs.saturating_instructions = false,
        "halves" => needs.halves_as_floats = false,
        "list" | "guarded" => needs.divergent_loads = false,
        "unused" => needs.kept_results = false,
        "raced" => needs.missing_barriers = false,
        "variables" => needs.no_global_variables = false,
        "all" | "pair" | "sums" | "least" | "products" => needs.collectives = Collectives::Native,
        "sub_groups" => needs.sub_groups = SubGroups::Native,
        other => panic!("{other} is no program"),
    }
    needs
}

/// Returns how an outcome differs from the right results, or from the refusal that the driver's needs lead to.
fn difference(program: &Program, needs: &Needs, after: &Result<Vec<u32>, String>) -> Option<String> {
    let name = program.name;
    let refusal = match name {
        "variables" if needs.no_global_variables => Some("this driver has no such variables"),
        "casts" | "checked" if needs.casts == Casts::Refused => {
            Some("OpGenericCastToPtrExplicit crashes the compiler")
        }
        "unaligned" if needs.natural_layouts => Some("this driver reads them wrong"),
        _ => None,
    };
    match refusal {
        Some(reason) => (!after.as_ref().is_err_and(|text| text.contains(reason)))
            .then(|| format!("{name}: {after:?} in place of a refusal")),
        None => {
            (*after != right(program)).then(|| format!("{name}: {after:?} in place of {:?}", right(program)))
        }
    }
}

/// Returns whether one of several cases is run on the day of the sample. Each third one is, because some take seconds.
fn is_of_the_day(index: usize) -> bool {
    day::of_sample().is_none_or(|day| index % 3 == day % 3)
}

/// Every kernel computes what it says, and none does without the rewrite of a fault that the driver is said to have.
/// All of the latter: PI_TEST_DAY=all.
#[test]
#[ignore = "needs PoCL 6.0 or newer, or rusticl: cargo xtask env --driver rusticl-26 -- TEST --ignored"]
fn each_kernel_is_right_with_its_rewrite_and_not_without() {
    let Some(host) = Host::find() else { return };
    let facts = &host.facts;
    let needs = Needs::of(facts);
    if needs.is_none() {
        eprintln!("skipped: {} {:?} needs no rewrite", facts.platform, facts.version);
        return;
    }
    let faults = known_faults().filter(|fault| fault.is_of(facts));
    let mut faulty: Vec<&str> = faults.map(|fault| fault.program).collect();
    if facts.most_sub_groups == Some(0) {
        faulty.push("sub_groups");
    }
    let mut wrong = Vec::new();
    for (index, program) in programs().unwrap().into_iter().enumerate() {
        let name = program.name;
        let after = results(&host, &program, &needs);
        let is_expected = match name {
            // PoCL's own collectives return what is no number, which SPIR-V leaves open.
            "least" => needs.collectives == Collectives::ThroughLocalMemory,
            // rusticl 25.0 has no half precision.
            "lowered" => facts.has_halves || needs.halves_as_floats,
            _ => true,
        };
        if is_expected {
            wrong.extend(difference(&program, &needs, &after));
        }
        // Whether this one compiles for hours or for a second depends on the processor.
        let is_shown = faulty.contains(&name) && name != "unrolled" && is_of_the_day(index);
        if is_shown && results(&host, &program, &without(needs, name)) == right(&program) {
            wrong.push(format!("{name}: right without the rewrite too"));
        }
    }
    assert!(wrong.is_empty(), "on {} {:?}:\n{}", facts.platform, facts.version, wrong.join("\n"));
}

/// A rewritten kernel is right on any driver. Intel's CPU runtime needs no rewrites, so it can run the results of all.
#[test]
#[ignore = "needs Intel's CPU runtime: cargo xtask env --driver intel-current -- TEST --ignored"]
fn each_kernel_is_right_with_the_rewrites_for_another_driver() {
    let Some(host) = Host::without_needs() else { return };
    let mut wrong = Vec::new();
    // They have the faults of the older ones, too, except for one.
    for name in ["pocl-7.1", "rusticl-26.1"] {
        // As many work-items as this driver has, and its own variables in global memory.
        let needs = Needs {
            most_items: host.facts.most_items,
            no_global_variables: false,
            saturated_constants: true,
            hidden_small_integers: true,
            typed_copies: true,
            ..Needs::of(&DriverFacts::named(name).unwrap())
        };
        for program in programs().unwrap() {
            let is_expected = match program.name {
                "sub_groups" => needs.sub_groups != SubGroups::Native,
                // Intel's own remquo stores more bits of the quotient, and its s_mad_sat is wrong, too.
                "nearest" | "saturated" => needs.exact_functions,
                _ => true,
            };
            let after = results(&host, &program, &needs);
            if is_expected {
                wrong.extend(difference(&program, &needs, &after).map(|text| format!("for {name}: {text}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

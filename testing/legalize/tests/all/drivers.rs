//! Which driver needs what.

use std::borrow::Cow;

use sycl_pi_image::spirv::{
    Casts, Collectives, DriverFacts, Needs, SubGroups, VectorFunctions, known_faults, legalize,
};
use testing_legalize::programs;

use crate::common::{everything, program};

#[test]
fn a_driver_that_needs_nothing_gets_the_program_s_own_bytes() {
    for platform in ["Intel(R) OpenCL", "Intel(R) OpenCL Graphics", "Another driver"] {
        let facts = DriverFacts {
            platform: platform.to_owned(),
            version: (2026, 20),
            is_cpu: true,
            has_halves: true,
            converts_halves: true,
            most_sub_groups: Some(2048),
            most_items: 8192,
        };
        let needs = Needs::of(&facts);
        assert!(needs.is_none(), "{needs:?}");
        for program in programs().unwrap() {
            let made = legalize(&program.module, &needs).unwrap().module;
            assert!(matches!(made, Cow::Borrowed(bytes) if std::ptr::eq(bytes, program.module.as_slice())));
        }
        // Not even a malformed module is looked at.
        assert_eq!(*legalize(b"no SPIR-V", &needs).unwrap().module, *b"no SPIR-V");
    }
}

/// `pi image legalize` offers them.
#[test]
fn the_named_drivers_are_those_that_need_rewrites() {
    let names: Vec<&str> = DriverFacts::names().collect();
    assert_eq!(names, ["pocl-6.0", "pocl-7.1", "rusticl-25.0", "rusticl-26.1"]);
    for name in names {
        let facts = DriverFacts::named(name).unwrap();
        assert_eq!(Some(format!("{}.{}", facts.version.0, facts.version.1).as_str()), name.split('-').nth(1));
        assert!(!Needs::of(&facts).is_none(), "{name}");
    }
    assert!(DriverFacts::named("pocl-5.0").is_none());
}

#[test]
fn a_module_without_anything_to_rewrite_stays_the_same_bytes() {
    let module = program("casts");
    let needs = Needs { saturating_instructions: true, natural_layouts: true, ..Needs::default() };
    assert!(matches!(legalize(&module, &needs).unwrap().module, Cow::Borrowed(_)));
}

#[test]
fn what_was_rewritten_needs_no_rewrite() {
    let pocl = ["pocl-6.0", "pocl-7.1"].map(|name| Needs::of(&DriverFacts::named(name).unwrap()));
    for needs in [everything()].into_iter().chain(pocl) {
        for program in programs().unwrap().into_iter().filter(|program| program.name != "unaligned") {
            let once = legalize(&program.module, &needs).unwrap().module;
            let twice = legalize(&once, &needs).unwrap().module;
            assert!(matches!(twice, Cow::Borrowed(_)), "{}: {needs:?}", program.name);
            assert!(needs != everything() || matches!(once, Cow::Owned(_)), "{}", program.name);
        }
    }
}

#[test]
fn sub_groups_of_one_follow_from_what_a_driver_says() {
    // A driver without known faults.
    let mut facts = DriverFacts { version: (5, 0), ..DriverFacts::named("pocl-6.0").unwrap() };
    assert_eq!(Needs::of(&facts).sub_groups, SubGroups::Native);
    facts.most_sub_groups = Some(0);
    assert_eq!(Needs::of(&facts).sub_groups, SubGroups::One);
    facts.most_sub_groups = None;
    assert_eq!(Needs::of(&facts).sub_groups, SubGroups::Native);
}

/// Each needs something that the other does not.
#[test]
fn a_program_for_several_devices_needs_what_each_of_them_needs() {
    let older =
        DriverFacts { most_items: 512, most_sub_groups: Some(0), ..DriverFacts::named("pocl-6.0").unwrap() };
    let newer = DriverFacts { most_sub_groups: Some(64), ..DriverFacts::named("pocl-7.1").unwrap() };
    for devices in [[older.clone(), newer.clone()], [newer, older]] {
        let needs = Needs::of_all(&devices);
        let expected = Needs {
            sub_groups: SubGroups::OneUnlessRequired,
            halves_as_floats: true,
            no_loop_controls: true,
            wrapping_integers: true,
            exact_nextafter: true,
            vector_functions: VectorFunctions::WithoutLong,
            casts: Casts::Unchecked,
            varying_loops: true,
            varying_loop_values: true,
            lasting_loads: true,
            remainders_by_zero: true,
            missing_barriers: true,
            ordered_accesses: true,
            shared_barriers: true,
            collectives: Collectives::ThroughLocalMemory,
            most_items: 4096,
            ..Needs::default()
        };
        assert_eq!(needs, expected);
    }
    assert!(Needs::of_all(&[]).is_none());
    for name in DriverFacts::names() {
        let facts = DriverFacts::named(name).unwrap();
        assert_eq!(Needs::of_all(&[facts.clone(), facts.clone()]), Needs::of(&facts), "{name}");
        let other = DriverFacts { platform: "Another driver".to_owned(), most_items: 1, ..facts.clone() };
        for devices in [[facts.clone(), other.clone()], [other, facts.clone()]] {
            assert_eq!(Needs::of_all(&devices), Needs::of(&facts), "{name}");
        }
    }
}

/// A GPU tells pointers to different memories apart, so that its casts may return null.
#[test]
fn casts_are_only_unchecked_on_cpus() {
    let cpu = DriverFacts::named("pocl-7.1").unwrap();
    let gpu = DriverFacts { is_cpu: false, ..cpu.clone() };
    assert_eq!(Needs::of_all(std::slice::from_ref(&gpu)).casts, Casts::Native);
    let both = Needs::of_all(&[cpu, gpu]);
    assert_eq!(both.casts, Casts::Refused);
    let text = "kernel k is refused: OpGenericCastToPtrExplicit crashes the compiler for one device of the context, \
                and only that device can do without it";
    assert_eq!(legalize(&program("casts"), &both).unwrap_err().to_string(), text);
}

#[test]
fn faults_begin_with_a_version_and_may_end_with_one() {
    let mut facts = DriverFacts::named("pocl-7.1").unwrap();
    assert_eq!(Needs::of(&facts).casts, Casts::Unchecked);
    assert_eq!(Needs::of(&facts).collectives, Collectives::WithoutProducts);
    facts.version = (7, 0);
    assert_eq!(Needs::of(&facts).casts, Casts::Native);
    assert_eq!(Needs::of(&facts).collectives, Collectives::ThroughLocalMemory);
    facts.version = (5, 0);
    assert_eq!(Needs::of(&facts).collectives, Collectives::Native);
}

#[test]
fn faults_of_processors_are_none_of_gpus_and_the_other_way_round() {
    let cpu = DriverFacts::named("rusticl-26.1").unwrap();
    let gpu = DriverFacts { is_cpu: false, ..cpu.clone() };
    let has = |facts: &DriverFacts, program: &str| {
        known_faults().any(|fault| fault.program == program && fault.is_of(facts))
    };
    for (program, on_cpu, on_gpu) in
        [("unused", true, false), ("list", true, false), ("smallest", false, true), ("raced", true, true)]
    {
        assert_eq!((has(&cpu, program), has(&gpu, program)), (on_cpu, on_gpu), "{program}");
    }
    assert!(Needs::of(&gpu).wrapping_integers && !Needs::of(&cpu).wrapping_integers);
}

#[test]
fn every_fault_has_a_program_or_says_which_other_shows_it() {
    let programs = programs().unwrap();
    for fault in known_faults() {
        let is_small = programs.iter().any(|program| program.name == fault.program);
        let is_of_a_library = ["dpctl.", "dpnp."].iter().any(|library| fault.program.starts_with(library));
        assert!(is_small || is_of_a_library, "{}", fault.fault);
    }
}

#[test]
fn half_precision_is_computed_in_single_precision_where_the_driver_has_none_and_the_processor_converts_it() {
    for name in ["pocl-6.0", "pocl-7.1"] {
        let facts = DriverFacts::named(name).unwrap();
        let has = |has_halves, converts_halves| {
            Needs::of(&DriverFacts { has_halves, converts_halves, ..facts.clone() }).halves_as_floats
        };
        assert!(has(false, true), "{name}");
        assert!(!has(true, true) && !has(false, false), "{name}");
    }
}

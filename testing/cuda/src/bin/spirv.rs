//! SPIR-V on a GPU: builds modules with libnvvm, launches their kernels, compares the results with loops on the
//! host, and measures the build times.
//!
//! `PI_TEST_PLUGIN` names the plugin, `PI_TEST_IMAGES` a folder that contains a folder `spirv`. Programs that are only
//! built are in its folder `more`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::macro_metavars_in_unsafe,
    reason = "a test fails by panicking and prints its results"
)]

use std::ffi::c_void;
use std::path::Path;
use std::process::ExitCode;
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use libtest_mimic::Arguments;
use testing_cuda::fixture::{device_text, images, program_binary};
use testing_cuda::testing_support::Kernel;
use testing_cuda::*;

const COUNT: usize = 1000;

fn module(name: &str) -> Vec<u8> {
    let file = images().join("spirv").join(format!("{name}.spv"));
    std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn built(fixture: &Fixture, name: &str) -> Program {
    fixture.build(fixture.unbuilt(&module(name)))
}

fn numbers(fixture: &Fixture) -> Usm {
    let memory = fixture.device_memory(COUNT * 4);
    fixture.write(&memory, &(0..COUNT as i32).collect::<Vec<_>>());
    memory
}

fn run(fixture: &Fixture, kernel: &Kernel, global: &[usize], local: Option<&[usize]>) {
    fixture.launch(kernel.raw, global, local);
    fixture.finish();
}

fn values_and_pointers() {
    let fixture = Fixture::new();
    let (program, data) = (built(&fixture, "basic"), numbers(&fixture));
    let (add, mul) = (program.kernel("add_value"), program.kernel("mul_value"));
    run(&fixture, add.pointer(0, data.start).set(1, 7_i32), &[COUNT], None);
    run(&fixture, mul.pointer(0, data.start).set(1, 3_i32), &[COUNT], None);
    let expected: Vec<i32> = (0..COUNT as i32).map(|value| (value + 7) * 3).collect();
    assert_eq!(fixture.read::<i32>(&data, COUNT), expected);
}

fn local_memory() {
    let fixture = Fixture::new();
    let (program, out) = (built(&fixture, "basic"), numbers(&fixture));
    let kernel = program.kernel("local_sum");
    for group in [1, 4, 50, 250] {
        run(&fixture, kernel.pointer(0, out.start).local(1, 4 * group), &[COUNT], Some(&[group]));
        let sum = (0..group as i32).sum::<i32>();
        assert_eq!(fixture.read::<i32>(&out, COUNT / group), vec![sum; COUNT / group], "{group}");
    }
}

/// Checks the sub-group of each work-item in a work-group of 100, whose last sub-group has fewer work-items.
fn sub_groups() {
    const LOCAL: usize = 100;
    let fixture = Fixture::new();
    let program = built(&fixture, "subgroups");
    let memory = fixture.device_memory(COUNT * 6 * 4);
    for size in [8, 16, 32] {
        let kernel = program.kernel(&format!("groups_of_{size}"));
        run(&fixture, kernel.pointer(0, memory.start), &[COUNT], Some(&[LOCAL]));
        let expected = (0..COUNT).flat_map(|global| {
            let local = global % LOCAL;
            let (number, lane) = (local / size, local % size);
            let first = global - lane;
            let items = size.min(LOCAL - number * size);
            let sum: usize = (first..first + items).sum();
            let branch = if number % 2 == 1 { lane as i32 + 1 } else { -((first + items - 1) as i32) };
            [items as i32, lane as i32, number as i32, sum as i32, first as i32, branch]
        });
        assert_eq!(fixture.read::<i32>(&memory, COUNT * 6), expected.collect::<Vec<_>>(), "{size}");
    }
}

fn global_offset() {
    let fixture = Fixture::new();
    let (program, out) = (built(&fixture, "basic"), numbers(&fixture));
    let kernel = program.kernel("global_ids");
    kernel.pointer(0, out.start);
    let (offset, global) = ([5_usize, 1 << 33, 9], [4_usize, 6, 1]);
    let none = (null(), null_mut());
    let (o, g) = (offset.as_ptr(), global.as_ptr());
    ok!(piEnqueueKernelLaunch(fixture.queue, kernel.raw, 3, o, g, null(), 0, none.0, none.1));
    fixture.finish();
    let places = (0..6).flat_map(|y| (0..4).map(move |x| (x, y)));
    let expected: Vec<i32> = places.flat_map(|(x, y)| [x + 5, (y as usize + (1 << 33)) as i32, 9]).collect();
    assert_eq!(fixture.read::<i32>(&out, 72), expected);
}

fn required_work_group_size() {
    let fixture = Fixture::new();
    let (program, out) = (built(&fixture, "basic"), numbers(&fixture));
    let kernel = program.kernel("fixed_size");
    run(&fixture, kernel.pointer(0, out.start), &[8, 4], None);
    assert_eq!(fixture.read::<i32>(&out, 32), [42; 32]);
    let (global, local) = ([8_usize, 4], [2_usize, 2]);
    let (g, l) = (global.as_ptr(), local.as_ptr());
    fails!(
        piEnqueueKernelLaunch(fixture.queue, kernel.raw, 2, null(), g, l, 0, null(), null_mut()),
        PI_ERROR_INVALID_WORK_GROUP_SIZE
    );
}

fn null_pointers() {
    let fixture = Fixture::new();
    let (program, out) = (built(&fixture, "basic"), numbers(&fixture));
    let kernel = program.kernel("is_null");
    for (pointer, expected) in [(null(), 1), (out.start.cast_const(), 0)] {
        run(&fixture, kernel.pointer(0, pointer).pointer(1, out.start), &[1], None);
        assert_eq!(fixture.read::<i32>(&out, 1), [expected]);
    }
}

fn wrong_arguments() {
    let fixture = Fixture::new();
    let (program, value) = (built(&fixture, "basic"), 1_u64);
    let kernel = program.kernel("add_value");
    let start: *const c_void = (&raw const value).cast();
    fails!(piKernelSetArg(kernel.raw, 1, 8, start), PI_ERROR_INVALID_ARG_SIZE);
    fails!(piKernelSetArg(kernel.raw, 2, 4, start), PI_ERROR_INVALID_ARG_INDEX);
    let (size, none) = ([1_usize], null_mut());
    fails!(
        piEnqueueKernelLaunch(fixture.queue, kernel.raw, 1, null(), size.as_ptr(), null(), 0, null(), none),
        PI_ERROR_INVALID_KERNEL_ARGS
    );
}

fn specialization_constant() {
    let fixture = Fixture::new();
    let out = numbers(&fixture);
    for value in [None, Some(1234_u32)] {
        let program = fixture.unbuilt(&module("spec"));
        if let Some(value) = value {
            let start: *const c_void = (&raw const value).cast();
            ok!(piextProgramSetSpecializationConstant(program.raw, 7, 4, start));
        }
        let program = fixture.build(program);
        run(&fixture, program.kernel("store").pointer(0, out.start), &[1], None);
        assert_eq!(fixture.read::<u32>(&out, 1), [value.unwrap_or(42)]);
    }
}

fn two_modules() {
    let fixture = Fixture::new();
    let programs = ["calls", "callee"].map(|name| fixture.unbuilt(&module(name)));
    for program in &programs {
        let (raw, none) = (program.raw, c"".as_ptr());
        ok!(piProgramCompile(raw, 1, &fixture.device, none, 0, null(), null_mut(), None, null_mut()));
    }
    let (inputs, mut raw) = (programs.each_ref().map(|program| program.raw), null_mut());
    let (context, list) = (fixture.context, inputs.as_ptr());
    ok!(piProgramLink(context, 1, &fixture.device, c"".as_ptr(), 2, list, None, null_mut(), &mut raw));
    let (mut kernel, data) = (null_mut(), numbers(&fixture));
    ok!(piKernelCreate(raw, c"calls".as_ptr(), &mut kernel));
    ok!(piextKernelSetArgPointer(kernel, 0, 8, (&raw const data.start).cast()));
    fixture.launch(kernel, &[COUNT], None);
    fixture.finish();
    let expected: Vec<i32> = (0..COUNT as i32).map(|value| value * 10 + 1).collect();
    assert_eq!(fixture.read::<i32>(&data, COUNT), expected);
    ok!(piKernelRelease(kernel));
    ok!(piProgramRelease(raw));
}

fn unresolved_function() {
    let fixture = Fixture::new();
    let program = fixture.unbuilt(&module("calls"));
    let text = fails!(
        piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()),
        PI_ERROR_BUILD_PROGRAM_FAILURE
    );
    assert!(text.contains("from_elsewhere"), "{text}");
}

fn binaries() {
    let fixture = Fixture::new();
    let bytes = program_binary(&built(&fixture, "basic"));
    let (program, data) = (fixture.build(fixture.binary(&bytes, &[])), numbers(&fixture));
    run(&fixture, program.kernel("add_value").pointer(0, data.start).set(1, 1_i32), &[COUNT], None);
    assert_eq!(fixture.read::<i32>(&data, COUNT), (1..=COUNT as i32).collect::<Vec<_>>());
}

/// Measures the build times of every module: cold, and again from the binary.
fn times() {
    let fixture = Fixture::new();
    let mut files: Vec<_> = std::fs::read_dir(images().join("spirv").join("more"))
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    files.sort();
    let (mut cold, mut warm, mut failed) = (Vec::new(), Vec::new(), 0);
    for file in &files {
        let program = fixture.unbuilt(&std::fs::read(file).unwrap());
        let start = Instant::now();
        let code = code!(piProgramBuild(program.raw, 1, &fixture.device, c"".as_ptr(), None, null_mut()));
        if code != 0 {
            failed += 1;
            println!("not built: {}: {}", name(file), fixture::last_error());
            continue;
        }
        cold.push(start.elapsed());
        let bytes = program_binary(&program);
        let start = Instant::now();
        let again = fixture.build(fixture.binary(&bytes, &[]));
        warm.push(start.elapsed());
        drop(again);
    }
    println!("{} modules, {failed} not built", files.len());
    for (what, times) in [("cold", &mut cold), ("warm", &mut warm)] {
        times.sort();
        let at = |part: usize| times.get((times.len() * part / 100).min(times.len().max(1) - 1)).copied();
        let [median, most] = [50, 99].map(|part| at(part).unwrap_or(Duration::ZERO).as_secs_f64() * 1e3);
        println!("{what}: median {median:.1} ms, 99 % {most:.1} ms");
    }
    assert!(!cold.is_empty(), "nothing was built");
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn main() -> ExitCode {
    if let Some(code) = one_by_one::child() {
        return code;
    }
    let fixture = Fixture::new();
    for (what, query) in [("version", PI_DEVICE_INFO_VERSION), ("driver", PI_DEVICE_INFO_DRIVER_VERSION)] {
        println!("{what}: {}", device_text(&fixture, query));
    }
    let cases: [(&'static str, fn()); 13] = [
        ("spirv_values_and_pointers", values_and_pointers),
        ("spirv_local_memory", local_memory),
        ("spirv_sub_groups_of_8_16_and_32", sub_groups),
        ("spirv_global_offset", global_offset),
        ("spirv_required_work_group_size", required_work_group_size),
        ("spirv_null_pointers", null_pointers),
        ("spirv_wrong_arguments", wrong_arguments),
        ("spirv_specialization_constant", specialization_constant),
        ("spirv_two_modules", two_modules),
        ("spirv_unresolved_function", unresolved_function),
        ("spirv_binaries", binaries),
        ("spirv_build_times", times),
        ("spirv_build_times_again", times),
    ];
    let cases = cases.into_iter().chain(translated::CASES).chain(variants::CASES);
    let trials = cases.chain(parted::CASES).chain(vendor_faults::CASES).chain(one_by_one::CASES).map(
        |(name, body)| {
            libtest_mimic::Trial::test(name, move || {
                body();
                Ok(())
            })
        },
    );
    let mut arguments = Arguments::from_args();
    // Builds are timed one at a time.
    arguments.test_threads = Some(1);
    if libtest_mimic::run(&arguments, trials.collect()).has_failed() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

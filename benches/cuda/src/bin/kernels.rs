//! Measures the time of kernels from SPIR-V compared with the same source compiled by nvcc. Both are launched through
//! the plugin, alternately, and timed by the device's clock. Their results must agree.
//!
//! `PI_TEST_PLUGIN` names the plugin. Arguments: the SPIR-V file, and the cubin.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::macro_metavars_in_unsafe,
    reason = "a benchmark fails by panicking, and prints its table"
)]

use std::path::PathBuf;
use std::ptr::{null, null_mut};

use clap::Parser;
use testing_cuda::testing_support::Kernel;
use testing_cuda::*;

/// Times kernels out of SPIR-V beside the same kernels out of a cubin.
#[derive(Parser)]
struct Cli {
    /// testing/kernels/cuda/speed.spv
    spirv: PathBuf,
    /// The same source, compiled by nvcc
    cubin: PathBuf,
}

const ROUNDS: usize = 31;

/// A kernel with its sizes.
struct Case {
    name: &'static str,
    /// The number of floats in each input, and in the output.
    sizes: [usize; 2],
    /// The last argument.
    last: u32,
    inputs: usize,
    global: Vec<usize>,
    local: Vec<usize>,
}

fn cases() -> [Case; 4] {
    const LENGTH: usize = 1 << 26;
    const BODIES: usize = 1 << 16;
    const SIDE: usize = 4096;
    [
        Case {
            name: "triad",
            sizes: [LENGTH, LENGTH],
            last: 3_f32.to_bits(),
            inputs: 2,
            global: vec![LENGTH],
            local: vec![256],
        },
        Case {
            name: "n_body",
            sizes: [4 * BODIES, 3 * BODIES],
            last: BODIES as u32,
            inputs: 1,
            global: vec![BODIES],
            local: vec![256],
        },
        Case {
            name: "multiply",
            sizes: [SIDE * SIDE, SIDE * SIDE],
            last: SIDE as u32,
            inputs: 2,
            global: vec![SIDE, SIDE],
            local: vec![16, 16],
        },
        Case {
            name: "sum",
            sizes: [LENGTH, LENGTH / 1024],
            last: LENGTH as u32,
            inputs: 1,
            global: vec![LENGTH / 8],
            local: vec![128],
        },
    ]
}

/// Returns the nanoseconds of one launch on the device.
fn launch(fixture: &Fixture, kernel: &Kernel, case: &Case) -> u64 {
    let (mut event, dims) = (null_mut(), case.global.len() as u32);
    let (global, local) = (case.global.as_ptr(), case.local.as_ptr());
    ok!(piEnqueueKernelLaunch(fixture.queue, kernel.raw, dims, null(), global, local, 0, null(), &mut event));
    ok!(piEventsWait(1, &event));
    let times = [PI_PROFILING_INFO_COMMAND_START, PI_PROFILING_INFO_COMMAND_END].map(|name| {
        let mut time = 0_u64;
        ok!(piEventGetProfilingInfo(event, name, 8, (&raw mut time).cast(), null_mut()));
        time
    });
    ok!(piEventRelease(event));
    times[1] - times[0]
}

fn median(times: &mut [u64]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2] as f64
}

fn main() {
    let cli = Cli::parse();
    let read =
        |file: &PathBuf| std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let fixture = Fixture::with(PI_QUEUE_FLAG_PROFILING_ENABLE);
    let programs = [
        fixture.build(fixture.unbuilt(&read(&cli.spirv))),
        fixture.build(fixture.binary(&read(&cli.cubin), &[])),
    ];
    println!("{:10} {:>12} {:>12}   nvcc's time / ours", "kernel", "SPIR-V, us", "nvcc, us");
    for case in cases() {
        let input: Vec<f32> =
            (0..case.sizes[0]).map(|number| ((number * 7919) % 1013) as f32 / 1013.0).collect();
        let inputs: Vec<Usm> = (0..case.inputs).map(|_| fixture.device_memory(4 * input.len())).collect();
        for memory in &inputs {
            fixture.write(memory, &input);
        }
        let outputs = [0, 1].map(|_| fixture.device_memory(4 * case.sizes[1]));
        let kernels = [0, 1].map(|side| {
            let kernel = programs[side].kernel(case.name);
            kernel.pointer(0, outputs[side].start);
            for (index, memory) in inputs.iter().enumerate() {
                kernel.pointer(1 + index as u32, memory.start);
            }
            kernel.set(1 + inputs.len() as u32, case.last);
            kernel
        });
        let mut times = [vec![], vec![]];
        for round in 0..ROUNDS {
            for turn in 0..2 {
                let side = (round + turn) % 2;
                times[side].push(launch(&fixture, &kernels[side], &case));
            }
        }
        let [ours, theirs] = outputs.map(|memory| fixture.read::<f32>(&memory, case.sizes[1]));
        for (at, (a, b)) in ours.iter().zip(&theirs).enumerate() {
            assert!((a - b).abs() <= 1e-3 * b.abs().max(1.0), "{}: {a} and {b} at {at}", case.name);
        }
        assert!(ours.iter().any(|value| *value != 0.0), "{} writes nothing", case.name);
        let [ours, theirs] = times.map(|mut times| median(&mut times) / 1e3);
        println!("{:10} {ours:12.1} {theirs:12.1}   {:.3}", case.name, theirs / ours);
    }
}

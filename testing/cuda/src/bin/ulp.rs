//! Measures the largest error of every mathematical function of OpenCL.std on a GPU in units in the last place, and
//! prints it with OpenCL's limit.
//!
//! `pi-cuda-ulp REFERENCE [COUNT]`: REFERENCE is the program of `ulp/reference.c`, COUNT the number of points for each
//! function (a million by default). `PI_TEST_PLUGIN` names the plugin, `PI_NVVM` libnvvm. It prints a table for a page,
//! and fails if a limit is exceeded.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking and prints its results"
)]

use std::io::Write;
use std::process::{Command, ExitCode, Stdio};

use testing_cuda::Fixture;
use testing_nvvm::limits::{LEFT_OUT, MORE_OF_ONE, MORE_OF_TWO, OF_ONE, OF_TWO};
use testing_nvvm::{Random, kernel};

/// Assembles a kernel that computes a function of each work-item's numbers.
fn module(name: &str, ty: &str, arity: usize) -> Vec<u8> {
    let declarations = "%global = OpVariable %p_v3ulong Input\nOpDecorate %global BuiltIn GlobalInvocationId";
    let mut parameters = format!("%p_{ty} %out");
    let mut code = "%g = OpLoad %v3ulong %global\n%i = OpCompositeExtract %ulong %g 0\n".to_owned();
    let mut operands = String::new();
    for at in 0..arity {
        parameters += &format!(", %p_{ty} %in{at}");
        code += &format!("%at{at} = OpPtrAccessChain %p_{ty} %in{at} %i\n%v{at} = OpLoad %{ty} %at{at}\n");
        operands += &format!(" %v{at}");
    }
    code += &format!("%r = OpExtInst %{ty} %cl {name}{operands}\n");
    code += &format!("%to = OpPtrAccessChain %p_{ty} %out %i\nOpStore %to %r\n");
    kernel(declarations, &parameters, &code).unwrap()
}

/// Returns random numbers: half of them any finite ones, a quarter up to 100, a quarter up to 1.5.
fn points(is_float: bool, count: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = Vec::with_capacity(count * 8);
    for at in 0..count {
        let raw = random.number();
        let part = (random.number() >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0;
        let value = match at % 4 {
            0 | 1 if is_float => f64::from(f32::from_bits(raw as u32)),
            0 | 1 => f64::from_bits(raw),
            2 => part * 100.0,
            _ => part * 1.5,
        };
        let value = if value.is_finite() { value } else { part };
        match is_float {
            true => bytes.extend((value as f32).to_le_bytes()),
            false => bytes.extend(value.to_le_bytes()),
        }
    }
    bytes
}

/// Returns the reference's result: the error, how often only one of the two results is NaN, and where the largest
/// error is.
fn judged(
    reference: &str,
    name: &str,
    is_float: bool,
    columns: &[Vec<u8>],
    count: usize,
) -> (f64, u64, String) {
    let mut command = Command::new(reference);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the reference starts");
    let mut input = child.stdin.take().unwrap();
    let plain = name.trim_start_matches("half_").trim_start_matches("native_");
    let ty = if is_float { 'f' } else { 'd' };
    writeln!(input, "{plain} {ty} {} {count}", columns.len() - 1).unwrap();
    columns.iter().for_each(|column| input.write_all(column).unwrap());
    drop(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    let mut words = text.splitn(3, ' ');
    let mut next =
        || words.next().unwrap_or_else(|| panic!("{name}: the reference ended with {}", output.status));
    (next().parse().unwrap(), next().parse().unwrap(), next().to_owned())
}

fn measured(fixture: &Fixture, name: &str, is_float: bool, arity: usize, count: usize) -> Vec<Vec<u8>> {
    let ty = if is_float { "float" } else { "double" };
    let size = if is_float { 4 } else { 8 };
    let program = fixture.build(fixture.unbuilt(&module(name, ty, arity)));
    let kernel = program.kernel("k");
    let mut columns: Vec<Vec<u8>> = (0..arity as u64).map(|at| points(is_float, count, at + 1)).collect();
    let out = fixture.device_memory(count * size);
    kernel.pointer(0, out.start);
    let mut inputs = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        let memory = fixture.device_memory(column.len());
        fixture.write(&memory, column);
        kernel.pointer(at as u32 + 1, memory.start);
        inputs.push(memory);
    }
    fixture.launch(kernel.raw, &[count], None);
    fixture.finish();
    columns.push(fixture.read::<u8>(&out, count * size));
    columns
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let reference = args.next().expect("usage: pi-cuda-ulp REFERENCE [COUNT]");
    let count = args.next().map_or(1_000_000, |count| count.parse().expect("a count"));
    let fixture = Fixture::new();
    println!(
        "| function | type | error in ulp | OpenCL's limit | no number on one side | at, got, expected |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut beyond = 0;
    for (functions, arity) in [(OF_ONE, 1), (MORE_OF_ONE, 1), (OF_TWO, 2), (MORE_OF_TWO, 2)] {
        for (name, float, double) in functions.iter().filter(|(name, ..)| !LEFT_OUT.contains(name)) {
            for (limit, is_float) in [(*float, true), (*double, false)] {
                if limit.is_nan() {
                    continue;
                }
                let columns = measured(&fixture, name, is_float, arity, count);
                let (error, kinds, detail) = judged(&reference, name, is_float, &columns, count);
                let shown = if limit.is_infinite() { "none".to_owned() } else { limit.to_string() };
                let over = error > limit || kinds > 0 && limit.is_finite() && limit < 100.0;
                beyond += u32::from(over);
                let (ty, mark) =
                    (if is_float { "float" } else { "double" }, if over { " **beyond**" } else { "" });
                println!(
                    "| {name} | {ty} | {error}{mark} | {shown} | {kinds} | {} |",
                    detail.replace(' ', ", ")
                );
            }
        }
    }
    println!("\n{beyond} beyond the limits");
    if beyond == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

//! What the device-image tools cost: `cargo run --release -p testing-images` prints the table of docs/guide/image-tools.md.
//!
//! Splitting is measured on modules that are made here, of different sizes and with much or little in common between
//! kernels: its time must grow with what is written, and not with the number of kernels times the size of the module.
//! Filtering is measured as a whole process, reading and writing files. Processor time is what counts: other programs do not
//! disturb it.
#![allow(clippy::print_stdout)]

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use sycl_pi_image::spirv::{Capability, Index, Module, Op, SplitMode, SplitOptions, StorageClass, split};

fn main() -> Result<()> {
    let tool = match std::env::args_os().nth(1) {
        Some(path) => path.into(),
        None => beside("pi").context("the pi tool is not beside this program; its path may be given")?,
    };
    println!(
        "Processor time, with the time that passed in parentheses; the best of three, of the tool with files one run.\n"
    );
    println!("| module | kernels | in | out | read, split | per byte written | the tool, with files |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (kernels, shared) in [(1500, 0), (3000, 0), (6000, 0), (1500, 400), (3000, 400), (6000, 400)] {
        split_row(&tool, &Shape { kernels, own: 400, shared })?;
    }
    println!();
    println!("| file table | the tool |");
    println!("| --- | --- |");
    for rows in [1000, 10_000] {
        println!("| {rows} rows, each with its own property file | {} |", filter(&tool, rows)?);
    }
    Ok(())
}

fn beside(name: &str) -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name(name);
    path.exists().then_some(path)
}

/// What a module is made of.
struct Shape {
    kernels: u32,
    /// Additions in each kernel.
    own: u32,
    /// Additions in a function that all kernels call.
    shared: u32,
}

fn split_row(tool: &Path, shape: &Shape) -> Result<()> {
    let bytes = module(shape);
    let mut best = Cost::MAX;
    let mut written = 0;
    for _ in 0..3 {
        let begin = Clock::start(Who::This)?;
        let module = Module::parse(&bytes)?;
        let options = SplitOptions::new(SplitMode::PerKernel);
        let images = split(&Index::new(&module)?, &options)?;
        best = best.min(begin.stop()?);
        ensure!(images.len() == shape.kernels as usize, "{} images came out", images.len());
        written = images.iter().map(|image| image.module.words().len() * 4).sum();
    }
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("in.spv"), &bytes)?;
    let process = timed(Command::new(tool).current_dir(folder.path()).args([
        "image",
        "split",
        "in.spv",
        "--mode",
        "per_kernel",
        "-o",
        "out.table",
    ]))?;
    let how = if shape.shared == 0 { "nothing shared" } else { "a function shared by all" };
    println!(
        "| {how} | {} | {} | {} | {} | {:.1} ns | {} |",
        shape.kernels,
        megabytes(bytes.len()),
        megabytes(written),
        best,
        best.processor.as_secs_f64() * 1e9 / written as f64,
        process
    );
    Ok(())
}

/// What something cost. The least is that of the least processor time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    processor: Duration,
    passed: Duration,
}

impl Cost {
    const MAX: Self = Self { processor: Duration::MAX, passed: Duration::MAX };
}

impl fmt::Display for Cost {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        write!(out, "{:.0} ms ({:.0} ms)", milliseconds(self.processor), milliseconds(self.passed))
    }
}

/// Whose processor time.
#[derive(Clone, Copy)]
enum Who {
    This,
    /// Processes that this one started and that ended.
    Children,
}

struct Clock {
    who: Who,
    processor: Duration,
    begin: Instant,
}

impl Clock {
    fn start(who: Who) -> Result<Self> {
        Ok(Self { who, processor: processor_time(who)?, begin: Instant::now() })
    }

    fn stop(&self) -> Result<Cost> {
        let processor = processor_time(self.who)?.saturating_sub(self.processor);
        Ok(Cost { processor, passed: self.begin.elapsed() })
    }
}

/// As the system counts it, in hundredths of a second.
fn processor_time(who: Who) -> Result<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("there is no /proc")?;
    // The program's name stands in parentheses, and may have blanks.
    let (_, fields) = stat.rsplit_once(") ").context("/proc/self/stat is not as expected")?;
    let first = match who {
        Who::This => 11,
        Who::Children => 13,
    };
    let ticks: u64 =
        fields.split(' ').skip(first).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}

fn timed(command: &mut Command) -> Result<Cost> {
    let begin = Clock::start(Who::Children)?;
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    begin.stop()
}

/// A table of images of which every other needs double.
fn filter(tool: &Path, rows: usize) -> Result<Cost> {
    let folder = tempfile::tempdir()?;
    let mut table = "[Code|Properties|Symbols]\n".to_owned();
    for row in 0..rows {
        let aspects: &[u8] = if row % 2 == 0 { &[6, 0, 0, 0] } else { &[] };
        let mut set = sycl_pi_image::PropertySet::new("SYCL/device requirements");
        set.properties
            .push(sycl_pi_image::Property::new("aspects", sycl_pi_image::Value::byte_array(aspects)));
        let name = format!("a_{row}.prop");
        std::fs::write(folder.path().join(&name), sycl_pi_image::text::write_prop(&name, &[set])?)?;
        table += &format!("a_{row}.spv|{name}|a_{row}.sym\n");
    }
    std::fs::write(folder.path().join("in.table"), table)?;
    let mut best = Cost::MAX;
    for _ in 0..3 {
        let words = ["image", "filter", "-target=intel_gpu_icl", "in.table", "-o", "out.table"];
        best = best.min(timed(Command::new(tool).current_dir(folder.path()).args(words))?);
    }
    let kept = std::fs::read_to_string(folder.path().join("out.table"))?.lines().count() - 1;
    ensure!(kept == rows / 2, "{kept} of {rows} rows are kept");
    Ok(best)
}

fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// A module in the making.
struct Assembler {
    words: Vec<u32>,
    last: u32,
}

impl Assembler {
    fn push(&mut self, opcode: Op, operands: &[u32]) {
        self.words.push((operands.len() as u32 + 1) << 16 | opcode as u32);
        self.words.extend(operands);
    }

    fn id(&mut self) -> u32 {
        self.last += 1;
        self.last
    }
}

/// Kernels that add to a number in memory.
fn module(shape: &Shape) -> Vec<u8> {
    let mut module = Assembler { words: vec![0x0723_0203, 0x0001_0000, 0, 0, 0], last: 0 };
    for capability in [Capability::Kernel, Capability::Linkage, Capability::Addresses] {
        module.push(Op::Capability, &[capability as u32]);
    }
    module.push(Op::MemoryModel, &[2, 2]);
    let kernels: Vec<u32> = (0..shape.kernels).map(|_| module.id()).collect();
    for (number, &id) in kernels.iter().enumerate() {
        let mut name = format!("kernel{number}").into_bytes();
        name.resize(name.len() / 4 * 4 + 4, 0);
        let words = name.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
        let operands: Vec<u32> = [6, id].into_iter().chain(words).collect();
        module.push(Op::EntryPoint, &operands);
    }
    let [int, void, pointer, of_kernel, of_shared, one, shared] = [(); 7].map(|()| module.id());
    module.push(Op::TypeInt, &[int, 32, 0]);
    module.push(Op::TypeVoid, &[void]);
    module.push(Op::TypePointer, &[pointer, StorageClass::CrossWorkgroup as u32, int]);
    module.push(Op::TypeFunction, &[of_kernel, void, pointer]);
    module.push(Op::TypeFunction, &[of_shared, int, int]);
    module.push(Op::Constant, &[int, one, 1]);
    if shape.shared > 0 {
        module.push(Op::Function, &[int, shared, 0, of_shared]);
        let mut value = module.id();
        module.push(Op::FunctionParameter, &[int, value]);
        let label = module.id();
        module.push(Op::Label, &[label]);
        additions(&mut module, int, one, &mut value, shape.shared);
        module.push(Op::ReturnValue, &[value]);
        module.push(Op::FunctionEnd, &[]);
    }
    for id in kernels {
        module.push(Op::Function, &[void, id, 0, of_kernel]);
        let [argument, label, mut value] = [(); 3].map(|()| module.id());
        module.push(Op::FunctionParameter, &[pointer, argument]);
        module.push(Op::Label, &[label]);
        module.push(Op::Load, &[int, value, argument, 2, 4]);
        additions(&mut module, int, one, &mut value, shape.own);
        if shape.shared > 0 {
            let result = module.id();
            module.push(Op::FunctionCall, &[int, result, shared, value]);
            value = result;
        }
        module.push(Op::Store, &[argument, value, 2, 4]);
        module.push(Op::Return, &[]);
        module.push(Op::FunctionEnd, &[]);
    }
    if let Some(bound) = module.words.get_mut(3) {
        *bound = module.last + 1;
    }
    module.words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn additions(module: &mut Assembler, int: u32, one: u32, value: &mut u32, count: u32) {
    for _ in 0..count {
        let sum = module.id();
        module.push(Op::IAdd, &[int, sum, *value, one]);
        *value = sum;
    }
}

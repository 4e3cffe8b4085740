//! A whole run and its report.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use serde_json::json;

use crate::cli::Arguments;
use crate::draw::draw;
use crate::program::{Command, Program, Way, What};
use crate::run::run as run_program;
use crate::shrink::shrink;
use crate::watchdog::Watchdog;
use crate::world::World;

/// The number of programs on the same queues.
const QUEUES_LAST: u64 = 50;
/// The number of failed programs after which the run ends.
const FAILURES: usize = 3;

/// The totals of a run.
#[derive(Default)]
struct Sums {
    programs: u64,
    commands: u64,
    looks: u64,
    certain: u64,
    kinds: BTreeMap<&'static str, u64>,
    failures: Vec<Failure>,
}

/// A program that fails.
struct Failure {
    number: u64,
    wrong: Vec<String>,
    /// The shortened program, and what is then wrong.
    short: Option<(Program, String)>,
    whole: Program,
}

/// Runs programs until there are enough.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut world = World::new(arguments)?;
    let (mut sums, watchdog) = (Sums::default(), Watchdog::new(Duration::from_secs(arguments.timeout)));
    let start = Instant::now();
    let is_enough = |sums: &Sums| match (arguments.programs, arguments.seconds) {
        (Some(programs), _) => sums.programs >= programs,
        (_, Some(seconds)) => start.elapsed().as_secs_f64() >= seconds,
        _ => sums.commands >= arguments.count,
    };
    while !is_enough(&sums) && sums.failures.len() < FAILURES {
        let number = arguments.from + sums.programs;
        if sums.programs % QUEUES_LAST == QUEUES_LAST - 1 {
            world.make_queues()?;
        }
        let program = draw(&world.shape, arguments.seed, number, arguments.slow);
        let again = again(arguments, number);
        if arguments.trace {
            eprintln!("program {number}:\n{program}");
        }
        for _ in 0..arguments.times {
            watchdog.begin(format!("{program}program {number}; again: {again}"));
            let outcome = run_program(&mut world, &program)?;
            sums.add(&program, outcome.looks, outcome.certain);
            if !outcome.wrong.is_empty() {
                let short = if arguments.whole { None } else { shrink(&mut world, &program, &watchdog)? };
                sums.failures.push(Failure { number, wrong: outcome.wrong, short, whole: program.clone() });
                break;
            }
        }
        watchdog.end();
        sums.programs += 1;
    }
    sums.print(arguments, &world, start.elapsed());
    Ok(if sums.failures.is_empty() && sums.commands > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Returns the command line that repeats a program.
fn again(arguments: &Arguments, number: u64) -> String {
    format!(
        "testing-order {} --interface {} --seed {} --from {number} --programs 1 --times 50 --device {} --slow {}",
        arguments.file.display(),
        arguments.interface().name(),
        arguments.seed,
        arguments.device,
        arguments.slow
    )
}

impl Sums {
    fn add(&mut self, program: &Program, looks: u64, certain: u64) {
        self.commands += program.commands();
        self.looks += looks;
        self.certain += certain;
        for step in &program.steps {
            let kind = match &step.what {
                What::Enqueue { command, .. } => kind(command),
                What::Native { .. } => "native events",
                What::User { .. } => "user events",
                What::Update { .. } => "updates",
                What::Wait { .. } | What::Finish { .. } => "waits of the host",
                What::Record { .. } => "command buffers",
                What::Set { .. } => continue,
            };
            *self.kinds.entry(kind).or_default() += 1;
        }
    }

    fn print(&self, arguments: &Arguments, world: &World, took: Duration) {
        let name = arguments.interface().name();
        if arguments.json {
            let failures = self.failures.iter().map(|failure| {
                let short = failure.short.as_ref();
                let program = short.map_or(&failure.whole, |(program, _)| program).to_string();
                json!({
                    "program": failure.number, "wrong": failure.wrong,
                    "wrong_when_short": short.map(|(_, wrong)| wrong),
                    "steps": program.lines().collect::<Vec<_>>(), "again": again(arguments, failure.number),
                })
            });
            let document = json!({
                "file": arguments.file, "interface": name, "device": world.device, "seed": arguments.seed,
                "from": arguments.from, "programs": self.programs, "commands": self.commands,
                "kinds": self.kinds, "looks": self.looks, "certain": self.certain,
                "seconds": took.as_secs_f64(), "not_allowed": self.failures.len(),
                "failures": failures.collect::<Vec<_>>(),
            });
            println!("{document:#}");
            return;
        }
        for failure in &self.failures {
            let (program, wrong) = match &failure.short {
                Some((program, wrong)) => (program, std::slice::from_ref(wrong)),
                None => (&failure.whole, &*failure.wrong),
            };
            println!("program {}:\n{program}", failure.number);
            wrong.iter().take(5).for_each(|wrong| println!("  {wrong}"));
            println!("  again: {}\n", again(arguments, failure.number));
        }
        let kinds: Vec<String> = self.kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        println!("{}", kinds.join(", "));
        println!(
            "{} on {} at {name}: {} commands in {} programs in {:.1} s, {} places looked at, {} of them with one value \
             allowed; not allowed in {} programs",
            arguments.file.file_name().unwrap_or_default().display(),
            world.device,
            self.commands,
            self.programs,
            took.as_secs_f64(),
            self.looks,
            self.certain,
            self.failures.len()
        );
    }
}

/// Returns the category under which commands are counted.
fn kind(command: &Command) -> &'static str {
    match command {
        Command::Write { way: Way::Kernel, .. }
        | Command::Read { way: Way::Kernel, .. }
        | Command::Copy { way: Way::Kernel, .. } => "copies by kernels",
        Command::Write { way: Way::Rows, .. }
        | Command::Read { way: Way::Rows, .. }
        | Command::Copy { way: Way::Rows, .. } => "copies of rows",
        Command::Write { .. } => "writes",
        Command::Read { .. } => "reads",
        Command::Copy { .. } => "copies",
        Command::Fill { .. } => "fills",
        Command::Slow { .. } => "slow kernels",
        Command::Marker => "markers",
        Command::Barrier => "barriers",
        Command::Prefetch { .. } => "prefetches",
        Command::Run { .. } => "runs of command buffers",
    }
}

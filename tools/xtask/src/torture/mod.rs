//! `cargo xtask torture`: eight processes write one program cache and are killed at random moments, hundreds of times.
//! After each round every program must come out right, at once, and every item must verify.

mod processes;
mod progress;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::Args;

use crate::torture::processes::{Program, Writer};
use crate::torture::progress::Progress;
use crate::ui::Step;

const WRITERS: usize = 8;
/// Kills between two checks of the whole cache.
const KILLS_PER_ROUND: usize = 40;

/// Arguments of `torture`.
#[derive(Debug, Args)]
pub(crate) struct TortureArgs {
    /// How long processes are killed
    #[arg(long, default_value_t = 1.0)]
    minutes: f64,
    /// The folder of the cache, which is kept. The default is a new folder that is removed
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// The seed of the random moments. The default is the time
    #[arg(long)]
    seed: Option<u64>,
    /// Build and run device images through the runtime, instead of storing bytes
    #[arg(long)]
    programs: bool,
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit
    }
}

/// Kills and checks until the time is over. It fails at the first wrong result.
pub(crate) fn run(args: &TortureArgs) -> Result<ExitCode> {
    let program = if args.programs { Program::of_images()? } else { Program::of_bytes()? };
    let own = tempfile::tempdir().context("no folder for the cache")?;
    let root = args.root.clone().unwrap_or_else(|| own.path().join("cache"));
    let length = Duration::try_from_secs_f64(args.minutes * 60.0).context("--minutes")?;
    println!("{}", torture(&program, &root, length, args.seed)?);
    Ok(ExitCode::SUCCESS)
}

/// Both kinds for so long each, as tests.
pub(crate) fn check(length: Duration) -> Result<()> {
    for program in [Program::of_bytes()?, Program::of_images()?] {
        let root = tempfile::tempdir().context("no folder for the cache")?;
        torture(&program, &root.path().join("cache"), length, None)?;
    }
    Ok(())
}

fn torture(program: &Program, root: &Path, length: Duration, seed: Option<u64>) -> Result<Progress> {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_nanos() as u64);
    let seed = seed.unwrap_or(time);
    let mut random = Random(seed | 1);
    let start = Instant::now();
    let mut progress = Progress::default();
    let step = Step::start(format!("Killing {WRITERS} writers of one cache (seed {seed})"));
    while start.elapsed() < length || progress.rounds == 0 {
        round(program, root, &mut random, &mut progress)
            .with_context(|| format!("in round {}, seed {seed}, after: {progress}", progress.rounds + 1))?;
        progress.rounds += 1;
        step.note(&progress.to_string());
    }
    step.done("nothing was lost");
    Ok(progress)
}

/// Kills writers one by one and starts a new one for each. Then kills all of them and checks the cache.
fn round(program: &Program, root: &Path, random: &mut Random, progress: &mut Progress) -> Result<()> {
    let mut writers = Vec::new();
    for _ in 0..WRITERS {
        writers.push(Writer::start(program, root, random.below(u64::MAX))?);
    }
    for _ in 0..KILLS_PER_ROUND {
        std::thread::sleep(Duration::from_micros(random.below(60_000)));
        let victim = random.below(WRITERS as u64) as usize;
        let next = Writer::start(program, root, random.below(u64::MAX))?;
        if let Some(writer) = writers.get_mut(victim) {
            std::mem::replace(writer, next).kill()?;
            progress.kills += 1;
        }
    }
    for writer in writers {
        writer.kill()?;
        progress.kills += 1;
    }
    progress.verified(&processes::ask(program, "verify", root)?)?;
    progress.ran(&processes::ask(program, "run", root)?)?;
    progress.verified(&processes::ask(program, "verify", root)?)
}

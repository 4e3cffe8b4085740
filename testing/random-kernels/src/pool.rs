//! Processes that run kernels. One that ends or hangs is replaced, and its kernels are tried one by one.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result};
use testing_support::process::Process;

use crate::job::Job;
use crate::results::Answer;

/// The time limit for a line.
const PATIENCE: Duration = Duration::from_secs(120);
/// The number of kernels after which a process is replaced, because compilers leak memory.
const LIFE: usize = 2000;

/// A plugin, and the words before the command of each of its processes, which start it in its driver's environment.
#[derive(Clone, Debug)]
pub(crate) struct Plugin {
    pub(crate) file: PathBuf,
    pub(crate) launcher: Vec<String>,
}

impl Plugin {
    fn command(&self) -> Result<Command> {
        let program = std::env::current_exe()?;
        let mut command = match self.launcher.split_first() {
            None => Command::new(program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        };
        command.arg("work").arg(&self.file);
        Ok(command)
    }
}

/// A process, and the lines that it writes.
struct Worker {
    process: Process,
    input: ChildStdin,
    lines: Receiver<String>,
    kernels: usize,
    has_sub_groups: bool,
}

impl Worker {
    fn start(plugin: &Plugin, has_sub_groups: bool) -> Result<Self> {
        let mut command = plugin.command()?;
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Each kernel is compiled only once here.
        command.env("SYCL_CACHE_PERSISTENT", "0");
        if !has_sub_groups {
            // Intel's compiler then does not vectorize scalars, and takes a tenth of the time.
            command.env("CL_CONFIG_CPU_VECTORIZER_MODE", "1");
        }
        let mut process = Process::start(&mut command).context("a process that runs kernels")?;
        let input = process.take_stdin().context("standard input")?;
        let output = process.take_stdout().context("standard output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let _ =
                BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line));
        });
        Ok(Self { process, input, lines, kernels: 0, has_sub_groups })
    }

    /// Returns the answers to a job, or why there are none.
    fn answers(&mut self, job: &Job) -> Result<Vec<Answer>, String> {
        self.kernels += job.kernels.len();
        let asked = writeln!(self.input, "{job}").and_then(|()| self.input.flush());
        let mut answers = Vec::new();
        while asked.is_ok() && answers.len() < job.kernels.len() {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let answer = line.split_once('\t').and_then(|(_, answer)| answer.parse().ok());
                    answers.push(answer.ok_or_else(|| format!("an answer that is none: {line}"))?);
                }
                Err(RecvTimeoutError::Timeout) => return Err("it does not end".to_owned()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        if answers.len() == job.kernels.len() { Ok(answers) } else { Err(self.end()) }
    }

    /// Returns how the process ended.
    fn end(&mut self) -> String {
        match self.process.wait(PATIENCE) {
            Ok(end) => format!("the process {end}"),
            Err(error) => format!("the process ended: {error}"),
        }
    }
}

/// Runs jobs of one kernel, one after another.
pub(crate) struct Runner<'a> {
    plugin: &'a Plugin,
    worker: Option<Worker>,
}

impl<'a> Runner<'a> {
    pub(crate) fn new(plugin: &'a Plugin) -> Self {
        Self { plugin, worker: None }
    }

    pub(crate) fn ask(&mut self, job: &Job) -> Result<Answer> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(self.plugin, job.has_sub_groups())?,
        };
        let answer = match worker.answers(job) {
            Ok(mut answers) => answers.pop().context("a job of one kernel")?,
            Err(why) => Answer::Failed(why),
        };
        if matches!(answer, Answer::Done { .. }) {
            self.worker = Some(worker);
        }
        Ok(answer)
    }
}

/// Runs jobs in several processes, and passes each answer with the kernel's number to `done`.
pub(crate) fn run(
    plugin: &Plugin,
    jobs: impl IntoIterator<Item = Job>,
    processes: usize,
    done: impl FnMut(u64, Answer) -> Result<()> + Send,
) -> Result<()> {
    let mut jobs: Vec<Job> = jobs.into_iter().collect();
    jobs.sort_by_key(Job::has_sub_groups);
    let queue = Mutex::new(VecDeque::from(jobs));
    let done = Mutex::new(done);
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..processes.max(1)).map(|_| scope.spawn(|| one_process(plugin, &queue, &done))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a thread ended"))))
    })
}

fn one_process(
    plugin: &Plugin,
    queue: &Mutex<VecDeque<Job>>,
    done: &Mutex<impl FnMut(u64, Answer) -> Result<()>>,
) -> Result<()> {
    let mut worker: Option<Worker> = None;
    loop {
        let Some(job) = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front() else {
            return Ok(());
        };
        let has_sub_groups = job.has_sub_groups();
        if worker
            .as_ref()
            .is_none_or(|worker| worker.kernels >= LIFE || worker.has_sub_groups != has_sub_groups)
        {
            worker = Some(Worker::start(plugin, has_sub_groups)?);
        }
        let Some(running) = worker.as_mut() else { continue };
        let answers =
            running.answers(&job).unwrap_or_else(|why| vec![Answer::Failed(why); job.kernels.len()]);
        if answers.iter().any(|answer| matches!(answer, Answer::Failed(_)) && !answer.is_refused()) {
            // A device that failed once may fail forever.
            worker = None;
        }
        for (one, answer) in job.kernels.iter().zip(answers) {
            if job.kernels.len() > 1 && matches!(answer, Answer::Failed(_)) {
                let alone = Job { kernels: vec![one.clone()], ..job.clone() };
                queue.lock().unwrap_or_else(PoisonError::into_inner).push_front(alone);
            } else {
                done.lock().unwrap_or_else(PoisonError::into_inner)(one.index, answer)?;
            }
        }
    }
}

/// Counts how often each reason occurred, with numbers removed.
pub(crate) fn count(reasons: &mut BTreeMap<String, (usize, u64)>, index: u64, why: &str) {
    let plain: String =
        why.chars().map(|letter| if letter.is_ascii_digit() { '#' } else { letter }).take(160).collect();
    reasons.entry(plain).or_insert((0, index)).0 += 1;
}

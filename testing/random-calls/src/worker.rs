//! A batch is one process and one stream of numbers, with a given number of calls, the tear-down, and some calls
//! after it.

use std::ffi::{CStr, c_char};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use sycl_pi_core::table::{ENTRY_POINTS, EntryPoint, names_by_slot};
use sycl_pi_core::{PI_ERROR_PLUGIN_SPECIFIC_ERROR, PI_SUCCESS, pi_result};

use crate::arguments::Call;
use crate::cli::{Arguments, Worker};
use crate::fixture::Fixture;
use crate::journal::{Count, Journal, Stage};
use crate::model::Model;
use crate::pools::Kind;
use crate::random::Random;
use crate::{crash, ending, fork, invoke, messages};

/// The number of calls after tear-down.
const AFTER: u64 = 64;
/// The number of calls between checks of bytes, and between forks. The first fork is early, when there is surely
/// enough memory for it.
const BETWEEN_LOOKS: u64 = 25;
const BETWEEN_FORKS: u64 = 1000;
const FIRST_FORK: usize = 50;

/// Runs a batch, and prints to standard output which refusals had no good text.
pub(crate) fn work(arguments: &Arguments, worker: &Worker) -> Result<ExitCode> {
    // A sanitizer reports more than this would.
    if std::env::var_os("PI_RANDOM_CALLS_NO_HANDLER").is_none() {
        crash::install();
    }
    let journal = Journal::open(&worker.journal)?;
    journal.enter(Stage::Starting);
    let random = Random::new(arguments.seed, worker.batch);
    let mut fixture = Fixture::new(&arguments.plugin, worker.version, random, arguments.owns_objects())?;
    fixture.damaged_binaries = arguments.damaged_binaries;
    let table: Vec<(usize, &'static EntryPoint)> = names_by_slot(fixture.version)
        .filter_map(|(_, entry)| {
            let number = ENTRY_POINTS.iter().position(|other| other.name == entry.name)?;
            Some((number, entry))
        })
        .filter(|(_, entry)| !matches!(entry.name, "piTearDown" | "piPluginGetLastError"))
        .filter(|(_, entry)| !arguments.leave_out.iter().any(|name| name == entry.name))
        .collect();
    let (trace, messages) = (arguments.trace, arguments.check_messages());
    let mut model = Model::new(&fixture, messages);
    let mut batch = Batch { fixture, journal, table, trace, messages };
    batch.journal.enter(Stage::Calling);
    let calls = match arguments.random_ends {
        true => batch.fixture.random.below(worker.calls as usize) as u64,
        false => worker.calls,
    };
    let fork_at = batch.fixture.random.below(FIRST_FORK) as u64;
    for done in 0..calls {
        if done % BETWEEN_LOOKS == 0
            && let Some(model) = &mut model
            && let Err(wrong) = model.check(&mut batch.fixture.random, &batch.journal, trace)
        {
            println!("{}", serde_json::json!({ "wrong": wrong, "batch": worker.batch, "before": done }));
        }
        if done % BETWEEN_FORKS == fork_at {
            batch.fixture.settle(true);
            fork::ask_in_child(&mut batch.fixture, &batch.journal, arguments.random_ends, trace)?;
        }
        let (number, entry) = batch.next()?;
        batch.one(number, entry);
    }
    if arguments.random_ends {
        return ending::end(batch.fixture, &batch.journal, trace);
    }
    batch.fixture.settle(true);
    if arguments.check_messages() {
        // Our plugins guarantee that nothing happens after tear-down. Others may not.
        batch.journal.enter(Stage::TornDown);
        // SAFETY: the parameter is not used.
        let torn_down = unsafe { invoke::call(batch.fixture.pi, "piTearDown", &[0]) };
        torn_down.context("no piTearDown")?;
        for _ in 0..AFTER {
            let (number, entry) = batch.next()?;
            batch.one(number, entry);
        }
    }
    batch.journal.enter(Stage::Done);
    Ok(ExitCode::SUCCESS)
}

struct Batch {
    fixture: Fixture,
    journal: Journal,
    table: Vec<(usize, &'static EntryPoint)>,
    trace: bool,
    /// Whether the messages of refusals are checked.
    messages: bool,
}

impl Batch {
    /// Returns the entry point to call: a random one, slow ones less often, or a release if there are too many
    /// objects of a kind.
    fn next(&mut self) -> Result<(usize, &'static EntryPoint)> {
        if let Some(kind) = self.fixture.pools.crowded() {
            let release = self.table.iter().find(|(_, entry)| Some(entry.name) == kind.release());
            return release.copied().context("no release");
        }
        loop {
            let pick = self.fixture.random.of(&self.table).context("an empty table")?;
            let slow = ["piProgramBuild", "piProgramCompile", "piProgramLink", "piDevicePartition"];
            if !slow.contains(&pick.1.name) || self.fixture.random.one_in(8) {
                return Ok(pick);
            }
        }
    }

    fn one(&mut self, number: usize, entry: &'static EntryPoint) {
        let mut call = self.fixture.arguments(entry);
        self.fixture.must_not(&mut call);
        if let Some(kind) = self.fixture.pools.crowded()
            && kind.release() == Some(entry.name)
            && let Some(handle) = self.fixture.pools.pick_releasable(kind, &mut self.fixture.random)
        {
            call.words = vec![handle];
        }
        let (events, queues) = self.fixture.needs_rest(&call);
        if events || self.fixture.pools.open_events.len() > 3 {
            self.fixture.settle(queues);
        }
        let text = call.text(&self.fixture.memory);
        self.journal.begin(&text);
        if self.trace {
            eprintln!("{} {text}", self.journal.calls());
        }
        // SAFETY: the arguments are within the contract, as far as this program can ensure.
        let Some(code) = (unsafe { invoke::call(self.fixture.pi, entry.name, &call.words) }) else { return };
        if self.trace {
            eprintln!("    {code} {}", self.made(&call, code));
        }
        if code == PI_SUCCESS {
            self.journal.count(number, Count::Succeeded);
            if self.journal.stage() == Stage::Calling {
                self.fixture.take_in(&call);
            }
        } else {
            self.journal.count(number, Count::Refused);
            self.check_message(number, &call, code);
        }
    }

    /// Returns the handles that a call returned, for a trace.
    fn made(&self, call: &Call, code: pi_result) -> String {
        let results = call.params.iter().zip(&call.words).filter(|((_, ty), word)| {
            code == PI_SUCCESS && **word != 0 && ty.contains("mut") && Kind::of(ty).is_some()
        });
        let texts =
            results.map(|((name, _), word)| format!("{name}: {:#x}", self.fixture.memory.read(*word, 0)));
        texts.collect::<Vec<_>>().join(", ")
    }

    fn check_message(&self, number: usize, call: &Call, code: pi_result) {
        let (Some(ask), true) = (self.fixture.pi.piPluginGetLastError, self.messages) else { return };
        let mut message: *mut c_char = std::ptr::null_mut();
        // SAFETY: the out pointer is valid.
        let reported = unsafe { ask(&mut message) };
        let text = (!message.is_null()).then(|| {
            // SAFETY: the text is NUL-terminated and valid until the next failing call.
            unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
        });
        let text = text.unwrap_or_default();
        let params: Vec<&str> = call.params.iter().chain(call.entry.params).map(|(name, _)| *name).collect();
        let reported = if code == PI_ERROR_PLUGIN_SPECIFIC_ERROR { code } else { reported };
        match messages::complaint(call.entry.name, &params, code, reported, &text) {
            None => self.journal.count(number, Count::WithMessage),
            Some(complaint) => {
                self.journal.count(number, Count::WithoutMessage);
                let complaint = serde_json::json!({
                    "call": call.text(&self.fixture.memory), "entry_point": call.entry.name, "code": code, "text": text,
                    "complaint": complaint,
                });
                println!("{complaint}");
            }
        }
        if self.trace {
            eprintln!("    {text}");
        }
    }
}

//! A complete run: the versions, the cases, parallel workers, and the comparison with the expectations.

mod child;
mod progress;

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Result, bail};
use sycl_pi_loader::Backend;

use crate::case::{Case, Home};
use crate::cases;
use crate::cli::{Arguments, Format};
use crate::expectations::Expectations;
use crate::formats;
use crate::interface::Interface;
use crate::outcome::Outcome;
use crate::report::{self, Assessed, Run};
use crate::skip;
use crate::worker::Reply;
use child::{Child, Ended};
use progress::Progress;

/// Tests the plugin or the adapter at every requested version or layout.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let versions = arguments.pi_version.iter().copied().map(Interface::Pi);
    let layouts = arguments.layout.iter().copied().map(Interface::Ur);
    let mut interfaces: Vec<Interface> = versions.chain(layouts).collect();
    if interfaces.is_empty() {
        interfaces = child::interfaces(arguments)?;
    }
    if interfaces.is_empty() {
        bail!("{} serves no PI version and no layout of UR known here", arguments.plugin().display());
    }
    let wanted: Vec<&'static Case> =
        cases::all().filter(|case| interfaces.iter().any(|of| of.wants(arguments, case))).collect();
    if wanted.is_empty() {
        bail!("no case matches the filter");
    }
    let mut runs = Vec::new();
    for interface in interfaces {
        let run = at(arguments, interface, &wanted)?;
        if arguments.format() == Format::Text {
            report::print(&run, arguments)?;
        }
        runs.push(run);
    }
    match arguments.format() {
        Format::Json => report::print_json(&runs, arguments)?,
        Format::Junit => formats::print_junit(&runs, &arguments.plugin().display().to_string())?,
        Format::Tap => formats::print_tap(&runs)?,
        Format::Text if runs.len() > 1 => report::print_total(&runs)?,
        Format::Text => {}
    }
    let failed = runs.iter().any(|run| run.totals().failed > 0);
    Ok(ExitCode::from(u8::from(failed)))
}

/// Runs the cases at one version or layout.
fn at(arguments: &Arguments, interface: Interface, wanted: &[&'static Case]) -> Result<Run> {
    let first = Child::start(arguments, interface)?;
    let hello = first.hello.clone();
    let backend = Backend::ALL.into_iter().find(|backend| backend.name() == hello.backend);
    let expectations = Expectations::read(arguments, backend, &hello, interface)?;
    expectations.check()?;

    let of_interface =
        |case: &&&'static Case| interface.layout().is_some() || !cases::is_of_adapters(case.id);
    let (not_run, to_run): (Vec<&'static Case>, Vec<&'static Case>) =
        wanted.iter().filter(of_interface).partition(|case| expectations.not_run(case.id).is_some());
    let (shared, own): (Vec<&'static Case>, Vec<&'static Case>) =
        to_run.into_iter().partition(|case| case.home == Home::Shared);
    let queue: Mutex<VecDeque<&'static Case>> = Mutex::new(shared.into_iter().chain(own).collect());
    let replies = Mutex::new(Vec::new());
    let progress = Progress::new(interface, wanted.len());
    let jobs = arguments.jobs.clamp(1, 64);
    let mut start = Some(first);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let child = start.take();
            let (queue, replies, progress) = (&queue, &replies, &progress);
            scope.spawn(move || worker(arguments, interface, child, queue, replies, progress));
        }
    });
    progress.clear();
    let mut replies: Vec<Reply> = replies.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    replies.extend(not_run.into_iter().map(|case| Reply {
        id: case.id.to_owned(),
        outcome: Outcome::Skipped,
        fail: None,
        reason: expectations.not_run(case.id).map(str::to_owned),
        milliseconds: 0,
    }));
    let order = |reply: &Reply| wanted.iter().position(|case| case.id == reply.id);
    replies.sort_by_key(order);
    let assessed = replies.into_iter().map(|reply| named(interface, expectations.assess(reply)));
    let assessed = assessed.collect::<Vec<Assessed>>();
    Ok(Run { interface, hello, assessed })
}

/// Takes cases until there are none, and starts a new process whenever one has ended.
fn worker(
    arguments: &Arguments,
    interface: Interface,
    mut child: Option<Child>,
    queue: &Mutex<VecDeque<&'static Case>>,
    replies: &Mutex<Vec<Reply>>,
    progress: &Progress,
) {
    loop {
        let next = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front();
        let Some(case) = next else { break };
        progress.case(case.id);
        let mut process = match child.take().filter(|_| case.home == Home::Shared) {
            Some(process) => process,
            None => match Child::start(arguments, interface) {
                Ok(process) => process,
                Err(error) => {
                    push(replies, gone(case, Outcome::Crashed, &error.to_string()));
                    continue;
                }
            },
        };
        let reply = match process.run(case) {
            Ok(reply) => {
                if case.home == Home::Shared {
                    // Leftovers of a failure must not affect the next case.
                    match reply.outcome {
                        Outcome::Failed => process.discard(),
                        _ => child = Some(process),
                    }
                    reply
                } else {
                    after(case, reply, process)
                }
            }
            Err(Ended { hung, how, .. }) => {
                gone(case, if hung { Outcome::Hung } else { Outcome::Crashed }, &how)
            }
        };
        push(replies, reply);
    }
}

/// Handles the end of a process that ran one case only.
fn after(case: &Case, reply: Reply, process: Child) -> Reply {
    match process.end() {
        Err(Ended { hung, how, .. }) if case.home == Home::Exit && reply.outcome == Outcome::Passed => {
            gone(case, if hung { Outcome::Hung } else { Outcome::Crashed }, &how)
        }
        _ => reply,
    }
}

/// Gives an outcome the names of the interface, and a failure without a call that of its case.
fn named(interface: Interface, mut assessed: Assessed) -> Assessed {
    if let Some(reason) = &mut assessed.reply.reason {
        // The bridge has the newest version of PI, so that what it lacks is not in UR.
        let of_bridge = interface.layout().is_some() && reason == skip::NOT_IN_VERSION;
        *reason = if of_bridge { skip::NO_COUNTERPART.to_owned() } else { interface.names(reason) };
    }
    if let Some(known) = &mut assessed.known {
        *known = interface.names(known);
    }
    if let Some(fail) = &mut assessed.reply.fail {
        if fail.call.is_empty() {
            fail.call = cases::call(&assessed.reply.id).to_owned();
        }
        for text in [&mut fail.call, &mut fail.expected, &mut fail.got] {
            *text = interface.names(text);
        }
    }
    assessed
}

fn push(replies: &Mutex<Vec<Reply>>, reply: Reply) {
    replies.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(reply);
}

fn gone(case: &Case, outcome: Outcome, how: &str) -> Reply {
    let expected = crate::case::requirement(case.id).map_or("", |line| line.expected).to_owned();
    let fail = crate::outcome::Fail {
        call: case.call.to_owned(),
        expected,
        got: how.to_owned(),
        ..Default::default()
    };
    Reply { id: case.id.to_owned(), outcome, fail: Some(fail), reason: None, milliseconds: 0 }
}

#[cfg(test)]
mod tests {
    use sycl_pi_loader::Version;
    use testing_ur_host::Layout;

    use super::*;
    use crate::outcome::Fail;

    fn assessed() -> Assessed {
        let fail = Fail { got: "PI_ERROR_INVALID_OPERATION".to_owned(), ..Fail::default() };
        let reply = Reply {
            id: "IMG-02".to_owned(),
            outcome: Outcome::Failed,
            fail: Some(fail),
            reason: Some("not in this PI version".to_owned()),
            milliseconds: 0,
        };
        Assessed { reply, known: Some("answers PI_ERROR_INVALID_OPERATION".to_owned()) }
    }

    #[test]
    fn reasons_and_failures_have_the_names_of_the_interface() {
        let of_ur = named(Interface::Ur(Layout::V2025_3), assessed());
        let (reply, fail) = (&of_ur.reply, of_ur.reply.fail.as_ref().unwrap());
        assert_eq!(of_ur.known.as_deref(), Some("answers UR_RESULT_ERROR_INVALID_OPERATION"));
        assert_eq!(reply.reason.as_deref(), Some("UR has no such call"));
        assert_eq!((&*fail.call, &*fail.got), ("urMemImageCreate", "UR_RESULT_ERROR_INVALID_OPERATION"));

        let of_pi = named(Interface::Pi(Version::NEWEST), assessed());
        assert_eq!(of_pi.reply.reason.as_deref(), Some("not in this PI version"));
        assert_eq!(of_pi.reply.fail.unwrap().call, "piMemImageCreate");
    }
}

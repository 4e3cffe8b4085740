//! Expectations for a backend and its drivers: which cases it may skip and why, and known failures.
//!
//! A line is `skip: REASON` for cases that skip themselves, `skip ID..: REASON` for cases that are not run, or `fail
//! ID..: REASON`. It follows a line `[BACKEND]`, `[BACKEND | PLATFORM]` or `[BACKEND | PLATFORM | DRIVER VERSION]` that
//! says where it applies. `@15.47` after an id restricts it to a version. A known failure that passes fails the run.
//! For a UR adapter, `adapters.txt` is read after the backend's file. There the number after `@` is a layout.

use anyhow::{Context, Result, bail};
use sycl_pi_loader::Backend;

use crate::case;
use crate::cli::{Arguments, matches};
use crate::interface::Interface;
use crate::outcome::{Fail, Outcome};
use crate::report::Assessed;
use crate::skip;
use crate::worker::{Hello, Reply};

/// The entries that apply to one run.
#[derive(Debug, Default)]
pub(crate) struct Expectations {
    skips: Vec<String>,
    not_run: Vec<(String, String)>,
    fails: Vec<(String, String)>,
    leaks: Option<String>,
    survey: bool,
}

impl Expectations {
    /// Reads the entries for this backend, platform and version.
    pub(crate) fn read(
        arguments: &Arguments,
        backend: Option<Backend>,
        hello: &Hello,
        interface: Interface,
    ) -> Result<Self> {
        let mut text = match (&arguments.expectations, backend) {
            (Some(path), _) => {
                std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?
            }
            (None, Some(Backend::OpenCl)) => include_str!("../expectations/opencl.txt").to_owned(),
            (None, Some(Backend::LevelZero)) => include_str!("../expectations/level_zero.txt").to_owned(),
            (None, Some(Backend::Cuda)) => include_str!("../expectations/cuda.txt").to_owned(),
            (None, _) => String::new(),
        };
        if interface.layout().is_some() && arguments.expectations.is_none() {
            text.push_str(include_str!("../expectations/adapters.txt"));
        }
        let mut all = Self::parse(&text, hello, interface)?;
        all.survey = arguments.survey;
        Ok(all)
    }

    fn parse(text: &str, hello: &Hello, interface: Interface) -> Result<Self> {
        let mut all = Self::default();
        let mut applies = false;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if let Some(head) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                let mut parts = head.split('|').map(str::trim);
                applies = parts.next() == Some(hello.backend.as_str())
                    && parts.next().is_none_or(|name| name == hello.platform)
                    && parts.next().is_none_or(|glob| matches(glob, &hello.driver));
                continue;
            }
            let (what, reason) = line
                .split_once(':')
                .with_context(|| format!("expectations, line {}: no reason", number + 1))?;
            let mut words = what.split_whitespace();
            match words.next() {
                Some("skip") if applies => match words.next() {
                    None => all.skips.push(reason.trim().to_owned()),
                    Some(first) => {
                        for word in std::iter::once(first).chain(words) {
                            let (id, only) = word.split_once('@').unwrap_or((word, interface.name()));
                            if only == interface.name() {
                                all.not_run.push((id.to_owned(), reason.trim().to_owned()));
                            }
                        }
                    }
                },
                Some("fail") if applies => {
                    for word in words {
                        let (id, only) = word.split_once('@').unwrap_or((word, interface.name()));
                        if only == interface.name() {
                            all.fails.push((id.to_owned(), reason.trim().to_owned()));
                        }
                    }
                }
                Some("leaks") if applies => all.leaks = Some(reason.trim().to_owned()),
                Some("skip" | "fail" | "leaks") => {}
                _ => bail!("expectations, line {}: neither skip nor fail nor leaks", number + 1),
            }
        }
        Ok(all)
    }

    /// Refuses entries for cases that do not exist.
    pub(crate) fn check(&self) -> Result<()> {
        for (id, _) in self.fails.iter().chain(&self.not_run) {
            case::requirement(id).with_context(|| format!("expectations: there is no case {id}"))?;
        }
        Ok(())
    }

    /// Returns why a case is not run.
    pub(crate) fn not_run(&self, id: &str) -> Option<&str> {
        let entry = self.not_run.iter().find(|(not_run, _)| !self.survey && not_run == id);
        entry.map(|(_, reason)| reason.as_str())
    }

    /// Assesses the result of a case.
    pub(crate) fn assess(&self, reply: Reply) -> Assessed {
        let known = self.fails.iter().find(|(id, _)| !self.survey && *id == reply.id);
        let mut assessed = Assessed { known: None, reply };
        let not_run = self.not_run(&assessed.reply.id).is_some();
        let reply = &mut assessed.reply;
        match (reply.outcome, known) {
            (Outcome::Passed, Some((_, reason))) => {
                let expected = format!("the failure that is known: {reason}");
                let got = "the case passes: take it out of the expectations".to_owned();
                reply.outcome = Outcome::Failed;
                reply.fail = Some(Fail { expected, got, ..Fail::default() });
            }
            (Outcome::Failed | Outcome::Crashed | Outcome::Hung, Some((_, reason))) => {
                assessed.known = Some(reason.clone());
            }
            (Outcome::Failed, None)
                if !self.survey && reply.fail.as_ref().is_some_and(|fail| fail.is_leak) =>
            {
                assessed.known = self.leaks.clone();
            }
            (Outcome::Skipped, _) => {
                let reason = reply.reason.clone().unwrap_or_default();
                let allowed = self.survey
                    || skip::OF_FILES.contains(&reason.as_str())
                    || self.skips.contains(&reason)
                    || not_run;
                if !allowed {
                    reply.outcome = Outcome::Failed;
                    let expected = "a reason to skip that the expectations have".to_owned();
                    reply.fail = Some(Fail { expected, got: reason, ..Fail::default() });
                }
            }
            _ => {}
        }
        assessed
    }
}

#[cfg(test)]
mod tests {
    use sycl_pi_loader::Version;

    use super::*;

    const TEXT: &str = "# words\n[opencl]\nskip: a\n[opencl | X | 1.*]\nskip: b\n[opencl | X | 2.*]\nskip: d\n[opencl | X]\nfail PLT-01 PLT-02@9.11: why\n[cuda]\nskip: c";

    #[test]
    fn only_what_applies() {
        let on = |platform: &str| Hello {
            backend: "opencl".into(),
            platform: platform.into(),
            driver: "1.2".into(),
            ..Hello::default()
        };
        let x = Expectations::parse(TEXT, &on("X"), Interface::Pi(Version::V15_47)).unwrap();
        assert_eq!(x.skips, ["a", "b"]);
        assert_eq!(x.fails.len(), 1);
        let y = Expectations::parse(TEXT, &on("Y"), Interface::Pi(Version::V9_11)).unwrap();
        assert_eq!((y.skips.len(), y.fails.len()), (1, 0));
    }

    #[test]
    fn a_file_that_serves_one_runtime_may_leave_out_the_case_of_two() {
        let skipped = |reason: &str| Reply {
            id: "TDN-03".into(),
            outcome: Outcome::Skipped,
            fail: None,
            reason: Some(reason.into()),
            milliseconds: 0,
        };
        let none = Expectations::default();
        assert_eq!(none.assess(skipped(skip::ONE_RUNTIME)).reply.outcome, Outcome::Skipped);
        assert_eq!(none.assess(skipped(skip::NO_IMAGES)).reply.outcome, Outcome::Failed);
    }

    #[test]
    fn references_that_are_left_over_are_known_where_the_driver_leaks_and_other_failures_are_not() {
        let text = "[opencl | X]\nleaks: it forgets";
        let hello = |platform: &str| Hello {
            backend: "opencl".into(),
            platform: platform.into(),
            ..Hello::default()
        };
        let failed = |fail| Reply {
            id: "USM-01".into(),
            outcome: Outcome::Failed,
            fail: Some(fail),
            reason: None,
            milliseconds: 0,
        };
        let known = |platform, fail| {
            let all = Expectations::parse(text, &hello(platform), Interface::Pi(Version::NEWEST)).unwrap();
            all.assess(failed(fail)).known
        };
        let leak = || Fail::leak(&[Some(1), None, None], &[Some(2), None, None]);
        assert_eq!(known("X", leak()).as_deref(), Some("it forgets"));
        assert_eq!(known("Y", leak()), None);
        assert_eq!(known("X", Fail { expected: "1".into(), ..Fail::default() }), None);
    }

    #[test]
    fn the_files_parse() {
        for text in [
            include_str!("../expectations/opencl.txt"),
            include_str!("../expectations/level_zero.txt"),
            include_str!("../expectations/cuda.txt"),
            include_str!("../expectations/adapters.txt"),
        ] {
            for backend in Backend::ALL {
                let all = Expectations::parse(
                    text,
                    &Hello { backend: backend.name().into(), ..Hello::default() },
                    Interface::Pi(Version::NEWEST),
                )
                .unwrap();
                all.check().unwrap();
            }
        }
    }
}

//! Cases by id, and the lines of `cases.txt` that they stand for.

use crate::env::Env;
use crate::outcome::Verdict;

/// Where a case runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// In a worker process, after other cases.
    Shared,
    /// In a worker process of its own, which is ended at once afterwards.
    Alone,
    /// In a worker process of its own that has to end well by itself afterwards, with whatever lives in it.
    Exit,
}

/// One case.
pub(crate) struct Case {
    /// The line of `cases.txt` or `adapters.txt`.
    pub(crate) id: &'static str,
    /// The C call that it is about.
    pub(crate) call: &'static str,
    /// Where it runs.
    pub(crate) home: Home,
    /// What it does.
    pub(crate) body: fn(&Env) -> Verdict,
}

/// A case that shares its process.
pub(crate) const fn case(id: &'static str, call: &'static str, body: fn(&Env) -> Verdict) -> Case {
    Case { id, call, home: Home::Shared, body }
}

/// A case that leaves its process unusable.
pub(crate) const fn alone(id: &'static str, call: &'static str, body: fn(&Env) -> Verdict) -> Case {
    Case { id, call, home: Home::Alone, body }
}

/// A case about the end of the process.
pub(crate) const fn exit(id: &'static str, call: &'static str, body: fn(&Env) -> Verdict) -> Case {
    Case { id, call, home: Home::Exit, body }
}

/// A line of `cases.txt` or `adapters.txt`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requirement {
    pub(crate) id: &'static str,
    /// Whether backends differ on it.
    pub(crate) differs: bool,
    /// What is done.
    pub(crate) given: &'static str,
    /// What has to come.
    pub(crate) expected: &'static str,
}

/// Every promised behaviour.
pub(crate) fn requirements() -> impl Iterator<Item = Requirement> {
    let lines = include_str!("../cases.txt").lines().chain(include_str!("../adapters.txt").lines());
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut parts = line.splitn(4, " | ");
        let id = parts.next()?;
        let differs = parts.next()? == "≠";
        Some(Requirement { id, differs, given: parts.next()?, expected: parts.next()? })
    })
}

/// The line of that id.
pub(crate) fn requirement(id: &str) -> Option<Requirement> {
    requirements().find(|line| line.id == id)
}

/// The letters of an id: its family.
pub(crate) fn family(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::{cases, not_tested};

    #[test]
    fn every_requirement_is_a_case_or_has_a_reason() {
        let ids: Vec<_> = requirements().map(|line| line.id).collect();
        let of_adapters = ids.iter().filter(|id| id.starts_with("UR-")).count();
        assert_eq!(ids.len() - of_adapters, 433);
        let known: BTreeSet<_> = ids.iter().copied().collect();
        assert_eq!(known.len(), ids.len(), "an id stands twice");
        let tested: BTreeSet<_> = cases::all().map(|case| case.id).collect();
        let untested: BTreeSet<_> = not_tested::NOT_TESTED.iter().map(|(id, _)| *id).collect();
        let both: Vec<_> = tested.intersection(&untested).collect();
        assert!(both.is_empty(), "a case and a reason for none: {both:?}");
        let missing: Vec<_> =
            known.iter().filter(|id| !tested.contains(**id) && !untested.contains(**id)).collect();
        assert!(missing.is_empty(), "{} lines without a case or a reason: {missing:?}", missing.len());
        let unknown: Vec<_> = tested.union(&untested).filter(|id| !known.contains(**id)).collect();
        assert!(unknown.is_empty(), "no such line: {unknown:?}");
    }

    #[test]
    fn an_id_has_one_case() {
        let mut seen = BTreeSet::new();
        for case in cases::all() {
            assert!(seen.insert(case.id), "{} stands twice", case.id);
        }
    }

    #[test]
    fn calls_are_in_the_list_of_entry_points() {
        for case in cases::all() {
            let getter = sycl_ur_core::TABLES.iter().any(|table| table.getter == case.call);
            let of_ur = getter || sycl_ur_core::table::function(case.call).is_some();
            let known =
                sycl_pi_core::table::entry_point(case.call).is_some() || of_ur || case.call == "piPluginInit";
            assert!(known, "{}: {} is no entry point", case.id, case.call);
        }
    }
}

//! Cases by id, and their lines in `cases.txt`.

use crate::env::Env;
use crate::outcome::Verdict;

/// The process that a case runs in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// In a worker process, after other cases.
    Shared,
    /// In a separate worker process, which is killed immediately afterwards.
    Alone,
    /// In a separate worker process that has to end normally by itself afterwards, with all live objects.
    Exit,
}

/// A case.
pub(crate) struct Case {
    /// The line of `cases.txt` or `adapters.txt`.
    pub(crate) id: &'static str,
    /// The C call that it tests.
    pub(crate) call: &'static str,
    /// The process that it runs in.
    pub(crate) home: Home,
    /// Its code.
    pub(crate) body: fn(&Env) -> Verdict,
}

/// Creates a case that shares its process.
pub(crate) const fn case(id: &'static str, call: &'static str, body: fn(&Env) -> Verdict) -> Case {
    Case { id, call, home: Home::Shared, body }
}

/// Creates a case that leaves its process unusable.
pub(crate) const fn alone(id: &'static str, call: &'static str, body: fn(&Env) -> Verdict) -> Case {
    Case { id, call, home: Home::Alone, body }
}

/// Creates a case about the end of the process.
pub(crate) const fn exit(id: &'static str, call: &'static str, body: fn(&Env) -> Verdict) -> Case {
    Case { id, call, home: Home::Exit, body }
}

/// A line of `cases.txt` or `adapters.txt`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requirement {
    pub(crate) id: &'static str,
    /// Whether backends differ in this.
    pub(crate) differs: bool,
    /// The action.
    pub(crate) given: &'static str,
    /// The required result.
    pub(crate) expected: &'static str,
}

/// Returns all specified behaviours.
pub(crate) fn requirements() -> impl Iterator<Item = Requirement> {
    let lines = include_str!("../cases.txt").lines().chain(include_str!("../adapters.txt").lines());
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut parts = line.splitn(4, " | ");
        let id = parts.next()?;
        let differs = parts.next()? == "≠";
        Some(Requirement { id, differs, given: parts.next()?, expected: parts.next()? })
    })
}

/// Returns the line with that id.
pub(crate) fn requirement(id: &str) -> Option<Requirement> {
    requirements().find(|line| line.id == id)
}

/// Returns the family: the letters of an id.
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
        assert_eq!(ids.len() - of_adapters, 438);
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

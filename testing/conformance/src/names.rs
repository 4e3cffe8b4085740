//! The names in messages. Cases call PI, and the bridge converts the calls for an adapter, whose author has the names
//! of Unified Runtime (UR).

use testing_ur_host::{Layout, bridge};

use crate::case::Case;
use crate::cli::Arguments;
use crate::interface::Interface;

/// Enumerators in the texts of cases, or beginnings of some, and those that the bridge passes to an adapter.
const ENUMERATORS: &[(&str, &str)] = &[
    ("PI_DEVICE_INFO_IMAGE_SUPPORT", "UR_DEVICE_INFO_IMAGE_SUPPORT"),
    ("PI_ERROR_INVALID_x", "UR_RESULT_ERROR_INVALID_x"),
    ("PI_EVENT_COMPLETE", "UR_EVENT_STATUS_COMPLETE"),
    ("PI_EXT_ONEAPI_QUEUE_INFO_EMPTY", "UR_QUEUE_INFO_EMPTY"),
    ("PI_EXT_PLATFORM_INFO_BACKEND", "UR_PLATFORM_INFO_BACKEND"),
    ("PI_MEM_ADVICE_", "UR_USM_ADVICE_FLAG_"),
    ("PI_PROGRAM_INFO_BINARIES", "UR_PROGRAM_INFO_BINARIES"),
    ("PI_QUEUE_INFO_PROPERTIES", "UR_QUEUE_INFO_FLAGS"),
];

impl Interface {
    /// Returns a text with the names of this interface in place of PI's.
    pub(crate) fn names(self, text: &str) -> String {
        let Some(layout) = self.layout() else { return text.to_owned() };
        let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut named = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_name) {
            let (before, word) = rest.split_at(start);
            let (word, after) = word.split_at(word.find(|c| !is_of_name(c)).unwrap_or(word.len()));
            named.push_str(before);
            named.push_str(of_ur(word, layout).unwrap_or(word));
            rest = after;
        }
        named + rest
    }
}

impl Interface {
    /// Returns whether a case is selected, by its id or by the call that it tests in this interface or in PI.
    pub(crate) fn wants(self, arguments: &Arguments, case: &Case) -> bool {
        arguments.wants(case.id, case.call) || arguments.wants(case.id, &self.names(case.call))
    }
}

fn of_ur(word: &str, layout: Layout) -> Option<&'static str> {
    let enumerator = || ENUMERATORS.iter().find(|(pi, _)| *pi == word).map(|(_, ur)| *ur);
    let code = || bridge::results_of(word).first().copied();
    bridge::counterpart(word, layout).or_else(enumerator).or_else(code)
}

#[cfg(test)]
mod tests {
    use sycl_pi_loader::Version;

    use super::*;
    use crate::case::requirements;
    use crate::cases;

    const UR: Interface = Interface::Ur(Layout::V2025_3);

    #[test]
    fn an_adapter_is_told_of_calls_and_codes_of_ur() {
        let text = "piMemBufferCreate (size 0): PI_ERROR_INVALID_BUFFER_SIZE, not PI_SUCCESS";
        let expected =
            "urMemBufferCreate (size 0): UR_RESULT_ERROR_INVALID_BUFFER_SIZE, not UR_RESULT_SUCCESS";
        assert_eq!(UR.names(text), expected);
        assert_eq!(Interface::Pi(Version::NEWEST).names(text), text);
    }

    #[test]
    fn a_call_has_the_name_that_the_layout_has() {
        let at = |layout| Interface::Ur(layout).names("piEnqueueKernelLaunch");
        assert_eq!(at(Layout::V2026_0), "urEnqueueKernelLaunch");
        assert_eq!(at(Layout::V2026_2), "urEnqueueKernelLaunchWithArgsExp");
    }

    #[test]
    fn enumerators_exist() {
        let known = |name: &str| {
            let mut all = sycl_ur_core::ENUMERATIONS.iter().copied().flatten().flat_map(|all| all.items);
            let beginning = name.trim_end_matches('x');
            all.any(|(known, _)| *known == name || beginning.ends_with('_') && known.starts_with(beginning))
        };
        for (_, name) in ENUMERATORS {
            assert!(known(name), "{name}");
        }
    }

    /// Names in `cases.txt` without a counterpart.
    const OF_PI: &[&str] = &[
        // Cases that skip for adapters.
        "piPluginInit",
        "piextPluginGetOpaqueData",
        "piEventCreate",
        "piEventSetStatus",
        "PI_ERROR_INVALID_PROPERTY",
        // Codes beside others.
        "PI_ERROR_INVALID_DEVICE_TYPE",
        "PI_ERROR_IMAGE_FORMAT_MISMATCH",
        "PI_ERROR_INCOMPATIBLE_COMMAND_QUEUE_KHR",
    ];

    #[test]
    fn requirements_that_adapters_are_judged_by_have_no_name_of_pi() {
        let mut left = Vec::new();
        for line in requirements().filter(|line| !cases::call(line.id).is_empty()) {
            let text = UR.names(&format!("{} {} {}", cases::call(line.id), line.given, line.expected));
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let of_pi = |word: &&str| {
                word.starts_with("PI_") || word.starts_with("piext") || {
                    word.strip_prefix("pi")
                        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
                }
            };
            left.extend(
                words
                    .filter(of_pi)
                    .filter(|word| !OF_PI.contains(word))
                    .map(|word| format!("{}: {word}", line.id)),
            );
        }
        assert!(left.is_empty(), "{left:#?}");
    }
}

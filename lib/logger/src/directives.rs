//! The directives of `PI_LOG`: those of env_logger. Mistakes are reported, and cost only the directive that has them.

use env_filter::Builder;
use log::LevelFilter;

/// How the names of all targets begin. Any other word is probably a misspelled level.
const TARGETS: [&str; 2] = ["pi_", "sycl_"];

/// A filter that follows the directives in a text, and a report if some of them are not understood.
pub(crate) struct Directives {
    pub(crate) filter: Builder,
    /// A message for the user: the mistake, the directive that is followed instead, and the directives that exist.
    pub(crate) report: Option<String>,
}

impl Directives {
    pub(crate) fn parse(text: &str) -> Self {
        let (list, pattern) =
            text.split_once('/').map_or((text, None), |(list, pattern)| (list, Some(pattern)));
        let (mut understood, mut mistakes) = (Vec::new(), Vec::new());
        for directive in list.split(',').map(str::trim).filter(|directive| !directive.is_empty()) {
            match mistake(directive) {
                None => understood.push(directive),
                Some(mistake) => mistakes.push(mistake),
            }
        }
        if pattern.is_some_and(|pattern| pattern.contains('/')) {
            mistakes.push("more than one \"/\"".to_owned());
        }
        let mut filter = Builder::new();
        if !mistakes.is_empty() {
            // A log was requested, so a misspelled directive must not suppress errors.
            let has_level = understood.iter().any(|directive| directive.parse::<LevelFilter>().is_ok());
            if !has_level {
                understood.insert(0, "error");
            }
        }
        let followed = understood.join(",");
        let all = match pattern.filter(|pattern| !pattern.contains('/')) {
            Some(pattern) => format!("{followed}/{pattern}"),
            None => followed.clone(),
        };
        // Only what is understood is left.
        let _ = filter.try_parse(&all);
        let report = (!mistakes.is_empty()).then(|| {
            format!(
                "{}; using {followed}. A directive is LEVEL or TARGET=LEVEL, such as info,pi_cache=debug; LEVEL is \
                 off, error, warn, info, debug or trace",
                mistakes.join(", ")
            )
        });
        Self { filter, report }
    }
}

/// Returns what is wrong with a directive, if anything is.
fn mistake(directive: &str) -> Option<String> {
    match directive.split_once('=').map(|(target, level)| (target, level.trim())) {
        None => {
            let is_known = directive.parse::<LevelFilter>().is_ok()
                || TARGETS.iter().any(|begin| directive.starts_with(begin));
            (!is_known).then(|| format!("{directive:?} is neither a level nor a target"))
        }
        // All of the target.
        Some((_, "")) => None,
        Some((_, level)) => level
            .parse::<LevelFilter>()
            .is_err()
            .then(|| format!("{level:?} in {directive:?} is not a level")),
    }
}

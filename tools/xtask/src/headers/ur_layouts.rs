//! Names and comments of what differs between the layouts of Unified Runtime.

/// Returns the suffix of a form that later layouts replace.
pub(super) fn older_suffix(layouts: &[&str]) -> String {
    layouts.last().map_or_else(String::new, |last| format!("_until_{}", last.replace('.', "_")))
}

/// Describes the layouts `present` out of `all`. Returns nothing if they are the same.
pub(super) fn presence(present: &[&str], all: &[String]) -> String {
    let (Some(first), Some(last)) = (present.first(), present.last()) else {
        return "In no layout.".to_owned();
    };
    let is_first = all.first().is_some_and(|layout| layout == first);
    let is_last = all.last().is_some_and(|layout| layout == last);
    match (is_first, is_last) {
        (true, true) => String::new(),
        (false, true) => format!("Since {first}."),
        (true, false) => format!("Until {last}."),
        (false, false) if first == last => format!("Only in {first}."),
        (false, false) => format!("Since {first}, until {last}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_in_every_layout_has_a_comment() {
        let all = ["2025.0", "2025.1", "2025.2", "2026.0"].map(str::to_owned);
        assert_eq!(presence(&["2025.0", "2025.1", "2025.2", "2026.0"], &all), "");
        assert_eq!(presence(&["2025.1", "2025.2", "2026.0"], &all), "Since 2025.1.");
        assert_eq!(presence(&["2025.0", "2025.1"], &all), "Until 2025.1.");
        assert_eq!(presence(&["2025.1"], &all), "Only in 2025.1.");
        assert_eq!(presence(&["2025.1", "2025.2"], &all), "Since 2025.1, until 2025.2.");
    }

    #[test]
    fn an_older_form_is_named_after_its_last_layout() {
        assert_eq!(older_suffix(&["2025.0", "2026.1.1"]), "_until_2026_1_1");
    }
}

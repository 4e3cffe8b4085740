//! One line about each entry point for the header, from `briefs.txt`, in the order of the list.

/// Returns a one-line description of the function.
pub(super) fn brief(name: &str) -> &'static str {
    all().find(|(of, _)| *of == name).map_or("", |(_, text)| text)
}

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("briefs.txt").lines().filter_map(|line| line.split_once(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_point_has_a_line_and_every_line_an_entry_point() {
        let listed: Vec<&str> = sycl_pi_core::ENTRY_POINTS.iter().map(|entry| entry.name).collect();
        let without: Vec<_> = listed.iter().filter(|name| brief(name).is_empty()).collect();
        assert!(without.is_empty(), "no line for {without:?}");
        let stray: Vec<_> = all().filter(|(name, _)| !listed.contains(name)).collect();
        assert!(stray.is_empty(), "not in the list: {stray:?}");
    }
}

//! The files of constants: `pi_constants.txt` and `ur_constants.txt` name the groups of constants in each.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

/// A file of constants.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File<'a> {
    /// The name without the ending.
    pub(super) name: &'a str,
    /// The first line of its documentation.
    pub(super) title: &'a str,
    /// Its groups, each with the text after its name.
    pub(super) groups: Vec<(&'a str, &'a str)>,
}

/// Parses a list of files: lines `NAME: TITLE`, each followed by indented lines `GROUP` or `GROUP: TEXT`.
pub(super) fn parse(text: &str) -> Result<Vec<File<'_>>> {
    let mut files: Vec<File<'_>> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, rest) = line.trim().split_once(": ").unwrap_or((line.trim(), ""));
        if line.starts_with(' ') {
            files.last_mut().with_context(|| format!("{name} is in no file"))?.groups.push((name, rest));
        } else {
            files.push(File { name, title: rest, groups: Vec::new() });
        }
    }
    Ok(files)
}

/// Returns the golden group of every listed name. Fails if a group is listed twice, or only one of the two has it.
pub(super) fn by_name<'a, T>(
    files: &[File<'_>],
    golden: &'a [T],
    name: impl Fn(&'a T) -> &'a str,
) -> Result<BTreeMap<&'a str, &'a T>> {
    let groups: BTreeMap<_, _> = golden.iter().map(|group| (name(group), group)).collect();
    let mut listed: Vec<&str> = files.iter().flat_map(|file| &file.groups).map(|(name, _)| *name).collect();
    listed.sort_unstable();
    let stray: Vec<_> = listed.iter().filter(|name| !groups.contains_key(*name)).collect();
    ensure!(stray.is_empty(), "listed but not in the golden data: {stray:?}");
    let missing: Vec<_> = groups.keys().filter(|name| !listed.contains(name)).collect();
    ensure!(missing.is_empty(), "in the golden data but not listed: {missing:?}");
    ensure!(listed.is_sorted_by(|a, b| a < b), "a group is listed twice");
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "# A comment.\na: Title.\n    x: Text: more.\n    y\nb: Other.\n";

    #[test]
    fn indented_lines_are_the_groups_of_the_file_above() {
        let a = File { name: "a", title: "Title.", groups: vec![("x", "Text: more."), ("y", "")] };
        let b = File { name: "b", title: "Other.", groups: Vec::new() };
        assert_eq!(parse(LIST).unwrap(), [a, b]);
        assert!(parse("    x\n").is_err());
    }

    #[test]
    fn every_group_is_listed_once() {
        let files = parse(LIST).unwrap();
        assert!(by_name(&files, &["x", "y"], |name| name).is_ok());
        assert!(by_name(&files, &["x"], |name| name).is_err(), "y is not in the data");
        assert!(by_name(&files, &["x", "y", "z"], |name| name).is_err(), "z is not listed");
        let twice = parse("a: Title.\n    x\n    x\n").unwrap();
        assert!(by_name(&twice, &["x"], |name| name).is_err());
    }
}

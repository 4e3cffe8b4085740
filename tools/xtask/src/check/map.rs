//! ARCHITECTURE.md's map says of each crate what the table of layers says.

use std::collections::BTreeSet;

use super::Findings;
use super::layers::LAYERS;

/// Crates that the map may leave out: it has them in one row, in words.
const IN_WORDS: [&str; 2] = ["testing", "benches"];

/// The differences between the map and the table. A row of the map begins with folders and ends with the crates that they may use.
pub(super) fn differences(text: &str) -> Findings {
    let mut findings = Vec::new();
    let mut known = BTreeSet::new();
    for cells in rows(text) {
        let [folders, .., uses] = &cells[..] else { continue };
        let layers: Vec<_> = names(folders)
            .flat_map(|folder| LAYERS.iter().filter(move |layer| is_in(layer.folder, folder)))
            .collect();
        if layers.is_empty() {
            findings.push(format!("ARCHITECTURE.md: {folders}: no crate of check/layers.rs is there"));
        }
        known.extend(layers.iter().map(|layer| layer.folder));
        let said: BTreeSet<&str> = names(uses).map(short).collect();
        let allowed: BTreeSet<&str> =
            layers.iter().flat_map(|layer| layer.uses).map(|folder| short(folder)).collect();
        for name in said.symmetric_difference(&allowed) {
            let verb = if said.contains(name) { "does not allow" } else { "allows" };
            findings.push(format!("ARCHITECTURE.md: {folders}: check/layers.rs {verb} {name}"));
        }
    }
    let is_needed = |folder: &&str| !IN_WORDS.iter().any(|top| is_in(folder, top));
    let folders = LAYERS.iter().map(|layer| layer.folder).filter(is_needed);
    findings.extend(
        folders
            .filter(|folder| !known.contains(folder))
            .map(|folder| format!("ARCHITECTURE.md: the map lacks {folder}")),
    );
    findings
}

/// The cells of the map's rows: those of the tables in the text whose first cell begins with a folder.
fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    lines.filter(|line| line.starts_with('`')).map(|line| line.split(" | ").collect())
}

/// The names in backticks, without a slash at the end.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2).map(|name| name.trim_end_matches('/'))
}

fn is_in(folder: &str, top: &str) -> bool {
    folder.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A crate's folder as the map names what is used: the last part of it, but for tests.
fn short(folder: &str) -> &str {
    if folder.starts_with("testing/") { folder } else { folder.rsplit('/').next().unwrap_or(folder) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(row: &str) -> Findings {
        let mut findings = differences(row);
        findings.retain(|finding| !finding.contains("the map lacks"));
        findings
    }

    #[test]
    fn a_row_that_says_what_the_table_says_passes() {
        assert!(about("| `plugins/logger/` | a log | `host-process` |").is_empty());
        assert!(about("| `plugins/nvidia-files/` | files | `dynload`, `host-process` |").is_empty());
    }

    #[test]
    fn what_only_one_of_them_allows_is_named() {
        let found = about("| `plugins/logger/` | a log | `dynload` |");
        assert_eq!(
            found,
            [
                "ARCHITECTURE.md: `plugins/logger/`: check/layers.rs does not allow dynload",
                "ARCHITECTURE.md: `plugins/logger/`: check/layers.rs allows host-process",
            ]
        );
    }

    #[test]
    fn a_crate_without_a_row_and_a_row_without_a_crate_are_named() {
        assert!(differences("").contains(&"ARCHITECTURE.md: the map lacks pi-core".to_owned()));
        assert_eq!(about("| `plugins/gone/` | nothing | nothing of ours |").len(), 1);
    }
}

//! Formats the comparison as a table for people.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use testing_opencl::*;

use super::compare::Answer;

const HEAD: &str = "\
# Device info beside the vendor's plugins

Every platform and device info number of PI 15.47, asked of this project's `libpi_opencl.so` and of the vendor's, live,
on Intel's CPU OpenCL runtime 2023.2.4, at each PI version. The answers have the same size and value, except for the
numbers in the second table. Bytes are in memory order; `aa` is a byte that the plugin did not write.

The test `device_info::matches_the_vendors_plugin` of `testing/opencl` writes this page, one version in each run, and
fails on any other difference:
`PI_VENDOR_PLUGIN=.../libpi_opencl.so PI_COMPARISON_DOCUMENT=docs/reports/device-info.md cargo test -p testing-opencl
device_info::matches`.
";
const VERSIONS: &str = "
| PI | release | numbers asked | same answer | other answer |
| --- | --- | ---: | ---: | ---: |
";
const DIFFERENCES: &str = "
| number | value | ours | the vendor's | PI | why |
| --- | --- | --- | --- | --- | --- |
";
/// The versions of a difference that all versions have.
const EACH: &str = "each";

/// A difference: the number's value, and the row's cells except the versions.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Row(u32, [String; 5]);

impl Row {
    pub(super) fn new(name: &str, number: u32, ours: &Answer, theirs: &Answer, reason: &str) -> Self {
        let (ours, theirs) = match name {
            // Addresses would change the document in every run.
            "PI_DEVICE_INFO_PLATFORM" => ("address".into(), "address".into()),
            _ => (shown(ours), shown(theirs)),
        };
        Self(number, [name.into(), format!("{number:#x}"), ours, theirs, reason.into()])
    }
}

/// Formats an answer in a few characters.
pub(super) fn shown(answer: &Answer) -> String {
    const MOST: usize = 24;
    match answer {
        Answer::Crash => "crash".into(),
        Answer::Refused(code) => format!("error {code}"),
        Answer::Value(bytes) if bytes.is_empty() => "0 bytes".into(),
        Answer::Value(bytes) => {
            let text =
                bytes.split_last().filter(|(end, text)| **end == 0 && !text.is_empty()).map(|(_, text)| text);
            let printable = text.filter(|text| text.iter().all(|byte| (b' '..=b'~').contains(byte)));
            if let Some(text) = printable {
                let text = String::from_utf8_lossy(text);
                let dots = if text.len() > MOST { "..." } else { "" };
                return format!("\"{}{dots}\"", text.chars().take(MOST).collect::<String>());
            }
            let hex: String = bytes.iter().take(MOST).map(|byte| format!("{byte:02x}")).collect();
            format!("{} bytes: {hex}{}", bytes.len(), if bytes.len() > MOST { "..." } else { "" })
        }
    }
}

/// The document's two tables: a row for each version, and the versions that have each difference.
type Tables = (BTreeMap<Version, String>, BTreeMap<Row, BTreeSet<Version>>);

fn read(document: &str) -> Tables {
    let (mut versions, mut differences) = Tables::default();
    for line in document.lines() {
        let cells: Vec<&str> = line.trim_matches(['|', ' ']).split(" | ").map(str::trim).collect();
        match cells[..] {
            [text, .., _, _] if cells.len() == 5 => {
                versions
                    .extend(Version::from_text(text.as_bytes()).map(|version| (version, line.to_owned())));
            }
            [name, value, ours, theirs, of, why] if value.starts_with("0x") => {
                let row = Row(
                    u32::from_str_radix(&value[2..], 16).unwrap(),
                    [name, value, ours, theirs, why].map(str::to_owned),
                );
                let named = of.split(", ").filter_map(|text| Version::from_text(text.as_bytes())).collect();
                let of = if of == EACH { versions.keys().copied().collect() } else { named };
                differences.insert(row, of);
            }
            _ => {}
        }
    }
    (versions, differences)
}

/// Writes this version's answers into the document, and replaces older ones.
pub(super) fn write(path: &Path, version: Version, asked: usize, rows: &[Row]) {
    let (mut versions, mut differences) = read(&fs::read_to_string(path).unwrap_or_default());
    let (same, others) = (asked - rows.len(), rows.len());
    let row = format!("| {} | {} | {asked} | {same} | {others} |", version.text(), version.release());
    versions.insert(version, row);
    for of in differences.values_mut() {
        of.remove(&version);
    }
    for row in rows {
        differences.entry(row.clone()).or_default().insert(version);
    }
    let mut document = HEAD.to_owned() + VERSIONS;
    versions.values().for_each(|row| writeln!(document, "{row}").unwrap());
    document.push_str(DIFFERENCES);
    for (Row(_, [name, value, ours, theirs, why]), of) in differences.iter().filter(|(_, of)| !of.is_empty())
    {
        let named = || of.iter().map(|version| version.text()).collect::<Vec<_>>().join(", ");
        let of = if of.len() == versions.len() { EACH.to_owned() } else { named() };
        writeln!(document, "| {name} | {value} | {ours} | {theirs} | {of} | {why} |").unwrap();
    }
    fs::write(path, document).unwrap();
}

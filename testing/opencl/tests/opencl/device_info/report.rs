//! Formats the comparison as a table for people.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use testing_opencl::*;

use super::compare::Answer;

const HEAD: &str = "\
# Device info beside the vendor's plugins

Every platform and device info number of PI 15.47, asked of this project's `libpi_opencl.so` and of the vendor's, live,
on Intel's CPU OpenCL runtime 2023.2.4, at each PI version. The answers have the same size and value but for the numbers
below. Bytes are in memory order; `aa` is a byte that the plugin did not write.

Made by the test `device_info::matches_the_vendors_plugin` of `testing/opencl`, which fails on any other difference:
`PI_VENDOR_PLUGIN=.../libpi_opencl.so PI_COMPARISON_DOCUMENT=docs/reports/device-info.md cargo test -p testing-opencl
device_info::matches`.
";

/// A difference.
pub(super) struct Row(String);

impl Row {
    pub(super) fn new(name: &str, number: u32, ours: &Answer, theirs: &Answer, reason: &str) -> Self {
        let (ours, theirs) = match name {
            // Addresses would change the document in every run.
            "PI_DEVICE_INFO_PLATFORM" => ("address".into(), "address".into()),
            _ => (shown(ours), shown(theirs)),
        };
        Self(format!("| {name} | {number:#x} | {ours} | {theirs} | {reason} |"))
    }
}

/// Formats an answer in a few characters.
pub(super) fn shown(answer: &Answer) -> String {
    const MOST: usize = 24;
    match answer {
        Answer::Crash => "crash".into(),
        Answer::Refused(code) => format!("error {code}"),
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

/// Writes this version's section into the document, and replaces an older one.
pub(super) fn write(path: &Path, version: Version, asked: usize, rows: &[Row]) {
    let before = fs::read_to_string(path).unwrap_or_default();
    let mut section = format!("PI {} (release {})\n\n", version.text(), version.release());
    writeln!(section, "{asked} numbers asked, {} the same, {} not:\n", asked - rows.len(), rows.len())
        .unwrap();
    section.push_str("| number | value | ours | the vendor's | why |\n| --- | --- | --- | --- | --- |\n");
    for row in rows {
        section.push_str(&row.0);
        section.push('\n');
    }
    let mut sections: Vec<(Version, String)> = before
        .split("\n## ")
        .skip(1)
        .filter_map(|old| {
            let text = old.strip_prefix("PI ")?.split(' ').next()?;
            Version::from_text(text.as_bytes()).map(|version| (version, old.trim_end().to_owned()))
        })
        .filter(|(old, _)| *old != version)
        .collect();
    sections.push((version, section.trim_end().to_owned()));
    sections.sort();
    let mut document = HEAD.to_owned();
    for (_, section) in sections {
        write!(document, "\n## {section}\n").unwrap();
    }
    fs::write(path, document).unwrap();
}

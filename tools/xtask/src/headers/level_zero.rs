//! Generates the types and the list of functions of level-zero-sys from the C headers of Debian's libze-dev, by bindgen.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use regex::Regex;

use super::bindgen::Bindings;
use super::level_zero_text;
use super::output::Output;
use crate::cargo_tool::CargoTool;
use crate::process;

/// The folder of the generated files.
pub(crate) const FOLDER: &str = "plugins/level-zero-sys/src";

/// The installed header. The other header has the same version.
const HEADER: &str = "/usr/include/level_zero/ze_api.h";

/// The version of the headers, from which the files are generated: Debian 12 has them.
const VERSION: &str = "v1.4-r1.4.8";

/// Includes the headers, and declares later additions.
const NEWER: &str = "plugins/level-zero-sys/newer.h";

/// The first line of the generated files names their source.
const SOURCE: &str = "Level Zero's headers";

const LIST: &str = include_str!("level_zero.txt");

const BINDGEN: CargoTool =
    CargoTool { name: "bindgen-cli", file: "bindgen", version: "0.72.1", options: &[] };

/// Returns the reason why the files cannot be generated on this machine, if they cannot.
pub(crate) fn why_not() -> Result<Option<String>> {
    let Ok(header) = fs::read_to_string(HEADER) else {
        return Ok(Some(format!("there is no {HEADER} (Debian 12: libze-dev)")));
    };
    let found = Regex::new(r"@version (\S+)")?.captures(&header).map(|found| found[1].to_owned());
    let version = found.with_context(|| format!("{HEADER} has no version"))?;
    Ok((version != VERSION).then(|| format!("{HEADER} is {version}, and not {VERSION} as in Debian 12")))
}

/// Generates the files.
pub(super) fn generate(root: &Path) -> Result<Vec<Output>> {
    let mut command = Command::new(BINDGEN.ensure()?);
    command.current_dir(root).arg(NEWER);
    command.args([
        "--rust-target",
        "1.89",
        "--formatter",
        "prettyplease",
        "--no-prepend-enum-name",
        "--generate-cstr",
    ]);
    for name in LIST.lines().filter(|line| !line.starts_with('#')) {
        let kind = match name {
            name if name.starts_with("ZE") => "--allowlist-var",
            name if name.ends_with("_t") => "--allowlist-type",
            _ => "--allowlist-function",
        };
        command.args([kind, name]);
    }
    // Parameters and fields are numbers instead of these types.
    command.args(["--allowlist-type", r"_zes?_\w+_flag_t", "--allowlist-type", r"_zes?_\w+_newer"]);
    command.args(["--", "-fretain-comments-from-system-headers"]);
    let text = process::text(&mut command).context("bindgen cannot read the headers of Level Zero")?;
    level_zero_text::generate(FOLDER, SOURCE, &Bindings::parse(&text)?)
}

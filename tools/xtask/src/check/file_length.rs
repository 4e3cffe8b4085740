//! Limits the length of files.

use std::path::Path;

use anyhow::Result;

use super::findings::Findings;
use super::sources;
use crate::headers;

const LONGEST: usize = 600;

/// Checks every file that is written by hand.
pub(crate) fn run(root: &Path) -> Result<Findings> {
    let sources = sources::read(root, &[], &["rs", "c", "h", "cpp", "py", "sh", "cl"])?;
    let too_long = sources
        .iter()
        .filter(|source| !headers::is_generated(&source.path, &source.text))
        .filter_map(|source| {
            let lines = source.text.lines().count();
            (lines > LONGEST).then(|| format!("{}: {lines} lines; split it: at most {LONGEST}", source.path))
        });
    Ok(too_long.collect())
}

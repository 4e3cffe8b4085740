//! `pi cache path`

use anyhow::{Context, Result};
use sycl_pi_cache::Store;

use crate::output::{CommandStatus, Output};

pub fn run(store: &Store, in_use: bool, output: &mut Output) -> Result<CommandStatus> {
    let root = store.root().context("no folder is set for cached programs: set SYCL_CACHE_DIR or HOME")?;
    if output.is_json() {
        let exists = root.is_dir();
        output.value(&serde_json::json!({ "path": root, "exists": exists, "persistent": in_use }))?;
    } else {
        output.line(root.display().to_string())?;
        if !in_use {
            output.warning("SYCL_CACHE_PERSISTENT=0 is set: programs keep nothing there");
        }
    }
    Ok(CommandStatus::Fine)
}

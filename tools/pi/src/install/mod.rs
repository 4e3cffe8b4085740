//! `pi install`, `pi uninstall`, `pi status`, `pi run`, `pi env`: replace the vendor's plugins and adapters by ours, restore them,
//! or name ours for one program.

mod active;
pub mod adapter_names;
mod backend_files;
mod files;
pub mod force_load;
mod found;
mod installing;
mod kind;
mod location;
mod lock;
mod manifest;
pub mod math;
mod notes;
mod nvidia;
mod pair;
mod pi_version;
mod pth;
pub mod release;
mod report;
mod sources;
mod stand_in;
mod steps;
pub mod tree;
mod uninstalling;
mod variables;

use anyhow::Result;

use crate::CommandStatus;
use crate::cli::TreeArguments;
use crate::output::Output;
pub use active::or_named as active_or_named;
pub use found::{Found, Seen, below};
pub use installing::install;
pub use location::PluginState;
use notes::notes;
pub use pair::VendorPair;
use report::{InstallEntry, InstallReport};
pub use uninstalling::uninstall;
pub use variables::{env, run};

/// `pi status DIR`
pub fn status(arguments: &TreeArguments, output: &mut Output) -> Result<CommandStatus> {
    let root = &active::or_named(arguments.folder.as_ref())?;
    let found = below(root).map_err(|error| uninstalling::with_leftovers(root, error))?;
    let ours = found.iter().any(|found| found.state() == PluginState::Ours);
    let entries = found.into_iter().map(|found| {
        let notes = notes(&found.libsycl, found.backend);
        InstallEntry::new(&found.libsycl, found.release, &found.files, found.status, notes)
    });
    InstallReport::new("status", root, false, entries.collect()).tell(output)?;
    Ok(if ours { CommandStatus::Fine } else { CommandStatus::NotInstalled })
}

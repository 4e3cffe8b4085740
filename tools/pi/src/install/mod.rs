//! `pi install`, `pi uninstall`, `pi status`, `pi run`, `pi env`: replace the vendor's plugins and adapters with
//! ours, restore them, or select ours for one program.

mod active;
pub mod adapter_names;
mod backend_files;
pub mod dnn;
pub mod drop_ins;
mod files;
pub mod force_load;
mod found;
mod installing;
mod kind;
mod links;
mod location;
mod lock;
mod manifest;
pub mod math;
mod notes;
pub mod nvidia;
mod opened;
mod own_libsycl;
mod package;
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
pub mod with_libraries;

use anyhow::Result;

use crate::output::{CommandStatus, Output};
pub use active::{TreeArguments, or_named as active_or_named};
pub use found::{Found, Seen, below};
pub use installing::{InstallArguments, install};
pub use location::PluginState;
use notes::notes;
use opened::Asked;
pub use pair::VendorPair;
use report::{InstallEntry, InstallReport};
use tree::LibsyclFolder;
pub use uninstalling::{UninstallArguments, uninstall};
pub use variables::{EnvArguments, RunArguments, env, run};

/// `pi status DIR`
pub fn status(arguments: &TreeArguments, output: &mut Output) -> Result<CommandStatus> {
    let root = &active::or_named(arguments.folder.as_ref())?;
    let found = below(root).map_err(|error| uninstalling::with_leftovers(root, error))?;
    let ours = found.iter().any(|found| found.state() == PluginState::Ours);
    let mut entries = Vec::new();
    let mut asked: Vec<(LibsyclFolder, Asked)> = Vec::new();
    for found in found {
        let Found { libsycl, release, backend, status, files } = found;
        let is_ours = status.state == PluginState::Ours;
        let mut notes = notes(&libsycl, backend);
        if is_ours && own_libsycl::is_outdated(&libsycl)? {
            notes.push(format!(
                "the library that {} is a copy of was updated: run pi install again",
                libsycl.name()
            ));
        }
        let mut entry = InstallEntry::new(&libsycl, release, &files, status, notes);
        if is_ours && !asked.iter().any(|(known, _)| *known == libsycl) {
            asked.push((libsycl.clone(), opened::ask(&libsycl)));
        }
        if let Some((_, asked)) = asked.iter().find(|(known, _)| *known == libsycl) {
            entry.tell_opened(asked, &files);
        }
        entries.push(entry);
    }
    InstallReport::new("status", root, false, entries).tell(output)?;
    Ok(if ours { CommandStatus::Fine } else { CommandStatus::NotInstalled })
}

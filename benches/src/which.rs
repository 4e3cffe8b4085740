//! Which libraries and operations are measured.

use std::path::PathBuf;

use clap::Args;
use testing_ur_host::{Layout, layout_of_release};

#[derive(Args)]
pub(crate) struct Which {
    /// The plugin or adapter under test
    #[arg(long)]
    pub(crate) ours: PathBuf,
    /// The vendor's plugin of the same PI version, or the vendor's adapter of that layout
    #[arg(long)]
    pub(crate) vendor: PathBuf,
    /// The two are adapters of Unified Runtime: the release of DPC++ to load them for, such as 2025.3.3 or 2025.3
    #[arg(long = "release", value_parser = layout_of_release)]
    pub(crate) layout: Option<Layout>,
    /// Only operations whose name contains this
    #[arg(long)]
    pub(crate) only: Option<String>,
}

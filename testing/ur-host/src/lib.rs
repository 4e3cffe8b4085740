//! A loader of Unified Runtime (UR) adapters for tests: [`sycl_ur_host`], with the objects that most tests need
//! ([`Host`]), calls of every function with made-up arguments ([`each_function`]), and a PI table on top of an adapter
//! ([`open`]).
//!
//! Each call of that table becomes the UR call of the layout, and the answer is converted back. Everything that works
//! with plugins therefore also works with adapters, such as the conformance harness. The conversion is written from UR's
//! documentation, and shares no code with the adapters of this project.
#![expect(unsafe_code, reason = "the tests call adapters")]

pub mod bridge;
mod host;
mod made_up;
pub mod structures;

pub use bridge::{Behind, open};
pub use host::{Host, ok};
pub use made_up::{Filling, each_function};
pub use sycl_ur_host::{
    Adapter, Calls, ConnectError, Connection, Getter, Layout, LoadedAdapter, layout_of_name, result_name,
};

/// Returns the layout of a release of DPC++, such as 2025.3.3, or of the series 2025.3.
///
/// # Errors
/// Fails if no known layout belongs to this release.
pub fn layout_of_release(name: &str) -> Result<Layout, String> {
    let series = format!("{name}.");
    let is_of = |layout: &Layout| {
        layout.releases().iter().any(|release| *release == name || release.starts_with(&series))
    };
    Layout::ALL.into_iter().find(is_of).ok_or_else(|| format!("there is no release {name:?} with adapters"))
}

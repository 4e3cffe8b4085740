//! A loader of Unified Runtime (UR) adapters for tests: [`sycl_ur_host`], with the objects that most tests need
//! ([`Host`]), and calls of every function with made-up arguments ([`each_function`]).
#![expect(unsafe_code, reason = "the tests call adapters")]

mod host;
mod made_up;
pub mod structures;

pub use host::{Host, ok};
pub use made_up::{Filling, each_function};
pub use sycl_ur_host::{
    Adapter, Behind, Calls, ConnectError, Connection, Getter, Layout, bridge, layout_of_name, open,
    result_name,
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

//! A loader of Unified Runtime (UR) adapters, and a PI table on top of it.
//!
//! [`Adapter`] opens an adapter's file. [`Adapter::connect`] requests the tables of one [`Layout`], like that release's
//! loader, and [`Calls`] gives typed access to them. [`LoadedAdapter`] lists platforms and devices like the loader of
//! plugins does, and tests a device. It shares no code with the adapters of this project.

mod calls;
mod connect;
mod error;
mod loaded;
mod queries;
mod smoke;

pub use calls::Calls;
pub use connect::{Adapter, ConnectError, Connection, Getter};
pub use error::{AdapterCallError, result_name};
pub use loaded::{AdapterDevice, AdapterPlatform, LoadedAdapter};
pub use smoke::AdapterSmokeError;
pub use sycl_ur_core::Layout;

/// Returns the layout with this name, such as `2025.3`.
pub fn layout_of_name(name: &str) -> Option<Layout> {
    Layout::ALL.into_iter().find(|layout| layout.name() == name)
}

/// Returns the layout of a release of DPC++, such as `2025.3.3`. A series alone, such as `2025.3`, has a layout if its
/// releases share it.
pub fn layout_of_release(release: &str) -> Option<Layout> {
    let is_meant = |other: &&&str| **other == release || other.starts_with(&format!("{release}."));
    let has = |layout: &Layout| layout.releases().iter().any(|other| is_meant(&other));
    let mut found = Layout::ALL.into_iter().filter(has);
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_the_layout_of_its_series() {
        assert_eq!(layout_of_release("2025.3.3"), Some(Layout::V2025_3));
        assert_eq!(layout_of_release("2025.3"), Some(Layout::V2025_3));
        assert_eq!(layout_of_release("2026.1.1"), Some(Layout::V2026_1_1));
        assert_eq!(layout_of_release("2026.1"), None, "two layouts");
        assert_eq!(layout_of_release("2024.2.2"), None);
        assert_eq!(layout_of_release("2025"), None);
    }
}

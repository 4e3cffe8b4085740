//! The tested interface: a version of PI, or a layout of Unified Runtime (UR) that is wrapped in PI.

use std::fmt;

use sycl_pi_loader::Version;
use testing_ur_host::{Layout, bridge, layout_of_name};

/// A version or a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// A plugin's table at this version.
    Pi(Version),
    /// An adapter's tables in this layout, called through a PI table.
    Ur(Layout),
}

impl Interface {
    /// Returns the version of the table that the cases call.
    pub(crate) fn version(self) -> Version {
        match self {
            Interface::Pi(version) => version,
            Interface::Ur(_) => bridge::VERSION,
        }
    }

    /// Returns the layout of an adapter.
    pub(crate) fn layout(self) -> Option<Layout> {
        match self {
            Interface::Pi(_) => None,
            Interface::Ur(layout) => Some(layout),
        }
    }

    /// Returns the name of the version or layout. They never have the same name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Interface::Pi(version) => version.text(),
            Interface::Ur(layout) => layout.name(),
        }
    }

    /// Returns the interface with that name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        let layout = layout_of_name(name).map(Interface::Ur);
        layout.or_else(|| Version::from_text(name.as_bytes()).map(Interface::Pi))
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Interface::Pi(version) => write!(f, "PI {}", version.text()),
            Interface::Ur(layout) => write!(f, "UR {}", layout.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_name_of_its_own() {
        let versions = Version::ALL.into_iter().map(Interface::Pi);
        for interface in versions.chain(Layout::ALL.into_iter().map(Interface::Ur)) {
            assert_eq!(Interface::of_name(interface.name()), Some(interface));
        }
        assert_eq!(Interface::of_name("1.0"), None);
    }
}

//! The number of a DPC++ release, its interface, and the wheels of its runtime and its clients.

use std::fmt;

/// A package at one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pin {
    /// The name on the package index.
    pub(crate) name: &'static str,
    /// The exact version.
    pub(crate) version: &'static str,
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=={}", self.name, self.version)
    }
}

/// Creates a pin.
pub(crate) const fn pin(name: &'static str, version: &'static str) -> Pin {
    Pin { name, version }
}

/// The C interface between a libsycl and the files that it loads, with its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interface {
    /// The Plugin Interface: libsycl loads plugins
    Pi(&'static str),
    /// Unified Runtime: a loader loads adapters
    Ur(&'static str),
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Interface::Pi(version) => write!(f, "PI {version}"),
            Interface::Ur(version) => write!(f, "UR {version}"),
        }
    }
}

/// A release of the DPC++ runtime with the client that was built with it.
#[derive(Debug)]
pub(crate) struct Release {
    /// The release's number, which is also its packages' version.
    pub(crate) version: &'static str,
    /// The interface of its libsycl.
    pub(crate) interface: Interface,
    /// The soname of its libsycl.
    pub(crate) soname: &'static str,
    /// The Python that its clients' wheels were built for: 3.`python_minor`.
    pub(crate) python_minor: u8,
    /// The runtime's packages.
    pub(crate) runtime: &'static [Pin],
    /// The clients' packages.
    pub(crate) clients: &'static [Pin],
    /// The client whose own test suite is run.
    pub(crate) suite_of: &'static str,
    /// Whether the client was built with a later libsycl and needs the symbols of `shim/`.
    pub(crate) shim: bool,
}

impl Release {
    /// Returns whether its libsycl loads adapters rather than plugins.
    pub(crate) fn has_adapters(&self) -> bool {
        matches!(self.interface, Interface::Ur(_))
    }

    /// Returns the name of what its libsycl loads.
    pub(crate) fn loads(&self) -> &'static str {
        if self.has_adapters() { "adapter" } else { "plugin" }
    }

    /// Returns the contents of the release's environment.
    pub(crate) fn pins(&self) -> impl Iterator<Item = Pin> {
        self.runtime.iter().chain(self.clients).chain(PYTEST).copied()
    }

    /// Returns the unique name of its environment and its results: the release's number, and the client if that is
    /// not dpctl.
    pub(crate) fn name(&self) -> String {
        if self.suite_of == DPCTL {
            self.version.to_owned()
        } else {
            format!("{}-{}", self.version, self.suite_of)
        }
    }

    /// Returns the client whose suite is run, with its version.
    pub(crate) fn client(&self) -> String {
        let version = self.clients.iter().find(|pin| pin.name == self.suite_of).map_or("", |pin| pin.version);
        format!("{} {version}", self.suite_of)
    }

    /// Returns the Python package that contains those tests.
    pub(crate) fn package(&self) -> String {
        self.suite_of.replace('-', "_")
    }
}

/// The test runner and its dependencies on the relevant Pythons.
const PYTEST: &[Pin] = &[
    pin("pytest", "8.3.5"),
    pin("pluggy", "1.5.0"),
    pin("iniconfig", "2.0.0"),
    pin("packaging", "24.2"),
    pin("exceptiongroup", "1.2.2"),
    pin("tomli", "2.2.1"),
];

/// The name of the client of most releases.
pub(super) const DPCTL: &str = "dpctl";

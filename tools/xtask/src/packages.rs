//! The packages of this workspace, as cargo describes them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::process;
use crate::workspace;

/// Folders of what users get.
const PRODUCT: [&str; 7] = ["pi-core", "ur-core", "lib", "math", "plugins", "runtime", "tools/pi"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

/// A package of this workspace.
#[derive(Debug, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) version: String,
    manifest_path: String,
    pub(crate) dependencies: Vec<Dependency>,
    #[serde(default)]
    pub(crate) targets: Vec<Target>,
    /// The registries that it may be published to. `None` means all.
    publish: Option<Vec<String>>,
    readme: Option<String>,
    documentation: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
}

/// A target of a package, e.g. a library, program or test.
#[derive(Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) kind: Vec<String>,
    src_path: String,
    /// Whether `cargo test` runs its unit tests.
    pub(crate) test: bool,
    /// Whether `cargo test` runs the examples of its documentation.
    pub(crate) doctest: bool,
}

impl Target {
    pub(crate) fn is_program(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bin")
    }

    pub(crate) fn is_library(&self) -> bool {
        self.is_rust_library() || self.kind.iter().any(|kind| kind == "cdylib")
    }

    /// Returns whether Rust programs can use it.
    pub(crate) fn is_rust_library(&self) -> bool {
        self.kind.iter().any(|kind| kind == "lib" || kind == "rlib")
    }

    /// Returns its first file, relative to the root.
    pub(crate) fn file(&self) -> String {
        from_root(&self.src_path)
    }
}

/// A dependency of a package.
#[derive(Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None`, "dev" or "build".
    pub(crate) kind: Option<String>,
    /// The folder, for packages of this workspace only.
    path: Option<String>,
}

impl Package {
    /// Returns its folder, relative to the root.
    pub(crate) fn folder(&self) -> String {
        from_root(self.manifest_path.trim_end_matches("/Cargo.toml"))
    }

    /// Returns whether it is shipped, as a library, a plugin or a tool.
    pub(crate) fn is_product(&self) -> bool {
        PRODUCT.iter().any(|folder| Path::new(&self.folder()).starts_with(folder))
    }

    /// Returns whether it may be published.
    pub(crate) fn is_publishable(&self) -> bool {
        self.publish.as_ref().is_none_or(|registries| !registries.is_empty())
    }

    /// Returns the missing metadata of its page at a registry.
    pub(crate) fn missing_metadata(&self) -> Vec<&'static str> {
        let file = |name: &str| workspace::root().join(self.folder()).join(name).is_file();
        let all = [
            ("readme", self.readme.as_deref().is_some_and(file)),
            ("documentation", self.documentation.is_some()),
            ("keywords", !self.keywords.is_empty()),
            ("categories", !self.categories.is_empty()),
            ("LICENSE-MIT", file("LICENSE-MIT")),
            ("LICENSE-APACHE", file("LICENSE-APACHE")),
        ];
        all.into_iter().filter(|(_, is_there)| !is_there).map(|(name, _)| name).collect()
    }
}

impl Dependency {
    /// Returns the folder of a package of this workspace, relative to the root.
    pub(crate) fn folder(&self) -> Option<String> {
        self.path.as_deref().map(from_root)
    }
}

fn from_root(path: &str) -> String {
    let path = Path::new(path);
    path.strip_prefix(workspace::root()).unwrap_or(path).to_string_lossy().into_owned()
}

/// Returns all packages of this workspace.
pub(crate) fn all() -> Result<Vec<Package>> {
    let mut command = Command::new("cargo");
    command.args(["metadata", "--no-deps", "--format-version", "1", "--offline"]);
    let text = process::text(command.current_dir(workspace::root()))?;
    parse(&text)
}

/// Parses the output of `cargo metadata`.
pub(crate) fn parse(text: &str) -> Result<Vec<Package>> {
    let metadata: Metadata = serde_json::from_str(text).context("cargo's metadata cannot be read")?;
    Ok(metadata.packages)
}

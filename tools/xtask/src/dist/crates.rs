//! The crates as a registry takes them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::VERSION;
use crate::packages::{self, Package};
use crate::process;
use crate::ui::Step;

/// Packs every publishable crate into `folder`, and writes the order in which they can be published. They are not built here:
/// `cargo xtask check publish` does that.
pub(super) fn pack(folder: &Path) -> Result<()> {
    let step = Step::start("packing the crates");
    let all: Vec<Package> = packages::all()?.into_iter().filter(Package::is_publishable).collect();
    let names = in_order(&all)?;
    let mut cargo = process::cargo();
    cargo.args(["package", "--quiet", "--no-verify", "--allow-dirty", "--target-dir"]);
    cargo.arg(super::target()).args(names.iter().flat_map(|name| ["--package", name]));
    process::output(&mut cargo)?;
    fs::create_dir_all(folder)?;
    for name in &names {
        let file = format!("{name}-{VERSION}.crate");
        let packed = super::target().join("package").join(&file);
        fs::copy(&packed, folder.join(&file))
            .with_context(|| format!("cargo left no {}", packed.display()))?;
    }
    fs::write(folder.join("ORDER"), names.join("\n") + "\n")?;
    step.done(&format!("{} crates", names.len()));
    Ok(())
}

/// Their names, each after those that it depends on.
fn in_order(all: &[Package]) -> Result<Vec<&str>> {
    let mut done: Vec<&Package> = Vec::new();
    while done.len() < all.len() {
        let is_done = |name: &str| done.iter().any(|package| package.name == name);
        let is_ready = |package: &&Package| {
            let needs = package.dependencies.iter().filter(|needed| needed.kind.as_deref() != Some("dev"));
            let mut ours = needs.filter(|needed| all.iter().any(|one| one.name == needed.name));
            !is_done(&package.name) && ours.all(|needed| is_done(&needed.name))
        };
        let ready: Vec<&Package> = all.iter().filter(is_ready).collect();
        if ready.is_empty() {
            bail!("packages depend on each other in a circle");
        }
        done.extend(ready);
    }
    Ok(done.into_iter().map(|package| package.name.as_str()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_comes_after_those_that_it_needs() {
        let text = r#"{"packages": [
            {"name": "c", "manifest_path": "/c/Cargo.toml", "dependencies": [{"name": "a"}, {"name": "b"}, {"name": "serde"}]},
            {"name": "b", "manifest_path": "/b/Cargo.toml", "dependencies": [{"name": "a"}]},
            {"name": "a", "manifest_path": "/a/Cargo.toml", "dependencies": [{"name": "c", "kind": "dev"}]}]}"#;
        assert_eq!(in_order(&packages::parse(text).unwrap()).unwrap(), ["a", "b", "c"]);
        let circle = text.replace("\"dev\"", "null");
        assert!(in_order(&packages::parse(&circle).unwrap()).is_err());
    }
}

//! The environments that are active when `pi` is started.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use sycl_pi_loader::Environment;

use super::tree;

/// The environment that the Python package is installed in, set by the package's launcher.
pub const OF_PACKAGE: &str = "SYCL_PI_ENVIRONMENT";

/// The variables that name an active environment, in order of preference. A virtual environment that the user
/// activated takes precedence, wherever `pi` is installed. Conda's base environment comes last because many users have
/// it active at all times.
const ACTIVE: [&str; 3] = ["VIRTUAL_ENV", OF_PACKAGE, "CONDA_PREFIX"];

#[derive(Args)]
pub struct TreeArguments {
    /// A virtual environment, conda environment, oneAPI folder, or folder with libsycl in it. Default: the active environment.
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Returns the active environments without duplicates.
pub fn folders(environment: &Environment) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in ACTIVE.into_iter().filter_map(|name| environment.text(name)).map(PathBuf::from) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// Returns the named folder, or else the first active environment with a libsycl.
///
/// # Errors
/// Fails if there is neither.
pub fn or_named(named: Option<&PathBuf>) -> Result<PathBuf> {
    let active = || {
        let all = folders(&Environment::from_env());
        all.iter().find(|root| tree::folders(root).is_ok()).or(all.first()).cloned()
    };
    named.cloned().or_else(active).context("no environment is active: name one, such as ~/venv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_that_was_activated_comes_first_and_each_is_there_once() {
        let pairs = [(OF_PACKAGE, "/p"), ("VIRTUAL_ENV", "/v"), ("CONDA_PREFIX", "/v"), ("PATH", "/x")];
        assert_eq!(folders(&Environment::from_pairs(pairs)), [PathBuf::from("/v"), "/p".into()]);
    }
}

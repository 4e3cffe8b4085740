//! `pi run` and `pi env`: the variables that make programs load our files and find the environment's drivers. The
//! environment itself does not change.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use sycl_pi_loader::{Backend, Environment};

use super::active::{self, TreeArguments};
use super::adapter_names::FORCE_LOAD;
use super::force_load;
use super::lock;
use super::nvidia;
use super::release::Release;
use super::sources::{self, Source};
use super::stand_in;
use super::tree::{self, LibsyclFolder};
use crate::output::{CommandStatus, Output};
use crate::{child, opencl, shell};

/// The variable with the folders of programs.
const PATH: &str = "PATH";

#[derive(Args)]
pub struct RunArguments {
    /// Run the SPIR-V in programs on NVIDIA GPUs, by reporting our CUDA plugin as Level Zero
    /// (PI_CUDA_AS=level_zero). This requires libnvvm: pip install nvidia-cuda-nvcc-cu12.
    #[arg(long)]
    pub spirv_on_nvidia: bool,
    /// The plugin or adapter to use; may be given more than once. Default: those installed in DIR, else those next to pi.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
    /// The folder of the environment. Without it, pi uses the active environment, and the program follows: pi run --
    /// PROGRAM ...
    #[arg(value_name = "DIR")]
    pub first: OsString,
    /// The program and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    pub rest: Vec<OsString>,
}

#[derive(Args)]
pub struct EnvArguments {
    #[command(flatten)]
    pub tree: TreeArguments,
    /// Run the SPIR-V in programs on NVIDIA GPUs, by reporting our CUDA plugin as Level Zero
    /// (PI_CUDA_AS=level_zero). This requires libnvvm: pip install nvidia-cuda-nvcc-cu12.
    #[arg(long)]
    pub spirv_on_nvidia: bool,
    /// The plugin or adapter to use; may be given more than once. Default: those installed in DIR, else those next to pi.
    #[arg(long, visible_alias = "adapter", value_name = "FILE")]
    pub plugin: Vec<PathBuf>,
}

/// The variables with their values.
#[derive(Default, Serialize)]
struct Variables {
    variables: BTreeMap<String, String>,
}

/// `pi run DIR PROGRAM ...`: has the exit status of the program.
pub fn run(arguments: &RunArguments, output: &mut Output) -> Result<CommandStatus> {
    let first = PathBuf::from(&arguments.first);
    // A folder is not a program.
    let (folder, program, rest) = match arguments.rest.split_first() {
        Some((program, rest)) if first.is_dir() => (Some(first), program, rest),
        None if first.is_dir() => bail!("{}: there is no program to run", first.display()),
        _ => (None, &arguments.first, arguments.rest.as_slice()),
    };
    let root = active::or_named(folder.as_ref())?;
    let variables = Variables::find(&root, &arguments.plugin, arguments.spirv_on_nvidia)?.variables;
    let mut command = Command::new(program);
    command.args(rest).envs(variables).env_remove(active::OF_PACKAGE);
    if let Some(path) = with_programs_of(&root, std::env::var_os(PATH))? {
        command.env(PATH, path);
    }
    let error = command.exec();
    // The same exit status as a shell and env(1).
    let status = match error.kind() {
        ErrorKind::NotFound => CommandStatus::NoProgram,
        _ => CommandStatus::NotExecutable,
    };
    output.failure(
        &anyhow::Error::new(error).context(format!("{} cannot be run", Path::new(program).display())),
    );
    Ok(status)
}

/// Returns the value of PATH with the environment's programs first, so that `python` is the environment's. Returns
/// `None` if it has no programs.
fn with_programs_of(root: &Path, before: Option<OsString>) -> Result<Option<OsString>> {
    let folder = std::path::absolute(root)?.join("bin");
    if !folder.is_dir() {
        return Ok(None);
    }
    // The default of programs if PATH is unset.
    let before = before.unwrap_or_else(|| "/bin:/usr/bin".into());
    let folders = std::iter::once(folder.clone()).chain(std::env::split_paths(&before));
    let path = std::env::join_paths(folders);
    Ok(Some(path.with_context(|| {
        format!("{}: a folder of programs cannot have a colon in its name", folder.display())
    })?))
}

/// `pi env DIR`: prints shell commands.
pub fn env(arguments: &EnvArguments, output: &mut Output) -> Result<CommandStatus> {
    let root = active::or_named(arguments.tree.folder.as_ref())?;
    let variables = Variables::find(&root, &arguments.plugin, arguments.spirv_on_nvidia)?;
    if output.is_json() {
        output.value(&variables)?;
        return Ok(CommandStatus::Fine);
    }
    for (name, value) in &variables.variables {
        output.exactly(&shell::export(name, value))?;
    }
    Ok(CommandStatus::Fine)
}

impl Variables {
    /// Finds the variables for the libsycl libraries below `root`. Named files take precedence, then installed
    /// ones, then those next to pi.
    fn find(root: &Path, named: &[PathBuf], spirv_on_nvidia: bool) -> Result<Self> {
        let sources =
            if named.is_empty() { sources::find(named).unwrap_or_default() } else { sources::find(named)? };
        let mut all = Self::default();
        if spirv_on_nvidia {
            all.add(nvidia::VARIABLE.0, nvidia::VARIABLE.1.to_owned())?;
        }
        let environment = Environment::from_env();
        for libsycl in tree::folders(root)? {
            let release = Release::find(&libsycl)?;
            let ours = ours(&libsycl, &release, &sources, !named.is_empty())?;
            all.add_drivers(&libsycl, &environment)?;
            let Some(unified_runtime) = release.unified_runtime() else {
                all.add_plugins(&libsycl, &ours, &environment)?;
                continue;
            };
            all.add(FORCE_LOAD, force_load::value(&libsycl, unified_runtime, &ours)?)?;
        }
        Ok(all)
    }

    /// Adds the variables with which programs find the environment's drivers.
    fn add_drivers(&mut self, libsycl: &LibsyclFolder, environment: &Environment) -> Result<()> {
        for (name, value) in opencl::variables(&libsycl.folder, environment) {
            // The first libsycl takes precedence. Several in one environment have their drivers in one folder.
            self.variables.entry(name.into()).or_insert(utf8(value)?);
        }
        Ok(())
    }

    /// Adds the variables that make a libsycl load our plugins: the folder that replaces its own comes first. Builds
    /// that read the override variables get them too.
    fn add_plugins(
        &mut self,
        libsycl: &LibsyclFolder,
        ours: &[(Backend, PathBuf)],
        environment: &Environment,
    ) -> Result<()> {
        for (backend, file) in ours {
            self.add(backend.override_variable(), utf8(file.clone().into_os_string())?)?;
        }
        let folder = stand_in::ensure(libsycl, ours)?;
        let before = environment.raw(child::LIBRARIES).map(OsString::from);
        self.add(child::LIBRARIES, utf8(child::library_path(&folder, before)?)?)
    }

    fn add(&mut self, variable: &str, value: String) -> Result<()> {
        match self.variables.insert(variable.into(), value.clone()) {
            Some(other) if other != value => {
                bail!(
                    "there are several releases there, which need {variable}={other} and {value}: name the folder of one"
                )
            }
            _ => Ok(()),
        }
    }
}

fn utf8(value: OsString) -> Result<String> {
    value.into_string().ok().context("a path is not UTF-8")
}

/// Returns our files that the variables name.
fn ours(
    libsycl: &LibsyclFolder,
    release: &Release,
    sources: &[Source],
    named: bool,
) -> Result<Vec<(Backend, PathBuf)>> {
    let in_place = || lock::look(&libsycl.folder, || force_load::in_place(libsycl));
    let mut ours = if named { vec![] } else { in_place()? };
    match sources::fitting(sources, libsycl, release) {
        Ok(fitting) => {
            for source in fitting {
                if ours.iter().all(|(backend, _)| *backend != source.backend) {
                    source.check(libsycl, release)?;
                    ours.push((source.backend, source.file.clone()));
                }
            }
        }
        Err(why) if ours.is_empty() => return Err(why),
        Err(_) => {}
    }
    ours.sort_by_key(|(backend, _)| *backend);
    Ok(ours)
}

//! Two commands that pi runs as child processes, and the functions that run them.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use sycl_pi_loader::smoke::SmokeError;
use sycl_pi_loader::{Answer, DeviceInfo};
use sycl_ur_host::layout_of_name;

use crate::child::{self, ChildEnvironment};
use crate::install::adapter_names::backend_of;
use crate::output::{CommandStatus, Output};
use crate::plugins;

/// The versions that a plugin supports.
#[derive(Debug, Serialize, Deserialize)]
pub struct Probed {
    /// The PI versions that it actually supports, oldest first.
    pub served: Vec<String>,
    /// The reason why it did not load.
    pub error: Option<String>,
    /// The remedy.
    pub hint: Option<String>,
}

/// The result of a device's test.
#[derive(Debug, Serialize, Deserialize)]
pub struct Smoked {
    /// The reason why it failed.
    pub error: Option<String>,
    /// Whether a kernel ran. On devices that do not accept SPIR-V, only a buffer is tested.
    pub kernel: bool,
}

/// Asks a plugin which PI versions it supports, in a separate process.
///
/// # Errors
/// Fails if it crashes or does not load. The message says why.
pub fn served(plugin: &Path) -> Result<Vec<String>> {
    let arguments = [OsStr::new("__probe"), plugin.as_os_str()];
    let answer: Probed = child::ask(&arguments, &ChildEnvironment::beside(plugin))
        .with_context(|| format!("asking {} which versions it serves", plugin.display()))?;
    match (answer.error, answer.hint) {
        (None, _) => Ok(answer.served),
        (Some(error), None) => bail!(error),
        (Some(error), Some(hint)) => bail!("{error} ({hint})"),
    }
}

/// Opens an adapter like a loader, in a separate process.
///
/// # Errors
/// Fails if it crashes or does not open. The message says why.
pub fn opens(adapter: &Path) -> Result<()> {
    let arguments = [OsStr::new("__probe"), adapter.as_os_str()];
    let answer: Probed = child::ask(&arguments, &ChildEnvironment::beside(adapter))
        .with_context(|| format!("opening {}", adapter.display()))?;
    answer.error.map_or(Ok(()), |error| bail!(error))
}

/// Opens an OpenCL driver in a separate process, and counts its platforms.
///
/// # Errors
/// Fails if it crashes or is not a driver. The message says why.
pub fn platforms_of_driver(driver: &Path) -> Result<u32> {
    let arguments = [OsStr::new("__driver"), driver.as_os_str()];
    let answer: Result<u32, String> = child::ask(&arguments, &ChildEnvironment::beside(driver))?;
    answer.map_err(anyhow::Error::msg)
}

/// Opens a library in a separate process, with the system's search for the libraries that it needs.
///
/// # Errors
/// Returns the system's message.
pub fn library_opens(file: &Path) -> Result<()> {
    let arguments = [OsStr::new("__driver"), OsStr::new("--only-open"), file.as_os_str()];
    let answer: Result<u32, String> = child::ask(&arguments, &ChildEnvironment::default())?;
    answer.map(|_| ()).map_err(anyhow::Error::msg)
}

/// `pi __driver [--only-open] FILE`
pub fn driver(file: &Path, only_open: bool, output: &mut Output) -> Result<CommandStatus> {
    let answer =
        if only_open { plugins::open_only(file).map(|()| 0) } else { plugins::platforms_of_driver(file) };
    output.value(&answer.map_err(|error| error.to_string()))?;
    Ok(CommandStatus::Fine)
}

/// Tests a device in a separate process. Returns whether a kernel ran; the error's text says how it failed. `layout` is
/// an adapter's.
pub fn smoke_of(
    plugin: &Path,
    layout: Option<&str>,
    number: usize,
    environment: &ChildEnvironment,
) -> Result<bool, String> {
    let number = number.to_string();
    let mut arguments = vec![OsStr::new("__smoke"), plugin.as_os_str(), OsStr::new(&number)];
    arguments.extend(layout.map(OsStr::new));
    let answer: Result<Smoked> = child::ask(&arguments, environment);
    match answer {
        Ok(Smoked { error: None, kernel }) => Ok(kernel),
        Ok(Smoked { error: Some(error), .. }) => Err(error),
        Err(error) => Err(format!("{error:#}")),
    }
}

/// `pi __probe FILE`
pub fn run(plugin: &Path, output: &mut Output) -> Result<CommandStatus> {
    if backend_of(plugin).is_some() {
        let error = plugins::open_adapter(plugin).err().map(|error| error.to_string());
        output.value(&Probed { served: vec![], error, hint: None })?;
        return Ok(CommandStatus::Fine);
    }
    let probed = match plugins::questions(plugin) {
        Ok(questions) => {
            let served = questions.iter().filter(|question| question.answer == Answer::Served);
            let served = served.map(|question| question.version.text().to_owned()).collect();
            Probed { served, error: None, hint: None }
        }
        Err(error) => Probed { served: vec![], error: Some(error.to_string()), hint: error.hint() },
    };
    output.value(&probed)?;
    Ok(CommandStatus::Fine)
}

/// `pi __smoke FILE NUMBER [LAYOUT]`
pub fn smoke(
    plugin: &Path,
    number: usize,
    layout: Option<&str>,
    output: &mut Output,
) -> Result<CommandStatus> {
    let tested = test(plugin, number, layout);
    let kernel = tested.as_ref().is_ok_and(|kernel| *kernel);
    output.value(&Smoked { error: tested.err().map(|error| format!("{error:#}")), kernel })?;
    Ok(CommandStatus::Fine)
}

/// Tests a device. Returns whether it ran a kernel.
fn test(file: &Path, number: usize, layout: Option<&str>) -> Result<bool> {
    let missing = || format!("there is no device {number}");
    if let Some(name) = layout {
        let layout = layout_of_name(name).context("no layout has that name")?;
        let adapter = plugins::open_adapter_at(file, layout)?;
        let mut devices = Vec::new();
        for platform in adapter.platforms()? {
            devices.extend(platform.devices()?);
        }
        let device = devices.get(number).with_context(missing)?;
        return both_tests(|| device.smoke_test(), || device.info(), || device.kernel_test());
    }
    let plugin = plugins::open(file)?;
    let mut devices = Vec::new();
    for platform in plugin.platforms()? {
        devices.extend(platform.devices()?);
    }
    let device = devices.get(number).with_context(missing)?;
    both_tests(|| device.smoke_test(), || device.info(), || device.kernel_test())
}

/// Runs both tests of a device, or only the first if it does not accept SPIR-V. Returns whether it ran a kernel.
fn both_tests<E: std::error::Error + Send + Sync + 'static>(
    buffer: impl FnOnce() -> Result<(), SmokeError<E>>,
    info: impl FnOnce() -> DeviceInfo,
    kernel: impl FnOnce() -> Result<(), SmokeError<E>>,
) -> Result<bool> {
    buffer().context("writing and reading a buffer of 16 bytes")?;
    let takes_spirv = info().il_version.contains("SPIR-V");
    if takes_spirv {
        kernel().context("adding two vectors in a kernel")?;
    }
    Ok(takes_spirv)
}

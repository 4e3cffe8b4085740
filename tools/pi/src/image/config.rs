//! `pi image config`: the device configuration, and entries for the devices of this machine.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use sycl_pi_image::filter::{DEFAULT_CONFIG, DeviceConfig, DeviceEntry};
use sycl_pi_loader::Environment;

use crate::install::Seen;
use crate::ls::report::{DeviceReport, Listing};
use crate::output::{CommandStatus, Output};

#[derive(Args)]
pub struct ConfigArguments {
    /// Write entries for the devices of this machine, as reported by their plugins.
    #[arg(long)]
    pub from_device: bool,
    /// Only devices with this text in their name, or in their tag in pi ls.
    #[arg(long, value_name = "TEXT", requires = "from_device")]
    pub device: Option<String>,
    /// The entry's name. Default: derived from the device's name.
    #[arg(long, value_name = "TARGET", requires = "from_device")]
    pub name: Option<String>,
    /// Use this plugin only. May be given more than once.
    #[arg(long, value_name = "FILE", requires = "from_device")]
    pub plugin: Vec<PathBuf>,
}

pub fn run(arguments: &ConfigArguments, output: &mut Output) -> Result<CommandStatus> {
    let (text, config) = if arguments.from_device {
        from_devices(arguments)?
    } else {
        (DEFAULT_CONFIG.to_owned(), DeviceConfig::read("the default device configuration", DEFAULT_CONFIG)?)
    };
    if output.is_json() {
        let entry = |entry: &DeviceEntry| {
            serde_json::json!({
                "aspects": entry.aspects,
                "may_support_other_aspects": entry.may_support_other_aspects,
                "sub-group-sizes": entry.sub_group_sizes,
            })
        };
        let all: serde_json::Map<String, serde_json::Value> =
            config.devices.iter().map(|(name, device)| (name.clone(), entry(device))).collect();
        output.value(&all)?;
    } else {
        output.text(text.trim_end())?;
    }
    Ok(CommandStatus::Fine)
}

fn from_devices(arguments: &ConfigArguments) -> Result<(String, DeviceConfig)> {
    let environment = Environment::from_env();
    let report = Listing::gather(&Seen::from(&environment), &arguments.plugin, &environment);
    let wanted = |device: &&DeviceReport| match &arguments.device {
        Some(words) => device.tag().contains(words) || device.name.contains(words.as_str()),
        None => device.hidden_by.is_none(),
    };
    let devices: Vec<&DeviceReport> = report.devices.iter().filter(wanted).collect();
    if devices.is_empty() {
        let there: Vec<String> =
            report.devices.iter().map(|device| format!("{} {}", device.tag(), device.name)).collect();
        match (&arguments.device, there.as_slice()) {
            (_, []) => bail!("there is no device; \"pi doctor\" says why"),
            (Some(words), _) => bail!("no device is named {words}; the devices are {}", there.join(", ")),
            (None, _) => bail!("every device is hidden by the environment; \"pi ls\" says by what"),
        }
    }
    if arguments.name.is_some() && devices.len() > 1 {
        bail!("{} devices match; choose one with --device", devices.len());
    }
    let mut text = String::new();
    for device in devices {
        text += &entry(device, arguments.name.as_deref());
    }
    let config = DeviceConfig::read("the entry", &text)?;
    Ok((text, config))
}

/// Returns the entry in the format that the filter reads.
fn entry(device: &DeviceReport, name: Option<&str>) -> String {
    let sizes: Vec<String> = device.sub_group_sizes.iter().map(u64::to_string).collect();
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(
        "# {}, {} {}, as {} {} reports it\n{}:\n  aspects: [{}]\n  may_support_other_aspects: false\n  sub-group-sizes: [{}]\n",
        one_line(&device.name),
        one_line(&device.platform),
        one_line(&device.driver_version),
        device.plugin.file_name().unwrap_or_default().to_string_lossy(),
        device.tag(),
        name.map_or_else(|| key(device), str::to_owned),
        device.aspects.join(", "),
        sizes.join(", ")
    )
}

/// Returns a name that needs no quotes in YAML, e.g. `opencl_cpu_0_intel_xeon`.
fn key(device: &DeviceReport) -> String {
    let words = format!("{} {} {} {}", device.backend, device.kind, device.number, device.name);
    let word = |part: &str| part.to_lowercase().trim_matches('_').to_owned();
    let parts = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.map(word).collect::<Vec<_>>().join("_")
}

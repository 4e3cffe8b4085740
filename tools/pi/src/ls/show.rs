//! The report as text.

use std::path::Path;

use anyhow::Result;

use super::report::{DeviceReport, Listing, PluginReport};
use crate::install::PluginState;
use crate::output::{Output, Style, bytes};
use crate::shell;

/// Prints the report: devices, what hides them, and the plugins if that helps. `root` is the named environment.
pub fn show(report: &Listing, verbose: bool, root: Option<&Path>, output: &mut Output) -> Result<()> {
    let (seen, hidden): (Vec<_>, Vec<_>) =
        report.devices.iter().partition(|device| device.hidden_by.is_none());
    if seen.is_empty() {
        let line = match hidden.is_empty() {
            true => "No device.",
            false => "No device remains: all are filtered out.",
        };
        output.line(output.paint(Style::Bad, line))?;
    } else {
        devices(&seen, verbose, output)?;
    }
    if !hidden.is_empty() {
        output.line(format!("\n{}", output.paint(Style::Strong, "Filtered out")))?;
        for device in &hidden {
            let by = device.hidden_by.as_deref().unwrap_or_default();
            let by = output.paint(Style::Warning, by);
            output.hanging(4, &format!("{} {}: {by}", device.tag(), device.name))?;
        }
    }
    for folder in &report.spirv_on_nvidia {
        let line = "installed with --spirv-on-nvidia: its programs see NVIDIA GPUs as Level Zero devices";
        output.hanging(4, &format!("{}: {line}", folder.display()))?;
    }
    filters(report, output)?;
    plugins(report, verbose || report.devices.is_empty(), output)?;
    adapters(report, verbose || report.devices.is_empty(), output)?;
    if verbose {
        platforms(report, output)?;
    } else if report.devices.is_empty() {
        let root = root.map(|root| format!(" {}", shell::path(root))).unwrap_or_default();
        output.line(format!("\nNext: pi doctor{root}"))?;
    }
    Ok(())
}

fn devices(devices: &[&DeviceReport], verbose: bool, output: &mut Output) -> Result<()> {
    if !verbose && output.has_tables() {
        let rows = devices.iter().map(|device| {
            vec![
                device.tag(),
                device.name.clone(),
                short(&device.driver_version),
                device.global_memory.map(bytes).unwrap_or_default(),
                device.compute_units.map(|units| units.to_string()).unwrap_or_default(),
                device.interface.clone(),
            ]
        });
        return output.table(&["Device", "Name", "Driver", "Memory", "Units", "Through"], rows.collect());
    }
    for device in devices {
        let platform =
            if device.platform.is_empty() { String::new() } else { format!("{}, ", device.platform) };
        let line = format!(
            "{} {platform}{} {} [{}]",
            output.paint(Style::Good, device.tag()),
            device.name,
            device.version,
            device.driver_version
        );
        output.hanging(4, &line)?;
        if let Some(pattern) = &device.only_sub_devices {
            output.paragraph("   ", 4, &format!("only its sub-devices {pattern} are seen"))?;
        }
        if verbose {
            details(device, output)?;
        }
    }
    Ok(())
}

fn details(device: &DeviceReport, output: &mut Output) -> Result<()> {
    let number = |value: Option<u64>| value.map(|value| value.to_string());
    let sizes: Vec<String> = device.sub_group_sizes.iter().map(u64::to_string).collect();
    let il = Some(device.il_version.clone()).filter(|il| !il.is_empty());
    // A libsycl that is asked directly reports neither SPIR-V versions nor aspects.
    let no_il = (device.interface != "libsycl").then(|| "no SPIR-V".to_owned());
    let rows = [
        ("vendor", Some(device.vendor.clone())),
        ("plugin", Some(format!("{} ({})", device.plugin.display(), device.interface))),
        ("driver", Some(device.driver_version.clone())),
        ("compute units", number(device.compute_units)),
        ("global memory", device.global_memory.map(bytes)),
        ("local memory", device.local_memory.map(bytes)),
        ("work-group size", device.max_work_group_size.map(|size| format!("up to {size}"))),
        ("sub-group sizes", Some(sizes.join(" ")).filter(|sizes| !sizes.is_empty())),
        ("takes", il.or(no_il)),
        ("aspects", Some(device.aspects.join(" ")).filter(|aspects| !aspects.is_empty())),
    ];
    for (name, value) in rows {
        if let Some(value) = value {
            let head = format!("    {}", output.paint(Style::Faint, format!("{name:16}")));
            output.paragraph(&head, 21, &value)?;
        }
    }
    Ok(())
}

/// Returns the numbers of a driver's version, without a vendor's suffix: `2026.20.3.0.19_160000.xmain-hotfix`.
fn short(version: &str) -> String {
    version.split('_').next().unwrap_or(version).to_owned()
}

fn filters(report: &Listing, output: &mut Output) -> Result<()> {
    for filter in &report.filters {
        output.line(format!("\n{}={}", filter.variable, filter.value))?;
        if let Some(error) = &filter.error {
            output.paragraph(" ", 2, &output.paint(Style::Bad, error))?;
        }
    }
    Ok(())
}

/// Prints all plugins that were tried, or only those that should have loaded and did not.
fn plugins(report: &Listing, all: bool, output: &mut Output) -> Result<()> {
    let broken = |plugin: &&PluginReport| plugin.error.is_some() && (plugin.wanted || !plugin.absent);
    let shown: Vec<&PluginReport> = report.plugins.iter().filter(|plugin| all || broken(plugin)).collect();
    if shown.is_empty() {
        return Ok(());
    }
    output.line(format!("\n{}", output.paint(Style::Strong, "Plugins")))?;
    for plugin in shown {
        let place = format!("{} {} ({})", plugin.backend, plugin.path.display(), plugin.origin);
        let said = match (&plugin.plugin_version, &plugin.error) {
            (Some(version), None) => {
                let functions = plugin.functions.unwrap_or_default();
                output.paint(Style::Good, format!("loaded, version {version}, {functions} functions"))
            }
            _ if plugin.loaded && plugin.why_no_device.is_some() => output.paint(
                Style::Bad,
                format!("no device: {}", plugin.why_no_device.clone().unwrap_or_default()),
            ),
            (_, Some(_)) if plugin.absent => output.paint(Style::Faint, "not there"),
            (_, Some(error)) => output.paint(Style::Bad, error),
            (None, None) => String::new(),
        };
        output.hanging(4, &format!("{place}: {said}"))?;
        if let Some(hint) = &plugin.hint {
            output.paragraph("  to do:", 4, &hint.to_string())?;
        }
    }
    Ok(())
}

/// Prints all adapters, or only those that cannot be asked.
fn adapters(report: &Listing, all: bool, output: &mut Output) -> Result<()> {
    let shown: Vec<_> = report.adapters.iter().filter(|adapter| all || adapter.error.is_some()).collect();
    if shown.is_empty() {
        return Ok(());
    }
    output.line(format!("\n{}", output.paint(Style::Strong, "Adapters (Unified Runtime)")))?;
    for adapter in shown {
        let release =
            adapter.release.as_ref().map(|release| format!(" of DPC++ {release}")).unwrap_or_default();
        let style = if adapter.state == Some(PluginState::Ours) { Style::Good } else { Style::Strong };
        let said = output.paint(style, &adapter.description);
        output.hanging(4, &format!("{} {}{release}: {said}", adapter.backend, adapter.path.display()))?;
        if let Some(error) = &adapter.error {
            let error = output.paint(Style::Warning, error);
            output.paragraph("", 2, &error)?;
        }
    }
    Ok(())
}

fn platforms(report: &Listing, output: &mut Output) -> Result<()> {
    if report.platforms.is_empty() {
        return Ok(());
    }
    output.line(format!("\n{}", output.paint(Style::Strong, "Platforms")))?;
    for platform in &report.platforms {
        output.hanging(4, &format!("{} {}, {}", platform.backend, platform.name, platform.version))?;
        if let Some(error) = &platform.error {
            output.paragraph(" ", 2, &output.paint(Style::Bad, error))?;
        }
    }
    Ok(())
}

//! Plugins and devices: which load, which are visible, which work.

use std::path::PathBuf;

use sycl_pi_loader::Environment;

use super::drivers::intel_runtime;
use super::finding::Finding;
use crate::ls::{DeviceReport, Listing};
use crate::probe;

/// The last driver release family that miscompiles for AVX-512 on other vendors' processors.
const LAST_AFFECTED_DRIVER: u32 = 16;

pub fn check(report: &Listing, environment: &Environment, folders: &[PathBuf], findings: &mut Vec<Finding>) {
    plugins(report, findings);
    for platform in &report.platforms {
        if let Some(error) = &platform.error {
            findings.push(
                Finding::error(format!("{} cannot list its devices: {error}", platform.name))
                    .fix("install that driver again, or remove it"),
            );
        }
    }
    if report.devices.is_empty() {
        findings.push(
            Finding::error("There is no device")
                .why("no plugin that loads has one; programs end with \"No device of requested type available\"")
                .fix("fix the problems above, from the top"),
        );
        return;
    }
    visible(report, findings);
    let spirv = |device: &&DeviceReport| device.backend != "opencl" || device.il_version.contains("SPIR-V");
    if !report.devices.iter().any(|device| spirv(&device)) {
        findings.push(
            Finding::error("No device takes SPIR-V")
                .why("kernels of SYCL programs are SPIR-V: they will not build")
                .fix(intel_runtime(environment, folders).unwrap_or_else(|| {
                    "install a driver that takes it, such as Intel's CPU runtime (pip install intel-opencl-rt)".into()
                })),
        );
    }
    let mut number_in_plugin = 0;
    let mut plugin = None;
    for device in &report.devices {
        if plugin != Some(&device.plugin) {
            (plugin, number_in_plugin) = (Some(&device.plugin), 0);
        }
        one(device, number_in_plugin, spirv(&device), findings);
        number_in_plugin += 1;
        architecture(device, environment, findings);
    }
}

fn plugins(report: &Listing, findings: &mut Vec<Finding>) {
    for plugin in &report.plugins {
        let place = format!("{} plugin {} ({})", plugin.backend, plugin.path.display(), plugin.origin);
        match &plugin.error {
            None => {
                let version = plugin.plugin_version.as_deref().unwrap_or_default();
                findings.push(Finding::ok(format!("{place}: PI {version}")));
            }
            Some(_) if plugin.absent && !plugin.wanted => {}
            Some(error) => {
                let finding = Finding::error(format!("{place} does not load")).why(error.clone());
                let usual = "install it again, or remove it from the environment".to_owned();
                findings.push(finding.fix(plugin.hint.clone().unwrap_or(usual)));
            }
        }
    }
    let loaded =
        |backend: &str| report.plugins.iter().any(|plugin| plugin.loaded && plugin.backend == backend);
    if report.plugins.iter().all(|plugin| !plugin.loaded) {
        findings.push(
            Finding::error("No plugin was found")
                .why("looked in PI_PLUGIN_PATH, beside pi, and by the system's search (pi ls -v names every file)")
                .fix("put libpi_opencl.so beside pi, or its folder into PI_PLUGIN_PATH"),
        );
    } else if !loaded("opencl")
        && report.plugins.iter().all(|plugin| plugin.backend != "opencl" || plugin.absent)
    {
        findings.push(Finding::info("There is no OpenCL plugin; OpenCL devices are not listed"));
    }
}

fn visible(report: &Listing, findings: &mut Vec<Finding>) {
    let (seen, hidden): (Vec<_>, Vec<_>) =
        report.devices.iter().partition(|device| device.hidden_by.is_none());
    let values: Vec<String> =
        report.filters.iter().map(|filter| format!("{}={}", filter.variable, filter.value)).collect();
    if seen.is_empty() {
        let names: Vec<String> =
            hidden.iter().map(|device| format!("{} {}", device.tag(), device.name)).collect();
        findings.push(
            Finding::error(format!("Every device is filtered out by {}", values.join(" ")))
                .why(format!("there would be: {}", names.join(", ")))
                .fix("unset the variable, or name one of them"),
        );
        return;
    }
    for device in hidden {
        let by = device.hidden_by.as_deref().unwrap_or_default();
        findings.push(Finding::info(format!("{} {} is {by}", device.tag(), device.name)));
    }
}

fn one(device: &DeviceReport, number: usize, spirv: bool, findings: &mut Vec<Finding>) {
    let name = format!("{} {} (driver {})", device.tag(), device.name, device.driver_version);
    if !spirv {
        findings.push(
            Finding::warning(format!("{name} takes no SPIR-V"))
                .why("SYCL programs cannot run kernels on it; PoCL 3.1 of Debian 12 is built that way")
                .fix("use another driver for this device, such as Intel's CPU runtime (pip install intel-opencl-rt)"),
        );
    }
    findings.push(match probe::smoke_of(&device.plugin, number) {
        Ok(()) => Finding::ok(format!("{name}: a buffer was written and read back")),
        Err(error) => Finding::error(format!("{name} fails the first test"))
            .why(format!("writing and reading a buffer of 16 bytes, in a process of its own: {error}"))
            .fix("update or reinstall this driver; until then hide the device with ONEAPI_DEVICE_SELECTOR"),
    });
}

fn architecture(device: &DeviceReport, environment: &Environment, findings: &mut Vec<Finding>) {
    let intel = device.kind == "cpu" && device.vendor.contains("Intel");
    let family = device.driver_version.split('.').nth(1).and_then(|family| family.parse().ok());
    let affected = family.is_some_and(|family: u32| family <= LAST_AFFECTED_DRIVER);
    let set = environment.text("CL_CONFIG_CPU_TARGET_ARCH").is_some();
    if intel && affected && !set && super::hardware::is_amd_with_avx512() {
        findings.push(
            Finding::error("This driver miscompiles on this processor")
                .why("Intel's CPU runtime of this age gets conversions of 64-bit integers to floats wrong on AMD \
                      processors with AVX-512")
                .fix("export CL_CONFIG_CPU_TARGET_ARCH=core-avx2, or use a newer intel-opencl-rt"),
        );
    }
}

//! Plugins and devices: which of them load, are visible, and work.

use sycl_pi_loader::Environment;
use sycl_pi_loader::search::SEARCH_PATH_VARIABLE;

use super::drivers::{self, OpenClFound};
use super::finding::{Finding, Severity};
use super::remedy;
use super::variables::unset;
use crate::child::ChildEnvironment;
use crate::install::{PluginState, Seen};
use crate::ls::{DeviceReport, Listing, PluginReport};
use crate::{opencl, probe, shell};

/// The last driver release family that generates wrong AVX-512 code on other vendors' processors.
const LAST_AFFECTED_DRIVER: u32 = 16;

/// The input of the checks of devices.
pub struct Known<'k> {
    pub report: &'k Listing,
    pub environment: &'k Environment,
    pub seen: &'k Seen,
    pub opencl: &'k OpenClFound,
}

/// Returns the names of devices that run no kernel.
pub fn check(known: &Known<'_>, findings: &mut Vec<Finding>) -> Vec<String> {
    let report = known.report;
    plugins(known, findings);
    adapters(known, findings);
    for platform in &report.platforms {
        if let Some(error) = &platform.error {
            // Intel's runtime can be installed from a package. For other drivers the devices can only be hidden.
            let typed = match platform.name.contains("Intel") {
                true => remedy::intel_runtime(known.seen),
                false => remedy::hide(&platform.backend, '*'),
            };
            findings.push(
                Finding::error(format!("{} cannot list its devices: {error}", platform.name), typed)
                    .fix("install that driver again, or hide its devices"),
            );
        }
    }
    if report.devices.is_empty() {
        findings.push(follow_up(none(known), findings));
        return vec![];
    }
    visible(report, findings);
    let spirv = |device: &&DeviceReport| {
        let unknown = device.interface == "libsycl";
        unknown || device.backend != "opencl" || device.il_version.contains("SPIR-V")
    };
    if !report.devices.iter().any(|device| spirv(&device)) {
        let typed = match drivers::in_environment(known.seen, &[]) {
            Some(driver) if opencl::is_told(known.environment) => {
                opencl::typed(&driver, known.opencl.library.as_ref())
            }
            _ => remedy::intel_runtime(known.seen),
        };
        findings.push(
            Finding::error("No device takes SPIR-V", typed)
                .why("kernels of SYCL programs are SPIR-V: they will not build")
                .fix("install or name a driver that accepts it, such as Intel's CPU runtime"),
        );
    }
    let mut bad = Vec::new();
    let mut number_in_plugin = 0;
    let mut plugin = None;
    for device in &report.devices {
        if plugin != Some(&device.plugin) {
            (plugin, number_in_plugin) = (Some(&device.plugin), 0);
        }
        if !one(device, number_in_plugin, spirv(&device), findings) {
            bad.push(device.name.clone());
        }
        number_in_plugin += 1;
        architecture(device, known.environment, findings);
    }
    bad
}

/// Turns an error into a note if the missing OpenCL library or driver that explains it has been reported, or an error with
/// the same line to type.
fn follow_up(finding: Finding, findings: &[Finding]) -> Finding {
    let explains =
        |other: &Finding| other.command == finding.command || other.what.starts_with(drivers::NO_OPENCL);
    match findings.iter().any(|other| other.severity == Severity::Error && explains(other)) {
        true => Finding { severity: Severity::Info, command: None, ..finding },
        false => finding,
    }
}

/// Explains why there is no device, and which command to type.
fn none(known: &Known<'_>) -> Finding {
    let report = known.report;
    let told: Vec<String> = report
        .plugins
        .iter()
        .filter(|plugin| plugin.loaded && plugin.backend == "opencl")
        .filter_map(|plugin| {
            Some(format!("{} says: {}", plugin.path.display(), plugin.why_no_device.as_ref()?))
        })
        .chain(report.adapters.iter().filter_map(|adapter| adapter.error.clone()))
        .collect();
    // The drivers exist, but the vendor's file does not find them.
    let environment = known.opencl.usable.iter().find(|file| drivers::is_in_environment(known.seen, file));
    let vendor = report.adapters.iter().any(|adapter| adapter.state == Some(PluginState::Vendor))
        || report.plugins.iter().any(|plugin| drivers::is_in_environment(known.seen, &plugin.path));
    let root = known.seen.active.first();
    let typed = match (environment, root) {
        (Some(_), Some(root)) if vendor => format!("pi install {}", shell::path(root)),
        (Some(driver), _) => opencl::typed(driver, known.opencl.library.as_ref()),
        (None, _) => remedy::intel_runtime(known.seen),
    };
    let why = if told.is_empty() {
        "no plugin or adapter that opens has one; programs end with \"No device of requested type available\""
            .into()
    } else {
        told.join("; ")
    };
    Finding::error("There is no device", typed).why(why)
}

/// Reports adapters that cannot be queried.
fn adapters(known: &Known<'_>, findings: &mut Vec<Finding>) {
    for adapter in &known.report.adapters {
        let Some(error) = &adapter.error else { continue };
        let what = format!("{} adapter {}: {error}", adapter.backend, adapter.path.display());
        let root = known.seen.active.first().map_or(adapter.path.as_path(), |root| root.as_path());
        let typed = format!("pi install {}", shell::path(root));
        findings.push(match adapter.state {
            Some(PluginState::Ours) => Finding::error(what, typed),
            _ => Finding::warning(what).why("its devices are missing"),
        });
    }
}

/// Returns the command that repairs a plugin that does not load, or that ends a process that queries it.
fn for_plugin(known: &Known<'_>, plugin: &PluginReport) -> String {
    if plugin.origin == SEARCH_PATH_VARIABLE || plugin.origin.starts_with("SYCL_OVERRIDE_PI_") {
        return unset(&plugin.origin);
    }
    match known.seen.active.first() {
        Some(root) if drivers::is_in_environment(known.seen, &plugin.path) => {
            format!("pi install {}", shell::path(root))
        }
        _ => remedy::own_files(known.seen),
    }
}

fn plugins(known: &Known<'_>, findings: &mut Vec<Finding>) {
    let report = known.report;
    for plugin in &report.plugins {
        let place = format!("{} plugin {} ({})", plugin.backend, plugin.path.display(), plugin.origin);
        match &plugin.error {
            None => {
                let Some(version) = &plugin.plugin_version else { continue };
                findings.push(Finding::ok(format!("{place}: PI {version}")));
            }
            Some(_) if plugin.absent && !plugin.wanted => {}
            Some(error) => {
                let finding = Finding::error(format!("{place} does not load"), for_plugin(known, plugin));
                let finding = finding.why(error.clone());
                let usual = "install it again, or remove it from the environment".to_owned();
                findings.push(finding.fix(plugin.hint.clone().unwrap_or(usual)));
            }
        }
    }
    let loaded =
        |backend: &str| report.plugins.iter().any(|plugin| plugin.loaded && plugin.backend == backend);
    if report.adapters.is_empty() && report.plugins.iter().all(|plugin| !plugin.loaded) {
        findings.push(
            Finding::error("No plugin was found", remedy::own_files(known.seen))
                .why("looked in PI_PLUGIN_PATH, next to pi, and by the system's search")
                .fix("put libpi_opencl.so next to pi, or its folder into PI_PLUGIN_PATH"),
        );
    } else if report.adapters.is_empty()
        && !loaded("opencl")
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
        let variables: Vec<&str> = report.filters.iter().map(|filter| filter.variable.as_str()).collect();
        let names: Vec<String> =
            hidden.iter().map(|device| format!("{} {}", device.tag(), device.name)).collect();
        findings.push(
            Finding::error(
                format!("Every device is filtered out by {}", values.join(" ")),
                unset(&variables.join(" ")),
            )
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

/// Tests a device. Returns whether it may run kernels.
fn one(device: &DeviceReport, number: usize, spirv: bool, findings: &mut Vec<Finding>) -> bool {
    let name = format!("{} {} (driver {})", device.tag(), device.name, device.driver_version);
    if !spirv {
        findings.push(without_spirv(&name, &device.vendor, &device.kind));
    }
    if device.interface == "libsycl" {
        // There is no separate file to test.
        return true;
    }
    let layout = device.interface.strip_prefix("UR ");
    let place = match &device.libsycl {
        Some(libsycl) => libsycl.parent().map(ChildEnvironment::of_libsycl).unwrap_or_default(),
        None => ChildEnvironment::default(),
    };
    let hidden = remedy::hide(&device.backend, device.number);
    let tested = probe::smoke_of(&device.plugin, layout, number, &place);
    let works = tested.is_ok();
    findings.push(match tested {
        Ok(true) => Finding::ok(format!(
            "{name}: a buffer was written and read back, and a kernel added two vectors; pi called the {} itself",
            if layout.is_some() { "adapter" } else { "plugin" }
        )),
        Ok(false) => Finding::ok(format!("{name}: a buffer was written and read back; no kernel was run")),
        Err(error) => Finding::error(format!("{name} fails the first test"), hidden)
            .why(format!("in a process of its own: {error}"))
            .fix("update or reinstall this driver; until then hide the device"),
    });
    works && spirv
}

/// Returns the finding about a device whose driver takes no SPIR-V.
fn without_spirv(name: &str, vendor: &str, kind: &str) -> Finding {
    let what = format!("{name} takes no SPIR-V");
    if vendor.contains("NVIDIA") {
        return Finding::info(what)
            .why("SYCL programs use this GPU through its CUDA driver, not through OpenCL");
    }
    let warning = Finding::warning(what).why("SYCL programs cannot run kernels on it");
    if kind == "cpu" {
        warning.fix(
            "install Intel's CPU runtime, or a PoCL with SPIR-V: version 3.1 of Debian 12 is built without",
        )
    } else {
        warning.fix("use another driver for this device, such as Level Zero or rusticl")
    }
}

fn architecture(device: &DeviceReport, environment: &Environment, findings: &mut Vec<Finding>) {
    let affected = is_affected(&device.kind, &device.vendor, &device.driver_version);
    let set = environment.text("CL_CONFIG_CPU_TARGET_ARCH").is_some();
    if affected && !set && super::hardware::is_amd_with_avx512() {
        findings.push(
            Finding::error(
                "This driver miscompiles on this processor",
                "export CL_CONFIG_CPU_TARGET_ARCH=core-avx2",
            )
            .why(
                "Intel's CPU runtime of this age gets conversions of 64-bit integers to floats wrong on AMD \
                      processors with AVX-512",
            )
            .fix("restrict it to AVX2, or use a newer intel-opencl-rt"),
        );
    }
}

/// Returns whether a device's driver generates wrong code for processors of another vendor with AVX-512.
fn is_affected(kind: &str, vendor: &str, driver_version: &str) -> bool {
    let family = driver_version.split('.').nth(1).and_then(|family| family.parse().ok());
    let is_old = family.is_some_and(|family: u32| family <= LAST_AFFECTED_DRIVER);
    kind == "cpu" && vendor.contains("Intel") && is_old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_takes_no_spirv_is_served_by_another_driver_of_its_own_kind() {
        let told = |vendor, kind| {
            let finding = without_spirv("[opencl:0] D", vendor, kind);
            (finding.severity, finding.to_do.unwrap_or_default())
        };
        let (severity, to_do) = told("The pocl project", "cpu");
        assert!(severity == Severity::Warning && to_do.contains("CPU runtime"), "{to_do}");
        // A processor's driver is no replacement for a GPU's.
        let (severity, to_do) = told("Advanced Micro Devices, Inc.", "gpu");
        assert!(severity == Severity::Warning && !to_do.contains("CPU"), "{to_do}");
        assert_eq!(told("NVIDIA Corporation", "gpu"), (Severity::Info, String::new()));
    }

    #[test]
    fn drivers_that_miscompile_are_intels_of_2023_and_before() {
        let intel = "Intel(R) Corporation";
        assert!(
            is_affected("cpu", intel, "2023.16.12.0.12_195853")
                && is_affected("cpu", intel, "2022.14.8.0.04")
        );
        assert!(!is_affected("cpu", intel, "2024.17.3.0.08_160000") && !is_affected("cpu", intel, "3"));
        assert!(!is_affected("gpu", intel, "2023.16.12") && !is_affected("cpu", "The pocl project", "3.1"));
    }

    #[test]
    fn a_missing_driver_and_the_missing_device_are_one_error() {
        let told = |findings: &[Finding]| {
            let finding = follow_up(Finding::error("There is no device", "install"), findings);
            (finding.severity, finding.command)
        };
        let error = (Severity::Error, Some("install".to_owned()));
        let note = (Severity::Info, None);
        assert_eq!(told(&[]), error);
        assert_eq!(told(&[Finding::error("There is no OpenCL driver", "unset VARIABLE")]), note);
        assert_eq!(told(&[Finding::error("There is no OpenCL library (libOpenCL.so.1)", "apt")]), note);
        assert_eq!(told(&[Finding::error("A plugin does not load", "install")]), note);
        assert_eq!(told(&[Finding::error("A plugin does not load", "build")]), error);
        assert_eq!(told(&[Finding::info("There is no OpenCL plugin")]), error);
    }
}

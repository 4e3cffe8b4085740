//! Checks the variables for malformed filters, misspelt names and missing files.

use std::path::Path;

use sycl_pi_loader::filter::{self, Filters, edit_distance};
use sycl_pi_loader::search::SEARCH_PATH_VARIABLE;
use sycl_pi_loader::{Backend, Environment};

use super::finding::Finding;

/// Variables that users set by hand, and may misspell.
const KNOWN: [&str; 31] = [
    "ONEAPI_DEVICE_SELECTOR",
    "SYCL_DEVICE_FILTER",
    "SYCL_DEVICE_ALLOWLIST",
    "SYCL_OVERRIDE_PI_OPENCL",
    "SYCL_OVERRIDE_PI_LEVEL_ZERO",
    "SYCL_OVERRIDE_PI_CUDA",
    "SYCL_OVERRIDE_PI_HIP",
    "SYCL_PI_TRACE",
    "SYCL_UR_TRACE",
    "SYCL_UR_USE_LEVEL_ZERO_V2",
    "UR_ADAPTERS_FORCE_LOAD",
    "UR_ADAPTERS_SEARCH_PATH",
    "UR_ENABLE_LAYERS",
    "UR_LOADER_PRELOAD_FILTER",
    "UR_LOADER_USE_LEVEL_ZERO_V2",
    "UR_LOG_LOADER",
    "SYCL_CACHE_PERSISTENT",
    "SYCL_CACHE_DIR",
    "SYCL_CACHE_TRACE",
    "SYCL_CACHE_MAX_SIZE",
    "SYCL_CACHE_THRESHOLD",
    "SYCL_PROGRAM_COMPILE_OPTIONS",
    "SYCL_PROGRAM_LINK_OPTIONS",
    "OCL_ICD_FILENAMES",
    "OCL_ICD_VENDORS",
    "OPENCL_VENDOR_PATH",
    "CL_CONFIG_CPU_TARGET_ARCH",
    "PI_NVVM",
    "PI_NVVM_COMPILER",
    "PI_CUDA_AS",
    SEARCH_PATH_VARIABLE,
];
const PREFIXES: [&str; 7] = ["SYCL", "UR_", "ONEAPI", "OCL_", "OPENCL_", "CL_CONFIG", "PI_"];

pub fn check(environment: &Environment, findings: &mut Vec<Finding>) {
    for error in Filters::from_environment(environment).1 {
        findings.push(
            Finding::error(
                error.to_string(),
                unset(error.to_string().split(['=', ':', ' ']).next().unwrap_or_default()),
            )
            .why("programs end with an exception when they first look for a device")
            .fix("correct the variable, or unset it"),
        );
    }
    let set = |name| environment.text(name).is_some();
    match (set(filter::SELECTOR_VARIABLE), set(filter::FILTER_VARIABLE)) {
        (true, true) => findings.push(
            Finding::error(
                "ONEAPI_DEVICE_SELECTOR and SYCL_DEVICE_FILTER are both set",
                unset("SYCL_DEVICE_FILTER"),
            )
            .why("releases from 2023.1 on refuse to run with both; earlier ones know the second only"),
        ),
        (false, true) => findings.push(
            Finding::warning("SYCL_DEVICE_FILTER is deprecated")
                .why("releases from 2023.1 on warn about it; 2025 and later do not know it")
                .fix("set ONEAPI_DEVICE_SELECTOR instead, such as opencl:cpu"),
        ),
        _ => {}
    }
    for legacy in ["SYCL_BE", "SYCL_DEVICE_TYPE"].into_iter().filter(|name| set(name)) {
        findings.push(
            Finding::warning(format!("{legacy} is no longer read"))
                .fix("set ONEAPI_DEVICE_SELECTOR instead, such as opencl:cpu"),
        );
    }
    for backend in Backend::ALL {
        let variable = backend.override_variable();
        let Some(file) = environment.text(variable) else { continue };
        if file.contains('/') && !Path::new(&file).exists() {
            findings.push(
                Finding::error(format!("{variable} names {file}, which does not exist"), unset(variable))
                    .why(format!("programs open that file only: {backend} has no device then"))
                    .fix("correct the variable, or unset it"),
            );
        }
    }
    misspelt(environment, findings);
}

/// Returns the command that unsets a variable.
pub fn unset(variable: &str) -> String {
    format!("unset {variable}")
}

fn misspelt(environment: &Environment, findings: &mut Vec<Finding>) {
    for name in environment.names() {
        let ours = PREFIXES.iter().any(|prefix| name.to_ascii_uppercase().starts_with(prefix));
        if !ours || KNOWN.contains(&name.as_str()) {
            continue;
        }
        let close = |known: &&&str| edit_distance(known, &name.to_ascii_uppercase()) <= 2;
        if let Some(meant) = KNOWN.iter().find(close) {
            findings.push(
                Finding::warning(format!("{name} looks misspelt"))
                    .why("nothing reads a variable of that name")
                    .fix(format!("did you mean {meant}?")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pairs: &[(&str, &str)]) -> Vec<String> {
        let mut findings = Vec::new();
        check(&Environment::from_pairs(pairs.iter().copied()), &mut findings);
        findings.into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn what_is_told() {
        assert!(texts(&[("HOME", "/root"), ("ONEAPI_DEVICE_SELECTOR", "opencl:*")]).is_empty());
        assert!(texts(&[("ONEAPI_DEVICE_SELECTOR", "gpu")])[0].contains("needs a backend"));
        assert!(texts(&[("ONEAPI_DEVICE_SELECTORS", "*:gpu")])[0].contains("misspelt"));
        assert!(texts(&[("UR_ADAPTER_FORCE_LOAD", "/a.so")])[0].contains("misspelt"));
        assert!(texts(&[("oneapi_device_selector", "*:gpu")])[0].contains("misspelt"));
        let both = [("ONEAPI_DEVICE_SELECTOR", "*:*"), ("SYCL_DEVICE_FILTER", "cpu")];
        assert!(texts(&both)[0].contains("both set"));
        assert!(texts(&[("SYCL_OVERRIDE_PI_CUDA", "/no/such.so")])[0].contains("does not exist"));
        assert!(texts(&[("SYCL_BE", "PI_OPENCL")])[0].contains("no longer read"));
        assert!(texts(&[("SYCL_DEVICE_TYPE", "CPU")])[0].contains("SYCL_DEVICE_TYPE is no longer read"));
        // The system searches for a name without a folder.
        assert!(texts(&[("SYCL_OVERRIDE_PI_CUDA", "libno_such.so")]).is_empty());
        // Two letters more are a mistake, three another name.
        assert!(texts(&[("ONEAPI_DEVICE_SELECTORXY", "*:gpu")])[0].contains("misspelt"));
        assert!(texts(&[("ONEAPI_DEVICE_SELECTORXYZ", "*:gpu")]).is_empty());
    }
}

//! Any text as `ONEAPI_DEVICE_SELECTOR`, `SYCL_DEVICE_FILTER` and `SYCL_DEVICE_ALLOWLIST`, and the devices that remain.

use sycl_pi_loader::filter::{
    ALLOWLIST_VARIABLE, DeviceId, FILTER_VARIABLE, Filters, SELECTOR_VARIABLE, Selector, Verdict,
};
use sycl_pi_loader::{DeviceInfo, DeviceType, Environment, PlatformInfo};

const KINDS: [DeviceType; 4] =
    [DeviceType::Cpu, DeviceType::Gpu, DeviceType::Accelerator, DeviceType::Custom];

pub(crate) fn run(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (platform, device) = info();
    for variable in [SELECTOR_VARIABLE, FILTER_VARIABLE, ALLOWLIST_VARIABLE] {
        let (filters, errors) = Filters::from_environment(&Environment::from_pairs([(variable, text)]));
        assert!(errors.iter().all(|error| error.to_string().contains(variable)), "{errors:?}");
        assert!(errors.is_empty() || filters.is_empty(), "a text with an error filters");
        for (number, kind) in KINDS.into_iter().enumerate() {
            for backend in ["opencl", "cuda"] {
                let id = DeviceId { backend, kind, number: number as u32 };
                if let Some(hidden) = filters.hides(id, &platform, &device) {
                    assert_eq!(hidden.variable, variable);
                }
                let _ = filters.only_sub_devices(id);
            }
        }
    }
    let Ok(selector) = Selector::parse(text) else { return };
    let written: Vec<&str> = selector.terms().iter().map(|term| term.text()).collect();
    let again = Selector::parse(&written.join(";")).expect("a selector's own terms can be read");
    let id = DeviceId { backend: "opencl", kind: DeviceType::Cpu, number: 0 };
    assert_eq!(selector.verdict(id), again.verdict(id));
    if let Verdict::Discarded(term) = selector.verdict(id) {
        assert!(written.contains(&term.as_str()));
    }
}

/// Returns a device, whose properties are matched against patterns.
fn info() -> (PlatformInfo, DeviceInfo) {
    let text = str::to_owned;
    let platform =
        PlatformInfo { name: text("A platform"), vendor: text("V"), version: text("OpenCL 3.0 LINUX") };
    let device = DeviceInfo {
        kind: DeviceType::Cpu,
        name: text("A device (tm) @ 2.0GHz"),
        vendor: text("V"),
        vendor_id: Some(0x8086),
        version: text("OpenCL 3.0 (Build 0)"),
        driver_version: text("2023.16.12.0.12_195853.xmain-hotfix"),
        global_memory: None,
        local_memory: None,
        ip_version: None,
        compute_units: None,
        max_work_group_size: None,
        sub_group_sizes: Vec::new(),
        il_version: String::new(),
        extensions: Vec::new(),
        aspects: Vec::new(),
    };
    (platform, device)
}

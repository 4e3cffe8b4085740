//! Options that compilers leave for the runtime to translate, because drivers do not know them.

use std::borrow::Cow;

use sycl_pi_loader::{DeviceInfo, DeviceType};

/// Translates the options for the device's driver.
///
/// - `-ftarget-register-alloc-mode=DEVICE:OPTION` (in every image of DPC++ since 2024) becomes OPTION for that device,
///   and nothing for others. The compiler knows one such device, `pvc`.
/// - `-ftarget-compile-fast` makes GPUs compile faster and changes no result.
pub(super) fn for_device<'o>(options: &'o str, device: &DeviceInfo) -> Cow<'o, str> {
    const REGISTERS: &str = "-ftarget-register-alloc-mode=";
    const FAST: &str = "-ftarget-compile-fast";
    if !options.contains(REGISTERS) && !options.contains(FAST) {
        return Cow::Borrowed(options);
    }
    let translated = options.split(' ').filter_map(|option| {
        if let Some(mode) = option.strip_prefix(REGISTERS) {
            let (name, option) = mode.split_once(':')?;
            return (name == "pvc" && is_pvc(device)).then_some(option);
        }
        let fast = (device.kind == DeviceType::Gpu)
            .then_some("-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000'");
        if option == FAST { fast } else { Some(option) }
    });
    Cow::Owned(translated.filter(|option| !option.is_empty()).collect::<Vec<_>>().join(" "))
}

/// Returns whether a device belongs to the Data Center GPU Max series, "Ponte Vecchio". Drivers name some of these only
/// by their number.
fn is_pvc(device: &DeviceInfo) -> bool {
    let is = |part: &str| device.name.contains(part);
    device.kind == DeviceType::Gpu && is("Intel") && (is("Data Center GPU Max") || is("[0x0b"))
}

#[cfg(test)]
mod tests {
    use super::super::made_up::silent;
    use super::*;

    fn device(kind: DeviceType, name: &str) -> DeviceInfo {
        DeviceInfo { name: name.into(), ..silent(kind) }
    }

    #[test]
    fn register_modes_are_for_their_device() {
        let options =
            "-cl-opt-disable -ftarget-register-alloc-mode=pvc:-ze-intel-enable-auto-large-GRF-mode -g";
        let of = |kind, name: &str| for_device(options, &device(kind, name)).into_owned();
        assert_eq!(of(DeviceType::Cpu, "Intel(R) Xeon(R)"), "-cl-opt-disable -g");
        assert_eq!(of(DeviceType::Gpu, "Intel(R) Arc(TM) A770 Graphics"), "-cl-opt-disable -g");
        let all = "-cl-opt-disable -ze-intel-enable-auto-large-GRF-mode -g";
        assert_eq!(of(DeviceType::Gpu, "Intel(R) Data Center GPU Max 1100"), all);
        assert_eq!(of(DeviceType::Gpu, "Intel(R) Graphics [0x0bd5]"), all);
        assert_eq!(for_device("-a  -b", &device(DeviceType::Cpu, "")), "-a  -b");
    }

    #[test]
    fn compiling_fast_is_for_gpus() {
        assert_eq!(for_device("-ftarget-compile-fast -g", &device(DeviceType::Cpu, "")), "-g");
        let gpu = for_device("-ftarget-compile-fast", &device(DeviceType::Gpu, "")).into_owned();
        assert!(gpu.starts_with("-igc_opts "));
    }
}

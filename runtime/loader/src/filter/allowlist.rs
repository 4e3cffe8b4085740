//! `SYCL_DEVICE_ALLOWLIST`, which selects devices by their properties: `Key:value,Key:{{regular expression}}|...`.

use regex_lite::Regex;

use super::device_id::DeviceId;
use crate::{DeviceInfo, DeviceType, PlatformInfo};

/// A parsed list: a device is visible if all properties of some entry match.
#[derive(Clone, Debug)]
pub struct AllowList {
    entries: Vec<Vec<Property>>,
}

#[derive(Clone, Debug)]
struct Property {
    key: AllowListKey,
    value: Regex,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AllowListKey {
    BackendName,
    DeviceType,
    DeviceVendorId,
    DriverVersion,
    PlatformVersion,
    DeviceName,
    PlatformName,
}

const KEYS: [(&str, AllowListKey); 7] = [
    ("BackendName", AllowListKey::BackendName),
    ("DeviceType", AllowListKey::DeviceType),
    ("DeviceVendorId", AllowListKey::DeviceVendorId),
    ("DriverVersion", AllowListKey::DriverVersion),
    ("PlatformVersion", AllowListKey::PlatformVersion),
    ("DeviceName", AllowListKey::DeviceName),
    ("PlatformName", AllowListKey::PlatformName),
];

/// A list that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("SYCL_DEVICE_ALLOWLIST: at \"{at}\": {problem}")]
pub struct AllowListError {
    /// The position in the text.
    pub at: String,
    /// The problem.
    pub problem: String,
}

impl AllowList {
    /// Parses a list.
    ///
    /// # Errors
    /// The error gives the position in the text and the problem.
    pub fn parse(text: &str) -> Result<Self, AllowListError> {
        let mut entries = vec![Vec::new()];
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (property, after) = read_property(rest)?;
            if let Some(entry) = entries.last_mut() {
                entry.push(property);
            }
            rest = match after.chars().next() {
                None => "",
                Some(',') => after.get(1..).unwrap_or_default(),
                Some('|') => {
                    entries.push(Vec::new());
                    after.get(1..).unwrap_or_default()
                }
                Some(_) => return Err(error(after, "expected \",\" or \"|\"")),
            };
        }
        entries.retain(|entry| !entry.is_empty());
        Ok(Self { entries })
    }

    /// Returns whether the device is visible.
    pub fn accepts(&self, id: DeviceId<'_>, platform: &PlatformInfo, device: &DeviceInfo) -> bool {
        let value = |key| match key {
            AllowListKey::BackendName => id.backend.to_owned(),
            AllowListKey::DeviceType if id.kind == DeviceType::Accelerator => "acc".to_owned(),
            AllowListKey::DeviceType => id.kind.name().to_owned(),
            AllowListKey::DeviceVendorId => format!("0x{:x}", device.vendor_id.unwrap_or_default()),
            AllowListKey::DriverVersion => device.driver_version.clone(),
            AllowListKey::PlatformVersion => platform.version.clone(),
            AllowListKey::DeviceName => device.name.clone(),
            AllowListKey::PlatformName => platform.name.clone(),
        };
        let holds = |property: &Property| property.value.is_match(&value(property.key));
        self.entries.iter().any(|entry| entry.iter().all(holds))
    }
}

fn read_property(text: &str) -> Result<(Property, &str), AllowListError> {
    let (key, rest) = text.split_once(':').ok_or_else(|| error(text, "expected Key:value"))?;
    let known = KEYS.iter().find(|(name, _)| *name == key.trim());
    let Some((_, key)) = known else {
        let names: Vec<&str> = KEYS.iter().map(|(name, _)| *name).collect();
        return Err(error(key, &format!("unknown key; the keys are {}", names.join(", "))));
    };
    let (pattern, after) = match rest.strip_prefix("{{") {
        Some(inner) => {
            let parts = inner.split_once("}}");
            let (pattern, after) = parts.ok_or_else(|| error(rest, "\"{{\" has no \"}}\""))?;
            (format!("^(?:{pattern})$"), after)
        }
        None => {
            let end = rest.find([',', '|']).unwrap_or(rest.len());
            let (value, after) = rest.split_at(end);
            (format!("^{}$", regex_lite::escape(value.trim())), after)
        }
    };
    let value = Regex::new(&pattern).map_err(|reason| error(rest, &reason.to_string()))?;
    Ok((Property { key: *key, value }, after))
}

fn error(at: &str, problem: &str) -> AllowListError {
    AllowListError { at: at.into(), problem: problem.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(list: &str) -> bool {
        accepts_kind(list, DeviceType::Cpu)
    }

    fn accepts_kind(list: &str, kind: DeviceType) -> bool {
        let platform = PlatformInfo {
            name: "Intel(R) OpenCL".into(),
            vendor: "Intel".into(),
            version: "OpenCL 3.0".into(),
        };
        let device =
            DeviceInfo { driver_version: "2024.16.1.0".into(), ..crate::filter::tests::device(kind) };
        let id = DeviceId { backend: "opencl", kind, number: 0 };
        AllowList::parse(list).unwrap().accepts(id, &platform, &device)
    }

    #[test]
    fn entries_and_properties() {
        assert!(accepts("BackendName:opencl"));
        assert!(accepts("BackendName:opencl,DeviceType:cpu,DeviceVendorId:0x8086"));
        assert!(accepts("DeviceType:gpu|DriverVersion:{{2024\\..*}}"));
        assert!(accepts("PlatformName:{{Intel\\(R\\) OpenCL}}"));
        assert!(!accepts("DriverVersion:{{2024}}"));
        assert!(!accepts("BackendName:opencl,DeviceType:gpu"));
        // Without braces it is no pattern.
        assert!(accepts("PlatformName:Intel(R) OpenCL"));
        assert!(!accepts("PlatformName:Intel.R. OpenCL"));
    }

    /// An entry without properties would fit every device.
    #[test]
    fn a_list_may_end_with_a_separator() {
        assert!(accepts("DeviceType:cpu|"));
        assert!(!accepts("DeviceType:gpu|"));
        assert!(!accepts("DeviceType:gpu,"));
        assert!(!accepts(""));
    }

    #[test]
    fn accelerators_are_written_acc() {
        assert!(accepts_kind("DeviceType:acc", DeviceType::Accelerator));
        assert!(!accepts_kind("DeviceType:accelerator", DeviceType::Accelerator));
        assert!(!accepts_kind("DeviceType:acc", DeviceType::Gpu));
    }

    #[test]
    fn each_alternative_of_a_pattern_has_to_fit_the_whole_value() {
        for part in ["2024|x", "x|1\\.0", "2024|16"] {
            assert!(!accepts(&format!("DriverVersion:{{{{{part}}}}}")), "{part}");
        }
        assert!(accepts("DriverVersion:{{x|2024\\.16\\.1\\.0}}"));
    }

    #[test]
    fn errors() {
        assert!(AllowList::parse("Backend:opencl").unwrap_err().problem.contains("BackendName"));
        assert!(AllowList::parse("DeviceName:{{abc").unwrap_err().problem.contains("}}"));
        assert!(AllowList::parse("DeviceName:{{a(}}").is_err());
        assert!(AllowList::parse("nothing").is_err());
        assert!(AllowList::parse("DeviceName:{{a}}x").is_err());
    }
}

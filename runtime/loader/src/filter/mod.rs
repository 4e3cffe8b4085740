//! Determines which devices the environment's variables leave visible, and which variable hides the others.
//!
//! Devices are numbered per backend before anything is filtered, so a number refers to the same device with every
//! filter.

mod allowlist;
mod device_id;
mod legacy;
mod names;
mod selector;

use std::fmt;

pub use allowlist::{AllowList, AllowListError};
pub use device_id::DeviceId;
pub use legacy::{DeviceFilter, DeviceFilterError};
pub use names::distance as edit_distance;
pub use selector::{Selector, SelectorError, Term, Verdict};

use crate::{DeviceInfo, Environment, PlatformInfo};

/// The current variable.
pub const SELECTOR_VARIABLE: &str = "ONEAPI_DEVICE_SELECTOR";
/// The previous variable, deprecated since release 2023.1. Earlier releases know only this one.
pub const FILTER_VARIABLE: &str = "SYCL_DEVICE_FILTER";
/// The variable that selects devices by their properties.
pub const ALLOWLIST_VARIABLE: &str = "SYCL_DEVICE_ALLOWLIST";

/// The reason why a device is hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hidden {
    /// The variable that hides it.
    pub variable: &'static str,
    /// The part of its value that hides the device; `None` if no part names the device.
    pub by: Option<String>,
}

impl fmt::Display for Hidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            Some(term) => write!(f, "discarded by \"{term}\" of {}", self.variable),
            None => write!(f, "not named by {}", self.variable),
        }
    }
}

/// A variable that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// `ONEAPI_DEVICE_SELECTOR`.
    #[error(transparent)]
    Selector(#[from] SelectorError),
    /// `SYCL_DEVICE_FILTER`.
    #[error(transparent)]
    Filter(#[from] DeviceFilterError),
    /// `SYCL_DEVICE_ALLOWLIST`.
    #[error(transparent)]
    AllowList(#[from] AllowListError),
}

/// The filters of an environment.
#[derive(Debug, Default)]
pub struct Filters {
    selector: Option<Selector>,
    filter: Option<DeviceFilter>,
    allowlist: Option<AllowList>,
}

impl Filters {
    /// Reads the three variables. A variable that cannot be read filters nothing, and its error is returned along with
    /// the filters.
    pub fn from_environment(environment: &Environment) -> (Self, Vec<FilterError>) {
        let mut errors = Vec::new();
        let text = |name| environment.text(name);
        let filters = Self {
            selector: text(SELECTOR_VARIABLE).and_then(|t| keep(Selector::parse(&t), &mut errors)),
            filter: text(FILTER_VARIABLE).and_then(|t| keep(DeviceFilter::parse(&t), &mut errors)),
            allowlist: text(ALLOWLIST_VARIABLE).and_then(|t| keep(AllowList::parse(&t), &mut errors)),
        };
        (filters, errors)
    }

    /// Returns whether no variable filters anything.
    pub fn is_empty(&self) -> bool {
        self.selector.is_none() && self.filter.is_none() && self.allowlist.is_none()
    }

    /// Returns the reason why the device is hidden, or `None` if it is visible.
    pub fn hides(&self, id: DeviceId<'_>, platform: &PlatformInfo, device: &DeviceInfo) -> Option<Hidden> {
        let not_named = |variable| Hidden { variable, by: None };
        if let Some(selector) = &self.selector {
            match selector.verdict(id) {
                Verdict::Accepted | Verdict::OnlySubDevices(_) => {}
                Verdict::NotNamed => return Some(not_named(SELECTOR_VARIABLE)),
                Verdict::Discarded(term) => {
                    return Some(Hidden { variable: SELECTOR_VARIABLE, by: Some(term) });
                }
            }
        }
        if self.filter.as_ref().is_some_and(|filter| !filter.accepts(id)) {
            return Some(not_named(FILTER_VARIABLE));
        }
        let listed = |list: &AllowList| list.accepts(id, platform, device);
        if self.allowlist.as_ref().is_some_and(|list| !listed(list)) {
            return Some(not_named(ALLOWLIST_VARIABLE));
        }
        None
    }

    /// Returns the sub-devices that replace the device, as the selector writes them.
    pub fn only_sub_devices(&self, id: DeviceId<'_>) -> Option<String> {
        match self.selector.as_ref()?.verdict(id) {
            Verdict::OnlySubDevices(pattern) => Some(pattern),
            _ => None,
        }
    }
}

fn keep<T, E: Into<FilterError>>(parsed: Result<T, E>, errors: &mut Vec<FilterError>) -> Option<T> {
    parsed.map_err(|error| errors.push(error.into())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceType;

    fn platform() -> PlatformInfo {
        PlatformInfo { name: "A platform".into(), vendor: "Intel".into(), version: "OpenCL 3.0".into() }
    }

    pub(super) fn device(kind: DeviceType) -> DeviceInfo {
        DeviceInfo {
            kind,
            name: "A device".into(),
            vendor: "Intel".into(),
            vendor_id: Some(0x8086),
            version: "OpenCL 3.0".into(),
            driver_version: "1.2".into(),
            global_memory: None,
            local_memory: None,
            ip_version: None,
            compute_units: None,
            max_work_group_size: None,
            sub_group_sizes: vec![],
            il_version: String::new(),
            extensions: vec![],
            aspects: vec![],
        }
    }

    /// Returns the reasons why an OpenCL processor and an OpenCL GPU, in this order, are hidden by these variables.
    fn hidden(variables: &[(&str, &str)]) -> [String; 2] {
        let (filters, errors) =
            Filters::from_environment(&Environment::from_pairs(variables.iter().copied()));
        assert_eq!(errors, []);
        [(DeviceType::Cpu, 0), (DeviceType::Gpu, 1)].map(|(kind, number)| {
            let id = DeviceId { backend: "opencl", kind, number };
            filters.hides(id, &platform(), &device(kind)).map(|hidden| hidden.to_string()).unwrap_or_default()
        })
    }

    #[test]
    fn each_variable_hides_and_is_named() {
        assert_eq!(hidden(&[]), ["", ""]);
        // An empty value counts as unset.
        assert_eq!(
            hidden(&[(SELECTOR_VARIABLE, ""), (FILTER_VARIABLE, ""), (ALLOWLIST_VARIABLE, "")]),
            ["", ""]
        );
        assert_eq!(hidden(&[(SELECTOR_VARIABLE, "opencl:cpu")]), ["", "not named by ONEAPI_DEVICE_SELECTOR"]);
        assert_eq!(
            hidden(&[(SELECTOR_VARIABLE, "!opencl:gpu")]),
            ["", "discarded by \"!opencl:gpu\" of ONEAPI_DEVICE_SELECTOR"]
        );
        assert_eq!(hidden(&[(FILTER_VARIABLE, "opencl:1")]), ["not named by SYCL_DEVICE_FILTER", ""]);
        assert_eq!(
            hidden(&[(ALLOWLIST_VARIABLE, "DeviceType:gpu")]),
            ["not named by SYCL_DEVICE_ALLOWLIST", ""]
        );
        // A device must pass every filter.
        let both = hidden(&[(SELECTOR_VARIABLE, "opencl:cpu"), (FILTER_VARIABLE, "gpu")]);
        assert_eq!(both, ["not named by SYCL_DEVICE_FILTER", "not named by ONEAPI_DEVICE_SELECTOR"]);
    }

    #[test]
    fn a_variable_that_cannot_be_read_filters_nothing() {
        let (filters, errors) = Filters::from_environment(&Environment::from_pairs([
            (SELECTOR_VARIABLE, "opncl:cpu"),
            (FILTER_VARIABLE, "x"),
            (ALLOWLIST_VARIABLE, "x"),
        ]));
        assert!(filters.is_empty());
        let names: Vec<_> = errors
            .iter()
            .map(|error| error.to_string().split(':').next().unwrap_or_default().to_owned())
            .collect();
        assert_eq!(names, [SELECTOR_VARIABLE, FILTER_VARIABLE, ALLOWLIST_VARIABLE]);
        for variable in
            [(SELECTOR_VARIABLE, "*:*"), (FILTER_VARIABLE, "*"), (ALLOWLIST_VARIABLE, "DeviceType:cpu")]
        {
            assert!(
                !Filters::from_environment(&Environment::from_pairs([variable])).0.is_empty(),
                "{variable:?}"
            );
        }
    }

    #[test]
    fn sub_devices_stand_in_a_devices_place() {
        let only = |selector: &str| {
            let (filters, _) =
                Filters::from_environment(&Environment::from_pairs([(SELECTOR_VARIABLE, selector)]));
            let id = DeviceId { backend: "opencl", kind: DeviceType::Cpu, number: 0 };
            assert_eq!(filters.hides(id, &platform(), &device(DeviceType::Cpu)), None);
            filters.only_sub_devices(id)
        };
        assert_eq!(only("opencl:0.*").as_deref(), Some("0.*"));
        assert_eq!(only("opencl:0"), None);
    }
}

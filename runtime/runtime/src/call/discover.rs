//! Finds the devices that the environment offers. These are the devices of all plugins that the search finds, unless
//! selector variables hide them.

use sycl_pi_loader::filter::{DeviceId, Filters};
use sycl_pi_loader::{Environment, LoadError};

use super::{Device, Plugin};
use crate::error::{Error, Result};

/// The devices that a search found, and the reasons why others were not found.
#[derive(Debug, Default)]
pub struct Discovery {
    devices: Vec<Device>,
    tried: Vec<String>,
}

impl Discovery {
    /// Searches for the plugins of every backend in this process's environment: in the folders of `PI_PLUGIN_PATH`,
    /// next to the program, and where the system's loader searches. `ONEAPI_DEVICE_SELECTOR` and the older variables
    /// then select devices.
    ///
    /// Like the system's loader, this trusts the process's environment to name libraries that are safe to run.
    ///
    /// # Errors
    /// Fails if a selector variable is malformed; the error names the term and what was probably meant.
    pub fn from_env() -> Result<Self> {
        // SAFETY: the environment of a process names libraries that are safe to load.
        unsafe { Self::in_environment(&Environment::from_env()) }
    }

    /// Searches in a given environment.
    ///
    /// # Errors
    /// Returns the errors of [`from_env`](Self::from_env).
    ///
    /// # Safety
    /// The requirements of [`Plugin::open`] apply to every file that the environment names.
    pub unsafe fn in_environment(environment: &Environment) -> Result<Self> {
        let (filters, errors) = Filters::from_environment(environment);
        if let Some(error) = errors.first() {
            return Err(error.clone().into());
        }
        let mut found = Self::default();
        for backend in sycl_pi_loader::Backend::ALL {
            // SAFETY: the caller trusts the files that the environment names.
            for attempt in unsafe { sycl_pi_loader::discover(backend, environment) } {
                let (path, origin) = (attempt.candidate.path.display().to_string(), attempt.candidate.origin);
                match attempt.outcome {
                    Ok(plugin) => found.add_devices(backend.name(), Plugin::new(plugin), &filters),
                    // No plugin exists in this place.
                    Err(error @ LoadError::NotFound { .. }) => {
                        found.tried.push(format!("{error} ({origin})"))
                    }
                    Err(error) => {
                        let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
                        found.tried.push(format!("{path} ({origin}): {error}{hint}"));
                    }
                }
            }
        }
        Ok(found)
    }

    fn add_devices(&mut self, name: &str, plugin: Plugin, filters: &Filters) {
        let path = plugin.loaded().path.display();
        let platforms = match plugin.platforms() {
            Ok(platforms) => platforms,
            Err(error) => return self.tried.push(format!("{path}: {error}")),
        };
        let mut number = 0;
        for platform in &platforms {
            for device in platform.devices() {
                let id = DeviceId { backend: name, kind: device.info().kind, number };
                number += 1;
                let named = format!("{name}:{}: {}", id.number, device.info().name);
                if let Some(hidden) = filters.hides(id, platform.info(), device.info()) {
                    self.tried.push(format!("{named} is {hidden}"));
                } else if let Some(pattern) = filters.only_sub_devices(id) {
                    match device.sub_devices(&pattern) {
                        Ok(parts) if parts.is_empty() => {
                            self.tried.push(format!("{named} has no sub-device {pattern}"));
                        }
                        Ok(parts) => self.devices.extend(parts),
                        Err(error) => self.tried.push(format!("{named}: {pattern}: {error}")),
                    }
                } else {
                    self.devices.push(device.clone());
                }
            }
        }
        if number == 0 {
            self.tried.push(format!("{path} offers no device{}", plugin.reason()));
        }
    }

    /// Returns the devices, in the order of backends and platforms.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// Returns the files and devices that were rejected, each with the reason.
    pub fn tried(&self) -> &[String] {
        &self.tried
    }

    /// Returns a device by its index among those found.
    ///
    /// # Errors
    /// Fails if fewer devices were found; the error lists what was tried.
    pub fn device(&self, number: usize) -> Result<Device> {
        self.devices.get(number).cloned().ok_or_else(|| {
            let count = self.devices.len();
            let mut text = match count {
                0 => "none was found".to_owned(),
                _ => format!("number {number} was asked for, {count} were found"),
            };
            for line in &self.tried {
                text.push_str("\n  ");
                text.push_str(line);
            }
            Error::NoDevice(text)
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn no_device_says_that_none_was_found_and_what_was_tried() {
        let tried = vec!["libpi_opencl.so: not there".into(), "libpi_cuda.so: no plugin".into()];
        let nothing = Discovery { devices: Vec::new(), tried };
        let error = nothing.device(0).unwrap_err().to_string();
        let lines = "none was found\n  libpi_opencl.so: not there\n  libpi_cuda.so: no plugin";
        assert!(error.ends_with(lines), "{error}");
    }
}

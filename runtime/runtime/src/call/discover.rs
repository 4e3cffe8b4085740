//! Devices that the environment offers: all plugins that a search finds, less what selector variables hide.

use sycl_pi_loader::filter::{DeviceId, Filters};
use sycl_pi_loader::{Environment, LoadError};

use super::{Backend, Device};
use crate::error::{Error, Result};

/// What was found, and for all that was not, why.
#[derive(Debug, Default)]
pub struct Discovery {
    devices: Vec<Device>,
    tried: Vec<String>,
}

impl Discovery {
    /// Looks through the plugins of every backend in the environment of this process: `PI_PLUGIN_PATH`, beside the program,
    /// the system's search; then `ONEAPI_DEVICE_SELECTOR` and the older variables.
    ///
    /// # Errors
    /// A selector variable cannot be read: which term, why, and what was probably meant.
    pub fn of_process() -> Result<Self> {
        Self::of(&Environment::of_process())
    }

    /// The same in an environment that is given.
    ///
    /// # Errors
    /// As for [`of_process`](Self::of_process).
    pub fn of(environment: &Environment) -> Result<Self> {
        let (filters, errors) = Filters::of(environment);
        if let Some(error) = errors.first() {
            return Err(Error::invalid(error.to_string()));
        }
        let mut found = Self::default();
        for backend in sycl_pi_loader::Backend::ALL {
            for attempt in sycl_pi_loader::discover(backend, environment) {
                let (path, origin) = (attempt.candidate.path.display().to_string(), attempt.candidate.origin);
                match attempt.outcome {
                    Ok(plugin) => found.look(backend.name(), Backend::new(plugin), &filters),
                    // Places without a plugin are told only where there is nothing else to tell.
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

    fn look(&mut self, name: &str, backend: Backend, filters: &Filters) {
        let plugin = backend.plugin().path.display();
        let platforms = match backend.platforms() {
            Ok(platforms) => platforms,
            Err(error) => return self.tried.push(format!("{plugin}: {error}")),
        };
        let mut number = 0;
        for platform in &platforms {
            for device in platform.devices() {
                let id = DeviceId { backend: name, kind: device.facts().kind, number };
                number += 1;
                let named = format!("{name}:{}: {}", id.number, device.facts().name);
                if let Some(hidden) = filters.hides(id, platform.facts(), device.facts()) {
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
            self.tried.push(format!("{plugin} offers no device{}", backend.reason()));
        }
    }

    /// The devices, in the order of backends and platforms.
    pub fn devices(&self) -> &[Device] {
        &self.devices
    }

    /// What was tried and is not among the devices, each with the reason.
    pub fn tried(&self) -> &[String] {
        &self.tried
    }

    /// A device by its number among those found.
    ///
    /// # Errors
    /// There are not so many: with all that was tried.
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

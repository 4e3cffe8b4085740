//! Modules that the driver loaded.

use core::ffi::CStr;
use std::ffi::CString;

use parking_lot::Mutex;
use sycl_pi_backend::Result;

use crate::device::device_context::DeviceContext;
use crate::sys::{CUmodule, DriverHandle, cuda};

/// A loaded module.
pub(crate) struct Module {
    pub(crate) raw: DriverHandle<CUmodule>,
    /// Variables that were looked up: name, address and size.
    variables: Mutex<Vec<(CString, u64, usize)>>,
}

impl Module {
    pub(crate) fn new(raw: DriverHandle<CUmodule>) -> Self {
        Self { raw, variables: Mutex::new(Vec::new()) }
    }

    /// Returns address and size of a variable, looked up by its symbol if that differs from the name.
    pub(crate) fn variable(
        &self,
        name: &CStr,
        symbol: Option<&CStr>,
        device_context: &DeviceContext,
    ) -> Result<(u64, usize)> {
        let mut variables = self.variables.lock();
        if let Some((_, address, size)) = variables.iter().find(|(other, ..)| other.as_c_str() == name) {
            return Ok((*address, *size));
        }
        let _current = device_context.enter()?;
        let symbol = symbol.unwrap_or(name);
        let (mut address, mut size) = (0, 0);
        cuda()?.cuModuleGetGlobal_v2(&mut address, &mut size, self.raw.get(), symbol.as_ptr()).map_err(
            |error| error.context(format!("the program has no variable {name:?} (symbol {symbol:?})")),
        )?;
        variables.push((name.to_owned(), address, size));
        Ok((address, size))
    }
}

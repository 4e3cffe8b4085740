//! Devices that answer the queries of PI.

use sycl_pi_core::pi_device_info;

use crate::{Backend, Version};

/// A device that answers the queries of PI: a plugin's, or one of another interface whose answers are converted.
pub trait DeviceQueries {
    /// Returns the answer to a query, or `None` if the device does not answer. Numbers and booleans may have any size
    /// up to eight bytes: a boolean has 1 byte in some plugins and 4 in others.
    fn answer(&self, query: pi_device_info) -> Option<Vec<u8>>;

    /// Returns the device's backend, if the name of its file tells it.
    fn backend(&self) -> Option<Backend>;

    /// Returns the version of PI whose queries it answers. Those of older plugins end the process on some.
    fn version(&self) -> Version;

    /// Returns the answer to a query for a number or a boolean, or `None` also if its size is not that of one.
    fn number(&self, query: pi_device_info) -> Option<u64> {
        let (bytes, mut number) = (self.answer(query)?, [0; 8]);
        if bytes.is_empty() || bytes.len() > number.len() {
            return None;
        }
        number.iter_mut().zip(&bytes).for_each(|(to, from)| *to = *from);
        Some(u64::from_le_bytes(number))
    }
}

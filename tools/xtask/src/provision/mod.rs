//! The prerequisites of clients: Python, wheels, environments, drivers.

pub(crate) mod adapter;
mod command;
pub(crate) mod environment;
pub(crate) mod level_zero;
pub(crate) mod libnvvm;
pub(crate) mod opencl;
pub(crate) mod python;
pub(crate) mod roots;
pub(crate) mod shim;
pub(crate) mod software_cuda;
pub(crate) mod wheels;

pub(crate) use command::{ProvisionArgs, run};

//! Finds, opens and describes PI plugins, both this project's and the vendors'.
//!
//! [`search`] determines where a plugin may be, [`Plugin::open`] loads one and agrees on a PI version, and [`Table`]
//! calls it. [`Plugin::inventory`] reads platforms and devices as plain data; [`filter`] determines which of them the
//! environment's selector variables leave visible. The library prints nothing, and neither counts nor wraps handles.
//!
//! ```
//! use sycl_pi_loader::filter::{DeviceId, Selector, Verdict};
//! use sycl_pi_loader::{Backend, DeviceType, Environment, search};
//! // The files that a program tries for the OpenCL plugin, in this order.
//! let environment = Environment::from_pairs([("PI_PLUGIN_PATH", "/opt/sycl-pi")]);
//! let files = search::candidates(Backend::OpenCl, &environment, None);
//! assert_eq!(files[0].path.to_str(), Some("/opt/sycl-pi/libpi_opencl.so"));
//! // The devices that a variable leaves.
//! let selector = Selector::parse("opencl:gpu")?;
//! let cpu = DeviceId { backend: "opencl", kind: DeviceType::Cpu, number: 0 };
//! assert_eq!(selector.verdict(cpu), Verdict::NotNamed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aspects;
mod backend;
mod codes;
mod device;
mod device_type;
mod discover;
mod environment;
mod error;
pub mod filter;
mod handshake;
mod inventory;
mod plugin;
mod queries;
pub mod search;
pub mod smoke;
mod table;
mod trace;

pub use aspects::aspect_names;
pub use backend::Backend;
pub use codes::result_name;
pub use device::{DeviceInfo, PlatformInfo, PlatformInventory};
pub use device_type::DeviceType;
pub use discover::{Attempt, attempt, discover};
pub use environment::Environment;
pub use error::{Answer, CallError, LoadError, Question};
pub use handshake::Init;
pub use inventory::{PluginDevice, PluginPlatform, text_of_answer};
pub use plugin::Plugin;
pub use queries::DeviceQueries;
pub use sycl_pi_core::{PluginOffsets, Version};
pub use table::Table;
pub use trace::{TRACE_TARGET, TRACE_VARIABLE, traces_calls};

//! The driver's objects, each with its calls.

pub(crate) mod append;
pub(crate) mod context;
pub(crate) mod device;
pub(crate) mod driver;
pub(crate) mod event;
pub(crate) mod fence;
pub(crate) mod flag;
pub(crate) mod image;
pub(crate) mod image_copy;
pub(crate) mod imported;
pub(crate) mod ipc;
pub(crate) mod kernel;
pub(crate) mod launch;
pub(crate) mod link;
pub(crate) mod list;
pub(crate) mod memory;
pub(crate) mod module;
pub(crate) mod native;
pub(crate) mod program_cache;
pub(crate) mod properties;
pub(crate) mod queue;
pub(crate) mod residency;
pub(crate) mod sysman;
pub(crate) mod table;
pub(crate) mod virtual_memory;

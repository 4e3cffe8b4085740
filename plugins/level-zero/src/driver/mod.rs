//! The driver's objects and everything that belongs to them. They are created here and destroyed with their last
//! holder.
//!
//! This module does not know callers' handles: contexts, devices and modules are the driver's.

mod allocation;
mod command_list;
mod context;
mod event_pool;
mod module;
mod opened_memory;
mod pooled_event;
mod registered_memory;
mod synchronous_lists;
mod usm_pool;

pub(crate) use allocation::{Allocation, MemoryLocation};
pub(crate) use command_list::{CommandList, EngineDesc, LazyList, queue_priority};
pub(crate) use context::DriverContext;
pub(crate) use event_pool::{EventKind, EventPools, create_event_pool};
pub(crate) use module::{Module, ModuleInput, ModuleTarget, SpecializationConstants};
pub(crate) use opened_memory::OpenedMemory;
pub(crate) use pooled_event::{EventRef, PooledEvent, is_same};
pub(crate) use synchronous_lists::SynchronousLists;
pub(crate) use usm_pool::{AllocationRequest, LARGEST_ALIGNMENT, UsmBlock, UsmPool};

//! A loader of Unified Runtime (UR) adapters for tests, and a PI table on top of it.
//!
//! [`Adapter`] opens an adapter's file; [`Adapter::connect`] asks it for the tables of one [`Layout`], as that release's
//! loader does, and [`Calls`] has them typed. [`open`] puts PI in front: each PI call becomes the UR call of the layout, and
//! the answer is translated back. What the harness knows of PI it can so judge through UR. The translation is written
//! from UR's documentation, and shares no code with what it judges.

pub mod bridge;
mod calls;
mod connect;
mod host;
mod made_up;

pub use bridge::{Behind, open};
pub use calls::Calls;
pub use connect::{Adapter, ConnectError, Connection, Getter};
pub use host::{Host, ok};
pub use made_up::{Filling, each_function};
pub use sycl_ur_core::Layout;

/// The layout with that name, such as `2025.3`.
pub fn layout_of_name(name: &str) -> Option<Layout> {
    Layout::ALL.into_iter().find(|layout| layout.name() == name)
}
